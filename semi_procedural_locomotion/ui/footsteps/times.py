# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of the times of footsteps, and their numbers and frames in the 3D Viewport."""

from __future__ import annotations

from typing import Any

import blf
import bpy
from bpy.props import BoolProperty, FloatProperty
from bpy_extras.view3d_utils import location_3d_to_region_2d

from ...blender.footsteps.objects import list_footsteps, reset_step_timing
from ...blender.setup.footstep_properties import find_step_owner, is_timed
from ..choices import FORGET
from ..targets import find_active_armature, redraw_views
from ..telling import report_line
from ..wording import count
from .operators import list_selected_steps

_FONT, _FONT_SIZE = 0, 11
# Pixels from the middle of a sole to its text, at a scale of 1.
_BESIDE = 10.0
# Text of steps as the walk has them, and of those whose times were set by hand.
_PLAIN, _TIMED = (1.0, 1.0, 1.0, 0.9), (1.0, 0.8, 0.1, 1.0)

_handles: list[Any] = []


def _poll_selected_steps(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether a footstep is selected."""
    if context.mode != "OBJECT":
        operator.poll_message_set("Change to Object Mode first")
        return False
    if not list_selected_steps(context):
        operator.poll_message_set("Select footsteps")
        return False
    return True


class OBJECT_OT_footsteps_hold(bpy.types.Operator):
    """Let the character wait on footsteps."""

    bl_idname = "object.footsteps_hold"
    bl_label = "Hold Footsteps"
    bl_description = (
        "Let the feet stay longer on the selected footsteps, so that the character waits there; "
        "later steps move along"
    )
    bl_options = {"REGISTER", "UNDO"}

    frames: FloatProperty(
        name="Frames",
        description="How much longer each foot stays",
        default=24.0,
        min=0.0,
        soft_max=250.0,
        unit="TIME",
        options=FORGET,
    )

    poll = classmethod(_poll_selected_steps)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Lengthen the stay on every selected step."""
        held, last = 0, ""
        for step in list_selected_steps(context):
            data = step.locomotion_footstep
            if _ends_walk(step):
                last = (
                    f"The walk ends with {step.name!r}, whose foot stays as long as the motions have "
                    "it: to hold it, add a footstep after it"
                )
            elif data.has_own_duration or data.planned_duration > 0.0:
                data.duration = data.duration + self.frames
                held += 1
        if last:
            report_line(self, {"WARNING" if held else "ERROR"}, last)
        if not held and not last:
            report_line(
                self,
                {"ERROR"},
                "No selected footstep has a duration yet: bake, or use From Plan, first",
            )
        return {"FINISHED"} if held else {"CANCELLED"}


def _ends_walk(step: bpy.types.Object) -> bool:
    """Whether a footstep is the last of those that its character walks along."""
    armature = find_step_owner(step)
    if armature is None or armature.locomotion.travel.source != "FOOTSTEPS":
        return False
    taken = [s for s in list_footsteps(armature) if not s.locomotion_footstep.is_left_out]
    return bool(taken) and taken[-1] == step


class OBJECT_OT_footsteps_reset_times(bpy.types.Operator):
    """Take back the times of footsteps that were set by hand."""

    bl_idname = "object.footsteps_reset_times"
    bl_label = "Reset Times"
    bl_description = "Let the selected footsteps start and last as the walk has them again"
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(_poll_selected_steps)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Reset every selected step."""
        steps = [step for step in list_selected_steps(context) if is_timed(step)]
        for step in steps:
            reset_step_timing(step)
        report_line(self, {"INFO"}, f"{count(len(steps), 'footstep')} as the walk has it")
        return {"FINISHED"}


class OBJECT_OT_footsteps_leave_out(bpy.types.Operator):
    """Let feet stay instead of taking footsteps."""

    bl_idname = "object.footsteps_leave_out"
    bl_label = "Leave Out Footsteps"
    bl_description = (
        "Let the feet stay where they stand instead of taking the selected footsteps; later plans "
        "keep them out, while deleted ones come back with the plan"
    )
    bl_options = {"REGISTER", "UNDO"}

    take: BoolProperty(
        name="Take Again", description="Take the footsteps that were left out", options=FORGET
    )

    poll = classmethod(_poll_selected_steps)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Leave out every selected step, or take it."""
        for step in list_selected_steps(context):
            step.locomotion_footstep.is_left_out = not self.take
        return {"FINISHED"}


class OBJECT_OT_footsteps_jump(bpy.types.Operator):
    """Jump to footsteps."""

    bl_idname = "object.footsteps_jump"
    bl_label = "Jump to Footsteps"
    bl_description = (
        "Let the walk along the footsteps jump to the selected ones, from the step before each; "
        "those side by side are landed on with both feet"
    )
    bl_options = {"REGISTER", "UNDO"}

    step: BoolProperty(name="Step Again", description="Step to them instead", options=FORGET)

    poll = classmethod(_poll_selected_steps)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Jump to every selected step, or step."""
        for item in list_selected_steps(context):
            item.locomotion_footstep.is_jump = not self.step
        return {"FINISHED"}


def describe_step(step: bpy.types.Object) -> str:
    """Number of a footstep and the frames between which it bears, as far as they are known."""
    data = step.locomotion_footstep
    number = f"{data.number} jump" if data.is_jump else str(data.number)
    if data.is_left_out or not (data.has_start or data.has_own_start):
        return number
    first = f"{number}: {data.start:.0f}"
    stays = data.has_own_duration or data.planned_duration > 0.0
    return f"{first}-{data.start + data.duration:.0f}" if stays else f"{first}-"


def _draw_labels() -> None:
    """Write number and frames beside the footsteps of the active character; for ``POST_PIXEL``."""
    context = bpy.context
    armature = find_active_armature(context)
    space = context.space_data
    if armature is None or space is None or not space.overlay.show_overlays:
        return
    scale = context.preferences.system.ui_scale
    blf.size(_FONT, _FONT_SIZE * scale)
    for step in list_footsteps(armature):
        if not step.visible_get():
            continue
        place = location_3d_to_region_2d(
            context.region, context.region_data, step.matrix_world.translation
        )
        if place is None:
            continue
        blf.color(_FONT, *(_TIMED if is_timed(step) else _PLAIN))
        blf.position(_FONT, place.x + _BESIDE * scale, place.y, 0.0)
        blf.draw(_FONT, describe_step(step))


def _follow_choice(manager: bpy.types.WindowManager, context: bpy.types.Context) -> None:  # noqa: ARG001
    """Draw while labels are wanted."""
    wanted = manager.locomotion_step_labels
    if wanted and not _handles:
        _handles.append(
            bpy.types.SpaceView3D.draw_handler_add(_draw_labels, (), "WINDOW", "POST_PIXEL")
        )
    elif not wanted:
        _stop_drawing()
    redraw_views()


def _stop_drawing() -> None:
    """Write no labels any more."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")


_CLASSES = (
    OBJECT_OT_footsteps_hold,
    OBJECT_OT_footsteps_reset_times,
    OBJECT_OT_footsteps_leave_out,
    OBJECT_OT_footsteps_jump,
)


def register() -> None:
    """Add the operators and the choice of labels."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.WindowManager.locomotion_step_labels = BoolProperty(
        name="Numbers and Frames",
        description=(
            "Write the number of each footstep and the frames between which it bears beside it; "
            "yellow where you set them"
        ),
        options=FORGET,
        update=_follow_choice,
    )


def unregister() -> None:
    """Take them out and draw no more."""
    _stop_drawing()
    del bpy.types.WindowManager.locomotion_step_labels
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
