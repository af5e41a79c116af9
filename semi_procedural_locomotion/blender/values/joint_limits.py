# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What bones may do: limits and locks of Inverse Kinematics, and Limit Rotation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
import numpy as np

from ...core.rig.limits import SOLVING
from ...core.rig.solvers.chains import JointRanges, make_limits
from .bake_record import ChannelKey, read_influence, read_values_before

_AXES = "xyz"


def read_joint_limits(armature: bpy.types.Object, names: Sequence[str]) -> JointRanges | None:
    """Limits of some bones, one below the other; None where nothing holds them.

    Angles count against the rest pose, about a bone's own axes. Limit Rotation counts in local space and
    at full influence, as it is without any bake. Locks that leave fewer angles than a foot needs are
    those of a chain that begins further up: there the rig's own solver turns what is missing, so only
    bounds hold the bones (docs/method/solvers.md, Legs).

    Parameters
    ----------
    armature
        The armature object.
    names
        Of K bones.
    """
    limits, before = make_limits(len(names)), read_values_before(armature)
    for place, name in enumerate(names):
        bone = armature.pose.bones[name]
        for axis, letter in enumerate(_AXES):
            limits.free[place, axis] = not getattr(bone, f"lock_ik_{letter}")
            if getattr(bone, f"use_ik_limit_{letter}"):
                _narrow(
                    limits,
                    place,
                    axis,
                    getattr(bone, f"ik_min_{letter}"),
                    getattr(bone, f"ik_max_{letter}"),
                )
        for constraint in bone.constraints:
            if _counts(constraint, before):
                for axis, letter in enumerate(_AXES):
                    if getattr(constraint, f"use_limit_{letter}"):
                        low = getattr(constraint, f"min_{letter}")
                        _narrow(limits, place, axis, low, getattr(constraint, f"max_{letter}"))
    if limits.count_angles() < SOLVING.least_angles:
        limits = limits.unlock()
    return limits if limits.is_limited else None


def is_aimed(armature: bpy.types.Object, names: Sequence[str]) -> bool:
    """Whether an IK constraint takes bones to another one, whatever a bake makes of its influence."""
    return any(
        constraint.type == "IK" and not constraint.mute and constraint.target == armature
        for name in names
        for constraint in armature.pose.bones[name].constraints
    )


def _counts(constraint: bpy.types.Constraint, before: Mapping[ChannelKey, float]) -> bool:
    """Whether a constraint limits the turns of a bone against its rest pose."""
    return (
        constraint.type == "LIMIT_ROTATION"
        and not constraint.mute
        and constraint.owner_space == "LOCAL"
        and read_influence(constraint, before) == 1.0
    )


def _narrow(limits: JointRanges, bone: int, axis: int, low: float, high: float) -> None:
    """Let an angle be within two bounds, radians, and within those that it had."""
    limits.lower[bone, axis] = max(limits.lower[bone, axis], low)
    limits.upper[bone, axis] = max(min(limits.upper[bone, axis], high), limits.lower[bone, axis])
    # Bounds that exclude each other leave one angle.
    limits.lower[bone, axis] = np.minimum(limits.lower[bone, axis], limits.upper[bone, axis])
