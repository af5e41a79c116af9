# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers for bones in use, their twins, the ground and what touches it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UseLimits:
    """Which bones count, and for what (docs/method/legs.md, Evidence)."""

    least_weight: float = 0.4
    """Sum of vertex weights. A bone that carries less than half a vertex moves nothing one sees."""

    least_weight_share: float = 1e-4
    """Share of all vertex weight; the same for dense meshes, where stray weights add up."""

    shortest_tail: float = 0.05
    """Share of the segment before it. The tail of a leaf stands for an end joint that files leave
    out; stubs of importers are shorter. Only where no mesh tells."""

    longest_tail: float = 2.5
    """Share of the segment before it; longer tails are handles that point anywhere."""

    longest_reaching_tail: float = 1.2
    """Share of the segment before it. Where branches of a paw are compared by their reach a tail
    must be nearer to a true end than where only its height counts."""

    heavy_share: float = 0.45
    """Share of all vertex weight in a subtree. Above it the bone carries the trunk: no foot, and
    ground-level roots that are marked to deform do not touch the ground."""

    same_joint: float = 0.005
    """Share of S. Heads nearer than this are one joint."""

    rigify_bones: int = 6
    """Count of names of each of the three kinds (DEF, ORG, MCH) that make a generated Rigify rig."""


USE = UseLimits()


@dataclass(frozen=True)
class TwinLimits:
    """When bones may be mirror images (docs/method/legs.md, Points that touch the ground)."""

    length_agreement: float = 0.15
    """Share of the longer. Distances to the parent of hand-made sides differ by up to a tenth."""

    length_slack: float = 0.002
    """Share of the extent of all joints, on top of the agreement, for very short bones."""

    apart: float = 0.004
    """Share of the extent of all joints. Siblings nearer than this are one joint, not twins."""


TWINS = TwinLimits()


@dataclass(frozen=True)
class GroundLimits:
    """The ground of a clip and what touches it (docs/method/legs.md, Points that touch the ground)."""

    percentile: float = 15.0
    """Percent of the frames. The ground is the usual height of the lowest bone; the very lowest is
    a toe that dips below it for some frames."""

    tolerance: float = 0.10
    """Share of H. Feet of one character end this much above one another, heels and thick soles."""

    rest_mesh_tolerance: float = 0.05
    """Share of H, for a single pose with a mesh: nothing dips, so soles are level within this."""

    twin_tolerance: float = 0.22
    """Share of H. A foot whose twin stands may keep this much higher: there are runs in which one
    foot stays 0.24 L above the other."""

    contact_share: float = 0.06
    """Share of the frames of a clip near the ground that makes a contact; fast runs stand for a
    fifth of a cycle, and clips hold more than one."""

    pose_contact_share: float = 0.5
    """The same for a single pose: it touches or it does not."""

    most_tries: int = 4
    """Count. Where bones touch without their twins, such as a sword in one hand, the ground is
    looked for again without them, at most so often."""


GROUND = GroundLimits()


@dataclass(frozen=True)
class ForkLimits:
    """Toes of one paw and the bone they share (docs/method/legs.md, Points that touch the ground)."""

    most_weight: float = 0.30
    """Share of all vertex weight. A bone that carries more is more than a foot."""

    low: float = 0.25
    """Share of H. The fork of a paw comes at least once this near to the ground."""

    near: float = 0.25
    """Share of H. Toes of one paw are all this near to their fork."""

    branch_dominates: float = 0.6
    """Share of the longest horizontal reach. While no other branch reaches this far the longest is
    followed: a toe against the pivot of a heel."""

    same_joint: float = 0.01
    """Share of H. An unweighted foot this near to its shin, in the mean of a clip, adds nothing to
    it."""


FORKS = ForkLimits()
