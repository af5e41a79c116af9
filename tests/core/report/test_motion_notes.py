# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices that leave hardly any walk, or none of the motions, are told."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.records import MotionGroup
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.motion_notes import (
    note_scene_end,
    note_short_walk,
    note_weightless_groups,
)
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.notes import NoteKind
from tests.core.walkers import make_walker, native_walk

FRAMES = np.arange(10.0, 51.0)


def make_group(*weights):
    """A group whose weights are keyed at frames 10, 20, 40 and 50 of 24 a second."""
    times = np.array([10.0, 20.0, 40.0, 50.0]) / 24.0
    return MotionGroup("some", (0,), times[: len(weights)], np.array(weights, dtype=np.float64))


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        ([make_group(0.0), make_group(0.0)], (10, 50)),
        ([make_group(0.0), make_group(-1.0)], (10, 50)),
        ([make_group(1.0, 0.0, 0.0, 1.0), make_group(0.0)], (20, 40)),
        ([make_group(1.0, 0.0, 0.0, 0.0)], (20, 50)),
        ([make_group(1.0, 0.0, 0.0, 1.0), make_group(0.01)], None),
    ],
)
def test_only_times_without_any_weight_are_told(groups, told):
    rig, motions = make_walker()
    travel = make_straight_travel(np.zeros(3), 0.0, native_walk(motions).velocity, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, FlatGround(0.0))
    grouped = replace(plan.tables.motion_set, groups=tuple(groups))
    plan = replace(plan, tables=replace(plan.tables, motion_set=grouped))
    times = FRAMES / 24.0
    notes = note_weightless_groups(NotedSpan(plan, *times[[0, -1]], 24.0), times)
    assert len(notes) == (told is not None)
    if told:
        assert (notes[0].frame, notes[0].values["last"]) == told


def test_only_walks_shorter_than_a_cycle_are_told():
    rig, motions = make_walker()
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, FlatGround(0.0))
    cycle = int(np.ceil(24.0 * walk.period))
    assert note_short_walk(NotedSpan(plan, 7 / 24.0, (7 + cycle) / 24.0, 24.0), 7 + cycle) == []
    notes = note_short_walk(NotedSpan(plan, 7 / 24.0, 8 / 24.0, 24.0), 7)
    assert (notes[0].kind, notes[0].frame) == (NoteKind.WALK_SHORT, 7)
    assert notes[0].values["last"] == 7


def test_walks_that_outlast_the_scene_are_told():
    assert note_scene_end(120, 120, extends=False) == []
    (note,) = note_scene_end(140, 120, extends=False)
    assert (note.kind, note.frame, note.values["last"]) == (NoteKind.WALK_OUTLASTS_SCENE, 120, 140)
    (note,) = note_scene_end(140, 120, extends=True)
    assert note.kind is NoteKind.SCENE_EXTENDED
