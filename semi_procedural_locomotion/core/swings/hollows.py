# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that roll where the ground falls away under their print (numpy only).

A print is a plane that touches the ground from above. Flat on it, a sole stands on what sticks out;
once it rolls onto its heel or toe, that end may be over a hollow, as beyond the edge of a tread. The
foot is let down then until some point of the sole touches the ground, as a foot tips over an edge.
"""

from __future__ import annotations

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import cast_soles, start_over_plane
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants
from ..motions.tables import MotionTables
from ..prints.records import PrintPlan, PrintRow
from ..rig.footpoints import compute_standing_points
from ..rig.structure import Rig
from ..times.source import PlacedFeet, SourcePoses
from .limits import HOLLOWS


def measure_hollows(rig: Rig, prints: PrintPlan, ground: Ground) -> tuple[FloatArray | None, ...]:
    """How far the ground lies under the planes of all prints.

    Parameters
    ----------
    rig
        The character.
    prints
        Where the feet stand.
    ground
        What they stand on, looked at as it is at each print's own stance.

    Returns
    -------
    arrays, L of them
        Metres square to each print at stations along its sole, shape (K, S); None where no print of
        the leg is hollow.
    """
    return tuple(
        _measure_row(
            row,
            ground,
            float(rig.foot_lengths[leg]),
            rig.legs[leg].sole_width,
            rig.leg_length,
        )
        for leg, row in enumerate(prints.rows)
    )


def _measure_row(
    row: PrintRow, ground: Ground, length: float, width: float, leg_length: float
) -> FloatArray | None:
    """Hollows of one leg's prints."""
    everyone = np.flatnonzero(row.found & ~row.in_air)
    coarse = _cast_gaps(
        row, everyone, ground, HOLLOWS.along[:: HOLLOWS.coarse] * length, width, leg_length
    )
    # A foot that rolls over the edge of a step stays on its plane: it would slip, and dive.
    is_edge = (coarse >= HOLLOWS.deepest * leg_length).any(axis=1)
    hollow = everyone[(coarse > HOLLOWS.shallow * leg_length).any(axis=1) & ~is_edge]
    if len(hollow) == 0:
        return None
    fine = _cast_gaps(row, hollow, ground, HOLLOWS.along * length, width, leg_length)
    depths = np.zeros((len(row.times), len(HOLLOWS.along)))
    depths[hollow] = _turn_square(
        fine, row.frames[hollow], (HOLLOWS.along[1] - HOLLOWS.along[0]) * length
    )
    return depths


def _cast_gaps(
    row: PrintRow,
    chosen: np.ndarray,
    ground: Ground,
    along: FloatArray,
    width: float,
    leg_length: float,
) -> FloatArray:
    """Least gaps across the sole at stations along it (S,), metres straight down, shape (n, S)."""
    stations = np.stack(np.meshgrid(along, HOLLOWS.across * width, [0.0], indexing="ij"), axis=-1)[
        :, :, 0
    ]
    points = row.positions[chosen][:, None, None] + rot.rotate(
        row.frames[chosen][:, None, None], stations
    )
    times = row.times[chosen][:, None, None]
    hits = cast_soles(ground, points, start_over_plane(points, leg_length), times)
    gaps = np.clip(points[..., 2] - hits.heights, 0.0, HOLLOWS.deepest * leg_length)
    return gaps.min(axis=-1)


def _turn_square(gaps: FloatArray, frames: FloatArray, spacing: float) -> FloatArray:
    """Gaps square to the planes of prints from gaps straight down (n, S), never larger.

    A sole that goes down square to a slope moves uphill meanwhile, towards the gaps there. The least
    of all that it passes is taken, and of the stations beside each, so that between stations no sole
    ends up in the ground.
    """
    rise = rot.rotate(frames, np.array([1.0, 0.0, 0.0]))[:, 2:]
    upright = rot.rotate(frames, rot.UP)[:, 2:]
    moved = gaps * np.abs(rise) / spacing
    count = gaps.shape[1]
    stations = np.arange(count)
    result = np.full_like(gaps, np.inf)
    for uphill in range(-1, int(np.ceil(moved.max())) + 2):
        there = np.where(rise >= 0, stations + uphill, stations - uphill).clip(0, count - 1)
        passed = np.take_along_axis(gaps, there, axis=1)
        result = np.where(uphill - 1 <= moved, np.minimum(result, passed), result)
    return result * upright


def measure_drops(
    tables: MotionTables,
    source: SourcePoses,
    feet: PlacedFeet,
    angles: FloatArray,
    depths: FloatArray,
    leg: int,
) -> FloatArray:
    """How far a foot on a hollow print can go down until its sole touches the ground.

    Parameters
    ----------
    tables, source, feet
        The motions, the blended poses and the feet in them, at N times.
    angles
        Direction of the print in character space, radians from +X, shape (N,).
    depths
        Hollows of the print under the foot, see `measure_hollows`, shape (N, S).
    leg
        Index of the leg.

    Returns
    -------
    array, shape (N,)
        Metres.
    """
    rig, poses, frames = tables.small_rig, source.legs, rot.quaternions_from_yaws(angles)
    shares = blend_constants(source.weights, tables.cycles.skin_shares)
    points = compute_standing_points(
        rig, leg, poses.rotations, poses.positions, frames, shares, feet.levels
    )
    heel, ball, toe = points[:, 0:1], points[:, 1:2], points[:, 2:3]
    sole = np.concatenate(
        [
            points,
            heel + HOLLOWS.rear[:, None] * (ball - heel),
            ball + HOLLOWS.front[:, None] * (toe - ball),
        ],
        axis=1,
    )
    local = rot.rotate(
        rot.quaternions_from_yaws(-angles)[:, None], sole - np.asarray(feet.local)[:, None]
    )
    last = depths.shape[1] - 1
    along = local[..., 0] / float(rig.foot_lengths[leg])
    place = (
        np.clip((along - HOLLOWS.along[0]) / (HOLLOWS.along[-1] - HOLLOWS.along[0]), 0.0, 1.0)
        * last
    )
    index = np.minimum(place.astype(np.intp), last - 1)
    share = place - index
    low = np.take_along_axis(depths, index, axis=1)
    high = np.take_along_axis(depths, index + 1, axis=1)
    gaps = low * (1.0 - share) + high * share
    return np.maximum((local[..., 2] + gaps).min(axis=1), 0.0)


def fade_drops(flight: FloatArray, drops: FloatArray) -> FloatArray:
    """What is left of the drops at foot-off and at strike during the flight, metres.

    Parameters
    ----------
    flight
        Share of the flight that has passed, shape (N,).
    drops
        At foot-off and at strike, metres, shape (N, 2).
    """
    leaving = 1.0 - rot.step_quintic(flight / HOLLOWS.fade)
    coming = rot.step_quintic((flight - 1.0 + HOLLOWS.fade) / HOLLOWS.fade)
    return drops[:, 0] * leaving + drops[:, 1] * coming
