# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of footsteps: from the plan, back on the ground, removed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...api.footstep_runs import FoundRun, RunRequest, find_run, list_own_steps, write_run
from ...api.footsteps import (
    FoundFootsteps,
    clear_footsteps,
    clear_orphaned_steps,
    find_footsteps,
    replace_on_ground,
    write_footsteps,
)
from ...api.limits import FOOTSTEP_WALK
from ...api.progress import Steps, chain_steps
from ...blender.footsteps.objects import is_edited, list_footsteps
from ...blender.setup.footstep_properties import find_step_owner
from ...core.footsteps.layout import StepPattern
from ...errors import LocomotionError
from ..choices import FORGET
from ..progress import SteppedOperator
from ..targets import (
    find_armatures,
    find_characters,
    find_orphaned_steps,
    poll_characters,
    poll_orphaned_steps,
)
from ..telling import report_line
from ..wording import count

_SHOWN_NAMES = 3


def _describe_own_steps(context: bpy.types.Context) -> str:
    """Which footsteps of the chosen characters were set by hand; empty for none, or nobody to ask."""
    if bpy.app.background or context.window is None:
        return ""
    own = [item.name for armature in find_characters(context) for item in list_own_steps(armature)]
    if not own:
        return ""
    more = len(own) - _SHOWN_NAMES
    names = ", ".join(own[:_SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")
    return f"{count(len(own), 'footstep')} set by you will be removed: {names}"


def _ask_removal(
    operator: bpy.types.Operator,
    context: bpy.types.Context,
    event: bpy.types.Event,
    text: str,
    confirm: str,
) -> set[str]:
    """Ask whether an operator shall run, with what it removes and the word on the button."""
    return context.window_manager.invoke_confirm(
        operator,
        event,
        title=operator.bl_label,
        message=text,
        confirm_text=confirm,
        icon="WARNING",
    )


def _list_curves(operator: bpy.types.OperatorProperties, context: Any, text: str) -> list[str]:  # noqa: ANN401, ARG001
    """Names of the curves of the scene, for the field of one."""
    return [item.name for item in context.scene.objects if item.type == "CURVE"]


class OBJECT_OT_footsteps_generate(SteppedOperator, bpy.types.Operator):
    """Make a run of footsteps for the selected characters."""

    bl_idname = "object.footsteps_generate"
    bl_label = "Generate Footsteps"
    bl_description = (
        "Make a run of footsteps for the selected characters, straight ahead, in a bend or along a "
        "curve, on the ground"
    )
    bl_options = {"REGISTER", "UNDO"}

    gait: EnumProperty(
        name="Gait",
        description="Motion whose steps are taken",
        items=(
            ("WALK", "Walk", "The plain walk"),
            ("RUN", "Run", "The fastest motion that goes ahead"),
        ),
        options=FORGET,
    )
    count: IntProperty(
        name="Count",
        description=(
            "How many steps; 0 for as many as the way is long along a curve or points, "
            f"and for {FOOTSTEP_WALK.count} straight ahead"
        ),
        min=0,
        max=1000,
        soft_max=100,
        default=0,
        options=FORGET,
    )
    stride: FloatProperty(
        name="Stride",
        description="Distance between two steps of the same foot, 0 for that of the motion",
        min=0.0,
        soft_max=4.0,
        subtype="DISTANCE",
        unit="LENGTH",
        options=FORGET,
    )
    width: FloatProperty(
        name="Width",
        description="Distance of the feet across the way against that of the motion",
        min=0.0,
        soft_max=3.0,
        default=1.0,
        subtype="FACTOR",
        options=FORGET,
    )
    first: EnumProperty(
        name="First Side",
        description="Which leg takes the first step",
        items=(
            ("AUTO", "In Turn", "The leg whose turn it is"),
            ("L", "Left", "A left leg"),
            ("R", "Right", "A right leg"),
        ),
        options=FORGET,
    )
    turn: FloatProperty(
        name="Turn",
        description="Turn of the way at each step, left is positive",
        soft_min=-1.0,
        soft_max=1.0,
        subtype="ANGLE",
        unit="ROTATION",
        options=FORGET,
    )
    rise: FloatProperty(
        name="Rise",
        description="Height that each step climbs; with 0 the steps are put on the ground",
        soft_min=-0.5,
        soft_max=0.5,
        subtype="DISTANCE",
        unit="LENGTH",
        options=FORGET,
    )
    curve: StringProperty(
        name="Along Curve",
        description="Curve to go along, empty for ahead from where the character stands",
        search=_list_curves,
        options=FORGET,
    )
    use_points: BoolProperty(
        name="Along Points",
        description="Go along the points of the character's travel, where no curve is chosen",
        options=FORGET,
    )
    start_over: BoolProperty(
        name="Start Over",
        description="Remove the footsteps that there are; else the run goes on from the last",
        default=True,
        options=FORGET,
    )
    remove_own: BoolProperty(
        name="Remove Yours",
        description=(
            "Where it starts over, remove footsteps too that you placed, moved or timed; "
            "else it does nothing where there are such"
        ),
        options=FORGET,
    )
    use_for_travel: BoolProperty(
        name="Travel along Them",
        description="Let the character travel along its footsteps",
        default=True,
        options=FORGET,
    )

    poll = classmethod(poll_characters)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask before footsteps go away that were set by hand."""
        text = "" if self.remove_own or not self.start_over else _describe_own_steps(context)
        if text:
            self.remove_own = True
            return _ask_removal(self, context, event, text, "Remove and Generate")
        return super().invoke(context, event)

    def make_steps(self, context: bpy.types.Context) -> Steps[list[FoundRun]]:
        """Lay out the steps of all selected characters."""
        request = RunRequest(
            pattern=StepPattern(
                count=self.count or None,
                stride=self.stride or None,
                width=self.width,
                turn=self.turn,
                rise=self.rise,
            ),
            run=self.gait == "RUN",
            first_side="" if self.first == "AUTO" else self.first,
            curve=self.curve or None,
            use_points=self.use_points,
            start_over=self.start_over,
            remove_own=self.remove_own,
        )
        return (
            yield from chain_steps(
                [find_run(item, request, context.scene) for item in find_characters(context)]
            )
        )

    def finish(self, context: bpy.types.Context, result: Sequence[FoundRun]) -> None:
        """Make the objects."""
        for found in result:
            steps = write_run(found, context.scene)
            armature = found.maker.character.armature
            if self.use_for_travel:
                armature.locomotion.travel.source = "FOOTSTEPS"
            report_line(self, {"INFO"}, f"{armature.name}: {count(len(steps), 'footstep')} made")


def list_selected_steps(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Selected footsteps."""
    return [i for i in context.view_layer.objects.selected if find_step_owner(i) is not None]


def poll_footsteps(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether a character with footsteps is chosen."""
    if not poll_characters(operator, context):
        return False
    if not any(list_footsteps(item) for item in find_characters(context)):
        operator.poll_message_set("Select a character that has footsteps")
        return False
    return True


class OBJECT_OT_footsteps_from_plan(SteppedOperator, bpy.types.Operator):
    """Show the planned footsteps of the selected characters."""

    bl_idname = "object.footsteps_from_plan"
    bl_label = "Footsteps from Plan"
    bl_description = (
        "Show where the feet of the selected characters are planned to stand, as objects that can "
        "be moved, turned, duplicated and deleted; the next bake keeps what you change"
    )
    bl_options = {"REGISTER", "UNDO"}

    keep_edits: BoolProperty(
        name="Keep Edits",
        description="Keep footsteps that you moved or placed; else all are as planned",
        default=True,
        options=FORGET,
    )

    poll = classmethod(poll_characters)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask before footsteps go away that were set by hand."""
        text = "" if self.keep_edits else _describe_own_steps(context)
        if text:
            return _ask_removal(self, context, event, text, "Remove and Show Plan")
        return super().invoke(context, event)

    def make_steps(self, context: bpy.types.Context) -> Steps[list[FoundFootsteps]]:
        """Plan the walks of all selected characters."""
        characters = find_characters(context)
        return (
            yield from chain_steps(
                [find_footsteps(item, context.scene, self.keep_edits) for item in characters]
            )
        )

    def finish(self, context: bpy.types.Context, result: Sequence[FoundFootsteps]) -> None:
        """Make the objects."""
        for found in result:
            steps = write_footsteps(found, context.scene)
            text = count(len(steps), "footstep")
            edited = sum(is_edited(step) for step in steps)
            if edited:
                text += f", {edited} of them yours"
            lost = len(found.plan.claims.lost)
            if lost:
                text += f", {lost} not used"
            name = f"{found.character.armature.name}: " if len(result) > 1 else ""
            report_line(self, {"WARNING" if lost else "INFO"}, name + text)


class OBJECT_OT_footsteps_replace_on_ground(bpy.types.Operator):
    """Put footsteps on the ground."""

    bl_idname = "object.footsteps_replace_on_ground"
    bl_label = "Re-place on Ground"
    bl_description = (
        "Put the selected footsteps on the ground under them and turn them to its slope; "
        "all footsteps of the selected characters where none is selected"
    )
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(poll_footsteps)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Move the footsteps of all selected characters."""
        selected = list_selected_steps(context)
        left = 0
        try:
            for armature in find_characters(context):
                own = [step for step in selected if find_step_owner(step) == armature]
                if own or not selected:
                    left += replace_on_ground(armature, context.scene, own or None)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        if left:
            report_line(
                self, {"WARNING"}, f"{count(left, 'footstep')} left where no ground was found"
            )
        return {"FINISHED"}


class OBJECT_OT_footsteps_clear(bpy.types.Operator):
    """Remove footsteps."""

    bl_idname = "object.footsteps_clear"
    bl_label = "Clear Footsteps"
    bl_description = (
        "Remove the footsteps of the selected characters, or selected ones of deleted characters"
    )
    bl_options = {"REGISTER", "UNDO"}

    keep_edits: BoolProperty(
        name="Keep Edits",
        description="Keep footsteps that you moved or placed",
        options=FORGET,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there are footsteps to remove."""
        if find_orphaned_steps(context):
            return poll_orphaned_steps(cls, context)
        return poll_footsteps(cls, context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask before."""
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the footsteps of all selected characters."""
        edited_too = not self.keep_edits
        orphans = find_orphaned_steps(context)
        # Without any character chosen, orphans do not stand for those of the scene.
        is_chosen = any(item.users_scene for item in find_armatures(context))
        characters = find_characters(context) if is_chosen or not orphans else []
        removed = clear_orphaned_steps(orphans, edited_too=edited_too)
        removed += sum(clear_footsteps(item, edited_too=edited_too) for item in characters)
        report_line(self, {"INFO"}, f"Removed {count(removed, 'footstep')}")
        return {"FINISHED"}


_CLASSES: tuple[Any, ...] = (
    OBJECT_OT_footsteps_generate,
    OBJECT_OT_footsteps_from_plan,
    OBJECT_OT_footsteps_replace_on_ground,
    OBJECT_OT_footsteps_clear,
)


def _draw_menu(menu: bpy.types.Menu, context: bpy.types.Context) -> None:  # noqa: ARG001
    """Entries of Object > Animation."""
    menu.layout.separator()
    for operator in _CLASSES:
        menu.layout.operator(operator.bl_idname)
    menu.layout.menu("LOCOMOTION_MT_footsteps")


def register() -> None:
    """Add the operators and their menu entries."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.VIEW3D_MT_object_animation.append(_draw_menu)


def unregister() -> None:
    """Take them out."""
    bpy.types.VIEW3D_MT_object_animation.remove(_draw_menu)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
