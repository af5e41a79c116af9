# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels of an object that shall stand somewhere, and bones measured against it."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.keys.eulers import channels_from_quaternions
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ..values.matrices import get_rotation_property, read_delta_rotation


def compute_object_channels(
    armature: bpy.types.Object, matrices: FloatArray
) -> dict[str, FloatArray]:
    """Location and rotation by which an object's own transform is as given.

    Parameters
    ----------
    armature
        The object.
    matrices
        Its own transform, delta transforms in, by which its parent's is followed, shape (N, 4, 4).

    Returns
    -------
    dict
        By the name of the property, shape (N, 3) or (N, 4).
    """
    mode = armature.rotation_mode
    name = get_rotation_property(mode)
    turns = rot.quaternions_from_matrices(rot.orthonormalize_axes(matrices[:, :3, :3]))
    turns = rot.multiply(rot.conjugate(read_delta_rotation(armature)), turns)
    return {
        "location": matrices[:, :3, 3] - np.array(armature.delta_location),
        name: channels_from_quaternions(turns, mode, list(getattr(armature, name))),
    }


def measure_bones(armature: bpy.types.Object) -> float:
    """The longest side of the box around all bones at rest, armature units."""
    heads = np.array([bone.head_local for bone in armature.data.bones])
    tails = np.array([bone.tail_local for bone in armature.data.bones])
    return float(np.ptp(np.concatenate([heads, tails]), axis=0).max())
