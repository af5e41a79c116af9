# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the walk's motions key besides transforms, such as a switch from IK to FK, as channels of a bake.

A clip is made for a state of its rig, and it is seen right in that state alone. So the bake keys what
the clips key, blended like their poses, and gives it back where the walk ends or is taken away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...core.pose import PoseArray
from ..values.bake_record import ChannelKey
from ..values.components import is_whole, read_component
from ..values.curves import split_bone_path
from .channels import ChannelValues
from .influences import evaluate_under


def compute_switches(
    armature: bpy.types.Object,
    poses: PoseArray,
    frames: FloatArray,
    under: Sequence[bpy.types.FCurve],
    known: Mapping[ChannelKey, float],
    weights: FloatArray,
    taken: Set[str],
) -> list[ChannelValues]:
    """Channels of all properties that the motions of a walk key.

    Parameters
    ----------
    armature
        The character's object.
    poses
        The walk at N frames.
    frames
        Scene frames, shape (N,).
    under
        Curves of the animation under the bake.
    known
        What properties were that an earlier bake keys.
    weights
        Share of the walk at each frame, shape (N,).
    taken
        Data paths that the bake writes otherwise.

    Returns
    -------
    list of ChannelValues
        Without those that the armature does not have.
    """
    below = {(c.data_path, c.array_index): c for c in under if not c.mute}
    found = []
    for key, blended in poses.properties.items():
        path, index = key
        present = known.get(key, read_component(armature, key))
        if present is None or path in taken:
            continue
        curve = below.get(key)
        before = evaluate_under(curve, present, frames)
        values = blended.fill(present)
        if is_whole(armature, path):
            values = np.where(weights >= 0.5, np.round(values), before)
        else:
            values = before + (values - before) * weights
        bone, name = split_bone_path(path)
        column = np.full((len(frames), index + 1), np.nan)
        column[:, index] = values
        found.append(ChannelValues(bone, name, column))
    return found
