# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one evaluation of a swing, by leg, step and share of its flight."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from benchmarks.terrain_shapes import make_stairs
from semi_procedural_locomotion.core.contacts.edits import ContactEdit
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.analysis import AnalysisOptions, analyze_clip
from semi_procedural_locomotion.core.motions.changes import set_speed
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.swings.evaluation import SwingInstants
from semi_procedural_locomotion.core.swings.feet import solve_feet, solve_foot
from semi_procedural_locomotion.core.swings.flight import shape_bump
from semi_procedural_locomotion.core.travel.way import (
    WayChoices,
    make_straight_travel,
    travel_from_points,
)
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip
from tests.core.walkers import facing_of, make_set, make_walker, native_walk

SHARES = np.linspace(0.0, 1.0, 11)


def walk_over_stairs(**settings):
    """A walk that turns a corner before it comes to stairs, so that swings are lifted and led aside."""
    rig, motions = make_walker()
    walk = native_walk(motions)
    heading = facing_of(walk)
    ahead = np.array([np.cos(heading), np.sin(heading)])
    aside = np.array([-ahead[1], ahead[0]])
    points = walk.stride * np.stack([-2.0 * aside, np.zeros(2), 5.0 * ahead])
    choices = WayChoices(facing=heading, corner_radius=0.2 * walk.stride, ramp_time=walk.period)
    travel = travel_from_points(points, walk.speed, choices)
    mesh = make_stairs(rig.leg_length, walk.stride, heading - np.pi / 2)
    ground = MeshGround(mesh.vertices, mesh.triangles)
    return make_plan(rig, motions, travel, ground, PlanSettings(**settings))


@pytest.fixture(scope="module")
def plan():
    return walk_over_stairs()


def evaluate(plan, swings, leg, step):
    """The swing of one step at all shares of its flight, and the seconds of these."""
    steps = np.full(len(SHARES), step)
    times = plan.steps.find_flight_times(leg, steps, SHARES)
    at = SwingInstants.read_flights(plan.steps, leg, steps, SHARES, times)
    return solve_foot(at, swings), times


@pytest.mark.parametrize("leg", [0, 1])
@pytest.mark.parametrize("arc", [False, True])
def test_a_swing_by_its_share_is_the_foot_at_that_time(plan, leg, arc):
    if arc:
        plan = walk_over_stairs(simple_arc=True)
    for step in range(3, 8):
        swing, times = evaluate(plan, plan.swings[leg], leg, step)
        steps = plan.steps
        feet = solve_feet(
            plan.tables, steps.read_source(times), steps.read_states(times), plan.swings
        )
        assert np.allclose(swing.footbases, feet.footbases[:, leg], atol=1e-9)
        assert np.allclose(swing.heights, feet.heights[:, leg], atol=1e-9)
        turns = np.abs(np.sum(swing.frames * feet.frames[:, leg], axis=1))
        assert np.allclose(turns, 1.0, atol=1e-9)


def test_a_swing_begins_and_ends_on_its_prints(plan):
    for leg, row in enumerate(plan.prints.rows):
        for step in range(3, 8):
            swing, _ = evaluate(plan, plan.swings[leg], leg, step)
            ends = row.positions[[step, step + 1]]
            assert np.allclose(swing.footbases[[0, -1]], ends, atol=1e-9)
            assert np.allclose(swing.heights[[0, -1]], 0.0)


def test_a_bump_raises_the_swing_by_itself(plan):
    leg, step = 0, 4
    own = plan.swings[leg]
    bumps = np.full(len(own.lifted), 0.1)
    raised = evaluate(plan, replace(own, bumps=bumps), leg, step)[0].heights
    half = np.full(len(SHARES), 0.5)
    plain = evaluate(plan, own, leg, step)[0].heights
    assert np.allclose(raised - plain, 0.1 * shape_bump(SHARES, half, half), atol=1e-9)


def test_feet_that_leave_early_and_strike_late_stay_over_their_prints_while_low():
    recipe = Recipe(duty=0.62, keys=60)
    clip, rig, _ = make_clip(recipe)
    # Before they strike and after they leave by these times the clip's feet slide back with the ground.
    edits = {}
    for leg, found in zip(rig.legs, analyze_clip(clip, rig).legs, strict=True):
        times = found.contact_times
        strike, off = (times.strike + 0.12) % 1.0, (times.off - 0.12) % 1.0
        edits[leg.name] = ContactEdit(strike=strike, off=off)
    options = AnalysisOptions(key_times=edits)
    walk = set_speed(analyze_clip(clip, rig, options), 0.7 * recipe.speed, np.array([0.0, 1.0]))
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 3.0)
    plan = make_plan(rig, make_set([walk]), travel, FlatGround())
    steps = solve_poses(plan, np.arange(0.5, 2.5, 1.0 / 240.0))
    states, targets, length = steps.states, steps.targets, rig.leg_length
    low = ~states.in_contact & (targets.heights < 0.03 * length)
    ahead = walk.velocity / walk.speed
    behind = ((states.behind - targets.footbases)[..., :2] @ ahead)[low]
    beyond = ((targets.footbases - states.ahead)[..., :2] @ ahead)[low]
    assert len(behind) > 10
    assert max(behind.max(), beyond.max()) < 1e-3 * length


def test_without_a_toe_clearance_none_is_planned():
    plan = walk_over_stairs(toe_clearance=0.0)
    assert all(not np.any(own.clearances) for own in plan.swings)
