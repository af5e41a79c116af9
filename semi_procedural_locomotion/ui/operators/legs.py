# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs corrected by hand: chains, mirror images, soles, forward. All work on the active character."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import degrees, pi

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty

from ...api import Character, is_set_up
from ...api.leg_editing import (
    list_leg_choices,
    measure_legs,
    mirror_leg,
    move_ankle,
    move_hip,
    replace_leg,
    sort_chain,
    turn_forward,
)
from ...core.rig.legs import LegChoice
from ...errors import LocomotionError, RigError
from ..choices import FORGET, LOCOMOTION_PG_name
from ..targets import get_active_armature, poll_active, poll_active_character
from ..telling import report_line
from ..wording import count

_OPTIONS = {"REGISTER", "UNDO", "INTERNAL"}
_TOE_NAME = re.compile(r"toe|ball|finger|digit", re.IGNORECASE)
# A chain of hip, knee, ankle and one bone more.
_BONES_WITH_TOE = 4


class _LegOperator:
    """Base of operators that give the active character new legs."""

    report: Callable[[set[str], str], None]

    poll = classmethod(poll_active_character)

    def choose(self, armature: bpy.types.Object) -> Sequence[LegChoice]:
        """All legs as they shall be."""
        raise NotImplementedError

    def change(self, armature: bpy.types.Object) -> Character:
        """Give the character these legs."""
        return measure_legs(armature, self.choose(armature))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Measure the new legs, or leave everything as it was."""
        armature = get_active_armature(context)
        try:
            character = self.change(armature)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        armature.update_tag()
        legs = character.rig.legs
        report_line(
            self, {"INFO"}, f"{count(len(legs), 'leg')}: {', '.join(leg.name for leg in legs)}"
        )
        return {"FINISHED"}


def _find_active_leg(armature: bpy.types.Object) -> int:
    """Number of the leg that the panel shows."""
    data = armature.locomotion
    if data.active_leg >= len(data.legs):
        raise RigError(f"{armature.name!r} has no active leg: choose one in the list")
    return data.active_leg


class ANIM_OT_locomotion_leg_add(_LegOperator, bpy.types.Operator):
    """Make a leg of bones."""

    bl_idname = "anim.locomotion_leg_add"
    bl_label = "Add Leg from Selected Bones"
    bl_description = (
        "Make a leg of the bones selected in Pose Mode, from the hip to the ankle or toe; "
        "replaces legs that share bones with it"
    )
    bl_options = _OPTIONS - {"INTERNAL"}

    bones: CollectionProperty(
        type=LOCOMOTION_PG_name,
        name="Bones",
        description="Names of the bones, instead of the selected ones",
        options=FORGET,
    )
    last_is_toe: BoolProperty(
        name="Last Bone Is Toe",
        description="The lowest bone bends the toes, and the one above it is the ankle",
        options=FORGET,
    )

    poll = classmethod(poll_active)

    def choose(self, armature: bpy.types.Object) -> Sequence[LegChoice]:
        """The legs so far and the new one."""
        names = [entry.name for entry in self.bones] or _find_selected_bones(armature)
        chain = sort_chain(names, armature.data.bones)
        if not self.properties.is_property_set("last_is_toe"):
            is_toe = _TOE_NAME.search(chain[-1]) is not None
            self.last_is_toe = is_toe and len(chain) >= _BONES_WITH_TOE
        new = LegChoice(chain[:-1], chain[-1]) if self.last_is_toe else LegChoice(chain)
        kept = list_leg_choices(armature) if is_set_up(armature) else []
        return replace_leg(kept, new)


def _find_selected_bones(armature: bpy.types.Object) -> list[str]:
    """Names of the bones selected in pose mode; none in other modes."""
    if armature.mode != "POSE":
        return []
    return [bone.name for bone in bpy.context.selected_pose_bones_from_active_object or ()]


class ANIM_OT_locomotion_leg_remove(_LegOperator, bpy.types.Operator):
    """Take a leg out."""

    bl_idname = "anim.locomotion_leg_remove"
    bl_label = "Remove Leg"
    bl_description = "Take the active leg out of the set-up; bones are not changed"
    bl_options = _OPTIONS

    def choose(self, armature: bpy.types.Object) -> Sequence[LegChoice]:
        """All legs but the active one."""
        choices = list_leg_choices(armature)
        del choices[_find_active_leg(armature)]
        if not choices:
            raise RigError(f"{armature.name!r} needs one leg at least: add another one first")
        return choices


class ANIM_OT_locomotion_leg_mirror(_LegOperator, bpy.types.Operator):
    """Make the other side's leg."""

    bl_idname = "anim.locomotion_leg_mirror"
    bl_label = "Mirror Leg"
    bl_description = (
        "Give the other side the same leg as the active one, by the names of its bones, and the same "
        "edits of the sole"
    )
    bl_options = _OPTIONS

    def change(self, armature: bpy.types.Object) -> Character:
        """Mirror the active leg."""
        return mirror_leg(armature, _find_active_leg(armature))


class ANIM_OT_locomotion_leg_step(_LegOperator, bpy.types.Operator):
    """Move an end of a leg by one bone."""

    bl_idname = "anim.locomotion_leg_step"
    bl_label = "Move Hip or Ankle"
    bl_description = "Move the end of the active leg by one bone"
    bl_options = _OPTIONS

    end: EnumProperty(
        name="End",
        description="Which end of the leg is moved",
        items=(("HIP", "Hip", "The upper end"), ("ANKLE", "Ankle", "The lower end")),
        options=FORGET,
    )
    direction: EnumProperty(
        name="Direction",
        description="Where the end is moved",
        items=(("UP", "Up", "To the bone above"), ("DOWN", "Down", "To the bone below")),
        options=FORGET,
    )

    @classmethod
    def description(
        cls,
        context: bpy.types.Context,  # noqa: ARG003
        properties: bpy.types.OperatorProperties,
    ) -> str:
        """The tooltip of each of the four buttons."""
        place = "above" if properties.direction == "UP" else "below"
        return f"Move the {properties.end.lower()} of the active leg to the bone {place}"

    def choose(self, armature: bpy.types.Object) -> Sequence[LegChoice]:
        """The legs with the active one changed."""
        choices, active = list_leg_choices(armature), _find_active_leg(armature)
        move = move_hip if self.end == "HIP" else move_ankle
        step = 1 if self.direction == "UP" else -1
        choices[active] = move(choices[active], armature.data.bones, step)
        return choices


class ANIM_OT_locomotion_legs_measure(_LegOperator, bpy.types.Operator):
    """Measure all legs anew."""

    bl_idname = "anim.locomotion_legs_measure"
    bl_label = "Measure Legs"
    bl_description = "Find soles, lengths and knees anew for the bones that the legs name"
    bl_options = _OPTIONS - {"INTERNAL"}

    def choose(self, armature: bpy.types.Object) -> Sequence[LegChoice]:
        """The legs as they are named."""
        return list_leg_choices(armature)


class ANIM_OT_locomotion_forward(bpy.types.Operator):
    """Turn the direction to the front."""

    bl_idname = "anim.locomotion_forward"
    bl_label = "Turn Forward"
    bl_description = (
        "Turn the direction in which the character faces, and measure its feet and motions anew"
    )
    bl_options = _OPTIONS - {"INTERNAL"}

    angle: FloatProperty(
        name="Angle",
        description="Turn to the left, seen from above",
        default=pi,
        min=-pi,
        max=pi,
        subtype="ANGLE",
        unit="ROTATION",
        options=FORGET,
    )
    poll = classmethod(poll_active_character)

    @classmethod
    def description(
        cls,
        context: bpy.types.Context,  # noqa: ARG003
        properties: bpy.types.OperatorProperties,
    ) -> str:
        """The tooltip of each of the buttons."""
        turned = degrees(properties.angle)
        way = f"by {abs(turned):.0f}° to the {'left' if turned > 0 else 'right'}"
        return (
            f"Turn the direction in which the character faces {way if abs(turned) < 179 else 'around'}, "
            "and measure its feet and motions anew"
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Turn it, or leave everything as it was."""
        armature = get_active_armature(context)
        try:
            turn_forward(armature, self.angle)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        armature.update_tag()
        return {"FINISHED"}


class ANIM_OT_locomotion_sole_reset(bpy.types.Operator):
    """Take back what was set of a sole by hand."""

    bl_idname = "anim.locomotion_sole_reset"
    bl_label = "Reset Sole"
    bl_description = "Give the active leg back the sole that was measured"
    bl_options = _OPTIONS - {"INTERNAL"}

    use_all: BoolProperty(
        name="All Legs",
        description="Give all legs back the soles that were measured",
        options=FORGET,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a sole of the active character is edited."""
        if not poll_active_character(cls, context):
            return False
        if not any(leg.has_edited_sole for leg in get_active_armature(context).locomotion.legs):
            cls.poll_message_set("No sole of the character is edited")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Give it back, or report that there is nothing to give back."""
        armature = get_active_armature(context)
        data = armature.locomotion
        legs = data.legs if self.use_all else data.legs[data.active_leg : data.active_leg + 1]
        edited = [leg for leg in legs if leg.has_edited_sole]
        if not edited:
            report_line(self, {"WARNING"}, "The sole of the active leg is not edited")
            return {"CANCELLED"}
        for leg in edited:
            leg.reset_sole()
        armature.update_tag()
        return {"FINISHED"}


CLASSES = (
    ANIM_OT_locomotion_leg_add,
    ANIM_OT_locomotion_leg_remove,
    ANIM_OT_locomotion_leg_mirror,
    ANIM_OT_locomotion_leg_step,
    ANIM_OT_locomotion_legs_measure,
    ANIM_OT_locomotion_sole_reset,
    ANIM_OT_locomotion_forward,
)
register, unregister = bpy.utils.register_classes_factory(CLASSES)
