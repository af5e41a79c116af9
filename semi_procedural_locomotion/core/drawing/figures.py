# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and triangles about a character itself: ghost, arrow, sole, contact graph (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..contacts.edits import ContactTimes
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.changes import reverse_motion
from ..motions.records import Motion
from ..rig.footpoints import compute_sole_points
from ..rig.skeleton import compute_global_poses
from ..rig.structure import Rig
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


FOUND_COLOUR, EDITED_COLOUR = (1.0, 1.0, 1.0), (0.95, 0.56, 0.82)
_FRAME_COLOUR, _BACK_COLOUR = (1.0, 1.0, 1.0, 0.35), (0.0, 0.0, 0.0, 0.65)
_CONTACT_COLOUR = (1.0, 1.0, 1.0, 0.12)
_LINE_ALPHA, _FAINT_ALPHA = 0.9, 0.45
LABEL_SHARE, MARGIN = 0.85, 0.06
"""What lies behind reaches so far above the graph, for labels, and below it, in shares of its height."""

# Heights are drawn up to this share of the graph, and from here on.
_TOP, _BOTTOM = 0.92, 0.06
# Pieces of a broken line; every second one is drawn.
_DASHES = 15
# Key times that differ by less were not edited, share of the cycle.
_SAME = 1e-6


@dataclass(frozen=True)
class ContactGraph:
    """Shapes of the graph.

    Attributes
    ----------
    fills
        Triangles: the ground behind, and the time in contact.
    curves
        Heights of heel and toe.
    lines
        The ground, and the key times: whole where they are used, broken where they were found and
        others are set.
    labels
        Phase, text and whether it was edited, of each key time that is used.
    top
        Height over the foot's ground at the upper end of the heights, metres.
    """

    fills: ColouredPoints
    curves: ColouredPoints
    lines: ColouredPoints
    labels: tuple[tuple[float, str, bool], ...]
    top: float


def measure_heights(motion: Motion, rig: Rig, leg: int) -> FloatArray:
    """Heights of heel and toe tip over the foot's ground at every row of a motion, metres, (S, 2)."""
    rotations, positions = compute_global_poses(
        rig.skeleton, motion.rotations, motion.translations, motion.scales
    )
    points = compute_sole_points(rig.legs[leg], rotations, positions)
    return np.asarray(points[:, [0, 2], 2] - motion.legs[leg].ground_height)


def make_contact_graph(motion: Motion, rig: Rig, leg: int) -> ContactGraph:
    """The graph of one foot in one motion.

    Parameters
    ----------
    motion
        A cycle.
    leg
        Number of the leg.
    """
    if motion.reversed:
        motion = reverse_motion(motion)
    heights = measure_heights(motion, rig, leg)
    low, top = min(float(heights.min()), 0.0), max(float(heights.max()), 1e-9)
    scaled = _BOTTOM + (_TOP - _BOTTOM) * (heights - low) / (top - low)
    ground = _BOTTOM - (_TOP - _BOTTOM) * low / (top - low)
    closed = np.concatenate([scaled, scaled[:1]])
    phases = np.linspace(0.0, 1.0, len(closed))
    cycle = motion.legs[leg]
    used = cycle.contact_times
    found = cycle.found_times or used
    marks, labels = [], []
    for name, text in (("strike", "Strike"), ("stance", "Stance"), ("off", "Foot-Off")):
        time, before = getattr(used, name) % 1.0, getattr(found, name) % 1.0
        is_edited = abs(time - before) > _SAME
        if is_edited:
            marks.append(_draw_dashes(before, (*FOUND_COLOUR, _FAINT_ALPHA)))
        colour = EDITED_COLOUR if is_edited else FOUND_COLOUR
        marks.append(_draw_lines(np.array([[time, 0.0], [time, 1.0]]), (*colour, _LINE_ALPHA)))
        labels.append((time, f"{text} {time:.2f}", is_edited))
    frame = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    lines = [
        _draw_lines(frame, _FRAME_COLOUR),
        _draw_lines(np.array([[0.0, ground], [1.0, ground]]), _FRAME_COLOUR),
        *(marks if cycle.steps else ()),
    ]
    curves = [
        _draw_lines(np.stack([phases, closed[:, 0]], axis=1), (*HEEL_COLOUR, _LINE_ALPHA)),
        _draw_lines(np.stack([phases, closed[:, 1]], axis=1), (*TOE_COLOUR, _LINE_ALPHA)),
    ]
    fills = [_fill_box(0.0, 1.0, _BACK_COLOUR, -MARGIN, 1.0 + LABEL_SHARE)]
    fills += [_fill_box(*span, _CONTACT_COLOUR) for span in _list_contact_spans(used, cycle.steps)]
    return ContactGraph(
        _join(fills), _join(curves), _join(lines), tuple(labels) if cycle.steps else (), top
    )


def _list_contact_spans(times: ContactTimes, steps: bool) -> list[tuple[float, float]]:
    """List where the contact begins and ends between 0 and 1; two spans where it runs over the end."""
    if not steps:
        return [(0.0, 1.0)]
    strike = times.strike % 1.0
    end = strike + times.duty
    return [(strike, end)] if end <= 1.0 else [(strike, 1.0), (0.0, end - 1.0)]


def _draw_lines(places: FloatArray, colour: tuple[float, ...]) -> ColouredPoints:
    """Lines from place to place (n, 2)."""
    return _colour(np.stack([places[:-1], places[1:]], axis=1).reshape(-1, 2), colour)


def _draw_dashes(phase: float, colour: tuple[float, ...]) -> ColouredPoints:
    """A broken line from the bottom to the top."""
    ends = np.linspace(0.0, 1.0, _DASHES + 1)
    heights = np.stack([ends[:-1:2], ends[1::2]], axis=1).ravel()
    return _colour(np.stack([np.full(len(heights), phase), heights], axis=1), colour)


def _fill_box(
    left: float, right: float, colour: tuple[float, ...], bottom: float = 0.0, top: float = 1.0
) -> ColouredPoints:
    """Two triangles that fill a rectangle."""
    corners = [(left, bottom), (right, bottom), (right, top)]
    corners += [(left, bottom), (right, top), (left, top)]
    return _colour(np.array(corners, dtype=np.float64), colour)


def _colour(places: FloatArray, colour: tuple[float, ...]) -> ColouredPoints:
    """Places (V, 2) of one colour."""
    points = np.concatenate([places, np.zeros((len(places), 1))], axis=1)
    return ColouredPoints(points, np.tile(np.array(colour), (len(points), 1)))


def _join(parts: list[ColouredPoints]) -> ColouredPoints:
    """Shapes of several parts."""
    return ColouredPoints(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.colours for part in parts]),
    )
