# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a steered walk, and how it goes on (numpy only).

`Steering.advance` is a pure function: the same state, controls and time give the same next state, so
that a drive can be tried without a window (docs/method/steering.md, State).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, STRIKE, MotionTables
from ..prints.soles import FootholdRules
from ..settings import PlanSettings
from ..times.contacts import fit_contacts, weigh_key_times
from ..times.durations import Pace, plan_rates
from ..times.limits import GRID, MOVES, RATES
from ..times.stride_limits import find_highest_climb
from ..times.strides import align_motions
from ..times.weights import normalize_cycles, plan_weights
from .controls import Controls
from .crouching import weigh_crouch
from .limits import CARRIAGE, MOTOR, STEPS
from .motor import MotorPace, MovingBody, Wish, foresee, move_body, read_wish
from .soles import Goals, Soles, follow_goals, ground_soles, is_elsewhere, place_ideal_soles
from .stepping import LegTimes, begin_legs, find_start, move_legs, park_legs
from .tracker import Tracker, follow_share


@dataclass(frozen=True)
class Takeoffs:
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
    crouching
        How far it crouches, 0 to 1.
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
    takeoffs
        The body as the feet leave.
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
    takeoffs: Takeoffs


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
    tables
        Its motions.
    ground
        What it walks on.
    settings
        Choices of the walk.
    rules
        What a sole may stand on.
    pace
        How fast it goes.
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
        takeoffs = Takeoffs(places, yaws, np.zeros(count))
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
        asked = min(climb / (RATES.steps_a_cycle * highest), RATES.fastest / cycles.slowest_period)
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
        """What the motions make of what is seen; weights follow those before."""
        tables, settings = weigh_crouch(self.tables, self.crouch, crouching), self.settings
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
        """Where each foot will stand at its next stance, on the flat."""
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
        takeoffs: Takeoffs,
        body: MovingBody,
        wish: Wish,
        legs: LegTimes,
        phase: float,
        period: float,
    ) -> Takeoffs:
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
