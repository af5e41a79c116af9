# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the steps of all legs need besides their prints (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from ..body.airborne.gravity import find_gravity
from ..body.airborne.records import Jump
from ..body.airborne.steps import Hops, plan_hops
from ..body.carriage import BodyTrack
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, STRIKE
from ..prints.states import carry_row, measure_levels
from ..prints.steps import StepPlan
from ..settings import PlanSettings
from ..times.source import PlacedFeet, SourcePoses, place_footbases
from .clearance import PlannedSwings, SwingLines, find_blocked_steps, plan_lifts
from .evaluation import SwingInstants, measure_falls, trace_swing
from .flight import tie_to_prints
from .fold_costs import SwingHips
from .heights import share_lifts
from .hollows import measure_drops, measure_hollows
from .limits import CLEARANCE, HEADINGS, HEIGHTS
from .paces import find_fastest_ways
from .records import LegSwings, SwingLifts


def plan_swings(
    plan: StepPlan, settings: PlanSettings, body: BodyTrack, jumps: Sequence[Jump] = ()
) -> tuple[LegSwings, ...]:
    """Everything that the steps of all legs need, one entry for each leg.

    Parameters
    ----------
    plan
        All steps.
    settings
        Choices.
    body
        How high the body is carried.
    jumps
        When no foot is on the ground.
    """
    hops = _plan_hops(plan, jumps)
    hollows = measure_hollows(plan.tables.small_rig, plan.prints, plan.ground)
    return tuple(
        _plan_leg(plan, settings, body, leg, depths, hops[leg])
        for leg, depths in enumerate(hollows)
    )


def map_swings(
    plan: StepPlan, settings: PlanSettings, jumps: Sequence[Jump] = ()
) -> tuple[LegSwings, ...]:
    """The motions' swings from print to print for the steps of all legs, cleared of nothing.

    Parameters are those of `plan_swings`.
    """
    hops = _plan_hops(plan, jumps)
    legs = [_map_leg(plan, settings, leg, own)[0] for leg, own in enumerate(hops)]
    return tuple(replace(leg, is_mapped=True) for leg in legs)


def _plan_hops(plan: StepPlan, jumps: Sequence[Jump]) -> list[Hops | None]:
    """How far jumps lift the feet of each leg."""
    gravity = find_gravity(plan.tables) if jumps else 0.0
    length = plan.tables.rig.leg_length
    return [
        plan_hops(plan.times, leg, row.first, plan.keys[leg], jumps, gravity, length)
        for leg, row in enumerate(plan.prints.rows)
    ]


def _plan_leg(
    plan: StepPlan,
    settings: PlanSettings,
    body: BodyTrack,
    leg: int,
    depths: FloatArray | None,
    hops: Hops | None,
) -> LegSwings:
    """What the steps of one leg need, with the hollows of its prints and its jumps."""
    swings, source, feet = _map_leg(plan, settings, leg, hops)
    swings = replace(swings, lifts=_plan_leg_lifts(plan, settings, body, leg, swings))
    if depths is None:
        return swings
    under = np.concatenate([depths[:-1], depths[1:]])
    drops = measure_drops(plan.tables, source, feet, feet.angles + feet.twists, under, leg)
    return replace(swings, hollows=depths, drops=drops.reshape(2, len(plan.keys[leg])).T)


def _map_leg(
    plan: StepPlan, settings: PlanSettings, leg: int, hops: Hops | None
) -> tuple[LegSwings, SourcePoses, PlacedFeet]:
    """The motions' swings of one leg, with poses and feet at all foot-offs, then at all strikes."""
    tables, times = plan.tables, plan.times
    count, length = len(plan.keys[leg]), tables.small_rig.legs[leg].length
    ends = [plan.find_key_times(leg, key) for key in (OFF, STRIKE)]
    source = plan.read_source(np.concatenate(ends))
    levels = measure_levels(plan.prints.rows[leg])
    feet = place_footbases(tables, source, leg, np.concatenate([levels[:-1], levels[1:]]))
    strides = times.grid.sample(times.cycle_weights, ends[0]) @ tables.cycles.strides
    foot_length = float(tables.rig.foot_lengths[leg])
    row, behind = plan.prints.rows[leg], np.arange(count)
    least = share_lifts(row, strides, foot_length, plan.ground)
    left, _, left_headings = carry_row(row, behind, ends[0], plan.ground)
    met, _, met_headings = carry_row(row, behind + 1, ends[1], plan.ground)
    # A foot that starts slowly beside a body at rest would seem to slide where it is low.
    rests = np.clip(1.0 - source.walk_share[:count], 0.0, 1.0)
    swings = LegSwings(
        lifted=tie_to_prints(feet.placed[:count], left, left_headings),
        struck=tie_to_prints(feet.placed[count:], met, met_headings),
        twists=feet.twists.reshape(2, count).T,
        lifts=SwingLifts.none(count),
        least_lifts=least,
        clearances=settings.toe_clearance
        * length
        * least
        * (1.0 + HEIGHTS.from_rest * rests * least),
        evenness=_measure_evenness(plan.prints.rows[leg].headings, ends[1] - ends[0]),
        arcs=settings.arc_height * length * least if settings.simple_arc else None,
        hops=hops,
    )
    return swings, source, feet


def _measure_evenness(headings: FloatArray, flights: FloatArray) -> FloatArray:
    """How evenly feet turn between prints with headings (K,) in flights of so many seconds (K - 1,)."""
    turns = np.abs(rot.wrap_angles(np.diff(headings)))
    fastest = HEADINGS.eased_peak * turns / np.maximum(flights, 1e-9)
    return rot.step_cubic((fastest - HEADINGS.eased_to) / (HEADINGS.even_from - HEADINGS.eased_to))


def _plan_leg_lifts(
    plan: StepPlan, settings: PlanSettings, body: BodyTrack, leg: int, swings: LegSwings
) -> SwingLifts:
    """Bumps and re-timings of one leg's steps."""
    shares, count = CLEARANCE.flight, len(plan.keys[leg])
    lifts = SwingLifts.none(count)
    lines = SwingLines.read(plan, leg, np.arange(count))
    foot, length = float(plan.tables.rig.foot_lengths[leg]), plan.tables.rig.leg_length
    width = plan.tables.small_rig.legs[leg].sole_width
    blocked = np.flatnonzero(find_blocked_steps(lines, plan.ground, (foot, width), length))
    if len(blocked) == 0:
        return lifts
    shape = (len(blocked), len(shares))
    steps, flight = np.repeat(blocked, shape[1]), np.tile(shares, shape[0])
    at = SwingInstants.read_flights(plan, leg, steps, flight, lines.times[steps])
    way = trace_swing(at, swings)
    flights = plan.find_key_times(leg, STRIKE) - plan.find_key_times(leg, OFF)
    planned = PlannedSwings(
        lines=lines.take(blocked),
        progress=way.progress.reshape(shape),
        deviations=way.deviation.reshape(*shape, 2),
        heights=(way.height + measure_falls(way.progress, swings, steps, at.states)).reshape(shape),
        fastest=find_fastest_ways(at.feet.placed.reshape(*shape, 3), flights[blocked]),
        hips=SwingHips.read(at, swings, body, plan.find_flight_times(leg, steps, flight)),
    )
    own = plan_lifts(planned, plan.ground, foot, length, settings.swing_margin * length)
    for entry in fields(lifts):
        getattr(lifts, entry.name)[blocked] = getattr(own, entry.name)
    if swings.hops is not None:
        # They fall in time with the body.
        lifts.exponents[swings.hops.hopping] = 1.0
    return lifts
