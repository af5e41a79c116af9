# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swinging feet led around their partners (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from . import rotations as rot
from .crossing import list_partners, measure_rectangle_gaps, outline_rectangles
from .crossing_limits import SOLE_GAP, find_left
from .feet import FootTargets, solve_feet
from .flight import shape_bump
from .ground import Ground
from .posing import OFF, STRIKE, MotionTables
from .prints import PrintPlan
from .rotations import FloatArray
from .source import SourcePoses, place_footbases, pose_source
from .steps import StepStates, read_steps
from .swings import LegSwings
from .times import TimePlan

# A swing is looked at in so many instants between its ends.
_SAMPLES = 9
# It leaves and joins its line over this share of the flight.
_ENDS = 0.4
# It is led aside by this share of the leg at most.
_MOST_ASIDE = 0.2
# Near its ends a swing cannot be led aside by more than this times the way in its middle.
_LEAST_BUMP = 0.25
_PASSES = 3


def plan_asides(
    tables: MotionTables,
    times: TimePlan,
    prints: PrintPlan,
    step_keys: tuple[FloatArray, ...],
    swings: tuple[LegSwings, ...],
    ground: Ground,
) -> tuple[FloatArray, ...]:
    """How far each swing is led aside so that the foot keeps clear of its partner.

    Parameters
    ----------
    tables
        The motions.
    times, prints, step_keys, swings
        The plan.
    ground
        Carries the prints.

    Returns
    -------
    L arrays, shape (K, 2)
        Horizontal move in the middle of each step's flight, world, metres. Soles keep `SOLE_GAP`
        of the leg from each other, or what the blended motions leave between them where that is
        less.
    """
    asides = [np.zeros((len(keys), 2)) for keys in step_keys]
    first_steps = tuple(row.first for row in prints.rows)
    share = (np.arange(_SAMPLES) + 1.0) / (_SAMPLES + 1.0)
    for one, two in list_partners(tables.rig):
        for leg, other, sign in ((one, two, 1.0), (two, one, -1.0)):
            keys = step_keys[leg]
            off, strike = keys[:, OFF, None], keys[:, STRIKE, None]
            numbers = first_steps[leg] + np.arange(len(keys))[:, None]
            leg_times = numbers + off + (strike - off) * share
            at = times.grid.find_crossings(times.leg_times[:, leg], leg_times.ravel())
            source = pose_source(tables, times, step_keys, first_steps, at)
            states = read_steps(times, prints, step_keys, at, ground)
            targets = solve_feet(tables, source, states, swings)
            feet = [_outline_targets(tables, targets, k) for k in (leg, other)]
            own = [_outline_source(tables, source, k) for k in (leg, other)]
            least = np.minimum(
                measure_rectangle_gaps(own[0], own[1]), SOLE_GAP * tables.rig.leg_length
            )
            yaws = rot.quaternions_from_yaws(source.yaws)
            axes = sign * rot.rotate(yaws, np.array([*find_left(tables), 0.0]))[:, :2]
            axes = axes.reshape(len(keys), _SAMPLES, 2)[:, _SAMPLES // 2]
            flying = ~states.in_contact[:, leg]
            asides[leg] = _find_asides(tables, feet, np.where(flying, least, -np.inf), axes)
    return tuple(asides)


def _find_asides(
    tables: MotionTables, feet: list[FloatArray], least: FloatArray, axes: FloatArray
) -> FloatArray:
    """Moves (K, 2) along axes (K, 2) that part outlines (K * samples, 4, 2) by ``least``."""
    share = (np.arange(_SAMPLES) + 1.0) / (_SAMPLES + 1.0)
    bump = shape_bump(share, np.array(_ENDS), np.array(_ENDS))
    most = _MOST_ASIDE * tables.rig.leg_length
    amounts = np.zeros(len(axes))
    for _ in range(_PASSES):
        moves = (amounts[:, None] * bump)[..., None] * axes[:, None]
        moved = feet[0] + moves.reshape(-1, 1, 2)
        missing = least - measure_rectangle_gaps(moved, feet[1])
        asked = missing.reshape(len(axes), _SAMPLES) / np.maximum(bump, _LEAST_BUMP)
        amounts = np.minimum(amounts + np.maximum(asked.max(axis=1), 0.0), most)
    return amounts[:, None] * axes


def _outline_targets(tables: MotionTables, targets: FootTargets, leg: int) -> FloatArray:
    """Corners (N, 4, 2) of a foot on its planned way, as if it were flat."""
    ahead = rot.rotate(targets.frames[:, leg], np.array([1.0, 0.0, 0.0]))[:, :2]
    ahead = ahead / np.maximum(np.hypot(*ahead.T), 1e-12)[:, None]
    length = np.array(float(tables.rig.foot_lengths[leg]))
    width = tables.legs[leg].sole_width
    return outline_rectangles(targets.footbases[:, leg, :2], ahead, length, width)


def _outline_source(tables: MotionTables, source: SourcePoses, leg: int) -> FloatArray:
    """The same in the blended motions, before any correction."""
    feet = place_footbases(tables, source, leg)
    angle = source.yaws + feet.angles + feet.twists
    ahead = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    length = np.array(float(tables.rig.foot_lengths[leg]))
    return outline_rectangles(feet.placed[:, :2], ahead, length, tables.legs[leg].sole_width)


def lead_aside(
    states: StepStates, asides: tuple[FloatArray, ...], targets: FootTargets
) -> FootTargets:
    """Targets of all feet with the swings led aside; shapes as those of ``targets``."""
    shifts = np.zeros_like(targets.footbases)
    for leg, moves in enumerate(asides):
        if not np.any(moves):
            continue
        flight = states.flight[:, leg]
        ends = np.full(len(flight), _ENDS)
        bump = np.where(states.in_contact[:, leg], 0.0, shape_bump(flight, ends, ends))
        steps = np.minimum(states.steps[:, leg], len(moves) - 1)
        shifts[:, leg, :2] = bump[:, None] * moves[steps]
    if not np.any(shifts):
        return targets
    return replace(targets, footbases=targets.footbases + shifts, ankles=targets.ankles + shifts)
