# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where every foot is at any time: on its print, or on its way to the next (numpy only).

The foot is tied rigidly to the frame of its footbase all the time (docs/method/swings.md, Tied to the
footbase): in contact the weighted sole point stays exactly where it is while the foot rolls as the
motion has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.states import StepStates, stack_legs
from ..times.source import SourcePoses
from .evaluation import SwingInstants, evaluate_swing, interpolate_headings
from .records import LegSwings


@dataclass(frozen=True)
class FootTargets(Columns):
    """Feet of L legs at N times, world; or one foot: then its arrays have no axis of legs.

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
    """
    feet = [
        solve_foot(SwingInstants.read(tables, source, states, leg), own)
        for leg, own in enumerate(swings)
    ]
    return stack_legs(feet)


def solve_foot(at: SwingInstants, swings: LegSwings) -> FootTargets:
    """Targets of one foot.

    Parameters
    ----------
    at
        The leg at N times.
    swings
        What is planned for its steps.
    """
    states, source, feet = at.states, at.source, at.feet
    steps = at.find_steps(swings)
    footbase, frame, height = evaluate_swing(at, swings)
    ankle = at.tables.small_rig.legs[at.leg].ankle
    angle = feet.angles + _release_twists(feet.twists, swings.twists[steps], states)
    to_world = rot.multiply(frame, rot.quaternions_from_yaws(-angle))
    return FootTargets(
        footbases=footbase,
        frames=frame,
        ankles=footbase + rot.rotate(to_world, source.legs.positions[:, ankle] - feet.local),
        rotations=rot.multiply(to_world, source.legs.rotations[:, ankle]),
        heights=height,
        swivels=rot.wrap_angles(
            interpolate_headings(states, swings.evenness[steps]) - source.yaws - angle
        ),
    )


def _release_twists(twists: FloatArray, ends: FloatArray, states: StepStates) -> FloatArray:
    """The part of the foot's own turn about up that is taken out, radians, (N,).

    All of it in contact, where a planted foot does not swivel; in flight only what it has at the
    ends, so that the motion's own turn of the swinging foot stays.
    """
    share = rot.step_quintic(states.flight)
    span = rot.wrap_angles(ends[:, 1] - ends[:, 0])
    return np.where(states.in_contact, twists, ends[:, 0] + span * share)
