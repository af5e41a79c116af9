# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The speed of a travel as an animator keyed it on a character."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...core.travel.speeds import SpeedCurve
from ...requests.settings.kinds import check_values
from ...requests.settings.travels import TRAVEL
from ..setup.keys import key_setup_property, list_setup_curves, sample_setup_curve
from ..values.curves import fingerprint_curves

_PATH = "locomotion.travel.speed"


def find_speed_curve(armature: bpy.types.Object) -> bpy.types.FCurve | None:
    """The curve of the travel's speed, None where it is not keyed."""
    return next((c for c in list_setup_curves(armature) if c.data_path == _PATH), None)


def read_speed_curve(armature: bpy.types.Object, scene: bpy.types.Scene) -> SpeedCurve | None:
    """Speed of a character's travel over time, None where it is not keyed.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Gives the clock and the least range of frames over which keys are read.
    """
    curve = find_speed_curve(armature)
    return None if curve is None else SpeedCurve(*sample_setup_curve(curve, scene))


def fingerprint_speed(armature: bpy.types.Object) -> str:
    """A text that changes when the speed or a key of it does, but not with the frame."""
    curve = find_speed_curve(armature)
    return repr(armature.locomotion.travel.speed) if curve is None else fingerprint_curves([curve])


def key_travel_speed(armature: bpy.types.Object, keys: Sequence[tuple[float, float]]) -> None:
    """Set the speed of a travel, with straight keys where there are several.

    Parameters
    ----------
    armature
        A set-up character.
    keys
        Frame and metres a second of each key, one or more; one stands for a constant.

    Raises
    ------
    SettingError
        A speed is no number or out of its range.
    """
    for _, speed in keys:
        check_values(TRAVEL, {"speed": speed})
    armature.locomotion.travel.speed = keys[0][1]
    key_setup_property(armature, _PATH, keys)
