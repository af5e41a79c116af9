# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What lifts a swing: the length of its step, and what a share of standing would take away."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.posing import LegClock, read_lift_curve
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.swings.feet import solve_feet
from semi_procedural_locomotion.core.swings.heights import (
    measure_missing_lift,
    share_lifts,
)
from semi_procedural_locomotion.core.travel.way import Travel, make_straight_travel
from tests.core.walkers import make_walker, native_walk

FOOT = 0.25


def plan_walk(names=("walk",), turning=False):
    rig, motions = make_walker(names, rest=False)
    walk = native_walk(motions)
    if not turning:
        travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 5.0)
        return make_plan(rig, motions, travel, FlatGround())
    times = np.linspace(0.0, 5.0, 1001)
    yaws = walk.turn_rate * times
    velocity = rot.rotate(rot.quaternions_from_yaws(yaws), np.array([*walk.velocity, 0.0]))
    places = np.concatenate([[np.zeros(3)], np.cumsum(velocity[:-1] * 0.005, axis=0)])
    return make_plan(rig, motions, Travel(times, places, yaws), FlatGround())


@pytest.mark.parametrize(
    ("way", "turn", "share"),
    [
        (0.6, 0.0, 1.0),
        (1.4, 0.0, 1.0),
        (0.15, 0.0, 0.5),
        (0.0, 0.0, 0.0),
        # On the spot the middle of the foot goes half a foot for each radian.
        (0.0, 0.8, np.sqrt(0.5 * FOOT * 0.8 / 0.6)),
        (0.1, -0.8, np.sqrt((0.1 + 0.5 * FOOT * 0.8) / 0.6)),
    ],
)
def test_a_step_deserves_lift_by_the_root_of_its_length(way, turn, share):
    plan = plan_walk()
    first = plan.prints.rows[0]
    row = replace(
        first,
        times=first.times[:2],
        surfaces=first.surfaces[:2],
        frames=first.frames[:2],
        positions=np.array([[0.0, 0.0, 0.0], [0.6 * way, 0.8 * way, 0.3]]),
        headings=np.array([0.2, 0.2 + turn]),
    )
    assert share_lifts(row, np.array([1.0]), FOOT, FlatGround())[0] == pytest.approx(
        share, abs=1e-9
    )


@pytest.mark.parametrize(("walk_share", "least", "part"), [(0.3, 0.8, 0.5), (0.9, 0.8, 0.0)])
def test_what_standing_takes_from_the_lift_is_given_back(walk_share, least, part):
    plan = plan_walk()
    times = np.linspace(1.0, 3.0, 80)
    source = plan.steps.read_source(times)
    source = replace(source, walk_share=np.full(80, walk_share))
    states = plan.steps.read_states(times).pick(0)
    found = measure_missing_lift(plan.tables, 0, source, states, np.full(80, least))
    clock = LegClock(0, source.cycle_weights, states.leg_times, states.key_times)
    curve = read_lift_curve(plan.tables, clock)
    flying = ~states.in_contact
    assert curve[flying].max() > 0.02 * plan.tables.rig.leg_length
    np.testing.assert_allclose(found, np.where(flying, part * curve, 0.0), atol=1e-12)


def test_feet_turn_without_a_jump_where_they_leave_and_strike():
    plan = plan_walk(("turn",), turning=True)
    inner = slice(2, -2)
    twists = plan.swings[0].twists[inner]
    # A foot that stands while the body turns is twisted the one way as it leaves, the other as it
    # strikes.
    assert np.abs(twists[:, 1] - twists[:, 0]).min() > 0.2
    for key in (1, 2):
        at = plan.steps.find_key_times(0, key)[inner]
        feet = []
        for times in (at - 1e-6, at + 1e-6):
            source, states = plan.steps.read_source(times), plan.steps.read_states(times)
            feet.append(solve_feet(plan.tables, source, states, plan.swings).rotations[:, 0])
        assert rot.angles_between(*feet).max() < 1e-3
