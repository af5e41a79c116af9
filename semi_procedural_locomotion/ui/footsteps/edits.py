# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that change several footsteps as a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ...api.footstep_edits import (
    CopiedSteps,
    FoundPaste,
    copy_steps,
    find_edit,
    find_paste,
    list_run,
    write_edit,
    write_paste,
)
from ...api.progress import Steps
from ...blender.setup.footstep_properties import find_step_owner
from ...core.footsteps.layout import StepRun, bend_run, mirror_run, scale_run
from ...errors import LocomotionError
from ..choices import FORGET
from ..progress import SteppedOperator
from ..targets import find_active_armature, find_characters, poll_active_character
from ..telling import report_line
from ..wording import count
from .operators import list_selected_steps, poll_footsteps

_WHICH = "; all of the selected characters where none is selected"

_copied: list[CopiedSteps] = []


class _RunOperator:
    """Base of operators that change the selected footsteps of each character as a run."""

    bl_options = {"REGISTER", "UNDO"}
    report: Callable[[set[str], str], None]
    changes_sides = False

    on_ground: BoolProperty(
        name="On Ground",
        description="Put the footsteps on the ground where they come to lie",
        default=True,
        options=FORGET,
    )

    poll = classmethod(poll_footsteps)

    def edit(self, run: StepRun) -> StepRun:
        """Find what becomes of a run."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the runs of all selected characters, once all are known to go."""
        selected, scene = list_selected_steps(context), context.scene
        left, found = 0, []
        try:
            for armature in find_characters(context):
                own = [step for step in selected if find_step_owner(step) == armature]
                if own or not selected:
                    items = list_run(armature, own)
                    found.append(
                        find_edit(
                            armature,
                            scene,
                            items,
                            self.edit,
                            changes_sides=self.changes_sides,
                            on_ground=self.on_ground,
                        )
                    )
            left = sum(write_edit(entry, scene) for entry in found)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        if left:
            report_line(
                self, {"WARNING"}, f"{count(left, 'footstep')} left where no ground was found"
            )
        return {"FINISHED"}


class OBJECT_OT_footsteps_bend(_RunOperator, bpy.types.Operator):
    """Bend a run of footsteps."""

    bl_idname = "object.footsteps_bend"
    bl_label = "Bend Footsteps"
    bl_description = "Bend the run of the selected footsteps about its start" + _WHICH

    angle: FloatProperty(
        name="Angle",
        description="How much more the end of the run turns than its start, left is positive",
        default=float(np.radians(45.0)),
        soft_min=-np.pi,
        soft_max=np.pi,
        subtype="ANGLE",
        unit="ROTATION",
        options=FORGET,
    )

    def edit(self, run: StepRun) -> StepRun:
        """The run, bent."""
        return bend_run(run, self.angle)


class OBJECT_OT_footsteps_scale(_RunOperator, bpy.types.Operator):
    """Make a run of footsteps longer or wider."""

    bl_idname = "object.footsteps_scale"
    bl_label = "Scale Footsteps"
    bl_description = (
        "Make the run of the selected footsteps longer, shorter, wider or narrower" + _WHICH
    )

    length: FloatProperty(
        name="Length",
        description="Factor on the way from the start of the run",
        default=1.25,
        min=0.01,
        soft_max=4.0,
        options=FORGET,
    )
    width: FloatProperty(
        name="Width",
        description="Factor on the distance of the footsteps from the way",
        default=1.0,
        min=0.0,
        soft_max=4.0,
        options=FORGET,
    )

    def edit(self, run: StepRun) -> StepRun:
        """The run, scaled."""
        return scale_run(run, self.length, self.width)


class OBJECT_OT_footsteps_mirror(_RunOperator, bpy.types.Operator):
    """Exchange left and right of a run of footsteps."""

    bl_idname = "object.footsteps_mirror"
    bl_label = "Mirror Footsteps"
    bl_description = (
        "Exchange left and right of the run of the selected footsteps, about the line in which it "
        "starts" + _WHICH
    )
    changes_sides = True

    def edit(self, run: StepRun) -> StepRun:
        """The run, mirrored."""
        return mirror_run(run)


class OBJECT_OT_footsteps_copy(bpy.types.Operator):
    """Keep footsteps for pasting."""

    bl_idname = "object.footsteps_copy"
    bl_label = "Copy Footsteps"
    bl_description = (
        "Keep the selected footsteps of the active character for pasting; all of its footsteps "
        "where none is selected"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active character has footsteps."""
        return poll_active_character(cls, context) and poll_footsteps(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Keep them."""
        armature = find_active_armature(context)
        own = [s for s in list_selected_steps(context) if find_step_owner(s) == armature]
        try:
            copied = copy_steps(armature, context.scene, list_run(armature, own))
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        _copied[:] = [copied]
        report_line(self, {"INFO"}, f"Copied {count(len(copied.legs), 'footstep')}")
        return {"FINISHED"}


class OBJECT_OT_footsteps_paste(SteppedOperator, bpy.types.Operator):
    """Make copied footsteps anew."""

    bl_idname = "object.footsteps_paste"
    bl_label = "Paste Footsteps"
    bl_description = "Make the copied footsteps anew for the active character"
    bl_options = {"REGISTER", "UNDO"}

    place: EnumProperty(
        name="At",
        description="Where the run begins",
        items=(
            ("END", "Last Footstep", "A step after the last footstep, going its way"),
            ("CURSOR", "3D Cursor", "At the 3D cursor, turned by it about up"),
        ),
        options=FORGET,
    )
    sides: EnumProperty(
        name="Sides",
        description="Which legs take the footsteps",
        items=(
            ("AUTO", "In Turn", "Exchange left and right where the legs step in turn only then"),
            ("SAME", "Same", "The legs of the copied footsteps"),
            ("MIRRORED", "Mirrored", "Exchange left and right"),
        ),
        options=FORGET,
    )
    on_ground: BoolProperty(
        name="On Ground",
        description="Put the footsteps on the ground; else they keep their heights to one another",
        default=True,
        options=FORGET,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to paste, and a character for it."""
        if not _copied:
            cls.poll_message_set("Copy footsteps first")
            return False
        return poll_active_character(cls, context)

    def make_steps(self, context: bpy.types.Context) -> Steps[FoundPaste]:
        """Find where they go."""
        place = None
        if self.place == "CURSOR":
            cursor = context.scene.cursor
            place = (
                np.array(cursor.location, dtype=np.float64),
                float(cursor.matrix.to_euler().z),
            )
        return (
            yield from find_paste(
                find_active_armature(context),
                _copied[0],
                context.scene,
                self.sides.lower(),
                place,
                self.on_ground,
            )
        )

    def finish(self, context: bpy.types.Context, result: FoundPaste) -> None:
        """Make and select them."""
        created = write_paste(result, context.scene)
        context.view_layer.update()
        for item in context.view_layer.objects.selected:
            item.select_set(False)
        for item in created:
            item.select_set(True)
        context.view_layer.objects.active = created[-1]
        report_line(self, {"INFO"}, f"Pasted {count(len(created), 'footstep')}")


class LOCOMOTION_MT_footsteps(bpy.types.Menu):
    """What can be done with selected footsteps."""

    bl_idname = "LOCOMOTION_MT_footsteps"
    bl_label = "Selected Footsteps"

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Draw the menu."""
        layout = self.layout
        layout.operator("object.footsteps_bend")
        layout.operator("object.footsteps_scale")
        layout.operator("object.footsteps_mirror", icon="MOD_MIRROR")
        layout.operator("object.footsteps_replace_on_ground", icon="SNAP_NORMAL")
        layout.separator()
        layout.operator("object.footsteps_copy", icon="COPYDOWN")
        layout.operator("object.footsteps_paste", icon="PASTEDOWN")
        layout.separator()
        layout.operator("object.footsteps_hold", icon="TIME")
        layout.operator("object.footsteps_reset_times", icon="LOOP_BACK")
        layout.operator("object.footsteps_leave_out")
        layout.operator("object.footsteps_jump")
        layout.operator("object.footsteps_parent", icon="CON_CHILDOF")


_CLASSES: tuple[Any, ...] = (
    OBJECT_OT_footsteps_bend,
    OBJECT_OT_footsteps_scale,
    OBJECT_OT_footsteps_mirror,
    OBJECT_OT_footsteps_copy,
    OBJECT_OT_footsteps_paste,
    LOCOMOTION_MT_footsteps,
)


def register() -> None:
    """Add the operators and their menu."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Take them out."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
    _copied.clear()
