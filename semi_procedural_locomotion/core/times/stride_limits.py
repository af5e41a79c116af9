# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What limits strides and rates (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray, step_cubic
from ..maths.smoothing import integrate_rates, smooth_gaussian
from ..motions.posing import blend_constants
from ..motions.records import MotionSet
from ..motions.tables import OFF, STRIKE, MotionTables
from ..rig.structure import Rig
from ..settings import PlanSettings
from .limits import RATES, TREADS


def find_leads(tables: MotionTables, directions: FloatArray) -> FloatArray:
    """Find how far ahead of a body's origin each of its feet stands, metres, shape (L, n).

    Bodies on two legs stand under themselves: none of theirs does.

    Parameters
    ----------
    directions
        Horizontal unit vectors in character space in which the body goes, shape (n, 2).
    """
    stances, slowest = tables.leg_cycles.stance_positions, tables.cycles.slowest
    soles = tables.rig.foot_lengths[:, None] * tables.leg_cycles.foot_directions[slowest]
    middles = stances[slowest] + 0.5 * soles
    if tables.rig.is_upright:
        return np.zeros((len(middles), len(directions)))
    return np.asarray(middles[:, :2] @ directions.T)


def _spread_over_feet(values: FloatArray, way: FloatArray, leads: FloatArray) -> FloatArray:
    """The highest of what a body's hindmost foot, its middle and its foremost foot meet."""
    if not np.any(leads):
        return values
    shares = np.linspace(0.0, 1.0, RATES.along_body)[:, None]
    along = leads.min(axis=0) + shares * np.ptp(leads, axis=0)
    return np.asarray(np.interp(way + along, way, values).max(axis=0))


def fit_treads(
    distances: FloatArray, levels: FloatArray, highest: float, leg_length: float
) -> tuple[FloatArray, FloatArray]:
    """Largest climb of a step along a way, where stairs are taken by whole treads.

    A step of a quarter of the leg on treads of a fifth would now and then take two of them. On stairs it
    climbs as many whole treads as there are in the largest climb; where each is higher than that, some
    steps stay on a tread.

    Parameters
    ----------
    distances
        Metres along the way, not falling, shape (n,).
    levels
        Height of the ground there, metres, shape (n,).
    highest
        Largest climb of a step on ground without treads, metres.
    leg_length
        Of the character, metres.

    Returns
    -------
    climbs
        Metres, shape (n,).
    risers
        Height of a riser, metres, shape (n,); 0 where there are no stairs.
    """
    most = np.full(len(distances), highest)
    count = int(np.ceil(distances[-1] / (TREADS.spacing * leg_length))) + 1
    if not 3 <= count <= TREADS.most_stations:
        return most, np.zeros(len(distances))
    places = np.linspace(distances[0], distances[-1], count)
    step = places[1] - places[0]
    heights = np.interp(places, distances, levels)
    edges, rises = _find_risers(heights, TREADS.least_rise * leg_length)
    apart = np.diff(edges) * step
    # Two risers after each other that go the same way are a flight of stairs.
    together = (apart < TREADS.longest * leg_length) & (rises[1:] * rises[:-1] > 0.0)
    wide = max(round(TREADS.margin * leg_length / step), 1)
    treads = np.zeros(count)
    for index in np.flatnonzero(together):
        tread = slice(max(edges[index] - wide, 0), edges[index + 1] + wide)
        rise = 0.5 * (abs(rises[index]) + abs(rises[index + 1]))
        treads[tread] = np.maximum(treads[tread], rise)
    at = np.interp(distances, places, np.arange(count)).round().astype(int)
    risers = treads[at]
    rise = np.maximum(risers, 1e-9)
    whole = np.floor(highest / rise * (1.0 + TREADS.digits)) * rise
    return np.where((risers > 0.0) & (whole > 0.0), whole, most), risers


def _find_risers(heights: FloatArray, least: float) -> tuple[np.ndarray, FloatArray]:
    """Stations at which the ground rises or falls at once, and by how much, metres, shapes (k,)."""
    steps = np.diff(heights)
    steep = np.abs(steps) > TREADS.steep * least
    # What rises from station to station in the same sense is one riser.
    same = steep[1:] & steep[:-1] & (steps[1:] * steps[:-1] > 0.0)
    starts = steep & ~np.concatenate([[False], same])
    groups = np.cumsum(starts) - 1
    rises = np.bincount(groups[steep], weights=steps[steep], minlength=int(starts.sum()))
    edges = np.flatnonzero(starts)
    # A riser has level ground on both sides; a slope goes on and on.
    lengths = np.bincount(groups[steep], minlength=len(edges))
    fits = (np.abs(rises) >= least) & (lengths <= TREADS.thickest)
    return edges[fits], np.asarray(rises[fits], dtype=np.float64)


def limit_strides(strides: FloatArray, settings: PlanSettings, leg_length: float) -> FloatArray:
    """Strides (G,), metres, none longer than the settings allow."""
    if settings.max_stride > 0:
        return np.minimum(strides, settings.max_stride * leg_length)
    return strides


def limit_turns(turn_rates: FloatArray, settings: PlanSettings) -> FloatArray:
    """Least rates, cycles a second, (G,), with which no cycle turns further than the settings allow."""
    return np.abs(turn_rates) / max(settings.max_turn_per_cycle, 1e-6)


def limit_outer_feet(
    tables: MotionTables,
    weights: FloatArray,
    rates: FloatArray,
    speeds: FloatArray,
    turn_rates: FloatArray,
) -> FloatArray:
    """Least rates, cycles a second, (G,), with which legs reach feet on the outside of turns.

    A foot that stands to the side of the body goes farther on the outside of a turn than the body
    does. Its leg reaches as far as on the straight, or as it does from a hip at its motions' height.

    Parameters
    ----------
    weights
        Their shares, shape (G, M).
    rates
        Cycles a second on the straight, shape (G,).
    speeds, turn_rates
        Of the travel, metres and radians a second, shape (G,).
    """
    cycles, own = tables.cycles, tables.leg_cycles
    places = blend_constants(weights, own.stance_positions)[..., :2]
    aside = np.abs(places @ find_left(tables.rig)).max(axis=1)
    off, strike = (own.key_times[..., key] for key in (OFF, STRIKE))
    shares = weights @ (np.maximum(off, 1.0 - strike).max(axis=1) * cycles.is_cycle)
    swept = shares * speeds / np.maximum(rates, 1e-9)
    heights = weights @ (cycles.hip_centres[:, 2] - cycles.ground_heights)
    reach = np.sqrt(np.maximum(tables.rig.leg_length**2 - heights**2, 0.0))
    ways = shares * (speeds + np.abs(turn_rates) * aside)
    return np.asarray(ways / np.maximum(np.maximum(swept, reach), 1e-9))


def limit_side_strides(
    sideways: FloatArray,
    speeds: FloatArray,
    drift: FloatArray,
    settings: PlanSettings,
    tables: MotionTables,
) -> FloatArray:
    """Least rates of a mostly sideways walk beyond what its motions do.

    Parameters
    ----------
    sideways, speeds
        Speed of the travel to the side, and at all, metres a second, shape (G,).
    drift
        How far to the side a cycle of the blended motions goes, metres, shape (G,).
    tables
        The motions: one of their own that goes sideways leads to longer ones.

    Returns
    -------
    array, shape (G,)
        Cycles a second.
    """
    velocities = tables.cycles.velocities
    own = np.abs(velocities @ find_left(tables.rig))
    led = np.any(own > RATES.sideways * np.maximum(np.hypot(*velocities.T), 1e-9))
    longest = max(settings.max_side_stride, RATES.least_setting) * tables.rig.leg_length
    strides = np.full(len(speeds), longest)
    if led:
        strides = np.maximum(RATES.led_stride * longest, np.abs(drift))
    mostly = sideways > RATES.sideways * np.maximum(speeds, 1e-9)
    return np.where(mostly, sideways / strides, 0.0)


def find_highest_climb(tables: MotionTables, settings: PlanSettings) -> float:
    """Largest rise or fall of the ground in a step, metres (docs/method/times.md, Rates)."""
    shortest = min(leg.length for leg in tables.small_rig.legs)
    highest = max(settings.max_climb, RATES.least_setting) * shortest
    return highest if tables.rig.is_upright else highest * RATES.shared_climb


def limit_climbs(
    tables: MotionTables,
    grid: TimeGrid,
    rates: FloatArray,
    velocities: FloatArray,
    moving: np.ndarray,
    levels: FloatArray,
    settings: PlanSettings,
) -> FloatArray:
    """Rates raised so that no step climbs or falls more than the settings allow.

    Parameters
    ----------
    rates
        Cycles a second, shape (G,).
    velocities
        Of the travel in character space, metres a second, shape (G, 2).
    moving
        Whether the travel moves, shape (G,).
    levels
        Height of the ground along the travel, metres, shape (G,).
    """
    period = tables.cycles.slowest_period
    width = RATES.slope_width * period
    climb = np.abs(np.gradient(smooth_gaussian(levels, grid.interval, width), grid.interval))
    climb = np.where(moving, climb, 0.0)
    highest = find_highest_climb(tables, settings)
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    way = integrate_rates(speeds, grid.times)
    whole, _ = fit_treads(way, levels, highest, tables.rig.leg_length)
    asked, by_treads = (climb / (2.0 * most) for most in (highest, whole))
    # Who runs up stairs takes two treads now and then.
    hurry = step_cubic((by_treads * period - TREADS.quickest) / TREADS.hurry)
    asked = by_treads + hurry * (asked - by_treads)
    leads = find_leads(tables, velocities / np.maximum(speeds, 1e-9)[:, None])
    asked = np.where(moving, _spread_over_feet(asked, way, leads), 0.0)
    cap = np.maximum(rates, RATES.fastest / period)
    return np.minimum(np.maximum(rates, asked), cap)


def find_left(rig: Rig) -> FloatArray:
    """Horizontal unit vector to the character's left, character space, shape (2,)."""
    forward = rig.forward
    return np.array([-forward[1], forward[0]])


def find_fastest(motions: MotionSet) -> tuple[str, float]:
    """Name and speed of the fastest motion, metres a second."""
    cycles = [motion for motion in motions.motions if motion.is_cycle]
    fastest = max(cycles, key=lambda motion: motion.speed)
    return fastest.name, float(fastest.speed)
