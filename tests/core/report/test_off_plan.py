# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shown legs held against meant ones: how far, where, and which bone is to blame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import solve_poses
from semi_procedural_locomotion.core.report.off_plan import (
    ShownBones,
    choose_frames,
    expect_walk,
    join_expectations,
    measure_deviation,
)
from tests.core.test_plan import walk_straight
from tests.core.walkers import make_walker

FRAMES = np.arange(10, 40)


@pytest.fixture(scope="module")
def expected():
    """What a straight walk of a biped is meant to show."""
    plan, _ = walk_straight(*make_walker())
    walk = solve_poses(plan, FRAMES / 24)
    return expect_walk(plan, walk, FRAMES, np.arange(len(FRAMES)))


def show(expected):
    """Exactly what is meant."""
    return ShownBones(
        rotations=expected.rotations.copy(),
        positions=expected.positions.copy(),
        scales=np.repeat(expected.scales[..., None], 3, axis=-1),
        origins=expected.origins.copy(),
        turns=expected.turns.copy(),
    )


def turn_below(expected, shown, bone, frame, turn):
    """Turn a bone and all below it about the bone's head at one frame."""
    head = shown.positions[frame, bone].copy()
    for item in range(len(expected.names)):
        if bone in expected.find_chain(item):
            arm = shown.positions[frame, item] - head
            shown.positions[frame, item] = head + rot.rotate(turn, arm)
            shown.rotations[frame, item] = rot.multiply(turn, shown.rotations[frame, item])


def test_what_is_meant_is_not_off(expected):
    assert measure_deviation(expected, show(expected)).share < 1e-6


@pytest.mark.parametrize("leg", [0, 1])
def test_the_turned_bone_is_blamed_and_the_farthest_is_named(expected, leg):
    bones = np.flatnonzero(expected.leg_bones[leg])
    shown, frame, angle = show(expected), 7, 0.2
    half = 0.5 * angle
    turn = np.array([np.cos(half), np.sin(half), 0.0, 0.0])
    turn_below(expected, shown, int(bones[1]), frame, turn)
    found = measure_deviation(expected, shown)
    assert found.frame == FRAMES[frame]
    assert found.leg == leg
    assert found.blamed == bones[1]
    assert found.bone == bones[-1]
    ankle = int(bones[2])
    arm = expected.positions[frame, ankle] - expected.positions[frame, bones[1]]
    arm[0] = 0.0
    moved = 2.0 * np.sin(half) * np.linalg.norm(arm)
    own = expected.reaches[ankle] * 2.0 * np.sin(half)
    assert found.share >= (moved + own) / expected.leg_lengths[leg] - 1e-9


def test_a_moved_object_is_blamed_itself(expected):
    shown = show(expected)
    shown.positions[5:] += [0.0, 0.0, 0.1]
    shown.origins[5:] += [0.0, 0.0, 0.1]
    found = measure_deviation(expected, shown)
    assert found.blamed == -1
    assert found.share == pytest.approx(0.1 / expected.leg_lengths[found.leg], rel=1e-6)


def test_a_foot_that_turns_on_the_spot_is_off(expected):
    shown = show(expected)
    foot = int(np.flatnonzero(expected.leg_bones[0])[-1])
    assert expected.reaches[foot] > 0
    turn = np.array([np.cos(0.15), 0.0, 0.0, np.sin(0.15)])
    shown.rotations[3, foot] = rot.multiply(turn, shown.rotations[3, foot])
    found = measure_deviation(expected, shown)
    assert (found.frame, found.blamed) == (FRAMES[3], foot)
    wide = expected.reaches[foot] * 2.0 * np.sin(0.15) / expected.leg_lengths[0]
    assert found.share == pytest.approx(wide, rel=1e-6)


def test_a_grown_bone_is_blamed_and_not_what_inherits_its_size(expected):
    shown = show(expected)
    bones = np.flatnonzero(expected.leg_bones[0])
    head = expected.positions[4, bones[0]]
    shown.scales[4, bones] *= 1.1
    shown.positions[4, bones] = head + 1.1 * (expected.positions[4, bones] - head)
    assert measure_deviation(expected, shown).blamed == bones[0]


def test_frames_hold_every_strike_and_foot_off_and_stay_few():
    count = 1000
    contacts = np.zeros((count, 2), dtype=bool)
    contacts[:, 0] = np.arange(count) % 24 < 14
    contacts[:, 1] = (np.arange(count) + 12) % 24 < 14
    few = choose_frames(contacts[:120], 77)
    changes = np.flatnonzero((contacts[1:120] != contacts[:119]).any(axis=1))
    assert {0, 77, 119, *changes, *(changes + 1)} <= set(few.tolist())
    assert np.all(np.diff(few) > 0)
    many = choose_frames(contacts, 501)
    assert len(many) <= 240
    assert {0, 501, 999} <= set(many.tolist())


def test_a_section_takes_the_place_of_its_own_frames(expected):
    section = replace(
        expected,
        **{
            name: getattr(expected, name)[8:12] + 1.0
            for name in ("rotations", "positions", "scales", "origins", "turns")
        },
        frames=expected.frames[8:12],
    )
    span = (section.frames[0], section.frames[-1])
    joined = join_expectations(expected, section, span)
    assert np.array_equal(joined.frames, expected.frames)
    assert np.array_equal(joined.positions[8:12], section.positions)
    assert np.array_equal(joined.positions[:8], expected.positions[:8])
    other = replace(section, names=tuple(f"{name}2" for name in section.names))
    assert join_expectations(expected, other, span) is other
