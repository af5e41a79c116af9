# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Roots that stay behind while hips walk away (docs/method/motions.md, Roots that stay behind)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.motions.cycles import extract_cycle
from semi_procedural_locomotion.core.motions.standing_carriers import find_left_bones
from semi_procedural_locomotion.core.rig.skeleton import Skeleton, compute_global_poses
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip

WALK = Recipe(period=1.1)
# A root built on its back, as importers make them.
_LYING = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), np.array(1.9))


def put_under_root(clip, rig, share, turn=rot.IDENTITY, body=1, pole=False):
    """The same walk under a root that goes a share of its way; maybe with a pole that stays."""
    old, extra = rig.skeleton, 1 if pole else 0
    count = len(old) + 1 + extra
    rest_turns, rest_places = np.tile(rot.IDENTITY, (count, 1)), np.zeros((count, 3))
    rest_turns[0] = turn
    rest_turns[1 : len(old) + 1], rest_places[1 : len(old) + 1] = (
        old.rest_rotations,
        old.rest_translations,
    )
    back = rot.conjugate(turn)
    rest_turns[1] = rot.multiply(back, old.rest_rotations[0])
    rest_places[1] = rot.rotate(back, old.rest_translations[0])
    parents = np.append(np.concatenate([[-1], old.parents + 1]), [0] * extra)
    skeleton = Skeleton(("Root", *old.names, *["Pole"] * extra), parents, rest_turns, rest_places)

    def shift(point):
        return replace(point, bone=point.bone + 1)

    legs = tuple(
        replace(
            leg,
            joints=tuple(joint + 1 for joint in leg.joints),
            toe=leg.toe + 1,
            heel=shift(leg.heel),
            ball=shift(leg.ball),
            toe_tip=shift(leg.toe_tip),
        )
        for leg in rig.legs
    )
    samples = len(clip.times)
    rotations = np.tile(rest_turns, (samples, 1, 1))
    translations = np.tile(rest_places, (samples, 1, 1))
    rotations[:, 2 : len(old) + 1] = clip.rotations[:, 1:]
    translations[:, 2 : len(old) + 1] = clip.translations[:, 1:]
    gone = clip.translations[:, 0] * np.array([share, share, 0.0])
    translations[:, 0] = gone
    rotations[:, 1] = rot.multiply(back, clip.rotations[:, 0])
    translations[:, 1] = rot.rotate(back, clip.translations[:, 0] - gone)
    posed = replace(
        clip,
        rotations=rotations,
        translations=translations,
        scales=np.ones_like(translations),
    )
    return posed, replace(rig, skeleton=skeleton, legs=legs, body=body)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("turn", [rot.IDENTITY, _LYING], ids=["upright", "lying"])
@pytest.mark.parametrize("cycles", [1.0, 2.0])
def test_a_travelling_walk_is_one_whatever_of_its_way_the_root_goes(share, turn, cycles):
    clip, rig, _ = make_clip(replace(WALK, cycles=cycles), travelling=True)
    whole = extract_cycle(clip, rig)
    posed, rooted = put_under_root(clip, rig, share, turn, pole=True)
    cycle = extract_cycle(posed, rooted)
    assert cycle.mode == whole.mode
    assert cycle.travels
    assert cycle.seam_before < 1e-3
    assert cycle.root_velocity == pytest.approx(whole.root_velocity, abs=1e-3)
    assert cycle.period == pytest.approx(whole.period)
    np.testing.assert_allclose(
        cycle.positions[:, 1 : len(rig.skeleton) + 1], whole.positions, atol=2e-3
    )
    # Tables are closed, so that nothing jumps where they begin anew.
    steps = np.abs(np.diff(cycle.translations, axis=0, append=cycle.translations[:1]))
    assert steps.max() < 0.1 * rig.leg_length


def test_a_body_that_stays_behind_is_handled_where_it_is_the_bone_to_move():
    clip, rig, _ = make_clip(WALK, travelling=True)
    whole = analyze_clip(clip, rig)
    motion = analyze_clip(*put_under_root(clip, rig, 0.0, body=0))
    assert motion.velocity == pytest.approx(whole.velocity, abs=1e-3)
    assert [leg.strike for leg in motion.legs] == pytest.approx(
        [leg.strike for leg in whole.legs], abs=1e-3
    )
    assert np.ptp(motion.translations[:, 0], axis=0).max() < 0.02


def test_roots_of_walks_in_place_and_roots_that_go_along_are_no_left_bones():
    for travelling, share in ((False, 0.0), (True, 1.0)):
        clip, rig, _ = make_clip(WALK, travelling)
        posed, rooted = put_under_root(clip, rig, share)
        _, positions = compute_global_poses(rooted.skeleton, posed.rotations, posed.translations)
        assert not find_left_bones(rooted, positions).any()
