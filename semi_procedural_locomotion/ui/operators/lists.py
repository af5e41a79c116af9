# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of the lists in the panels, and the way to the frame that a report names."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty

from ...blender.setup.characters import collect_character
from ...blender.setup.ground_properties import add_left_out, list_left_out
from ...blender.setup.motion_groups import list_used_groups
from ...blender.setup.values import move_entry, remove_entry
from ...blender.setup.weights import move_weighted, remove_weighted
from ..choices import FORGET
from ..targets import get_active_armature, poll_active_character
from ..telling import report_line

# Group of the character's properties, its list, and the number of the list's active entry.
_LISTS = {
    "MOTIONS": ("", "motions", "active_motion"),
    "GROUPS": ("", "groups", "active_group"),
    "LAYERS": ("", "layers", "active_layer"),
    "GROUND": ("ground", "objects", "active_object"),
    "LEFT_OUT": ("ground", "left_out", "active_left_out"),
    "POINTS": ("travel", "points", "active_point"),
}
# Lists whose entries have weights that may be keyed.
_WEIGHTED = frozenset({"GROUPS", "LAYERS"})
_TIPS = {
    ("MOTIONS", "ADD"): "Add an entry, then choose its action below",
    (
        "GROUPS",
        "ADD",
    ): "Add a group, one that motions are in and that is not listed yet if there is any",
    ("LAYERS", "ADD"): "Add a layer, then choose its action and its bones below",
    ("GROUND", "ADD"): "Add the selected meshes, or an entry to choose an object in",
    ("LEFT_OUT", "ADD"): "Add an entry to choose an object or a collection in",
    ("POINTS", "ADD"): "Add a point at the 3D cursor",
}


class ANIM_OT_locomotion_list(bpy.types.Operator):
    """Change a list of the active character."""

    bl_idname = "anim.locomotion_list"
    bl_label = "Edit List"
    bl_description = "Add, remove or move an entry of a list of the active character"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    target: EnumProperty(
        name="List",
        description="Which list",
        items=(
            ("MOTIONS", "Motions", "Actions that the walk is made of"),
            ("GROUPS", "Groups", "Groups of motions, each with a weight"),
            ("LAYERS", "Layers", "Actions that some bones follow over the walk"),
            ("GROUND", "Ground", "Objects to walk on"),
            ("LEFT_OUT", "Left Out", "Objects and collections that are no ground"),
            ("POINTS", "Points", "Points of the path"),
        ),
        options=FORGET,
    )
    change: EnumProperty(
        name="Change",
        description="What to do",
        items=(
            ("ADD", "Add", "Add an entry"),
            ("REMOVE", "Remove", "Remove the active entry"),
            ("UP", "Move Up", "Move the active entry up"),
            ("DOWN", "Move Down", "Move the active entry down"),
        ),
        options=FORGET,
    )

    poll = classmethod(poll_active_character)

    @classmethod
    def description(
        cls,
        context: bpy.types.Context,  # noqa: ARG003
        properties: bpy.types.OperatorProperties,
    ) -> str:
        """The tooltip of each button."""
        item = properties.bl_rna.properties["change"].enum_items[properties.change]
        return _TIPS.get((properties.target, properties.change), item.description)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the list, or report that there is nothing to change."""
        armature = get_active_armature(context)
        # Blender does not see changes of properties by operators; Live and Auto Bake follow them.
        armature.update_tag()
        group_name, list_name, index_name = _LISTS[self.target]
        group = getattr(armature.locomotion, group_name) if group_name else armature.locomotion
        entries, active = getattr(group, list_name), getattr(group, index_name)
        if self.change == "ADD":
            _add_entries(self.target, entries, context, armature)
            setattr(group, index_name, len(entries) - 1)
            return {"FINISHED"}
        if active >= len(entries):
            report_line(self, {"WARNING"}, "The list has no active entry")
            return {"CANCELLED"}
        if self.change == "REMOVE":
            if self.target in _WEIGHTED:
                remove_weighted(armature, list_name, active)
            else:
                remove_entry(group, list_name, active)
            setattr(group, index_name, max(min(active, len(entries) - 1), 0))
            return {"FINISHED"}
        place = active + (1 if self.change == "DOWN" else -1)
        if not 0 <= place < len(entries):
            return {"CANCELLED"}
        if self.target in _WEIGHTED:
            move_weighted(armature, list_name, active, place)
        else:
            move_entry(group, list_name, active, place)
        setattr(group, index_name, place)
        return {"FINISHED"}


def _add_entries(
    target: str,
    entries: bpy.types.bpy_prop_collection,
    context: bpy.types.Context,
    armature: bpy.types.Object,
) -> None:
    """Add what is chosen in the scene to a list."""
    if target == "POINTS":
        entries.add().location = context.scene.cursor.location[:2]
        return
    if target == "GROUPS":
        unlisted = [n for n in list_used_groups(armature) if n and entries.find(n) < 0]
        entries.add().name = unlisted[0] if unlisted else "group"
        return
    if target == "LAYERS":
        entry = entries.add()
        entry.name, entry.start = f"Layer {len(entries)}", context.scene.frame_start
        return
    if target == "GROUND":
        own = collect_character(armature)
        listed = {entry.object for entry in entries}
        chosen = [
            item
            for item in context.view_layer.objects.selected
            if item.type == "MESH" and item not in own and item not in listed
        ]
        for item in chosen:
            entries.add().object = item
        if chosen:
            return
    entries.add()


def _find_unlisted(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Selected objects that are of no character and not left out yet."""
    armature = get_active_armature(context)
    known = collect_character(armature) | set(list_left_out(armature.locomotion.ground))
    return [item for item in context.view_layer.objects.selected if item not in known]


class ANIM_OT_locomotion_leave_out(bpy.types.Operator):
    """Leave out what is selected beside the character."""

    bl_idname = "anim.locomotion_leave_out"
    bl_label = "Leave Out Selected"
    bl_description = (
        "Put the objects that are selected beside the active character on the list of what is no "
        "ground"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether something is selected that is not left out yet."""
        if not poll_active_character(cls, context):
            return False
        if not _find_unlisted(context):
            cls.poll_message_set("Select what to leave out first, and the character last")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add to the list."""
        armature = get_active_armature(context)
        # Blender does not see changes of properties by operators; Live and Auto Bake follow them.
        armature.update_tag()
        ground = armature.locomotion.ground
        items = _find_unlisted(context)
        for item in items:
            add_left_out(ground, item)
        ground.active_left_out = len(ground.left_out) - 1
        report_line(self, {"INFO"}, f"Left out: {', '.join(item.name for item in items)}")
        return {"FINISHED"}


class ANIM_OT_locomotion_worst_frame(bpy.types.Operator):
    """Go to the worst frame of the last bake."""

    bl_idname = "anim.locomotion_worst_frame"
    bl_label = "Jump to Worst Frame"
    bl_description = "Go to the frame that misses its bars by the most"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active character has a report."""
        if not poll_active_character(cls, context):
            return False
        if not get_active_armature(context).locomotion.report.values:
            cls.poll_message_set("Bake the walk first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the scene's frame."""
        context.scene.frame_set(get_active_armature(context).locomotion.report.worst_frame)
        return {"FINISHED"}


_CLASSES = (
    ANIM_OT_locomotion_list,
    ANIM_OT_locomotion_leave_out,
    ANIM_OT_locomotion_worst_frame,
)
register, unregister = bpy.utils.register_classes_factory(_CLASSES)
