# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What constraints aim at."""

from __future__ import annotations

import bpy

CARRYING = frozenset({"ARMATURE", "CHILD_OF", "COPY_TRANSFORMS"})
"""Types of constraints that make their owner go with a target as a child does."""


def list_holders(constraint: bpy.types.Constraint) -> list[bpy.types.bpy_struct]:
    """What of a constraint holds targets: itself, and the entries of one with a list of them."""
    return [constraint, *getattr(constraint, "targets", ())]


def list_targets(constraint: bpy.types.Constraint) -> list[bpy.types.Object]:
    """Objects that a constraint follows, without pole targets."""
    found = [getattr(holder, "target", None) for holder in list_holders(constraint)]
    return [target for target in found if target is not None]


def find_copied_armature(armature: bpy.types.Object) -> bpy.types.Object | None:
    """Another armature whose bones most bones of this one copy by constraints; None where none is."""
    bones = (
        [] if armature.pose is None else armature.pose.bones
    )  # no pose before a first evaluation
    counts: dict[bpy.types.Object, int] = {}
    for bone in bones:
        aims = {target for constraint in bone.constraints for target in list_targets(constraint)}
        for aim in aims:
            if aim != armature and aim.type == "ARMATURE":
                counts[aim] = counts.get(aim, 0) + 1
    chosen = max(counts, key=lambda item: counts[item], default=None)
    return chosen if chosen is not None and 2 * counts[chosen] > len(bones) else None
