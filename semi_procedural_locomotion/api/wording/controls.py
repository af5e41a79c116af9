# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words about the controls of a rig: why a walk may not land on them."""

from __future__ import annotations

from ...notes import NoteKind as K
from .forms import Severity, Texts, make_words

_CHOOSE = "choose one in the Controls panel, or write on the deforming bones"
_WRITE = "choose another `output`, or name the controls in Blender"

_HINTS: dict[K, Texts] = {
    K.NO_BODY_CONTROL: (
        "no control was found that takes hips and upper body along",
        _CHOOSE,
        _WRITE,
    ),
    K.NO_FOOT_CONTROL: ("no control was found that moves its foot", _CHOOSE, _WRITE),
    K.CONTROL_MOVES_PARTLY: (
        "the control {control} moves the foot only by {share:.0%}",
        "choose another one in the Controls panel, or switch off what holds the foot",
        _WRITE,
    ),
    K.SWITCHED_BY_BONE: (
        "its IK is switched by the place or turn of the bone {bone}",
        "put that bone where the leg acts as the walk shall be written, then press Probe",
        "put that bone in Blender where the leg acts as the walk shall be written",
    ),
    K.SWITCH_NOT_KEYED: (
        "its IK is switched by something that is no property of the armature and cannot be keyed",
        "set it so that the leg acts as the walk shall be written, then press Probe",
        "set it in Blender so that the leg acts as the walk shall be written",
    ),
    K.ROOT_NOT_UPRIGHT: (
        "Upright Root does nothing where a walk is written on controls: their root pitches with the body",
        "convert From Body To Root Bone under Root Motion, or write on the deforming bones",
        'give `output = "deforming"` in `[character.bake]`, or convert its root motion in Blender',
    ),
}

WORDS = make_words(Severity.HINT, _HINTS)
