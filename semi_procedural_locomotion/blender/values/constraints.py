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
