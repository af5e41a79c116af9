# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips written as ordinary actions."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import bpy
import numpy as np

from ...core.keys.channels import BasisPoses, basis_from_poses
from ...core.keys.eulers import channels_from_quaternions
from ...core.maths.rotations import FloatArray
from ...core.motions.clips import Clip
from ...core.motions.properties import PropertyKey
from ...core.rig.skeleton import Skeleton
from .. import versions
from ..limits import VALUE
from .armature import read_channel_layout
from .curves import build_bone_path, parse_bone_name, write_straight_keys
from .matrices import get_rotation_property
from .scene_state import get_frame_rate

FIRST_FRAME = 1.0
"""Frame of a clip's first sample."""


def write_clip(
    armature: bpy.types.Object,
    clip: Clip,
    skeleton: Skeleton,
    name: str,
    action: bpy.types.Action | None = None,
) -> bpy.types.Action:
    """An action that plays a clip; it is not assigned to the armature.

    Parameters
    ----------
    armature
        The armature object.
    clip
        Poses of the skeleton's bones, written at the scene's frame rate from frame 1.
    skeleton
        The armature's bones.
    name
        Name of a new action.
    action
        Write to this one instead, in place of the keys that it has for the armature.

    Returns
    -------
    bpy.types.Action
        With linear keys at the clip's samples, rotations in the mode of each bone; bones and
        channels that stay at rest have none, unless all of them do.
    """
    layout = read_channel_layout(armature, skeleton)
    basis = basis_from_poses(layout, clip.rotations, clip.translations, clip.scales)
    held = {bone.name for bone in skeleton.held}
    return write_basis(armature, clip.times, basis, skeleton.names, name, action, always_keyed=held)


def write_basis(
    armature: bpy.types.Object,
    times: FloatArray,
    basis: BasisPoses,
    bones: Sequence[str],
    name: str,
    action: bpy.types.Action | None = None,
    properties: Mapping[PropertyKey, FloatArray] | None = None,
    always_keyed: Container[str] = (),
) -> bpy.types.Action:
    """An action that plays channels of bones; it is not assigned to the armature.

    Parameters
    ----------
    armature
        The armature object.
    times
        Seconds, 0 at frame 1, shape (N,).
    basis
        Channels of B bones at those times.
    bones
        Their names.
    name, action
        As for `write_clip`.
    properties
        Values of what else is keyed, shape (N,), or one that stays.
    always_keyed
        Names of bones that get keys at rest as well, since they are posed otherwise.

    Returns
    -------
    bpy.types.Action
        As of `write_clip`.
    """
    if action is None:
        action = bpy.data.actions.new(name)
        action.use_fake_user = True
    _, channelbag = versions.ensure_channelbag(action, armature)
    channelbag.fcurves.clear()
    frames = FIRST_FRAME + times * get_frame_rate(bpy.context.scene)
    # An action without any keys would move nothing, and nobody could tell whose it is.
    least = VALUE.still if np.abs(basis.rotations[..., 1:]).max() > VALUE.still else -1.0
    for index, bone in enumerate(bones):
        if bone not in armature.pose.bones:
            continue  # the end of a bone
        turned = basis.rotations[:, index]
        asked = bone in always_keyed
        if asked or np.abs(turned[:, 1:]).max() > least:
            mode = armature.pose.bones[bone].rotation_mode
            path = build_bone_path(bone, get_rotation_property(mode))
            _write_curves(channelbag, path, bone, frames, channels_from_quaternions(turned, mode))
        moved = basis.locations[:, index]
        if asked or np.abs(moved).max() > VALUE.still:
            _write_curves(channelbag, build_bone_path(bone, "location"), bone, frames, moved)
    for (path, component), values in (properties or {}).items():
        curve = versions.add_curve(channelbag, path, component, parse_bone_name(path) or "")
        write_straight_keys(curve, frames[: len(values)], values)
    return action


def _write_curves(
    channelbag: bpy.types.ActionChannelbag,
    path: str,
    group: str,
    frames: FloatArray,
    values: FloatArray,
) -> None:
    """One curve with linear keys for each component of ``values`` (S, C)."""
    for component in range(values.shape[1]):
        curve = versions.add_curve(channelbag, path, component, group)
        write_straight_keys(curve, frames, values[:, component])
