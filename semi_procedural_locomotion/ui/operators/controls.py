# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls of characters looked for, chosen, mirrored, selected and forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from ...api.control_editing import mirror_controls
from ...api.controls import describe_output, find_probed, list_keyed, write_probed
from ...api.progress import Steps, chain_steps
from ...blender.setup.controls import clear_controls
from ...blender.setup.values import remove_entry
from ...blender.versions import select_bones
from ...core.rig.controls.mapping import ControlMap
from ...errors import LocomotionError
from ..choices import FORGET
from ..progress import SteppedOperator
from ..targets import find_characters, get_active_armature, poll_active_character, poll_characters
from ..telling import report_line
from ..wording import count

_LISTS = {"ROLLS": "rolls", "CHAIN": "chain", "SWITCHES": "switches"}
_NOUNS = {"ROLLS": "roll", "CHAIN": "joint of the FK chain", "SWITCHES": "switch"}


class ANIM_OT_locomotion_controls_probe(SteppedOperator, bpy.types.Operator):
    """Look for the controls of the selected characters."""

    bl_idname = "anim.locomotion_controls_probe"
    bl_label = "Probe"
    bl_description = (
        "Find the controls of the selected characters, by moving them a little on a copy and looking at "
        "what follows. What you chose by hand is kept"
    )
    bl_options = {"REGISTER", "UNDO"}

    use_reset: BoolProperty(
        name="Forget Choices",
        description="Use what is found in place of what was chosen by hand, too",
        options=FORGET,
    )

    poll = classmethod(poll_characters)

    @classmethod
    def description(
        cls,
        context: bpy.types.Context,  # noqa: ARG003
        properties: bpy.types.OperatorProperties,
    ) -> str:
        """The tooltip of both buttons."""
        if properties.use_reset:
            return "Find the controls anew, and forget what was chosen by hand"
        return cls.bl_description

    def make_steps(
        self, context: bpy.types.Context
    ) -> Steps[list[tuple[bpy.types.Object, ControlMap]]]:
        """Look for the controls of all selected characters."""
        characters = find_characters(context)
        found = yield from chain_steps([find_probed(item) for item in characters])
        return list(zip(characters, found, strict=True))

    def finish(
        self,
        context: bpy.types.Context,  # noqa: ARG002
        result: Sequence[tuple[bpy.types.Object, ControlMap]],
    ) -> None:
        """Keep what was found."""
        for armature, found in result:
            kept = write_probed(armature, found, not self.use_reset)
            output = armature.locomotion.settings.output.lower()
            lead = f"{armature.name}: " if len(result) > 1 else ""
            names = kept.bones
            text = f"found {count(len(names), 'control')}" if names else "found no controls"
            told, is_good = describe_output(kept, output)
            report_line(
                self, {"INFO" if is_good or not names else "WARNING"}, f"{lead}{text}. {told}"
            )

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show what can be chosen."""
        self.layout.prop(self, "use_reset")


def _poll_probed(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether the active character has controls that are kept."""
    if not poll_active_character(operator, context):
        return False
    if not get_active_armature(context).locomotion.controls.is_probed:
        operator.poll_message_set("The character's controls were not looked for: press Probe first")
        return False
    return True


class ANIM_OT_locomotion_controls_clear(bpy.types.Operator):
    """Forget the controls of the active character."""

    bl_idname = "anim.locomotion_controls_clear"
    bl_label = "Clear Controls"
    bl_description = (
        "Forget the controls of the character, those chosen by hand too; walks go onto the deforming "
        "bones then. The rig itself is not changed"
    )
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    poll = classmethod(_poll_probed)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget them."""
        armature = get_active_armature(context)
        clear_controls(armature)
        armature.update_tag()
        return {"FINISHED"}


class ANIM_OT_locomotion_controls_select(bpy.types.Operator):
    """Select the controls that a walk keys."""

    bl_idname = "anim.locomotion_controls_select"
    bl_label = "Select Controls"
    bl_description = (
        "Select the controls that the baked walk keys, in Pose Mode; before a bake, all that walks may "
        "be written on"
    )
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(_poll_probed)

    extend: BoolProperty(name="Extend", description="Keep what is selected already", options=FORGET)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select them, and tell which are hidden."""
        armature = get_active_armature(context)
        names = list_keyed(armature)
        if not names:
            report_line(
                self, {"WARNING"}, "The character has no controls: press Probe, or choose them"
            )
            return {"CANCELLED"}
        context.view_layer.objects.active = armature
        if armature.mode != "POSE":
            bpy.ops.object.mode_set(mode="POSE")
        if not self.extend:
            bpy.ops.pose.select_all(action="DESELECT")
        select_bones(armature, names, keeps_others=True)
        shown = {bone.name for bone in context.selected_pose_bones or ()}
        hidden = [name for name in names if name not in shown]
        told = f"Selected {count(len(names) - len(hidden), 'control')}"
        if hidden:
            told += f"; hidden: {', '.join(hidden)}"
        report_line(self, {"INFO"}, told)
        return {"FINISHED"}


class ANIM_OT_locomotion_controls_mirror(bpy.types.Operator):
    """Give the other leg the same controls."""

    bl_idname = "anim.locomotion_controls_mirror"
    bl_label = "Mirror Controls"
    bl_description = (
        "Give the leg of the other side the controls of this one, by the names of the bones"
    )
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    poll = classmethod(_poll_probed)

    leg: IntProperty(name="Leg", description="Number of the leg", min=0, options=FORGET)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Mirror them, or leave everything as it was."""
        armature = get_active_armature(context)
        if self.leg >= len(armature.locomotion.legs):
            report_line(self, {"ERROR"}, f"the character has no leg of number {self.leg}")
            return {"CANCELLED"}
        try:
            other = mirror_controls(armature, self.leg)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        report_line(self, {"INFO"}, f"Leg {other} has the same controls now")
        return {"FINISHED"}


class ANIM_OT_locomotion_controls_list(bpy.types.Operator):
    """Add an entry to a list of controls of a leg, or remove one."""

    bl_idname = "anim.locomotion_controls_list"
    bl_label = "Edit Controls"
    bl_description = "Add an entry, or remove this one"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    poll = classmethod(_poll_probed)

    entry: IntProperty(
        name="Leg", description="Number of the leg among those with controls", min=0, options=FORGET
    )
    target: EnumProperty(
        name="List",
        description="Which list",
        items=(
            ("ROLLS", "Rolls", "Controls that roll the foot"),
            ("CHAIN", "FK Chain", "Controls that turn the joints one by one"),
            ("SWITCHES", "Switches", "Properties that choose between IK and FK"),
        ),
        options=FORGET,
    )
    number: IntProperty(
        name="Number",
        description="Which entry to remove; -1 adds one",
        min=-1,
        default=-1,
        options=FORGET,
    )

    @classmethod
    def description(
        cls,
        context: bpy.types.Context,  # noqa: ARG003
        properties: bpy.types.OperatorProperties,
    ) -> str:
        """The tooltip of each button."""
        verb = "Add a" if properties.number < 0 else "Remove this"
        return f"{verb} {_NOUNS[properties.target]}"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the list."""
        armature = get_active_armature(context)
        legs, name = armature.locomotion.controls.legs, _LISTS[self.target]
        if self.entry >= len(legs) or self.number >= len(getattr(legs[self.entry], name)):
            report_line(self, {"WARNING"}, "The list has no such entry")
            return {"CANCELLED"}
        if self.number < 0:
            getattr(legs[self.entry], name).add()
        else:
            remove_entry(legs[self.entry], name, self.number)
        armature.update_tag()
        return {"FINISHED"}


_CLASSES = (
    ANIM_OT_locomotion_controls_probe,
    ANIM_OT_locomotion_controls_clear,
    ANIM_OT_locomotion_controls_select,
    ANIM_OT_locomotion_controls_mirror,
    ANIM_OT_locomotion_controls_list,
)
register, unregister = bpy.utils.register_classes_factory(_CLASSES)
