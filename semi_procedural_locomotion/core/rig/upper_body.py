# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones besides the legs take part in a made gait (numpy only)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import UPPER_BODY
from .skeleton import Skeleton, compute_rest_poses
from .structure import Rig

_END_NAME = re.compile(r"end|nub|top|tip|site", re.IGNORECASE)


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
        The spine is the chain of middle bones from the body upward to the last bone from which a
        mirrored pair of arms or front legs hangs; what follows it in the middle is neck and head.
        A tail is a chain of middle bones that hangs from the body and reaches behind it.
    """
    skeleton = rig.skeleton
    positions = compute_rest_poses(skeleton)[1]
    leg_bones = {b for leg in rig.legs for b in skeleton.find_descendants(leg.joints[0])}
    carrying = {b for leg in rig.legs for b in skeleton.find_ancestors(leg.joints[0])}
    middle = _find_middle_chain(rig, positions, leg_bones)
    arms: tuple[Arm, ...] = ()
    chest, longest = -1, UPPER_BODY.least_arm * rig.leg_length
    for place, bone in enumerate(middle):
        if bone in carrying:
            chest = max(chest, place)
        found = _find_arms(rig, positions, bone, leg_bones | carrying)
        length = _measure_arm(positions, found[0]) if found else 0.0
        # Ears and fins are pairs as well, but shorter; wings would reach the ground.
        if length > longest and _hangs_free(rig, positions, found[0]):
            chest, longest, arms = max(chest, place), length, found
    tail = _find_tail(rig, positions, leg_bones.union(middle))
    if chest < 0:
        rest, head = tuple(middle[:-1]), middle[-1] if middle else None
        # Where one bone carries all of many legs, it is the whole trunk, and what follows is neck.
        if len(rig.legs) >= UPPER_BODY.many_legs:
            return BodyParts(neck=rest, head=head, tail=tail)
        return BodyParts(spine=rest, head=head, tail=tail)
    above = _trim_head(skeleton, positions, middle[chest + 1 :], rig.leg_length)
    return BodyParts(
        spine=tuple(middle[: chest + 1]),
        neck=tuple(above[:-1]),
        head=above[-1] if above else None,
        arms=arms,
        tail=tail,
    )


def _trim_head(
    skeleton: Skeleton, positions: FloatArray, chain: list[int], length: float
) -> list[int]:
    """Neck and head without what is carried by the head: a face, the end of the skull."""
    for place, (bone, following) in enumerate(pairwise(chain)):
        is_end = following == chain[-1] and not skeleton.children[following]
        named_end = is_end and _END_NAME.search(skeleton.names[following])
        branches = len(skeleton.children[bone]) >= UPPER_BODY.head_branches
        near = (
            float(rot.lengths(positions[following] - positions[bone]))
            < UPPER_BODY.same_joint * length
        )
        if near or named_end or branches:
            return chain[: place + 1]
    return chain


def _find_middle_chain(rig: Rig, positions: FloatArray, leg_bones: set[int]) -> list[int]:
    """Bones above the body in the middle plane, always the child that reaches farthest."""
    left = np.array([-rig.forward[1], rig.forward[0], 0.0])
    ahead = np.array([rig.forward[0], rig.forward[1], 1.0])
    origin = positions[rig.body]
    chain: list[int] = []
    bone = rig.body

    def measure(child: int) -> float:
        below = rig.skeleton.find_descendants(child)
        return float(np.max((positions[below] - origin) @ ahead))

    while True:
        inside = [
            child
            for child in rig.skeleton.children[bone]
            if child not in leg_bones
            and abs(float((positions[child] - origin) @ left)) <= UPPER_BODY.middle * rig.leg_length
        ]
        best = _choose(inside, measure)
        if best is None or float((positions[best] - origin) @ ahead) < 0:
            return chain
        chain.append(best)
        bone = best


def _find_arms(rig: Rig, positions: FloatArray, bone: int, taken: set[int]) -> tuple[Arm, ...]:
    """A mirrored pair of chains of ``bone``'s children, left first; empty where there is none.

    The elbows tell the sides: shoulders may both begin in the middle. Bones of legs, and those that carry
    legs, are taken.
    """
    left = np.array([-rig.forward[1], rig.forward[0], 0.0])
    origin = positions[rig.body]
    limit = UPPER_BODY.mirrored * rig.leg_length
    children = [child for child in rig.skeleton.children[bone] if child not in taken]
    arms = [
        arm for arm in (_read_arm(rig, positions, child) for child in children) if arm is not None
    ]
    elbows = positions[[arm.fore for arm in arms]]
    for number, arm in enumerate(arms):
        elbow = positions[arm.fore]
        aside = float((elbow - origin) @ left)
        if aside <= limit:
            continue
        mirrored = elbow - 2.0 * aside * left
        near = np.flatnonzero(rot.lengths(elbows - mirrored) < limit)
        other = next((place for place in near if place != number), None)
        if other is not None:
            return arm, replace(arms[other], side=-1)
    return ()


def _read_arm(rig: Rig, positions: FloatArray, top: int) -> Arm | None:
    """The arm that begins at ``top``, as a left one; its two longest bones in a row are its halves."""
    chain = [top]
    measure = partial(_measure_reach, rig, positions)
    while (below := _choose(rig.skeleton.children[chain[-1]], measure)) is not None:
        chain.append(below)
    if len(chain) < UPPER_BODY.least_arm_bones:
        return None
    if len(chain) == UPPER_BODY.least_arm_bones:
        return Arm(1, None, chain[0], chain[1], None)
    lengths = rot.lengths(np.diff(positions[chain], axis=0))
    # The shorter of both decides: hands and most collar bones are shorter than an arm's half.
    upper = int(np.argmax(np.minimum(lengths[:-1], lengths[1:])))
    if upper == 0 and len(chain) > UPPER_BODY.least_arm_bones + 1:
        left = np.array([-rig.forward[1], rig.forward[0], 0.0])
        aside = np.abs((positions[chain[:2]] - positions[rig.body]) @ left)
        upper = int(aside[0] < UPPER_BODY.collar * aside[1])
    shoulder = chain[upper - 1] if upper else None
    return Arm(1, shoulder, *chain[upper : upper + 3])


def _hangs_free(rig: Rig, positions: FloatArray, arm: Arm) -> bool:
    """Whether an arm with all that it carries stays above the ground when it hangs."""
    below = rig.skeleton.find_descendants(arm.upper)
    reach = float(rot.lengths(positions[below] - positions[arm.upper]).max())
    return float(positions[arm.upper][2]) - rig.ground_height > UPPER_BODY.free_hang * reach


def _measure_arm(positions: FloatArray, arm: Arm) -> float:
    """Length of the upper arm, and of the forearm where a hand tells it, metres."""
    joints = [arm.upper, arm.fore, *(() if arm.hand is None else (arm.hand,))]
    return float(rot.lengths(np.diff(positions[joints], axis=0)).sum())


def _measure_reach(rig: Rig, positions: FloatArray, bone: int) -> float:
    """How far the bones below a bone lie from it and from its parent's head, metres."""
    below = rig.skeleton.find_descendants(bone)
    origin = positions[rig.skeleton.parents[bone]]
    return float(rot.lengths(positions[below] - origin).max())


def _choose(bones: Sequence[int], measure: Callable[[int], float]) -> int | None:
    """The first bone of which most is measured; None of none, and one alone is not measured."""
    return max(bones, key=measure, default=None) if len(bones) > 1 else next(iter(bones), None)


def _find_tail(rig: Rig, positions: FloatArray, taken: set[int]) -> tuple[int, ...]:
    """The chain of middle bones that reaches farthest behind the body, from its root."""
    left = np.array([-rig.forward[1], rig.forward[0], 0.0])
    behind = -np.array([rig.forward[0], rig.forward[1], 0.0])
    origin, skeleton = positions[rig.body], rig.skeleton
    best: tuple[int, ...] = ()
    least = UPPER_BODY.least_tail * rig.leg_length
    for root in skeleton.children[rig.body]:
        chain: list[int] = []
        bone: int | None = root
        while bone is not None:
            aside = abs(float((positions[bone] - origin) @ left))
            if bone in taken or aside > UPPER_BODY.middle * rig.leg_length:
                break
            chain.append(bone)
            bone = _choose(skeleton.children[bone], partial(_measure_reach, rig, positions))
        if len(chain) < UPPER_BODY.least_tail_bones:
            continue
        if float((positions[chain[-1]] - origin) @ behind) > least:
            least = float((positions[chain[-1]] - origin) @ behind)
            best = tuple(chain)
    return best
