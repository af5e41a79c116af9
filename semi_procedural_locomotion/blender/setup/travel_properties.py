# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground and travel of a character as Blender properties."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.travel.way import MOST_ROUNDS

# A motion that goes within this angle of forward goes ahead, radians.
_FORWARD = 0.61
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
        if motion.enabled and motion.speed > 0.0 and abs(motion.direction) < _FORWARD
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
    output_to: EnumProperty(
        name="Write To",
        description="What carries the character along in the bake",
        items=(
            ("OBJECT", "Object", "The armature object"),
            ("BONE", "Root Bone", "The root bone; the object stays where it is"),
            ("NONE", "Body", "The bones without a parent; the object moves as animated"),
        ),
        default="OBJECT",
        override=_OVERRIDE,
    )
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
    speed: FloatProperty(
        name="Speed",
        description="Speed along the way; key it to change it over time, down to 0 to stand for a while",
        min=0.0,
        soft_min=0.01,
        soft_max=10.0,
        default=1.4,
        unit="VELOCITY",
        override=_OVERRIDE,
    )
    rounds: FloatProperty(
        name="Rounds",
        description=(
            "How many times a way that ends where it begins is walked; 0 goes on until the scene ends"
        ),
        min=0.0,
        max=MOST_ROUNDS,
        soft_max=10.0,
        default=1.0,
        step=50,
        override=_OVERRIDE,
    )
    heading: EnumProperty(
        name="Heading",
        description="Where the character faces",
        items=(
            ("ALONG", "Along the Way", "Turn along the way"),
            ("KEPT", "Kept", "Keep facing as it stands, with steps to the side and backwards"),
        ),
        default="ALONG",
        override=_OVERRIDE,
    )
    start: EnumProperty(
        name="Start",
        description="How the walk begins",
        items=(
            ("STAND", "Standing", "Begin at rest and speed up"),
            ("MOVING", "Moving", "Begin at full speed"),
        ),
        default="STAND",
        override=_OVERRIDE,
    )
    stop: EnumProperty(
        name="Stop",
        description="How the walk ends",
        items=(
            ("STAND", "Standing", "Slow down and end at rest"),
            ("MOVING", "Moving", "End at full speed"),
        ),
        default="STAND",
        override=_OVERRIDE,
    )
    ease: FloatProperty(
        name="Ease",
        description=(
            "How long it takes to speed up from standing and to slow down; 0 for a little more than "
            "a cycle of the walk"
        ),
        min=0.0,
        soft_max=10.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
        override=_OVERRIDE,
    )
