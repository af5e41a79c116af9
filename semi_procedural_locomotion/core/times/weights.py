# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shares of the motions over time, from the travel's speed, direction and turn (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.bands import compute_band_weights, compute_ring_speeds
from ..motions.limits import CHOICE
from ..motions.motor import drive_by_speed
from ..motions.records import MotionGroup
from ..motions.tables import CycleTable, MotionTables
from ..settings import PlanSettings
from .limits import WEIGHTS


def plan_weights(
    tables: MotionTables,
    grid: TimeGrid,
    velocities: FloatArray,
    turn_rates: FloatArray,
    settings: PlanSettings,
) -> FloatArray:
    """Shares of the motions over time.

    In each group, gradient bands in the velocity share out the weight. Below the speed at which a
    walk plays in full the query is raised, so that stride and rate share the slowdown
    (docs/method/times.md, Weights). Motions that turn take over as the travel turns like them. A
    group without a rest motion stands in that of another one. Motions of a group without a name are
    ungrouped: they share its weight equally at any velocity. Groups that override take their weights
    from all others (docs/method/motions.md, Groups). Weights are smoothed in time
    without lag.

    Parameters
    ----------
    velocities
        Velocity of the travel in character space, metres a second, shape (G, 2).
    turn_rates
        Turn of the travel, radians a second, shape (G,).

    Returns
    -------
    array, shape (G, M)
        Sum 1.
    """
    weights = np.zeros((grid.count, len(tables.cycles.is_cycle)))
    over = np.zeros_like(weights)
    for group in tables.motion_set.groups:
        members, own = _weigh_group(tables, group, velocities, turn_rates, settings)
        share = np.maximum(np.interp(grid.times, group.weight_times, group.weights), 0.0)
        target = over if group.overrides else weights
        target[:, members] += own * share[:, None]
    weights = _override(weights, over)
    weights = smooth_gaussian(weights, grid.interval, WEIGHTS.width * tables.cycles.slowest_period)
    weights = np.where(weights < WEIGHTS.least, 0.0, weights)
    total = weights.sum(axis=1, keepdims=True)
    weights[total[:, 0] <= 0, tables.cycles.slowest] = 1.0
    return weights / np.where(total > 0, total, 1.0)


def _override(weights: FloatArray, over: FloatArray) -> FloatArray:
    """Weights (G, M) with what groups that override, (G, M), take from them: all where it sums to 1.

    Where no other group has any weight they have it all.
    """
    asked, rest = over.sum(axis=1, keepdims=True), weights.sum(axis=1, keepdims=True)
    if not np.any(asked):
        return weights
    taken = np.minimum(asked, 1.0)
    shared = over * taken / np.where(asked > 0, asked, 1.0)
    left = weights * (1.0 - taken) / np.where(rest > 0, rest, 1.0)
    return shared + left


def normalize_cycles(weights: FloatArray, cycles: CycleTable) -> tuple[FloatArray, FloatArray]:
    """Weights of the walks among themselves (G, M), and their sum (G,).

    Where all walks vanish the slowest has all.
    """
    walking = weights * cycles.is_cycle
    share = walking.sum(axis=1)
    result = walking / np.where(share > WEIGHTS.least_walk, share, 1.0)[:, None]
    idle = share <= WEIGHTS.least_walk
    result[idle] = 0.0
    result[idle, cycles.slowest] = 1.0
    return result, share


def find_turning(tables: MotionTables) -> tuple[np.ndarray, np.ndarray]:
    """Find which motions turn, and which of them do so on the spot, two arrays (M,) of bool."""
    motions = tables.motion_set.motions
    rates = np.array([m.turn_rate for m in motions])
    turning = np.array([m.turns for m in motions])
    speeds = np.hypot(tables.cycles.velocities[:, 0], tables.cycles.velocities[:, 1])
    radius = CHOICE.on_the_spot * tables.rig.leg_length
    return turning, turning & (speeds < np.abs(rates) * radius)


def _weigh_group(
    tables: MotionTables,
    group: MotionGroup,
    velocities: FloatArray,
    turn_rates: FloatArray,
    settings: PlanSettings,
) -> tuple[np.ndarray, FloatArray]:
    """Indices of motions (K,) and their shares of a group's weight (G, K), sum 1."""
    members = np.array(group.members, dtype=np.intp)
    if group.name == "":
        return members, np.full((len(velocities), len(members)), 1.0 / len(members))
    rests = np.flatnonzero(~tables.cycles.is_cycle)
    if len(rests) and np.all(tables.cycles.is_cycle[members]):
        members = np.append(members, rests[0])
    turning, on_the_spot = (flags[members] for flags in find_turning(tables))
    if not np.any(turning):
        return members, _weigh_bands(tables, members, velocities, settings)
    straight = np.flatnonzero(~turning)
    if not np.any(tables.cycles.is_cycle[members[straight]]):
        # Who only knows walks on a curve goes straight on with them.
        straight = np.flatnonzero(~on_the_spot)
    result = np.zeros((len(velocities), len(members)))
    rates = np.array([tables.motion_set.motions[i].turn_rate for i in members])
    if len(straight):
        result[:, straight] = _weigh_bands(tables, members[straight], velocities, settings)
    for sign in (1.0, -1.0):
        turners = turning & (rates * sign > 0)
        if not np.any(turners):
            continue
        # Where a motion turns on the spot, nothing stands while the travel turns.
        used = turners | (~turning & ~_find_alike(tables.cycles, members, turners))
        if np.any(turners & on_the_spot):
            used &= tables.cycles.is_cycle[members]
        chosen = np.flatnonzero(used)
        own = np.zeros_like(result)
        own[:, chosen] = _weigh_bands(tables, members[chosen], velocities, settings)
        amount = own[:, turners]
        native = amount @ np.abs(rates[turners])
        native += (1.0 - amount.sum(axis=1)) * np.abs(rates[turners]).mean()
        share = np.clip(turn_rates * sign / native, 0.0, 1.0)
        if len(straight) == 0:
            share = np.ones_like(share)
        result += share[:, None] * (own - result)
    return members, result


def _find_alike(cycles: CycleTable, members: np.ndarray, turners: np.ndarray) -> np.ndarray:
    """Find which members (K,) have nearly the velocity of one that turns, and give way to it."""
    own, of_turners = cycles.velocities[members], cycles.velocities[members[turners]]
    apart = np.linalg.norm(own[:, None] - of_turners[None], axis=-1)
    speeds, turning = np.linalg.norm(own, axis=-1), np.linalg.norm(of_turners, axis=-1)
    near = apart <= CHOICE.alike * np.maximum(speeds[:, None], turning[None])
    return np.asarray(np.any(near & (turning[None] > 0), axis=1) & cycles.is_cycle[members])


def _weigh_bands(
    tables: MotionTables, members: np.ndarray, velocities: FloatArray, settings: PlanSettings
) -> FloatArray:
    """Shares of some motions at velocities (G, 2), shape (G, K)."""
    own = tables.cycles.velocities[members]
    _, on_the_spot = find_turning(tables)
    rest = ~tables.cycles.is_cycle[members] | on_the_spot[members]
    if settings.blend_by == "speed":
        return drive_by_speed(own, rest, velocities, settings.walk_from, settings.run_from)
    queries = _raise_slow_queries(tables.cycles, own[~rest], velocities, settings)
    return compute_band_weights(own, rest, queries)


def _raise_slow_queries(
    cycles: CycleTable, own: FloatArray, velocities: FloatArray, settings: PlanSettings
) -> FloatArray:
    """Velocities (G, 2) raised below the speed at which a walk plays in full."""
    own_speeds = np.hypot(own[:, 0], own[:, 1])
    moving = own_speeds > 0
    if not np.any(moving):
        return velocities
    ring = compute_ring_speeds(
        own_speeds[moving],
        np.arctan2(own[moving, 1], own[moving, 0]),
        np.arctan2(velocities[:, 1], velocities[:, 0]),
    )
    # Where only a fast motion goes that way, its long stride does not suit a slow pace.
    full = np.minimum(ring, cycles.slowest_speed)
    slow = np.minimum(np.hypot(velocities[:, 0], velocities[:, 1]) / full, 1.0)
    exponent = settings.slowdown_exponent - 1.0
    return velocities * np.maximum(slow, 1e-9)[:, None] ** exponent
