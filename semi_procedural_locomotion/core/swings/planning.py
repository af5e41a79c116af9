# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the steps of all legs need besides their prints (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..body.airborne.gravity import find_gravity
from ..body.airborne.records import Jump
from ..body.airborne.steps import Hops, plan_hops
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, STRIKE
from ..prints.states import carry_row
from ..prints.steps import StepPlan
from ..settings import PlanSettings
from ..times.source import place_footbases
from .flight import tie_to_prints
from .heights import share_lifts
from .limits import HEADINGS, HEIGHTS
from .records import LegSwings


def plan_swings(
    plan: StepPlan, settings: PlanSettings, jumps: Sequence[Jump] = ()
) -> tuple[LegSwings, ...]:
    """The motions' swings from print to print for the steps of all legs, cleared of nothing.

    Parameters
    ----------
    plan
        All steps.
    settings
        Choices.
    jumps
        When no foot is on the ground.
    """
    hops = _plan_hops(plan, jumps)
    return tuple(_plan_leg(plan, settings, leg, own) for leg, own in enumerate(hops))


def _plan_hops(plan: StepPlan, jumps: Sequence[Jump]) -> list[Hops | None]:
    """How far jumps lift the feet of each leg."""
    gravity = find_gravity(plan.tables) if jumps else 0.0
    length = plan.tables.rig.leg_length
    return [
        plan_hops(plan.times, leg, row.first, plan.keys[leg], jumps, gravity, length)
        for leg, row in enumerate(plan.prints.rows)
    ]


def _plan_leg(plan: StepPlan, settings: PlanSettings, leg: int, hops: Hops | None) -> LegSwings:
    """The motions' swings of one leg."""
    tables, times = plan.tables, plan.times
    count, length = len(plan.keys[leg]), tables.small_rig.legs[leg].length
    ends = [plan.find_key_times(leg, key) for key in (OFF, STRIKE)]
    source = plan.read_source(np.concatenate(ends))
    feet = place_footbases(tables, source, leg)
    strides = times.grid.sample(times.cycle_weights, ends[0]) @ tables.cycles.strides
    foot_length = float(tables.rig.foot_lengths[leg])
    row, behind = plan.prints.rows[leg], np.arange(count)
    least = share_lifts(row, strides, foot_length, plan.ground)
    left, _, left_headings = carry_row(row, behind, ends[0], plan.ground)
    met, _, met_headings = carry_row(row, behind + 1, ends[1], plan.ground)
    # A foot that starts slowly beside a body at rest would seem to slide where it is low.
    rests = np.clip(1.0 - source.walk_share[:count], 0.0, 1.0)
    return LegSwings(
        lifted=tie_to_prints(feet.placed[:count], left, left_headings),
        struck=tie_to_prints(feet.placed[count:], met, met_headings),
        twists=feet.twists.reshape(2, count).T,
        least_lifts=least,
        clearances=settings.toe_clearance
        * length
        * least
        * (1.0 + HEIGHTS.from_rest * rests * least),
        evenness=_measure_evenness(plan.prints.rows[leg].headings, ends[1] - ends[0]),
        arcs=settings.arc_height * length * least if settings.simple_arc else None,
        hops=hops,
    )


def _measure_evenness(headings: FloatArray, flights: FloatArray) -> FloatArray:
    """How evenly feet turn between prints with headings (K,) in flights of so many seconds (K - 1,)."""
    turns = np.abs(rot.wrap_angles(np.diff(headings)))
    rates = turns / np.maximum(flights, 1e-9)
    return rot.step_cubic((rates - HEADINGS.eased_to) / (HEADINGS.even_from - HEADINGS.eased_to))
