# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The level of the ground that the body walks on, among all that lie over each other (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ground.interface import Ground
from ..ground.layers import Storeys, split_layers
from ..maths import rotations as rot
from ..maths.constants import SAMPLE_RATE
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..settings import PlanSettings
from ..travel.way import Travel
from .limits import LEVELS


def plan_levels(
    tables: MotionTables,
    grid: TimeGrid,
    travel: Travel,
    ground: Ground,
    settings: PlanSettings,
) -> FloatArray:
    """Level of the ground along a travel.

    Parameters
    ----------
    travel
        Where it goes.
    ground
        What to walk on.
    settings
        How far up or down the next level may lie.

    Returns
    -------
    array, shape (G,)
        World z, metres.
    """
    stride = max(round(1.0 / (SAMPLE_RATE * grid.interval)), 1)
    stations = np.unique(np.append(np.arange(0, grid.count, stride), grid.count - 1))
    levels = find_levels(tables, travel, ground, settings, grid.times[stations])
    return np.interp(np.arange(grid.count), stations, levels)


def find_levels(
    tables: MotionTables,
    travel: Travel,
    ground: Ground,
    settings: PlanSettings,
    times: FloatArray,
) -> FloatArray:
    """Level of the ground along a travel at times in seconds, shape (n,); see `plan_levels`."""
    positions, yaws = travel.evaluate(times)
    length = tables.rig.leg_length
    slowest = tables.cycles.slowest
    middles = tables.leg_cycles.stance_positions + 0.5 * (
        tables.rig.foot_lengths[:, None] * tables.leg_cycles.foot_directions
    )
    turned = rot.rotate(rot.quaternions_from_yaws(yaws)[:, None], middles[slowest] * [1, 1, 0])
    feet = (positions[:, None] + turned).transpose(1, 0, 2)
    rules = LevelRules(
        reach=settings.step_limit * length,
        stand=LEVELS.standing_room * length,
        sole=float(tables.cycles.ground_heights[slowest]),
        start=int(np.argmin(np.abs(times - travel.start))),
        own_height=travel.own_height,
    )
    return track_ground_level(ground, positions, times, rules, feet)


@dataclass(frozen=True)
class LevelRules:
    """Record of how levels are chosen, lengths in metres.

    Attributes
    ----------
    reach
        How far up or down the next level may lie.
    stand
        Free height over a level that is walked on upright.
    sole
        Height of the soles in character space: what stands on the ground at the start.
    start
        Index of the station at which the character stands first.
    own_height
        World z of its origin there where the way has another, see `Travel`.
    """

    reach: float
    stand: float
    sole: float = 0.0
    start: int = 0
    own_height: float | None = None


def track_ground_level(
    ground: Ground,
    positions: FloatArray,
    times: FloatArray,
    rules: LevelRules,
    feet: FloatArray | None = None,
) -> FloatArray:
    """Height of the level that the body walks on along its way.

    It begins with the surface nearest to where the character stands, and goes on from there, ahead and
    back, to what is within reach and leaves room to stand: a bridge carries, a roof or tree above does
    not. Where the middle of the way has none within reach, as between two rows of stones, what lies
    where the feet tread counts. Gaps are bridged in a straight line. A way with heights of its own leads
    to the level that they are on where the one before ends, or lies a whole storey off.

    Parameters
    ----------
    ground
        What to walk on.
    positions
        The way of the character's origin, world metres, shape (n, 3).
    times
        Seconds, shape (n,).
    rules
        What may be walked on.
    feet
        Where each foot treads, world metres, shape (K, n, 3); None for the middle of the way alone.

    Returns
    -------
    array, shape (n,)
        World z; the way's own height where there is no ground at all.
    """
    count = len(times)
    layers = ground.cast_all(positions, times)
    single = np.array_equal(layers.rays, np.arange(count))
    if single and np.abs(np.diff(layers.heights)).max(initial=0.0) < rules.reach:
        return layers.heights
    middle = split_layers(layers, count)
    everywhere = list(middle)
    for foot in () if feet is None else feet:
        beside = split_layers(ground.cast_all(foot, times), count)
        everywhere = [a.join(b) for a, b in zip(everywhere, beside, strict=True)]
    walk = _LevelWalk(middle, everywhere, positions, rules)
    start = walk.begin()
    if start is None:
        return positions[:, 2].copy()
    for stations in (range(start + 1, count), range(start - 1, -1, -1)):
        walk.follow(start, stations)
    known = np.flatnonzero(~np.isnan(walk.levels))
    return np.interp(np.arange(count), known, walk.levels[known])


class _LevelWalk:
    """Goes along a way from level to level; what it finds is in `levels` (n,), nan over gaps.

    The surfaces at each station are those in the middle of the way, and with those where feet tread.
    """

    def __init__(
        self,
        middle: Sequence[Storeys],
        everywhere: Sequence[Storeys],
        positions: FloatArray,
        rules: LevelRules,
    ) -> None:
        self._middle, self._everywhere, self._rules = middle, everywhere, rules
        self._heights = positions[:, 2]
        steps = np.hypot(*np.diff(positions[:, :2], axis=0).T)
        self._travelled = np.concatenate([[0.0], np.cumsum(steps)])
        self.levels = np.full(len(positions), np.nan)
        self._begun_inside = False
        # World z of the level that the way's own heights tell, where they tell any.
        self._told: FloatArray | None = None

    def begin(self) -> int | None:
        """Choose the first level; the station where it is, None where there is no ground at all."""
        count, rules = len(self.levels), self._rules
        for station in (*range(rules.start, count), *range(rules.start - 1, -1, -1)):
            storeys = self._middle[station]
            if len(storeys.heights) == 0:
                continue
            origin = float(self._heights[station])
            nearest = storeys.find_nearest(origin, rules.sole, rules.reach)
            away = np.abs(storeys.heights[nearest] - origin - np.array([rules.sole, 0.0])).min()
            if rules.own_height is not None and away > rules.reach:
                nearest = storeys.find_nearest(rules.own_height, rules.sole, rules.reach)
            inside, level = bool(storeys.insides[nearest]), float(storeys.heights[nearest])
            chosen = storeys.find_reachable(level, rules.reach, rules.stand, inside)
            if chosen is not None:
                inside, level = bool(storeys.insides[chosen]), float(storeys.heights[chosen])
            self._begun_inside, self.levels[station] = inside, level
            self._read_heights(station)
            return station
        return None

    def follow(self, start: int, stations: range) -> None:
        """Choose the levels of stations that follow each other, from that of a start on."""
        rules, told = self._rules, self._told
        last, inside, since = float(self.levels[start]), self._begun_inside, self._travelled[start]
        for station in stations:
            middle, wanted = self._middle[station], None if told is None else float(told[station])
            columns = [(middle, last), (self._everywhere[station], last)]
            if wanted is not None:
                place = 0 if abs(wanted - last) > rules.stand else 2
                columns.insert(place, (middle, wanted))
            storeys, index = middle, None
            for storeys, height in columns:
                index = storeys.find_reachable(height, rules.reach, rules.stand, inside)
                if index is not None:
                    break
            patience = LEVELS.gap_patience * rules.reach
            if index is None and abs(self._travelled[station] - since) > patience:
                storeys, index = middle, middle.find_below(last, rules.stand)
            if index is not None:
                last, inside = float(storeys.heights[index]), bool(storeys.insides[index])
                self.levels[station], since = last, self._travelled[station]

    def _read_heights(self, start: int) -> None:
        """Take the way's heights for those of the levels where they rise and fall along with them."""
        rules = self._rules
        above = float(self.levels[start] - self._heights[start])
        if np.ptp(self._heights) > LEVELS.heights * rules.reach and abs(above) <= rules.stand:
            self._told = self._heights + above
