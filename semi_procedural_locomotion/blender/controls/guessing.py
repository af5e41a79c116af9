# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the controls of a rig begin with before they are corrected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import bpy
import numpy as np

from ...core.keys.channels import BasisPoses, basis_from_poses
from ...core.maths import rotations as rot
from ...core.pose import PoseArray
from ...core.rig.controls.correcting import move_controls
from ...core.rig.controls.targets import find_targets
from .. import versions
from ..limits import WRITING
from ..values.curves import TRANSFORM_PROPERTIES, read_keys, split_bone_path
from .tasks import WalkOnControls


def guess_channels(walk: WalkOnControls) -> BasisPoses:
    """Channels of the layout's bones to begin with: as the motions have them, else at rest.

    What the walk offsets is left to the control of the body.
    """
    indices, layout = walk.indices, walk.layout
    poses = _take_back_offsets(walk)
    basis = basis_from_poses(
        layout,
        poses.rotations[:, indices],
        poses.translations[:, indices],
        poses.scales[:, indices],
    )
    names = layout.skeleton.names
    # A root that nothing keys is where it was placed, and held bones stand as they are held.
    held = {bone.name for bone in walk.rig.skeleton.held}
    own = {*walk.keyed, *held, walk.carrier, walk.controls.root}
    fresh = [walk.find_place(n) for n in walk.written if n not in own]
    basis.rotations[:, fresh] = rot.IDENTITY
    basis.locations[:, fresh], basis.scales[:, fresh] = 0.0, 1.0
    if not walk.carrier:
        return basis
    skeleton = walk.rig.skeleton
    chosen = [skeleton.find_index(name) for name in names]
    standing = find_targets(skeleton, poses, chosen)
    root = walk.find_place(walk.carrier)
    travelling = find_targets(skeleton, poses, [chosen[root]], walk.world)
    return move_controls(walk.make_task(), {root: travelling[:, 0]}, standing, basis)


def _take_back_offsets(walk: WalkOnControls) -> PoseArray:
    """The poses without what the control of the body is to do: a root stays on the ground."""
    poses, skeleton = walk.poses, walk.rig.skeleton
    if skeleton.names[walk.rig.body] != walk.controls.body:
        poses = poses.take_back_offset(walk.rig.body)
    tops = [n for n in walk.written if skeleton.parents[skeleton.find_index(n)] < 0]
    still = [n for n in tops if n != walk.controls.body and n in walk.keyed]
    bones = [skeleton.find_index(n) for n in still if _rests(walk, n)]
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    rest = skeleton.rest_rotations[bones], skeleton.rest_translations[bones]
    if poses.placement is not None:
        rest = poses.placement.place_roots(*rest)
    rotations[:, bones], translations[:, bones] = rest
    return replace(poses, rotations=rotations, translations=translations)


def _rests(walk: WalkOnControls, name: str) -> bool:
    """Whether all motions of a walk that are in use hold a bone at rest."""
    character = getattr(walk.armature, "locomotion", None)
    entries = () if character is None else character.motions
    unused = {entry.action for entry in entries if not entry.enabled}
    size = float(np.abs(walk.rig.skeleton.rest_translations).max()) / walk.rig.skeleton.object_scale
    curves = [
        curve
        for action in walk.sources or ()
        if action not in unused
        for curve in _list_curves(action, walk.armature)
        if split_bone_path(curve.data_path)[0] == name
    ]
    return bool(curves) and all(_holds_rest(curve, size) for curve in curves)


def _list_curves(
    action: bpy.types.Action, armature: bpy.types.Object
) -> Iterable[bpy.types.FCurve]:
    """Curves of an action for an armature object."""
    slot = versions.find_slot(action, armature)
    return () if slot is None else versions.get_curves(action, slot)


def _holds_rest(curve: bpy.types.FCurve, size: float) -> bool:
    """Whether a curve of a bone keys what the bone is at rest."""
    name = split_bone_path(curve.data_path)[1]
    if name not in TRANSFORM_PROPERTIES:
        return True
    is_whole = name == "scale" or (name == "rotation_quaternion" and curve.array_index == 0)
    if name == "rotation_axis_angle" and curve.array_index > 0:
        return True
    most = WRITING.posed * (size if name == "location" else 1.0)
    return bool(np.abs(read_keys(curve)[:, 1] - float(is_whole)).max(initial=0.0) <= most)
