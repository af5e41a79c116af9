# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that is far from where the walk starts is told."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.ground_notes import note_far_ground
from semi_procedural_locomotion.core.travel.way import make_straight_travel
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
