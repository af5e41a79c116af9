# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fingerprint of all that a clip is sampled from."""

from __future__ import annotations

import hashlib

import bpy

from .. import versions
from ..travel.carriers import stands_on_something
from ..values.curves import BONES, fingerprint_curves
from ..values.evaluation import needs_evaluation
from ..values.matrices import read_parent_matrix
from ..values.scene_state import read_key_rate
from ..values.workings import describe_workings


def fingerprint_keys(armature: bpy.types.Object, action: bpy.types.Action) -> str:
    """What `fingerprint_curves` tells of the curves by which an action moves an armature."""
    slot = versions.find_slot(action, armature)
    return fingerprint_curves(() if slot is None else versions.get_curves(action, slot))


def fingerprint_clip(
    armature: bpy.types.Object, action: bpy.types.Action, keys: str | None = None
) -> str | None:
    """A text that changes when anything does that `sample_action` reads.

    Parameters
    ----------
    armature, action
        As there; what the skeleton tells is not in it.
    keys
        What `fingerprint_keys` gives, where that is known.

    Returns
    -------
    str or None
        None where that cannot be told, as for a rig that follows other objects.
    """
    slot = versions.find_slot(action, armature)
    if slot is None or action.is_missing:
        return None
    digest = hashlib.blake2b(digest_size=16)
    rate = read_key_rate(action)
    used = (action.use_frame_range, action.frame_start, action.frame_end)
    digest.update(repr((armature.name, action.name, rate, used, slot)).encode())
    digest.update((keys or fingerprint_keys(armature, action)).encode())
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
    paths = (curve.data_path for curve in versions.get_curves(action, slot))
    if not all(path.startswith(BONES) for path in paths):
        digest.update(_describe_place(armature).encode())
    if needs_evaluation(armature):
        workings = describe_workings(armature)
        if workings is None:
            return None
        for line in workings:
            digest.update(line.encode())
    return digest.hexdigest()


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
