# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that let points and footsteps go with an object."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty

from ...blender.footsteps.objects import list_footsteps
from ...blender.setup.footstep_properties import find_step_owner
from ...blender.travel.reading import find_space, parent_footsteps, put_points_in_space
from ...errors import LocomotionError
from ..choices import FORGET
from ..footsteps.operators import list_selected_steps, poll_footsteps
from ..targets import find_characters, get_active_armature, poll_active_character
from ..telling import report_line
from ..wording import count


class _SpaceOperator:
    """Base of operators that ask for an object."""

    bl_options = {"REGISTER", "UNDO"}

    space: StringProperty(
        name="Object", description="Name of the object to go with; empty for none", options=FORGET
    )

    def invoke(self: Any, context: bpy.types.Context, _: bpy.types.Event) -> set[str]:
        """Ask for the object."""
        return context.window_manager.invoke_props_dialog(self)

    def draw(self: Any, context: bpy.types.Context) -> None:
        """A search among the objects of the scene."""
        self.layout.prop_search(self, "space", context.scene, "objects")

    def _find_space(
        self: Any, context: bpy.types.Context, armature: bpy.types.Object
    ) -> bpy.types.Object | None:
        """The object; None where none is named."""
        return find_space(armature, self.space, context.scene) if self.space else None


class ANIM_OT_locomotion_points_space(_SpaceOperator, bpy.types.Operator):
    """Put the points of the active character in the space of an object."""

    bl_idname = "anim.locomotion_points_space"
    bl_label = "Put Points in Space"
    bl_description = (
        "Let the points of the path go with an object from now on, where they are now; with none they "
        "lie in the world"
    )

    poll = classmethod(poll_active_character)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the numbers of the points and their space."""
        armature = get_active_armature(context)
        try:
            item = self._find_space(context, armature)
            put_points_in_space(armature.locomotion.travel, item, context.scene)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        armature.update_tag()
        return {"FINISHED"}


class OBJECT_OT_footsteps_parent(_SpaceOperator, bpy.types.Operator):
    """Let footsteps go with an object."""

    bl_idname = "object.footsteps_parent"
    bl_label = "Put in Space of Object"
    bl_description = (
        "Parent the selected footsteps to an object, where they are now, so that the walk along them "
        "goes with it; all of the selected characters where none is selected"
    )

    poll = classmethod(poll_footsteps)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Parent the footsteps of all selected characters."""
        selected, done = list_selected_steps(context), 0
        try:
            for armature in find_characters(context):
                item = self._find_space(context, armature)
                own = [step for step in selected if find_step_owner(step) == armature]
                steps = own or ([] if selected else list_footsteps(armature))
                parent_footsteps(steps, item, context.scene)
                done += len(steps)
                armature.update_tag()
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        report_line(self, {"INFO"}, f"{count(done, 'footstep')} put in space")
        return {"FINISHED"}


_CLASSES = (ANIM_OT_locomotion_points_space, OBJECT_OT_footsteps_parent)
register, unregister = bpy.utils.register_classes_factory(_CLASSES)
