# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that is far from where the walk starts is told."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround, MeshGround, MovingGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.ground_notes import note_far_ground
from semi_procedural_locomotion.core.travel.way import Travel, make_straight_travel
from semi_procedural_locomotion.demo.terrain_shapes import make_flat
from semi_procedural_locomotion.notes import NoteKind
from tests.core.walkers import make_walker, native_walk


@pytest.mark.parametrize(
    ("lengths", "told"),
    [(0.0, False), (-2.5, False), (2.5, False), (-3.5, True), (3.5, True), (-50.0, True)],
)
def test_only_far_ground_is_told(lengths, told):
    rig, motions = make_walker()
    ahead = native_walk(motions).velocity
    travel = make_straight_travel(np.array([0.0, 0.0, 2.0]), 0.0, ahead, 0.0, 2.0)
    ground = FlatGround(2.0 + lengths * rig.leg_length)
    notes = note_far_ground(make_plan(rig, motions, travel, ground), 0.5)
    assert len(notes) == told
    if told:
        assert notes[0].kind is NoteKind.GROUND_FAR
        assert notes[0].values["height"] == pytest.approx(lengths * rig.leg_length)
        assert notes[0].values["lengths"] == pytest.approx(lengths)


@pytest.mark.parametrize("height", [-5.0, 5.0])
def test_a_lift_that_goes_far_with_one_who_stands_on_it_is_not_told(height):
    rig, motions = make_walker()

    def rise(times):
        share = np.clip((times - 1.0) / 3.0, 0.0, 1.0)
        return np.outer(share, [0.0, 0.0, height]), 0.0 * times

    lift = MovingGround(MeshGround(*make_flat(9.0, 3.0)), rise)
    times = np.linspace(0.0, 6.0, 61)
    stand = Travel(times, rise(times)[0], np.zeros(61))
    plan = make_plan(rig, motions, stand, lift)
    assert note_far_ground(plan, 0.5) == []
    below = replace(plan, travel=replace(stand, positions=stand.positions - [0.0, 0.0, 9.0]))
    assert [note.kind for note in note_far_ground(below, 0.5)] == [NoteKind.GROUND_FAR]
