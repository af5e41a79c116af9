# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground and travel of a character as Blender properties."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.motions.limits import CHOICE
from ...requests.settings.bakes import OUTPUT
from ...requests.settings.travels import TRAVEL
from .declaring import declare

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


class LOCOMOTION_PG_point(bpy.types.PropertyGroup):
    """One point of a path."""

    location: FloatVectorProperty(
        name="Location",
        description="Place of the point in the world",
        size=2,
        subtype="XYZ",
        unit="LENGTH",
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
    rendered_only: BoolProperty(
        name="Rendered Only",
        description="Leave out objects that are hidden in renders",
        override=_OVERRIDE,
    )


def _begin_at_native_speed(travel: LOCOMOTION_PG_travel, _: bpy.types.Context) -> None:
    """Let a speed that nobody has set yet begin at that of the slowest forward motion."""
    if travel.use_native_speed or travel.is_property_set("speed"):
        return
    ahead = [
        motion.speed
        for motion in travel.id_data.locomotion.motions
        if motion.enabled and motion.speed > 0.0 and abs(motion.direction) < CHOICE.forward
    ]
    if ahead:
        travel.speed = min(ahead)


class LOCOMOTION_PG_travel(bpy.types.PropertyGroup):
    """Where a character goes."""

    source: EnumProperty(
        name="Travel",
        description="What tells where the character goes",
        items=(
            ("STRAIGHT", "Straight Ahead", "From where it stands in the direction it faces"),
            ("OBJECT", "Object Animation", "The animation of the armature object"),
            ("BONE", "Root Bone", "The animation of a bone"),
            ("CURVE", "Curve", "A curve object"),
            ("POINTS", "Points", "A list of points"),
            ("FOOTSTEPS", "Footsteps", "The footsteps of the character"),
        ),
        default="STRAIGHT",
        override=_OVERRIDE,
    )
    output_to: declare(OUTPUT, override=_OVERRIDE)
    curve: PointerProperty(
        type=bpy.types.Object,
        name="Curve",
        description="Curve to walk along",
        poll=lambda _, item: item.type == "CURVE",
        override=_OVERRIDE,
    )
    bone: StringProperty(
        name="Bone", description="Bone whose animation tells the travel", override=_OVERRIDE
    )
    points: CollectionProperty(
        type=LOCOMOTION_PG_point,
        name="Points",
        description="Points of the path",
        override=_OVERRIDE_ITEMS,
    )
    active_point: IntProperty(
        name="Active Point", description="Entry chosen in the list", min=0, override=_OVERRIDE
    )
    use_native_speed: BoolProperty(
        name="Native Speed",
        description="Walk at the speed of the slowest forward motion",
        default=True,
        override=_OVERRIDE,
        update=_begin_at_native_speed,
    )
    speed: declare(TRAVEL["speed"], default=1.4, override=_OVERRIDE)
    rounds: declare(TRAVEL["rounds"], step=50, override=_OVERRIDE)
    heading: declare(TRAVEL["heading"], override=_OVERRIDE)
    start: declare(TRAVEL["start"], override=_OVERRIDE)
    stop: declare(TRAVEL["stop"], override=_OVERRIDE)
    ease: declare(TRAVEL["ease"], override=_OVERRIDE)
