# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks up and down ramps are brought to the level; what climbs otherwise is told so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.motions.climbing import find_climb, level_climb
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.errors import AnalysisError
from semi_procedural_locomotion.notes import NoteKind
from tests.core.synthetic import Recipe, make_feet
from tests.core.synthetic_clips import make_clip

WALK = Recipe(speed=1.2, cycles=2)


def climb(recipe, slope):
    """The recipe's walk on a ramp of a slope, under a body that stays upright, and its rig."""
    feet = make_feet(recipe, travelling=True)
    ahead = np.array([np.sin(recipe.heading), np.cos(recipe.heading)])
    points = feet.points.copy()
    points[..., 2] += slope * (points[..., :2] @ ahead)
    rise = slope * (feet.body @ ahead) / recipe.scale
    clip, rig, _ = make_clip(recipe, feet=replace(feet, points=points), rise=rise)
    return clip, rig


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("slope", [0.1, 0.3, -0.15, -0.3])
@pytest.mark.parametrize("heading", [0.0, np.pi, 0.5 * np.pi])
def test_walks_on_ramps_walk_as_on_the_level(slope, heading, scale):
    recipe = replace(WALK, scale=scale, heading=heading)
    clip, rig = climb(recipe, slope)
    motion = analyze_clip(clip, rig)
    level = analyze_clip(make_clip(recipe, travelling=True)[0], rig)
    np.testing.assert_allclose(motion.velocity, level.velocity, atol=0.02 * level.speed)
    assert motion.period == pytest.approx(level.period, rel=0.01)
    for leg, other in zip(motion.legs, level.legs, strict=True):
        assert (leg.off - other.off + 0.5) % 1.0 - 0.5 == pytest.approx(0.0, abs=0.04)
        assert (leg.strike - other.strike + 0.5) % 1.0 - 0.5 == pytest.approx(0.0, abs=0.04)
    (told,) = [note for note in motion.notes if note.kind is NoteKind.CLIP_CLIMBS]
    assert told.values["degrees"] == pytest.approx(np.degrees(np.arctan(slope)), abs=1.0)


@pytest.mark.parametrize("slope", [0.3, -0.3])
def test_feet_stand_flat_under_a_body_as_upright_as_it_was(slope):
    clip, rig = climb(WALK, slope)
    level = level_climb(clip, rig, find_climb(clip, rig))
    before, _ = compute_global_poses(rig.skeleton, clip.rotations, clip.translations)
    turned, places = compute_global_poses(rig.skeleton, level.rotations, level.translations)
    np.testing.assert_allclose(turned[:, :3], before[:, :3], atol=1e-9)
    assert np.ptp(places[:, 0, 2]) < 0.06
    for leg in rig.legs:
        points = compute_sole_points(leg, turned, places)
        stands = points[..., 2].max(axis=1) < 0.02
        assert stands.mean() > 0.3
        assert np.abs(points[..., 2].min(axis=1)).min() < 0.01


def test_a_body_on_four_legs_is_turned_with_its_slope():
    recipe = replace(WALK, gait="lateral walk")
    clip, rig, _ = make_clip(recipe, travelling=True)
    turn = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), np.arctan(0.3))
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    rotations[:, 0] = rot.multiply(turn, clip.rotations[:, 0])
    translations[:, 0] = rot.rotate(turn, clip.translations[:, 0])
    ramp = replace(clip, rotations=rotations, translations=translations)
    motion, level = analyze_clip(ramp, rig), analyze_clip(clip, rig)
    np.testing.assert_allclose(motion.velocity, level.velocity, atol=0.02 * level.speed)
    leans = rot.rotate(motion.rotations[:, 0], np.array([0.0, 0.0, 1.0]))
    assert leans[:, 2].min() > np.cos(np.radians(2.0))


@pytest.mark.parametrize("gait", ["walk", "gallop", "bound"])
def test_walks_on_the_level_do_not_climb(gait):
    clip, rig, _ = make_clip(replace(WALK, gait=gait), travelling=True)
    found = find_climb(clip, rig)
    assert found.rise == found.slope == 0.0
    assert level_climb(clip, rig, found) is clip


def test_the_steepest_ramp_has_the_speed_of_the_level():
    clip, rig = climb(WALK, 0.4)
    assert analyze_clip(clip, rig).speed == pytest.approx(1.2, rel=0.02)


def test_what_climbs_too_steeply_is_told_so():
    clip, rig = climb(WALK, 0.8)
    with pytest.raises(AnalysisError, match=r"does not repeat .*, it climbs by \+1\.\d m"):
        analyze_clip(clip, rig)


def test_a_leap_onto_a_ledge_is_no_slope():
    clip, rig, _ = make_clip(WALK, travelling=True)
    translations = clip.translations.copy()
    translations[:, 0, 2] += 0.6 * np.clip(10.0 * clip.times / clip.times[-1] - 4.5, 0.0, 1.0)
    found = find_climb(replace(clip, translations=translations), rig)
    assert found.rise == pytest.approx(0.6, abs=0.02)
    assert found.slope == 0.0
