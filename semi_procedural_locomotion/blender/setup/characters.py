# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects make up a character, and which characters a scene has."""

from __future__ import annotations

import bpy

from ..limits import SET_UP


def find_set_up_characters(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Armature objects of a scene whose legs have been set up, in the order of their names."""
    found = [
        item for item in scene.objects if item.type == "ARMATURE" and len(item.locomotion.legs)
    ]
    return sorted(found, key=lambda item: item.name)


def find_figures(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Armature objects of a scene that deform a mesh by many bones, set up or not, by name."""
    deforming = {
        modifier.object
        for item in scene.objects
        for modifier in item.modifiers
        if modifier.type == "ARMATURE" and modifier.object is not None
    }
    found = [item for item in deforming if len(item.data.bones) >= SET_UP.figure_bones]
    return sorted(found, key=lambda item: item.name)


def find_custom_shapes(scene: bpy.types.Scene) -> set[bpy.types.Object]:
    """Objects by which bones of a scene's armatures are drawn, those of instanced ones too."""
    shown = {item.instance_collection for item in scene.objects} - {None}
    items = {*scene.objects, *(item for inner in shown for item in inner.all_objects)}
    found = {
        bone.custom_shape for item in items if item.type == "ARMATURE" for bone in item.pose.bones
    }
    return found - {None}


def collect_character(armature: bpy.types.Object) -> set[bpy.types.Object]:
    """An armature, the meshes it deforms, all their descendants and its footsteps.

    Parameters
    ----------
    armature
        An armature object, set up or not.

    Returns
    -------
    set of objects
        None of which is ever ground.
    """
    found = {armature}
    found.update(item for item in bpy.data.objects if _is_deformed(item, armature))
    waiting = list(found)
    while waiting:
        children = set(waiting.pop().children) - found
        found |= children
        waiting.extend(children)
    footsteps = armature.locomotion.footsteps
    if footsteps is not None:
        found.update(footsteps.all_objects)
    return found


def _is_deformed(item: bpy.types.Object, armature: bpy.types.Object) -> bool:
    """Whether an armature modifier ties an object to the armature."""
    return any(m.type == "ARMATURE" and m.object == armature for m in item.modifiers)
