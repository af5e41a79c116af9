# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What carries the body along a travel, and the travel in its space (numpy only).

Gait, steps and limits go by the motion over what the feet stand on. Where nothing on the way moves,
that is the world, and its only carrier is None (docs/method/times.md, Carriers).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import STARTS, cast_soles
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import convolve_held, fit_falling
from ..motions.tables import MotionTables
from ..travel.carried import Carrier, make_carrier, move_points
from ..travel.way import Travel
from .limits import FOOT_TURNS, RIDES


def spread_turns(tables: MotionTables, yaws: FloatArray, interval: float) -> FloatArray:
    """Heading that the feet follow.

    Parameters
    ----------
    tables
        The motions: those that turn by themselves do so as fast as they are.
    yaws
        Heading of the body over time, radians, without jumps, shape (G,).
    interval
        Seconds between these times.

    Returns
    -------
    array, shape (G,)
        Radians; ``yaws`` itself where it turns no faster than feet do.
    """
    period = tables.cycles.slowest_period
    own = [abs(motion.turn_rate) for motion in tables.motion_set.motions if motion.is_cycle]
    least = max(FOOT_TURNS.fastest / period, FOOT_TURNS.of_motion * max(own))
    turns = np.abs(np.diff(yaws, prepend=yaws[:1]))
    if turns.max() <= least * interval:
        return yaws
    # Where the body goes on turning the feet go with it: only what is short is spread.
    reach = max(round(0.5 * FOOT_TURNS.spread * period / interval), 1)
    mean = convolve_held(turns, np.full(2 * reach + 1, 1.0 / (2 * reach + 1)))
    room = np.cumsum(np.maximum(mean, least * interval))
    # Of both ways to turn only those where the body turns too fast are changed.
    slower = fit_falling(yaws - room) + room - yaws
    other = fit_falling(-yaws - room) + room + yaws
    return yaws + slower - other


@dataclass(frozen=True)
class Rides:
    """A travel in the spaces of all that carry it, C carriers, on a grid of G times.

    Attributes
    ----------
    carriers
        What carries; None for the world.
    names
        Of what carries; empty for the world.
    numbers
        Index of the carrier at each time, shape (G,).
    positions, yaws
        The travel in the space of each carrier, metres and radians, shapes (C, G, 3) and (C, G).
    foot_yaws
        Heading that the feet follow in steps in those spaces, see `foot_turns`, radians, shape (C, G).
    """

    grid: TimeGrid
    carriers: tuple[Carrier | None, ...]
    names: tuple[str, ...]
    numbers: np.ndarray
    positions: FloatArray
    yaws: FloatArray
    foot_yaws: FloatArray

    @property
    def in_world(self) -> bool:
        """Whether nothing that moves carries the travel anywhere."""
        return self.carriers == (None,)

    def find_numbers(self, times: FloatArray) -> np.ndarray:
        """Index of the carrier at times (N,)."""
        index, share = self.grid.locate(times)
        return np.asarray(self.numbers[np.where(share < 0.5, index, index + 1)])

    def place(
        self, times: FloatArray, carried: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """The travel in the world.

        Parameters
        ----------
        times
            Seconds, shape (N,).
        carried
            Seconds to which the carriers move on with what is on them at those times, shape (N,); None
            for the same times.

        Returns
        -------
        positions, yaws
            Shapes (N, 3) and (N,).
        """
        return self._place(self.yaws, times, carried)

    def turn_feet(self, times: FloatArray, carried: FloatArray | None = None) -> FloatArray:
        """Heading in the world that the feet follow, radians, shape (N,); see `place`."""
        return self._place(self.foot_yaws, times, carried)[1]

    def read_local(self, numbers: np.ndarray, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Places and headings of the feet in the space of one carrier (N,) at each time (N,)."""
        positions, yaws = np.empty((len(times), 3)), np.empty(len(times))
        for number in np.unique(numbers):
            rows = numbers == number
            positions[rows] = self.grid.sample(self.positions[number], times[rows])
            yaws[rows] = self.grid.sample(self.foot_yaws[number], times[rows])
        return positions, yaws

    def carry(
        self, numbers: np.ndarray, positions: FloatArray, headings: FloatArray, times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """From the spaces of carriers (N,) to the world at times (N,): places (N, 3), angles (N,)."""
        places, angles = positions.copy(), headings.copy()
        for number in np.unique(numbers):
            carrier, rows = self.carriers[number], numbers == number
            if carrier is not None:
                places[rows], angles[rows] = carrier.carry(
                    positions[rows], headings[rows], times[rows]
                )
        return places, angles

    def find_spaces(self, times: FloatArray) -> FloatArray:
        """Matrices (N, 4, 4) from the space of what carries the body at times (N,) to the world."""
        times, numbers = np.asarray(times, dtype=np.float64), self.find_numbers(times)
        spaces = np.tile(np.eye(4), (len(times), 1, 1))
        for number in np.unique(numbers):
            carrier, rows = self.carriers[number], numbers == number
            if carrier is not None:
                spaces[rows] = carrier.find_motions(times[rows])
        return spaces

    def measure_velocities(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Measure how the travel goes over what carries it, as it is, not smoothed.

        Returns
        -------
        local
            Velocity in character space, metres a second, shape (G, 2).
        world
            The same along the world's axes.
        turn_rates
            Radians a second, shape (G,).
        """
        columns = []
        for number, carrier in enumerate(self.carriers):
            yaws = self.yaws[number]
            rates = np.gradient(self.positions[number, :, :2], self.grid.interval, axis=0)
            local = rot.turn_flat(rates, -yaws)
            if carrier is not None:
                _, facing = carrier.carry(self.positions[number], yaws, self.grid.times)
                rates = rot.turn_flat(rates, facing - yaws)
            columns.append((local, rates, np.gradient(yaws, self.grid.interval)))
        local, world, turns = (np.stack(part) for part in zip(*columns, strict=True))
        rows = np.arange(self.grid.count)
        return local[self.numbers, rows], world[self.numbers, rows], turns[self.numbers, rows]

    def find_sliding(self) -> np.ndarray:
        """Find where what carries moves faster than the body on it goes in the world, (G,) of bool."""
        gone = np.gradient(self.place(self.grid.times)[0][:, :2], self.grid.interval, axis=0)
        carried = gone - self.measure_velocities()[1]
        carries = np.array([carrier is not None for carrier in self.carriers])[self.numbers]
        return np.asarray(carries & (np.hypot(*carried.T) > np.hypot(*gone.T)))

    def measure_turns(self, times: FloatArray) -> FloatArray:
        """Turns of the body over what carries it from each time (N,) to the next, radians, (N - 1,)."""
        turns, numbers = np.zeros(len(times) - 1), self.find_numbers(times[:-1])
        for number in np.unique(numbers):
            rows = numbers == number
            turns[rows] = np.diff(self.grid.sample(self.yaws[number], times))[rows]
        return turns

    def measure_heave(self) -> FloatArray:
        """How far what carries the body has moved up under it since the grid's start, metres, (G,)."""
        rise = np.zeros(self.grid.count - 1)
        times = self.grid.times
        for number, carrier in enumerate(self.carriers):
            if carrier is None:
                continue
            motions, points = carrier.find_motions(times), self.positions[number]
            here = move_points(motions, points)[:, 2]
            later = move_points(motions[1:], points[:-1])[:, 2] - here[:-1]
            before = here[1:] - move_points(motions[:-1], points[1:])[:, 2]
            for side, moved in ((self.numbers[:-1], later), (self.numbers[1:], before)):
                rise += np.where(side == number, 0.5 * moved, 0.0)
        return np.concatenate([[0.0], np.cumsum(rise)])

    def measure_tilts(self) -> FloatArray:
        """Rise of what carries the body, along its heading, against the start, shape (G,)."""
        slopes = np.zeros(self.grid.count)
        for number, carrier in enumerate(self.carriers):
            rows = np.flatnonzero(self.numbers == number)
            if carrier is None or len(rows) == 0:
                continue
            motions = carrier.find_motions(self.grid.times[rows])
            yaws = self.yaws[number, rows]
            ahead = rot.pack(np.cos(yaws), np.sin(yaws), 0.0 * yaws)
            turned = np.einsum("nij,nj->ni", motions[:, :3, :3], ahead)
            slopes[rows] = turned[:, 2] / np.maximum(np.hypot(turned[:, 0], turned[:, 1]), rot.TINY)
        return slopes

    def spread_turns(self, tables: MotionTables) -> Rides:
        """The same with feet that turn in steps where the body turns faster than they do."""
        spread = [spread_turns(tables, yaws, self.grid.interval) for yaws in self.yaws]
        if all(after is before for after, before in zip(spread, self.yaws, strict=True)):
            return self
        return replace(self, foot_yaws=np.stack(spread))

    def measure_foot_turns(self) -> FloatArray:
        """How fast the heading of the feet turns over what carries them, radians a second, (G,)."""
        rates = np.gradient(self.foot_yaws, self.grid.interval, axis=1)
        return np.asarray(rates[self.numbers, np.arange(self.grid.count)])

    def _place(
        self, headings: FloatArray, times: FloatArray, carried: FloatArray | None
    ) -> tuple[FloatArray, FloatArray]:
        """Places (N, 3) and headings (N,) of the spaces, shape (C, G), in the world."""
        times = np.asarray(times, dtype=np.float64)
        numbers = self.find_numbers(times)
        positions, angles = np.empty((len(times), 3)), np.empty(len(times))
        for number in np.unique(numbers):
            rows = numbers == number
            positions[rows] = self.grid.sample_smooth(self.positions[number], times[rows])
            angles[rows] = self.grid.sample_smooth(headings[number], times[rows])
        return self.carry(numbers, positions, angles, times if carried is None else carried)


@dataclass(frozen=True, kw_only=True)
class RiddenTravel(Travel):
    """A travel that keeps to what carries it also before its start and after its end.

    Attributes
    ----------
    rides
        The travel in the spaces of its carriers.
    meant
        The travel as it was meant, which may go with something else than what is under it.
    """

    rides: Rides
    meant: Travel

    def evaluate(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `Travel.evaluate`; beyond the plan's grid its ends are held."""
        return self.rides.place(times)


def ride_world(grid: TimeGrid, travel: Travel) -> Rides:
    """Rides of a travel that nothing carries."""
    positions, yaws = travel.evaluate(grid.times)
    positions, yaws = positions[None], yaws[None]
    return Rides(grid, (None,), ("",), np.zeros(grid.count, dtype=np.intp), positions, yaws, yaws)


def ride_travel(travel: Travel, rides: Rides) -> Travel:
    """A travel that keeps to its carriers; the same one where these are the world alone."""
    if rides.in_world:
        return travel
    values = {entry.name: getattr(travel, entry.name) for entry in fields(Travel)}
    return RiddenTravel(**values, rides=rides, meant=travel)


def find_rides(
    tables: MotionTables, grid: TimeGrid, travel: Travel, ground: Ground, levels: FloatArray
) -> Rides:
    """Find what carries the body along a travel.

    Parameters
    ----------
    travel
        Where it goes.
    ground
        What it walks on.
    levels
        Height of the ground along the travel in the world, metres, shape (G,).
    """
    length = tables.rig.leg_length
    positions, _ = travel.evaluate(grid.times)
    points = rot.pack(positions[:, 0], positions[:, 1], levels)
    inside = _find_inside(grid, travel)
    surfaces = _find_surfaces(ground, points[inside], levels[inside], grid.times[inside], length)
    shortest = RIDES.shortest * tables.cycles.slowest_period / grid.interval
    surfaces = _join_short(_merge_alike(ground, surfaces, grid, travel, points, length), shortest)
    used = np.unique(surfaces)
    if np.array_equal(used, [-1]):
        return ride_world(grid, travel)
    numbers = np.searchsorted(used, surfaces)
    before, after = inside[0], grid.count - 1 - inside[-1]
    numbers = np.concatenate(
        [np.repeat(numbers[0], before), numbers, np.repeat(numbers[-1], after)]
    )
    carriers = tuple(
        None if surface < 0 else _make_surface_carrier(ground, int(surface), grid, travel.start)
        for surface in used
    )
    places, yaws = zip(
        *(_read_in_space(c, grid, travel, inside, levels, length) for c in carriers), strict=True
    )
    turned = np.stack(yaws)
    names = tuple("" if surface < 0 else ground.name_surface(int(surface)) for surface in used)
    return Rides(grid, carriers, names, numbers, np.stack(places), turned, turned)


def _find_inside(grid: TimeGrid, travel: Travel) -> np.ndarray:
    """Indices of the grid's times from the travel's start to its end; one at least."""
    slack = RIDES.same_time * grid.interval
    times = grid.times
    found = np.flatnonzero((times >= travel.start - slack) & (times <= travel.end + slack))
    return found if len(found) else np.array([grid.locate(np.array([travel.start]))[0][0]])


def _find_surfaces(
    ground: Ground, points: FloatArray, levels: FloatArray, times: FloatArray, length: float
) -> np.ndarray:
    """Moving surface under points (N, 3), -1 for what stands still; over a gap the one before it."""
    reach = STARTS.over_sole * length
    hits = cast_soles(ground, points, levels + reach, times, levels - reach)
    surfaces = np.where(np.isin(hits.surfaces, list(ground.moving_surfaces())), hits.surfaces, -1)
    met = np.flatnonzero(hits.met)
    if len(met) == 0:
        return np.full(len(points), -1)
    last = np.clip(np.searchsorted(met, np.arange(len(points)), side="right") - 1, 0, None)
    return np.asarray(surfaces[met[last]])


def _make_surface_carrier(ground: Ground, surface: int, grid: TimeGrid, since: float) -> Carrier:
    return make_carrier(lambda times: ground.surface_frames(surface, times), since, grid.times)


def _merge_alike(
    ground: Ground,
    surfaces: np.ndarray,
    grid: TimeGrid,
    travel: Travel,
    points: FloatArray,
    length: float,
) -> np.ndarray:
    """Surfaces (N,) of which those that move alike count as one, and those at rest as -1."""
    corners = points[:, None] + length * np.concatenate([np.zeros((1, 3)), np.eye(3)])
    known: dict[int, FloatArray] = {-1: corners}
    taken = {-1: -1}
    for surface in np.unique(surfaces[surfaces >= 0]).tolist():
        carrier = _make_surface_carrier(ground, surface, grid, travel.start)
        motions = carrier.find_motions(grid.times)
        moved = np.einsum("nij,ncj->nci", motions[:, :3, :3], corners) + motions[:, None, :3, 3]
        alike = [
            other
            for other, there in known.items()
            if np.abs(moved - there).max() < RIDES.same_place * length
        ]
        taken[surface] = alike[0] if alike else surface
        known.setdefault(taken[surface], moved)
    return np.array([taken[int(surface)] for surface in surfaces])


def _join_short(surfaces: np.ndarray, shortest: float) -> np.ndarray:
    """Surfaces (N,) in which runs shorter than so many samples count as the one on both sides."""
    starts = np.flatnonzero(np.diff(surfaces, prepend=surfaces[0] - 1))
    ends = np.append(starts[1:], len(surfaces))
    result = surfaces.copy()
    for start, end in zip(starts[1:-1], ends[1:-1], strict=True):
        if end - start < shortest and result[start - 1] == surfaces[end]:
            result[start:end] = result[start - 1]
    return result


def _read_in_space(
    carrier: Carrier | None,
    grid: TimeGrid,
    travel: Travel,
    inside: np.ndarray,
    levels: FloatArray,
    length: float,
) -> tuple[FloatArray, FloatArray]:
    """The travel in the space of a carrier on the grid, shapes (G, 3) and (G,).

    It is taken there at times at which both are exact, and read between them in that space: motions
    of the world that are read differently between their samples would leave a tremble.
    """
    if carrier is None:
        return travel.evaluate(grid.times)
    # What was sampled from a scene is exact at its samples.
    knots = travel.times
    if travel.turns is None:
        knots = np.clip(grid.times[inside], travel.start, travel.end)
        knots = np.unique(np.append(knots, travel.end))
    positions, _ = travel.evaluate(knots)
    if not travel.is_rigid:
        positions[:, 2] = grid.sample(levels, knots)
    places, yaws = carrier.find_places(positions, travel.find_turns(knots), knots)
    still = RIDES.same_place * length
    if np.ptp(places, axis=0).max() < still and np.ptp(yaws) < RIDES.same_place:
        places, yaws = np.tile(places[:1], (len(knots), 1)), np.repeat(yaws[:1], len(knots))
    return Travel(knots, places, yaws).evaluate(grid.times)
