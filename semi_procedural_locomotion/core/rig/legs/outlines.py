# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact hulls of feet: which of their vertices can touch the ground first.

A vertex touches first in some position of the foot if it is the furthest of all in some direction. So
directions are gone through that face the ground, the front, the back and the sides, and always the
vertex is taken that the hull lacks most. What bends at the toes is judged by itself: the crease at the
ball, inside the flat foot, is the lowest place of one that rises.
"""

from __future__ import annotations

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..hulls import HEEL, MOST_POINTS, SIDE, SOLE, TOE, FootHull, list_directions
from .attachment import Attachment
from .body import Body, PosedClip
from .chains import LegChain
from .limits import HULLS
from .skin import pose_points
from .soles import Sole, find_foot_points


def find_hull(
    body: Body,
    attachment: Attachment,
    chain: LegChain,
    sole: Sole,
    clip: PosedClip,
    side: str,
) -> FootHull | None:
    """The contact hull of one foot; None without vertices.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    chain
        The leg.
    sole
        Its sole and the pose in which it is flat.
    clip
        How the foot bends when it walks: skin between bones comes out then.
    side
        ``"R"`` for a right leg, of which the mirrored points of a left one are taken.
    """
    points = find_foot_points(body, attachment, chain)
    if sole.guessed or not len(points):
        return None
    skin = body.skin.select(points)
    ankle = chain.joints[-1]
    left = np.array([-sole.direction[1], sole.direction[0], 0.0])
    axes = np.stack([[*sole.direction, 0.0], left, rot.UP], axis=1)
    seen = pose_points(skin, sole.axes[None], sole.heads[None])[0]
    places = (seen - sole.compute_point(ankle, sole.heel)) @ axes
    front = skin.owners != ankle
    unit = sole.axes[ankle] / np.linalg.norm(sole.axes[ankle, :, 0])
    mirror = np.array([1.0, -1.0 if side == "R" else 1.0, 1.0]) / chain.length
    few, heel = clip.pick_frames(HULLS.bent_poses), sole.compute_point(ankle, sole.heel)
    own = few.axes[:, ankle] / np.linalg.norm(few.axes[:, ankle, :, :1], axis=1, keepdims=True)
    away = pose_points(skin, few.axes, few.heads) - few.heads[:, None, ankle]
    bent = (away @ own @ unit.T + sole.heads[ankle] - heel) @ axes
    chosen = choose_points(places * mirror, front, bent * mirror)
    picked = skin.select(chosen)
    used = int((picked.weights > 0).sum(axis=1).max())
    order = np.argsort(-picked.weights, axis=1, kind="stable")[:, :used]
    bones = np.take_along_axis(picked.bones, order, axis=1)
    is_blended = picked.keeps_volume is not None and bool(picked.keeps_volume.any())
    return FootHull(
        bones=bones,
        weights=np.take_along_axis(picked.weights, order, axis=1),
        offsets=np.take_along_axis(picked.offsets, order[..., None], axis=1),
        places=places[chosen],
        parts=_name_parts(places[chosen], sole.tip - sole.heel, chain.length),
        frame=rot.quaternions_from_matrices(unit.T @ axes),
        keeps_volume=picked.keeps_volume if is_blended else None,
        binds=picked.binds[bones] if is_blended and picked.binds is not None else None,
    )


def _name_parts(places: FloatArray, foot_length: float, leg_length: float) -> np.ndarray:
    """What each point of a hull is by where it lies on the flat foot, (P,)."""
    along = places[:, 0] / foot_length
    upper = np.where(along > HULLS.toe_share, TOE, np.where(along < HULLS.heel_share, HEEL, SIDE))
    return np.where(places[:, 2] <= HULLS.sole_layer * leg_length, SOLE, upper)


def choose_points(
    places: FloatArray, front: np.ndarray, bent: FloatArray | None = None
) -> np.ndarray:
    """Few points that reach as far as all do in every direction that matters.

    Parameters
    ----------
    places
        Points of a flat foot, x towards the toe, z up, leg lengths, shape (V, 3).
    front
        Which of them bend with the toes, shape (V,) of bool.
    bent
        The same points seen from the ankle's bone in other poses, shape (S, V, 3).

    Returns
    -------
    array, shape (P,)
        Indices, P at most `MOST_POINTS`, in growing order; the same for a mirrored foot given
        mirrored, and for any order of the points but for those that coincide.
    """
    rounded = np.round(places / HULLS.same)
    # Of equal points the lowest comes first, then the outermost, then the foremost.
    order = np.lexsort((-rounded[:, 0], -rounded[:, 1], -np.abs(rounded[:, 1]), rounded[:, 2]))
    points, is_front = places[order], front[order]
    directions, weights = _list_directions()
    lower = directions[:, 2] < -HULLS.same
    # Each row is a direction as one part of the foot or the whole of it is seen in it.
    groups = [(np.ones(len(points), dtype=bool), ~lower)]
    groups += [(part, lower) for part in (is_front, ~is_front) if part.any()]
    reaches = [
        np.where(part[:, None], points @ directions[rows].T, -np.inf).T * weights[rows, None]
        for part, rows in groups
    ]
    for pose in () if bent is None else bent[:, order]:
        reaches.append((pose @ directions.T).T * (HULLS.bent_weight * weights[:, None]))
    seen = np.concatenate(reaches)
    wanted = seen.max(axis=1)
    # Where nothing is chosen yet, all of the part's own extent is missing.
    has = np.min(np.where(np.isinf(seen), np.inf, seen), axis=1) - 1.0
    chosen: list[int] = []
    while len(chosen) < min(MOST_POINTS, len(points)):
        lacks = np.round((wanted - has) / HULLS.same)
        row = int(np.argmax(lacks))
        if lacks[row] * HULLS.same <= HULLS.fine:
            break
        best = int(np.argmax(np.round((seen[row] - wanted[row]) / HULLS.same)))
        chosen.append(best)
        has = np.maximum(has, seen[:, best])
    return np.sort(order[chosen])


def _list_directions() -> tuple[FloatArray, FloatArray]:
    """Unit vectors (D, 3) and the weight of what is missed in them (D,)."""
    directions = list_directions(HULLS.heights[1:], HULLS.about)
    return directions, np.where(directions[:, 2] > HULLS.same, HULLS.upper_weight, 1.0)
