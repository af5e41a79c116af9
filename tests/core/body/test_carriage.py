# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies carried over slopes in closed form: height, pitch, lean, the leg that bears."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.carriage import place_character, track_support
from semi_procedural_locomotion.core.body.limits import TILT
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import SlopedPlane
from tests.core.walkers import facing_of, make_walker, native_walk

SLOPE = 0.2
# What of that slope bodies lean by at most: 11.3 degrees, of 25 that they hardly lean beyond.
LEANED = np.radians(25.0) * np.tanh(np.arctan(SLOPE) / np.radians(25.0))


def walk_on_slope(legs, slope=SLOPE, turned=0.0, names=("walk",), **settings):
    """A plan straight ahead over a slope that rises along the travel turned by an angle."""
    rig, motions = make_walker(names, legs=legs, rest=False)
    walk = native_walk(motions)
    heading = facing_of(walk) + turned
    ground = SlopedPlane(slope * np.array([np.cos(heading), np.sin(heading)]))
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 8.0)
    return make_plan(rig, motions, travel, ground, PlanSettings(**settings)), ground


def middle_of(plan):
    """Indices of grid times well inside the walk."""
    times = plan.grid.times
    return np.flatnonzero((times > 2.0) & (times < 6.0))


@pytest.mark.parametrize("hug", [1.0, 0.5])
def test_a_beast_on_a_slope_lies_in_it_and_stands_on_it(hug):
    plan, ground = walk_on_slope(4, hug=hug)
    inside = middle_of(plan)
    np.testing.assert_allclose(plan.body.pitches[inside], np.arctan(SLOPE * hug), atol=1e-3)
    # A line through the heights under all feet passes over the origin at the slope's own height,
    # wherever the feet stand about it.
    heights = ground.heights(plan.times.positions[inside])
    if hug == 1.0:
        length = plan.tables.rig.leg_length
        np.testing.assert_allclose(plan.body.supports[inside], heights, atol=2e-3 * length)


def test_feet_that_stand_behind_the_origin_do_not_change_a_beasts_height():
    plan, _ = walk_on_slope(4)
    tables = plan.tables
    cycles = tables.leg_cycles
    away = 0.3 * np.array([*tables.rig.forward, 0.0])
    moved = replace(
        tables, leg_cycles=replace(cycles, stance_positions=cycles.stance_positions - away)
    )
    source, states = (
        plan.steps.read_source(plan.grid.times),
        plan.steps.read_states(plan.grid.times),
    )
    supports, pitches = track_support(tables, source, states, plan.rides, plan.settings)
    behind, same = track_support(moved, source, states, plan.rides, plan.settings)
    inside = middle_of(plan)
    length = tables.rig.leg_length
    np.testing.assert_allclose(same[inside], pitches[inside], atol=1e-9)
    np.testing.assert_allclose(behind[inside], supports[inside], atol=1e-9 * length)


def test_a_person_on_a_slope_is_carried_by_where_its_feet_stand():
    plan, ground = walk_on_slope(2)
    tables, inside = plan.tables, middle_of(plan)
    stances = tables.leg_cycles.stance_positions[tables.cycles.slowest].mean(axis=0)
    heights = ground.heights(plan.times.positions[inside] + stances)
    np.testing.assert_allclose(
        plan.body.supports[inside], heights, atol=2e-3 * tables.rig.leg_length
    )
    assert not np.any(plan.body.pitches)


@pytest.mark.parametrize(
    ("names", "turned", "expected"),
    [
        (("walk",), 0.0, -0.5 * LEANED),
        # Down it leans back, but less.
        (("walk",), np.pi, TILT.lean_down * 0.5 * LEANED),
        (("walk",), np.pi / 2, 0.0),
        # One who walks backwards up a slope has it rise behind.
        (("backward",), 0.0, TILT.lean_down * 0.5 * LEANED),
    ],
)
def test_a_person_leans_into_the_slope(names, turned, expected):
    plan, _ = walk_on_slope(2, turned=turned, names=names, lean=0.5)
    pitches = plan.body.pitches[middle_of(plan)]
    assert pitches.mean() == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("leg", [0, 1])
def test_the_leg_in_the_middle_of_its_stance_carries_a_person(leg):
    plan, _ = walk_on_slope(2, slope=0.0, support_smoothing=0.0)
    source, states = (
        plan.steps.read_source(plan.grid.times),
        plan.steps.read_states(plan.grid.times),
    )
    raised = states.behind.copy()
    raised[:, leg, 2] += 0.1
    times = states.leg_times.copy()
    times[:, leg], times[:, 1 - leg] = 0.0, 0.5
    states = replace(states, behind=raised, ahead=raised, leg_times=times)
    supports, _ = track_support(plan.tables, source, states, plan.rides, plan.settings)
    np.testing.assert_allclose(supports, 0.1, atol=0.001)


def test_a_pitched_body_keeps_the_middle_of_its_hips_over_its_ground():
    plan, _ = walk_on_slope(4, slope=0.0)
    source = plan.steps.read_source(np.array([2.0, 2.3, 2.7]))
    # One whose legs are all ahead of its origin.
    cycles = plan.tables.cycles
    ahead_of = cycles.hip_centres + 0.3 * np.array([*plan.tables.rig.forward, 0.0])
    tables = replace(plan.tables, cycles=replace(cycles, hip_centres=ahead_of))
    pitches = np.array([0.3, -0.2, 0.1])
    centre = source.cycle_weights @ tables.cycles.hip_centres

    def hips(tilt):
        positions, turns = place_character(tables, source, np.zeros(3), tilt)
        return positions + rot.rotate(turns, centre)

    level, tilted = hips(np.zeros(3)), hips(pitches)
    length = tables.rig.leg_length
    np.testing.assert_allclose(tilted[:, :2], level[:, :2], atol=1e-12 * length)
    # The slope under the body goes through the origin's ground, so that the hips are higher by the
    # slope's rise to below them.
    ahead = (level - source.positions)[:, :2] @ np.asarray(tables.rig.forward)
    rise = np.tan(pitches) * ahead
    np.testing.assert_allclose(tilted[:, 2] - level[:, 2], rise, atol=1e-12 * length)
