# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on single sections of a baked walk, and on what was changed by hand on it."""

from __future__ import annotations

from functools import partial
from typing import Any

import bpy
from bpy.props import IntProperty, StringProperty

from ...api import sections, watching
from ...api.baking import PreparedBake
from ...api.progress import Steps
from ...api.setups import prepare_set_up_bake, write_set_up_bake
from ...errors import LocomotionError
from ..choices import FORGET
from ..live import handlers as live_handlers
from ..live.operators import is_auto_baked, is_live
from ..progress import SteppedOperator
from ..targets import get_active_armature, poll_active_baked
from ..telling import report_line
from ..wording import describe_bake

_FRAME: dict[str, Any] = {
    "name": "Frame",
    "description": "A frame of the section",
    "options": FORGET,
}


class ANIM_OT_locomotion_section_bake(SteppedOperator, bpy.types.Operator):
    """Bake one section of the active character again."""

    bl_idname = "anim.locomotion_section_bake"
    bl_label = "Bake Section"
    bl_description = (
        "Bake this section again with its own frames and travel; the others, and what is keyed "
        "between them, stay"
    )
    bl_options = {"REGISTER", "UNDO"}

    frame: IntProperty(**_FRAME)

    poll = classmethod(poll_active_baked)

    def make_steps(self, context: bpy.types.Context) -> Steps[PreparedBake]:
        """Compute the walk of the section."""
        armature = get_active_armature(context)
        section = sections.get_section(armature, self.frame)
        request = sections.make_section_request(armature, section)
        return (yield from prepare_set_up_bake(armature, context.scene, request))

    def finish(self, context: bpy.types.Context, result: PreparedBake) -> None:
        """Write the keys."""
        armature = result.character.armature
        baked = write_set_up_bake(result, partial(self.tell, context))
        report_line(self, {"INFO"}, describe_bake(armature, baked, False))


class ANIM_OT_locomotion_section_show(bpy.types.Operator):
    """Show what a section was baked for."""

    bl_idname = "anim.locomotion_section_show"
    bl_label = "Show Section"
    bl_description = (
        "Put the frames and the travel of this section into the panels, "
        "to change them and bake again"
    )
    bl_options = {"REGISTER", "UNDO"}

    frame: IntProperty(**_FRAME)

    poll = classmethod(poll_active_baked)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set the properties."""
        armature = get_active_armature(context)
        try:
            section = sections.get_section(armature, self.frame)
            sections.show_section(armature, section)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        report_line(self, {"INFO"}, f"The panels show {section.name}")
        return {"FINISHED"}


class ANIM_OT_locomotion_section_remove(bpy.types.Operator):
    """Remove one section of the active character."""

    bl_idname = "anim.locomotion_section_remove"
    bl_label = "Remove Section"
    bl_description = (
        "Take this section away and give back what was there before in its frames; the others, and "
        "what is keyed between them, stay. This ends Live and Auto Bake"
    )
    bl_options = {"REGISTER", "UNDO"}

    frame: IntProperty(**_FRAME)

    poll = classmethod(poll_active_baked)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        armature = get_active_armature(context)
        try:
            section = sections.get_section(armature, self.frame)
            if is_live(armature):
                watching.stop_live(armature)
            if is_auto_baked(armature):
                watching.stop_auto_bake(armature)
            sections.remove_section(armature, section)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            live_handlers.install()
        report_line(self, {"INFO"}, f"Removed {section.name} of {armature.name}")
        return {"FINISHED"}


class ANIM_OT_locomotion_edit_remove(SteppedOperator, bpy.types.Operator):
    """Bake a section of the active character again without a change by hand."""

    bl_idname = "anim.locomotion_edit_remove"
    bl_label = "Remove Edit"
    bl_description = "Take what was changed by hand off the walk, and bake its section again"
    bl_options = {"REGISTER", "UNDO"}

    path: StringProperty(
        name="Path",
        description="Data path of what was changed; empty for all edits of the section",
        options=FORGET,
    )
    frame: IntProperty(name="Frame", description="The first frame that was changed", options=FORGET)

    poll = classmethod(poll_active_baked)

    def make_steps(self, context: bpy.types.Context) -> Steps[tuple[PreparedBake, str]]:
        """Compute the walk without the edit."""
        armature = get_active_armature(context)
        request, name = sections.make_removal_request(armature, self.path, self.frame)
        prepared = yield from prepare_set_up_bake(armature, context.scene, request)
        return prepared, name

    def finish(self, context: bpy.types.Context, result: tuple[PreparedBake, str]) -> None:
        """Write the keys."""
        prepared, name = result
        armature = prepared.character.armature
        baked = write_set_up_bake(prepared, partial(self.tell, context))
        report_line(self, {"INFO"}, f"Removed {name}; {describe_bake(armature, baked, False)}")


_CLASSES = (
    ANIM_OT_locomotion_section_bake,
    ANIM_OT_locomotion_section_show,
    ANIM_OT_locomotion_section_remove,
    ANIM_OT_locomotion_edit_remove,
)


def register() -> None:
    """Add the operators."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Take them out."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
