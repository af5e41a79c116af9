# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept on footstep objects as ``Object.locomotion_footstep``."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)


def _show_left_out(data: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:  # noqa: ARG001
    """Draw steps that are left out as wires."""
    data.id_data.display_type = "WIRE" if data.is_left_out else "TEXTURED"


class LOCOMOTION_PG_footstep(bpy.types.PropertyGroup):
    """One footstep of a character; objects that are none have no character here."""

    character: PointerProperty(
        type=bpy.types.Object, name="Character", description="Armature that takes the step"
    )
    leg: StringProperty(name="Leg", description="Name of the leg that takes the step")
    number: IntProperty(name="Number", description="Place in the order of the steps", min=1)
    identifier: StringProperty(
        name="Planned Step", description="Step of the plan that it stands for, empty for your own"
    )
    is_planned: BoolProperty(
        name="Planned", description="Whether it follows the plan as long as it is not moved"
    )
    planned_basis: FloatVectorProperty(
        name="Planned Place",
        description="The object's own transform as it was planned",
        size=16,
    )
    has_time: BoolProperty(name="Has Time", description="Whether it is known when the foot stands")
    time: FloatProperty(
        name="Time",
        description="When the foot stands on it, from frame 0",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    is_left_out: BoolProperty(
        name="Leave Out",
        description="Let the foot stay where it stands instead of taking this step",
        update=_show_left_out,
    )
    is_lost: BoolProperty(
        name="Not Used", description="Whether no step of the last plan was near enough to use it"
    )


def is_footstep(item: bpy.types.Object) -> bool:
    """Whether an object is a footstep of any character, even of one that is gone."""
    return bool(item.locomotion_footstep.leg)


def find_step_owner(item: bpy.types.Object) -> bpy.types.Object | None:
    """The character of a footstep, None for any other object."""
    return item.locomotion_footstep.character if is_footstep(item) else None


def register() -> None:
    """Add the properties to Blender's objects."""
    bpy.utils.register_class(LOCOMOTION_PG_footstep)
    bpy.types.Object.locomotion_footstep = PointerProperty(type=LOCOMOTION_PG_footstep)


def unregister() -> None:
    """Take them away; what files hold stays in the files."""
    del bpy.types.Object.locomotion_footstep
    bpy.utils.unregister_class(LOCOMOTION_PG_footstep)
