# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that are no walk at all, refused in words (numpy only).

What is wrong is said of the clip or the way that it is wrong with; a speed or a rate beyond all bounds
would tell nobody anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import TravelError
from ..maths.rotations import FloatArray
from ..motions.records import Motion
from ..motions.tables import MotionTables
from ..travel.carried import CarriedTravel, move_points
from ..travel.way import Travel
from .limits import REFUSALS
from .rides import RiddenTravel, Rides
from .stride_limits import find_fastest

# How a character leaves what carries it.
_LET_GO = (
    "key the influence of a Child Of constraint in place of the parent, so that it lets go where the "
    "character steps off"
)


def check_speed(tables: MotionTables, travel: Travel, rides: Rides) -> None:
    """Refuse travels that no walk can follow.

    Parameters
    ----------
    tables
        The motions.
    travel, rides
        The travel, and how it goes over what carries it.

    Raises
    ------
    TravelError
        It is a hundred times as fast as the fastest motion, or carried off over standing ground.
    """
    if not np.any(tables.cycles.is_cycle):
        return
    run = _Run.of(travel, rides)
    worst = int(np.argmax(run.speeds))
    name, own = find_fastest(tables.motion_set)
    if run.speeds[worst] <= REFUSALS.most_fast * own:
        return
    _refuse_stride(tables, next(m for m in tables.motion_set.motions if m.name == name))
    run.refuse_sliding(worst, own, rides)
    _refuse_carried_off(travel, rides, float(run.times[worst]))
    run.refuse_jump(worst, tables.rig.leg_length)
    factor = float(run.speeds[worst]) / own
    told = f"{factor:.0f} times" if factor < REFUSALS.most_told else "many thousand times"
    raise TravelError(
        f"the travel is {told} as fast as the fastest motion, {name!r} at {own:.3g} m/s",
        "travel slower, tick a motion that is as fast, or bring scene and character to the same units",
        "travel slower, name a motion that is as fast in `motions`, or bring scene and character to the "
        "same units",
    )


def check_rates(
    tables: MotionTables, travel: Travel, rides: Rides, rates: FloatArray, weights: FloatArray
) -> None:
    """Refuse walks of countless steps, as a motion with hardly a stride asks for.

    Parameters
    ----------
    tables
        The motions.
    travel, rides
        The travel, and how it goes over what carries it, on a grid of G times.
    rates
        Cycles a second, shape (G,).
    weights
        Shares of the motions, shape (G, M).

    Raises
    ------
    TravelError
        No one steps so often.
    """
    limit = max(REFUSALS.most_rate, REFUSALS.most_quick / tables.cycles.slowest_period)
    if rates.max() <= limit:
        return
    worst = int(np.argmax(rates))
    main = tables.motion_set.motions[
        int(np.argmax(np.where(tables.cycles.is_cycle, weights[worst], -1.0)))
    ]
    _refuse_stride(tables, main)
    time = float(np.clip(rides.grid.times[worst], travel.start, travel.end))
    run = _Run.of(travel, rides)
    fastest = run.find_fastest_near(time)
    run.refuse_sliding(fastest, find_fastest(tables.motion_set)[1], rides)
    _refuse_carried_off(travel, rides, time)
    run.refuse_jump(fastest, tables.rig.leg_length)
    raise TravelError(
        f"{main.name!r} would have to take more than {limit:.0f} cycles a second",
        "untick it if it is no walk that goes this way, travel slower, or raise the limits of the steps "
        "(Longest Stride, Side Stride, Turn per Cycle)",
        "leave it out of `motions` if it is no walk that goes this way, travel slower, or raise "
        "`max_stride`, `max_side_stride` or `max_turn_per_cycle`",
        time=time,
    )


def _refuse_stride(tables: MotionTables, motion: Motion) -> None:
    """Refuse a motion that all but walks on the spot."""
    if motion.speed * motion.period < REFUSALS.least_stride * tables.rig.leg_length:
        raise TravelError(
            f"{motion.name!r} has a stride of nearly nothing, less than {REFUSALS.least_stride:.0%} of "
            "the leg, so that no number of its steps goes along the travel",
            "untick it, or set its Speed",
            "leave it out of `motions`, or give its `speed` there",
        )


def _refuse_carried_off(travel: Travel, rides: Rides, time: float) -> None:
    """Refuse a travel that its carrier takes over other ground faster than it walks at a time."""
    meant = travel.meant if isinstance(travel, RiddenTravel) else travel
    if not isinstance(meant, CarriedTravel):
        return
    step = 0.5 * rides.grid.interval
    times = np.array([time - step, time + step])
    places, yaws = meant.local.evaluate(np.array([time - step, time, time + step]))
    carried, _ = meant.carrier.carry(places[[1, 1]], yaws[[1, 1]], times)
    under = rides.carriers[int(rides.find_numbers(np.array([time]))[0])]
    if under is not None:
        carried = move_points(np.linalg.pinv(under.find_motions(times)), carried)
    speed = float(np.hypot(*(carried[1] - carried[0])[:2])) / rides.grid.interval
    own = float(np.hypot(*(places[2] - places[0])[:2])) / rides.grid.interval
    if speed > own:
        raise TravelError(
            f"{meant.carrier.name!r} carries the character at {speed:.3g} m/s over ground that does not "
            "go along",
            f"end the walk before that (Own Range), or {_LET_GO}",
            f"end `frames` before that, or {_LET_GO}",
            time=time,
        )


@dataclass(frozen=True)
class _Run:
    """A travel while it lasts, without what goes on past its ends.

    Attributes
    ----------
    times
        Seconds, shape (R,).
    velocities, speeds
        Over what carries it, along the world's axes, metres a second, shapes (R, 2) and (R,).
    interval
        Seconds from one time to the next.
    """

    times: FloatArray
    velocities: FloatArray
    speeds: FloatArray
    interval: float

    @classmethod
    def of(cls, travel: Travel, rides: Rides) -> _Run:
        """The times of a plan's grid at which a travel lasts."""
        times = rides.grid.times
        lasts = (times >= travel.start) & (times <= travel.end)
        if not np.any(lasts):
            lasts[:] = True
        velocities = rides.measure_velocities()[1][lasts, :2]
        return cls(times[lasts], velocities, np.hypot(*velocities.T), rides.grid.interval)

    def find_fastest_near(self, time: float) -> int:
        """Index of the fastest time within the length of a jump from a time in seconds."""
        near = np.abs(self.times - time) <= REFUSALS.jump
        return int(np.argmax(np.where(near, self.speeds, -1.0)))

    def refuse_sliding(self, worst: int, own: float, rides: Rides) -> None:
        """Refuse ground that goes by below the walk faster than the fastest motion, m/s."""
        names = np.where(rides.find_sliding(), np.array(rides.names)[rides.numbers], "")
        sliding = names[np.isin(rides.grid.times, self.times)]
        name = str(sliding[worst])
        if not name or self.speeds[worst] <= own:
            return
        others = np.flatnonzero((sliding != name) | (self.speeds <= own))
        before, after = others[others < worst], others[others > worst]
        first = before[-1] + 1 if len(before) else 0
        last = after[0] - 1 if len(after) else len(self.times) - 1
        raise TravelError(
            f"{name!r} goes by below the walk at up to {self.speeds[worst]:.3g} m/s: leave it out of "
            "the ground, let it move slower, or parent the character to it",
            time=float(self.times[first]),
            last=float(self.times[last]),
        )

    def refuse_jump(self, worst: int, leg_length: float) -> None:
        """Refuse a travel that is somewhere else at once, and goes slowly before and after."""
        near = np.abs(self.times - self.times[worst]) <= REFUSALS.jump
        beside = self.speeds[~near]
        if not len(beside) or beside.max() > REFUSALS.beside_jump * self.speeds[worst]:
            return
        distance = float(np.hypot(*self.velocities[near].sum(axis=0)) * self.interval)
        told = f"{distance:.3g} m"
        if distance > REFUSALS.most_lengths * leg_length:
            told = f"more than {REFUSALS.most_lengths:.0f} times the length of a leg"
        raise TravelError(
            f"the travel jumps {told} at once",
            "let it move over more frames, or bake what is before and after the jump by itself (Own "
            "Range)",
            "let it move over more frames, or bake the `frames` before and after the jump by themselves",
            time=float(self.times[worst]),
        )
