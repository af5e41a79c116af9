# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and triangles that show a plan: soles, paths, clocks, weights (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..body.layers.reading import find_rows, weigh_layer
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import LAND, LIFT, OFF, STRIKE
from ..prints.records import PrintRow
from ..rig.footpoints import compute_footbases, compute_sole_points
from ..rig.structure import Rig
from ..steering.recording import PredictedPrint
from ..walk import SolvedWalk, WalkPlan

# Half widths of a sole along its length, from heel to toe tip, as shares of its width; rounded ends,
# a narrow arch, the ball widest.
_PLACES = np.array([0.0, 0.03, 0.1, 0.2, 0.42, 0.62, 0.75, 0.87, 0.96, 1.0])
_HALF_WIDTHS = np.array([0.0, 0.24, 0.38, 0.41, 0.37, 0.46, 0.5, 0.45, 0.27, 0.0])
# The outer edge bulges less than the inner, which tells left from right.
_OUTER = 0.82


def outline_soles(
    positions: FloatArray, frames: FloatArray, length: float, width: float, side: str = ""
) -> FloatArray:
    """Outlines of prints on the ground.

    Parameters
    ----------
    positions
        Heel ends, world, metres, shape (n, 3).
    frames
        Rotations with the x axis from heel to toe and the z axis along the normal, shape (n, 4).
    length, width
        Of the sole, metres.
    side
        ``"L"`` or ``"R"`` gives the print an outer edge, anything else none.

    Returns
    -------
    array, shape (n, P, 3)
        Corners in order, counter-clockwise seen from above, world, metres.
    """
    left = _HALF_WIDTHS * width * (_OUTER if side == "L" else 1.0)
    right = _HALF_WIDTHS * width * (_OUTER if side == "R" else 1.0)
    along = _PLACES * length
    there = np.stack([along, -right, np.zeros_like(along)], axis=1)
    back = np.stack([along, left, np.zeros_like(along)], axis=1)[-2:0:-1]
    flat = np.concatenate([there, back])
    return positions[:, None] + rot.rotate(frames[:, None], flat)


def list_used_prints(row: PrintRow, first: float, last: float) -> np.ndarray:
    """Indices of the prints that a leg stands on or reaches for within a range of seconds."""
    own = np.flatnonzero(~row.parked)
    times = row.times[own]
    before, after = np.flatnonzero(times <= first), np.flatnonzero(times >= last)
    start = before[-1] if len(before) else 0
    end = after[0] + 1 if len(after) else len(own)
    return own[start:end]


# Red, green, blue of left, right and other feet, of prints without ground, and of hips.
SIDE_COLOURS = {"L": (0.25, 0.55, 1.0), "R": (1.0, 0.55, 0.15), "": (0.75, 0.75, 0.75)}
LOST_COLOUR = (1.0, 0.1, 0.1)
HIPS_BEFORE_COLOUR, HIPS_AFTER_COLOUR = (0.6, 0.6, 0.6), (0.35, 0.9, 0.45)
# Points of a sole, told apart with any colour vision, and none of them a side's.
HEEL_COLOUR, BALL_COLOUR, TOE_COLOUR = (0.34, 0.71, 0.91), (1.0, 1.0, 1.0), (0.94, 0.89, 0.26)
_FILL_ALPHA, _LINE_ALPHA = 0.35, 0.9
# Share of the leg's length by which drawn soles lie above the ground, so that they are seen.
_LIFT = 0.004
# Pieces of paths shorter than this along every axis are no lines, metres.
_STILL = 1e-4
# Radii of a clock's rings, its least parts per turn, and the gap between clocks, in radii.
_RING_INNER, _RING_OUTER, _RING_PARTS, CLOCK_GAP = 0.72, 1.0, 48, 2.5
_GROUND_SHADE, _AIR_SHADE = 0.9, 0.25
# Red, green, blue, alpha of a whole bar and of its share.
_BAR_COLOURS = ((1.0, 1.0, 1.0, 0.12), (*HIPS_AFTER_COLOUR, _LINE_ALPHA))


@dataclass(frozen=True)
class ColouredPoints:
    """Points that are drawn in twos as lines or in threes as triangles.

    Attributes
    ----------
    points
        World, metres, shape (V, 3); shapes in the plane of the screen have z = 0.
    colours
        Red, green, blue, alpha, shape (V, 4).
    """

    points: FloatArray
    colours: FloatArray

    def __post_init__(self) -> None:
        if self.points.shape[1:] != (3,) or self.colours.shape != (len(self.points), 4):
            raise ValueError(
                f"points (V, 3) and colours (V, 4) expected, got {self.points.shape}, "
                f"{self.colours.shape}"
            )


@dataclass(frozen=True)
class SoleShapes:
    """Planned prints in the order of time, n of them.

    Attributes
    ----------
    times
        Stance instants, seconds, shape (n,).
    corners
        Outlines, world, metres, shape (n, P, 3).
    colours
        Red, green, blue, shape (n, 3).
    length
        Of the longest sole, metres.
    """

    times: FloatArray
    corners: FloatArray
    colours: FloatArray
    length: float

    @property
    def centres(self) -> FloatArray:
        """Middles of the prints, world, metres, shape (n, 3)."""
        return self.corners.mean(axis=1)

    def fill(self, chosen: slice) -> ColouredPoints:
        """Triangles of some prints."""
        return _colour(fill_polygons(self.corners[chosen]), self.colours[chosen], _FILL_ALPHA)

    def outline(self, chosen: slice) -> ColouredPoints:
        """Lines around some prints."""
        return _colour(close_polygons(self.corners[chosen]), self.colours[chosen], _LINE_ALPHA)


@dataclass(frozen=True)
class PathShapes:
    """Paths of K points of the character at N times.

    Attributes
    ----------
    times
        Seconds, increasing, shape (N,).
    points
        World, metres, shape (K, N, 3).
    colours
        Red, green, blue, shape (K, 3).
    """

    times: FloatArray
    points: FloatArray
    colours: FloatArray

    def draw_between(self, start: float, end: float, stride: int = 1) -> ColouredPoints:
        """Lines along the paths between two times, through every ``stride``-th point.

        Where a path stands still there are no lines.
        """
        first = max(int(np.searchsorted(self.times, start, side="right")) - 1, 0)
        last = int(np.searchsorted(self.times, end, side="left")) + 1
        part = self.points[:, first:last:stride]
        lines = np.stack([part[:, :-1], part[:, 1:]], axis=2)
        moves = np.abs(lines[:, :, 1] - lines[:, :, 0]).max(axis=-1, initial=0.0) > _STILL
        each = np.broadcast_to(self.colours[:, None], (*moves.shape, 3))[moves]
        return _colour(lines[moves], each, _LINE_ALPHA)


@dataclass(frozen=True)
class WalkShapes:
    """Everything that is drawn of a walk and does not change from frame to frame.

    Attributes
    ----------
    soles
        Prints of all legs.
    foot_paths
        Footbases of all legs.
    hip_paths
        The body bone without and with corrections.
    """

    soles: SoleShapes
    foot_paths: PathShapes
    hip_paths: PathShapes


def make_walk_shapes(plan: WalkPlan, walk: SolvedWalk) -> WalkShapes:
    """All shapes of a walk.

    Parameters
    ----------
    walk
        Its poses at two or more times; prints outside these times are left out.
    """
    times = walk.poses.times
    return WalkShapes(
        make_sole_shapes(plan, float(times[0]), float(times[-1])),
        make_foot_paths(plan, walk),
        make_hip_paths(plan, walk),
    )


def make_sole_shapes(plan: WalkPlan, first: float, last: float) -> SoleShapes:
    """Prints that are stood on between two times in seconds, as they lie at their stance."""
    tables = plan.tables
    outlines, colours, stances = [], [], []
    for index, (leg, row) in enumerate(zip(tables.small_rig.legs, plan.prints.rows, strict=True)):
        used = list_used_prints(row, first, last)
        frames = row.frames[used]
        lift = _LIFT * tables.rig.leg_length * rot.rotate(frames, rot.UP)
        length = float(tables.rig.foot_lengths[index])
        outlines.append(
            outline_soles(row.positions[used] + lift, frames, length, leg.sole_width, leg.side)
        )
        own = SIDE_COLOURS.get(leg.side, SIDE_COLOURS[""])
        colours.append(np.where(row.found[used, None], own, LOST_COLOUR))
        stances.append(row.times[used])
    times = np.concatenate(stances)
    order = np.argsort(times, kind="stable")
    return SoleShapes(
        times[order],
        np.concatenate(outlines)[order],
        np.concatenate(colours)[order],
        float(tables.rig.foot_lengths.max()),
    )


def make_foot_paths(plan: WalkPlan, walk: SolvedWalk) -> PathShapes:
    """Paths of the solved footbases, one for each leg."""
    tables = plan.tables
    paths, colours = [], []
    for index, leg in enumerate(tables.small_rig.legs):
        points = compute_sole_points(leg, walk.rotations, walk.positions)
        along = points[:, 2] - points[:, 0]
        directions = rot.normalize(along * np.array([1.0, 1.0, 0.0]))
        bases, _ = compute_footbases(
            points,
            directions,
            float(tables.rig.foot_lengths[index]),
            float(tables.rig.ball_shares[index]),
        )
        paths.append(bases)
        colours.append(SIDE_COLOURS.get(leg.side, SIDE_COLOURS[""]))
    return PathShapes(walk.poses.times, np.stack(paths), np.array(colours))


def make_hip_paths(plan: WalkPlan, walk: SolvedWalk) -> PathShapes:
    """Paths of the bone that carries the hips, before and after it is corrected."""
    body = plan.tables.small_rig.body
    both = np.stack([walk.source_positions[:, body], walk.positions[:, body]])
    return PathShapes(walk.poses.times, both, np.array([HIPS_BEFORE_COLOUR, HIPS_AFTER_COLOUR]))


def choose_near(
    centres: FloatArray, matrix: FloatArray, smallest: float, most: int
) -> tuple[np.ndarray, FloatArray]:
    """Points in view that are not too far, the nearest ones if there are many.

    Parameters
    ----------
    centres
        World, metres, shape (n, 3).
    matrix
        From the world to the view's clip space, shape (4, 4).
    smallest
        Points are left out where a metre is less than this share of half the view's height.
    most
        How many at most.

    Returns
    -------
    indices, places
        Shape (k,), and where they are in the view, -1 to 1 to the right and up, shape (k, 2).
    """
    clip = centres @ matrix[:, :3].T + matrix[:, 3]
    depths = np.where(clip[:, 3] > 0, clip[:, 3], np.inf)
    flat = clip[:, :2] / depths[:, None]
    sizes = np.linalg.norm(matrix[1, :3]) / depths
    seen = np.flatnonzero((sizes > smallest) & np.all(np.abs(flat) <= 1.0, axis=1))
    if len(seen) > most:
        seen = seen[np.argsort(-sizes[seen], kind="stable")[:most]]
    return seen, flat[seen]


def make_clocks(
    leg_times: FloatArray, key_times: FloatArray, colours: FloatArray
) -> tuple[ColouredPoints, ColouredPoints]:
    """Clocks of all legs at one time: one turn is one step, the stance on top, running right.

    Parameters
    ----------
    leg_times
        Time in the step, 0 to 1, shape (L,).
    key_times
        Lift, off, strike, land, shape (L, 4).
    colours
        Red, green, blue of each leg, shape (L, 3).

    Returns
    -------
    rings
        Triangles: bright where the foot is on the ground.
    hands
        Lines: the present time, and short marks of lift and land. Radius 1, `CLOCK_GAP` apart along x,
        the first about the origin.
    """
    count = len(leg_times)
    centres = np.arange(count)[:, None] * np.array([CLOCK_GAP, 0.0, 0.0])
    edges = np.linspace(0.0, 1.0, _RING_PARTS + 1)
    middle = 0.5 * (edges[1:] + edges[:-1])
    outer, inner = _on_clock(edges, _RING_OUTER), _on_clock(edges, _RING_INNER)
    quads = np.stack([outer[:-1], inner[:-1], inner[1:], outer[:-1], inner[1:], outer[1:]], axis=1)
    rings = quads[None] + centres[:, None, None]
    ground = (middle <= key_times[:, OFF, None]) | (middle >= key_times[:, STRIKE, None])
    shades = np.where(ground, _GROUND_SHADE, _AIR_SHADE)
    tints = colours[:, None] * shades[..., None]
    ring_colours = np.repeat(tints[:, :, None], 6, axis=2).reshape(-1, 3)
    marks = np.stack([leg_times, key_times[:, LIFT], key_times[:, LAND]], axis=1)
    start = np.array([0.0, 1.06, 1.06])[:, None]
    end = np.array([0.95, 1.25, 1.25])[:, None]
    at = _on_clock(marks, 1.0)
    hands = np.stack([at * start, at * end], axis=2) + centres[:, None, None]
    white = np.ones((6 * count, 4))
    return (
        ColouredPoints(rings.reshape(-1, 3), _with_alpha(ring_colours, _LINE_ALPHA)),
        ColouredPoints(hands.reshape(-1, 3), white),
    )


def make_bars(shares: FloatArray) -> ColouredPoints:
    """Bars of shares (M,) from 0 to 1, each 1 long where full and half as high, 1 apart along y."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 1, 0], [0, 1, 0]])
    lengths = np.stack([np.ones_like(shares), shares], axis=1)
    sizes = np.stack([lengths, np.full_like(lengths, 0.5), np.zeros_like(lengths)], axis=-1)
    places = np.arange(len(shares))[:, None, None, None] * np.array([0.0, 1.0, 0.0])
    points = corners * sizes[:, :, None] + places
    colours = np.broadcast_to(np.array(_BAR_COLOURS)[:, None], (*points.shape[:3], 4))
    return ColouredPoints(points.reshape(-1, 3), colours.reshape(-1, 4))


def fill_polygons(corners: FloatArray) -> FloatArray:
    """Triangles of convex outlines (n, P, 3), shape (n, 3 (P - 2), 3)."""
    count = corners.shape[1]
    after = np.arange(1, count - 1)
    index = np.stack([np.zeros_like(after), after, after + 1], axis=1).ravel()
    return corners[:, index]


def close_polygons(corners: FloatArray) -> FloatArray:
    """Lines around outlines (n, P, 3), shape (n, 2 P, 3)."""
    count = corners.shape[1]
    index = np.stack([np.arange(count), (np.arange(count) + 1) % count], axis=1).ravel()
    return corners[:, index]


def _on_clock(turns: FloatArray, radius: float) -> FloatArray:
    """Places on a clock's rim, whole turns from the top to the right, shape (..., 3)."""
    angles = 2.0 * np.pi * turns
    return rot.pack(radius * np.sin(angles), radius * np.cos(angles), np.zeros_like(angles))


def _colour(shapes: FloatArray, colours: FloatArray, alpha: float) -> ColouredPoints:
    """Shapes (n, V, 3) in colours (n, 3)."""
    each = np.repeat(colours, shapes.shape[1], axis=0)
    return ColouredPoints(shapes.reshape(-1, 3), _with_alpha(each, alpha))


def _with_alpha(colours: FloatArray, alpha: float) -> FloatArray:
    """Colours (V, 3) made (V, 4)."""
    return np.concatenate([colours, np.full((len(colours), 1), alpha)], axis=1)


def shorten_name(name: str) -> str:
    """The first letters of a leg's name and its number, as FL for Front Left."""
    return "".join(word if word.isdecimal() else word[0] for word in name.split())


# Opacity of a path where the foot stands, and in the air; size of a key time's cross, shares of the leg.
_STANDS, _SWINGS, _CROSS = 1.0, 0.4, 0.02
_CROSS_COLOUR = (1.0, 1.0, 1.0, 0.9)


def make_footbase_path(
    footbases: FloatArray, stance: float, key_times: Mapping[str, float], side: str, length: float
) -> ColouredPoints:
    """Lines along the path of one foot, bright where it stands, with a cross at each key time.

    Parameters
    ----------
    footbases
        Place of the foot at S equal phases of the cycle, metres, shape (S, 3).
    stance
        Phase at which it stands.
    key_times
        Phases after that by name; the foot is in the air from ``"off"`` to ``"strike"``.
    side
        Of the leg, which gives the colour.
    length
        Of the leg, metres.
    """
    closed = np.concatenate([footbases, footbases[:1]])
    lines = np.stack([closed[:-1], closed[1:]], axis=1).reshape(-1, 3)
    middles = ((np.arange(len(footbases)) + 0.5) / len(footbases) - stance) % 1.0
    stands = (middles <= key_times["off"]) | (middles >= key_times["strike"])
    colours = np.empty((len(footbases), 4))
    colours[:, :3] = SIDE_COLOURS.get(side, SIDE_COLOURS[""])
    colours[:, 3] = np.where(stands, _STANDS, _SWINGS)
    times = np.array([0.0, *key_times.values()])
    places = _read_path(footbases, stance + times)
    arms = _CROSS * length * np.array([[-1, 0, 0], [1, 0, 0], [0, 0, -1], [0, 0, 1]], dtype=float)
    crosses = (places[:, None] + arms).reshape(-1, 3)
    return ColouredPoints(
        np.concatenate([lines, crosses]),
        np.concatenate([np.repeat(colours, 2, axis=0), np.tile(_CROSS_COLOUR, (len(crosses), 1))]),
    )


def _read_path(footbases: FloatArray, phases: FloatArray) -> FloatArray:
    """Places (N, 3) on a periodic path (S, 3) at phases (N,), straight between its points."""
    place = (np.asarray(phases) % 1.0) * len(footbases)
    index = np.minimum(place.astype(np.intp), len(footbases) - 1)
    share = (place - index)[:, None]
    return footbases[index] * (1 - share) + footbases[(index + 1) % len(footbases)] * share


# None of a side's, of a lost print or of the hips.
STEERED_COLOUR = (0.95, 0.3, 0.9)
_ALPHA = 0.95
# Share of the leg's length by which they lie above the ground, over the exact ones.
_STEERED_LIFT = 0.006


def make_steered_soles(rig: Rig, prints: Sequence[PredictedPrint]) -> ColouredPoints:
    """Lines around the soles of prints.

    Parameters
    ----------
    rig
        Whose feet.
    prints
        Where they stood or will stand.
    """
    lines: list[FloatArray] = [np.zeros((0, 3))]
    for number, leg in enumerate(rig.legs):
        own = [mark for mark in prints if mark.leg == number]
        if not own:
            continue
        corners = outline_soles(
            np.array([mark.position for mark in own]),
            np.array([mark.frame for mark in own]),
            float(rig.foot_lengths[number]),
            leg.sole_width,
            leg.side,
        )
        corners = corners + _STEERED_LIFT * rig.leg_length * rot.UP
        lines.append(close_polygons(corners).reshape(-1, 3))
    points = np.concatenate(lines)
    return ColouredPoints(points, np.tile([*STEERED_COLOUR, _ALPHA], (len(points), 1)))


def read_weights(plan: WalkPlan, walk: SolvedWalk, row: int) -> FloatArray:
    """Weights of all motions and then of all layers at one time of a walk, 0 to 1, shape (M + Y,)."""
    layers = plan.tables.motion_set.layers
    times = walk.times[row : row + 1]
    own = [weigh_layer(layer, times) for layer in layers]
    return np.concatenate([walk.source.weights[row], *own])


def tell_weights(plan: WalkPlan, walk: SolvedWalk, row: int) -> list[str]:
    """The same in words, for each motion its name and weight, for a layer its place in its clip, too.

    A layer that moves many bones tells how many.
    """
    motions, layers = plan.tables.motion_set.motions, plan.tables.motion_set.layers
    weights = read_weights(plan, walk, row)
    texts = [f"{motion.name}  {w:.0%}" for motion, w in zip(motions, weights, strict=False)]
    span = slice(row, row + 1)
    for layer, weight in zip(layers, weights[len(motions) :], strict=True):
        place = find_rows(layer, walk.times[span], walk.source.phases[span])[0]
        share = place / max(len(layer.clip.rotations) - 1, 1)
        bones = int(np.count_nonzero(layer.shares))
        count = "1 bone" if bones == 1 else f"{bones} bones"
        texts.append(f"{layer.name}  {weight:.0%} on {count}, at {share:.0%}")
    return texts


# The golden angle as a share of the circle: neighbours in a list get colours that are far apart.
_TURN = 0.6180339887498949
_SATURATION, _VALUES = 0.75, (0.95, 0.7)


def colours_of_bones(count: int) -> FloatArray:
    """A linear colour for each of some bones, shape (count, 3)."""
    numbers = np.arange(count)
    return _colours_from_hues(numbers * _TURN % 1.0, np.where(numbers % 2 == 0, *_VALUES))


def colours_from_weights(weights: FloatArray) -> FloatArray:
    """Colours (V, 3) of weights (V,): blue for 0 over green to red for 1, as in Blender."""
    return _colours_from_hues(2.0 / 3.0 * (1.0 - np.clip(weights, 0.0, 1.0)), np.ones(len(weights)))


def _colours_from_hues(hues: FloatArray, values: FloatArray) -> FloatArray:
    """Colours (N, 3) of hues in turns and values."""
    wheel = np.abs(hues[:, None] * 6.0 - np.array([3.0, 2.0, 4.0]))
    pure = np.clip(
        np.stack([wheel[:, 0] - 1.0, 2.0 - wheel[:, 1], 2.0 - wheel[:, 2]], axis=1), 0, 1
    )
    return np.asarray(values[:, None] * (1.0 - _SATURATION * (1.0 - pure)))
