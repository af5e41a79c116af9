# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs that hang from no bone of the body but go with it: what they follow.

The method: docs/method/legs.md, Legs that follow.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...maths import rotations as rot
from .body import Body
from .chains import LegChain
from .evidence import BodyEvidence
from .limits import FOLLOWING, TINY, USE
from .names import is_control


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


def find_carrier(body: Body, chains: tuple[LegChain, ...]) -> int | None:
    """The bone outside the legs against which loose hips stay where they are, that carries most.

    Parameters
    ----------
    body, chains
        As for `move_to_leaders`.
    """
    loose = _find_loose(body, chains)
    hips = [chain.joints[0] for chain in chains]
    errors = np.zeros(len(body.names))
    moved = np.zeros(len(body.names))
    for clip in body.clips:
        for hip in hips:
            away = clip.heads[:, hip, None] - clip.heads
            scales = np.maximum(clip.scales, TINY)[..., None]
            local = np.einsum("fbji,fbj->fbi", clip.axes, away) / scales**2
            strayed = np.linalg.norm(local - np.median(local, axis=0), axis=-1)
            errors = np.maximum(errors, np.percentile(strayed, FOLLOWING.percentile, axis=0))
        moved += np.linalg.norm(np.ptp(clip.heads, axis=0), axis=-1)
    able = (
        ~loose & (errors < FOLLOWING.most_away * body.size) & (moved > USE.same_joint * body.size)
    )
    carried = body.tree.below @ body.weights
    found = (int(bone) for bone in np.flatnonzero(able))
    return max(found, key=lambda bone: (float(carried[bone]), bone), default=None)


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
