# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Data of other .blend files: what of it is missing, and characters that only stand for theirs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import bpy


def tell_missing_libraries() -> str:
    """Which linked files are missing, where they were looked for, and the cure; empty for none."""
    missing = [library for library in bpy.data.libraries if library.is_missing]
    if not missing:
        return ""
    names = ", ".join(repr(library.name) for library in missing)
    places = ", ".join(_find_place(library) for library in missing)
    what = "the linked file {} is" if len(missing) == 1 else "the linked files {} are"
    return (
        f"{what.format(names)} missing (looked for at {places}): put it there, or use "
        "File > External Data > Find Missing Files in Blender and save"
    )


def list_linked_files() -> list[Path]:
    """Files that the open one takes data from and that are there: linked files and caches of motion.

    Images, sounds and fonts are left out, since they move nothing.
    """
    media = (*bpy.data.images, *bpy.data.movieclips, *bpy.data.sounds, *bpy.data.fonts)
    still = {Path(bpy.path.abspath(block.filepath)).resolve() for block in media if block.filepath}
    named = bpy.utils.blend_paths(absolute=True, packed=False, local=False)
    found = dict.fromkeys(Path(name).resolve() for name in named)
    return [path for path in found if path not in still and path.is_file()]


def is_placeholder(armature: bpy.types.Object) -> bool:
    """Whether an armature object stands for one of a linked file that is missing."""
    blocks = [armature, armature.data]
    overrides = [getattr(block, "override_library", None) for block in blocks if block is not None]
    blocks += [override.reference for override in overrides if override is not None]
    return any(block is not None and block.is_missing for block in blocks)


def keep_editable(armatures: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """Armature objects without the linked ones of which an override is among them."""
    found = list(armatures)
    originals = {
        item.override_library.reference for item in found if item.override_library is not None
    }
    return [item for item in found if item not in originals]


def list_instanced_armatures(
    scene: bpy.types.Scene,
) -> list[tuple[bpy.types.Object, bpy.types.Object]]:
    """Armature objects that a scene shows by instances of collections, each with its instance."""
    return [
        (item, armature)
        for item in scene.objects
        if item.instance_type == "COLLECTION" and item.instance_collection is not None
        for armature in item.instance_collection.all_objects
        if armature.type == "ARMATURE"
    ]


def override_armature(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object:
    """An override of a linked armature object with all that belongs to it; itself where it is local."""
    if armature.library is None:
        return armature
    # What is overridden takes the place of what is linked: shown twice, one would be ground to the other.
    layer = scene.view_layers[0]
    instance = next((i for i, a in list_instanced_armatures(scene) if a == armature), None)
    if instance is not None:
        whole = instance.instance_collection
        whole.override_hierarchy_create(scene, layer, reference=instance, do_fully_editable=True)
        instance.instance_type = "NONE"
    else:
        holder = next(
            (c for c in scene.collection.children_recursive if armature.name in c.objects), None
        )
        whole = armature if holder is None or holder.library is None else holder
        whole.override_hierarchy_create(scene, layer, do_fully_editable=True)
        for parent in [scene.collection, *scene.collection.children_recursive]:
            if parent.library is None and parent.children.get(whole.name) == whole:
                parent.children.unlink(whole)
    made = (
        item
        for item in scene.objects
        if item.override_library is not None and item.override_library.reference == armature
    )
    return next(made, armature)


def _find_place(library: bpy.types.Library) -> str:
    """Absolute path of a library."""
    return str(bpy.path.abspath(library.filepath, library=library.parent))
