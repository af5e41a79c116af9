# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How feet stand and swing over the ground, measured on finished walks (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from semi_procedural_locomotion.core.ground.interface import Ground
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.maths.rotations import FloatArray, invert_matrices
from semi_procedural_locomotion.core.report.heights import measure_heights
from semi_procedural_locomotion.core.report.limits import SHOWN_FEET
from semi_procedural_locomotion.core.rig.footpoints import (
    compute_sole_points,
    compute_sole_weights,
    compute_standing_points,
    measure_slips,
)
from semi_procedural_locomotion.core.rig.hulls import hull_points_from_poses
from semi_procedural_locomotion.core.rig.structure import Rig

from .limits import SOLE_MEASURES
from .record import WalkRecord, WalkSteps

# Where the sole is looked at between heel and ball, and between ball and toe tip.
_LOOK = (SOLE_MEASURES.look_up, SOLE_MEASURES.roof)
_REAR, _FRONT = np.array([0.25, 0.5, 0.75]), np.array([1.0 / 3.0, 2.0 / 3.0])


@dataclass(frozen=True)
class SoleHeights:
    """Sole points (heel, ball, toe tip) and the ground under them.

    Attributes
    ----------
    points
        World, metres, shape (N, L, 3 points, 3).
    heights
        Over the ground, metres, nan where there is none, shape (N, L, 3).
    surfaces
        Surface under each point, -1 for none, shape (N, L, 3).
    lowest
        Height of the foot's lowest point, metres, nan over nothing, shape (N, L). The sole is looked at
        between the three points, too: it may stand on an edge that none of them is over.
    depths
        How deep the sole is in the ground: the shortest way out, straight up or to a side, metres,
        0 outside, shape (N, L).
    slips
        How far what bears of a foot's mesh has moved along its print, see `measure_slips`, metres, shape
        (N, L, 2).
    skins
        How far that counts in place of the ways of the points, 0 to 1, shape (N, L): not of feet without
        a mesh, nor where their prints are not known.
    """

    points: FloatArray
    heights: FloatArray
    surfaces: np.ndarray
    lowest: FloatArray
    depths: FloatArray
    slips: FloatArray
    skins: FloatArray


def measure_sole_heights(rig: Rig, walk: WalkRecord, ground: Ground) -> SoleHeights:
    """Heights of all sole points of a walk over the ground.

    Parameters
    ----------
    rig
        The character.
    walk
        Its solved walk.
    ground
        What it walks on.

    Returns
    -------
    SoleHeights
    """
    points = _stand_points(rig, walk)
    times = walk.times[:, None, None]
    levels = None if walk.steps is None else walk.steps.print_positions[:, :, None, 2]
    heights, surfaces = measure_heights(points, times, ground, rig.leg_length, levels, _LOOK)
    inner = _fill_soles(points)
    between, _ = measure_heights(inner, times, ground, rig.leg_length, levels, _LOOK)
    if walk.steps is not None and walk.steps.floating is not None:
        bears = (walk.steps.floating & walk.steps.contacts)[..., None]
        heights = np.where(bears, _measure_over_prints(points, walk.steps), heights)
        between = np.where(bears, _measure_over_prints(inner, walk.steps), between)
        surfaces = np.where(bears, -1, surfaces)
    all_heights = np.concatenate([heights, between], axis=-1)
    raw = np.max(np.where(np.isnan(all_heights), 0.0, np.maximum(-all_heights, 0.0)), axis=-1)
    all_points = np.concatenate([points, inner], axis=2)
    depths = _find_ways_out(raw, all_points, walk.times, ground, rig.leg_length)
    lowest = _lower_to_edges(_find_lowest(all_heights), rig, walk, ground, points)
    return SoleHeights(points, heights, surfaces, lowest, depths, *_measure_skins(rig, walk))


def _stand_points(rig: Rig, walk: WalkRecord) -> FloatArray:
    """Sole points (N, L, 3, 3), of feet whose prints are known as their meshes stand on them."""
    poses, steps = (walk.rotations, walk.positions), walk.steps
    if steps is None:
        return np.stack([compute_sole_points(leg, *poses) for leg in rig.legs], axis=1)
    soles = [
        compute_standing_points(rig, leg, *poses, steps.print_frames[:, leg])
        for leg in range(len(rig.legs))
    ]
    return np.stack(soles, axis=1)


def _measure_skins(rig: Rig, walk: WalkRecord) -> tuple[FloatArray, FloatArray]:
    """Slips (N, L, 2) of what bears of the feet's meshes, and how far they count (N, L)."""
    shape, steps = (len(walk.times), len(rig.legs)), walk.steps
    slips, skins = np.zeros((*shape, 2)), np.zeros(shape)
    width = SHOWN_FEET.bearing * rig.leg_length
    for leg, own in enumerate(rig.legs):
        if own.hull is None or steps is None:
            continue
        points = hull_points_from_poses(own.hull, walk.rotations, walk.positions)
        back = rot.conjugate(steps.print_frames[:, leg])[:, None]
        seen = rot.rotate(back, points - steps.print_positions[:, leg, None])
        bears = steps.contacts[:, leg]
        slips[:, leg] = measure_slips(seen, bears, width, SHOWN_FEET.least_load)
        skins[:, leg] = 1.0
    return slips, skins


def _find_lowest(heights: FloatArray) -> FloatArray:
    """Least of heights (..., P) that are known, nan where none is, (...)."""
    least = np.min(np.where(np.isnan(heights), np.inf, heights), axis=-1)
    return np.where(np.isinf(least), np.nan, least)


def _lower_to_edges(
    lowest: FloatArray, rig: Rig, walk: WalkRecord, ground: Ground, points: FloatArray
) -> FloatArray:
    """Heights (N, L) of feet in contact that seem to float, looked at closely and over their outlines.

    A tilted foot that strikes the edge of a tread bears on it between two points of its sole, or beside
    its middle line.
    """
    if walk.steps is None:
        return lowest
    bears = walk.steps.contacts & (lowest > SOLE_MEASURES.doubted * rig.leg_length)
    if walk.steps.floating is not None:
        bears &= ~walk.steps.floating
    closest = lowest.copy()
    shares = np.arange(1, SOLE_MEASURES.close_points) / SOLE_MEASURES.close_points
    for leg in np.flatnonzero(bears.any(axis=0)).tolist():
        rows = np.flatnonzero(bears[:, leg])
        heel, ball, toe = np.moveaxis(points[rows, leg], 1, 0)[..., None, :]
        rear, front = (a + shares[:, None] * (b - a) for a, b in ((heel, ball), (ball, toe)))
        outline = hull_points_from_poses(rig.hulls[leg], walk.rotations[rows], walk.positions[rows])
        looked = np.concatenate([rear, front, outline], axis=1)
        levels = walk.steps.print_positions[rows, leg, None, 2]
        heights, _ = measure_heights(
            looked, walk.times[rows, None], ground, rig.leg_length, levels, _LOOK
        )
        closest[rows, leg] = np.fmin(lowest[rows, leg], _find_lowest(heights))
    return closest


def _measure_over_prints(points: FloatArray, steps: WalkSteps) -> FloatArray:
    """Heights of points (N, L, P, 3) over the planes of their prints, metres, (N, L, P)."""
    normals = rot.rotate(steps.print_frames, rot.UP)[:, :, None]
    away = points - steps.print_positions[:, :, None]
    return np.sum(away * normals, axis=-1) / normals[..., 2]


def _fill_soles(points: FloatArray) -> FloatArray:
    """Points between heel and ball and between ball and toe tip, (N, L, Q, 3)."""
    rear = points[:, :, 0:1] + _REAR[:, None] * (points[:, :, 1:2] - points[:, :, 0:1])
    front = points[:, :, 1:2] + _FRONT[:, None] * (points[:, :, 2:3] - points[:, :, 1:2])
    return np.concatenate([rear, front], axis=2)


def measure_slides(rig: Rig, steps: WalkSteps, soles: SoleHeights) -> tuple[FloatArray, FloatArray]:
    """Slides of planted feet relative to their prints.

    A sole point is planted while its foot is in contact by the plan and it carries more than half
    of what the most loaded point carries. Its slide in one contact is the widest extent of its
    places along the print; on a mesh, of the way of what bears meanwhile.

    Parameters
    ----------
    rig
        The character.
    steps
        The plan's steps.
    soles
        From `measure_sole_heights`.

    Returns
    -------
    slides
        One number for each contact and point planted for two frames or more, metres, shape (R,).
    series
        How far the planted point is from where it was planted first in this contact, metres, shape
        (N, L); 0 in flight.
    """
    relative = soles.points - steps.print_positions[:, :, None, :]
    local = rot.rotate(rot.conjugate(steps.print_frames)[:, :, None, :], relative)
    # Skin that bends does not come down where it lies on the flat foot.
    along, skins = local[..., :2], soles.skins[:, :, None, None]
    along += skins * (soles.slips[:, :, None] - along)
    weights = np.stack(
        [
            compute_sole_weights(local[:, i, :, 2], float(rig.foot_lengths[i]))
            for i in range(len(rig.legs))
        ],
        axis=1,
    )
    heaviest = np.max(weights, axis=-1, keepdims=True)
    planted = steps.contacts[..., None] & (weights > SOLE_MEASURES.carrying * heaviest)
    # One row for each sole point, so that the frames of a contact follow one another.
    mask = np.moveaxis(planted, 0, -1)
    places = np.moveaxis(local[..., :2], 0, -2)[mask]
    series = np.zeros(mask.shape)
    contact = np.broadcast_to(_number_contacts(steps.contacts)[:, None], mask.shape)[mask]
    row = np.nonzero(mask)[0] * mask.shape[1] + np.nonzero(mask)[1]
    changes = (np.diff(contact, prepend=-1) != 0) | (np.diff(row, prepend=-1) != 0)
    first = np.flatnonzero(changes)
    if len(first) == 0:
        return np.zeros(0), np.moveaxis(np.max(series, axis=1), -1, 0)
    angles = np.pi * np.arange(SOLE_MEASURES.extent_directions) / SOLE_MEASURES.extent_directions
    along = places @ np.stack([np.cos(angles), np.sin(angles)])
    extents = np.maximum.reduceat(along, first) - np.minimum.reduceat(along, first)
    counts = np.diff(np.append(first, len(places)))
    series[mask] = np.hypot(*(places - np.repeat(places[first], counts, axis=0)).T)
    return np.max(extents, axis=1)[counts > 1], np.moveaxis(np.max(series, axis=1), -1, 0)


def measure_near_ground_speeds(
    rig: Rig, walk: WalkRecord, ground: Ground, soles: SoleHeights
) -> FloatArray:
    """Speeds of feet that are near the ground.

    Between two frames the lowest sole point counts if it is near the ground in both and the root
    moves; both speeds are horizontal and relative to the surface under the point. Of meshes in contact
    it is what bears.

    Parameters
    ----------
    rig
        The character.
    walk
        Its solved walk.
    ground
        What it walks on.
    soles
        From `measure_sole_heights`.

    Returns
    -------
    array, shape (N - 1, L)
        Shares of the root's speed, nan where the foot is not near the ground or the root stands.
    """
    before, after = soles.heights[:-1], soles.heights[1:]
    middle = np.where(np.isnan(before + after), np.inf, before + after)
    lowest = np.argmin(middle, axis=-1)[..., None]

    def pick(array: np.ndarray) -> np.ndarray:
        """Values of the lowest point."""
        return np.take_along_axis(array, lowest, axis=-1)[..., 0]

    highest = np.maximum(pick(before), pick(after))
    start = np.take_along_axis(soles.points[:-1], lowest[..., None], axis=2)[:, :, 0]
    end = np.take_along_axis(soles.points[1:], lowest[..., None], axis=2)[:, :, 0]
    roots = np.broadcast_to(walk.roots[:, None], (len(walk.roots), *end.shape[1:]))
    foot_start, root_start = start.copy(), roots[:-1].copy()
    surfaces = pick(soles.surfaces[:-1])
    moving_surfaces = ground.moving_surfaces()
    for surface in np.unique(surfaces[surfaces >= 0]):
        if int(surface) not in moving_surfaces:
            continue
        frames = ground.surface_frames(int(surface), walk.times)
        carry = frames[1:] @ invert_matrices(frames[:-1])
        interval, leg = np.nonzero(surfaces == surface)
        for place in (foot_start, root_start):
            moved = np.einsum("nij,nj->ni", carry[interval, :3, :3], place[interval, leg])
            place[interval, leg] = moved + carry[interval, :3, 3]
    foot = np.hypot(*np.moveaxis(end - foot_start, -1, 0)[:2]) / walk.interval
    if walk.steps is not None:
        bears = walk.steps.contacts[1:] & walk.steps.contacts[:-1]
        slipped = np.hypot(*np.moveaxis(np.diff(soles.slips, axis=0), -1, 0)) / walk.interval
        foot += np.where(bears, soles.skins[:-1], 0.0) * (slipped - foot)
    root = np.hypot(*np.moveaxis(roots[1:] - root_start, -1, 0)[:2]) / walk.interval
    moving = max(SOLE_MEASURES.standing * rig.leg_length, SOLE_MEASURES.slow * float(np.max(root)))
    counts = (highest < SOLE_MEASURES.near * rig.leg_length) & (root > moving)
    return np.where(counts, foot / np.where(counts, root, 1.0), np.nan)


def _number_contacts(contacts: np.ndarray) -> np.ndarray:
    """Running number of the contact each frame is in or follows, shape (L, N)."""
    begins = contacts & ~np.concatenate([np.zeros_like(contacts[:1]), contacts[:-1]])
    return np.cumsum(begins, axis=0).T


def _find_ways_out(
    raw: FloatArray, points: FloatArray, times: FloatArray, ground: Ground, leg_length: float
) -> FloatArray:
    """Depths (N, L) lessened where a short way to a side leads out of the ground."""
    depths = raw.copy()
    frame, leg = np.nonzero(raw > SOLE_MEASURES.sure_depth * leg_length)
    if len(frame) == 0:
        return depths
    feet = points[frame, leg]
    forward = feet[:, 2] - feet[:, 0]
    heading = np.arctan2(forward[:, 1], forward[:, 0])[:, None]
    turn = (
        heading
        + 2.0 * np.pi * np.arange(SOLE_MEASURES.directions_out) / SOLE_MEASURES.directions_out
    )
    away = rot.pack(np.cos(turn), np.sin(turn), 0.0 * turn)
    best = raw[frame, leg]
    for share in SOLE_MEASURES.ways_out:
        shift = share * leg_length
        rows = np.flatnonzero(best > shift)
        if len(rows) == 0:
            break
        moved = feet[rows, None] + shift * away[rows, :, None]
        heights, _ = measure_heights(
            moved, times[frame[rows], None, None], ground, leg_length, None, _LOOK
        )
        left = np.max(np.where(np.isnan(heights), 0.0, np.maximum(-heights, 0.0)), axis=-1)
        best[rows] = np.minimum(best[rows], np.maximum(np.min(left, axis=-1), shift))
    depths[frame, leg] = best
    return depths
