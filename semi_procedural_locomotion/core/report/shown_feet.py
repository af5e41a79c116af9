# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When and how feet stand, found again from where the scene shows them (numpy only).

A foot stands while its lowest points all but rest on what is under them. Whether that is on the
ground, in it or above it is measured, not assumed: a foot that rests in the air stands there, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.interface import Ground
from ..maths.rotations import FloatArray, invert_matrices
from ..rig.structure import Rig
from .heights import measure_beside, measure_heights
from .limits import SHOWN_FEET
from .shown import ShownWalk


@dataclass(frozen=True)
class ShownFeet:
    """Feet of L legs at N frames.

    Attributes
    ----------
    points
        Places that may touch first, world, metres, L arrays of shape (N, P, 3).
    heights
        Of those over the ground, nan over nothing, metres, L arrays of shape (N, P).
    lowest
        Height of each foot's lowest point, nan over nothing, metres, shape (N, L).
    depths
        How deep the deepest point of each foot is in the ground, by the shortest way out, metres, 0
        outside, shape (N, L).
    contacts
        Whether each foot stands, shape (N, L) of bool.
    steady
        Whether it does so in the frames before and after, too, or neither is shown: in the first and
        last frame of a contact a foot arrives or leaves, shape (N, L) of bool.
    slips
        How far what bears of the front or the rear of the sole has moved since it began to bear in this
        contact, metres, shape (N, L); 0 where it is not steady.
    slip_extents
        Widest extent of that way in each contact, metres, shape (R,).
    """

    points: tuple[FloatArray, ...]
    heights: tuple[FloatArray, ...]
    lowest: FloatArray
    depths: FloatArray
    contacts: np.ndarray
    steady: np.ndarray
    slips: FloatArray
    slip_extents: FloatArray


def find_shown_feet(rig: Rig, shown: ShownWalk, ground: Ground) -> ShownFeet:
    """Where the feet of a shown walk are over the ground, and when they stand.

    Parameters
    ----------
    rig, shown, ground
        The character, its walk, and what it walks on.
    """
    length, joined = rig.leg_length, shown.find_joined()
    points, heights, columns = [], [], []
    for leg in range(len(rig.legs)):
        foot = shown.place_foot(rig, leg)
        hull = foot.points
        above, surfaces = measure_heights(hull, shown.times[:, None], ground, length)
        above = np.where(foot.shown, above, np.nan)
        points.append(hull)
        heights.append(above)
        under = find_bearing_surfaces(hull, above, surfaces, shown.times, ground, length)
        moves, travelled = _measure_moves(hull, under, shown, ground)
        contacts = _find_contacts(above, moves, travelled, shown.times, joined, length)
        along = foot.along
        front = along > 0.5 * (along.min() + along.max())
        steady = _find_steady(contacts, joined)
        slips, extents = _measure_slips(above, moves, front, steady, joined, length)
        depths = find_depths(hull, above, shown.times, ground, length)
        columns.append((_find_lowest(above), depths, contacts, steady, slips, extents))
    lowest, depth, contact, steady, slip, extent = zip(*columns, strict=True)
    return ShownFeet(
        points=tuple(points),
        heights=tuple(heights),
        lowest=np.stack(lowest, axis=1),
        depths=np.stack(depth, axis=1),
        contacts=np.stack(contact, axis=1),
        steady=np.stack(steady, axis=1),
        slips=np.stack(slip, axis=1),
        slip_extents=np.concatenate(extent),
    )


def _find_lowest(heights: FloatArray) -> FloatArray:
    """Least of heights (N, P) that are known, nan where none is, (N,)."""
    least = np.min(np.where(np.isnan(heights), np.inf, heights), axis=1)
    return np.where(np.isinf(least), np.nan, least)


def carry_points(
    points: FloatArray, surfaces: np.ndarray, times: FloatArray, ground: Ground
) -> FloatArray:
    """Points of all frames but the last, carried to the next frame by the surface under them.

    Parameters
    ----------
    points
        World, metres, shape (N, P, 3).
    surfaces
        Surface that carries the points of each frame, -1 for none, shape (N - 1,).
    times, ground
        Seconds, shape (N,), and what carries.

    Returns
    -------
    array, shape (N - 1, P, 3)
    """
    carried = points[:-1].copy()
    for surface in np.intersect1d(surfaces, list(ground.moving_surfaces())):
        frames = ground.surface_frames(int(surface), times)
        rows = np.flatnonzero(surfaces == surface)
        carry = frames[rows + 1] @ invert_matrices(frames[rows])
        moved = np.einsum("nij,npj->npi", carry[:, :3, :3], carried[rows])
        carried[rows] = moved + carry[:, None, :3, 3]
    return carried


def find_bearing_surfaces(
    points: FloatArray,
    heights: FloatArray,
    surfaces: np.ndarray,
    times: FloatArray,
    ground: Ground,
    leg_length: float,
) -> np.ndarray:
    """Surface that bears a foot from each frame to the next, -1 for none, shape (N - 1,).

    That under its lowest point. A foot across an edge, beyond which something moves otherwise, is borne
    by what it moves the least over.

    Parameters
    ----------
    points
        Of the foot, world, metres, shape (N, P, 3).
    heights, surfaces
        From `measure_heights`, shape (N, P).
    times, ground, leg_length
        Seconds, shape (N,), what bears, and L in metres.
    """
    known = np.where(np.isnan(heights), np.inf, heights)[:-1]
    beneath = surfaces[:-1]
    bearing = np.take_along_axis(beneath, np.argmin(known, axis=1)[:, None], axis=1)[:, 0]
    near = known < SHOWN_FEET.near * leg_length
    across = np.any(near & (beneath != bearing[:, None]), axis=1)
    if not across.any() or not ground.moving_surfaces():
        return np.asarray(bearing)
    least = np.full(len(bearing), np.inf)
    for surface in np.unique(beneath[across][near[across]]):
        over = near & (beneath == surface)
        rows = np.flatnonzero(across & over.any(axis=1))
        lowest = np.argmin(np.where(over, known, np.inf)[rows], axis=1)
        carried = carry_points(points, np.where(over.any(axis=1), surface, -1), times, ground)
        moved = (points[1:] - carried)[rows, lowest]
        way = np.hypot(moved[:, 0], moved[:, 1])
        less = way < least[rows]
        bearing[rows[less]], least[rows[less]] = surface, way[less]
    return np.asarray(bearing)


def _measure_moves(
    points: FloatArray, under: np.ndarray, shown: ShownWalk, ground: Ground
) -> tuple[FloatArray, FloatArray]:
    """Ways over what is under (N - 1,): a foot's points (N - 1, P, 3) and the travel (N - 1,)."""
    moves = points[1:] - carry_points(points, under, shown.times, ground)
    travel = shown.travel[:, None]
    travelled = travel[1:] - carry_points(travel, under, shown.times, ground)
    return moves, np.hypot(travelled[:, 0, 0], travelled[:, 0, 1])


def _find_contacts(
    heights: FloatArray,
    moves: FloatArray,
    travelled: FloatArray,
    times: FloatArray,
    joined: np.ndarray,
    leg_length: float,
) -> np.ndarray:
    """Frames (N,) in which a foot stands, from heights (N, P) and moves (N - 1, P, 3)."""
    lowest = _find_lowest(heights)
    near = lowest < SHOWN_FEET.near * leg_length
    if not np.any(joined):
        return near
    steps = np.diff(times)
    known = np.where(np.isnan(heights), np.inf, heights)
    low = np.argmin(known[:-1] + known[1:], axis=1)
    way = np.take_along_axis(moves, low[:, None, None], axis=1)[:, 0]
    # Where the walk is shown at some frames only, its speed is that of the frames that are joined.
    speed = np.maximum(travelled / steps, SHOWN_FEET.slowest * leg_length)
    resting = joined & (np.hypot(way[:, 0], way[:, 1]) < SHOWN_FEET.resting * speed * steps)
    hanging = (
        resting & (np.abs(way[:, 2]) < SHOWN_FEET.level * speed * steps) & ~np.isnan(lowest[:-1])
    )
    hanging = _keep_long(hanging, SHOWN_FEET.least_frames)
    alone = ~(np.append(joined, False) | np.append(False, joined))
    beside = np.append(resting, False) | np.append(False, resting)
    return np.asarray(
        (near & (beside | alone)) | np.append(hanging, False) | np.append(False, hanging)
    )


def _keep_long(flags: np.ndarray, least: int) -> np.ndarray:
    """Flags (N,) of runs of so many at least."""
    kept = np.zeros_like(flags)
    for first, last in list_runs(flags):
        kept[first : last + 1] = last - first + 1 >= least
    return kept


def list_runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """First and last index of each run of flags (N,)."""
    edges = np.diff(np.concatenate([[0], flags.astype(np.int8), [0]]))
    starts, ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0) - 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _find_steady(contacts: np.ndarray, joined: np.ndarray) -> np.ndarray:
    """Frames (N,) of contacts between two of them, and those of which no neighbour is shown."""
    before, after = np.append(False, joined), np.append(joined, False)
    inside = np.append(False, contacts[:-1]) & before & np.append(contacts[1:], False) & after
    return np.asarray(contacts & (inside | ~(before | after)))


def _measure_slips(
    heights: FloatArray,
    moves: FloatArray,
    front: np.ndarray,
    steady: np.ndarray,
    joined: np.ndarray,
    leg_length: float,
) -> tuple[FloatArray, FloatArray]:
    """Slips (N,) of a standing foot and their extents (R,), metres.

    The front and the rear of a sole are looked at apart, so that a foot that turns about its middle
    slips, and in each what bears: skin that creases beside points that rest does not.
    """
    slips = np.zeros(len(steady))
    extents: list[float] = []
    known = np.where(np.isnan(heights), np.inf, heights)
    # Over nothing, nothing bears.
    steady = steady & np.isfinite(known.min(axis=1))
    low = np.where(steady, known.min(axis=1), 0.0)[:, None]
    bearing = np.exp(-np.minimum((known - low) / (SHOWN_FEET.bearing * leg_length), SHOWN_FEET.far))
    angles = np.pi * np.arange(SHOWN_FEET.extent_directions) / SHOWN_FEET.extent_directions
    directions = np.stack([np.cos(angles), np.sin(angles)])
    for part in (front, ~front):
        loads = bearing * (part & steady[:, None])
        shared = np.sqrt(loads[1:] * loads[:-1])
        total = shared.sum(axis=1)
        stays = joined & (total > SHOWN_FEET.least_load)
        way = np.einsum("np,npi->ni", shared, moves[..., :2])
        way = way / np.maximum(total, 1e-9)[:, None]
        for first, last in list_runs(stays):
            path = np.cumsum(way[first : last + 1], axis=0)
            along = np.concatenate([np.zeros((1, 2)), path]) @ directions
            spread = np.maximum.accumulate(along) - np.minimum.accumulate(along)
            # The extent so far, so that of the last frame is that of the contact.
            extent = spread.max(axis=1)
            rows = slice(first, last + 2)
            slips[rows] = np.maximum(slips[rows], extent)
            extents.append(float(extent[-1]))
    return slips, np.array(extents)


def find_depths(
    points: FloatArray, heights: FloatArray, times: FloatArray, ground: Ground, leg_length: float
) -> FloatArray:
    """Depth of the deepest point of a foot by the shortest way out, metres, shape (N,).

    No way out is longer than the one straight up, so points are looked at from the deepest on, twice
    as many each time, until none can be deeper than what is found.

    Parameters
    ----------
    points, heights
        World, metres, shape (N, P, 3), and their heights over the ground from `measure_heights`, (N, P).
    times, ground, leg_length
        Seconds, shape (N,), what they are in, and L in metres.
    """
    depths = np.where(np.isnan(heights), 0.0, np.maximum(-heights, 0.0))
    sure = depths <= SHOWN_FEET.sure_depth * leg_length
    deepest = np.where(sure, depths, 0.0).max(axis=1)
    order = np.argsort(-depths, axis=1)
    first, count = 0, 1
    while first < order.shape[1]:
        looked_at = order[:, first : first + count]
        straight = np.take_along_axis(depths, looked_at, axis=1)
        unsure = ~np.take_along_axis(sure, looked_at, axis=1)
        frame, rank = np.nonzero(unsure & (straight > deepest[:, None]))
        point = looked_at[frame, rank]
        ways = find_ways_out(
            points[frame, point], depths[frame, point], times[frame], ground, leg_length
        )
        np.maximum.at(deepest, frame, ways)
        first, count = first + count, 2 * count
    return np.asarray(deepest)


def find_ways_out(
    points: FloatArray, depths: FloatArray, times: FloatArray, ground: Ground, leg_length: float
) -> FloatArray:
    """Shortest ways out of the ground, straight up or to a side, metres, shape (n,).

    Parameters
    ----------
    points
        World, metres, shape (n, 3).
    depths
        How far the ground is above them, metres, shape (n,).
    times, ground, leg_length
        Seconds, shape (n,), what they are in, and L in metres.
    """
    best = depths.copy()
    for share in SHOWN_FEET.ways_out:
        shift = share * leg_length
        rows = np.flatnonzero(best > shift + 1e-9)
        if len(rows) == 0:
            break
        heights = measure_beside(
            points[rows], (shift, SHOWN_FEET.directions_out), times[rows], ground, leg_length
        )
        left = np.where(np.isnan(heights), 0.0, np.maximum(-heights, 0.0)).min(axis=1)
        best[rows] = np.minimum(best[rows], np.maximum(left, shift))
    return best
