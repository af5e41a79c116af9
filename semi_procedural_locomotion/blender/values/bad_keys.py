# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys and poses that hold no number: found and named, before anything is made of them."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np

from ...core.keys.tables import BEZIER
from ...core.maths.rotations import FloatArray
from ..limits import VALUE
from .curves import evaluate_curve, read_all_keys, split_bone_path

_PARTS = {
    "location": "XYZ",
    "scale": "XYZ",
    "rotation_euler": "XYZ",
    "rotation_quaternion": "WXYZ",
    "rotation_axis_angle": "WXYZ",
}


def name_bad_key(curves: Iterable[bpy.types.FCurve]) -> str:
    """Tell of the first key of some curves that is no number, or too large for one, in words.

    Parameters
    ----------
    curves
        Any curves of one action; what is muted shows nothing, and is left out.

    Returns
    -------
    str
        The action, the curve and the frame of the key; empty where all are numbers.
    """
    shown = [curve for curve in curves if not curve.mute]
    places, kinds, ends = read_all_keys(shown)
    bad = np.append(0, np.cumsum(~_are_numbers(places).all(axis=1) | (kinds == BEZIER)))
    # Handles are looked at where a curve bends by them.
    for number in np.flatnonzero(np.diff(bad[ends])).tolist():
        curve = shown[number]
        found = _find_bad_key(curve)
        if found is not None:
            return f"action {curve.id_data.name!r} has {found} of {_name_curve(curve)} that is no number"
    return ""


def name_bad_value(curves: Iterable[bpy.types.FCurve], frames: FloatArray) -> str:
    """Tell where a curve shows no number by its modifiers; empty where none does.

    Parameters
    ----------
    curves
        Any curves of one action.
    frames
        Where to look, shape (N,).
    """
    for curve in curves:
        if curve.mute or not len(curve.modifiers):
            continue
        rows = np.flatnonzero(~_are_numbers(evaluate_curve(curve, frames)))
        if len(rows):
            return (
                f"action {curve.id_data.name!r} shows {_name_curve(curve)} at frame "
                f"{frames[rows[0]]:g} as no number"
            )
    return ""


def name_bad_pose(armature: bpy.types.Object) -> str:
    """The first bone of an armature whose own channels hold what is no number; empty where none do."""
    bones = armature.pose.bones
    flat = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get("matrix_basis", flat)
    bad = np.flatnonzero(~_are_numbers(flat.reshape(-1, 16)).all(axis=1))
    return bones[int(bad[0])].name if len(bad) else ""


def _are_numbers(values: np.ndarray) -> np.ndarray:
    """Which values are numbers that a scene can have; the result has their shape."""
    return np.abs(values) <= VALUE.farthest


def _find_bad_key(curve: bpy.types.FCurve) -> str | None:
    """The first key of a curve that is no number, in words; None where there is none."""
    points = curve.keyframe_points
    keys = _read_pairs(points, "co")
    bad = ~_are_numbers(keys).all(axis=1)
    kinds = np.empty(len(points), dtype=np.int32)
    points.foreach_get("interpolation", kinds)
    is_bent = kinds == BEZIER
    if is_bent.any():
        # Handles count where a curve bends by them.
        right, left = _read_pairs(points, "handle_right"), _read_pairs(points, "handle_left")
        bad |= is_bent & ~_are_numbers(right).all(axis=1)
        bad[1:] |= is_bent[:-1] & ~_are_numbers(left[1:]).all(axis=1)
    rows = np.flatnonzero(bad)
    if not len(rows):
        return None
    row = int(rows[0])
    frame = float(keys[row, 0])
    return f"a key at frame {frame:g}" if np.isfinite(frame) else f"a key, number {row + 1},"


def _read_pairs(points: bpy.types.FCurveKeyframePoints, name: str) -> np.ndarray:
    """Frames and values of keys or their handles, shape (K, 2)."""
    flat = np.empty(2 * len(points), dtype=np.float32)
    points.foreach_get(name, flat)
    return flat.reshape(-1, 2)


def _name_curve(curve: bpy.types.FCurve) -> str:
    """A curve as the editors list it: whose, which property, which part of it."""
    bone, name = split_bone_path(curve.data_path)
    parts = _PARTS.get(name, "")
    label = name.strip('[]"').replace("_", " ")
    part = f" {parts[curve.array_index]}" if curve.array_index < len(parts) else ""
    return f"{bone!r} {label}{part}" if bone else f"the object's {label}{part}"
