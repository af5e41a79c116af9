# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground of a clip, the bones that touch it, and one bone that stands for each limb on it.

The method: docs/method/legs.md, Points that touch the ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.rotations import FloatArray
from .attachment import Attachment
from .body import Body, PosedClip
from .limits import FORKS, GROUND, TINY, USE


@dataclass(frozen=True)
class Contacts:
    """Where a clip stands.

    Attributes
    ----------
    ground
        First guess of the ground's height, metres.
    height
        H: the highest head above the ground, metres.
    touching
        Bones that reach the ground, shape (B,), bool.
    tips
        One bone for each limb that touches the ground.
    """

    ground: float
    height: float
    touching: np.ndarray
    tips: tuple[int, ...]


def find_contacts(body: Body, attachment: Attachment, clip: PosedClip) -> Contacts | None:
    """Ground, contacts and their representatives in one clip; None where nothing can touch.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    clip
        One of the body's clips or its rest pose.
    """
    heavy = body.find_heavy(attachment.tree)
    able = body.used & ~heavy
    if not able.any():
        return None
    top = float(np.median(clip.heads[:, able, 2].max(axis=1)))
    standing = able
    for _ in range(GROUND.most_tries):
        ground = _guess_ground(clip, standing, body.twins)
        height = max(top - ground, TINY)
        touching = _find_touching(body, clip, standing, ground, height)
        twinned = touching & body.twins.any(axis=1)
        alone = twinned & ~np.any(body.twins & touching, axis=1)
        if not alone.any() or not np.array_equal(alone, twinned) or not (standing & ~alone).any():
            break
        standing = standing & ~alone
    tips = _find_tips(body, attachment, clip, touching, heavy, ground, height)
    return Contacts(ground, height, touching, tuple(tips))


def _guess_ground(clip: PosedClip, able: np.ndarray, twins: np.ndarray) -> float:
    """Usual height of the lowest bone that has a twin (tails and spines have none), metres."""
    twinned = able & twins.any(axis=1)
    lowest = clip.lows[:, twinned if twinned.any() else able].min(axis=1)
    return float(np.percentile(lowest, GROUND.percentile))


def _find_touching(
    body: Body, clip: PosedClip, able: np.ndarray, ground: float, height: float
) -> np.ndarray:
    """Bones near the ground for long enough, and their twins where these are only a little higher."""
    single = clip.frame_count == 1
    tolerance = GROUND.rest_mesh_tolerance if single and body.has_mesh else GROUND.tolerance
    needed = GROUND.pose_contact_share if single else GROUND.contact_share
    touching = able & ((clip.lows < ground + tolerance * height).mean(axis=0) >= needed)
    if not single:
        near = (clip.lows < ground + GROUND.twin_tolerance * height).mean(axis=0) >= needed
        alone = ~np.any(body.twins & touching, axis=1) & touching
        touching = touching | (able & near & np.any(body.twins & alone, axis=1))
    return touching


def _find_tips(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    touching: np.ndarray,
    heavy: np.ndarray,
    ground: float,
    height: float,
) -> list[int]:
    """Lowest contacts, toes of one paw merged in the bone they share."""
    tree = attachment.tree
    shares = body.measure_shares(tree)
    ends = [
        int(bone)
        for bone in np.flatnonzero(touching)
        if not np.any(touching & tree.below[bone] & (np.arange(len(touching)) != bone))
    ]
    tips: list[int] = []
    for end in ends:
        fork = end
        for above in tree.find_ancestors(end)[1:]:
            if heavy[above] or shares[above] >= FORKS.most_weight:
                break
            sharing = [other for other in ends if tree.below[above, other]]
            if len(sharing) < 2:
                continue
            spread = np.linalg.norm(body.heads[sharing] - body.heads[above], axis=1).max()
            low = clip.heads[:, above, 2].min() < ground + FORKS.low * height
            if not low or spread >= FORKS.near * height:
                break
            fork = above
        tip = end if fork == end else follow_main_branch(body, attachment, fork, touching)
        tip = _follow_links(attachment, tip)
        parent = tree.parents[tip]
        if tip in attachment.promoted:
            apart = np.linalg.norm(clip.heads[:, tip] - clip.heads[:, parent], axis=1).mean()
            if apart < FORKS.same_joint * height:
                tip = parent
        if tip not in tips and tree.parents[tip] >= 0:
            tips.append(tip)
    return tips


def follow_main_branch(body: Body, attachment: Attachment, fork: int, touching: np.ndarray) -> int:
    """Go down from a fork while one branch alone touches the ground or reaches much farther.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    fork
        Where to begin.
    touching
        Bones that touch the ground, shape (B,), bool.
    """
    tree = attachment.tree
    while True:
        branches = [child for child in tree.children[fork] if tree.has_below(child, touching)]
        branch = choose_branch(body, attachment, fork, branches)
        if branch is None:
            return fork
        fork = branch


def choose_branch(body: Body, attachment: Attachment, fork: int, branches: list[int]) -> int | None:
    """The only branch, or the one that reaches clearly farther horizontally than the others.

    Returns
    -------
    int or None
        None where no branch leads.
    """
    if len(branches) < 2:
        return branches[0] if branches else None
    reaches = [_measure_reach(body, attachment, fork, branch) for branch in branches]
    order = np.argsort(reaches, kind="stable")[::-1]
    if reaches[order[1]] < FORKS.branch_dominates * reaches[order[0]]:
        return branches[order[0]]
    return None


def _measure_reach(body: Body, attachment: Attachment, fork: int, branch: int) -> float:
    """Largest horizontal rest distance from the fork to joints (or leaf tails) of a branch."""
    tree = attachment.tree
    bones = [branch, *(int(b) for b in tree.find_subtree(branch) if body.used[b] and b != branch)]
    points: list[FloatArray] = [body.heads[bone] for bone in bones]
    if not body.has_mesh:
        for bone in bones:
            above = body.heads[tree.parents[bone]]
            tail = np.linalg.norm(body.tails[bone] - body.heads[bone])
            if tail < USE.longest_reaching_tail * np.linalg.norm(body.heads[bone] - above):
                points.append(body.tails[bone])
    away = np.array(points) - body.heads[fork]
    return float(np.linalg.norm(away[:, :2], axis=1).max())


def _follow_links(attachment: Attachment, tip: int) -> int:
    """Go down to a re-attached foot that hangs from the tip."""
    while True:
        feet = [child for child in attachment.tree.children[tip] if attachment.is_link(child)]
        if len(feet) != 1:
            return tip
        tip = feet[0]
