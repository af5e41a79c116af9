# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swinging feet led around their partners (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, STRIKE, MotionTables
from ..prints.planning import PrintPlan, PrintRow
from ..prints.states import StepStates, read_steps
from ..rig.crossing import list_partners, measure_rectangle_gaps, outline_rectangles
from ..times.crossing_limits import SOLE_GAP, find_left, measure_stance_widths
from ..times.planning import TimePlan
from ..times.source import SourcePoses, place_footbases, pose_source
from .feet import FootTargets, solve_feet
from .flight import shape_bump
from .planning import LegSwings

# A swing is looked at in so many instants between its ends.
_SAMPLES = 9
# It leaves and joins its line over this share of the flight.
_ENDS = 0.4
# It is led aside by this share of the leg at most.
_MOST_ASIDE = 0.2
# Near its ends a swing cannot be led aside by more than this times the way in its middle.
_LEAST_BUMP = 0.25
_PASSES = 3
# A swing passes as in the motions where no foot turns by more than this from print to print and none
# is nearer to the other, by more than this share of the leg, than in the motions.
_STRAIGHT = float(np.radians(2.0))
_AS_IN_MOTIONS = 0.01


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
    left = np.array([*find_left(tables), 0.0])
    for one, two in list_partners(tables.rig):
        for leg, other, sign in ((one, two, 1.0), (two, one, -1.0)):
            steps = _find_close_steps(tables, times, prints, (one, two), leg)
            if len(steps) == 0:
                continue
            keys = step_keys[leg][steps]
            off, strike = keys[:, OFF, None], keys[:, STRIKE, None]
            leg_times = first_steps[leg] + steps[:, None] + off + (strike - off) * share
            at = times.grid.find_crossings(times.leg_times[:, leg], leg_times.ravel())
            source = pose_source(tables, times, step_keys, first_steps, at)
            states = read_steps(times, prints, step_keys, at, ground)
            targets = solve_feet(tables, source, states, swings)
            feet = [_outline_targets(tables, targets, k) for k in (leg, other)]
            own = [_outline_source(tables, source, k) for k in (leg, other)]
            least = np.minimum(
                measure_rectangle_gaps(own[0], own[1]), SOLE_GAP * tables.rig.leg_length
            )
            axes = sign * rot.rotate(rot.quaternions_from_yaws(source.yaws), left)[:, :2]
            axes = axes.reshape(len(keys), _SAMPLES, 2)[:, _SAMPLES // 2]
            flying = ~states.in_contact[:, leg]
            asides[leg][steps] = _find_asides(tables, feet, np.where(flying, least, -np.inf), axes)
    return tuple(asides)


def _find_close_steps(
    tables: MotionTables, times: TimePlan, prints: PrintPlan, pair: tuple[int, int], leg: int
) -> np.ndarray:
    """Steps of a leg in which its foot may come nearer to its partner's than in the motions.

    Where nothing turns and all prints about a step are as far apart as the motions have them, the
    swing passes as in the motions.
    """
    partner = pair[1] if leg == pair[0] else pair[0]
    sign = 1.0 if leg == pair[0] else -1.0
    row, other = prints.rows[leg], prints.rows[partner]
    behind = np.arange(len(row.times) - 1)
    middle = times.grid.find_crossings(times.leg_times[:, leg], row.first + behind + 0.5)
    near = np.clip(np.searchsorted(other.times, middle), 1, len(other.times) - 1)
    yaws = rot.quaternions_from_yaws(times.grid.sample(times.yaws, middle))
    axes = sign * rot.rotate(yaws, np.array([*find_left(tables), 0.0]))[:, :2]
    mine = _find_middles(row, float(tables.rig.foot_lengths[leg]))
    theirs = _find_middles(other, float(tables.rig.foot_lengths[partner]))
    width = np.full(len(behind), np.inf)
    for own_print in (behind, behind + 1):
        for other_print in (near - 1, near):
            apart = np.sum((mine[own_print] - theirs[other_print]) * axes, axis=1)
            width = np.minimum(width, apart)
    turns = np.maximum(
        np.abs(rot.wrap_angles(np.diff(row.headings))),
        np.abs(rot.wrap_angles(other.headings[near] - other.headings[near - 1])),
    )
    own = measure_stance_widths(tables, pair, times.grid.sample(times.weights, middle))
    narrow = width < own - _AS_IN_MOTIONS * tables.rig.leg_length
    return np.flatnonzero(narrow | (turns > _STRAIGHT))


def _find_middles(row: PrintRow, length: float) -> FloatArray:
    """Middles of the soles of a row of prints, world x and y, metres, (K, 2)."""
    ahead = np.stack([np.cos(row.headings), np.sin(row.headings)], axis=1)
    return np.asarray(row.positions[:, :2] + 0.5 * length * ahead)


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
    width = tables.small_rig.legs[leg].sole_width
    return outline_rectangles(targets.footbases[:, leg, :2], ahead, length, width)


def _outline_source(tables: MotionTables, source: SourcePoses, leg: int) -> FloatArray:
    """The same in the blended motions, before any correction."""
    feet = place_footbases(tables, source, leg)
    angle = source.yaws + feet.angles + feet.twists
    ahead = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    length = np.array(float(tables.rig.foot_lengths[leg]))
    return outline_rectangles(
        feet.placed[:, :2], ahead, length, tables.small_rig.legs[leg].sole_width
    )


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
