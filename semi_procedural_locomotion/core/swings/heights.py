# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How high a swing is: all that raises or lowers it over the line between its prints (numpy only).

From the motion comes its own height, see `flight`. A step deserves a share of the walks' lift by its
length; the sole keeps a least clearance; over obstacles a bump is added, see `clearance`; for a leg that
cannot fold some of it is given up, see `folds`.
"""

from __future__ import annotations

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import LegClock, read_lift_curve
from ..motions.tables import MotionTables
from ..prints.records import PrintRow
from ..prints.states import StepStates, carry_row
from ..times.source import SourcePoses
from .flight import SwingWay, shape_bump
from .limits import HEIGHTS
from .records import LegSwings


def share_lifts(
    row: PrintRow, strides: FloatArray, foot_length: float, ground: Ground
) -> FloatArray:
    """Share of the full lift that each step deserves by its length and turn, 0 to 1.

    Parameters
    ----------
    row
        Prints of a leg, K of them.
    strides
        Of the blended walks at each step, metres, shape (K - 1,).
    foot_length
        Metres.
    ground
        Carries prints that stand on something that moves: a step is as long as it is over that.

    Returns
    -------
    array, shape (K - 1,)
        See docs/method/swings.md, Least lift.
    """
    behind = np.arange(len(row.times) - 1)
    places, _, headings = carry_row(row, behind, row.times[1:], ground)
    way = np.hypot(*(row.positions[1:] - places)[:, :2].T)
    turn = np.abs(rot.wrap_angles(row.headings[1:] - headings))
    length = way + HEIGHTS.foot_share * foot_length * turn
    return np.minimum(np.sqrt(length / np.maximum(HEIGHTS.full_lift * strides, 1e-9)), 1.0)


def measure_missing_lift(
    tables: MotionTables,
    leg: int,
    source: SourcePoses,
    states: StepStates,
    least_lifts: FloatArray,
) -> FloatArray:
    """Lift that a real step keeps where a rest motion's share would take it away, metres, (N,).

    Parameters
    ----------
    tables, leg
        The motions, and which leg.
    source, states
        Blended poses, and the steps of the leg at the same N times.
    least_lifts
        Share of the full lift that each deserves, shape (N,).
    """
    missing = np.clip(least_lifts - source.walk_share, 0.0, None)
    missing = np.where(states.in_contact, 0.0, missing)
    if not np.any(missing > 0):
        return missing
    clock = LegClock(leg, source.cycle_weights, states.leg_times, states.key_times)
    return missing * read_lift_curve(tables, clock)


def measure_height(
    way: SwingWay, swings: LegSwings, steps: np.ndarray, states: StepStates
) -> FloatArray:
    """Height of a footbase over the line between its prints, metres, (N,).

    Parameters
    ----------
    way
        Of the foot, with the lift of its motions.
    swings, steps
        What is planned for the leg, and which of its steps, shape (N,).
    states
        Steps of the leg.
    """
    flight, height = states.flight, way.height
    if np.any(swings.clearances):
        begun = rot.step_quintic(flight / HEIGHTS.clearance_begins)
        # A foot sinks where it is near a print and near its time: one that still goes fast skims nothing.
        far = rot.step_quintic(np.abs(1.0 - way.progress) / HEIGHTS.clearance_near)
        amid = rot.step_quintic((1.0 - flight) / HEIGHTS.clearance_ends)
        least = swings.clearances[steps] * begun * (1.0 - (1.0 - far) * (1.0 - amid))
        height = height + soften_excess(least - height, HEIGHTS.clearance_corner * least)
    if swings.bumps is not None:
        half = np.full(len(flight), 0.5)
        height = height + swings.bumps[steps] * shape_bump(flight, half, half)
    return np.where(states.in_contact, 0.0, height)


def soften_excess(excess: FloatArray, width: FloatArray) -> FloatArray:
    """``max(excess, 0)`` with the corner rounded over plus and minus ``width`` (N,), one smooth curve."""
    width = np.maximum(width, 1e-12)
    rounded = np.square(np.clip(excess + width, 0.0, 2.0 * width)) / (4.0 * width)
    return np.where(excess >= width, excess, rounded)
