# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one place where a swing is evaluated: leg, step and share of its flight in, footbase out.

Partner feet are avoided and feet posed from what is said here (numpy only).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import LegPoses
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..prints.steps import StepPlan
from ..times.source import PlacedFeet, SourcePoses, place_footbases
from .flight import (
    SwingWay,
    fit_swing,
    hold_over_prints,
    measure_slope_rises,
    shape_arc,
    turn_evenly,
    untie_from_prints,
)
from .heights import measure_height, measure_missing_lift
from .records import LegSwings


@dataclass(frozen=True)
class SwingInstants:
    """One leg in n instants of its steps.

    Attributes
    ----------
    tables
        The motions.
    leg
        Index of the leg.
    states
        Its steps and the share of their flight that has passed, arrays without the axis of legs.
    source
        Blended poses of the whole character.
    feet
        The leg's foot in them.
    """

    tables: MotionTables
    leg: int
    states: StepStates
    source: SourcePoses
    feet: PlacedFeet

    @classmethod
    def read(
        cls, tables: MotionTables, source: SourcePoses, states: StepStates, leg: int
    ) -> SwingInstants:
        """One leg at the times of poses and of the steps of all legs."""
        own = states.pick(leg)
        feet = place_footbases(tables, source, leg)
        return cls(tables, leg, own, source, feet)

    @classmethod
    def read_flights(
        cls, plan: StepPlan, leg: int, steps: np.ndarray, shares: FloatArray, times: FloatArray
    ) -> SwingInstants:
        """One leg at shares (n,) of the flights of some steps (n,).

        Parameters
        ----------
        plan
            All steps.
        leg, steps, shares
            Which leg, which of its steps, and how much of the flight has passed.
        times
            Seconds to which moving ground carries the prints and the body, shape (n,).
        """
        source = plan.read_source(plan.find_flight_times(leg, steps, shares), times)
        states = plan.read_flights(leg, steps, shares, times)
        feet = place_footbases(plan.tables, source, leg)
        return cls(plan.tables, leg, states, source, feet)

    def take(self, rows: np.ndarray) -> SwingInstants:
        """Some of the instants."""
        return replace(
            self,
            states=take_rows(self.states, rows),
            source=take_rows(self.source, rows),
            feet=take_rows(self.feet, rows),
        )

    def find_steps(self, swings: LegSwings) -> np.ndarray:
        """Index of each instant's step among those that are planned, shape (n,)."""
        return np.minimum(self.states.steps, len(swings.lifted) - 1)


_Record = TypeVar("_Record", StepStates, SourcePoses, PlacedFeet, LegPoses)


def take_rows(record: _Record, rows: np.ndarray) -> _Record:
    """Some of the instants of a record, all of whose arrays have an instant in each row.

    Parameters
    ----------
    record
        Of N instants; what it has that is no array is a record of its own, or None.
    rows
        Which, shape (n,).
    """
    taken = {}
    for entry in fields(record):
        value = getattr(record, entry.name)
        if isinstance(value, np.ndarray):
            taken[entry.name] = value[rows]
        elif value is not None:
            taken[entry.name] = take_rows(value, rows)
    return replace(record, **taken)


@dataclass(frozen=True)
class SwingPlaces:
    """Footbases of one leg in n instants.

    Attributes
    ----------
    footbases
        World, metres, shape (n, 3).
    frames
        Frames of the footbases, as of prints, shape (n, 4).
    heights
        Over the line between the prints, metres, shape (n,).
    """

    footbases: FloatArray
    frames: FloatArray
    heights: FloatArray


def trace_swing(at: SwingInstants, swings: LegSwings) -> SwingWay:
    """The way of a foot between its prints, with the lift of its motions, before anything is cleared.

    Parameters
    ----------
    at
        Leg, steps and shares of their flight, n of them.
    swings
        What is planned for the leg.
    """
    states, steps = at.states, at.find_steps(swings)
    if swings.arcs is not None:
        arc = shape_arc(states.behind, states.ahead, states.flight, swings.arcs[steps])
        return _hop(arc, swings, steps, states)
    way = fit_swing(
        at.feet.placed,
        untie_from_prints(swings.lifted[steps], states.behind, states.headings_behind),
        untie_from_prints(swings.struck[steps], states.ahead, states.headings_ahead),
        states.behind,
        states.ahead,
        states.flight,
    )
    missing = measure_missing_lift(at.tables, at.leg, at.source, states, swings.least_lifts[steps])
    lifted = SwingWay(way.progress, way.deviation, way.height + missing)
    held = hold_over_prints(lifted, states.behind, states.ahead, at.tables.rig.leg_length)
    return _hop(held, swings, steps, states)


def _hop(way: SwingWay, swings: LegSwings, steps: np.ndarray, states: StepStates) -> SwingWay:
    """A swing lifted by the body's flight."""
    if swings.hops is None:
        return way
    return replace(way, height=way.height + swings.hops.read(steps, states.flight))


def measure_falls(
    progress: FloatArray, swings: LegSwings, steps: np.ndarray, states: StepStates
) -> FloatArray:
    """How much higher than the line between its prints a foot is that falls in time with its body.

    Parameters
    ----------
    progress
        Place along that line, shape (n,).
    swings, steps
        What is planned for the leg, and which of its steps, shape (n,).
    states
        Steps of the leg.

    Returns
    -------
    array, shape (n,)
        Metres, 0 where no jump is.
    """
    if swings.hops is None:
        return np.zeros_like(progress)
    fallen = swings.hops.read_falls(steps, states.flight)
    lag = np.where(swings.hops.hopping[steps], fallen - np.clip(progress, 0.0, 1.0), 0.0)
    return lag * (states.ahead - states.behind)[:, 2]


def evaluate_swing(at: SwingInstants, swings: LegSwings) -> SwingPlaces:
    """Where a foot is on its print or its way, with everything that lifts it.

    Parameters
    ----------
    at
        Leg, steps and shares of their flight, n of them.
    swings
        What is planned for the leg.
    """
    states, steps = at.states, at.find_steps(swings)
    way = trace_swing(at, swings)
    height = measure_height(way, swings, steps, states)
    flying = ~states.in_contact
    progress = np.where(flying, way.progress, np.where(states.flight >= 1.0, 1.0, 0.0))
    inside = np.clip(progress, 0.0, 1.0)
    deviation = np.where(flying[:, None], way.deviation, 0.0)
    behind, away = states.behind, states.ahead - states.behind
    frames = _blend_frames(states, swings.evenness[steps], inside)
    rise = measure_slope_rises(frames, progress, away, deviation)
    rise = rise + measure_falls(progress, swings, steps, states)
    rise = rise + _climb_in_time(states, inside, flying)
    footbases = rot.pack(
        behind[:, 0] + progress * away[:, 0] + deviation[:, 0],
        behind[:, 1] + progress * away[:, 1] + deviation[:, 1],
        behind[:, 2] + inside * away[:, 2] + rise + height,
    )
    return SwingPlaces(footbases, frames, height)


def _climb_in_time(states: StepStates, progress: FloatArray, flying: np.ndarray) -> FloatArray:
    """How much higher feet are that climb what is no slope in time, not with their progress (N,), (N,).

    Else a foot that strikes a tread would come from below it.
    """
    away = states.ahead - states.behind
    slopes = np.zeros(len(away))
    for frames in (states.frames_behind, states.frames_ahead):
        normals = rot.rotate(frames, rot.UP)
        level = normals[..., 0] * away[..., 0] + normals[..., 1] * away[..., 1]
        slopes = slopes - 0.5 * level / normals[..., 2]
    led = rot.step_quintic(states.flight) - progress
    return np.where(flying, led * (away[..., 2] - slopes), 0.0)


def interpolate_headings(states: StepStates, evenness: FloatArray) -> FloatArray:
    """Heading of a foot (N,): eased over its flight, the more even the faster it has to turn.

    Parameters
    ----------
    states
        Steps of a leg at N times.
    evenness
        Of the turns of their steps, see `LegSwings.evenness`, shape (N,).
    """
    start = states.headings_behind
    turn = rot.wrap_angles(states.headings_ahead - start)
    eased = rot.step_quintic(states.flight)
    if np.any(evenness):
        eased = eased + evenness * (turn_evenly(states.flight) - eased)
    return start + turn * eased


def _blend_frames(states: StepStates, evenness: FloatArray, progress: FloatArray) -> FloatArray:
    """Frame of the foot: yaw eased over the flight, slope following the progress."""
    between = rot.nlerp(states.frames_behind, states.frames_ahead, progress)
    normal = rot.rotate(between, rot.UP)
    yaw = rot.quaternions_from_yaws(interpolate_headings(states, evenness))
    return rot.multiply(rot.quaternions_from_arcs(rot.UP, normal), yaw)
