# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of a set-up's own properties, which animators may change over frames.

Keys lie in the action that the armature object plays; in a bake's action they are copies until the
user changes them there, so that one is read first. Where a bake plays in a strip, or below a layer of
corrections, new keys go to the action above it, whose keys count before its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from .. import versions
from ..values.bake_record import find_playing_action
from ..values.curves import evaluate_curve, read_key_frames
from ..values.scene_state import get_frame_rate


def list_setup_curves(armature: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Curves with keys of an armature's properties that are in force."""
    found: dict[tuple[str, int], bpy.types.FCurve] = {}
    sources = find_playing_action(armature), versions.get_assigned_action(armature)
    for action, slot in dict.fromkeys(sources):
        for curve in () if action is None else versions.get_curves(action, slot):
            is_keyed = not curve.mute and len(curve.keyframe_points)
            if curve.data_path.startswith("locomotion.") and is_keyed:
                found[curve.data_path, curve.array_index] = curve
    return list(found.values())


def sample_setup_curve(
    curve: bpy.types.FCurve, scene: bpy.types.Scene
) -> tuple[FloatArray, FloatArray]:
    """Times in seconds (K,) and values (K,) of a curve, one a frame.

    Parameters
    ----------
    curve
        With keys.
    scene
        Gives the clock and the least range of frames over which it is read.
    """
    keys = read_key_frames([curve])
    first = int(np.floor(min(keys[0], scene.frame_start)))
    last = int(np.ceil(max(keys[-1], scene.frame_end)))
    frames = np.arange(first, last + 1, dtype=np.float64)
    return frames / get_frame_rate(scene), evaluate_curve(curve, frames)


def key_setup_property(
    armature: bpy.types.Object, path: str, keys: Sequence[tuple[float, float]]
) -> None:
    """Give a property of a set-up straight keys in the place of those that it has.

    Parameters
    ----------
    armature
        A set-up character. Where it plays one of its motions, it gets an action for the keys, since
        those of a motion are never changed.
    path
        Data path of the property from the object.
    keys
        Frame and value of each key; fewer than two remove the keys.
    """
    action, slot = versions.get_assigned_action(armature)
    if action is None or any(e.action == action for e in armature.locomotion.motions):
        if len(keys) < 2:
            return
        action = bpy.data.actions.new(f"{armature.name} Set-Up")
    slot, bag = versions.ensure_channelbag(action, armature)
    for curve in [c for c in bag.fcurves if c.data_path == path]:
        bag.fcurves.remove(curve)
    if len(keys) < 2:
        return
    curve = versions.add_curve(bag, path, 0, "Locomotion")
    for frame, value in keys:
        curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
    versions.assign_action(armature, action, slot)
