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
from ..hulls import HEEL, MOST_POINTS, SIDE, SOLE, TOE, FootHull
from .attachment import Attachment
from .body import Body, PosedClip
from .chains import LegChain
from .skin import pose_points
from .soles import Sole, find_foot_points

# Parts of a foot higher than this share of the leg, a tall step, meet none before others do.
_MOST_HEIGHT = 0.2
# Points up to this share of the leg above the sole are of the sole; others are named by their place
# along it.
_SOLE_LAYER = 0.03
_TOE_SHARE, _HEEL_SHARE = 0.7, 0.25
# Directions: so many about, at these heights in degrees. Those above the horizon find the upper edge
# of the toe cap; what is missed there counts less.
_ABOUT, _HEIGHTS = 16, (-90.0, -75.0, -55.0, -30.0, 0.0, 30.0)
_UPPER_WEIGHT = 0.3
# In so many poses of the walk the bent foot is looked at, too; what is missed there counts less.
_BENT_POSES, _BENT_WEIGHT = 8, 0.5
# Nothing more is taken when no direction lacks more than this share of the leg.
_FINE = 0.0005
# Coordinates nearer than this share of the leg are equal; the choice does not hang on their last digits.
_SAME = 1e-6


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
    low = np.flatnonzero(places[:, 2] <= _MOST_HEIGHT * chain.length)
    front = skin.owners[low] != ankle
    unit = sole.axes[ankle] / np.linalg.norm(sole.axes[ankle, :, 0])
    mirror = np.array([1.0, -1.0 if side == "R" else 1.0, 1.0]) / chain.length
    few, heel = clip.pick_frames(_BENT_POSES), sole.compute_point(ankle, sole.heel)
    own = few.axes[:, ankle] / np.linalg.norm(few.axes[:, ankle, :, :1], axis=1, keepdims=True)
    away = pose_points(skin.select(low), few.axes, few.heads) - few.heads[:, None, ankle]
    bent = (away @ own @ unit.T + sole.heads[ankle] - heel) @ axes
    chosen = low[choose_points(places[low] * mirror, front, bent * mirror)]
    picked = skin.select(chosen)
    used = int((picked.weights > 0).sum(axis=1).max())
    order = np.argsort(-picked.weights, axis=1, kind="stable")[:, :used]
    return FootHull(
        bones=np.take_along_axis(picked.bones, order, axis=1),
        weights=np.take_along_axis(picked.weights, order, axis=1),
        offsets=np.take_along_axis(picked.offsets, order[..., None], axis=1),
        places=places[chosen],
        parts=_name_parts(places[chosen], sole.tip - sole.heel, chain.length),
        frame=rot.quaternions_from_matrices(unit.T @ axes),
    )


def _name_parts(places: FloatArray, foot_length: float, leg_length: float) -> np.ndarray:
    """What each point of a hull is by where it lies on the flat foot, (P,)."""
    along = places[:, 0] / foot_length
    upper = np.where(along > _TOE_SHARE, TOE, np.where(along < _HEEL_SHARE, HEEL, SIDE))
    return np.where(places[:, 2] <= _SOLE_LAYER * leg_length, SOLE, upper)


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
    rounded = np.round(places / _SAME)
    # Of equal points the lowest comes first, then the outermost, then the foremost.
    order = np.lexsort((-rounded[:, 0], -rounded[:, 1], -np.abs(rounded[:, 1]), rounded[:, 2]))
    points, is_front = places[order], front[order]
    directions, weights = _list_directions()
    lower = directions[:, 2] < -_SAME
    # Each row is a direction as one part of the foot or the whole of it is seen in it.
    groups = [(np.ones(len(points), dtype=bool), ~lower)]
    groups += [(part, lower) for part in (is_front, ~is_front) if part.any()]
    reaches = [
        np.where(part[:, None], points @ directions[rows].T, -np.inf).T * weights[rows, None]
        for part, rows in groups
    ]
    for pose in () if bent is None else bent[:, order]:
        reaches.append((pose @ directions.T).T * (_BENT_WEIGHT * weights[:, None]))
    seen = np.concatenate(reaches)
    wanted = seen.max(axis=1)
    # Where nothing is chosen yet, all of the part's own extent is missing.
    has = np.min(np.where(np.isinf(seen), np.inf, seen), axis=1) - 1.0
    chosen: list[int] = []
    while len(chosen) < min(MOST_POINTS, len(points)):
        lacks = np.round((wanted - has) / _SAME)
        row = int(np.argmax(lacks))
        if lacks[row] * _SAME <= _FINE:
            break
        best = int(np.argmax(np.round((seen[row] - wanted[row]) / _SAME)))
        chosen.append(best)
        has = np.maximum(has, seen[:, best])
    return np.sort(order[chosen])


def _list_directions() -> tuple[FloatArray, FloatArray]:
    """Unit vectors (D, 3) and the weight of what is missed in them (D,)."""
    found = [(0.0, 0.0, -1.0)]
    turns = 2.0 * np.pi * np.arange(_ABOUT) / _ABOUT
    for height in np.radians(_HEIGHTS[1:]):
        flat, up = np.cos(height), np.sin(height)
        found += [(flat * np.cos(turn), flat * np.sin(turn), up) for turn in turns]
    directions = np.array(found)
    return directions, np.where(directions[:, 2] > _SAME, _UPPER_WEIGHT, 1.0)
