# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swinging feet led around their partners (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.states import StepStates, carry_row
from ..prints.steps import StepPlan
from ..rig.crossing import list_partners, measure_rectangle_gaps, outline_rectangles
from ..rig.structure import Rig
from ..times.crossing_limits import measure_stance_widths
from ..times.limits import PARTING
from ..times.source import SourcePoses, place_footbases
from ..times.stride_limits import find_left
from .evaluation import SwingInstants
from .feet import FootTargets, solve_foot
from .flight import shape_aside
from .limits import ASIDES
from .records import LegSwings


def plan_asides(plan: StepPlan, swings: tuple[LegSwings, ...]) -> tuple[FloatArray, ...]:
    """How far each swing is led aside so that the foot keeps clear of its partner.

    Parameters
    ----------
    plan
        All steps.
    swings
        What is planned for them.

    Returns
    -------
    L arrays, shape (K, 2)
        Horizontal move in the middle of each step's flight, world, metres. Soles keep `PARTING.sole_gap`
        of the leg from each other, or what the blended motions leave between them where that is
        less.
    """
    asides = [np.zeros((len(keys), 2)) for keys in plan.keys]
    for one, two in list_partners(plan.tables.rig):
        for leg in (one, two):
            steps = _find_close_steps(plan, (one, two), leg)
            if len(steps):
                asides[leg][steps] = _part_swings(plan, swings, (one, two), leg, steps)
    return tuple(asides)


def _part_swings(
    plan: StepPlan,
    swings: tuple[LegSwings, ...],
    pair: tuple[int, int],
    leg: int,
    steps: np.ndarray,
) -> FloatArray:
    """Moves (K, 2) of some steps (K,) of a leg, one of a pair, that part them from the other's foot."""
    tables = plan.tables
    other, sign = (pair[1], 1.0) if leg == pair[0] else (pair[0], -1.0)
    shape = (len(steps), ASIDES.samples)
    share = np.broadcast_to(_list_shares(), shape).ravel()
    at = plan.find_flight_times(leg, np.repeat(steps, shape[1]), share)
    source, states = plan.read_source(at), plan.read_states(at)
    feet = [
        _outline_target(SwingInstants.read(tables, source, states, k), swings[k])
        for k in (leg, other)
    ]
    own = [_outline_source(tables, source, k) for k in (leg, other)]
    gaps = measure_rectangle_gaps(own[0], own[1])
    least = np.minimum(gaps, PARTING.sole_gap * tables.rig.leg_length)
    left = np.array([*find_left(tables.rig), 0.0])
    axes = sign * rot.rotate(rot.quaternions_from_yaws(source.foot_yaws), left)[:, :2]
    axes = axes.reshape(*shape, 2)[:, ASIDES.samples // 2]
    flying = ~states.in_contact[:, leg]
    return _find_asides(tables.rig, feet, np.where(flying, least, -np.inf), axes)


def _list_shares() -> FloatArray:
    """Shares of a flight at which it is looked at."""
    return (np.arange(ASIDES.samples) + 1.0) / (ASIDES.samples + 1.0)


def _find_close_steps(plan: StepPlan, pair: tuple[int, int], leg: int) -> np.ndarray:
    """Steps of a leg in which its foot may come nearer to its partner's than in the motions.

    Where nothing turns and all prints about a step are as far apart as the motions have them, the
    swing passes as in the motions.
    """
    tables, times, prints = plan.tables, plan.times, plan.prints
    partner = pair[1] if leg == pair[0] else pair[0]
    sign = 1.0 if leg == pair[0] else -1.0
    row, other = prints.rows[leg], prints.rows[partner]
    behind = np.arange(len(row.times) - 1)
    middle = times.grid.find_crossings(times.leg_times[:, leg], row.first + behind + 0.5)
    near = np.clip(np.searchsorted(other.times, middle), 1, len(other.times) - 1)
    yaws = rot.quaternions_from_yaws(times.grid.sample(times.foot_yaws, middle))
    axes = sign * rot.rotate(yaws, np.array([*find_left(tables.rig), 0.0]))[:, :2]
    mine, theirs = (
        [carry_row(whose, index, middle, plan.ground) for index in indices]
        for whose, indices in ((row, (behind, behind + 1)), (other, (near - 1, near)))
    )
    lengths = [float(tables.rig.foot_lengths[i]) for i in (leg, partner)]
    width = np.full(len(behind), np.inf)
    for own_places, _, own_headings in mine:
        for places, _, headings in theirs:
            apart = _find_middles(own_places, own_headings, lengths[0])
            apart = apart - _find_middles(places, headings, lengths[1])
            width = np.minimum(width, np.sum(apart * axes, axis=1))
    turns = np.maximum(
        *(np.abs(rot.wrap_angles(after[2] - before[2])) for before, after in (mine, theirs))
    )
    own = measure_stance_widths(tables, pair, times.grid.sample(times.weights, middle))
    narrow = width < own - ASIDES.as_in_motions * tables.rig.leg_length
    return np.flatnonzero(narrow | (turns > ASIDES.straight))


def _find_middles(places: FloatArray, headings: FloatArray, length: float) -> FloatArray:
    """Middles of soles by heel ends (K, 3) and headings (K,), world x and y, metres, (K, 2)."""
    ahead = np.stack([np.cos(headings), np.sin(headings)], axis=1)
    return np.asarray(places[:, :2] + 0.5 * length * ahead)


def _find_asides(
    rig: Rig, feet: list[FloatArray], least: FloatArray, axes: FloatArray
) -> FloatArray:
    """Moves (K, 2) along axes (K, 2) that part outlines (K * samples, 4, 2) by ``least``."""
    bump = shape_aside(_list_shares())
    most = ASIDES.most * rig.leg_length
    amounts = np.zeros(len(axes))
    for _ in range(ASIDES.passes):
        moves = (amounts[:, None] * bump)[..., None] * axes[:, None]
        moved = feet[0] + moves.reshape(-1, 1, 2)
        missing = least - measure_rectangle_gaps(moved, feet[1])
        asked = missing.reshape(len(axes), ASIDES.samples) / np.maximum(bump, ASIDES.least_bump)
        amounts = np.minimum(amounts + np.maximum(asked.max(axis=1), 0.0), most)
    return amounts[:, None] * axes


def _outline_target(at: SwingInstants, swings: LegSwings) -> FloatArray:
    """Corners (N, 4, 2) of a foot on its planned way, as if it were flat."""
    foot = solve_foot(at, swings)
    ahead = rot.rotate(foot.frames, np.array([1.0, 0.0, 0.0]))[:, :2]
    ahead = ahead / np.maximum(np.hypot(*ahead.T), 1e-12)[:, None]
    length = np.array(float(at.tables.rig.foot_lengths[at.leg]))
    width = at.tables.small_rig.legs[at.leg].sole_width
    return outline_rectangles(foot.footbases[:, :2], ahead, length, width)


def _outline_source(tables: MotionTables, source: SourcePoses, leg: int) -> FloatArray:
    """The same in the blended motions, before any correction."""
    feet = place_footbases(tables, source, leg)
    angle = source.foot_yaws + feet.angles + feet.twists
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
        bump = np.where(states.in_contact[:, leg], 0.0, shape_aside(flight))
        steps = np.minimum(states.steps[:, leg], len(moves) - 1)
        shifts[:, leg, :2] = bump[:, None] * moves[steps]
    if not np.any(shifts):
        return targets
    return replace(targets, footbases=targets.footbases + shifts, ankles=targets.ankles + shifts)
