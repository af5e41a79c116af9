# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that stand right only in a pose which no clip keys."""

from __future__ import annotations

import bpy
from mathutils import Matrix

from semi_procedural_locomotion.blender import versions


def build_away(armature: bpy.types.Object, away: Matrix, bones: int = 1) -> list[str]:
    """Build an armature and its meshes moved away, and pose new roots so that all is shown as before.

    Parameters
    ----------
    armature
        Its clips go on moving its bones against what carries them.
    away
        From where its bones were to where they are built, shape (4, 4).
    bones
        How many new bones share in bringing them back, one under the other.

    Returns
    -------
    list of str
        Names of the new bones.
    """
    armature.data.transform(away)
    size = away.to_scale()[0]
    for action in bpy.data.actions:
        for curve in versions.get_curves(action, versions.find_slot(action, armature)):
            if curve.data_path.endswith(".location"):
                for key in curve.keyframe_points:
                    key.co[1] *= size
    for item in armature.children_recursive:
        if item.type == "MESH" and item.parent_type == "OBJECT":
            item.data.transform(away)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edited = armature.data.edit_bones
    tops = [bone for bone in edited if bone.parent is None]
    above, names = None, []
    for number in range(bones):
        bone = edited.new(f"Carrier{number}")
        bone.head, bone.tail, bone.parent = (0.0, 0.0, 0.0), (0.0, 0.3, 0.0), above
        bone.use_deform = False
        above = bone
        names.append(bone.name)
    for bone in tops:
        bone.parent = above
    bpy.ops.object.mode_set(mode="OBJECT")
    place, turn, size = away.inverted().decompose()
    rest = armature.data.bones[names[0]].matrix_local
    # Turns about one axis and even scales may be shared; places belong to the first alone.
    share = Matrix.LocRotScale(None, turn.copy(), size)
    if bones > 1:
        axis, angle = turn.to_axis_angle()
        share = Matrix.Rotation(angle / bones, 4, axis)
    for number, name in enumerate(names):
        own = share if number else Matrix.Translation(place) @ share
        armature.pose.bones[name].matrix_basis = rest.inverted() @ own @ rest
    bpy.context.view_layer.update()
    return names
