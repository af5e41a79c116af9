# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Body and feet as one problem: derivatives, least change, where it reaches and what it keeps."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from benchmarks.terrain_shapes import make_stairs
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.trajectory import planning
from semi_procedural_locomotion.core.trajectory.rows import Linearised
from semi_procedural_locomotion.core.trajectory.solving import seed_feet, solve_problem
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import make_steps
from tests.core.walkers import facing_of, make_walker, native_walk, scale_walker


def walk_ahead(motions, seconds, share=0.5):
    """A travel along +X."""
    walk = native_walk(motions)
    return make_straight_travel(np.zeros(3), -facing_of(walk), share * walk.velocity, 0.0, seconds)


def read_problem(rig, motions, travel, ground):
    """The problem of a walk, and its plan."""
    found = []
    kept = planning.solve_problem
    planning.solve_problem = lambda problem: found.append(problem) or kept(problem)
    try:
        plan = make_plan(rig, motions, travel, ground)
    finally:
        planning.solve_problem = kept
    return found[0] if found else None, plan


@cache
def pose_stairs(legs=2):
    """The problem of a walk up five treads, and its plan."""
    rig, motions = make_walker(legs=legs)
    length = rig.leg_length
    ground = make_steps(0.2 * length, 0.4 * length, 0.0, count=5, first=1.5 * length)
    return read_problem(rig, motions, walk_ahead(motions, 7.0), ground)


def some_state(problem, size=0.01):
    """Any small numbers of body and feet."""
    random = np.random.default_rng(3)
    whole = Linearised(problem)
    body = size * random.standard_normal((problem.knots, len(problem.channels)))
    feet = size * random.standard_normal((len(problem.steps.legs), whole.bumps.count))
    return whole, body, feet


@pytest.mark.parametrize("legs", [2, 4])
def test_rows_move_with_each_number_as_their_slopes_say(legs):
    problem, _ = pose_stairs(legs)
    whole, body, feet = some_state(problem)
    random = np.random.default_rng(4)
    by_body, by_feet = random.standard_normal(body.shape), random.standard_normal(feet.shape)
    # Rocking of a foot that is nearly flat has a corner.
    by_feet[:, whole.bumps.split :] = 0.0
    size = 1e-6
    now = whole.list_steps(body, feet)
    near = [
        whole.list_steps(body + s * size * by_body, feet + s * size * by_feet, False)
        for s in (1, -1)
    ]
    for row, after, before in zip(now, *near, strict=True):
        window = whole.find_windows(by_body)
        chosen = slice(None) if row.steps is None else row.steps
        along = np.concatenate([by_feet, window.reshape(len(window), -1)], axis=1)[chosen]
        told = np.einsum("grn,gn->gr", row.slopes, along[:, : row.slopes.shape[-1]])
        found = (after.values - before.values) / (2.0 * size)
        # Between samples of the ground, and where a way turns round, rows have corners.
        off = np.abs(told - found) > 1e-4 * (1.0 + np.abs(found).max())
        assert off.mean() < 2e-3, row.name


def test_a_pitched_foot_moves_its_ankle_as_the_slopes_say():
    problem, _ = pose_stairs()
    whole, body, feet = some_state(problem)
    feet[:, whole.bumps.split :] += 0.1
    change = np.zeros_like(feet)
    change[:, whole.bumps.split :] = 1e-6
    now = whole.list_steps(body, feet)[0]
    after, before = (whole.list_steps(body, feet + s * change, False)[0] for s in (1, -1))
    told = np.einsum("grn,gn->gr", now.slopes[..., : feet.shape[1]], change)
    found = 0.5 * (after.values - before.values)
    # But for instants at which a foot goes over from one end of its sole to the other.
    assert np.median(np.abs(told - found)) < 0.02 * np.abs(found).max()


def test_on_level_ground_at_its_own_speed_a_motion_is_hardly_changed():
    rig, motions = make_walker()
    plan = make_plan(rig, motions, walk_ahead(motions, 5.0, 1.0), FlatGround())
    walked = (plan.grid.times > 0.5) & (plan.grid.times < 4.5)
    assert np.abs(plan.trajectory.heights[walked]).max() < 0.002 * rig.leg_length
    for track in plan.trajectory.feet:
        inside = (track.spans[:, 0] > 0.5) & (track.spans[:, 3] < 4.5)
        assert np.abs(track.numbers[inside]).max() < 0.01


def test_the_same_problem_has_the_same_solution_at_any_times():
    _, plan = pose_stairs()
    coarse, fine = np.arange(0.5, 6.0, 0.25), np.arange(0.5, 6.0, 0.0125)
    one, two = solve_poses(plan, coarse), solve_poses(plan, fine)
    np.testing.assert_allclose(one.positions, two.positions[::20], atol=1e-9)


def test_what_is_far_away_has_no_say():
    rig, motions = make_walker()
    length = rig.leg_length
    kerbs = make_steps(0.12 * length, 7.5, 0.0, count=2, first=1.5 * length)
    problem = read_problem(rig, motions, walk_ahead(motions, 11.0, 0.8), kerbs)[0]
    changed = problem.steps.ankles.copy()
    last = problem.steps.spans[:, 1] > 7.5
    changed[last, :, 2] += 0.02
    other = replace(problem, steps=replace(problem.steps, ankles=changed))
    one, two = solve_problem(problem), solve_problem(other)
    far = problem.steps.spans[:, 3] < 7.0 - 3.5 * problem.period
    assert far.sum() > 3
    assert np.abs(one.feet - two.feet)[~far].max() > 1e-3
    assert np.abs(one.feet - two.feet)[far].max() < 1e-4


def test_legs_reach_and_feet_keep_out_of_treads():
    problem, plan = pose_stairs()
    solution = solve_problem(problem)
    whole = Linearised(problem)
    rows = {row.name: row for row in whole.list_steps(solution.body, solution.feet, False)}
    still = {
        row.name: row for row in whole.list_steps(0.0 * solution.body, 0.0 * solution.feet, False)
    }
    assert still["room 0"].values.max() > 0.05
    assert rows["room 0"].values.max() < 0.02
    reach = rows["reach"]
    assert reach.values[reach.weights > 0.0].max() < 0.002
    walk = solve_poses(plan, np.arange(0.5, 6.5, 1.0 / 60.0))
    assert walk.missed[walk.states.in_contact].max() < 2e-3 * plan.tables.rig.leg_length


def test_a_character_of_another_size_walks_alike():
    rig, motions = make_walker()
    ways = []
    for factor in (1.0, 10.0):
        scaled, own = scale_walker(rig, motions, factor)
        walk = native_walk(own)
        shape = make_stairs(scaled.leg_length, walk.stride, facing_of(walk) - np.pi / 2)
        travel = make_straight_travel(np.zeros(3), 0.0, 0.6 * walk.velocity, 0.0, 5.0)
        plan = make_plan(scaled, own, travel, MeshGround(shape.vertices, shape.triangles))
        ways.append(plan.trajectory.heights / scaled.leg_length)
    assert np.ptp(ways[0]) > 0.02
    np.testing.assert_allclose(ways[0], ways[1], atol=1e-4)


def test_nothing_is_solved_where_steps_keep_their_rows():
    rig, motions = make_walker()
    problem, plan = read_problem(rig, motions, walk_ahead(motions, 5.0, 1.0), FlatGround())
    assert problem is None
    assert not plan.trajectory.heights.any()
    kerb = make_steps(0.12 * rig.leg_length, 6.0, 0.0, count=1, first=1.5)
    problem, _ = read_problem(rig, motions, walk_ahead(motions, 12.0, 1.0), kerb)
    met = 1.5 / native_walk(motions).speed
    begins = problem.steps.spans[:, 0]
    assert not np.any((begins > met + 4.0 * problem.period) & (begins < 10.0))
    assert len(problem.steps.legs) >= 4


def test_on_lower_treads_balls_of_feet_come_first():
    rig, motions = make_walker()
    length = rig.leg_length
    ground = make_steps(-0.25 * length, 0.4 * length, 0.0, count=5, first=1.5 * length)
    problem, plan = read_problem(rig, motions, walk_ahead(motions, 5.0, 0.5), ground)
    whole = Linearised(problem)
    pitched = np.any(seed_feet(whole)[:, whole.bumps.split :] > 0.0, axis=1)
    falls = [
        plan.prints.rows[leg].positions[number + 1, 2] - plan.prints.rows[leg].positions[number, 2]
        for leg, number in zip(problem.steps.legs, problem.steps.numbers, strict=True)
    ]
    assert pitched.any()
    assert np.max(np.array(falls)[pitched]) < -0.1 * length


@pytest.mark.parametrize("slope", [0.0, 0.5])
def test_who_only_stands_reaches_the_ground(slope):
    rig, motions = make_walker()
    corners = np.array([[x, y, slope * y] for x in (-5.0, 5.0) for y in (-5.0, 5.0)])
    ground = MeshGround(corners, np.array([[0, 2, 1], [1, 2, 3]]))
    still = make_straight_travel(np.zeros(3), 0.0, np.zeros(2), 0.0, 2.0)
    plan = make_plan(rig, motions, still, ground)
    walk = solve_poses(plan, np.arange(0.2, 1.8, 0.1))
    assert np.all(walk.states.standing)
    assert walk.missed.max() < 1e-3 * rig.leg_length


@pytest.mark.parametrize("first", [2.0, 2.11, 2.2])
def test_knees_on_stairs_go_as_people_do_and_all_feet_are_reached(first):
    rig, motions = make_walker()
    ground = make_steps(0.18, 0.28, 0.0, count=7, first=first)
    plan = make_plan(rig, motions, walk_ahead(motions, 7.0, 0.6), ground)
    walk = solve_poses(plan, np.arange(0.7, 6.3, 1.0 / 60.0))
    assert walk.missed[walk.states.in_contact].max() < 1e-3 * rig.leg_length
    turns, snaps = [], []
    for leg in plan.tables.small_rig.legs:
        hip, knee, ankle = (walk.positions[:, joint] for joint in leg.joints)
        bones = [(hip - knee), (ankle - knee)]
        bones = [bone / np.linalg.norm(bone, axis=1, keepdims=True) for bone in bones]
        bends = np.degrees(np.arccos(np.sum(bones[0] * bones[1], axis=1)))
        turns.append(np.abs(np.diff(bends)).max() * 60.0)
        frames = np.interp(np.arange(0.0, 5.5, 1.0 / 24.0), walk.times - 0.7, bends)
        snaps.append(np.abs(np.diff(frames, 2)).max())
    # Level ground has 430 degrees a second; stages without the one problem 580 to 1,100 and 17 to 50.
    assert max(turns) < 610.0
    assert max(snaps) < 22.0
