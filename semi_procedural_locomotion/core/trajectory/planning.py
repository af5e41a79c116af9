# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one problem of a walk made from its prints, and its solution put to use (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..body.airborne.gravity import find_gravity
from ..body.airborne.records import Jump
from ..body.carriage import Carriage
from ..body.legs import place_legs, read_hips
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum
from ..motions.posing import LegClock, read_leg_curve
from ..motions.tables import OFF, STRIKE, MotionTables
from ..prints.drops import share_balls
from ..prints.limits import STRIKES
from ..prints.states import StepStates
from ..prints.steps import StepPlan
from ..rig.reach import compute_comfortable_reaches
from ..swings.feet import FootTargets
from ..swings.lines import SwingLines
from ..times.source import SourcePoses
from .bellies import BodyOnGrid, find_bellies
from .blocking import find_rooms
from .feet import GroundedFeet, ground_feet
from .limits import BOUNDS, KNOTS
from .placing import (
    HEIGHT,
    PITCH,
    ROLL,
    find_arms,
    list_samples,
    read_moves,
    read_pitches,
)
from .planted import PlantedClips, find_lag, measure_bones, plant_clips
from .quiet import leave_out_quiet
from .records import (
    MOVES,
    Falls,
    Hips,
    PaceBounds,
    Problem,
    Reaches,
    Solution,
    StandingLegs,
    Steps,
)
from .rockers import find_rocks
from .solving import solve_problem
from .splines import read_spline

# A rate that nothing reaches.
_FREE = 1e6


@dataclass(frozen=True)
class WalkedGrid:
    """A walk on the G times of its grid, before any change.

    Attributes
    ----------
    steps
        All steps.
    grid
        The times.
    source, states, targets
        Blended poses, steps and feet.
    hips
        World positions of the hip joints, metres, shape (G, L, 3).
    laid
        How much farther layers and leaning have hips and ankles apart than the motions, metres, shape
        (G, L).
    crouches
        How far the body gives way before jumps and after them, metres, shape (G,).
    free
        Share of their change that feet have, 0 while a pose beside the walk holds them, shape (G, L).
    turns
        World rotations of the body, shape (G, 4).
    margin
        Room that feet keep over what is in their way, metres.
    start
        When the walk begins, seconds.
    drops
        How far each step leads down below the foot that bears, see `measure_drops`.
    has_arcs
        Whether feet go up and down as the user says, however fast that is.
    jumps
        In which feet go up and down with the body, as fast as that falls.
    flights
        Of these and of the motions' own: all times in which no foot bears.
    """

    steps: StepPlan
    grid: TimeGrid
    source: SourcePoses
    states: StepStates
    targets: FootTargets
    hips: FloatArray
    laid: FloatArray
    crouches: FloatArray
    free: FloatArray
    turns: FloatArray
    margin: float
    start: float
    drops: tuple[FloatArray, ...] = ()
    has_arcs: bool = False
    jumps: tuple[Jump, ...] = ()
    flights: tuple[Jump, ...] = ()

    @property
    def tables(self) -> MotionTables:
        """The motions."""
        return self.steps.tables

    def find_hopping(self, spans: FloatArray) -> np.ndarray:
        """Whether steps with spans (F, 4) fly with their body in a jump, (F,)."""
        hopping = np.zeros(len(spans), dtype=bool)
        for jump in self.jumps:
            hopping |= (spans[:, 1] < jump.strike) & (spans[:, 2] > jump.off)
        return hopping


@dataclass(frozen=True)
class FootChanges:
    """Changes of the feet of one leg in its steps, Q of them.

    Attributes
    ----------
    spans
        See `Steps.spans`, seconds, shape (Q, 4).
    numbers
        See `Solution.feet`, shape (Q, n); 0 where a step has none.
    along
        Directions of the ways along the steps, shape (Q, 3).
    """

    spans: FloatArray
    numbers: FloatArray
    along: FloatArray


@dataclass(frozen=True)
class Trajectory:
    """What the solution of the one problem changes.

    Attributes
    ----------
    feet
        Of each leg.
    heights
        Of the hips, metres upwards on the plan's grid, shape (G,).
    leans
        Of the body towards world x and y, radians, shape (G, 2); None where it does not turn.
    """

    feet: tuple[FootChanges, ...]
    heights: FloatArray
    leans: FloatArray | None

    def lead(
        self,
        tables: MotionTables,
        source: SourcePoses,
        states: StepStates,
        times: FloatArray,
        targets: FootTargets,
    ) -> FootTargets:
        """Feet as the solution has them.

        Parameters
        ----------
        tables, source, states
            The motions, and blended poses and steps at N times.
        times
            Seconds, shape (N,).
        targets
            The feet without any change.
        """
        length = tables.rig.leg_length
        ankles, bases = targets.ankles.copy(), targets.footbases.copy()
        rotations, heights = targets.rotations.copy(), targets.heights.copy()
        for leg, track in enumerate(self.feet):
            if not np.any(track.numbers):
                continue
            steps = np.minimum(states.steps[:, leg], len(track.numbers) - 1)
            rows = np.flatnonzero(np.any(track.numbers[steps] != 0.0, axis=1))
            if len(rows) == 0:
                continue
            steps = steps[rows]
            numbers = track.numbers[steps]
            off, strike = track.spans[steps, 1], track.spans[steps, 2]
            # By seconds, as it is solved: clocks that slow down pass a flight unevenly.
            shares = (times[rows] - off) / np.maximum(strike - off, 1e-9)
            moves = read_moves(np.where(states.in_contact[rows, leg], 0.0, shares))
            split = MOVES * moves.shape[1]
            ways = length * np.einsum(
                "nk,nck->nc", moves, numbers[:, :split].reshape(len(rows), MOVES, -1)
            )
            pitches = np.sum(read_pitches(times[rows], track.spans[steps]) * numbers[:, split:], 1)
            feet = ground_feet(tables, source, targets, leg, rows)
            rocks, _ = find_rocks(feet.points, feet.bearings, feet.widths, pitches)
            frames = targets.frames[rows, leg]
            moved = ways[:, :1] * track.along[steps] + ways[:, 1:] * rot.UP
            rocked = rot.rotate(frames, rot.pack(rocks[:, 0], np.zeros(len(rows)), rocks[:, 1]))
            bases[rows, leg] += moved
            heights[rows, leg] += ways[:, 1]
            ankles[rows, leg] += moved + rocked
            turn = rot.quaternions_from_axis_angles(np.array([0.0, 1.0, 0.0]), pitches)
            about = rot.multiply(rot.multiply(frames, turn), rot.conjugate(frames))
            rotations[rows, leg] = rot.multiply(about, rotations[rows, leg])
        return replace(
            targets, ankles=ankles, footbases=bases, rotations=rotations, heights=heights
        )


UNCHANGED = Trajectory((), np.zeros(0), None)
"""Of plans whose body and feet are not posed as one problem."""


def plan_trajectory(walk: WalkedGrid) -> Trajectory:
    """Solve the one problem of a walk."""
    problem, tracks = pose_problem(walk)
    if problem is None:
        still = np.zeros(walk.grid.count)
        return Trajectory(tracks, still, None)
    solution = solve_problem(problem)
    return _read_solution(walk, problem, solution, tracks)


def _read_solution(
    walk: WalkedGrid, problem: Problem, solution: Solution, tracks: tuple[FootChanges, ...]
) -> Trajectory:
    """The solution in metres on the plan's grid, and for each step of each leg."""
    length, steps = walk.tables.rig.leg_length, problem.steps
    for leg, track in enumerate(tracks):
        own = np.flatnonzero(steps.legs == leg)
        track.numbers[steps.numbers[own]] = solution.feet[own]
    first, weights = read_spline(_find_places(walk))
    values = np.einsum("gk,gkc->gc", weights, solution.body[first[:, None] + np.arange(4)])
    spread = np.zeros((len(values), len(problem.arms)))
    spread[:, problem.channels] = values
    ahead, left = _find_directions(walk)
    leans = None
    if problem.arms[PITCH] > 0.0 or problem.arms[ROLL] > 0.0:
        arms = np.where(problem.arms > 0.0, problem.arms, np.inf)
        pitch, roll = spread[:, PITCH] / arms[PITCH], spread[:, ROLL] / arms[ROLL]
        turn = pitch[:, None] * left + roll[:, None] * ahead
        leans = np.stack([turn[:, 1], -turn[:, 0]], axis=1)
    return Trajectory(
        tracks,
        length * spread[:, HEIGHT],
        leans,
    )


def _find_directions(walk: WalkedGrid) -> tuple[FloatArray, FloatArray]:
    """Level directions ahead and to the left of the body, (G, 3)."""
    turns = rot.quaternions_from_yaws(walk.source.yaws)
    forward = np.array([*walk.tables.rig.forward, 0.0])
    return rot.rotate(turns, forward), rot.rotate(turns, np.array([-forward[1], forward[0], 0.0]))


def _find_places(walk: WalkedGrid) -> FloatArray:
    """Places of the grid's times among the body's knots, (G,), 0 or more.

    They go on with the clock, and at the slowest walk's rate while that stands; one of them is where a
    foot first stands.
    """
    times = walk.steps.times
    rates = np.diff(times.phases) / walk.grid.interval
    standing = (1.0 - times.walk_share[1:]) / walk.tables.cycles.slowest_period
    steps = np.maximum(rates, standing) * walk.grid.interval * KNOTS.body
    places = np.concatenate([[0.0], np.cumsum(steps)])
    # A stance at the very start is one whatever rounding says.
    begin = walk.start - walk.grid.interval
    firsts = [row.times[row.times > begin].min(initial=np.inf) for row in walk.steps.prints.rows]
    start = float(walk.grid.sample(places[:, None], np.array([min(firsts)]))[0, 0])
    return places + (np.ceil(start) - start)


def pose_problem(walk: WalkedGrid) -> tuple[Problem | None, tuple[FootChanges, ...]]:
    """The problem of a walk, None where nothing needs a change, and tracks without any."""
    tables, grid = walk.tables, walk.grid
    length, rig = tables.rig.leg_length, tables.small_rig
    clips = plant_clips(tables)
    own = (_read_reaches(walk, clips) + walk.laid) / length
    # Blends and layers may have legs folded farther than any motion: so they may be for half a cycle.
    around = max(round(0.5 * tables.cycles.slowest_period / grid.interval), 1)
    folded = np.minimum(clips.least / length, -find_sliding_maximum(-own, around))
    # Who crouches for a jump folds its legs as far as that takes.
    crouched = walk.crouches[:, None] / length
    own, folded = own - crouched, folded - crouched
    if walk.has_arcs:
        # Arcs of the user are as high as they are asked for, whatever legs fold for them.
        folded = np.minimum(folded, 0.0)
    places = _find_places(walk)
    spans, flies, moving = _find_spans(walk)
    tracks = tuple(_make_track(own_spans) for own_spans in spans)
    legs = np.concatenate([np.full(len(f), leg) for leg, f in enumerate(flies)])
    numbers = np.concatenate(flies)
    all_spans = np.concatenate([own_spans[f] for own_spans, f in zip(spans, flies, strict=True)])
    times, seconds = _lay_instants(all_spans, find_lag(tables))
    feet = [ground_feet(tables, walk.source, walk.targets, leg) for leg in range(len(rig.legs))]
    reader = _GridReader(grid, times, legs)
    pivots = walk.hips.mean(axis=1)
    ahead, left = _find_directions(walk)
    arms_out = (walk.hips - pivots[:, None]) / length
    arms = find_arms(arms_out, ahead, left, BOUNDS.least_arm)
    hips = Hips(
        reader.read_all(pivots / length),
        reader.read(arms_out),
        reader.read_all(ahead),
        reader.read_all(left),
    )
    lines = _read_lines(walk, legs, numbers)
    along, across = _find_step_axes(walk, lines)
    for leg, track in enumerate(tracks):
        track.along[numbers[legs == leg]] = along[legs == leg]
    lengths = np.maximum([leg.length for leg in rig.legs], tables.leg_rows.longest) / length
    reached = compute_comfortable_reaches(measure_spans(tables, walk.source) / length, lengths)
    held = np.minimum(reached, BOUNDS.straight * lengths)
    ceilings = np.maximum(np.minimum(own, held), BOUNDS.reach * reached)
    bears = walk.states.in_contact
    reaches = Reaches(
        np.minimum(reader.read(own), reader.read(ceilings)),
        reader.read(ceilings),
        reader.read(folded),
        seconds / tables.cycles.slowest_period,
        list_samples()[1][None] != 1,
    )
    reaches = replace(reaches, bears=np.broadcast_to(reaches.bears, times.shape))
    bones = np.stack([part[legs] / length for part in measure_bones(tables)], axis=1)
    window_first, window = _find_windows(reader.read_all(places[:, None])[..., 0])
    frames_x = rot.rotate(walk.targets.frames, np.array([1.0, 0.0, 0.0]))
    frames_z = rot.rotate(walk.targets.frames, rot.UP)
    steps = Steps(
        legs=legs,
        numbers=numbers,
        spans=all_spans,
        times=times,
        hips=hips,
        reaches=reaches,
        ankles=reader.read(walk.targets.ankles / length),
        heights=reader.read(walk.targets.footbases[..., 2] / length),
        carried=reader.read(_find_carried(walk) / length),
        along=along,
        left=across,
        fronts=rot.normalize(reader.read(frames_x)),
        ups=rot.normalize(reader.read(frames_z)),
        free=np.clip(reader.read(walk.free), 0.0, 1.0),
        points=reader.read_points([f.points for f in feet]) / length,
        bearings=reader.read_points([f.bearings[..., None] for f in feet])[..., 0] / length,
        widths=np.array([f.widths[0] for f in feet])[legs][:, None]
        / length
        * np.ones((1, times.shape[1])),
        pitches=np.array([bool(rig.skeleton.is_own[leg.ankle]) for leg in rig.legs])[legs],
        bones=bones,
        bounds=_find_bounds(walk, clips, lines, legs, all_spans),
        ends=_find_ends(walk, feet, lines, (legs, numbers), all_spans),
        first=window_first,
        knots=window,
    )
    stands = _find_stands(walk, moving, places, (own, ceilings, folded, bears))
    count = int(max(np.floor(places.max()) + 4, window_first.max(initial=0) + window.shape[2]))
    body = BodyOnGrid(grid.times, pivots, walk.turns, places)
    bellies = find_bellies(tables, body, walk.states, walk.steps.ground, arms)
    period = tables.cycles.slowest_period
    falls = _find_falls(walk, places)
    problem = Problem(steps, stands, (), bellies, falls, arms, count, period)
    rooms = find_rooms(walk.steps, steps, _read_hulls(walk, reader, feet), walk.margin / length)
    return leave_out_quiet(replace(problem, rooms=rooms)), tracks


def _find_carried(walk: WalkedGrid) -> FloatArray:
    """Height of what carries each step, metres, (G, L); 0 on ground that stays."""
    behind, ahead = walk.states.behind, walk.states.ahead
    if not walk.steps.ground.moving_surfaces():
        return np.zeros(behind.shape[:2])
    return np.asarray(0.5 * (behind[..., 2] + ahead[..., 2]))


def _find_falls(walk: WalkedGrid, places: FloatArray) -> Falls:
    """Instants of the grid in flights, at places (G,) among the body's knots."""
    falling = np.zeros(walk.grid.count, dtype=bool)
    for jump in walk.flights:
        falling |= (walk.grid.times > jump.off) & (walk.grid.times < jump.strike)
    rows = np.flatnonzero(falling)
    first, knots = read_spline(places[rows], 2)
    cycles = np.gradient(places)[rows] / KNOTS.body
    return Falls(cycles, first, knots * KNOTS.body**2)


def _make_track(spans: FloatArray) -> FootChanges:
    """A leg whose feet are not changed in any step."""
    count = (KNOTS.flight - 1) * MOVES + KNOTS.pitch - 1
    return FootChanges(spans, np.zeros((len(spans), count)), np.zeros((len(spans), 3)))


def _find_spans(
    walk: WalkedGrid,
) -> tuple[list[FloatArray], list[np.ndarray], list[FloatArray]]:
    """Spans of all steps of each leg, (Q, 4), seconds; which fly within the grid; spans that fly."""
    plan, grid = walk.steps, walk.grid
    spans, flies, moving = [], [], []
    for leg, row in enumerate(plan.prints.rows):
        leg_times = plan.times.leg_times[:, leg]
        stances = grid.find_crossings(leg_times, row.first + np.arange(float(len(row.times))))
        offs, strikes = (plan.find_key_times(leg, key) for key in (OFF, STRIKE))
        flights = strikes - offs
        begins = np.maximum(stances[:-1], offs - KNOTS.rolled * flights)
        ends = np.minimum(stances[1:], strikes + KNOTS.rolled * flights)
        spans.append(np.stack([begins, offs, strikes, ends], axis=1))
        inside = (begins > grid.start) & (ends < grid.times[-1])
        same = np.abs(row.positions[1:] - row.positions[:-1]).max(axis=1) < 1e-9
        same &= np.abs(row.headings[1:] - row.headings[:-1]) < 1e-9
        parts = np.diff(spans[-1], axis=1).min(axis=1) > 0.5 * grid.interval
        flies.append(np.flatnonzero(inside & ~same & parts))
        moving.append(spans[-1][~same])
    return spans, flies, moving


def _lay_instants(spans: FloatArray, lag: float) -> tuple[FloatArray, FloatArray]:
    """Instants of steps (F, 4) in seconds, (F, S), and the seconds that each stands for, (F, S).

    They reach a lag beyond the step, for second differences at its ends; those there stand for none.
    """
    shares, parts, _ = list_samples()
    count = 2 * KNOTS.rolling
    rolled = np.diff(spans, axis=1)[:, [0, 2]]
    before, after = ((count * lag + rolled) / (count - 1)).T
    wide = spans + np.stack([-before, 0.0 * before, 0.0 * after, after], axis=1)
    lengths = np.diff(wide, axis=1)[:, parts]
    times = wide[:, parts] + lengths * shares
    inside = (times >= spans[:, :1]) & (times <= spans[:, 3:])
    return times, inside * lengths / np.bincount(parts)[parts]


class _GridReader:
    """Reads what is known on a grid at instants (F, S) of some legs (F,), smoothly."""

    def __init__(self, grid: TimeGrid, times: FloatArray, legs: np.ndarray) -> None:
        index, x = grid.locate(times)
        last = grid.count - 1
        rows = np.stack([np.maximum(index - 1, 0), index, index + 1, np.minimum(index + 2, last)])
        weights = [
            0.5 * x * (-1.0 + x * (2.0 - x)),
            1.0 + 0.5 * x * x * (-5.0 + 3.0 * x),
            0.5 * x * (1.0 + x * (4.0 - 3.0 * x)),
            0.5 * x * x * (x - 1.0),
        ]
        self.rows, self.weights, self.legs = rows, np.stack(weights), legs

    def read_all(self, values: FloatArray) -> FloatArray:
        """Values (G, ...) of the body, (F, S, ...)."""
        return self._sum(values[self.rows])

    def read(self, values: FloatArray) -> FloatArray:
        """Values (G, L, ...) of the legs, (F, S, ...)."""
        return self._sum(values[self.rows, self.legs[:, None]])

    def read_points(self, values: list[FloatArray]) -> FloatArray:
        """Points (G, P, C) of each leg, as many for all as the most has, (F, S, P, C)."""
        most = max(part.shape[1] for part in values)
        shape = (*self.rows.shape[1:], most, values[0].shape[2])
        result = np.empty(shape)
        for leg, part in enumerate(values):
            own = np.flatnonzero(self.legs == leg)
            chosen = np.minimum(np.arange(most), part.shape[1] - 1)
            taken = part[self.rows[:, own]] * self.weights[:, own][..., None, None]
            result[own] = taken.sum(axis=0)[:, :, chosen]
        return result

    def _sum(self, taken: FloatArray) -> FloatArray:
        shape = self.weights.shape + (1,) * (taken.ndim - self.weights.ndim)
        return np.sum(taken * self.weights.reshape(shape), axis=0)


def _find_windows(places: FloatArray) -> tuple[np.ndarray, FloatArray]:
    """First knot of each step's window (F,), and weights of all its knots (F, S, W)."""
    first, weights = read_spline(places)
    start = first.min(axis=1)
    width = int((first.max(axis=1) - start).max(initial=0)) + 4
    window = np.zeros((*places.shape, width))
    at = (first - start[:, None])[..., None] + np.arange(4)
    np.put_along_axis(window, at, weights, axis=2)
    return start, window


def _read_lines(walk: WalkedGrid, legs: np.ndarray, numbers: np.ndarray) -> SwingLines:
    """Lines between the prints of steps (F,) of legs, both where they are amid the flight."""
    order = np.argsort(legs, kind="stable")
    lines = SwingLines.join(
        [
            SwingLines.read(walk.steps, leg, numbers[legs == leg])
            for leg in range(len(walk.steps.prints.rows))
        ]
    )
    return lines.select(np.argsort(order))


def _find_step_axes(walk: WalkedGrid, lines: SwingLines) -> tuple[FloatArray, FloatArray]:
    """Level directions along steps (F,) and to their left, (F, 3); of turns in place by the foot."""
    ways = (lines.ahead - lines.behind)[:, :2]
    faces = rot.nlerp(lines.frames_behind, lines.frames_ahead, 0.5)
    facing = rot.rotate(faces, np.array([1.0, 0.0, 0.0]))[:, :2]
    far = np.hypot(*ways.T)[:, None] > 1e-3 * walk.tables.rig.leg_length
    along = np.zeros((len(ways), 3))
    along[:, :2] = np.where(far, ways, facing)
    along = rot.normalize(along)
    return along, rot.pack(-along[:, 1], along[:, 0], np.zeros(len(along)))


def _read_reaches(walk: WalkedGrid, clips: PlantedClips) -> FloatArray:
    """From hip to ankle in the planted clips at the grid's times, metres, (G, L)."""
    source, states = walk.source, walk.states
    columns = [
        read_leg_curve(
            walk.tables,
            clips.reaches[:, leg : leg + 1],
            LegClock(leg, source.weights, states.leg_times[:, leg], states.key_times[:, leg]),
        )
        for leg in range(states.leg_times.shape[1])
    ]
    return np.stack(columns, axis=1)


def measure_spans(tables: MotionTables, source: SourcePoses) -> FloatArray:
    """From hip to ankle of all legs in blended poses at G times, metres, (G, L)."""
    places = source.legs.positions
    spans = [places[:, leg.joints[-1]] - places[:, leg.joints[0]] for leg in tables.small_rig.legs]
    return rot.lengths(np.stack(spans, axis=1))


def measure_leans(tables: MotionTables, source: SourcePoses, carriage: Carriage) -> FloatArray:
    """How much farther leaning has hips and ankles apart than the same body upright, metres, (G, L)."""
    rig = tables.small_rig
    if carriage.leans is None:
        return np.zeros((len(carriage.positions), len(rig.legs)))
    upright = place_legs(tables, source, replace(carriage, leans=None)).positions
    leaned = read_hips(rig, place_legs(tables, source, carriage).positions)
    ankles = upright[:, [leg.joints[-1] for leg in rig.legs]]
    return rot.lengths(ankles - leaned) - rot.lengths(ankles - read_hips(rig, upright))


def _find_bounds(
    walk: WalkedGrid,
    clips: PlantedClips,
    lines: SwingLines,
    legs: np.ndarray,
    spans: FloatArray,
) -> PaceBounds:
    """See `Steps.bounds`; none for feet that fly with their body."""
    length = walk.tables.rig.leg_length
    fall = float(np.sqrt(length / find_gravity(walk.tables)))
    climbs = np.abs(lines.ahead - lines.behind)[:, 2] / length
    knees = np.maximum(BOUNDS.beside_clip * clips.knee_rates, BOUNDS.knee / fall)
    rises = BOUNDS.beside_clip * clips.rise_rates[legs] / length
    strikes = np.maximum(clips.strike_rates / length, BOUNDS.strike / fall)
    hopping = walk.find_hopping(spans) | walk.has_arcs
    snaps = np.maximum(BOUNDS.beside_clip * clips.knee_snaps, BOUNDS.snap)[legs]
    bounds = knees[legs], snaps, np.maximum(rises, BOUNDS.rise * climbs / fall), strikes[legs]
    knee, snap, rise, strike = (np.where(hopping, _FREE, bound)[:, None] for bound in bounds)
    return PaceBounds(knee, snap, rise, strike, find_lag(walk.tables))


def _find_ends(
    walk: WalkedGrid,
    feet: list[GroundedFeet],
    lines: SwingLines,
    which: tuple[np.ndarray, np.ndarray],
    spans: FloatArray,
) -> FloatArray:
    """See `Steps.ends`: balls first on far lower treads, flat on far higher ones and up slopes."""
    legs, numbers = which
    rises = np.stack([own.rises for own in feet], axis=1)
    slopes = _find_step_slopes(lines)
    met = _GridReader(walk.grid, spans[:, 2:3], legs).read(rises)[:, 0]
    ends = np.full((len(legs), 2), np.nan)
    for leg, drops in enumerate(walk.drops):
        if walk.tables.small_rig.legs[leg].toe is None:
            continue
        own = np.flatnonzero(legs == leg)
        fallen, up = drops[numbers[own]], np.maximum(met[own], 0.0)
        down = share_balls(fallen) * np.maximum(met[own] + BOUNDS.pointed, 0.0)
        slope = slopes[own]
        flatter = np.where(
            slope > 0.0,
            np.maximum(share_balls(-fallen), np.tanh(STRIKES.flatter * slope)),
            np.tanh(STRIKES.flatter * slope) + share_balls(-fallen),
        )
        raised = STRIKES.highest * np.tanh(STRIKES.raised * slope / STRIKES.highest)
        ends[own, 0] = np.where(slope > 0.0, raised, np.nan)
        ends[own, 1] = np.where(share_balls(fallen) > 0.0, down, flatter * up)
    ends[walk.find_hopping(spans)] = np.nan
    return ends


def _find_step_slopes(lines: SwingLines) -> FloatArray:
    """Slopes that steps go up, radians, (F,): those of the ground, at most that from print to print.

    A step along a slope, or onto the next tread, climbs none.
    """
    away, normals = lines.ahead - lines.behind, rot.rotate(lines.frames_ahead, rot.UP)
    level = np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-9)
    climbs = np.arctan2(away[:, 2], level)
    ahead = -np.sum(normals[:, :2] * away[:, :2], axis=1)
    met = np.arctan2(ahead, normals[:, 2] * level)
    return np.where(met * climbs > 0.0, np.sign(met) * np.minimum(np.abs(met), np.abs(climbs)), 0.0)


def _find_stands(
    walk: WalkedGrid,
    moving: list[FloatArray],
    places: FloatArray,
    known: tuple[FloatArray, FloatArray, FloatArray, np.ndarray],
) -> StandingLegs:
    """Instants of the grid at which feet bear apart from any flight, every second one."""
    own, ceilings, folded, bears = known
    grid, length = walk.grid, walk.tables.rig.leg_length
    stride, times = 2, grid.times
    apart = bears.copy()
    apart[np.arange(grid.count) % stride != 0] = False
    for leg, own_spans in enumerate(moving):
        if not len(own_spans):
            continue
        begins, ends = own_spans[:, 0], own_spans[:, 3]
        before = np.searchsorted(begins, times, side="right") - 1
        inside = (before >= 0) & (times < ends[np.maximum(before, 0)])
        apart[inside, leg] = False
    rows, columns = np.nonzero(apart)
    pivots = walk.hips.mean(axis=1)
    ahead, left = _find_directions(walk)
    first, knots = read_spline(places[rows])
    steps = np.gradient(places)[rows] * stride / KNOTS.body
    seconds = np.full(len(rows), stride * grid.interval / walk.tables.cycles.slowest_period)
    return StandingLegs(
        Hips(
            pivots[rows] / length,
            (walk.hips[rows, columns] - pivots[rows]) / length,
            ahead[rows],
            left[rows],
        ),
        Reaches(
            np.minimum(own, ceilings)[rows, columns],
            ceilings[rows, columns],
            folded[rows, columns],
            np.minimum(seconds, np.maximum(steps, 0.0)),
            np.ones(len(rows), dtype=bool),
        ),
        walk.targets.ankles[rows, columns] / length,
        first,
        knots,
    )


def _read_hulls(
    walk: WalkedGrid, reader: _GridReader, feet: list[GroundedFeet]
) -> tuple[FloatArray, FloatArray]:
    """Points of hulls at the instants of steps from their ankles, in the foot's frame, and their heights.

    Both in leg lengths, shapes (F, S, H, 3) and (F, S, H); heights are those over level ground.
    """
    length = walk.tables.rig.leg_length
    points = reader.read_points([own.hull for own in feet]) / length
    heights = [
        own.hull_heights + walk.targets.heights[:, leg, None] for leg, own in enumerate(feet)
    ]
    return points, reader.read_points([part[..., None] for part in heights])[..., 0] / length
