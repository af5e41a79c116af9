# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices that leave hardly any walk, or none of the motions, are told in words."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.records import MotionGroup
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.choice_notes import (
    describe_short_walk,
    describe_weightless_groups,
)
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import make_walker, native_walk

FRAMES = np.arange(10.0, 51.0)


def make_group(*weights):
    """A group whose weights are keyed at frames 10, 20, 40 and 50 of 24 a second."""
    times = np.array([10.0, 20.0, 40.0, 50.0]) / 24.0
    return MotionGroup("some", (0,), times[: len(weights)], np.array(weights, dtype=np.float64))


@pytest.mark.parametrize(
    ("groups", "where"),
    [
        ([make_group(0.0), make_group(0.0)], "all along"),
        ([make_group(0.0), make_group(-1.0)], "all along"),
        ([make_group(1.0, 0.0, 0.0, 1.0), make_group(0.0)], "at frames 20 to 40"),
        ([make_group(1.0, 0.0, 0.0, 0.0)], "from frame 20 on"),
        ([make_group(1.0, 0.0, 0.0, 1.0), make_group(0.01)], None),
    ],
)
def test_only_times_without_any_weight_are_told(groups, where):
    notes = describe_weightless_groups(groups, FRAMES, 24.0)
    assert len(notes) == (where is not None)
    if where:
        assert where in notes[0]


def test_only_walks_shorter_than_a_cycle_are_told():
    rig, motions = make_walker()
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, FlatGround(0.0))
    cycle = int(np.ceil(24.0 * walk.period))
    assert describe_short_walk(plan, (7, 7 + cycle), 7 + cycle, 24.0) == ()
    notes = describe_short_walk(plan, (7, 8), 7, 24.0)
    assert "present frame, 7, and the scene ends at 7" in notes[0]
