# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints moved aside so that neighbouring feet neither touch nor cross (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..rig.crossing import list_partners, measure_rectangle_gaps, outline_rectangles
from ..rig.structure import Rig
from ..times.crossing_limits import find_least_gaps, find_least_widths
from ..times.limits import PARTING
from ..times.planning import TimePlan
from ..times.stride_limits import find_left
from .limits import PASSES


@dataclass(frozen=True)
class IdealPrints:
    """Prints of one leg on the flat, K of them, in the order of time.

    Attributes
    ----------
    times
        Stance instants, seconds, shape (K,).
    carriers
        Number of what carries the body at each, see `times.rides.Rides`, shape (K,).
    heels
        Heel ends, x and y in the space of their carrier, metres, shape (K, 2).
    headings
        From heel to toe in that space, radians, shape (K,).
    kept
        Index of the print at which each one stands: itself, or an earlier one, shape (K,).
    """

    times: FloatArray
    carriers: np.ndarray
    heels: FloatArray
    headings: FloatArray
    kept: np.ndarray


@dataclass(frozen=True)
class _Meetings:
    """Prints of two partner legs that follow one another in time, Q meetings."""

    first: np.ndarray
    second: np.ndarray
    axes: FloatArray
    widths: FloatArray
    gaps: FloatArray


def part_prints(
    tables: MotionTables, times: TimePlan, prints: list[IdealPrints]
) -> tuple[list[FloatArray], list[FloatArray]]:
    """Move prints aside where a foot would stand on, or beyond, its partner.

    Prints of partner legs that follow one another in time keep the distance of
    `find_least_widths` and `find_least_gaps`; both are moved by the same share, each to its own side
    and by `PARTING.most` at most.

    Parameters
    ----------
    tables
        The motions.
    times
        The time plan.
    prints
        Of each leg.

    Returns
    -------
    shifts
        Horizontal move of each print in the space of its carrier, metres, L arrays of shape (K, 2);
        kept prints as the one at which they stand.
    missing
        How much nearer each print still is to a partner's than it ought to be, metres, L arrays of
        shape (K,).
    """
    shifts = [np.zeros_like(p.heels) for p in prints]
    missing = [np.zeros(len(p.times)) for p in prints]
    for pair in list_partners(tables.rig):
        meetings = _find_meetings(tables, times, prints, pair)
        if len(meetings.first) == 0:
            continue
        amounts = [np.zeros(len(prints[leg].times)) for leg in pair]
        axes = [_mean_axes(meetings, prints, pair, side) for side in range(2)]
        for _ in range(PASSES.passes):
            heels = _move_aside(prints, pair, amounts, axes)
            deficit = _measure_deficits(tables.small_rig, heels, prints, pair, meetings)
            if not np.any(deficit > PASSES.unmoved * tables.rig.leg_length):
                break
            for side, chosen in enumerate((meetings.first, meetings.second)):
                move = np.zeros(len(amounts[side]))
                np.maximum.at(move, chosen, 0.5 * deficit)
                limit = PARTING.most * tables.rig.leg_length
                amounts[side] = np.minimum(amounts[side] + move, limit)
        heels = _move_aside(prints, pair, amounts, axes)
        deficit = _measure_deficits(tables.small_rig, heels, prints, pair, meetings)
        for side, chosen in enumerate((meetings.first, meetings.second)):
            kept = prints[pair[side]].kept
            shifts[pair[side]] = (amounts[side][:, None] * axes[side])[kept]
            np.maximum.at(missing[pair[side]], chosen, np.maximum(deficit, 0.0))
    return shifts, missing


def hold_apart(
    tables: MotionTables, times: TimePlan, prints: list[IdealPrints], ways: list[FloatArray]
) -> list[FloatArray]:
    """Ways by which prints may be moved without coming nearer to a partner's than they are.

    Two that would come too near by them are moved apart again, the one with the longer way by more, so
    that a print takes part of the way of the next. What does not help is left out: such prints are moved
    by half as much until they are apart, and by nothing at last.

    Parameters
    ----------
    tables
        The motions.
    times
        The time plan.
    prints
        Of each leg, none of them kept for another.
    ways
        By which they would be moved, in the space of their carriers, metres, L arrays of shape (K, 2).

    Returns
    -------
    list of arrays
        As ``ways``.
    """
    ways, least = list(ways), PASSES.nearer * tables.rig.leg_length
    for pair in list_partners(tables.rig):
        meetings = _find_meetings(tables, times, prints, pair)
        if len(meetings.first) == 0:
            continue

        def find_nearer(meetings: _Meetings = meetings, pair: tuple[int, int] = pair) -> FloatArray:
            heels = [prints[leg].heels + ways[leg] for leg in pair]
            return _measure_deficits(tables.small_rig, heels, prints, pair, meetings)

        own = [prints[leg].heels for leg in pair]
        still = _measure_deficits(tables.small_rig, own, prints, pair, meetings)
        borne, chosen = np.maximum(still, 0.0) + least, (meetings.first, meetings.second)
        axes = [_mean_axes(meetings, prints, pair, side) for side in range(2)]
        far = [np.hypot(*ways[leg][rows].T) for leg, rows in zip(pair, chosen, strict=True)]
        parts = [part / np.maximum(sum(far), rot.TINY) for part in far]
        for _ in range(PASSES.passes):
            nearer = np.maximum(find_nearer() - borne, 0.0)
            for side, leg in enumerate(pair):
                move = np.zeros(len(ways[leg]))
                np.maximum.at(move, chosen[side], parts[side] * nearer)
                ways[leg] = ways[leg] + move[:, None] * axes[side]
        for tried in range(PASSES.halvings + len(meetings.first)):
            near = find_nearer() > borne + least
            if not np.any(near):
                break
            for side, leg in enumerate(pair):
                share = np.ones(len(ways[leg]))
                share[chosen[side][near]] = 0.5 if tried < PASSES.halvings else 0.0
                ways[leg] = share[:, None] * ways[leg]
    return ways


def _find_meetings(
    tables: MotionTables, times: TimePlan, prints: list[IdealPrints], pair: tuple[int, int]
) -> _Meetings:
    """Each print of the first leg with the last of the second before and the first after it.

    Only prints that ride on the same are compared: those on others have moved on by then.
    """
    one, two = (prints[leg] for leg in pair)
    after = np.searchsorted(two.times, one.times, side="right")
    first = np.concatenate([np.arange(len(one.times))] * 2)
    second = np.concatenate([after - 1, after])
    inside = (second >= 0) & (second < len(two.times))
    first, second = first[inside], second[inside]
    together = one.carriers[first] == two.carriers[second]
    first, second = first[together], second[together]
    grid = times.grid
    middle = 0.5 * (one.times[first] + two.times[second])
    weights = grid.sample(times.weights, middle)
    lags = grid.sample(times.phases, one.times[first]) - grid.sample(
        times.phases, two.times[second]
    )
    yaw = rot.quaternions_from_yaws(times.rides.read_local(one.carriers[first], middle)[1])
    axes = rot.rotate(yaw, np.array([*find_left(tables.rig), 0.0]))[:, :2]
    return _Meetings(
        first=one.kept[first],
        second=two.kept[second],
        axes=axes,
        widths=find_least_widths(tables, pair, weights, lags),
        gaps=find_least_gaps(tables, pair, weights),
    )


def _mean_axes(
    meetings: _Meetings, prints: list[IdealPrints], pair: tuple[int, int], side: int
) -> FloatArray:
    """Direction in which each print of a leg is moved aside, unit vectors (K, 2)."""
    chosen = (meetings.first, meetings.second)[side]
    total = np.zeros((len(prints[pair[side]].times), 2))
    np.add.at(total, chosen, meetings.axes * (1.0 if side == 0 else -1.0))
    return np.asarray(total / np.maximum(np.hypot(*total.T), 1e-12)[:, None])


def _move_aside(
    prints: list[IdealPrints],
    pair: tuple[int, int],
    amounts: list[FloatArray],
    axes: list[FloatArray],
) -> list[FloatArray]:
    """Heel ends of both legs, moved aside, (K, 2) each."""
    return [
        prints[leg].heels + amount[:, None] * axis
        for leg, amount, axis in zip(pair, amounts, axes, strict=True)
    ]


def _measure_deficits(
    rig: Rig,
    heels: list[FloatArray],
    prints: list[IdealPrints],
    pair: tuple[int, int],
    meetings: _Meetings,
) -> FloatArray:
    """By how much the prints of each meeting are too near with heel ends (K, 2), metres, (Q,)."""
    chosen = (meetings.first, meetings.second)
    middles, outlines = [], []
    for side, leg in enumerate(pair):
        own = heels[side][chosen[side]]
        heading = prints[leg].headings[chosen[side]]
        direction = np.stack([np.cos(heading), np.sin(heading)], axis=1)
        length = float(rig.foot_lengths[leg])
        middles.append(own + 0.5 * length * direction)
        outlines.append(
            outline_rectangles(own, direction, np.array(length), rig.legs[leg].sole_width)
        )
    width = np.sum((middles[0] - middles[1]) * meetings.axes, axis=1)
    gap = measure_rectangle_gaps(outlines[0], outlines[1])
    return np.maximum(meetings.widths - width, meetings.gaps - gap)
