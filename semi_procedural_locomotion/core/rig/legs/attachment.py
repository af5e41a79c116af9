# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that are not children of their shins, found again by how they move.

The method: docs/method/legs.md, Ankles and detached feet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.rotations import FloatArray
from .body import Body, PosedClip
from .footless import measure_deviations, move_to_weights, needs_foot
from .limits import MOTION_LINKS, USE
from .rest_attachment import assign_feet_at_rest
from .trees import Tree


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
    guessed
        Feet that were attached by distance at rest alone: no clip and no constraint tells.
    """

    tree: Tree
    shins: dict[int, int]
    helpers: dict[int, int]
    promoted: frozenset[int]
    guessed: frozenset[int]

    def is_link(self, bone: int) -> bool:
        """Whether ``bone`` is a foot that was re-attached to its present parent."""
        return bone in self.shins and self.tree.parents[bone] == self.shins[bone]

    def is_sure_link(self, bone: int) -> bool:
        """Whether a clip or a constraint tells that this foot goes with its shin."""
        return self.is_link(bone) and bone not in self.guessed


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
        return Attachment(body.tree, {}, {}, frozenset(), frozenset())
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
    links = _drop_thighs(body, links)
    taken = {shin for shin, _ in links.values()}
    for foot, shin in assign_feet_at_rest(body, set(links), leaves, taken):
        links[foot] = (shin, MOTION_LINKS.rest_error)
    links = move_to_weights(body, motion.clips, links)
    links = {
        foot: link
        for foot, link in links.items()
        if not any(above in links for above in body.tree.find_ancestors(foot)[1:])
    }
    return _apply_links(body, links)


def _drop_thighs(body: Body, links: dict[int, tuple[int, float]]) -> dict[int, tuple[int, float]]:
    """The links without those of bones that carry another foot: short upper legs, not feet of arms."""
    parents = body.tree.parents
    kept: dict[int, tuple[int, float]] = {}
    for foot, link in links.items():
        on_trunk = parents[foot] >= 0 and body.used[parents[foot]]
        carried = [
            shin
            for other, (shin, _) in links.items()
            if other != foot and body.tree.below[foot, shin] and (shin != foot or on_trunk)
        ]
        if not carried:
            kept[foot] = link
    return kept


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
        if shin not in shins_served and needs_foot(body, shin, shins):
            shins[foot] = shin
            promoted.add(foot)
    for foot, shin in list(shins.items()):
        if Tree(parents).below[foot, shin]:
            del shins[foot]
            promoted.discard(foot)
        else:
            parents[foot] = shin
    guessed = frozenset(f for f, (_, rank) in links.items() if rank == MOTION_LINKS.rest_error)
    return Attachment(Tree(parents), shins, helpers, frozenset(promoted), guessed)


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
        clip.pick_frames(MOTION_LINKS.most_frames)
        for clip in body.clips[: MOTION_LINKS.most_clips]
        if clip.frame_count >= MOTION_LINKS.fewest_frames
    ]
    count = len(body.names)
    amounts = np.zeros((len(clips), count))
    eligible = np.zeros((len(clips), count), dtype=bool)
    light = body.measure_shares(body.tree) <= MOTION_LINKS.most_weight
    parents = np.array(body.tree.parents)
    for index, clip in enumerate(clips):
        roots = parents < 0
        children = np.flatnonzero(~roots)
        own = measure_deviations(clip, parents[children], clip.heads[:, children])
        amounts[index, children] = np.percentile(own, MOTION_LINKS.motion_percentile, axis=0)
        free = clip.heads[:, roots]
        away = np.linalg.norm(free - np.median(free, axis=0), axis=-1)
        amounts[index, roots] = away.max(axis=0)
        heights = clip.heads[:, body.used_below, 2]
        floor = float(np.percentile(heights.min(axis=1), MOTION_LINKS.floor_percentile))
        top = float(np.median(heights.max(axis=1)))
        low = np.median(clip.heads[:, :, 2], axis=0) < floor + MOTION_LINKS.low * (top - floor)
        eligible[index] = light & low & (amounts[index] > MOTION_LINKS.moves * body.size)
    return _FootMotion(clips, amounts, eligible)


def _find_moving_subtrees(body: Body, motion: _FootMotion) -> np.ndarray:
    """Bones inside the subtree of a strongly moving foot, shape (B,), bool: no shins there."""
    busy = np.zeros(len(body.names), dtype=bool)
    if not motion.clips:
        return busy
    light = body.measure_shares(body.tree) <= MOTION_LINKS.most_weight
    most = np.where(light, motion.amounts, 0.0).max(axis=1, keepdims=True)
    strong = np.any(motion.eligible & (motion.amounts > MOTION_LINKS.strong * most), axis=0)
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
            # Digits that nothing hangs on stay where a toe beside them is, and carry no toe.
            if body.used[shin] or tree.parents[shin] != tree.parents[foot]
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
            (distances > USE.same_joint * body.size)
            & (distances < MOTION_LINKS.reach * segments)
            & (np.median(away[..., 2], axis=0) <= MOTION_LINKS.above_shin * distances)
            & (extent <= MOTION_LINKS.extent * (segments + distances))
        )
        deviations = measure_deviations(clip, candidates, points)
        strayed = np.percentile(deviations, MOTION_LINKS.error_percentile, axis=0)
        error = strayed / (segments + distances)
        error = error + (strayed > MOTION_LINKS.own_motion * motion.amounts[index, foot])
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
    factor = np.where(is_inner, MOTION_LINKS.inner_factor, 1.0)
    penalty = np.where(is_inner, MOTION_LINKS.inner_penalty, 0.0)
    pooled = np.nanmedian(errors, axis=0) * factor + penalty
    order = np.argsort(pooled, kind="stable")
    best = float(pooled[order[0]])
    second = float(pooled[order[1]]) if len(order) > 1 else np.inf
    if best < MOTION_LINKS.most_error and (
        best < MOTION_LINKS.sure_error or best < MOTION_LINKS.lead * second
    ):
        return int(candidates[order[0]]), best
    chosen: tuple[int, float] | None = None
    for row in errors:
        single = np.where(np.isnan(row), np.inf, row * factor + penalty)
        order = np.argsort(single, kind="stable")
        best = float(single[order[0]])
        second = float(single[order[1]]) if len(order) > 1 else np.inf
        clear = best < MOTION_LINKS.most_single_error and best < MOTION_LINKS.single_lead * second
        if clear and (chosen is None or best < chosen[1]):
            chosen = (int(candidates[order[0]]), best)
    return chosen


def _find_ik_shin(body: Body, foot: int) -> tuple[int, float] | None:
    """The bone whose IK constraint aims at this foot, or at the child of an unweighted one."""
    tree = body.tree
    targets = {foot}
    if not body.ik_links:
        return None
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
    return shin, MOTION_LINKS.ik_error
