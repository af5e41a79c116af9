# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of footsteps bent, scaled, mirrored, moved."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.footsteps.layout import (
    StepPattern,
    StepRun,
    bend_run,
    lay_out_steps,
    measure_gait,
    mirror_about,
    mirror_run,
    move_run,
    scale_run,
)
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.errors import TravelError
from tests.core.walkers import make_walker, native_walk


@pytest.fixture(scope="module")
def gait():
    return measure_gait(*read_walker())


def read_walker():
    rig, motions = make_walker(("walk",))
    return rig, native_walk(motions)


def lay_run(gait, count=12, **changed):
    """A run of the walk's own along +X."""
    steps = lay_out_steps(gait, StepPattern(count, **changed), np.zeros(3), 0.0)
    return StepRun(
        np.array([s.middle for s in steps]),
        rot.quaternions_from_yaws(np.array([s.heading for s in steps])),
    )


def turn(points, angle):
    cosine, sine = np.cos(angle), np.sin(angle)
    return points @ np.array([[cosine, sine], [-sine, cosine]])


def test_a_bent_run_turns_by_the_angle_and_keeps_its_step_lengths(gait):
    run = lay_run(gait)
    bent = bend_run(run, np.pi / 2)
    assert bent.headings[0] == pytest.approx(run.headings[0], abs=1e-9)
    assert bent.headings[-1] - run.headings[-1] == pytest.approx(np.pi / 2)
    # Steps of the same foot keep their distance but for the side that they are on.
    strides = np.hypot(*(bent.middles[2:] - bent.middles[:-2])[:, :2].T)
    assert strides[1:-1] == pytest.approx(np.full(len(strides) - 2, gait.stride), rel=0.06)
    assert np.mean(strides[1:-1]) == pytest.approx(gait.stride, rel=0.01)
    back = bend_run(bent, -np.pi / 2)
    assert np.allclose(back.middles, run.middles, atol=0.06)
    assert np.allclose(bend_run(run, 0.0).middles, run.middles, atol=1e-12)


def test_left_bends_are_mirrored_right_bends(gait):
    run = lay_run(gait)
    left = mirror_about(bend_run(run, 0.8), np.zeros(2), 0.0)
    right = bend_run(mirror_about(run, np.zeros(2), 0.0), -0.8)
    assert np.allclose(left.middles, right.middles, atol=1e-9)


def test_a_scaled_run_is_longer_or_wider_and_starts_where_it_did(gait):
    run = lay_run(gait)
    longer, wider = scale_run(run, 1.5, 1.0), scale_run(run, 1.0, 2.0)
    inner = slice(1, -1)
    assert np.diff(longer.middles[::2, 0])[1:] == pytest.approx(
        1.5 * np.diff(run.middles[::2, 0])[1:]
    )
    assert longer.middles[:, 1] == pytest.approx(run.middles[:, 1])
    assert wider.middles[inner, 1] == pytest.approx(2.0 * run.middles[inner, 1], abs=1e-6)
    assert wider.middles[:, 0] == pytest.approx(run.middles[:, 0])
    assert np.abs(longer.middles[0] - run.middles[0]).max() < 0.26 * gait.stride


def test_a_mirrored_run_goes_the_same_way_with_the_other_feet(gait):
    run = lay_run(gait)
    mirrored = mirror_run(run)
    assert mirrored.middles[:, 0] == pytest.approx(run.middles[:, 0], abs=1e-9)
    assert mirrored.middles[:, 1] == pytest.approx(-run.middles[:, 1], abs=1e-9)
    assert mirrored.headings == pytest.approx(-run.headings, abs=1e-9)
    assert np.allclose(mirror_run(mirrored).middles, run.middles, atol=1e-9)


def test_mirrored_soles_lie_on_the_mirrored_slope(gait):
    run = lay_run(gait)
    tilt = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), np.array(0.2))
    tilted = StepRun(run.middles, rot.multiply(tilt, run.frames))
    mirrored = mirror_about(tilted, np.zeros(2), 0.0)
    before, after = rot.rotate(tilted.frames, rot.UP), rot.rotate(mirrored.frames, rot.UP)
    assert after[:, 1] == pytest.approx(-before[:, 1], abs=1e-9)
    assert after[:, 2] == pytest.approx(before[:, 2], abs=1e-9)


@pytest.mark.parametrize(
    "edit",
    [lambda r: bend_run(r, 0.7), lambda r: scale_run(r, 1.3, 0.8), mirror_run],
    ids=["bend", "scale", "mirror"],
)
def test_edits_are_the_same_anywhere_and_in_any_direction(gait, edit):
    run = lay_run(gait, turn=0.1)
    place = np.array([3.0, -2.0, 0.5])
    moved = move_run(run, np.zeros(3), 1.1, place)
    assert np.allclose(moved.middles[:, :2], turn(run.middles[:, :2], 1.1) + place[:2])
    first, second = move_run(edit(run), np.zeros(3), 1.1, place), edit(moved)
    assert np.allclose(first.middles, second.middles, atol=1e-9)
    assert np.allclose(np.abs((first.frames * second.frames).sum(axis=1)), 1.0, atol=1e-9)


@pytest.mark.parametrize("edit", [lambda r: bend_run(r, 1.0), mirror_run])
def test_no_run_is_refused_in_words(gait, edit):
    run = lay_run(gait)
    with pytest.raises(TravelError, match="two footsteps or more"):
        edit(StepRun(run.middles[:1], run.frames[:1]))
    with pytest.raises(TravelError, match="on one place"):
        edit(StepRun(np.zeros((3, 3)), run.frames[:3]))
