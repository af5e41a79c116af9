# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs that hang from no bone of the body but go with it: what they follow.

The method: docs/method/legs.md, Legs that follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from .body import Body, PosedClip
from .chains import LegChain
from .evidence import BodyEvidence
from .footless import measure_deviations
from .limits import FOLLOWING, MOTION_LINKS, REST_LINKS, USE
from .names import is_control
from .rest_attachment import count_used_levels
from .trees import Tree


def move_to_leaders(
    evidence: BodyEvidence, body: Body, chains: tuple[LegChain, ...]
) -> BodyEvidence | None:
    """The same body as if its skin were on the bones that its loose legs follow.

    Parameters
    ----------
    evidence, body
        The character, in the same order of bones.
    chains
        Legs that were found, whose hips have no ancestor in common; none where no legs were found, since
        every bone that deforms hangs alone.

    Returns
    -------
    BodyEvidence or None
        None where the joints of a loose leg do not go with bones below one another in the body.
    """
    loose = _find_loose(body, chains)
    leaders: dict[int, int] = {}
    for chain in chains:
        above = -1
        for joint in (*chain.joints, *(() if chain.toe is None else (chain.toe,))):
            if not loose[joint]:
                continue
            leader = _find_leader(body, joint, loose, above)
            if leader is None:
                return None
            leaders[joint] = above = leader
    for bone in np.flatnonzero(loose & body.used) if not chains else ():
        leader = _find_leader(body, int(bone), loose)
        if leader is not None:
            leaders[int(bone)] = leader
    if not leaders:
        return None
    known = list(leaders)
    for bone in np.flatnonzero(loose & body.used):
        apart = np.linalg.norm(body.heads[known] - body.heads[bone], axis=1)
        leaders.setdefault(int(bone), leaders[known[int(np.argmin(apart))]])
    moved = np.arange(len(body.names))
    moved[list(leaders)] = list(leaders.values())
    deform = evidence.deform & ~loose
    deform[list(leaders.values())] = True
    return replace(evidence, vertex_bones=moved[evidence.vertex_bones], deform=deform)


def find_leaders(body: Body) -> tuple[tuple[str, str], ...]:
    """Bones in use that stray from their parents and stay where they are joined to other bones.

    Legs that are split for stretching have shins beside their thighs, exports without their hierarchy
    have all bones side by side. Feet alone that stay at their shins are none: they may leave them. Nor
    are bones that lie on others which nothing is bound to and go with these (`move_to_leaders`).

    Parameters
    ----------
    body
        The prepared evidence.

    Returns
    -------
    tuple
        Names of bones and of those with which they go. Bones that stay with several go with the one
        that ends nearest.
    """
    tree, used = body.tree, np.flatnonzero(body.used)
    clips = [
        clip.pick_frames(MOTION_LINKS.most_frames)
        for clip in body.clips[: MOTION_LINKS.most_clips]
        if clip.frame_count >= MOTION_LINKS.fewest_frames
    ]
    if body.rigify or not clips:
        return ()
    parents = np.asarray(tree.parents)
    owned = _measure_strays(clips, parents[used], used)
    loose = owned > MOTION_LINKS.moves * body.size
    stays: dict[int, np.ndarray] = {}
    for bone, own in zip(used[loose].tolist(), owned[loose].tolist(), strict=True):
        others = used[~tree.below[bone, used] & (used != parents[bone])]
        strayed = _measure_strays(clips, others, np.full(len(others), bone))
        stays[bone] = others[
            strayed < min(FOLLOWING.most_away * body.size, MOTION_LINKS.own_motion * own)
        ]
    near, middle = USE.same_joint * body.size, body.heads[used].mean(axis=0)
    out = np.linalg.norm(body.heads - middle, axis=1)
    found = []
    for bone, others in stays.items():
        for other in others.tolist():
            apart = float(np.linalg.norm(body.tails[other] - body.heads[bone]))
            # Of two that go as one piece the inner one leads, and neither of two images.
            is_mutual = bone in stays.get(other, ())
            if apart < near or not is_mutual or out[other] < out[bone] - near:
                found.append((apart, bone, other))
    led = np.array(tree.parents)
    leaders: dict[int, int] = {}
    for _, bone, other in sorted(found):
        if bone not in leaders and not Tree(led).below[bone, other]:
            led[bone] = leaders[bone] = other
    whole, carrying = Tree(led), set(leaders.values())
    # Feet that stand on their own may leave their shins, but for those of legs that are split too.
    split = [
        bone
        for bone, other in sorted(leaders.items())
        if bone in carrying
        or count_used_levels(body, bone) > REST_LINKS.most_levels
        or not leaders.keys().isdisjoint(whole.find_ancestors(other))
    ]
    is_loose = np.isin(np.arange(len(parents)), list(stays))
    if any(_find_leader(body, bone, is_loose) is not None for bone in split):
        return ()
    return tuple((body.names[bone], body.names[leaders[bone]]) for bone in split)


def _measure_strays(clips: Sequence[PosedClip], seen: np.ndarray, bones: np.ndarray) -> FloatArray:
    """How far bones (N,) stray from their usual places in the frames of others (N,), -1 for space."""
    found = np.zeros(len(bones))
    for clip in clips:
        points = clip.heads[:, bones]
        strayed = measure_deviations(clip, seen, points)
        free = np.linalg.norm(points - np.median(points, axis=0), axis=-1)
        strayed = np.where(seen < 0, free, strayed)
        worst = np.percentile(strayed, MOTION_LINKS.motion_percentile, axis=0)
        found = np.maximum(found, worst)
    return found


def find_star(body: Body) -> int | None:
    """The bone from which nearly all bones in use hang side by side, -1 for no bone, None where few do.

    Parameters
    ----------
    body
        The prepared evidence.
    """
    used = np.flatnonzero(body.used)
    if len(used) < FOLLOWING.fewest_side_by_side:
        return None
    above, counts = np.unique(np.asarray(body.tree.parents)[used], return_counts=True)
    most = int(np.argmax(counts))
    return int(above[most]) if counts[most] >= FOLLOWING.side_by_side * len(used) else None


def tell_scattered(body: Body, chains: tuple[LegChain, ...]) -> str:
    """Why legs whose joints hang side by side cannot bend, in words; empty where none is like that.

    Parameters
    ----------
    body, chains
        The prepared evidence and the legs that were found.
    """
    star = find_star(body)
    if star is None or all(sum(body.tree.parents[j] == star for j in c.joints) < 2 for c in chains):
        return ""
    return tell_star(body)


def tell_star(body: Body) -> str:
    """Why no leg can bend where joints hang side by side, in words; empty where they do not."""
    star = find_star(body)
    if star is None:
        return ""
    place = "from no bone" if star < 0 else f"side by side from {body.names[star]!r}"
    return (
        f"its bones hang {place} and not from one another, so that no leg can bend: make each a child of "
        "the one before it, or export the rig with its hierarchy"
    )


def _find_loose(body: Body, chains: tuple[LegChain, ...]) -> np.ndarray:
    """Bones of the trees of the hips (of all bones without legs), but for the body's own, (B,), bool."""
    tree = body.tree
    hips = [chain.joints[0] for chain in chains] or range(len(body.names))
    roots = {tree.find_ancestors(hip)[-1] for hip in hips}
    everywhere = [bone for bone, parent in enumerate(tree.parents) if parent < 0]
    # Light bodies on heavy legs that hang from nothing are bodies all the same.
    others = [root for root in everywhere if root not in roots] or everywhere
    main = max(others, key=lambda root: float(body.weights[tree.below[root]].sum()))
    loose = np.zeros(len(body.names), dtype=bool)
    for root in roots - {main}:
        loose |= tree.below[root]
    star = find_star(body)
    if star is not None:
        loose |= body.used & (np.asarray(tree.parents) == star)
    return loose


def _find_leader(body: Body, bone: int, loose: np.ndarray, above: int = -1) -> int | None:
    """The bone of the rest of the body with which another lies and goes; no control if there is one."""
    near = np.linalg.norm(body.heads - body.heads[bone], axis=1) < USE.same_joint * body.size
    turned = np.zeros(len(body.names))
    for clip in body.clips:
        apart = np.linalg.norm(clip.heads - clip.heads[:, bone, None], axis=-1)
        far = np.percentile(apart, FOLLOWING.percentile, axis=0)
        near &= far < FOLLOWING.most_away * body.size
        turns = rot.dot(
            rot.normalize(clip.axes[..., 0]), rot.normalize(clip.axes[:, bone, None, :, 0])
        )
        turned = np.maximum(turned, np.ptp(turns, axis=0))
    if above >= 0:
        near &= body.tree.below[above] & (np.arange(len(near)) != above)
    found = np.flatnonzero(near & ~loose & ~body.used)
    return min(
        (int(other) for other in found),
        key=lambda other: (
            bool(turned[other] > FOLLOWING.most_turn),
            is_control(body.names[other], is_chain=True),
            other,
        ),
        default=None,
    )
