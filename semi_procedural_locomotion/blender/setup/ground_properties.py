# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character walks on, and what it does not, as Blender properties."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    IntProperty,
    PointerProperty,
)

from ...requests.plans import GroundChoice
from ...requests.settings.travels import GROUND
from .declaring import declare
from .values import clear_entries

_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_OVERRIDE_ITEMS = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


class LOCOMOTION_PG_ground_item(bpy.types.PropertyGroup):
    """One object to walk on."""

    object: PointerProperty(
        type=bpy.types.Object,
        name="Object",
        description="Object to walk on",
        override=_OVERRIDE,
    )


class LOCOMOTION_PG_left_out(bpy.types.PropertyGroup):
    """One object or collection that is no ground."""

    is_collection: BoolProperty(
        name="Collection",
        description="Leave out a collection instead of one object",
        override=_OVERRIDE,
    )
    object: PointerProperty(
        type=bpy.types.Object,
        name="Object",
        description="Object that is no ground, with what it instances",
        override=_OVERRIDE,
    )
    collection: PointerProperty(
        type=bpy.types.Collection,
        name="Collection",
        description="Collection whose objects are no ground, wherever they are shown",
        override=_OVERRIDE,
    )


class LOCOMOTION_PG_ground(bpy.types.PropertyGroup):
    """What a character walks on."""

    source: EnumProperty(
        name="Ground",
        description="What the character walks on",
        items=(
            (
                "ALL",
                "All Meshes",
                "All visible meshes except characters and what is displayed as Bounds or Wire",
            ),
            ("COLLECTION", "Collection", "The meshes of one collection"),
            ("OBJECTS", "Objects", "Chosen objects"),
            ("PLANE", "Plane", "A level plane at the character's height"),
        ),
        default="ALL",
        override=_OVERRIDE,
    )
    collection: PointerProperty(
        type=bpy.types.Collection,
        name="Collection",
        description="Collection of the objects to walk on",
        override=_OVERRIDE,
    )
    objects: CollectionProperty(
        type=LOCOMOTION_PG_ground_item,
        name="Objects",
        description="Objects to walk on",
        override=_OVERRIDE_ITEMS,
    )
    active_object: IntProperty(
        name="Active Object", description="Entry chosen in the list", min=0, override=_OVERRIDE
    )
    left_out: CollectionProperty(
        type=LOCOMOTION_PG_left_out,
        name="Left Out",
        description="Objects and collections that are no ground, such as water, glass and foliage",
        override=_OVERRIDE_ITEMS,
    )
    active_left_out: IntProperty(
        name="Active Left Out", description="Entry chosen in the list", min=0, override=_OVERRIDE
    )


LOCOMOTION_PG_ground.__annotations__ |= {
    name: declare(setting, override=_OVERRIDE) for name, setting in GROUND.items()
}


def read_ground_choice(ground: LOCOMOTION_PG_ground) -> GroundChoice:
    """What of the things that lie around is no ground, as set on a character."""
    values = {name: getattr(ground, name) for name in GROUND}
    return GroundChoice(left_out=tuple(list_left_out(ground)), **values)


def list_left_out(
    ground: LOCOMOTION_PG_ground,
) -> list[bpy.types.Object | bpy.types.Collection]:
    """Objects and collections that are left out, those that are chosen and still there."""
    found = [entry.collection if entry.is_collection else entry.object for entry in ground.left_out]
    return [item for item in found if item is not None]


def write_ground_choice(ground: LOCOMOTION_PG_ground, choice: GroundChoice) -> None:
    """Keep what is left out on a character."""
    clear_entries(ground, "left_out")
    for item in choice.left_out:
        add_left_out(ground, item)
    for name in GROUND:
        setattr(ground, name, getattr(choice, name))


def add_left_out(
    ground: LOCOMOTION_PG_ground, item: bpy.types.Object | bpy.types.Collection
) -> None:
    """Put an object or a collection on the list of what is left out."""
    entry = ground.left_out.add()
    entry.is_collection = isinstance(item, bpy.types.Collection)
    setattr(entry, "collection" if entry.is_collection else "object", item)
