# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and triangles about a character itself: ghost, forward arrow, sole (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.footpoints import compute_sole_points
from ..walk import SolvedWalk, WalkPlan
from .shapes import (
    BALL_COLOUR,
    HEEL_COLOUR,
    SIDE_COLOURS,
    TOE_COLOUR,
    ColouredPoints,
    close_polygons,
    fill_polygons,
    outline_soles,
)

GHOST_COLOUR, FORWARD_COLOUR = (0.85, 0.85, 0.9), (0.0, 0.75, 0.55)
_SOLE_COLOURS = (HEEL_COLOUR, BALL_COLOUR, TOE_COLOUR)
_LINE_ALPHA, _GHOST_ALPHA, _FILL_ALPHA = 0.95, 0.75, 0.35
# Outline of an arrow of length 1 along x, about its middle line, and the part of it that is convex.
_ARROW = np.array(
    [
        *([0.0, -0.08], [0.6, -0.08], [0.6, -0.22], [1.0, 0.0]),
        *([0.6, 0.22], [0.6, 0.08], [0.0, 0.08]),
    ]
)
_SHAFT, _HEAD = np.array([0, 1, 5, 6]), np.array([2, 3, 4])
# Where the arrow begins before the character, and the half length of a cross, as shares.
_GAP, _CROSS = 0.15, 0.06


def make_ghost(plan: WalkPlan, walk: SolvedWalk, row: int) -> ColouredPoints:
    """Lines along the legs as the motions have them, before any correction.

    Parameters
    ----------
    row
        Number of the time among those of the poses.

    Returns
    -------
    ColouredPoints
        From the hips down to the ankle, and around heel, ball and toe tip; legs whose hips lie apart
        are joined at the body.
    """
    tables = plan.tables
    rotations = walk.source_rotations[row : row + 1]
    positions = walk.source_positions[row : row + 1]
    lines, colours = [], []
    for leg in tables.small_rig.legs:
        soles = compute_sole_points(leg, rotations, positions)[0]
        chain = positions[0, [tables.small_rig.body, *leg.joints]]
        path = np.concatenate([chain, soles, chain[-1:]])
        lines.append(np.stack([path[:-1], path[1:]], axis=1).reshape(-1, 3))
        tint = 0.5 * np.array(GHOST_COLOUR) + 0.5 * np.array(
            SIDE_COLOURS.get(leg.side, SIDE_COLOURS[""])
        )
        colours.append(np.tile([*tint, _GHOST_ALPHA], (len(lines[-1]), 1)))
    return ColouredPoints(np.concatenate(lines), np.concatenate(colours))


def make_forward_arrow(
    place: FloatArray, forward: FloatArray, size: float
) -> tuple[ColouredPoints, ColouredPoints]:
    """An arrow on the ground before a character.

    Parameters
    ----------
    place
        The ground under the character, world, metres, shape (3,).
    forward
        To where it faces, horizontal unit vector, shape (2,).
    size
        Length of the arrow, metres.

    Returns
    -------
    fill, outline
        Triangles and lines.
    """
    across = np.array([-forward[1], forward[0]])
    along = (_ARROW[:, :1] + _GAP) * np.asarray(forward) + _ARROW[:, 1:] * across
    flat = np.concatenate([size * along, np.zeros((len(along), 1))], axis=1)
    corners = (place + flat)[None]
    parts = [fill_polygons(corners[:, part]).reshape(-1, 3) for part in (_SHAFT, _HEAD)]
    fill = np.concatenate(parts)
    outline = close_polygons(corners).reshape(-1, 3)
    return (
        ColouredPoints(fill, np.tile([*FORWARD_COLOUR, _FILL_ALPHA], (len(fill), 1))),
        ColouredPoints(outline, np.tile([*FORWARD_COLOUR, _LINE_ALPHA], (len(outline), 1))),
    )


def make_sole_marks(points: FloatArray, width: float, side: str) -> ColouredPoints:
    """Lines around the sole of a posed foot, and a cross at each of its points.

    Parameters
    ----------
    points
        Heel, ball and toe tip, world, metres, shape (3, 3).
    width
        Of the sole, metres.
    side
        ``"L"``, ``"R"`` or anything else.
    """
    away = points[2] - points[0]
    length = float(np.linalg.norm(away))
    along = away / length if length > 0 else np.array([1.0, 0.0, 0.0])
    left = rot.cross(rot.UP, along)
    size = float(np.linalg.norm(left))
    # The sole of a foot that points straight up or down has its width along x.
    left = left / size if size > 1e-6 else np.array([1.0, 0.0, 0.0])
    axes = np.stack([along, left, rot.cross(along, left)], axis=-1)
    frame = rot.quaternions_from_matrices(axes[None])
    outline = close_polygons(outline_soles(points[:1], frame, length, width, side))[0]
    own = SIDE_COLOURS.get(side, SIDE_COLOURS[""])
    lines = [outline]
    colours = [np.tile([*own, _LINE_ALPHA], (len(outline), 1))]
    arms = _CROSS * max(length, width) * np.stack([axes.T, -axes.T], axis=1).reshape(-1, 3)
    for point, colour in zip(points, _SOLE_COLOURS, strict=True):
        lines.append(point + arms)
        colours.append(np.tile([*colour, _LINE_ALPHA], (len(arms), 1)))
    return ColouredPoints(np.concatenate(lines), np.concatenate(colours))
