# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a limb that touches the ground to the joints of a leg.

The method: docs/method/legs.md, Limbs and their joints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...maths.rotations import FloatArray
from .ankles import AnkleChoice, StancePose, choose_ankle
from .attachment import Attachment
from .body import Body, PosedClip
from .contacts import Contacts, choose_branch
from .limits import JOINTS, TINY
from .names import is_twist_name
from .pairing import LimbPair, Mirror

NO_PARTNER = -1
"""In place of the bone that stands for a partner: a leg without one."""


@dataclass(frozen=True)
class LegChain:
    """One leg as found in one clip.

    Attributes
    ----------
    tip, other
        Bone that stands for the limb, and that of its partner or `NO_PARTNER`.
    fork
        Last common ancestor of both, or -1.
    cost
        Cost of the pairing.
    joints
        Bones from hip to ankle.
    toe
        Toe bone or None.
    bones
        All joints from the hip down, those below the ankle included.
    contacts
        Those of ``bones`` that touch the ground, downwards.
    foot
        ``"foot"``, or ``"helper"`` where the ankle is an unweighted bone, or ``"tip"`` where no
        bone is a foot and the contact rides on the shin.
    detached
        Whether the foot was re-attached.
    length
        Sum of the segments from hip to ankle, metres.
    hip_ratio
        Height of the hip over the length.
    low
        Height that the leg's lowest point reaches, metres.
    """

    tip: int
    other: int
    fork: int
    cost: float
    joints: tuple[int, ...]
    toe: int | None
    bones: tuple[int, ...]
    contacts: tuple[int, ...]
    foot: str
    detached: bool
    length: float
    hip_ratio: float
    low: float


def build_chains(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    contacts: Contacts,
    pairs: list[LimbPair],
    mirror: Mirror,
    stances: list[StancePose],
) -> list[LegChain]:
    """Chains of all paired limbs that can be legs.

    Parameters
    ----------
    body, attachment, clip, contacts, pairs, mirror
        What was found before in this clip.
    stances
        Poses of all good clips and the rest pose, for the ankles.
    """
    chains: list[LegChain] = []
    for pair in pairs:
        limbs = [_find_limb(body, attachment, clip, contacts, path, mirror) for path in pair.paths]
        for side, bones in enumerate(limbs):
            if len(bones) < 2:
                continue
            mirrored = limbs[1 - side]
            choice = choose_ankle(attachment, clip, bones, mirrored, contacts.ground, stances)
            touched = tuple(bone for bone in bones if contacts.touching[bone])
            chain = _finish(clip, contacts, bones, touched, choice)
            if chain is not None:
                tip, other = pair.tips[side], pair.tips[1 - side]
                chains.append(replace(chain, tip=tip, other=other, fork=pair.fork, cost=pair.cost))
    return chains


def build_single_chain(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    contacts: Contacts,
    tip: int,
    fork: int,
    stances: list[StancePose],
) -> LegChain | None:
    """Chain of a limb without a partner, or None where it cannot be a leg.

    Parameters
    ----------
    body, attachment, clip, contacts, stances
        As for `build_chains`.
    tip
        The bone that stands for the limb.
    fork
        The bone of the trunk from which it hangs.
    """
    path = attachment.tree.find_path_down(tip, fork)
    bones = _find_limb(body, attachment, clip, contacts, tuple(path), None)
    if len(bones) < 2:
        return None
    choice = choose_ankle(attachment, clip, bones, bones, contacts.ground, stances)
    touched = tuple(bone for bone in bones if contacts.touching[bone])
    chain = _finish(clip, contacts, bones, touched, choice)
    return None if chain is None else replace(chain, tip=tip, fork=fork)


def _find_limb(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    contacts: Contacts,
    path: tuple[int, ...],
    mirror: Mirror | None,
) -> list[int]:
    """Joints of a limb from the hip to its end."""
    bones = _extend(body, attachment, list(path), contacts)
    bones = merge_coincident(body, clip, bones, contacts.height)
    bones = _prune_top(body, attachment, clip, bones, mirror, contacts.height)
    return drop_twists(body, clip, bones)


def _finish(
    clip: PosedClip,
    contacts: Contacts,
    bones: list[int],
    touched: tuple[int, ...],
    choice: AnkleChoice,
) -> LegChain | None:
    """The chain with its measures, of no pair yet, or None where it cannot be a leg."""
    length = measure_length(clip, choice.joints)
    hip_height = float(np.median(clip.heads[:, choice.joints[0], 2])) - contacts.ground
    # Legs of who sprawls come down from their knees; what lies on the ground comes down from nowhere.
    *knees, end = np.median(clip.heads[:, choice.joints, 2], axis=0).tolist()
    drop = max(knees) - max(end, contacts.ground)
    if length < JOINTS.shortest_leg * contacts.height or drop < JOINTS.lowest_hip * length:
        return None
    supported = [bone for bone in bones if np.isfinite(clip.lows[0, bone])]
    low = np.inf
    if supported:
        low = float(np.percentile(clip.lows[:, supported].min(axis=1), JOINTS.low_percentile))
    return LegChain(
        tip=bones[-1],
        other=NO_PARTNER,
        fork=-1,
        cost=0.0,
        joints=choice.joints,
        toe=choice.toe,
        bones=tuple(bones),
        contacts=touched,
        foot=choice.foot,
        detached=choice.detached,
        length=length,
        hip_ratio=hip_height / max(length, TINY),
        low=low,
    )


def measure_length(clip: PosedClip, joints: tuple[int, ...] | list[int]) -> float:
    """Sum of the median distances between successive joints, metres.

    Feet that hang from another bone may be off their shins where these do not reach them; that
    lasts for a few frames and is no longer leg.
    """
    steps = np.diff(clip.heads[:, list(joints)], axis=1)
    return float(np.median(np.linalg.norm(steps, axis=-1), axis=0).sum())


def _extend(body: Body, attachment: Attachment, path: list[int], contacts: Contacts) -> list[int]:
    """Go on downwards while one child leads to a contact or to a re-attached foot."""
    tree = attachment.tree
    bones = list(path)
    while True:
        branches = [
            child
            for child in tree.children[bones[-1]]
            if tree.has_below(child, contacts.touching) or attachment.is_link(child)
        ]
        branch = choose_branch(body, attachment, bones[-1], branches)
        if branch is None:
            return bones
        bones.append(branch)


def merge_coincident(body: Body, clip: PosedClip, bones: list[int], height: float) -> list[int]:
    """Drop joints that lie on the one before; of the two the one in use stays, else the first."""
    kept = bones[:1]
    for bone in bones[1:]:
        apart = np.linalg.norm(clip.heads[:, bone] - clip.heads[:, kept[-1]], axis=1).mean()
        if apart >= JOINTS.same_joint * height:
            kept.append(bone)
        elif body.used[bone] or not body.used[kept[-1]]:
            kept[-1] = bone
    return kept


def _prune_top(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    bones: list[int],
    mirror: Mirror | None,
    height: float,
) -> list[int]:
    """Drop leading bones that are no part of the leg: helpers, pelvis ends, clavicles."""
    tree = body.tree
    turns = {bone: _measure_turn(clip, tree.parents[bone], bone) for bone in bones}
    most = max((turns[bone] for bone in bones[1:]), default=0.0)
    sides = np.zeros(len(body.names))
    if mirror is not None:
        sides = np.abs(mirror.measure_sides(clip.heads[mirror.frame]))
    while len(bones) > 2:
        top, below = bones[0], bones[1]
        bears = [_bears_use(body, bone, height) for bone in (top, below)]
        # Generated rigs hang what deforms from bones that never do, of whatever else is there.
        unused = bears == [False, True] or (body.rigify and body.used[below] > body.used[top])
        if unused and (body.rigify or not body.deform[top]):
            bones = bones[1:]
            continue
        segment = measure_length(clip, bones[:2])
        rest = measure_length(clip, bones[1:])
        short = segment < JOINTS.short_top * rest
        on_plane = (
            sides[below] > JOINTS.off_plane * height and sides[top] < JOINTS.on_plane * sides[below]
        )
        drop = np.abs(clip.heads[:, top, 2] - clip.heads[:, below, 2]).mean()
        clavicle = drop < JOINTS.flat_clavicle * segment and sides[below] > sides[top]
        moving = clip.frame_count >= JOINTS.moving_frames and attachment.tree.parents[top] >= 0
        static = moving and turns[top] < JOINTS.still and most > JOINTS.moves
        long_enough = (
            len(bones) >= JOINTS.short_top_joints and short and (on_plane or clavicle or static)
        )
        tiny = (
            len(bones) == JOINTS.short_top_joints - 1
            and static
            and segment < JOINTS.tiny_top * rest
        )
        if not (long_enough or tiny):
            break
        bones = bones[1:]
    return bones


def _bears_use(body: Body, bone: int, height: float) -> bool:
    """Whether a bone is in use, or one in use begins where it does at rest and moves the skin for it."""
    apart = np.linalg.norm(body.heads[body.used] - body.heads[bone], axis=1)
    return bool(body.used[bone] or np.any(apart < JOINTS.same_joint * height))


def _measure_turn(clip: PosedClip, parent: int, bone: int) -> float:
    """How far a bone turns against its parent: Frobenius distance from the first frame, p90."""
    own = clip.axes[:, bone] / np.maximum(clip.scales[:, bone], TINY)[:, None, None]
    if parent >= 0:
        above = clip.axes[:, parent] / np.maximum(clip.scales[:, parent], TINY)[:, None, None]
        own = np.swapaxes(above, 1, 2) @ own
    return float(np.percentile(np.linalg.norm(own - own[0], axis=(1, 2)), JOINTS.turn_percentile))


def drop_twists(body: Body, clip: PosedClip, bones: list[int]) -> list[int]:
    """Drop twist parts of segments: straight at rest and never bent."""
    kept = list(bones)
    index = 1
    while index < len(kept) - 1:
        above, bone, below = kept[index - 1 : index + 2]
        angle = float(measure_bends(body.heads[None], above, bone, below)[0])
        named = is_twist_name(body.names[bone], body.names[above])
        bend = float(np.ptp(measure_bends(clip.heads, above, bone, below)))
        sampled = clip.frame_count >= JOINTS.bending_frames
        by_name = named and angle < JOINTS.twist_angle and (not sampled or bend < JOINTS.twist_bend)
        by_motion = (
            sampled
            and bend < JOINTS.nameless_twist_bend
            and angle < JOINTS.nameless_twist_angle
            and len(kept) >= JOINTS.nameless_twist_joints
        )
        if by_name or by_motion:
            del kept[index]
        else:
            index += 1
    return kept


def measure_bends(heads: FloatArray, above: int, bone: int, below: int) -> FloatArray:
    """Angles in radians between the segments above and below a joint, shape (F,)."""
    first = heads[:, bone] - heads[:, above]
    second = heads[:, below] - heads[:, bone]
    scale = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    cosine = np.sum(first * second, axis=1) / np.maximum(scale, TINY)
    return np.arccos(np.clip(cosine, -1.0, 1.0))
