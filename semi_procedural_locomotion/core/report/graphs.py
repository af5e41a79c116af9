# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights, phase and key times of a walk as plain arrays, for drawing and reports (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..maths.rotations import FloatArray
from ..motions.tables import LAND, LIFT, OFF, STRIKE
from ..walk import WalkPlan

EVENTS = ("lift", "off", "strike", "land")
"""Names of the key times, in the order of the columns of `MotionGraph.key_times`."""


@dataclass(frozen=True)
class MotionGraph:
    """What plays when, at N times; M motions, L legs.

    Attributes
    ----------
    times
        Seconds, shape (N,).
    motions, groups
        Names of the motions, and of the group that each is in.
    legs
        Names of the legs.
    weights
        Shares of the motions, sum 1, shape (N, M).
    group_weights
        Sum of the weights of each motion's group, shape (N, M).
    phases
        Common phase in cycles, not decreasing, shape (N,).
    rates
        Cycles a second, shape (N,).
    speeds
        Of the travel, metres a second, shape (N,).
    turn_rates
        Of the travel, radians a second, shape (N,).
    strides
        Metres travelled in a cycle of the present rate, 0 where no cycle runs, shape (N,).
    leg_times
        Time in each leg's step: 0 at the stance behind, 1 at the stance ahead, shape (N, L).
    key_times
        Lift, off, strike and land of each leg's present step in that time, shape (N, L, 4).
    contacts
        Whether each foot is planted, shape (N, L) of bool.
    event_times, event_legs, event_kinds
        Every lift, off, strike and land between the first and the last time: seconds, index of the
        leg, index into `EVENTS`; in the order of time, shape (E,). Steps that are not taken have
        none.
    """

    times: FloatArray
    motions: tuple[str, ...]
    groups: tuple[str, ...]
    legs: tuple[str, ...]
    weights: FloatArray
    group_weights: FloatArray
    phases: FloatArray
    rates: FloatArray
    speeds: FloatArray
    turn_rates: FloatArray
    strides: FloatArray
    leg_times: FloatArray
    key_times: FloatArray
    contacts: np.ndarray
    event_times: FloatArray
    event_legs: np.ndarray
    event_kinds: np.ndarray

    def as_dict(self) -> dict[str, Any]:
        """The same as lists of plain numbers and text, ready for JSON."""
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else list(value)
            for name, value in vars(self).items()
        }


def read_motion_graph(plan: WalkPlan, times: FloatArray) -> MotionGraph:
    """Weights, phase and key times of a walk.

    Parameters
    ----------
    plan
        The walk.
    times
        Seconds in increasing order, shape (N,), N >= 1.

    Raises
    ------
    ValueError
        For times of another shape, or not increasing.
    """
    times = np.asarray(times, dtype=np.float64)
    if times.ndim != 1 or len(times) == 0 or np.any(np.diff(times) <= 0):
        raise ValueError(f"times must be increasing, of shape (N,), N >= 1, got {times.shape}")
    own, grid, motions = plan.times, plan.times.grid, plan.tables.motion_set
    states = plan.steps.read_states(times)
    weights = grid.sample(own.weights, times)
    group_of = np.zeros(len(motions.motions), dtype=np.intp)
    for index, group in enumerate(motions.groups):
        group_of[list(group.members)] = index
    together = (group_of[:, None] == group_of[None, :]).astype(np.float64)
    rates = grid.sample(np.gradient(own.phases, grid.interval), times)
    speeds = grid.sample(np.hypot(own.velocities[:, 0], own.velocities[:, 1]), times)
    event_times, event_legs, event_kinds = _find_events(plan, float(times[0]), float(times[-1]))
    return MotionGraph(
        times=times,
        motions=tuple(motion.name for motion in motions.motions),
        groups=tuple(motions.groups[i].name for i in group_of),
        legs=tuple(leg.name for leg in plan.tables.rig.legs),
        weights=weights,
        group_weights=weights @ together,
        phases=grid.sample(own.phases, times),
        rates=rates,
        speeds=speeds,
        turn_rates=grid.sample(own.rides.measure_velocities()[2], times),
        strides=np.where(rates > 0, speeds / np.maximum(rates, 1e-9), 0.0),
        leg_times=np.ascontiguousarray(states.leg_times),
        key_times=np.ascontiguousarray(states.key_times),
        contacts=np.ascontiguousarray(states.in_contact),
        event_times=event_times,
        event_legs=event_legs,
        event_kinds=event_kinds,
    )


def _find_events(
    plan: WalkPlan, start: float, end: float
) -> tuple[FloatArray, np.ndarray, np.ndarray]:
    """Times, legs and kinds of all key times of steps that are taken, in a range of seconds."""
    times, legs, kinds = [np.zeros(0)], [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for leg, (row, keys) in enumerate(zip(plan.prints.rows, plan.step_keys, strict=True)):
        taken = np.flatnonzero(~row.parked[1:])
        for kind, key in enumerate((LIFT, OFF, STRIKE, LAND)):
            at = plan.times.grid.find_crossings(
                plan.times.leg_times[:, leg], row.first + taken + keys[taken, key]
            )
            at = at[(at >= start) & (at <= end)]
            times.append(at)
            legs.append(np.full(len(at), leg))
            kinds.append(np.full(len(at), kind))
    joined, all_legs, all_kinds = (np.concatenate(parts) for parts in (times, legs, kinds))
    order = np.lexsort((all_kinds, all_legs, joined))
    return joined[order], all_legs[order], all_kinds[order]
