# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lower bodies that turn to ways for which there is no motion (numpy only).

A walk straight ahead that is led aside would put its feet sideways. Its hips and legs turn to the way
instead, and its spine turns back, so that it goes on facing as it did.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.constants import LEGS_OF_PEOPLE
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.tables import MotionTables
from ..rig.upper_body import find_body_parts
from ..settings import PlanSettings
from ..travel.way import Travel
from .limits import GRID, ORIENTING
from .rides import ride_world


def _track_turns(
    tables: MotionTables, grid: TimeGrid, travel: Travel, settings: PlanSettings
) -> FloatArray | None:
    """How far the lower body turns to its way over time (docs/method/times.md, Ways without a motion)."""
    # What animators, carriers and footsteps turn with the ground is followed as it is.
    is_plain = type(travel) is Travel and travel.phases is None
    if settings.turn_to_way <= 0.0 or not settings.lock_feet or not is_plain:
        return None
    if len(tables.small_rig.legs) != LEGS_OF_PEOPLE or not find_body_parts(tables.rig).spine:
        return None
    period = tables.cycles.slowest_period
    local, _, _ = ride_world(grid, travel).measure_velocities()
    width = GRID.velocity_width * period
    velocities = smooth_gaussian(local, grid.interval, width)
    speeds = np.hypot(*velocities.T)
    if speeds.max() < ORIENTING.slow * tables.cycles.slowest_speed:
        return None
    ways = np.arctan2(velocities[:, 1], velocities[:, 0])
    turns = settings.turn_to_way * bound_turns(*measure_angles(ways, _list_directions(tables)))
    turns *= rot.step_cubic(speeds / (ORIENTING.slow * tables.cycles.slowest_speed) - 1.0)
    if np.abs(turns).max() < ORIENTING.least:
        return None
    return smooth_gaussian(turns, grid.interval, ORIENTING.width * period)


def _list_directions(tables: MotionTables) -> FloatArray:
    """Directions of the walks that go somewhere, radians, (D,)."""
    velocities = tables.cycles.velocities
    speeds = np.hypot(*velocities.T)
    goes = tables.cycles.is_cycle & (speeds > ORIENTING.slow * tables.cycles.slowest_speed)
    chosen = velocities[goes]
    return np.arctan2(chosen[:, 1], chosen[:, 0])


def measure_angles(ways: FloatArray, directions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Measure how far ways lie off the motions, where no two of these are blended for them.

    Parameters
    ----------
    ways
        Directions of the travel, radians, shape (N,).
    directions
        Of the motions, radians, shape (D,), D >= 1.

    Returns
    -------
    angles
        From the nearest motion, to the left, radians; 0 between motions that are no farther apart than
        blends are good for, shape (N,).
    rooms
        From there to the middle between it and the next motion on that side, radians, shape (N,).
    """
    ordered = np.sort(directions % (2.0 * np.pi))
    after = np.append(ordered[1:], ordered[0] + 2.0 * np.pi)
    place = np.searchsorted(ordered, ways % (2.0 * np.pi), side="right") - 1
    gaps = (after - ordered)[place]
    past = (ways - ordered[place]) % (2.0 * np.pi)
    nearest = np.where(past <= 0.5 * gaps, past, past - gaps)
    return np.where(gaps <= ORIENTING.blended, 0.0, nearest), 0.5 * gaps


def bound_turns(angles: FloatArray, rooms: FloatArray) -> FloatArray:
    """Measure how far bodies turn to ways that lie at angles from their motions, radians, (N,).

    All of it between small angles, which feet take, and the widest; farther aside they step sideways, and
    midway to the next motion they turn to neither: see `measure_angles`.
    """
    size, back = np.abs(angles), np.minimum(ORIENTING.back, rooms)
    entered = rot.step_cubic((size - ORIENTING.free) / ORIENTING.entering)
    left = rot.step_cubic((back - size) / (ORIENTING.back - 0.5 * np.pi))
    return np.asarray(np.sign(angles) * np.minimum(size, ORIENTING.widest) * entered * left)


def turn_to_way(
    tables: MotionTables, grid: TimeGrid, travel: Travel, settings: PlanSettings
) -> tuple[Travel, FloatArray | None]:
    """A travel on which a whole character would turn as its lower body does, and these turns.

    Parameters and turns are those of `_track_turns`; without any the travel is the same one.
    """
    turns = _track_turns(tables, grid, travel, settings)
    return (travel, None) if turns is None else (_turn(travel, grid, turns), turns)


def _turn(travel: Travel, grid: TimeGrid, turns: FloatArray) -> Travel:
    """A travel with turns (G,) added to its headings."""
    times = grid.times[(grid.times > travel.start) & (grid.times < travel.end)]
    times = np.union1d(times, travel.times)
    positions, yaws = travel.evaluate(times)
    turned = grid.sample_smooth(turns, times)
    whole = None
    if travel.turns is not None:
        whole = rot.multiply(rot.quaternions_from_yaws(turned), travel.find_turns(times))
    return replace(travel, times=times, positions=positions, yaws=yaws + turned, turns=whole)
