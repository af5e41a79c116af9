# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where every foot is at any time: on its print, or on its way to the next (numpy only).

The foot is tied rigidly to the frame of its footbase all the time (plan study 0.2): in contact the
weighted sole point stays exactly where it is while the foot rolls as the motion has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import LegClock, read_lift_curve
from ..motions.tables import MotionTables
from ..prints.states import StepStates, stack_legs
from ..times.source import SourcePoses, place_footbases
from .clearance import SwingLifts
from .flight import SwingWay, fit_swing, measure_slope_rises, shape_arc, shape_bump
from .hollows import fade_drops, measure_drops
from .planning import LegSwings

# Shares of the flight over which the least clearance of the sole begins and ends.
_CLEARANCE_ENDS = 0.06


@dataclass(frozen=True)
class FootTargets:
    """Feet of L legs at N times, world.

    Attributes
    ----------
    footbases
        Metres, shape (N, L, 3).
    frames
        Frames of the footbases, as of prints, shape (N, L, 4).
    ankles
        Targets of the ankle joints, metres, shape (N, L, 3).
    rotations
        Rotations of the ankle bones, shape (N, L, 4).
    heights
        Height of the footbases over the line between their prints, metres, shape (N, L).
    swivels
        Turn of the foot against the body's heading beyond the motion's own, radians, shape (N, L).
    """

    footbases: FloatArray
    frames: FloatArray
    ankles: FloatArray
    rotations: FloatArray
    heights: FloatArray
    swivels: FloatArray


def solve_feet(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    swings: tuple[LegSwings, ...],
    toe_clearance: float = 0.0,
) -> FootTargets:
    """Targets of all feet.

    Parameters
    ----------
    tables
        The motions.
    source, states
        Blended poses and steps at the same N times.
    swings
        The steps' own data, one for each leg.
    toe_clearance
        Least height of the sole in the middle of a full step's swing, share of the leg.
    """
    columns = [
        _solve_foot(tables, source, states, swings[leg], leg, toe_clearance)
        for leg in range(len(tables.small_rig.legs))
    ]
    return FootTargets(*[stack_legs(list(parts)) for parts in zip(*columns, strict=True)])


def _solve_foot(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    swings: LegSwings,
    leg: int,
    toe_clearance: float,
) -> tuple[FloatArray, ...]:
    """Footbase, frame, ankle, ankle rotation, height and swivel of one leg."""
    feet = place_footbases(tables, source, leg)
    steps = np.minimum(states.steps[:, leg], len(swings.lifted) - 1)
    behind, ahead, flight = states.behind[:, leg], states.ahead[:, leg], states.flight[:, leg]
    if swings.arcs is None:
        lifted, struck = swings.lifted[steps], swings.struck[steps]
        way = fit_swing(feet.placed, lifted, struck, behind, ahead, flight)
        lift = _add_least_lift(tables, source, states, swings, steps, leg)
    else:
        way, lift = shape_arc(behind, ahead, flight, swings.arcs[steps]), np.zeros(len(flight))
    height = _compute_height(tables, way, lift, swings, steps, states, leg, toe_clearance)
    footbase, frame = _place_in_flight(way, height, swings.lifts, steps, states, leg)
    ankle = tables.small_rig.legs[leg].ankle
    angle = feet.angles + _release_twists(feet.twists, swings.twists[steps], states, leg)
    if swings.hollows is not None and swings.drops is not None:
        drops = fade_drops(flight, swings.drops[steps])
        bearing = states.in_contact[:, leg]
        under = swings.hollows[steps + (flight >= 1.0)]
        drops[bearing] = measure_drops(tables, source, feet, angle, under, leg)[bearing]
        footbase = footbase - drops[:, None] * rot.rotate(frame, rot.UP)
    to_world = rot.multiply(frame, rot.quaternions_from_yaws(-angle))
    target = footbase + rot.rotate(to_world, source.legs.positions[:, ankle] - feet.local)
    rotation = rot.multiply(to_world, source.legs.rotations[:, ankle])
    heading = _interpolate_headings(states, leg)
    swivel = rot.wrap_angles(heading - source.yaws - angle)
    return footbase, frame, target, rotation, height, swivel


def _release_twists(
    twists: FloatArray, ends: FloatArray, states: StepStates, leg: int
) -> FloatArray:
    """The part of the foot's own turn about up that is taken out, radians, (N,).

    All of it in contact, where a planted foot does not swivel; in flight only what it has at the
    ends, so that the motion's own turn of the swinging foot stays.
    """
    share = rot.step_quintic(states.flight[:, leg])
    span = rot.wrap_angles(ends[:, 1] - ends[:, 0])
    return np.where(states.in_contact[:, leg], twists, ends[:, 0] + span * share)


def _compute_height(
    tables: MotionTables,
    way: SwingWay,
    lift: FloatArray,
    swings: LegSwings,
    steps: np.ndarray,
    states: StepStates,
    leg: int,
    toe_clearance: float,
) -> FloatArray:
    """Height of the footbase over the line between the prints, metres, (N,)."""
    flight, lifts = states.flight[:, leg], swings.lifts
    bump = lifts.amplitudes[steps] * shape_bump(flight, lifts.rises[steps], lifts.falls[steps])
    height = way.height + lift
    if toe_clearance > 0:
        least = toe_clearance * tables.small_rig.legs[leg].length * swings.least_lifts[steps]
        ends = np.full(len(flight), _CLEARANCE_ENDS)
        least = least * shape_bump(flight, ends, ends)
        height = height + soften_excess(least - height, 0.5 * least)
    return np.where(states.in_contact[:, leg], 0.0, height + bump)


def soften_excess(excess: FloatArray, width: FloatArray) -> FloatArray:
    """``max(excess, 0)`` with the corner rounded over plus and minus ``width`` (N,), one smooth curve."""
    width = np.maximum(width, 1e-12)
    rounded = np.square(np.clip(excess + width, 0.0, 2.0 * width)) / (4.0 * width)
    return np.where(excess >= width, excess, rounded)


def _place_in_flight(
    way: SwingWay,
    height: FloatArray,
    lifts: SwingLifts,
    steps: np.ndarray,
    states: StepStates,
    leg: int,
) -> tuple[FloatArray, FloatArray]:
    """World footbases (N, 3) and frames (N, 4)."""
    behind, ahead, flight = states.behind[:, leg], states.ahead[:, leg], states.flight[:, leg]
    flying = ~states.in_contact[:, leg]
    progress = lifts.retime(steps, way.progress)
    progress = np.where(flying, progress, np.where(flight >= 1.0, 1.0, 0.0))
    inside = np.clip(progress, 0.0, 1.0)
    deviation = np.where(flying[:, None], way.deviation, 0.0)
    step = ahead - behind
    frames = _blend_frames(states, leg, inside)
    rise = measure_slope_rises(frames, progress, step, deviation)
    footbases = rot.pack(
        behind[:, 0] + progress * step[:, 0] + deviation[:, 0],
        behind[:, 1] + progress * step[:, 1] + deviation[:, 1],
        behind[:, 2] + inside * step[:, 2] + rise + height,
    )
    return footbases, frames


def _add_least_lift(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    swings: LegSwings,
    steps: np.ndarray,
    leg: int,
) -> FloatArray:
    """Lift that a real step keeps where a rest motion's share would take it away (method A12)."""
    missing = np.clip(swings.least_lifts[steps] - source.walk_share, 0.0, None)
    missing = np.where(states.in_contact[:, leg], 0.0, missing)
    if not np.any(missing > 0):
        return missing
    curve = read_lift_curve(
        tables,
        LegClock(leg, source.cycle_weights, states.leg_times[:, leg], states.key_times[:, leg]),
    )
    return missing * curve


def _interpolate_headings(states: StepStates, leg: int) -> FloatArray:
    """Heading of the foot: eased from print to print over the flight (plan study 4.5)."""
    start = states.headings_behind[:, leg]
    turn = rot.wrap_angles(states.headings_ahead[:, leg] - start)
    return start + turn * rot.step_quintic(states.flight[:, leg])


def _blend_frames(states: StepStates, leg: int, progress: FloatArray) -> FloatArray:
    """Frame of the foot: yaw eased over the flight, slope following the progress."""
    between = rot.nlerp(states.frames_behind[:, leg], states.frames_ahead[:, leg], progress)
    normal = rot.rotate(between, rot.UP)
    yaw = rot.quaternions_from_yaws(_interpolate_headings(states, leg))
    return rot.multiply(rot.quaternions_from_arcs(rot.UP, normal), yaw)
