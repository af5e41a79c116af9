# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a steered walk, and how it goes on (numpy only).

`Steering.advance` is a pure function: the same state, controls and time give the same next state, so
that a drive can be tried without a window (docs/method/steering.md, State).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.records import MotionSet
from ..motions.tables import LIFT, OFF, STRIKE, MotionTables
from ..prints.soles import FootholdRules
from ..settings import PlanSettings
from ..times.durations import Pace, align_motions, fit_contacts, plan_rates, weigh_key_times
from ..times.limits import GRID, MOVES, RATES
from ..times.stride_limits import find_highest_climb
from ..times.weights import normalize_cycles, plan_weights
from .limits import CARRIAGE, MOTOR, STEPS, TRACKER
from .motor import Controls, MotorPace, MovingBody, Wish, foresee, move_body, read_wish
from .soles import Goals, Soles, follow_goals, ground_soles, is_elsewhere, place_ideal_soles

_NAMES = re.compile(r"crouch|sneak|creep|duck|stealth", re.IGNORECASE)


def find_crouch(motions: MotionSet) -> int | None:
    """Index of the group to crouch with: the overriding one that is called so, or the only one."""
    over = [i for i, group in enumerate(motions.groups) if group.overrides]
    named = [i for i in over if _NAMES.search(motions.groups[i].name)]
    if named:
        return named[0]
    return over[0] if len(over) == 1 else None


def _weigh_crouch(tables: MotionTables, crouch: int | None, share: float) -> MotionTables:
    """Tables whose crouching group has a share, 0 to 1; as they are where there is none."""
    if crouch is None:
        return tables
    groups = list(tables.motion_set.groups)
    groups[crouch] = replace(
        groups[crouch], weight_times=np.zeros(1), weights=np.array([share], dtype=np.float64)
    )
    return replace(tables, motion_set=replace(tables.motion_set, groups=tuple(groups)))


def find_corners(
    frames: Sequence[int] | np.ndarray, shares: FloatArray
) -> list[tuple[float, float]]:
    """Frames and shares between which shares (N,) at frames (N,) go straight."""
    slopes = np.diff(shares) / np.diff(np.asarray(frames, dtype=np.float64))
    turns = np.abs(np.diff(slopes)) > 1e-6
    kept = [0, *(np.flatnonzero(turns) + 1).tolist(), len(shares) - 1]
    return [(float(frames[i]), float(shares[i])) for i in dict.fromkeys(kept)]


@dataclass(frozen=True)
class LegTimes:
    """Record of where L legs are in their steps.

    Attributes
    ----------
    designated
        Time of each leg in steps as the common phase has it: whole numbers are stances; it only rises,
        shape (L,).
    own
        Time in its step as it is, 0 to 1, no more than the designated one, shape (L,).
    parked
        Whether the foot stays, shape (L,) of bool.
    keys
        Lift, off, strike, land of its step, shape (L, 4).
    """

    designated: FloatArray
    own: FloatArray
    parked: np.ndarray
    keys: FloatArray

    @property
    def numbers(self) -> np.ndarray:
        """Number of each leg's step, shape (L,) of int."""
        return np.floor(self.designated).astype(np.intp)

    @property
    def passed(self) -> FloatArray:
        """Designated time in the step, 0 to 1, shape (L,)."""
        return self.designated - np.floor(self.designated)

    @property
    def lifting(self) -> np.ndarray:
        """Which feet are on their way: from lift until strike, shape (L,) of bool."""
        return ~self.parked & (self.own >= self.keys[:, LIFT]) & (self.own < self.keys[:, STRIKE])


def begin_legs(phase: float, stances: FloatArray, keys: FloatArray) -> LegTimes:
    """Legs that all stand at a phase; stances (L,) and key times (L, 4) are those of the motions."""
    designated = phase - stances
    return LegTimes(designated, np.zeros(len(stances)), np.ones(len(stances), dtype=bool), keys)


def find_start(times: LegTimes, phase: float, stances: FloatArray, first: int) -> float:
    """The phase, no less than the present one, at which a leg's foot would just have left the ground.

    By as much as a plan has it leave before the body moves: it catches up.
    """
    wanted = stances[first] + times.keys[first, OFF] + MOVES.anticipation
    return float(wanted + np.ceil(phase - wanted))


def move_legs(
    times: LegTimes, designated: FloatArray, keys: FloatArray, period: float, seconds: float
) -> tuple[LegTimes, np.ndarray]:
    """Legs some seconds later, before it is known which of them step.

    Parameters
    ----------
    designated
        Times in steps now as the common phase has them, shape (L,); what is less than before is as
        before, so that a blend that sets a stance back makes no second step.
    keys
        Lift, off, strike, land as the motions have them now, shape (L, 4): feet on their way keep theirs.
    period
        Seconds of a cycle.

    Returns
    -------
    times
        Legs that have come to a new stance are at its start.
    is_new
        Which have, shape (L,) of bool.
    """
    designated = np.maximum(designated, times.designated)
    before, after = np.floor(times.designated), np.floor(designated)
    is_new = after > before
    flying = ~times.parked & (times.own >= times.keys[:, LIFT]) & ~is_new
    own_keys = np.where(flying[:, None], times.keys, keys)
    passed = designated - after
    strike = own_keys[:, STRIKE]
    # Until its strike a late foot makes up for what it is behind.
    left = np.maximum((strike - times.passed) * period, 1e-9)
    caught = times.own + (strike - times.own) * np.minimum(seconds / left, 1.0)
    own = np.where(passed >= strike, passed, np.minimum(caught, passed))
    own = np.where(is_new, passed, own)
    own = np.where(times.parked, 0.0, own)
    return LegTimes(designated, own, times.parked, own_keys), is_new


def park_legs(times: LegTimes, is_new: np.ndarray, is_needed: np.ndarray) -> LegTimes:
    """Legs with feet parked and let go.

    Parameters
    ----------
    times
        From `move_legs`.
    is_new
        Which have come to a new stance, shape (L,) of bool.
    is_needed
        Whose next print is elsewhere than their foot, shape (L,) of bool.
    """
    off, strike = times.keys[:, OFF], times.keys[:, STRIKE]
    in_time = times.passed < off + STEPS.latest_start * (strike - off)
    starts = times.parked & is_needed & in_time
    stays = is_new & ~is_needed
    parked = (times.parked & ~starts) | stays
    return LegTimes(times.designated, np.where(parked | starts, 0.0, times.own), parked, times.keys)


def follow_share(rate: float, seconds: float) -> float:
    """Share of the way to its goal that something follows in some seconds, 1 - exp(-rate t)."""
    return float(-np.expm1(-rate * seconds))


def swing_to(
    value: float, rate: float, goal: float, stiffness: float, seconds: float
) -> tuple[float, float]:
    """A value and its rate on their way to a goal, critically damped: without a jerk or an overshoot.

    Parameters
    ----------
    value, rate, goal
        Where it is, how fast it changes in a second, and where it shall be.
    stiffness
        Of the spring, 1 / s: it is there in some 5 / stiffness seconds.
    seconds
        Time that passes; the formula is exact for any.
    """
    away, fades = value - goal, float(np.exp(-stiffness * seconds))
    pulled = (rate + stiffness * away) * seconds
    return goal + (away + pulled) * fades, (rate - stiffness * pulled) * fades


@dataclass(frozen=True)
class Tracker:
    """Record of what was seen so far.

    Attributes
    ----------
    position, yaw
        Where it was seen last, world metres, shape (2,), and radians.
    raw
        Velocity between the last two sights, world metres a second, shape (2,).
    velocity
        The same smoothed.
    acceleration
        Smoothed, world, metres a second squared, shape (2,).
    turn_rate
        Smoothed, radians a second, left is positive.
    """

    position: FloatArray
    yaw: float
    raw: FloatArray = field(default_factory=lambda: np.zeros(2))
    velocity: FloatArray = field(default_factory=lambda: np.zeros(2))
    acceleration: FloatArray = field(default_factory=lambda: np.zeros(2))
    turn_rate: float = 0.0

    def see(self, position: FloatArray, yaw: float, seconds: float) -> Tracker:
        """The tracker after it was seen elsewhere.

        Parameters
        ----------
        position, yaw
            Where it is now, world metres, shape (2,), and radians.
        seconds
            Since it was seen last; no time leaves all as it was.
        """
        if seconds <= 0.0:
            return self
        raw = (position - self.position) / seconds
        turn = float(rot.wrap_angles(yaw - self.yaw)) / seconds
        jerk = (raw - self.raw) / seconds
        shares = [
            follow_share(rate, seconds)
            for rate in (TRACKER.velocity, TRACKER.acceleration, TRACKER.turn_rate)
        ]
        return Tracker(
            position=position,
            yaw=yaw,
            raw=raw,
            velocity=self.velocity + shares[0] * (raw - self.velocity),
            acceleration=self.acceleration + shares[1] * (jerk - self.acceleration),
            turn_rate=self.turn_rate + shares[2] * (turn - self.turn_rate),
        )

    @property
    def local_velocity(self) -> FloatArray:
        """The smoothed velocity in character space, metres a second, shape (2,)."""
        cosine, sine = np.cos(self.yaw), np.sin(self.yaw)
        x, y = self.velocity
        return np.array([cosine * x + sine * y, cosine * y - sine * x])


@dataclass(frozen=True)
class _Takeoffs:
    """The body as each of L feet left the ground, or as far as that is foreseen.

    Attributes
    ----------
    places, yaws
        World metres and radians, shapes (L, 2) and (L,).
    phases
        Common phase, cycles, shape (L,).
    """

    places: FloatArray
    yaws: FloatArray
    phases: FloatArray


@dataclass(frozen=True)
class SteeringState:
    """A steered walk at one time.

    Attributes
    ----------
    body
        Where it is, and how it goes.
    tracker
        The same as it is seen.
    wish
        What it was asked for last.
    level
        Height of the ground under the body, metres.
    has_ground
        Whether there is any.
    weights
        Shares of the motions, shape (M,).
    phase, period
        Common phase in cycles, and seconds of a cycle.
    quickened
        By which factor steps are quicker for what they climb.
    stands_since
        Seconds since which all feet stand, where they do.
    legs
        Where the legs are in their steps.
    behind, ahead, goals
        The prints that feet come from and go to, and where the latter shall be.
    """

    body: MovingBody
    tracker: Tracker
    wish: Wish
    level: float
    has_ground: bool
    weights: FloatArray
    crouching: float
    phase: float
    period: float
    quickened: float
    stands_since: float
    legs: LegTimes
    behind: Soles
    ahead: Soles
    goals: Goals
    takeoffs: _Takeoffs


@dataclass(frozen=True)
class _Blend:
    """What motions make of a speed: weights (M,), stances (L,), key times (L, 4), cycles a second."""

    weights: FloatArray
    stances: FloatArray
    keys: FloatArray
    rate: float


@dataclass(frozen=True)
class Steering:
    """A character that is steered.

    Attributes
    ----------
    ground
        What it walks on.
    rules
        What a sole may stand on.
    crouch
        Index of the group of motions that it crouches with; None where it has none.
    """

    tables: MotionTables
    ground: Ground
    settings: PlanSettings
    rules: FootholdRules
    pace: MotorPace
    crouch: int | None = None

    def begin(
        self,
        place: FloatArray,
        yaw: float,
        time: float,
        velocity: FloatArray | None = None,
        turn_rate: float = 0.0,
    ) -> SteeringState:
        """A character that stands at a world place (3,), metres, turned by a yaw, radians.

        Where something moves it there, it goes on with that world velocity (2,), metres a second, and
        that turn rate, radians a second.
        """
        going = np.zeros(2) if velocity is None else velocity
        position = np.array(place[:2], dtype=np.float64)
        tracker = Tracker(position, yaw, going, going, turn_rate=turn_rate)
        body = MovingBody(time, position, yaw, tracker.local_velocity, turn_rate)
        tables, count = self.tables, len(self.tables.small_rig.legs)
        sole = float(tables.cycles.ground_heights[tables.cycles.slowest])
        level, has_ground = self._find_level(body, float(place[2]) + sole)
        wish = Wish(np.zeros(2), 0.0, 1.0, 1.0)
        blend = self._blend(time, tracker, 0.0, None, 1.0)
        legs = begin_legs(0.0, blend.stances, blend.keys)
        places, yaws = np.repeat(body.position[None], count, 0), np.full(count, yaw)
        soles = self._ask_soles(blend.weights, places, yaws, np.full(count, time))
        soles = ground_soles(tables, self.ground, self.rules, soles, np.arange(count), level)
        takeoffs = _Takeoffs(places, yaws, np.zeros(count))
        period = RATES.slow_cycle * tables.cycles.slowest_period
        return SteeringState(
            body,
            tracker,
            wish,
            level,
            has_ground,
            blend.weights,
            0.0,
            0.0,
            period,
            1.0,
            time,
            legs,
            soles,
            soles,
            Goals(soles, soles, np.full(count, level)),
            takeoffs,
        )

    def advance(self, state: SteeringState, controls: Controls, seconds: float) -> SteeringState:
        """The state some seconds later, steered by what is asked for all that time."""
        if seconds <= 0.0:
            return state
        wish = read_wish(self.pace, state.body, controls)
        body = move_body(state.body, wish, seconds)
        tracker = state.tracker.see(body.position, body.yaw, seconds)
        level, has_ground = self._find_level(body, state.level)
        further = seconds / MOTOR.crouch_time
        crouching = state.crouching + (further if controls.crouch else -further)
        crouching = min(max(crouching, 0.0), 1.0)
        blend = self._blend(body.time, tracker, crouching, state.weights, seconds)
        moves = self._is_moving(body, wish)
        wanted = self._quicken(blend.rate, body, wish, level)
        quickened = state.quickened + follow_share(CARRIAGE.climb, seconds) * (
            wanted - state.quickened
        )
        phase, rate = state.phase, quickened * blend.rate
        if np.all(state.legs.parked):
            if moves:
                first = self._choose_first(state, state.legs)
                phase = find_start(state.legs, phase, blend.stances, first)
            rate = rate if moves else 0.0
        elif not moves:
            rate = 1.0 / (RATES.slow_cycle * self.tables.cycles.slowest_period)
        # Where no cycle runs nothing is foreseen from its length.
        period = 1.0 / rate if rate > 0.0 else state.period
        phase += rate * seconds
        legs, is_new = move_legs(state.legs, phase - blend.stances, blend.keys, period, seconds)
        landed = is_new & ~state.legs.parked
        behind = state.behind.choose(landed, state.ahead)
        asked = self._foresee_soles(body, wish, blend.weights, legs, period)
        length = self.tables.rig.leg_length
        is_needed = is_elsewhere(
            behind,
            asked.positions[:, :2],
            asked.headings,
            self.settings.park_distance * length,
            self.settings.park_angle,
        )
        # Once all stand, small errors of where they do make no step.
        steps = moves or not np.all(state.legs.parked)
        legs = park_legs(legs, is_new, is_needed & steps)
        stands = bool(np.all(state.legs.parked) and np.all(legs.parked))
        lifting = legs.lifting
        ahead = state.ahead.choose(~lifting & (legs.own < legs.keys[:, STRIKE]), behind)
        begins, goals = lifting & ~state.legs.lifting, state.goals
        stale = lifting & goals.choose_stale(asked, level, begins, length)
        if np.any(stale):
            which = np.flatnonzero(stale)
            stood = ground_soles(self.tables, self.ground, self.rules, asked, which, level)
            goals = goals.renew(stale, asked, stood, level)
        if np.any(lifting):
            ahead = ahead.choose(begins, goals.stood)
            ahead = self._follow(state, legs, ahead, goals.stood, period, seconds)
        return SteeringState(
            body,
            tracker,
            wish,
            level,
            has_ground,
            blend.weights,
            crouching,
            phase,
            period,
            quickened,
            state.stands_since if stands else body.time,
            legs,
            behind,
            ahead,
            goals,
            self._foresee_takeoffs(state.takeoffs, body, wish, legs, phase, period),
        )

    def _quicken(self, rate: float, body: MovingBody, wish: Wish, level: float) -> float:
        """By which factor steps of a rate are quicker so that none climbs more than it may, 1 or more."""
        cycles = self.tables.cycles
        span = CARRIAGE.climb_span * cycles.slowest_period
        ahead, _, _, _ = foresee(body, wish, np.array([span]))
        reach = self.rules.reach
        back = 2.0 * body.position - ahead[0]
        points = np.array([[*ahead[0], level + reach], [*back, level + reach]])
        hits = self.ground.cast_down(points, np.full(2, body.time))
        near = hits.hit & (np.abs(hits.points[:, 2] - level) <= reach)
        heights = np.where(near, hits.points[:, 2], level)
        climb = abs(float(heights[0] - heights[1])) / (2.0 * span)
        highest = find_highest_climb(self.tables, self.settings)
        asked = min(climb / (2.0 * highest), RATES.fastest / cycles.slowest_period)
        return max(asked / rate, 1.0) if rate > 0.0 else 1.0

    def _is_moving(self, body: MovingBody, wish: Wish) -> bool:
        """Whether the body goes or turns, or is asked to."""
        slow = GRID.moving_speed * self.tables.cycles.slowest_speed
        speeds = [float(np.linalg.norm(v)) for v in (body.velocity, wish.velocity)]
        turns = [abs(body.turn_rate), abs(wish.turn_rate)]
        return max(speeds) > slow or max(turns) > GRID.moving_turn

    def _choose_first(self, state: SteeringState, legs: LegTimes) -> int:
        """The leg that steps first: as in a plan, whose phase goes on a little before each start."""
        period = self.tables.cycles.slowest_period
        stood = min(state.body.time - state.stands_since, RATES.step_on * period)
        lead = stood / (RATES.slow_cycle * period) - MOVES.anticipation
        ahead = (legs.keys[:, OFF] - legs.designated - lead) % 1.0
        return int(np.argmin(np.minimum(ahead, 1.0 - ahead)))

    def _find_level(self, body: MovingBody, level: float) -> tuple[float, bool]:
        """Height of the ground under the body near a level, and whether there is any."""
        reach = self.rules.reach
        point = np.array([[*body.position, level + reach]])
        hits = self.ground.cast_down(point, np.array([body.time]))
        found = float(hits.points[0, 2])
        if hits.hit[0] and abs(found - level) <= reach:
            return found, True
        return level, False

    def _blend(
        self,
        time: float,
        tracker: Tracker,
        crouching: float,
        before: FloatArray | None,
        seconds: float,
    ) -> _Blend:
        """Find what the motions make of what is seen; weights follow those before."""
        tables, settings = _weigh_crouch(self.tables, self.crouch, crouching), self.settings
        velocities = np.repeat(tracker.local_velocity[None], 2, axis=0)
        turns = np.full(2, tracker.turn_rate)
        # The functions of the plan, on a grid of one time.
        grid = TimeGrid(time, 1.0, 2)
        weights = plan_weights(tables, grid, velocities, turns, settings)
        if before is not None:
            weights = before + follow_share(CARRIAGE.weights, seconds) * (weights - before)
        cycle_weights, walk_share = normalize_cycles(weights, tables.cycles)
        changes = np.full(2, np.hypot(*tracker.acceleration))
        pace = Pace(velocities, turns, np.ones(2, dtype=bool), changes)
        rates, _ = plan_rates(tables, grid, weights, pace, settings)
        key_weights = weigh_key_times(
            tables, cycle_weights, align_motions(tables.cycles, velocities)
        )
        used = np.flatnonzero(tables.cycles.is_cycle)
        keys = np.tensordot(key_weights[:, used], tables.leg_cycles.key_times[used], axes=1)
        keys = fit_contacts(tables.rig, keys, walk_share, pace, rates)
        circle = np.exp(2j * np.pi * tables.leg_cycles.stances[used])
        stances = np.angle(cycle_weights[0, used] @ circle) / (2 * np.pi)
        stances = stances - np.round(stances - tables.leg_cycles.stances[tables.cycles.slowest])
        return _Blend(
            weights[0],
            stances,
            np.maximum.accumulate(np.clip(keys[0], 0.0, 1.0), axis=1),
            float(rates[0]),
        )

    def _ask_soles(
        self, weights: FloatArray, places: FloatArray, yaws: FloatArray, times: FloatArray
    ) -> Soles:
        """Ideal soles of bodies at places (L, 2), not on any ground yet."""
        heels, headings = place_ideal_soles(self.tables, weights, places, yaws)
        count = len(yaws)
        return Soles(
            positions=np.concatenate([heels, np.zeros((count, 1))], axis=1),
            headings=headings,
            frames=np.zeros((count, 4)),
            normals=np.zeros((count, 3)),
            surfaces=np.full(count, -1),
            found=np.ones(count, dtype=bool),
            times=times,
        )

    def _foresee_soles(
        self, body: MovingBody, wish: Wish, weights: FloatArray, legs: LegTimes, period: float
    ) -> Soles:
        """Foresee where each foot will stand at its next stance, on the flat."""
        ahead = (1.0 - legs.passed) * period
        places, yaws, _, _ = foresee(body, wish, ahead)
        return self._ask_soles(weights, places, yaws, body.time + ahead)

    def _follow(
        self,
        state: SteeringState,
        legs: LegTimes,
        ahead: Soles,
        goals: Soles,
        period: float,
        seconds: float,
    ) -> Soles:
        """Prints ahead of feet on their way that follow what is foreseen."""
        left = (legs.keys[:, STRIKE] - legs.passed) * period
        length = self.tables.rig.leg_length
        speed = STEPS.seek_speed * max(float(np.linalg.norm(state.tracker.velocity)), length)
        return follow_goals(ahead, goals, legs.lifting, left, speed, seconds)

    def _foresee_takeoffs(
        self,
        takeoffs: _Takeoffs,
        body: MovingBody,
        wish: Wish,
        legs: LegTimes,
        phase: float,
        period: float,
    ) -> _Takeoffs:
        """The body as each foot will leave; of feet in the air as it was."""
        left = np.maximum(legs.keys[:, OFF] - legs.own, 0.0)
        places, yaws, _, _ = foresee(body, wish, left * period)
        waits = legs.own < legs.keys[:, OFF]
        return replace(
            takeoffs,
            places=np.where(waits[:, None], places, takeoffs.places),
            yaws=np.where(waits, yaws, takeoffs.yaws),
            phases=np.where(waits, phase + left, takeoffs.phases),
        )
