# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes by hand as offsets: on their frames exactly, eased beside them, nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.keys.edits import (
    KeyEdit,
    add_edits,
    find_changed,
    find_edits,
    shift_values,
    turn_values,
)
from semi_procedural_locomotion.core.keys.limits import KEY_EDIT
from semi_procedural_locomotion.core.maths import rotations as rot

FRAMES = np.arange(1.0, 41.0)
UP = np.array([0.0, 0.0, 1.0])


def make_shift(first, *heights):
    return KeyEdit("location", first, np.array([[0.0, 0.0, h] for h in heights]), is_turn=False)


def make_turn(first, *degrees):
    turns = rot.quaternions_from_axis_angles(UP, np.radians(degrees))
    return KeyEdit("rotation_quaternion", first, turns, is_turn=True)


def test_offsets_are_whole_on_their_frames_and_ease_to_nothing_beside_them():
    heights = make_shift(20, 0.3, 0.1, 0.2).spread(FRAMES)[:, 2]
    assert np.allclose(heights[19:22], [0.3, 0.1, 0.2])
    before, after = heights[19 - KEY_EDIT.ease : 20], heights[21 : 22 + KEY_EDIT.ease]
    assert np.all(np.diff(before) > 0)
    assert np.all(np.diff(after) < 0)
    assert np.count_nonzero(heights) == 3 + 2 * KEY_EDIT.ease
    angles = rot.angles_between(rot.IDENTITY, make_turn(20, 5.0).spread(FRAMES))
    assert np.degrees(angles.max()) == pytest.approx(5.0)
    assert np.count_nonzero(angles > 1e-9) == 1 + 2 * KEY_EDIT.ease
    assert make_shift(20, 0.0, 1.0).spread(np.array([20.25]))[0, 2] == pytest.approx(0.25)


def test_what_differs_is_found_in_runs():
    offsets = np.zeros((40, 3))
    offsets[[9, 12, 30], 0] = 0.5
    near, far = find_edits("location", FRAMES, offsets, is_turn=False)
    assert (near.first, near.last) == (10, 13)
    assert near.offsets[:, 0].tolist() == [0.5, 0.0, 0.0, 0.5]
    assert (far.first, far.last) == (31, 31)
    assert find_edits("location", FRAMES, 1e-7 * np.ones((40, 3)), is_turn=False) == []
    # Between two ranges that are looked at nothing is known.
    parts = np.array([1.0, 2.0, 5.0, 6.0])
    (joined,) = find_edits("location", parts, np.ones((4, 3)), is_turn=False)
    assert joined.offsets[:, 0].tolist() == [1, 1, 0, 0, 1, 1]


def test_changed_frames_are_those_of_changed_keys_and_between_them():
    written = np.stack([FRAMES, np.sin(FRAMES)], axis=1)
    keys = written.copy()
    keys[[9, 10, 20], 1] += 0.1
    assert FRAMES[find_changed(written, keys, FRAMES)].tolist() == [10, 11, 21]
    gone = np.delete(written, [4, 5], axis=0)
    assert FRAMES[find_changed(written, gone, FRAMES)].tolist() == [5, 6]
    # A curve that is constant has one key, to which others are added, or which is moved.
    lone, added = np.array([[1.0, 0.5]]), np.array([[1.0, 0.5], [20.0, 0.7]])
    assert FRAMES[find_changed(lone, added, FRAMES)].tolist() == [20]
    two = np.array([[1.0, 0.5], [20.0, 0.7], [23.0, 0.7]])
    assert FRAMES[find_changed(lone, two, FRAMES)].tolist() == [20, 21, 22, 23]
    assert find_changed(lone, lone + np.array([0.0, 0.1]), FRAMES).all()
    assert not find_changed(written, written, FRAMES).any()


def test_later_edits_join_those_that_they_meet():
    (one,) = add_edits([make_shift(20, 0.3)], [make_shift(21, 0.2)])
    assert (one.first, one.last) == (20, 21)
    lone = make_shift(20, 0.3).spread(np.array([21.0]))[0, 2]
    eased = make_shift(21, 0.2).spread(np.array([20.0]))[0, 2]
    assert np.allclose(one.offsets[:, 2], [0.3 + eased, lone + 0.2])
    assert len(add_edits([make_shift(2, 0.3)], [make_shift(30, 0.2)])) == 2
    assert len(add_edits([make_shift(20, 0.3)], [make_turn(20, 5.0)])) == 2
    (turn,) = add_edits([make_turn(20, 5.0)], [make_turn(20, 3.0)])
    angle = rot.angles_between(rot.IDENTITY, turn.offsets)
    assert np.degrees(angle).tolist() == pytest.approx([8.0])


def test_offsets_go_with_what_is_moved():
    turns = np.tile(rot.quaternions_from_yaws(np.array(np.pi / 2)), (40, 1))
    turned = turn_values(turns, FRAMES, [make_turn(20, 10.0)])
    expected = rot.quaternions_from_yaws(np.array(np.pi / 2 + np.radians(10.0)))
    assert np.allclose(turned[19], expected)
    ahead = KeyEdit("location", 20, np.array([[1.0, 0.0, 0.0]]), is_turn=False, is_own=True)
    shifted = shift_values(np.zeros((40, 3)), FRAMES, turns, [ahead])
    assert np.allclose(shifted[19], [0.0, 1.0, 0.0])
    assert np.allclose(shifted[0], 0.0)


@pytest.mark.parametrize("offsets", [np.zeros(3), np.zeros((0, 3))])
def test_edits_without_frames_are_refused(offsets):
    with pytest.raises(ValueError, match="offsets must have shape"):
        KeyEdit("location", 1, offsets, is_turn=False)
    with pytest.raises(ValueError, match="turns must have shape"):
        KeyEdit("rotation_euler", 1, np.zeros((2, 3)), is_turn=True)
