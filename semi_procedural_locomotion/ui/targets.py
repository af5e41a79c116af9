# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which characters an operator works on, and why it may not."""

from __future__ import annotations

from collections.abc import Callable

import bpy

from ..api import is_baked, is_set_up
from ..api.setups import find_left
from ..blender.setup.characters import find_set_up_characters
from ..blender.setup.footstep_properties import find_step_owner, list_orphaned_steps
from ..blender.values.libraries import tell_missing_libraries
from ..errors import RigError

_MODES = ("OBJECT", "POSE")


def find_armature(item: bpy.types.Object | None) -> bpy.types.Object | None:
    """An armature object itself, the one that deforms or carries an object, or takes a footstep."""
    if item is None or item.type == "ARMATURE":
        return item
    owner = find_step_owner(item) or item.find_armature()
    above = item.parent
    while owner is None and above is not None:
        owner = above if above.type == "ARMATURE" else above.find_armature()
        above = above.parent
    return owner


def find_active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The character that panels show: the active armature, or the active mesh's."""
    return find_armature(context.view_layer.objects.active)


def find_active_character(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active armature or the active mesh's, where it is set up."""
    active = find_active_armature(context)
    return active if active is not None and is_set_up(active) else None


def get_active_armature(context: bpy.types.Context) -> bpy.types.Object:
    """The character that panels show, where a poll has found one.

    Raises RigError: there is none.
    """
    armature = find_active_armature(context)
    if armature is None:
        raise RigError("no armature is active: select the armature of a character")
    return armature


def find_armatures(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The active armature and all selected ones; a selected mesh stands for its armature."""
    active = context.view_layer.objects.active
    chosen = [active] if active is not None and active.type == "ARMATURE" else []
    chosen += context.view_layer.objects.selected
    armatures = [find_armature(item) for item in chosen]
    return list(dict.fromkeys(item for item in armatures if item is not None))


def find_characters(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Set-up characters among the chosen armatures; in background and none chosen, the scene's."""
    armatures = find_armatures(context)
    if bpy.app.background and not armatures:
        return find_set_up_characters(context.scene)
    return [item for item in armatures if is_set_up(item)]


def find_baked(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Characters that play a baked walk, by the rule of `find_characters`."""
    return [item for item in find_characters(context) if is_baked(item)]


def find_removable(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Characters that have a bake, played or not, by the rule of `find_characters`."""
    found = find_characters(context)
    return [item for item in found if is_baked(item) or find_left(item) is not None]


def find_orphaned_steps(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Selected footsteps of deleted characters, and those beside them in their collections."""
    orphans = list_orphaned_steps(context.view_layer.objects.selected)
    homes = dict.fromkeys(home for step in orphans for home in step.users_collection)
    beside = [item for home in homes for item in home.objects]
    return list(dict.fromkeys([*orphans, *list_orphaned_steps(beside)]))


def describe_instance(context: bpy.types.Context) -> str | None:
    """What to do where a character is selected as the instance of a collection; None where none is."""
    active = context.view_layer.objects.active
    for item in [active, *context.view_layer.objects.selected]:
        shown = None if item is None else item.instance_collection
        if shown is not None and shown.is_missing:
            return f"{item.name} shows nothing: {tell_missing_libraries()}"
        if shown is None or item.instance_type != "COLLECTION":
            continue
        armatures = [inner.name for inner in shown.all_objects if inner.type == "ARMATURE"]
        if armatures and shown.library is not None:
            return (
                f"{item.name} shows a character of another file: make a library override of it first "
                "(Object > Library Override > Make)"
            )
        if armatures:
            return f"{item.name} shows the collection {shown.name}: select {armatures[0]} itself"
    return None


def poll_armatures(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an armature is chosen that may be written to."""
    return _poll(operator, context, find_armatures, "Select an armature")


def poll_characters(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether a set-up character is chosen."""
    return _poll(
        operator, context, find_characters, "Select an armature and set it up with Set Up first"
    )


def poll_baked(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether a character with a baked walk is chosen."""
    return _poll(operator, context, find_baked, "Select a character with a baked walk")


def poll_active_baked(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether the active object is a character with a baked walk."""
    return _poll(operator, context, _list_active_baked, "Make a character with a baked walk active")


def poll_removable(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether a character is chosen that has a bake, played or not."""
    return _poll(operator, context, find_removable, "Select a character with a baked walk")


def poll_orphaned_steps(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether a footstep of a deleted character is chosen."""
    return _poll(
        operator, context, find_orphaned_steps, "Select a footstep whose character was deleted"
    )


def poll_active(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether the active object is an armature that may be written to."""
    return _poll(operator, context, _list_active, "Make an armature active")


def poll_active_character(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether the active object is a set-up character."""
    return _poll(
        operator, context, _list_active_character, "Make an armature active and press Set Up first"
    )


def _list_active(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The active armature, where there is one."""
    active = find_active_armature(context)
    return [] if active is None else [active]


def _list_active_baked(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The active armature, where it plays a baked walk."""
    return [item for item in _list_active(context) if is_baked(item)]


def _list_active_character(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The active armature, where it is set up."""
    return [item for item in _list_active(context) if is_set_up(item)]


def _poll(
    operator: type[bpy.types.Operator],
    context: bpy.types.Context,
    find: Callable[[bpy.types.Context], list[bpy.types.Object]],
    otherwise: str,
) -> bool:
    """Whether the mode allows work, and something is found that can be written to."""
    if context.mode not in _MODES:
        operator.poll_message_set("Change to Object Mode or Pose Mode first")
        return False
    found = find(context)
    if not found:
        operator.poll_message_set(describe_instance(context) or otherwise)
        return False
    linked = [item.name for item in found if item.library is not None]
    if linked:
        operator.poll_message_set(
            f"{linked[0]} is linked from another file: make a library override of it first "
            "(Object > Library Override > Make)"
        )
        return False
    return True


NAVIGATION = (
    "MIDDLEMOUSE",
    "WHEEL",
    "TRACKPAD",
    "MOUSEROTATE",
    "MOUSESMARTZOOM",
    "NDOF",
    "NUMPAD",
)
"""How the events begin by which a view is moved while a tool runs."""
ENDS = {"RET", "NUMPAD_ENTER"}
"""Events of keys that end a tool and keep what it did."""


def redraw_views() -> None:
    """Draw the 3D views of all windows again."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
