# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones without weights beside feet: controls of feet, or the only feet that shins have.

The method: docs/method/legs.md, Ankles and detached feet.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ...maths.rotations import FloatArray
from .body import Body, PosedClip
from .limits import ANKLES, MOTION_LINKS, TINY, USE


def move_to_weights(
    body: Body, clips: Sequence[PosedClip], links: dict[int, tuple[int, float]]
) -> dict[int, tuple[int, float]]:
    """Links of controls go over to the weighted feet below them that stay as well at their shins.

    An ankle stays at its shin however the foot turns; a control at the heel or the toes does not, nor
    do toes below an ankle without weights, which is the joint then.

    Parameters
    ----------
    body
        The prepared evidence.
    clips
        Those in which feet are measured, maybe none: then only a foot at the same place is taken.
    links
        Shin and rank of every foot.
    """
    moved: dict[int, tuple[int, float]] = {}
    for foot, link in links.items():
        weighted = _find_weighted(body, foot)
        if weighted is not None and _stays_as_well(body, clips, link[0], foot, weighted):
            moved.setdefault(weighted, link)
        else:
            moved[foot] = link
    return moved


def needs_foot(body: Body, shin: int, feet: Collection[int]) -> bool:
    """Whether a shin ends above the ground without a bone in use below it, and is no part of a foot.

    Parameters
    ----------
    body
        The prepared evidence.
    shin
        A bone without a weighted foot.
    feet
        Weighted feet that were re-attached.
    """
    if any(body.used_below[child] for child in body.tree.children[shin]):
        return False
    above = body.tree.find_ancestors(shin)
    if any(bone in feet for bone in above):
        return False
    floor = float(body.rest.lows[0, body.used].min()) if body.used.any() else 0.0
    height = body.heads[shin, 2] - floor
    heavy = body.find_heavy(body.tree)
    limb = [bone for bone in above if not heavy[bone]]
    length = float(np.linalg.norm(np.diff(body.heads[limb], axis=0), axis=1).sum()) + height
    raised = height > MOTION_LINKS.raised_shin * body.measure_segment(shin)
    # Soles may be thick against a short foot: what is low against the whole leg is foot.
    return bool(raised and height > ANKLES.low * length)


def measure_deviations(clip: PosedClip, frames_of: np.ndarray, points: FloatArray) -> FloatArray:
    """Distances of points (F, N, 3) from their median place in the frames of bones (N,), (F, N)."""
    away = points - clip.heads[:, frames_of]
    scales = clip.scales[:, frames_of][..., None]
    local = (
        np.einsum("fnji,fnj->fni", clip.axes[:, frames_of], away) / np.maximum(scales, TINY) ** 2
    )
    return np.linalg.norm(local - np.median(local, axis=0), axis=-1) * scales[..., 0]


def _find_weighted(body: Body, foot: int) -> int | None:
    """The first bone in use below one that is not, where a single way leads to it."""
    bone = foot
    while not body.used[bone]:
        ways = [child for child in body.tree.children[bone] if body.used_below[child]]
        if len(ways) != 1:
            return None
        bone = ways[0]
    return None if bone == foot else bone


def _stays_as_well(
    body: Body, clips: Sequence[PosedClip], shin: int, foot: int, weighted: int
) -> bool:
    """Whether the weighted bone is as much at rest in the frame of the shin as the other."""
    apart = float(np.linalg.norm(body.heads[weighted] - body.heads[foot]))
    if apart < USE.same_joint * body.size:
        return True
    strayed = [
        np.percentile(
            measure_deviations(clip, np.array([shin, shin]), clip.heads[:, [foot, weighted]]),
            MOTION_LINKS.motion_percentile,
            axis=0,
        )
        for clip in clips
    ]
    if not strayed:
        return False
    other, own = np.max(strayed, axis=0)
    return bool(own < other)
