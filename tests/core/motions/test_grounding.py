# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who sits, swims, hovers, pedals or leaps once does not walk, however evenly the feet move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import AnalysisOptions, analyze_clip
from semi_procedural_locomotion.errors import AnalysisError
from semi_procedural_locomotion.notes import NoteKind
from tests.core.synthetic import BALL_SHARE, Feet, Recipe, find_leg_place
from tests.core.synthetic_clips import make_clip, pad_clip

KEYS = 30
CIRCLE = 2.0 * np.pi * np.arange(KEYS + 1) / KEYS


def wave(leg):
    """Sine and cosine of a foot that is half a cycle behind its partner, (n,) each."""
    return np.sin(CIRCLE + np.pi * leg), np.cos(CIRCLE + np.pi * leg)


def make_motion(path, rise=0.0, pitch=0.0, scale=1.0, travel=None):
    """A clip of feet on paths (n, 2), ahead and up, with heels up by an angle, and its rig."""
    recipe = Recipe(keys=KEYS, scale=scale)
    moved = np.zeros((KEYS + 1, 2)) if travel is None else np.outer(travel, (0.0, 1.0))
    points = np.zeros((KEYS + 1, 2, 3, 3))
    foot = recipe.foot_length * np.array([0.0, np.cos(pitch), -np.sin(pitch)])
    for leg in range(2):
        ahead, up = path(leg)
        tip = np.zeros((KEYS + 1, 3))
        tip[:, :2] = find_leg_place(recipe, leg) + moved
        tip[:, 1] += ahead + 0.5 * recipe.foot_length
        tip[:, 2] = up
        points[:, leg] = tip[:, None] + np.outer((-1.0, BALL_SHARE - 1.0, 0.0), foot)[None]
    feet = Feet(
        recipe=recipe,
        times=np.arange(KEYS + 1) / KEYS * recipe.period,
        points=points * scale,
        body=moved * scale,
        yaws=np.zeros(KEYS + 1),
        truth=(),
        velocity=np.zeros(2),
    )
    clip, rig, _ = make_clip(recipe, feet=feet, rise=rise)
    return clip, rig


def hover(leg):
    sine, cosine = wave(leg)
    return 0.2 * cosine, 0.2 + 0.03 * sine


def sit(leg):
    sine, cosine = wave(leg)
    return 0.3 + 0.08 * sine, 0.3 + 0.02 * cosine


def pedal(leg):
    sine, cosine = wave(leg)
    return 0.13 * cosine, 0.25 + 0.13 * sine


def tread(leg):
    sine, cosine = wave(leg)
    return 0.15 * sine, 0.2 + 0.1 * cosine


NO_WALKS = {
    "hovers": (hover, 0.15, 0.0),
    "sits": (sit, -0.3, 0.0),
    "pedals": (pedal, 0.0, 0.0),
    "treads water": (tread, 0.15, 0.6),
}


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("name", NO_WALKS)
def test_feet_that_go_round_in_the_air_walk_nowhere(name, scale):
    path, rise, pitch = NO_WALKS[name]
    clip, rig = make_motion(path, rise, pitch, scale)
    with pytest.raises(AnalysisError, match="feet go round in the air, at least"):
        analyze_clip(clip, rig)
    assert analyze_clip(clip, rig, AnalysisOptions(force=True)).is_cycle


def test_feet_that_hang_without_going_round_are_told():
    """Their way is no ellipse."""

    def dangle(leg):
        sine, cosine = wave(leg)
        return 0.25 * cosine + 0.04 * np.cos(3.0 * CIRCLE + np.pi * leg), 0.25 + 0.05 * sine

    clip, rig = make_motion(dangle, 0.15)
    motion = analyze_clip(clip, rig)
    (told,) = [note for note in motion.notes if note.kind is NoteKind.FEET_HANG]
    assert told.values["height"] == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize("ground", [-0.3, 0.2, 1.2])
@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(),
        Recipe(style="tiptoe"),
        Recipe(gait="trot", duty=0.5),
        Recipe(duty=0.3, speed=3.0, period=0.6, lift=0.2),
    ],
)
def test_walks_on_other_levels_than_the_rest_pose_walk(recipe, ground):
    clip, rig, _ = make_clip(replace(recipe, ground=ground))
    kinds = [note.kind for note in analyze_clip(clip, rig).notes]
    assert NoteKind.GROUND_OFF_REST in kinds
    assert NoteKind.FEET_HANG not in kinds


def test_a_body_that_lies_walks_nowhere():
    """As in swimming: the whole body is turned over to the front, and its feet flutter."""
    clip, rig = make_motion(lambda leg: (0.05 * wave(leg)[1], 0.02 + 0.1 * wave(leg)[0]))
    over = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), -0.5 * np.pi)
    rotations = clip.rotations.copy()
    rotations[:, 0] = rot.multiply(over, rotations[:, 0])
    with pytest.raises(AnalysisError, match="the body lies"):
        analyze_clip(replace(clip, rotations=rotations), rig)


def leap(distance, height, held=0):
    """A clip that stands, leaps once and stands, with more of standing at both ends."""
    share = CIRCLE / CIRCLE[-1]
    gone = np.clip(2.0 * share - 0.5, 0.0, 1.0)
    way = distance * gone**3 * (gone * (6.0 * gone - 15.0) + 10.0)
    lift = np.sin(np.pi * gone) ** 2
    clip, rig = make_motion(lambda leg: (0.0, 0.3 * lift), height * lift, travel=way)
    return pad_clip(clip, held, held), rig


@pytest.mark.parametrize("held", [0, 10])
@pytest.mark.parametrize(("distance", "height"), [(1.2, 0.3), (2.0, 0.2)])
def test_a_single_leap_from_a_stand_to_a_stand_is_no_gait(distance, height, held):
    with pytest.raises(AnalysisError, match="it is a single jump, the body stands still for"):
        analyze_clip(*leap(distance, height, held))


@pytest.mark.parametrize("gait", ["jump", "hop", "bound", "gallop", "trot", "walk"])
def test_gaits_that_travel_do_not_stand(gait):
    recipe = Recipe(gait=gait, duty=0.4, speed=2.0, period=0.7, lift=0.2)
    clip, rig, _ = make_clip(recipe, travelling=True)
    assert analyze_clip(clip, rig).speed == pytest.approx(2.0, rel=0.05)
