# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation curves read into arrays."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ..limits import VALUE
from .curve_modifiers import read_modifiers

# Properties that make up a pose or an object's transform.
TRANSFORM_PROPERTIES = (
    "location",
    "rotation_quaternion",
    "rotation_euler",
    "rotation_axis_angle",
    "scale",
)
BONES = 'pose.bones["'
"""With which the data paths of all bones begin."""
_BONE_PATH = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\.?(.+)$')
# Interpolations that have no numbers besides handles, as Blender counts them.
_CONSTANT, _LINEAR, _BEZIER = 0, 1, 2

CurvesByChannel = dict[tuple[str, str], dict[int, bpy.types.FCurve]]
# Properties that rotations may be keyed in, with a mode in which each plays.
_ROTATION_MODES = {
    "rotation_quaternion": "QUATERNION",
    "rotation_euler": "XYZ",
    "rotation_axis_angle": "AXIS_ANGLE",
}


def group_transform_curves(curves: Iterable[bpy.types.FCurve]) -> CurvesByChannel:
    """Curves that move bones or the object itself.

    Parameters
    ----------
    curves
        Any curves; muted ones are left out.

    Returns
    -------
    dict
        From (bone name, property name) to curves by array index; the bone name of the object's own
        channels is empty.
    """
    grouped: CurvesByChannel = {}
    for curve in curves:
        owner, _, name = curve.data_path.rpartition(".")
        if name not in TRANSFORM_PROPERTIES or curve.mute:
            continue
        group = curve.group
        if group is not None and group.mute:
            continue
        bone = parse_bone_name(owner) if owner else ""
        if bone is not None:
            grouped.setdefault((bone, name), {})[curve.array_index] = curve
    return grouped


@lru_cache(maxsize=8192)
def parse_bone_name(owner_path: str) -> str | None:
    """Name of the bone in a path like ``pose.bones["Hips"]``, or None.

    Kept, since a file of many actions names each of its bones ten times in each of them.
    """
    suffix = '"]'
    if not (owner_path.startswith(BONES) and owner_path.endswith(suffix)):
        return None
    return bpy.utils.unescape_identifier(owner_path[len(BONES) : -len(suffix)])


def build_bone_path(bone: str, name: str) -> str:
    """Data path of a bone's property; of the object's own where the bone name is empty.

    The name of a custom property is ``["name"]``.
    """
    if not bone:
        return name
    dot = "" if name.startswith("[") else "."
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]{dot}{name}'


def split_bone_path(path: str) -> tuple[str, str]:
    """Bone and name of the property of a data path, the inverse of `build_bone_path`."""
    found = _BONE_PATH.match(path)
    if found is None:
        return "", path
    return bpy.utils.unescape_identifier(found[1]), found[2]


def read_keys(curve: bpy.types.FCurve) -> FloatArray:
    """Frames and values of the keys of a curve, shape (K, 2)."""
    flat = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", flat)
    return flat.reshape(-1, 2).astype(np.float64)


def read_all_keys(
    curves: Sequence[bpy.types.FCurve],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keys of many curves in one go.

    Returns
    -------
    places
        Frames and values of all keys, float32, shape (K, 2).
    kinds
        Their interpolation, Blender's numbers, shape (K,).
    ends
        Where the keys of each curve begin, and those of the last end, shape (C + 1,).
    """
    filled = [curve.keyframe_points for curve in curves]
    ends = np.cumsum([0, *map(len, filled)])
    places = np.empty(2 * ends[-1], dtype=np.float32)
    kinds = np.empty(ends[-1], dtype=np.int32)
    bounds = ends.tolist()
    for points, first, last in zip(filled, bounds[:-1], bounds[1:], strict=True):
        if last > first:
            points.foreach_get("co", places[2 * first : 2 * last])
            points.foreach_get("interpolation", kinds[first:last])
    return places.reshape(-1, 2), kinds, ends


def read_key_frames(curves: Iterable[bpy.types.FCurve]) -> FloatArray:
    """Frames at which any of the curves has a key, increasing, shape (K,)."""
    frames = np.unique(read_all_keys(list(curves))[0][:, 0].astype(np.float64))
    frames = frames[np.isfinite(frames)]
    keep = np.ones(len(frames), dtype=bool)
    keep[1:] = np.diff(frames) > VALUE.same_frame
    return frames[keep]


def is_stepped(curve: bpy.types.FCurve) -> bool:
    """Whether a curve has several keys, each of which holds until the next."""
    count = len(curve.keyframe_points)
    if count < 2 or len(curve.modifiers):
        return False
    kinds = np.empty(count, dtype=np.int32)
    curve.keyframe_points.foreach_get("interpolation", kinds)
    return bool((kinds[:-1] == _CONSTANT).all())


def write_straight_keys(curve: bpy.types.FCurve, frames: FloatArray, values: FloatArray) -> None:
    """Give a curve without keys values (K,) at frames (K,), with straight lines between them."""
    points = curve.keyframe_points
    points.add(len(frames))
    points.foreach_set("co", np.stack([frames, values], axis=-1).ravel())
    points.foreach_set("interpolation", np.full(len(frames), _LINEAR, dtype=np.int32))
    curve.update()


def evaluate_curve(curve: bpy.types.FCurve, frames: FloatArray) -> FloatArray:
    """Values of a curve at frames, shape (N,).

    Curves of straight or stepped keys are looked up in one go; others are asked from Blender.
    """
    count = len(curve.keyframe_points)
    if count and not len(curve.modifiers) and curve.extrapolation == "CONSTANT":
        keys = read_keys(curve)
        if count == 1:
            return np.full(len(frames), keys[0, 1])
        kinds = np.empty(count, dtype=np.int32)
        curve.keyframe_points.foreach_get("interpolation", kinds)
        if (kinds[:-1] == _LINEAR).all():
            return np.interp(frames, keys[:, 0], keys[:, 1])
        if (kinds[:-1] == _CONSTANT).all():
            index = np.searchsorted(keys[:, 0], frames, side="right") - 1
            return keys[np.maximum(index, 0), 1]
    return np.array([curve.evaluate(frame) for frame in frames], dtype=np.float64)


def evaluate_curves(curves: Sequence[bpy.types.FCurve], frames: FloatArray) -> FloatArray:
    """Values of many curves at frames, shape (N, C).

    Curves of straight keys at the same frames, as importers make them, are looked up in one go.
    """
    places, kinds, ends = read_all_keys(curves)
    values = np.empty((len(frames), len(curves)))
    alike: dict[bytes, list[int]] = {}
    bent = np.append(0, np.cumsum(kinds != _LINEAR)).tolist()
    bounds, keyframes = ends.tolist(), places[:, 0].copy()
    for number, curve in enumerate(curves):
        first, last = bounds[number], bounds[number + 1]
        is_plain = last > first and bent[max(first, last - 1)] == bent[first]
        if is_plain and not len(curve.modifiers) and curve.extrapolation == "CONSTANT":
            alike.setdefault(keyframes[first:last].tobytes(), []).append(number)
        else:
            values[:, number] = evaluate_curve(curve, frames)
    for numbers in alike.values():
        starts = ends[numbers]
        count = int(ends[numbers[0] + 1] - starts[0])
        keyed = places[starts[0] : starts[0] + count, 0].astype(np.float64)
        own = places[starts[:, None] + np.arange(count), 1].astype(np.float64).T
        if count == 1:
            values[:, numbers] = own
            continue
        before = np.clip(np.searchsorted(keyed, frames, side="right") - 1, 0, count - 2)
        spans = np.maximum(keyed[before + 1] - keyed[before], VALUE.same_frame)
        shares = np.clip((frames - keyed[before]) / spans, 0.0, 1.0)[:, None]
        values[:, numbers] = own[before] + shares * (own[before + 1] - own[before])
    return values


def evaluate_channel(
    curves: Mapping[int, bpy.types.FCurve], defaults: Sequence[float], frames: FloatArray
) -> FloatArray:
    """Values of all components of one property.

    Parameters
    ----------
    curves
        Curves by array index; may be incomplete.
    defaults
        Values of the components without a curve, length C.
    frames
        Shape (N,).

    Returns
    -------
    array, shape (N, C)
    """
    values = np.tile(np.asarray(defaults, dtype=np.float64), (len(frames), 1))
    for index, curve in curves.items():
        if index < values.shape[1]:
            values[:, index] = evaluate_curve(curve, frames)
    return values


def fingerprint_curves(curves: Iterable[bpy.types.FCurve]) -> str:
    """A text that changes when anything does that decides what the curves play.

    That is every key, the handles and numbers of those that bend, modifiers, and what is muted.
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in _describe_curves(list(curves)):
        digest.update(part)
    return digest.hexdigest()


def _describe_curves(curves: Sequence[bpy.types.FCurve]) -> Iterator[bytes]:
    """All that decides what curves play, in the order of what they key."""
    labels = []
    for curve in curves:
        group = curve.group
        is_mute = curve.mute or (group is not None and group.mute)
        modifiers = read_modifiers(curve) if len(curve.modifiers) else ()
        path, count = curve.data_path, len(curve.keyframe_points)
        labels.append((path, curve.array_index, count, is_mute, curve.extrapolation, modifiers))
    # Two curves may key the same where a file is broken; then they stay in the order of the file.
    order = sorted(range(len(labels)), key=lambda number: labels[number][:2])
    yield repr([labels[number] for number in order]).encode()
    filled = [curves[number] for number in order if labels[number][2]]
    places, kinds, ends = read_all_keys(filled)
    yield kinds.tobytes()
    yield places.tobytes()
    most = np.maximum.reduceat(kinds, ends[:-1]).tolist() if filled else []
    for curve, kind in zip(filled, most, strict=True):
        points = curve.keyframe_points
        if kind > _LINEAR:
            handles = np.empty((2, 2 * len(points)), dtype=np.float32)
            points.foreach_get("handle_left", handles[0])
            points.foreach_get("handle_right", handles[1])
            yield handles.tobytes()
        if kind > _BEZIER:
            yield repr([(k.easing, k.amplitude, k.back, k.period) for k in points]).encode()


def find_mode(armature: bpy.types.Object, bone: str, name: str) -> str:
    """Rotation mode in which a rotation property of a bone, or of the object itself, plays."""
    mode = _ROTATION_MODES[name]
    owner = armature if not bone else armature.pose.bones.get(bone)
    if name != "rotation_euler" or owner is None:
        return mode
    return mode if owner.rotation_mode in ("QUATERNION", "AXIS_ANGLE") else owner.rotation_mode


def find_keyed_mode(channels: CurvesByChannel, bone: str, mode: str) -> str:
    """Rotation mode in which an action's keys of a bone play.

    The bone's own mode where they are of it, or where none are. A bone whose mode was changed since is
    read in the one that the action was made for.
    """
    keyed = {name: _ROTATION_MODES[name] for name in _ROTATION_MODES if (bone, name) in channels}
    own = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    if not keyed or own.get(mode, "rotation_euler") in keyed:
        return mode
    return next(iter(keyed.values()))
