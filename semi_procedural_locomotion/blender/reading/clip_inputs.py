# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fingerprint of all that a clip is sampled from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import bpy
import numpy as np

from .. import versions
from ..travel.carriers import stands_on_something
from ..values.curve_modifiers import read_modifiers
from ..values.curves import parse_bone_name, read_all_keys
from ..values.evaluation import needs_evaluation
from ..values.matrices import read_parent_matrix
from ..values.scene_state import read_key_rate
from ..values.workings import describe_workings

# Interpolations that have no numbers besides handles, as Blender counts them.
_PLAIN = (0, 1, 2)


def fingerprint_clip(armature: bpy.types.Object, action: bpy.types.Action) -> str | None:
    """A text that changes when anything does that `sample_action` reads.

    Parameters
    ----------
    armature, action
        As there; what the skeleton tells is not in it.

    Returns
    -------
    str or None
        None where that cannot be told, as for a rig that follows other objects.
    """
    slot = versions.find_slot(action, armature)
    if slot is None or action.is_missing:
        return None
    curves = versions.get_curves(action, slot)
    digest = hashlib.blake2b(digest_size=16)
    rate = read_key_rate(action)
    used = (action.use_frame_range, action.frame_start, action.frame_end)
    digest.update(repr((armature.name, action.name, rate, used, slot)).encode())
    for part in _describe_curves(curves):
        digest.update(part)
    bones = [(b.name, b.rotation_mode) for b in armature.pose.bones]
    inherits = [
        (b.use_inherit_rotation, b.inherit_scale, b.use_local_location) for b in armature.data.bones
    ]
    digest.update(repr((bones, inherits)).encode())
    for owner in (armature, *armature.pose.bones):
        # Whether a curve keys a property that there is, and what kind it is of. No curve keys groups,
        # and old files have one as soon as it is read.
        names = [(key, type(owner[key]).__name__) for key in owner.keys()]  # noqa: SIM118
        keyable = [name for name in names if name[1] != "IDPropertyGroup"]
        digest.update(repr(keyable).encode())
    if _moves_object(curves):
        digest.update(_describe_place(armature).encode())
    if needs_evaluation(armature):
        workings = describe_workings(armature)
        if workings is None:
            return None
        for line in workings:
            digest.update(line.encode())
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
        if kind > _PLAIN[1]:
            handles = np.empty((2, 2 * len(points)), dtype=np.float32)
            points.foreach_get("handle_left", handles[0])
            points.foreach_get("handle_right", handles[1])
            yield handles.tobytes()
        if kind > _PLAIN[-1]:
            yield repr([(k.easing, k.amplitude, k.back, k.period) for k in points]).encode()


def _moves_object(curves: Sequence[bpy.types.FCurve]) -> bool:
    """Whether any curve is of the object itself."""
    owners = {curve.data_path.rpartition(".")[0] for curve in curves}
    return any(not owner or parse_bone_name(owner) is None for owner in owners)


def _describe_place(armature: bpy.types.Object) -> str:
    """Describe where the object stands, and on what."""
    own = (
        *(armature.location, armature.scale, armature.rotation_euler),
        *(armature.rotation_quaternion, armature.rotation_axis_angle, armature.delta_location),
        *(armature.delta_rotation_euler, armature.delta_rotation_quaternion, armature.delta_scale),
    )
    places = [tuple(values) for values in own]
    above = read_parent_matrix(armature).tolist()
    return repr((armature.rotation_mode, places, above, stands_on_something(armature)))
