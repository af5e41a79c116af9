# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that are not children of their shins, found again by how they move (rig_study.md 1.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.rotations import FloatArray
from .body import Body, PosedClip
from .rest_attachment import assign_feet_at_rest
from .trees import Tree

# All thresholds of this module are those of rig_study.md 1.3.
_MOST_CLIPS = 6
_MOST_FRAMES = 24
_FEWEST_FRAMES = 5
_FOOT_MOST_SHARE = 0.30
_FOOT_LOW = 0.4
_FOOT_MOVES = 0.004
_STRONG_MOTION = 0.3
_COINCIDENT = 0.005
_REACH_SEGMENTS = 3.5
_ABOVE_SHIN = 0.5
_FOOT_EXTENT = 0.9
_OWN_MOTION_SHARE = 0.35
_INNER_SHIN_FACTOR, _INNER_SHIN_PENALTY = 3.0, 0.01
_POOLED_LIMIT, _POOLED_SURE, _POOLED_LEAD = 0.12, 0.02, 0.5
_SINGLE_LIMIT, _SINGLE_LEAD = 0.05, 0.33
# A leaf lower than this share of the segment above it is a toe: it needs no helper for a foot.
_RAISED_SHIN = 0.3
# Ranks of links that were not measured: a constraint is certain, a distance at rest comes last.
_IK_ERROR, _REST_ERROR = -1.0, 1.0


@dataclass(frozen=True)
class Attachment:
    """The tree with every foot below its shin.

    Attributes
    ----------
    tree
        The bones with detached feet re-attached.
    shins
        Shin of each re-attached foot.
    helpers
        Unweighted foot of each shin that has one, attached or not.
    promoted
        Unweighted feet that were attached because their shin has no weighted foot.
    """

    tree: Tree
    shins: dict[int, int]
    helpers: dict[int, int]
    promoted: frozenset[int]

    def is_link(self, bone: int) -> bool:
        """Whether ``bone`` is a foot that was re-attached to its present parent."""
        return bone in self.shins and self.tree.parents[bone] == self.shins[bone]


@dataclass(frozen=True)
class _FootMotion:
    """Own motion of every bone in every clip, and where it is eligible as a detached foot."""

    clips: list[PosedClip]
    amounts: FloatArray
    eligible: np.ndarray


def attach_feet(body: Body) -> Attachment:
    """Re-attach detached feet by motion, constraints and, last, by distance at rest.

    Parameters
    ----------
    body
        The prepared evidence.
    """
    if body.rigify:
        return Attachment(body.tree, {}, {}, frozenset())
    motion = _measure_foot_motion(body)
    leaves, inner = _find_shins(body)
    links: dict[int, tuple[int, float]] = {}
    busy = _find_moving_subtrees(body, motion)
    for foot in range(len(body.names)):
        link = _find_ik_shin(body, foot) or _find_moving_shin(
            body, motion, foot, leaves, inner, busy
        )
        if link:
            links[foot] = link
    taken = {shin for shin, _ in links.values()}
    for foot, shin in assign_feet_at_rest(body, set(links), leaves, taken):
        links[foot] = (shin, _REST_ERROR)
    links = {
        foot: link
        for foot, link in links.items()
        if not any(above in links for above in body.tree.find_ancestors(foot)[1:])
    }
    return _apply_links(body, links)


def _apply_links(body: Body, links: dict[int, tuple[int, float]]) -> Attachment:
    """Change the parents: weighted feet first, an unweighted one only where there is no other."""
    parents = list(body.tree.parents)
    shins: dict[int, int] = {}
    helpers: dict[int, int] = {}
    promoted: set[int] = set()
    shins_served = {shin for foot, (shin, _) in links.items() if body.used_below[foot]}
    for foot, (shin, _) in sorted(links.items(), key=lambda item: (item[1][1], item[0])):
        if body.used_below[foot]:
            shins[foot] = shin
        else:
            helpers.setdefault(shin, foot)
    for shin, foot in helpers.items():
        if shin not in shins_served and _needs_foot(body, shin):
            shins[foot] = shin
            promoted.add(foot)
    for foot, shin in list(shins.items()):
        if Tree(parents).below[foot, shin]:
            del shins[foot]
            promoted.discard(foot)
        else:
            parents[foot] = shin
    return Attachment(Tree(parents), shins, helpers, frozenset(promoted))


def _needs_foot(body: Body, shin: int) -> bool:
    """Whether a shin ends above the ground without a bone in use below it."""
    if any(body.used_below[child] for child in body.tree.children[shin]):
        return False
    floor = float(body.rest.lows[0, body.used].min()) if body.used.any() else 0.0
    return bool(body.heads[shin, 2] - floor > _RAISED_SHIN * body.measure_segment(shin))


def _find_shins(body: Body) -> tuple[list[int], list[int]]:
    """Bones a foot may hang from: leaves among the used bones, and parents of only leaves."""
    tree, used, used_below = body.tree, body.used, body.used_below
    leaves: list[int] = []
    for bone, parent in enumerate(tree.parents):
        if parent < 0 or any(used_below[child] for child in tree.children[bone]):
            continue
        if used[bone] or (used[parent] and not body.names[bone].endswith("_end")):
            leaves.append(bone)
    known = set(leaves)
    inner: list[int] = []
    for bone, parent in enumerate(tree.parents):
        below = [child for child in tree.children[bone] if used_below[child]]
        able = used[bone] and parent >= 0 and bone not in known
        if able and len(below) <= 2 and all(child in known for child in below):
            inner.append(bone)
    return leaves, inner


def _measure_foot_motion(body: Body) -> _FootMotion:
    """How much every bone moves in its parent's frame, and whether it is low enough for a foot."""
    clips = [
        clip.pick_frames(_MOST_FRAMES)
        for clip in body.clips[:_MOST_CLIPS]
        if clip.frame_count >= _FEWEST_FRAMES
    ]
    count = len(body.names)
    amounts = np.zeros((len(clips), count))
    eligible = np.zeros((len(clips), count), dtype=bool)
    light = body.measure_shares(body.tree) <= _FOOT_MOST_SHARE
    parents = np.array(body.tree.parents)
    for index, clip in enumerate(clips):
        roots = parents < 0
        children = np.flatnonzero(~roots)
        own = _measure_deviations(clip, parents[children], clip.heads[:, children])
        amounts[index, children] = np.percentile(own, 90, axis=0)
        free = clip.heads[:, roots]
        away = np.linalg.norm(free - np.median(free, axis=0), axis=-1)
        amounts[index, roots] = away.max(axis=0)
        heights = clip.heads[:, body.used_below, 2]
        floor = float(np.percentile(heights.min(axis=1), 20))
        top = float(np.median(heights.max(axis=1)))
        low = np.median(clip.heads[:, :, 2], axis=0) < floor + _FOOT_LOW * (top - floor)
        eligible[index] = light & low & (amounts[index] > _FOOT_MOVES * body.size)
    return _FootMotion(clips, amounts, eligible)


def _measure_deviations(clip: PosedClip, frames_of: np.ndarray, points: FloatArray) -> FloatArray:
    """Distances of points (F, N, 3) from their median place in the frames of bones (N,), (F, N)."""
    away = points - clip.heads[:, frames_of]
    scales = clip.scales[:, frames_of][..., None]
    local = (
        np.einsum("fnji,fnj->fni", clip.axes[:, frames_of], away) / np.maximum(scales, 1e-9) ** 2
    )
    return np.linalg.norm(local - np.median(local, axis=0), axis=-1) * scales[..., 0]


def _find_moving_subtrees(body: Body, motion: _FootMotion) -> np.ndarray:
    """Bones inside the subtree of a strongly moving foot, shape (B,), bool: no shins there."""
    busy = np.zeros(len(body.names), dtype=bool)
    if not motion.clips:
        return busy
    light = body.measure_shares(body.tree) <= _FOOT_MOST_SHARE
    most = np.where(light, motion.amounts, 0.0).max(axis=1, keepdims=True)
    strong = np.any(motion.eligible & (motion.amounts > _STRONG_MOTION * most), axis=0)
    for bone in np.flatnonzero(strong):
        busy |= body.tree.below[bone]
    return busy


def _find_moving_shin(
    body: Body,
    motion: _FootMotion,
    foot: int,
    leaves: list[int],
    inner: list[int],
    busy: np.ndarray,
) -> tuple[int, float] | None:
    """The shin in whose frame a foot stays most nearly at rest, and the error."""
    if not motion.eligible[:, foot].any():
        return None
    tree = body.tree
    candidates = np.array(
        [
            shin
            for shin in leaves + inner
            if not tree.below[foot, shin] and not tree.below[shin, foot] and not busy[shin]
        ],
        dtype=np.intp,
    )
    if not len(candidates):
        return None
    is_inner = np.isin(candidates, inner)
    segments = np.array([body.measure_segment(int(shin)) for shin in candidates])
    extent = body.measure_extent(foot)
    errors = np.full((int(motion.eligible[:, foot].sum()), len(candidates)), np.nan)
    for row, index in enumerate(np.flatnonzero(motion.eligible[:, foot])):
        clip = motion.clips[index]
        points = np.repeat(clip.heads[:, foot, None], len(candidates), axis=1)
        away = points - clip.heads[:, candidates]
        distances = np.median(np.linalg.norm(away, axis=-1), axis=0)
        fits = (
            (distances > _COINCIDENT * body.size)
            & (distances < _REACH_SEGMENTS * segments)
            & (np.median(away[..., 2], axis=0) <= _ABOVE_SHIN * distances)
            & (extent <= _FOOT_EXTENT * (segments + distances))
        )
        strayed = np.percentile(_measure_deviations(clip, candidates, points), 70, axis=0)
        error = strayed / (segments + distances)
        error = error + (strayed > _OWN_MOTION_SHARE * motion.amounts[index, foot])
        errors[row] = np.where(fits, error, np.nan)
    return _choose_shin(candidates, is_inner, errors)


def _choose_shin(
    candidates: np.ndarray, is_inner: np.ndarray, errors: FloatArray
) -> tuple[int, float] | None:
    """The candidate that is clearly best over all clips, or else clearly best in one clip."""
    known = ~np.all(np.isnan(errors), axis=0)
    if not known.any():
        return None
    candidates, is_inner, errors = candidates[known], is_inner[known], errors[:, known]
    factor = np.where(is_inner, _INNER_SHIN_FACTOR, 1.0)
    penalty = np.where(is_inner, _INNER_SHIN_PENALTY, 0.0)
    pooled = np.nanmedian(errors, axis=0) * factor + penalty
    order = np.argsort(pooled, kind="stable")
    best = float(pooled[order[0]])
    second = float(pooled[order[1]]) if len(order) > 1 else np.inf
    if best < _POOLED_LIMIT and (best < _POOLED_SURE or best < _POOLED_LEAD * second):
        return int(candidates[order[0]]), best
    chosen: tuple[int, float] | None = None
    for row in errors:
        single = np.where(np.isnan(row), np.inf, row * factor + penalty)
        order = np.argsort(single, kind="stable")
        best = float(single[order[0]])
        second = float(single[order[1]]) if len(order) > 1 else np.inf
        clear = best < _SINGLE_LIMIT and best < _SINGLE_LEAD * second
        if clear and (chosen is None or best < chosen[1]):
            chosen = (int(candidates[order[0]]), best)
    return chosen


def _find_ik_shin(body: Body, foot: int) -> tuple[int, float] | None:
    """The bone whose IK constraint aims at this foot, or at the child of an unweighted one."""
    tree = body.tree
    targets = {foot}
    heavy = body.find_heavy(tree)
    carried = any(body.used[b] and not heavy[b] for b in tree.find_ancestors(foot)[1:])
    if not body.used[foot] and not carried:
        targets.update(tree.children[foot])
    # A chain length of 0 means the whole chain, which is the longest.
    found = [
        (length or np.inf, bone) for bone, target, length in body.ik_links if target in targets
    ]
    if not found:
        return None
    shin = max(found)[1]
    if tree.below[foot, shin] or any(body.used_below[child] for child in tree.children[shin]):
        return None
    return shin, _IK_ERROR
