# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the character goes: its place and heading at any time, and distances along it (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import TravelError
from ...notes import Note, NoteKind, make_note
from ...requests.settings.kinds import check_values
from ...requests.settings.travels import TRAVEL
from ..body.airborne.limits import GIVE, JUMPS
from ..body.airborne.records import Jump
from ..body.airborne.shapes import find_give_span, give_way
from ..maths import rotations as rot
from ..maths.lines import (
    check_points,
    is_closed,
    lay_rounds,
    measure_line,
    repeat_line,
    round_corners,
)
from ..maths.rotations import FloatArray
from .limits import WAY
from .speeds import Ease, SpeedCurve, TurnPace, pace_turns, run_duration, run_length


@dataclass(frozen=True)
class Placement:
    """Record of how a root bone stands against where the walk's motions have it, in character space.

    Attributes
    ----------
    yaw
        Turn about up, radians.
    shift
        Where it brings the origin, metres, shape (3,).
    """

    yaw: float
    shift: FloatArray

    def move(self, place: FloatArray, yaw: float) -> tuple[FloatArray, float]:
        """Place (3,) and yaw of a character in the world whose object stands at such."""
        return place + rot.rotate(rot.quaternions_from_yaws(yaw), self.shift), yaw + self.yaw

    def place_roots(
        self, rotations: FloatArray, translations: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Local rotations (..., 4) and translations (..., 3) of bones without a parent, placed."""
        turn = rot.quaternions_from_yaws(np.array(self.yaw))
        return rot.multiply(turn, rotations), rot.rotate(turn, translations) + self.shift


def find_placement(
    own: tuple[FloatArray, FloatArray], shown: tuple[FloatArray, FloatArray]
) -> Placement:
    """The placement that brings a root bone from a pose of it to another.

    Parameters
    ----------
    own, shown
        Rotation (4,) and position (3,) in character space, as motions have it and as it is shown.
        What tilts it belongs to the pose, and its turn about up and its place to the placement.
    """
    turn = rot.multiply(shown[0], rot.conjugate(own[0]))
    yaw = float(rot.wrap_angles(2.0 * np.arctan2(turn[3], turn[0])))
    return Placement(yaw, shown[1] - rot.rotate(rot.quaternions_from_yaws(yaw), own[1]))


@dataclass(frozen=True)
class Travel:
    """Place and heading of the character's origin over time.

    Attributes
    ----------
    times
        Seconds of the scene's clock, increasing, shape (K,), K >= 1.
    positions
        World position of the character's origin, metres, shape (K, 3). Only x and y steer the walk;
        z tells on which level of the ground it starts, and goes on to tell it where it rises and falls.
    yaws
        Turn of the character about up against its rest heading, radians, without jumps, shape (K,).
    phases
        Common phase of the walk in cycles, increasing, shape (K,), where footsteps fix it; None where
        it follows from the speed.
    standing_until
        Seconds before which no foot takes a short step, where footsteps tell the first step.
    begins_on_step
        Whether it begins over its first footstep, not where the character stands.
    shown
        Seconds between which it is walked, where its samples go on beyond; None for all of it.
    stays
        Leg and seconds between which its foot stays where it is, each for one such time.
    notes
        What is odd about the way.
    turns
        Whole rotation of the character against its rest heading, shape (K, 4), where it was sampled
        with the place; None where the character stays upright.
    own_height
        World z of the character where the way has another, metres: it tells the first level where
        the way is near to none. None where the way is the character's own.
    first_phase
        Common phase of the walk at its start, cycles, where it follows from the speed.
    placement
        How a root bone that was moved places the character against its object; None where none does.
    jumps
        When no foot is on the ground, in their order.
    """

    times: FloatArray
    positions: FloatArray
    yaws: FloatArray
    phases: FloatArray | None = None
    standing_until: float | None = None
    begins_on_step: bool = False
    shown: tuple[float, float] | None = None
    stays: tuple[tuple[int, float, float], ...] = ()
    notes: tuple[Note, ...] = ()
    turns: FloatArray | None = None
    own_height: float | None = None
    first_phase: float = 0.0
    placement: Placement | None = None
    jumps: tuple[Jump, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.times)
        if count < 1:
            raise TravelError("the travel has no samples: give it a path or an animated object")
        if self.positions.shape != (count, 3) or self.yaws.shape != (count,):
            raise ValueError(
                f"positions must have shape ({count}, 3) and yaws ({count},), got "
                f"{self.positions.shape} and {self.yaws.shape}"
            )
        if self.turns is not None and self.turns.shape != (count, 4):
            raise ValueError(f"turns must have shape ({count}, 4), got {self.turns.shape}")
        if count > 1 and np.any(np.diff(self.times) <= 0):
            raise ValueError("travel times must increase")
        if not (np.all(np.isfinite(self.positions)) and np.all(np.isfinite(self.yaws))):
            raise TravelError("the travel holds values that are not finite")

    @property
    def start(self) -> float:
        """Time of the first sample, seconds."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """Time of the last sample, seconds."""
        return float(self.times[-1])

    def evaluate(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Place and heading at any times.

        Between samples a cubic through the samples is followed; before the first and after the last
        the character goes on with the speed and turn rate that it has there.

        Parameters
        ----------
        times
            Seconds, any shape (N,).

        Returns
        -------
        positions, yaws
            Shapes (N, 3) and (N,).
        """
        times = np.asarray(times, dtype=np.float64)
        if len(self.times) == 1:
            return np.repeat(self.positions, len(times), 0), np.repeat(self.yaws, len(times))
        values = np.concatenate([self.positions, self.yaws[:, None]], axis=1)
        inside = np.clip(times, self.start, self.end)
        result = _interpolate_cubic(self.times, values, inside)
        positions, yaws = result[:, :3], result[:, 3]
        for end_time, after in ((self.start, False), (self.end, True)):
            beyond = times > end_time if after else times < end_time
            if np.any(beyond):
                place, heading = self._continue_twist(end_time, after, times[beyond] - end_time)
                positions[beyond], yaws[beyond] = place, heading
        return positions, yaws

    def cut_after(self, time: float) -> Travel:
        """The travel without what comes after a time but for two samples; before it is the same."""
        count = int(np.searchsorted(self.times, time)) + 2
        if count >= len(self.times):
            return self
        return replace(
            self,
            times=self.times[:count],
            positions=self.positions[:count],
            yaws=self.yaws[:count],
            phases=None if self.phases is None else self.phases[:count],
            turns=None if self.turns is None else self.turns[:count],
        )

    @property
    def rests(self) -> bool:
        """Whether it stays where it is all the time."""
        moved = [np.ptp(self.positions, axis=0).max(), np.ptp(self.yaws)]
        if self.turns is not None:
            moved.append(np.ptp(self.turns, axis=0).max())
        return max(moved) < WAY.rest

    @property
    def is_rigid(self) -> bool:
        """Whether place and rotation are those of a body that may ride on something, height included."""
        return self.turns is not None

    def find_turns(self, times: FloatArray) -> FloatArray:
        """Whole rotations at times inside of the travel, shape (N, 4)."""
        if self.turns is None:
            return rot.quaternions_from_yaws(self.evaluate(times)[1])
        index = np.clip(
            np.searchsorted(self.times, times, side="right") - 1, 0, len(self.times) - 1
        )
        after = np.minimum(index + 1, len(self.times) - 1)
        span = np.maximum(self.times[after] - self.times[index], rot.TINY)
        share = np.clip((times - self.times[index]) / span, 0.0, 1.0)
        return rot.nlerp(self.turns[index], self.turns[after], share)

    def _continue_twist(
        self, end_time: float, after: bool, elapsed: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Motion at constant speed and turn rate past one end."""
        span = min(WAY.end_span, self.end - self.start)
        inner = end_time - span if after else end_time + span
        values = np.concatenate([self.positions, self.yaws[:, None]], axis=1)
        ends = _interpolate_cubic(self.times, values, np.array([inner, end_time]))
        rate = (ends[1] - ends[0]) / (end_time - inner)
        turn = rate[3]
        # The mean velocity over the span points half the span's turn away from the end's own.
        lead = rot.rotate(
            rot.quaternions_from_yaws(0.5 * turn * (end_time - inner)),
            np.array([rate[0], rate[1], 0.0]),
        )
        angle = turn * elapsed
        if abs(turn) > WAY.straight_rate:
            along, across = np.sin(angle) / turn, (1.0 - np.cos(angle)) / turn
        else:
            along, across = elapsed, np.zeros_like(elapsed)
        ahead = lead[0] * along - lead[1] * across
        aside = lead[0] * across + lead[1] * along
        place = ends[1, :3] + rot.pack(ahead, aside, np.zeros_like(along))
        return place, ends[1, 3] + angle


def _interpolate_cubic(knots: FloatArray, values: FloatArray, times: FloatArray) -> FloatArray:
    """Cubic Hermite curve through (K, C) values with three-point tangents, at times inside (N,)."""
    steps = np.diff(knots)[:, None]
    slopes = np.diff(values, axis=0) / steps
    tangents = np.empty_like(values)
    tangents[0], tangents[-1] = slopes[0], slopes[-1]
    if len(knots) > 2:
        before, behind = steps[:-1], steps[1:]
        tangents[1:-1] = (slopes[:-1] * behind + slopes[1:] * before) / (before + behind)
        # No overshoot where the motion stops: a tangent at a rest is a rest.
        still = (np.abs(slopes[:-1]) < WAY.still) | (np.abs(slopes[1:]) < WAY.still)
        tangents[1:-1] = np.where(still, 0.0, tangents[1:-1])
    index = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
    step = steps[index]
    x = ((times - knots[index]) / step[:, 0])[:, None]
    return (
        values[index] * (1 + 2 * x) * (1 - x) ** 2
        + tangents[index] * step * x * (1 - x) ** 2
        + values[index + 1] * x * x * (3 - 2 * x)
        + tangents[index + 1] * step * x * x * (x - 1)
    )


def check_speed(speed: float) -> None:
    """Check a speed in metres a second with which a way is walked.

    Raises TravelError: it is not positive.
    """
    if not speed > 0:
        raise TravelError(f"the travel's speed must be above 0 m/s, got {speed:g}")


def make_straight_travel(
    position: FloatArray, yaw: float, velocity: FloatArray, start: float, end: float
) -> Travel:
    """Travel straight on at constant speed.

    Parameters
    ----------
    position
        World position at the start, metres, shape (3,).
    yaw
        Turn about up against the rest heading, radians.
    velocity
        In character space, metres a second, shape (2,).
    start, end
        Seconds.
    """
    times = np.array([start, max(end, start + 1.0)])
    world = rot.rotate(rot.quaternions_from_yaws(yaw), np.array([velocity[0], velocity[1], 0.0]))
    positions = np.asarray(position) + (times - start)[:, None] * world
    return Travel(times, positions, np.full(2, float(yaw)))


@dataclass(frozen=True)
class WayChoices:
    """Record of how a line of points is walked.

    Raises SettingError: for rounds or a ramp that cannot be.

    Attributes
    ----------
    facing
        Angle of the character's travel direction at rest (counter-clockwise from +X), radians; the
        yaw turns it along the path.
    corner_radius
        Radius of the arcs that replace corners, metres; less where the legs of a corner are short.
    ramp_time
        Seconds from standing to full speed.
    start_time
        Seconds at which the first point is left.
    height
        World z of the character, metres, and so of a line without heights of its own.
    start_standing, stop_standing
        Whether the travel begins and ends at rest.
    bend
        Turns of less than this at a point are no corners: the heading changes evenly between points.
        Radians; 0 for points that are corners all.
    rounds
        How many times a line that ends where it begins is walked; any other is walked once. 0 for
        as many as there is time until ``end_time``.
    end_time
        Seconds at which a walk of 0 rounds ends.
    keep_heading
        Whether the character keeps facing as it stands instead of turning along the line.
    turns
        How fast it turns: it slows down where the line turns faster. None for as fast as it may be.
    """

    facing: float
    corner_radius: float
    ramp_time: float
    start_time: float = 0.0
    height: float = 0.0
    start_standing: bool = True
    stop_standing: bool = True
    bend: float = 0.0
    rounds: float = 1.0
    end_time: float | None = None
    keep_heading: bool = False
    turns: TurnPace | None = None

    def __post_init__(self) -> None:
        check_values(TRAVEL, {"rounds": self.rounds, "ease": self.ramp_time})


def travel_from_points(
    points: FloatArray, speed: float | SpeedCurve, choices: WayChoices
) -> Travel:
    """Travel along a line of points, corners rounded.

    Raises TravelError: for fewer than two different points, a speed that is not positive, or a way
    that is never walked to its end.

    Parameters
    ----------
    points
        World x, y in metres, shape (P, 2), P >= 2; with z as third column where the line has heights
        of its own.
    speed
        Metres a second, positive; or how it changes over time.
    """
    if not isinstance(speed, SpeedCurve):
        check_speed(speed)
    points = check_points(points)
    ease = Ease(choices.ramp_time, choices.start_standing, choices.stop_standing)
    corner_radius, bend, start_time = choices.corner_radius, choices.bend, choices.start_time
    full = speed.fastest if isinstance(speed, SpeedCurve) else speed
    notes: tuple[Note, ...] = ()
    if choices.rounds == 0.0 and choices.end_time is not None and is_closed(points):
        times, travelled = run_duration(choices.end_time - start_time, speed, ease, start_time)
        loop, _ = round_corners(points, corner_radius, bend)
        needed = int(np.ceil(travelled[-1] / measure_line(loop)[-1])) + 1
        line, headings = round_corners(repeat_line(points, needed), corner_radius, bend)
        paced = pace_turns(line, headings, full, choices.turns)
    else:
        line, headings = lay_rounds(points, choices.rounds, corner_radius, bend)
        paced = pace_turns(line, headings, full, choices.turns)
        times, travelled = run_length(paced.efforts[-1], speed, ease, start_time)
        if travelled[-1] < paced.efforts[-1] * (1.0 - WAY.whole):
            walked = np.interp(travelled[-1], paced.efforts, paced.distances)
            told = {"distance": float(walked), "length": paced.distances[-1]}
            notes = (make_note(NoteKind.SPEED_ENDS, **told),)
    places = [np.interp(travelled, paced.efforts, column) for column in paced.line.T]
    own_height = None if len(places) == 2 else choices.height
    if len(places) == 2:
        places.append(np.full_like(travelled, choices.height))
    yaws = np.interp(travelled, paced.efforts, paced.headings) - choices.facing
    yaws = yaws - 2 * np.pi * np.round(yaws[0] / (2 * np.pi))
    if choices.keep_heading:
        yaws = np.zeros_like(yaws)
    positions = np.stack(places, axis=1)
    return Travel(times + start_time, positions, yaws, notes=notes, own_height=own_height)


def straight_travel_at_speeds(
    position: FloatArray,
    yaw: float,
    direction: float,
    speed: float | SpeedCurve,
    ease: Ease,
    span: tuple[float, float],
) -> Travel:
    """Travel straight on with a speed that changes over time, or ends at rest.

    Raises TravelError: the speed is 0 all along.

    Parameters
    ----------
    position
        World position at the start, metres, shape (3,).
    yaw
        Turn about up against the rest heading, radians.
    direction
        Where it goes, in character space, radians from +X.
    speed
        Metres a second, or how it changes.
    span
        Its start and end, seconds.
    """
    start, end = span
    times, travelled = run_duration(end - start, speed, ease, start)
    ahead = np.array([np.cos(direction + yaw), np.sin(direction + yaw), 0.0])
    positions = np.asarray(position) + travelled[:, None] * ahead
    return Travel(times + start, positions, np.full(len(times), float(yaw)))


def measure_travel(travel: Travel) -> tuple[FloatArray, FloatArray]:
    """Distances along a travel seen from above, and when each is reached first.

    Parameters
    ----------
    travel
        Where it goes; samples at which it stands are left out.

    Returns
    -------
    distances, times
        Metres from 0, increasing, and seconds, shape (K,) each, K >= 1; the last distance is its length.
    """
    along = measure_line(travel.positions)
    moved = np.concatenate([[True], np.diff(along) > 0.0])
    return along[moved], travel.times[moved]


def lay_stations(travel: Travel, spacing: float, most: int) -> tuple[FloatArray, FloatArray] | None:
    """Places evenly spread along a travel, as distances and times.

    Parameters
    ----------
    travel
        Where it goes.
    spacing
        Metres between two of them at the most.

    Returns
    -------
    distances, times
        Metres and seconds, shape (n,) each; None where that would be fewer than 3, or more than the most.
    """
    along, clock = measure_travel(travel)
    count = int(np.ceil(along[-1] / spacing)) + 1
    if not 3 <= count <= most:
        return None
    distances = np.linspace(0.0, along[-1], count)
    return distances, np.interp(distances, along, clock)


def lay_flights(
    clock: FloatArray, way: FloatArray, jumps: Sequence[Jump], stride: float
) -> FloatArray:
    """A way whose flights go straight on at one speed, and to which it speeds up and slows down.

    Parameters
    ----------
    clock
        Seconds, increasing, with samples where flights begin and end, shape (K,).
    way
        Of walks before, between and after the flights, shape (K, C).
    jumps
        In their order.
    stride
        Of the walk, metres.
    """
    laid = way.copy()
    ends = [(jump.off, jump.strike) for jump in jumps]
    for number, jump in enumerate(jumps):
        first, last = np.searchsorted(clock, (jump.off - 1e-9, jump.strike - 1e-9))
        speed = (way[last] - way[first]) / jump.flight
        before = (way[first] - way[first - 1]) / (clock[first] - clock[first - 1])
        after = (way[last + 1] - way[last]) / (clock[last + 1] - clock[last])
        share = ((clock[first : last + 1] - jump.off) / jump.flight)[:, None]
        laid[first : last + 1] = way[first] + share * (way[last] - way[first])
        room = jump.off - (ends[number - 1][1] if number else clock[0])
        until = (ends[number + 1][0] if number + 1 < len(ends) else clock[-1]) - jump.strike
        for change, elapsed, longest, rows, sign in (
            (speed - before, jump.off - clock[:first], room, slice(0, first), -1.0),
            (speed - after, clock[last + 1 :] - jump.strike, until, slice(last + 1, None), 1.0),
        ):
            rate = float(np.hypot(*change[:2]))
            most = find_give_span(JUMPS.sway * stride / max(rate, 1e-9), GIVE.crouch)
            span = min(most, GIVE.room * longest, JUMPS.swaying)
            curve = give_way(elapsed, float(span), GIVE.crouch)
            laid[rows] += sign * curve[:, None] * change
    return laid
