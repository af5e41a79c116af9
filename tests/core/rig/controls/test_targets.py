# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far legs on controls are off."""

from __future__ import annotations

import numpy as np

from semi_procedural_locomotion.core.rig.controls.targets import Residuals
from semi_procedural_locomotion.notes import NoteKind
from tests.core.gait_rigs import build_biped


def test_knees_that_jump_are_told_and_those_that_are_off_alike_are_not():
    legs = build_biped().legs
    knees = np.tile([0.3, 0.0], (6, 1))
    knees[3:, 1] = 0.4
    found = Residuals(np.zeros((6, 2)), knees).note_flips(
        legs, np.arange(20, 26), NoteKind.KNEE_FLIPS
    )
    assert [(note.leg, note.frame, dict(note.values)) for note in found] == [
        (legs[1].name, 23, {"share": 0.4})
    ]
    one = Residuals(np.zeros((1, 2)), knees[:1])
    assert not one.note_flips(legs, np.array([20]), NoteKind.KNEE_FLIPS)
