# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept on footstep objects as ``Object.locomotion_footstep``."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
from bpy.props import (
    BoolProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..values.scene_state import get_frame_rate


def _get_start(data: bpy.types.PropertyGroup) -> float:
    """Frame at which the foot comes down."""
    seconds = data.own_start if data.has_own_start else data.planned_start
    return float(seconds * get_frame_rate(bpy.context.scene))


def _set_start(data: bpy.types.PropertyGroup, frame: float) -> None:
    """Set that frame by hand."""
    data.own_start, data.has_own_start = frame / get_frame_rate(bpy.context.scene), True


def _get_duration(data: bpy.types.PropertyGroup) -> float:
    """Frames that the foot stays down."""
    seconds = data.own_duration if data.has_own_duration else data.planned_duration
    return float(seconds * get_frame_rate(bpy.context.scene))


def _set_duration(data: bpy.types.PropertyGroup, frames: float) -> None:
    """Set these frames by hand."""
    seconds = max(frames, 0.0) / get_frame_rate(bpy.context.scene)
    data.own_duration, data.has_own_duration = seconds, True


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
    made_as: StringProperty(
        name="Made As",
        description="Name of the object that it was made as; a duplicate has another",
    )
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
    planned_parent: PointerProperty(
        type=bpy.types.Object,
        name="Planned Parent",
        description="Moving object that carries it as it was planned",
    )
    is_generated: BoolProperty(
        name="Generated", description="Whether it is one of a run that was generated"
    )
    has_time: BoolProperty(name="Has Time", description="Whether it is known when the foot stands")
    time: FloatProperty(
        name="Time",
        description="When the foot stands on it, from frame 0",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    has_way: BoolProperty(
        name="Has Way", description="Whether it is a step of the plan whose way is kept"
    )
    way_time: FloatProperty(
        name="Way's Time",
        description="When the foot stood on it in that plan, from frame 0",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    way_place: FloatVectorProperty(
        name="Way's Place",
        description="Middle and heading of the sole in that plan",
        size=4,
    )
    has_start: BoolProperty(
        name="Has Start", description="Whether it is known when the foot comes down"
    )
    planned_start: FloatProperty(
        name="Planned Start",
        description="When the last plan brings the foot down, from frame 0",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    planned_duration: FloatProperty(
        name="Planned Duration",
        description="How long the last plan keeps the foot down, to the end of the walk at most",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    has_own_start: BoolProperty(name="Own Start", description="Whether the start was set by hand")
    own_start: FloatProperty(
        name="Own Start Time",
        description="When the foot comes down, from frame 0, as set by hand",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    has_own_duration: BoolProperty(
        name="Own Duration", description="Whether the duration was set by hand"
    )
    own_duration: FloatProperty(
        name="Own Duration Time",
        description="How long the foot stays down, as set by hand",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    start: FloatProperty(
        name="Start",
        description=(
            "Frame at which the foot comes down; what you set is kept, and later steps move along"
        ),
        unit="TIME",
        get=_get_start,
        set=_set_start,
    )
    duration: FloatProperty(
        name="Duration",
        description="Frames that the foot stays down; more lets the character wait",
        min=0.0,
        unit="TIME",
        get=_get_duration,
        set=_set_duration,
    )
    is_left_out: BoolProperty(
        name="Leave Out",
        description="Let the foot stay where it stands instead of taking this step",
        update=_show_left_out,
    )
    is_jump: BoolProperty(
        name="Jump",
        description=(
            "Jump to this step: no foot is on the ground between the steps before it and this one. "
            "Jumps to steps side by side land on both feet"
        ),
    )
    is_lost: BoolProperty(
        name="Not Used", description="Whether no step of the last plan was near enough to use it"
    )


def is_timed(item: bpy.types.Object) -> bool:
    """Whether the start or the duration of a footstep was set by hand."""
    data = item.locomotion_footstep
    return bool(data.has_own_start or data.has_own_duration)


def is_duplicate(item: bpy.types.Object) -> bool:
    """Whether a footstep was duplicated from another, as far as its name tells."""
    return bool(item.locomotion_footstep.made_as != item.name)


def find_duplicates(steps: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """Those footsteps of a character that have the number of another, in the order of their numbers."""
    numbers: set[int] = set()
    found = []
    for step in sorted(
        steps, key=lambda s: (s.locomotion_footstep.number, is_duplicate(s), s.name)
    ):
        if step.locomotion_footstep.number in numbers:
            found.append(step)
        numbers.add(step.locomotion_footstep.number)
    return found


def is_footstep(item: bpy.types.Object) -> bool:
    """Whether an object is a footstep of any character, even of one that is gone."""
    return bool(item.locomotion_footstep.leg)


def find_step_owner(item: bpy.types.Object) -> bpy.types.Object | None:
    """The character of a footstep, None for any other object."""
    return item.locomotion_footstep.character if is_footstep(item) else None


def list_orphaned_steps(items: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """Those footsteps among objects whose character was deleted.

    Blender keeps a deleted object as long as its footsteps name it, but in no scene.
    """
    steps = [item for item in items if is_footstep(item)]
    owners = {step.locomotion_footstep.character for step in steps}
    gone = {owner for owner in owners if owner is None or not owner.users_scene}
    return [step for step in steps if step.locomotion_footstep.character in gone]


def release_deleted() -> None:
    """Forget deleted characters, which files would keep for their footsteps alone; these stay.

    What is in a collection or has a fake user was not deleted.
    """
    characters = [o for o in bpy.data.objects if o.type == "ARMATURE" and len(o.locomotion.legs)]
    gone = {o for o in characters if not o.users_collection and not o.use_fake_user}
    for step in bpy.data.objects if gone else ():
        if find_step_owner(step) in gone:
            step.locomotion_footstep.character = None


def register() -> None:
    """Add the properties to Blender's objects."""
    bpy.utils.register_class(LOCOMOTION_PG_footstep)
    bpy.types.Object.locomotion_footstep = PointerProperty(type=LOCOMOTION_PG_footstep)


def unregister() -> None:
    """Take them away; what files hold stays in the files."""
    del bpy.types.Object.locomotion_footstep
    bpy.utils.unregister_class(LOCOMOTION_PG_footstep)
