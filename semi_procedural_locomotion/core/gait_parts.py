# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones besides the legs take part in a made gait (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .rig import Rig
from .rotations import FloatArray
from .skeleton import Skeleton, compute_rest_poses

# A bone belongs to the middle where it lies within this share of L of the body's own plane.
_MIDDLE_SHARE = 0.02
# Mirrored bones agree in place within this share of L.
_MIRROR_SHARE = 0.05
# An arm has at least upper arm and forearm; four bones and more begin with a shoulder.
_LEAST_ARM = 2


@dataclass(frozen=True)
class Arm:
    """Bones of one arm by index.

    Attributes
    ----------
    side
        1 on the left, -1 on the right.
    shoulder
        The collar bone, or None.
    upper, fore
        Upper arm and forearm.
    hand
        The hand, or None.
    """

    side: int
    shoulder: int | None
    upper: int
    fore: int
    hand: int | None


@dataclass(frozen=True)
class BodyParts:
    """Bones of the body by index; every part may be empty.

    Attributes
    ----------
    spine
        From the bone above the rig's body up to the chest, which is the last.
    neck
        From above the chest up to below the head.
    head
        The head or None.
    arms
        Arms that hang from the chest.
    tail
        From the root of the tail to its tip.
    """

    spine: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    head: int | None = None
    arms: tuple[Arm, ...] = ()
    tail: tuple[int, ...] = ()


def find_body_parts(rig: Rig) -> BodyParts:
    """Spine, neck, head and arms told from the shape of the bone tree alone.

    Parameters
    ----------
    rig
        The rig; bones of its legs are never taken.

    Returns
    -------
    BodyParts
        The spine is the chain of middle bones from the body upward to the first bone from which a
        mirrored pair of arms or front legs hangs; what follows it in the middle is neck and head.
        Tails are not looked for.
    """
    skeleton = rig.skeleton
    positions = compute_rest_poses(skeleton)[1]
    leg_bones = {b for leg in rig.legs for b in skeleton.find_descendants(leg.joints[0])}
    middle = _find_middle_chain(rig, positions, leg_bones)
    arms: tuple[Arm, ...] = ()
    chest = -1
    for place, bone in enumerate(middle):
        hips_here = any(bone in skeleton.find_ancestors(leg.joints[0]) for leg in rig.legs)
        found = _find_arms(rig, positions, bone, leg_bones)
        if found or hips_here:
            chest, arms = place, found
    if chest < 0:
        return BodyParts(spine=tuple(middle[:-1]), head=middle[-1] if middle else None)
    above = middle[chest + 1 :]
    return BodyParts(
        spine=tuple(middle[: chest + 1]),
        neck=tuple(above[:-1]),
        head=above[-1] if above else None,
        arms=arms,
    )


def _list_children(skeleton: Skeleton, bone: int) -> list[int]:
    """Direct children of a bone."""
    return [int(child) for child in np.flatnonzero(skeleton.parents == bone)]


def _find_middle_chain(rig: Rig, positions: FloatArray, leg_bones: set[int]) -> list[int]:
    """Bones above the body in the middle plane, always the child that reaches farthest."""
    left = np.array([-rig.forward[1], rig.forward[0], 0.0])
    ahead = np.array([rig.forward[0], rig.forward[1], 1.0])
    origin = positions[rig.body]
    chain: list[int] = []
    bone = rig.body
    while True:
        best, best_reach = -1, 0.0
        for child in _list_children(rig.skeleton, bone):
            aside = abs(float((positions[child] - origin) @ left))
            if child in leg_bones or aside > _MIDDLE_SHARE * rig.leg_length:
                continue
            below = rig.skeleton.find_descendants(child)
            reach = float(np.max((positions[below] - origin) @ ahead))
            if best < 0 or reach > best_reach:
                best, best_reach = child, reach
        if best < 0 or float((positions[best] - origin) @ ahead) < 0:
            return chain
        chain.append(best)
        bone = best


def _find_arms(rig: Rig, positions: FloatArray, bone: int, leg_bones: set[int]) -> tuple[Arm, ...]:
    """A mirrored pair of chains of ``bone``'s children, left first; empty where there is none."""
    left = np.array([-rig.forward[1], rig.forward[0], 0.0])
    origin = positions[rig.body]
    limit = _MIRROR_SHARE * rig.leg_length
    children = [c for c in _list_children(rig.skeleton, bone) if c not in leg_bones]
    for first in children:
        mirrored = positions[first] - 2.0 * ((positions[first] - origin) @ left) * left
        for second in children:
            aside = float((positions[first] - origin) @ left)
            close = float(np.linalg.norm(positions[second] - mirrored)) < limit
            if first == second or aside <= 0 or not close:
                continue
            arms = (_read_arm(rig, first, 1), _read_arm(rig, second, -1))
            if arms[0] is not None and arms[1] is not None:
                return arms[0], arms[1]
    return ()


def _read_arm(rig: Rig, top: int, side: int) -> Arm | None:
    """The arm that begins at ``top``: a chain down to the first fork."""
    chain = [top]
    while len(children := _list_children(rig.skeleton, chain[-1])) == 1:
        chain.append(children[0])
    if len(chain) < _LEAST_ARM:
        return None
    if len(chain) == _LEAST_ARM:
        return Arm(side, None, chain[0], chain[1], None)
    if len(chain) == _LEAST_ARM + 1:
        return Arm(side, None, chain[0], chain[1], chain[2])
    return Arm(side, chain[0], chain[1], chain[2], chain[3])
