# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that generates runs of footsteps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...api.footstep_runs import FoundRun, RunRequest, find_run, write_run
from ...api.limits import FOOTSTEP_WALK
from ...api.progress import Steps, chain_steps
from ...core.footsteps.layout import StepPattern
from ..choices import FORGET
from ..progress import SteppedOperator
from ..targets import find_characters, poll_characters
from ..telling import report_line
from ..wording import count
from .asking import ask_removal, describe_own_steps


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
        text = "" if self.remove_own or not self.start_over else describe_own_steps(context)
        if text:
            self.remove_own = True
            return ask_removal(self, context, event, text, "Remove and Generate")
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
