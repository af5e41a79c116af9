# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the bones of a character may stand that its clips do not move (docs/method/rig.md, Held bones)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import bpy
import numpy as np

from ...core.keys.eulers import quaternions_from_channels
from ...core.rig.skeleton import HeldBone
from .. import versions
from ..limits import HELD
from ..values.bake_record import find_base_action, read_values_before
from ..values.curves import (
    CurvesByChannel,
    group_transform_curves,
    parse_bone_name,
    read_keys,
)
from ..values.evaluation import is_fixed, list_carriers
from ..values.held import read_held, read_present
from ..values.nla import list_strip_channels

# Channels of bones by (bone, "location", "rotation" or "scale").
_Channels = dict[tuple[str, str], tuple[float, ...]]
_REST = {"location": (0.0, 0.0, 0.0), "rotation": (1.0, 0.0, 0.0, 0.0), "scale": (1.0, 1.0, 1.0)}


def list_holdings(
    armature: bpy.types.Object, actions: Sequence[bpy.types.Action]
) -> list[tuple[HeldBone, ...]]:
    """Ways in which bones may stand, the likeliest first; the bind pose, an empty one, is among them.

    Parameters
    ----------
    armature
        The armature object; what a bake or Live shows on it does not count.
    actions
        All clips of the character.
    """
    channels = [_read_channels(armature, action) for action in actions]
    keyed = {key for clip in channels for key in _list_keyed(clip)}
    present = _read_present(armature, keyed)
    shared = _find_shared(armature, channels)
    kept = {
        (entry.name, name): value
        for entry in read_held(armature)
        for name, value in _list_away(entry)
    }
    # What was found before stays, though clips that were made since may key it.
    known = {
        key: value
        for key, value in shared.items()
        if key in kept and _is_same(key[1], value, kept[key])
    }
    usual = {**present, **known}
    ways = [usual, {}, {**usual, **shared}, shared]
    if not actions:
        ways = [{}, usual]  # nothing tells that a pose belongs to clips
    found: list[tuple[HeldBone, ...]] = []
    for way in map(_join, ways):
        if way not in found:
            found.append(way)
    return found


def _read_channels(armature: bpy.types.Object, action: bpy.types.Action) -> CurvesByChannel:
    """Curves of a clip that have keys."""
    slot = versions.find_slot(action, armature)
    curves = [] if slot is None else versions.get_curves(action, slot)
    return group_transform_curves(curve for curve in curves if len(curve.keyframe_points))


def _list_keyed(clip: CurvesByChannel) -> set[tuple[str, str]]:
    """Bones and channels that a clip keys; rotations in any mode are one channel."""
    return {(bone, _name_channel(name)) for bone, name in clip if bone}


def _name_channel(name: str) -> str:
    return "rotation" if name.startswith("rotation") else name


def _read_present(armature: bpy.types.Object, keyed: set[tuple[str, str]]) -> _Channels:
    """Channels that no clip keys as they stand now, where that is not at rest."""
    data = armature.animation_data
    moved = set(keyed)
    action, slot = find_base_action(armature)
    if action is not None:
        moved |= _list_keyed(group_transform_curves(versions.get_curves(action, slot)))
    moved |= {(bone, _name_channel(name)) for bone, name in list_strip_channels(data)}
    for driver in () if data is None else data.drivers:
        owner, _, name = driver.data_path.rpartition(".")
        moved.add((parse_bone_name(owner) or "", _name_channel(name)))
    before, size = read_values_before(armature), _measure_size(armature)
    found: _Channels = {}
    for bone in armature.pose.bones:
        # How bones of a rig's own workings stand is a part of the rig.
        if is_fixed(bone):
            continue
        for name, value in read_present(bone, before).items():
            if (bone.name, name) not in moved and not _is_at_rest(name, value, size):
                found[bone.name, name] = value
    return found


def _find_shared(armature: bpy.types.Object, clips: Sequence[CurvesByChannel]) -> _Channels:
    """Channels that some clips do not key, as all others hold them, where these agree, not at rest.

    Of bones that carry the body it is enough that the others begin so: they may move it later.
    """
    carriers = {bone.name for bone in list_carriers(armature)}
    counts = Counter(
        (bone, _name_channel(name))
        for clip in clips
        for bone, name in clip
        if bone in armature.pose.bones
    )
    starts: dict[tuple[str, str], list[tuple[float, ...]]] = {}
    read: dict[tuple[str, str], list[bpy.types.FCurve]] = {}
    for clip in clips:
        for (bone, name), curves in clip.items():
            key = (bone, _name_channel(name))
            # What all clips key is not read: that would take as long as all the rest of Set Up.
            if not 0 < counts[key] < len(clips):
                continue
            value = _read_start(armature.pose.bones[bone], name, curves)
            starts.setdefault(key, []).append(value)
            read.setdefault(key, []).extend(curves.values())
    size = _measure_size(armature)
    found: _Channels = {}
    for key, values in starts.items():
        if _is_at_rest(key[1], values[0], size):
            continue
        if not all(_is_same(key[1], value, values[0]) for value in values):
            continue
        if key[0] in carriers or all(map(_is_constant, read[key])):
            found[key] = values[0]
    return found


def _is_constant(curve: bpy.types.FCurve) -> bool:
    """Whether all keys of a curve have one value."""
    values = read_keys(curve)[:, 1]
    return float(np.ptp(values)) <= HELD.moved * max(1.0, float(np.abs(values).max()))


def _read_start(
    bone: bpy.types.PoseBone, name: str, curves: dict[int, bpy.types.FCurve]
) -> tuple[float, ...]:
    """A channel of a bone at the first key of its curves."""
    own = {
        "scale": [1.0] * 3,
        "rotation_quaternion": [1.0, 0.0, 0.0, 0.0],
        "rotation_axis_angle": [0.0, 0.0, 1.0, 0.0],
    }.get(name, [0.0] * 3)
    for index, curve in curves.items():
        frame, value = curve.keyframe_points[0].co
        if index < len(own):
            # Without modifiers a curve has at its key what that says.
            own[index] = curve.evaluate(frame) if len(curve.modifiers) else value
    if not name.startswith("rotation"):
        return tuple(own)
    modes = {"rotation_quaternion": "QUATERNION", "rotation_axis_angle": "AXIS_ANGLE"}
    is_euler = bone.rotation_mode not in modes.values()
    mode = modes.get(name, bone.rotation_mode if is_euler else "XYZ")
    turn = quaternions_from_channels(np.array([own]), mode)[0]
    return tuple((turn if turn[0] >= 0 else -turn).tolist())


def _measure_size(armature: bpy.types.Object) -> float:
    """Largest extent of an armature's joints, its own units."""
    heads = np.array([bone.head_local for bone in armature.data.bones])
    return max(float(np.ptp(heads, axis=0).max()), HELD.no_size)


def _is_at_rest(name: str, value: tuple[float, ...], size: float) -> bool:
    """Whether a channel is as near to rest as importers leave bones that they do not pose.

    Places are held against the size of the armature.
    """
    return _is_same(name, value, _REST[name], size if name == "location" else 1.0)


def _is_same(
    name: str, one: tuple[float, ...], other: tuple[float, ...], size: float = 1.0
) -> bool:
    """Whether two values of a channel are alike; places against the size of the armature."""
    a, b = np.array(one), np.array(other)
    if name == "rotation":
        return float(1.0 - abs(a @ b)) <= HELD.turned
    scale = max(size, float(np.abs(b).max()), HELD.no_size)
    return float(np.abs(a - b).max()) <= HELD.moved * scale


def _list_away(entry: HeldBone) -> list[tuple[str, tuple[float, ...]]]:
    """Channels of a held bone that are not at rest."""
    values = {"location": entry.location, "rotation": entry.rotation, "scale": entry.scale}
    return [(name, value) for name, value in values.items() if value != _REST[name]]


def _join(channels: _Channels) -> tuple[HeldBone, ...]:
    """Channels as held bones, in the order of their names."""
    names = sorted({bone for bone, _ in channels})
    return tuple(
        HeldBone(bone, *(channels.get((bone, name), rest) for name, rest in _REST.items()))
        for bone in names
    )
