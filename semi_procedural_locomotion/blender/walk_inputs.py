# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fingerprint of what the walk of a character is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import bpy
import numpy as np

from . import versions
from .bake_record import find_base_action
from .curves import fingerprint_curves

# Results, choices of what panels show, and how the walk is shown: none changes the walk.
_IGNORED = {"rna_type", "report", "is_live", "auto_bake"}
_SHOWN = ("found_kind", "warnings", "quality", "speed", "direction", "turn_rate", "period")


def fingerprint_inputs(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """A text that changes when something does that the walk depends on, besides the ground.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Where it walks. Which objects it shows counts, their shapes and places do not.
    """
    data = armature.locomotion
    digest = hashlib.blake2b(digest_size=16)
    for line in _list_values(data, ""):
        digest.update(line.encode())
    for entry in data.motions:
        if entry.action is not None and entry.enabled:
            slot = versions.find_slot(entry.action, armature)
            if slot is not None:
                digest.update(fingerprint_curves(versions.get_curves(entry.action, slot)).encode())
    action, slot = find_base_action(armature)
    if action is not None:
        digest.update(fingerprint_curves(versions.get_curves(action, slot)).encode())
    steps = [] if data.footsteps is None else data.footsteps.all_objects
    for step in steps:
        digest.update(repr((step.session_uid, step.matrix_basis, step.parent)).encode())
    bones = armature.data.bones
    rests = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get("matrix_local", rests)
    digest.update(rests.tobytes())
    names = [(bone.name, bone.rotation_mode) for bone in armature.pose.bones]
    visible = sorted(o.session_uid for o in scene.objects if not o.hide_viewport)
    render = scene.render
    clock = (render.fps, render.fps_base, scene.frame_start, scene.frame_end)
    digest.update(repr((names, visible, clock)).encode())
    return digest.hexdigest()


def _list_values(owner: bpy.types.PropertyGroup, path: str) -> Iterator[str]:
    """Path and value of every property that counts, those inside of groups and lists too."""
    for prop in owner.bl_rna.properties:
        name = prop.identifier
        if name in _IGNORED or name.startswith("active_") or (path and name == "rna_type"):
            continue
        if path.startswith(".motions") and name in _SHOWN:
            continue
        value = getattr(owner, name)
        where = f"{path}.{name}"
        if prop.type == "COLLECTION":
            for number, item in enumerate(value):
                yield from _list_values(item, f"{where}[{number}]")
        elif prop.type == "POINTER":
            if isinstance(value, bpy.types.ID):
                yield f"{where}={value.session_uid};"
            elif value is not None:
                yield from _list_values(value, where)
        elif getattr(prop, "is_array", False):
            yield f"{where}={tuple(value)};"
        else:
            yield f"{where}={value!r};"
