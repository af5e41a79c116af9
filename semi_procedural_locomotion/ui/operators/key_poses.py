# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses: store, show, key, copy and remove."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty

from ...api.key_poses import copy_key_pose, show_key_pose, store_pose
from ...blender.setup.key_poses import remove_key_pose
from ...errors import LocomotionError
from ..choices import FORGET
from ..targets import find_armatures, get_active_armature, poll_active
from ..telling import report_line


def _poll_stored(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether the active armature has a stored pose."""
    if not poll_active(operator, context):
        return False
    if not len(get_active_armature(context).locomotion.key_poses):
        operator.poll_message_set("Store a pose first")
        return False
    return True


class POSE_OT_locomotion_store(bpy.types.Operator):
    """Store the pose of the active armature."""

    bl_idname = "pose.locomotion_store"
    bl_label = "Store Key Pose"
    bl_description = (
        "Store how the selected bones stand, or all in Object Mode or where none is selected"
    )
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Name", description="Name of the pose", default="Pose")

    poll = classmethod(poll_active)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Store it."""
        armature = get_active_armature(context)
        chosen = context.selected_pose_bones or () if context.mode == "POSE" else ()
        bones = [bone.name for bone in chosen if bone.id_data == armature]
        try:
            name = store_pose(armature, self.name, bones or None)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        report_line(self, {"INFO"}, f"Stored {name}")
        return {"FINISHED"}


class POSE_OT_locomotion_show(bpy.types.Operator):
    """Bring the active armature to a stored pose."""

    bl_idname = "pose.locomotion_show"
    bl_label = "Show Key Pose"
    bl_description = (
        "Bring the bones of the active armature to the stored pose, or a share of the way"
    )
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(
        name="Name", description="Name of the pose; empty for the active one", options=FORGET
    )
    share: FloatProperty(
        name="Share",
        description="How far from the present pose to the stored one",
        subtype="FACTOR",
        min=0.0,
        max=1.0,
        default=1.0,
        options=FORGET,
    )
    use_keys: BoolProperty(
        name="Insert Keys",
        description="Key the bones of the pose at the current frame",
        default=False,
    )

    poll = classmethod(_poll_stored)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Pose the bones."""
        armature = get_active_armature(context)
        frame = context.scene.frame_current if self.use_keys else None
        try:
            missing = show_key_pose(armature, self.name or None, self.share, keys_frame=frame)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        if missing:
            report_line(
                self, {"WARNING"}, f"{armature.name} lacks bones of the pose: {', '.join(missing)}"
            )
        return {"FINISHED"}


class POSE_OT_locomotion_copy(bpy.types.Operator):
    """Copy a stored pose to other armatures."""

    bl_idname = "pose.locomotion_copy"
    bl_label = "Copy Key Pose to Selected"
    bl_description = (
        "Copy the stored pose of the active armature to the other selected ones, by the names of their "
        "bones, or by legs, spine and arms where the names or axes differ"
    )
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(
        name="Name", description="Name of the pose; empty for the active one", options=FORGET
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a pose, and another armature to copy it to."""
        if not _poll_stored(cls, context):
            return False
        if len(find_armatures(context)) < 2:
            cls.poll_message_set("Select other armatures first, and this one last")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy it to each."""
        armature = get_active_armature(context)
        made = 0
        for target in find_armatures(context):
            if target == armature:
                continue
            try:
                name, by_names = copy_key_pose(armature, target, self.name or None)
            except LocomotionError as error:
                report_line(self, {"ERROR"}, f"{target.name}: {error}")
                continue
            made += 1
            how = "the names of its bones" if by_names else "legs, spine and arms"
            report_line(self, {"INFO"}, f"Copied {name} to {target.name} by {how}")
        return {"FINISHED"} if made else {"CANCELLED"}


class POSE_OT_locomotion_remove(bpy.types.Operator):
    """Remove a stored pose."""

    bl_idname = "pose.locomotion_remove"
    bl_label = "Remove Key Pose"
    bl_description = "Remove the stored pose that is marked in the list"
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(_poll_stored)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        armature = get_active_armature(context)
        remove_key_pose(armature, armature.locomotion.active_key_pose)
        return {"FINISHED"}


_CLASSES = (
    POSE_OT_locomotion_store,
    POSE_OT_locomotion_show,
    POSE_OT_locomotion_copy,
    POSE_OT_locomotion_remove,
)
register, unregister = bpy.utils.register_classes_factory(_CLASSES)
