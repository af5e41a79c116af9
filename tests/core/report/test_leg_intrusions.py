# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs between hip and ankle against the ground."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.leg_intrusions import (
    measure_leg_depths,
    note_leg_intrusions,
)
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.notes import NoteKind
from tests.core.walkers import make_walker, native_walk


def walk_straight(rig, motions):
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 2.0)
    plan = make_plan(rig, motions, travel, FlatGround())
    return plan, solve_poses(plan, np.arange(48) / 24.0)


def test_legs_over_flat_ground_are_clear():
    rig, motions = make_walker()
    plan, walk = walk_straight(rig, motions)
    assert measure_leg_depths(plan, walk).max() == 0.0
    assert note_leg_intrusions(plan, walk, ["Left", "Right"], np.arange(999)) == []


def test_a_shin_below_the_ground_is_told_with_its_depth_frame_and_leg():
    rig, motions = make_walker()
    plan, walk = walk_straight(rig, motions)
    sunk = walk.positions.copy()
    knee, ankle = plan.tables.small_rig.legs[1].joints[1], plan.tables.small_rig.legs[1].joints[-1]
    sunk[7, knee, 2], sunk[7, ankle, 2] = -0.1, -0.1
    notes = note_leg_intrusions(
        plan,
        replace(walk, legs=replace(walk.legs, positions=sunk)),
        ["Left", "Right"],
        np.arange(100, 999),
    )
    (note,) = notes
    assert (note.kind, note.leg, note.frame) == (NoteKind.LEG_CUTS_GROUND, "Right", 107)
    assert note.values["depth"] == pytest.approx(0.1)
    assert note.values["frames"] == 1


def test_a_raised_ground_under_the_same_walk_is_as_deep_as_it_was_raised():
    rig, motions = make_walker()
    plan, walk = walk_straight(rig, motions)
    lowest = walk.positions[:, plan.tables.small_rig.legs[0].joints[-1], 2].min()
    depths = measure_leg_depths(replace(plan, ground=FlatGround(lowest + 0.2)), walk)
    assert 0.05 < depths[:, 0].max() < 0.2
