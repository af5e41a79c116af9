# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones of one character follow which of another (numpy only).

Legs, spine, neck, head, arms and tail are told by their place in the body. Names decide nothing but
the small bones that no part of the body has, as fingers: those follow their namesakes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....errors import RigError
from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ...rig.skeleton import Skeleton, compute_rest_poses
from ...rig.structure import Rig
from ...rig.upper_body import Arm, find_body_parts

_NAMESPACE = re.compile(r"^.*:")
_NO_LETTER = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True)
class BoneMatch:
    """A bone and what it follows.

    Attributes
    ----------
    bone
        Index of the bone.
    first, second, share
        Indices of the bones of the source between whose turns it follows: ``share`` of the second.
    aims
        Joints to which the bone and the first one point, of target and source; None where both
        are taken to stand alike at rest.
    """

    bone: int
    first: int
    second: int
    share: float = 0.0
    aims: tuple[int, int] | None = None


@dataclass(frozen=True)
class BodyMatch:
    """What follows what.

    Attributes
    ----------
    legs
        For each leg of the target the index of the source's leg that it follows.
    bones
        Bones without feet and toes, parents first.
    """

    legs: tuple[int, ...]
    bones: tuple[BoneMatch, ...]


def match_bodies(source: Rig, target: Rig) -> BodyMatch:
    """Which bones of a target follow which of a source.

    Raises
    ------
    RigError
        The characters do not have the same number of legs on each side.
    """
    legs = match_legs(source, target)
    ours, theirs = find_body_parts(target), find_body_parts(source)
    trunk = (source.body, *theirs.spine)
    crown = (trunk[-1], *theirs.neck, *(() if theirs.head is None else (theirs.head,)))
    head = () if ours.head is None else (ours.head,)
    tail = (source.body, *theirs.tail)
    found = [
        BoneMatch(target.body, source.body, source.body),
        *_spread(ours.spine, trunk),
        *_spread((*ours.neck, *head), crown),
        *(_spread(ours.tail, tail) if theirs.tail else ()),
    ]
    for arm in ours.arms:
        for other in theirs.arms:
            if arm.side == other.side:
                found += _match_arms(target.skeleton, arm, source.skeleton, other)
    for leg, number in zip(target.legs, legs, strict=True):
        chain = source.legs[number].joints
        if len(chain) == len(leg.joints):
            found += [
                BoneMatch(bone, chain[place], chain[place], aims=(following, chain[place + 1]))
                for place, (bone, following) in enumerate(
                    zip(leg.joints[:-1], leg.joints[1:], strict=True)
                )
            ]
    by_bone = {match.bone: match for match in reversed(found)}
    for match in _match_names(source, target, set(by_bone)):
        by_bone[match.bone] = match
    return BodyMatch(legs, tuple(by_bone[bone] for bone in sorted(by_bone)))


def match_legs(source: Rig, target: Rig) -> tuple[int, ...]:
    """For each leg of a target the index of the source's leg on the same side and as far in front.

    Raises
    ------
    RigError
        There are more legs on a side of the one than of the other.
    """
    ours, theirs = _order_legs(target), _order_legs(source)
    if [len(side) for side in ours] != [len(side) for side in theirs]:
        raise RigError(
            f"a walk on {len(source.legs)} legs cannot be given to a character with "
            f"{len(target.legs)}: choose a source with as many legs on each side"
        )
    partners = {
        leg: other
        for ours_of_side, theirs_of_side in zip(ours, theirs, strict=True)
        for leg, other in zip(ours_of_side, theirs_of_side, strict=True)
    }
    return tuple(partners[leg] for leg in range(len(target.legs)))


def _order_legs(rig: Rig) -> tuple[list[int], list[int]]:
    """Legs on the left and on the right, each from front to back."""
    positions = compute_rest_poses(rig.skeleton)[1][:, :2]
    left = np.array([-rig.forward[1], rig.forward[0]])
    places = np.array([positions[leg.joints[0]] + positions[leg.ankle] for leg in rig.legs])
    aside, ahead = (places - places.mean(axis=0)) @ left, places @ rig.forward
    order = [int(leg) for leg in np.argsort(-ahead, kind="stable")]
    return [leg for leg in order if aside[leg] > 0], [leg for leg in order if aside[leg] <= 0]


def _spread(bones: Sequence[int], others: Sequence[int]) -> list[BoneMatch]:
    """Bones of a chain that follow another chain, whose first bone carries it, by their share along."""
    if not bones:
        return []
    last = len(others) - 1
    places = [(number + 1) * last / len(bones) for number in range(len(bones))]
    found = []
    for bone, place in zip(bones, places, strict=True):
        low = min(int(place + 1e-9), last)
        share = max(place - low, 0.0)
        found.append(BoneMatch(bone, others[low], others[min(low + 1, last)], share))
    return found


def _match_arms(skeleton: Skeleton, arm: Arm, source: Skeleton, other: Arm) -> list[BoneMatch]:
    """Bones of an arm and what they follow."""
    found = [
        BoneMatch(arm.upper, other.upper, other.upper, aims=(arm.fore, other.fore)),
        BoneMatch(
            arm.fore,
            other.fore,
            other.fore,
            aims=None if arm.hand is None or other.hand is None else (arm.hand, other.hand),
        ),
    ]
    if arm.shoulder is not None and other.shoulder is not None:
        found.append(BoneMatch(arm.shoulder, other.shoulder, other.shoulder))
    if arm.hand is not None and other.hand is not None:
        tips = _find_far_child(skeleton, arm.hand), _find_far_child(source, other.hand)
        aims = None if tips[0] is None or tips[1] is None else (tips[0], tips[1])
        found.append(BoneMatch(arm.hand, other.hand, other.hand, aims=aims))
    return found


def _find_far_child(skeleton: Skeleton, bone: int) -> int | None:
    """The child that begins farthest from a bone's head; None where the bone has no child."""
    positions = compute_rest_poses(skeleton)[1]
    children = [int(child) for child in np.flatnonzero(skeleton.parents == bone)]
    away = {child: float(rot.lengths(positions[child] - positions[bone])) for child in children}
    return max(children, key=lambda child: away[child], default=None)


def _match_names(source: Rig, target: Rig, taken: set[int]) -> list[BoneMatch]:
    """Bones that no part of the body has, where the source's bone of that name hangs from it too."""
    skeleton = target.skeleton
    legs = {b for leg in target.legs for b in skeleton.find_descendants(leg.joints[0])}
    feet = {b for leg in target.legs for b in skeleton.find_descendants(leg.ankle)}
    known = {_read_bare_name(name): bone for bone, name in enumerate(source.skeleton.names)}
    below = set(source.skeleton.find_descendants(source.body))
    found = []
    for bone in skeleton.find_descendants(target.body):
        other = known.get(_read_bare_name(skeleton.names[bone]))
        if bone not in taken | legs | feet and other is not None and other in below:
            found.append(BoneMatch(bone, other, other))
    return found


def _read_bare_name(name: str) -> str:
    """A bone's name without namespace, case and marks."""
    return _NO_LETTER.sub("", _NAMESPACE.sub("", name).lower())


def align_rest(target: Rig, match: BodyMatch, rest: FloatArray) -> dict[int, FloatArray]:
    """Turns that bring limbs of the target's rest pose to where those of the source's are.

    Parameters
    ----------
    target, match
        The rig, and what its bones follow.
    rest
        Rest positions of the source's bones in axes in which both face the same way, shape (B, 3).

    Returns
    -------
    dict
        Rotation (4,) for each bone of the match.
    """
    skeleton = target.skeleton
    ours = compute_rest_poses(skeleton)[1]
    turns: dict[int, FloatArray] = {}
    for entry in match.bones:
        above = [turns[b] for b in skeleton.find_ancestors(entry.bone)[1:] if b in turns]
        turn = above[0] if above else rot.IDENTITY
        if entry.aims is not None:
            own = rot.normalize(ours[entry.aims[0]] - ours[entry.bone])
            other = rot.normalize(rest[entry.aims[1]] - rest[entry.first])
            if np.any(own) and np.any(other):
                turn = rot.multiply(rot.quaternions_from_arcs(rot.rotate(turn, own), other), turn)
        turns[entry.bone] = turn
    return turns
