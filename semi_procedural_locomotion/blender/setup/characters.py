# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects make up a character, and which characters a scene has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import bpy

from ..limits import SET_UP
from ..values.constraints import CARRYING, list_targets

# Constraints by which an object goes wherever another one goes.
_HANGING = CARRYING | {"COPY_LOCATION"}


def find_set_up_characters(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Armature objects of a scene whose legs have been set up, in the order of their names."""
    found = [
        item for item in scene.objects if item.type == "ARMATURE" and len(item.locomotion.legs)
    ]
    return sorted(found, key=lambda item: item.name)


def find_figures(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Armature objects of a scene that deform a mesh by many bones with limbs, set up or not, by name."""
    deforming = {
        modifier.object
        for item in scene.objects
        for modifier in item.modifiers
        if modifier.type == "ARMATURE" and modifier.object is not None
    }
    found = [
        item
        for item in deforming
        if len(item.data.bones) >= SET_UP.figure_bones and _has_limbs(item.data.bones)
    ]
    return sorted(found, key=lambda item: item.name)


def _has_limbs(bones: bpy.types.ArmatureBones) -> bool:
    """Whether two chains of several bones hang from one bone, as no row of planks or links does."""
    jointed = Counter(bone.parent.name for bone in bones if len(bone.children) and bone.parent)
    return max(jointed.values(), default=0) > 1


def find_custom_shapes(scene: bpy.types.Scene) -> set[bpy.types.Object]:
    """Objects by which bones of a scene's armatures are drawn, those of instanced ones too."""
    shown = {item.instance_collection for item in scene.objects} - {None}
    items = {*scene.objects, *(item for inner in shown for item in inner.all_objects)}
    found = {
        bone.custom_shape for item in items if item.type == "ARMATURE" for bone in item.pose.bones
    }
    return found - {None}


def collect_character(armature: bpy.types.Object) -> set[bpy.types.Object]:
    """An armature, the meshes it deforms, all that hangs on any of these, and its footsteps.

    A child hangs on its parent, and an object with a constraint that takes it along on the target. What
    takes only some axes of a place, as a floor that follows below a character, does not hang on it.

    Parameters
    ----------
    armature
        An armature object, set up or not.

    Returns
    -------
    set of objects
        None of which is ever ground.
    """
    return collect_characters([armature])


def collect_characters(armatures: Iterable[bpy.types.Object]) -> set[bpy.types.Object]:
    """What `collect_character` gives of each of some armatures, in one look at all objects."""
    found = set(armatures)
    if not found:
        return found
    footsteps = [item.locomotion.footsteps for item in found]
    hanging: dict[bpy.types.Object, list[bpy.types.Object]] = {}
    for item in bpy.data.objects:
        for host in _list_hosts(item):
            hanging.setdefault(host, []).append(item)
    waiting = list(found)
    while waiting:
        taken = set(hanging.get(waiting.pop(), ())) - found
        found |= taken
        waiting.extend(taken)
    return found.union(*(steps.all_objects for steps in footsteps if steps is not None))


def _list_hosts(item: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """What moves an object wherever it goes itself: parents, armatures, targets of constraints."""
    if item.parent is not None:
        yield item.parent
    for modifier in item.modifiers:
        if modifier.type == "ARMATURE" and modifier.object is not None:
            yield modifier.object
    for constraint in item.constraints:
        if constraint.type in _HANGING and not constraint.mute and _takes_place(constraint):
            yield from list_targets(constraint)


def _takes_place(constraint: bpy.types.Constraint) -> bool:
    """Whether a constraint takes all axes of its target's place."""
    if constraint.type == "CHILD_OF":
        axes = ("use_location_x", "use_location_y", "use_location_z")
    elif constraint.type == "COPY_LOCATION":
        axes = ("use_x", "use_y", "use_z")
    else:
        return True
    return all(getattr(constraint, axis) for axis in axes)
