# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of stages: its order, and that every stage is a pure function."""

from copy import deepcopy
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from benchmarks.terrain_shapes import make_bumps
from semi_procedural_locomotion.core.body.hand_over import BesideWalk
from semi_procedural_locomotion.core.body.layers.masks import find_whole_body, make_shares
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.layers import Layer, LayerClip
from semi_procedural_locomotion.core.plan import (
    STAGES,
    list_stages,
    make_plan,
    solve_poses,
)
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.core.walk import SolvedWalk, WalkPlan
from tests.core.walkers import facing_of, make_walker, native_walk

ORDER = [
    "turns", "rides", "levels", "times", "prints", "keys", "source", "states", "body", "swings",
    "asides", "feet", "holds", "trajectory", "blends", "response", "rolls", "legs", "poses",
    "upper body", "layers", "hand-over",
]  # fmt: skip
TIMES = np.linspace(0.5, 2.5, 13)


@pytest.fixture(scope="module")
def plan():
    """A walk aside over bumps on hulls, whose upper body answers: every stage has something to do."""
    rig, motions = make_walker()
    legs = tuple(replace(leg, hull=hull) for leg, hull in zip(rig.legs, rig.hulls, strict=True))
    rig = replace(rig, legs=legs)
    walk = native_walk(motions)
    mesh = make_bumps(rig.leg_length, walk.stride, facing_of(walk) - np.pi / 2)
    aside = rot.rotate(rot.quaternions_from_yaws(0.5), np.array([*walk.velocity, 0.0]))[:2]
    travel = make_straight_travel(np.zeros(3), 0.0, aside, 0.0, 3.0)
    travel = replace(travel, yaws=0.1 * travel.times)
    settings = PlanSettings(lean_back=0.5, shoulder_turn=0.5, arm_spread=0.5)
    ground = MeshGround(mesh.vertices, mesh.triangles)
    other = make_plan(rig, motions, travel, ground)
    motions = replace(motions, layers=(make_nod(rig),))
    return make_plan(rig, motions, travel, ground, settings, beside=read_beside(other))


def make_nod(rig):
    """A layer that turns the whole body a little, hips included."""
    turn = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), 0.1)
    rows = np.stack([rig.skeleton.rest_rotations, rot.multiply(rig.skeleton.rest_rotations, turn)])
    places = np.tile(rig.skeleton.rest_translations, (2, 1, 1))
    clip = LayerClip(rows, places, 0.5, np.zeros(len(rig.skeleton), bool))
    shares = make_shares(rig, find_whole_body(rig), 1)
    return Layer("nod", clip, shares, np.zeros(1), np.ones(1), additive=True)


def read_beside(plan):
    """A walk as the animation beside another one, a little aside of it."""
    poses = solve_poses(plan, np.linspace(0.0, 3.0, 73)).poses
    return BesideWalk(
        times=poses.times,
        positions=poses.positions + np.array([0.05, 0.05, 0.0]),
        orientations=poses.orientations,
        rotations=poses.rotations,
        translations=poses.translations,
        scales=poses.scales,
        span=(0.0, 3.0),
        blends=(0.75, 0.75),
    )


# Sums of many numbers may be rounded otherwise the next time, by where they lie in memory.
ROUNDING = 1e-12


def is_same(one, two):
    """Whether two records hold the same values, but for rounding."""
    if type(one) is not type(two):
        return False
    if is_dataclass(one):
        return all(is_same(getattr(one, f.name), getattr(two, f.name)) for f in fields(one))
    if isinstance(one, np.ndarray):
        if one.dtype.kind != "f":
            return np.array_equal(one, two)
        alike = one.shape == two.shape
        return alike and np.allclose(one, two, rtol=0.0, atol=ROUNDING, equal_nan=True)
    if isinstance(one, float):
        return one == two or abs(one - two) <= ROUNDING
    if isinstance(one, (tuple, list)):
        return len(one) == len(two) and all(map(is_same, one, two))
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(is_same(one[key], two[key]) for key in one)
    if hasattr(one, "__dict__") and not callable(one):
        return is_same(vars(one), vars(two))
    return one is two or bool(one == two)


def run_stages(plan, times):
    """Every stage with the records that it is given when all are planned before they pose."""
    walk = SolvedWalk(times)
    for stage in STAGES:
        yield stage, plan, walk
        if stage.pose is not None:
            walk = stage.pose(plan, walk)


def test_the_stages_are_one_list_of_names_in_the_order_of_the_method():
    assert [stage.name for stage in STAGES] == ORDER
    assert all(stage.plan or stage.pose for stage in STAGES)
    assert all(stage.does and "\n" not in stage.does for stage in STAGES)


def test_feet_that_are_not_locked_leave_out_what_corrects_them():
    names = [stage.name for stage in list_stages(PlanSettings(lock_feet=False))]
    left_out = ["asides", "holds", "trajectory", "blends", "rolls", "legs"]
    left_out.append("hand-over")
    assert [n for n in ORDER if n not in names] == left_out
    assert list_stages(PlanSettings()) == STAGES


@pytest.mark.parametrize("index", range(len(ORDER)), ids=ORDER)
def test_each_stage_is_pure(plan, index):
    stage, plan, walk = list(run_stages(plan, TIMES))[index]
    if stage.plan is not None:
        # Planning reads poses on the plan's grid.
        walk = list(run_stages(plan, plan.grid.times))[index][2]
    for run, given in ((stage.plan, plan), (stage.pose, walk)):
        if run is None:
            continue
        kept_plan, kept_walk = deepcopy(plan), deepcopy(walk)
        once, again = run(plan, walk), run(plan, walk)
        assert type(once) is type(given)
        assert is_same(once, again)
        assert is_same(plan, kept_plan)
        assert is_same(walk, kept_walk)


def test_every_stage_run_in_turn_makes_the_plan(plan):
    given = (plan.tables, plan.source.travel, plan.ground, plan.settings, plan.source, plan.grid)
    made = WalkPlan(*given, beside=plan.beside)
    walk = SolvedWalk(plan.grid.times)
    for stage in STAGES:
        before = made, walk
        made = made if stage.plan is None else stage.plan(made, walk)
        walk = walk if stage.pose is None else stage.pose(made, walk)
        assert not all(map(is_same, before, (made, walk))), f"{stage.name} decides nothing"
    assert is_same(made, plan)


def test_the_finished_records_have_no_gap(plan):
    # Plans get a fingerprint where they are kept.
    walk, kept = solve_poses(plan, TIMES), replace(plan, fingerprint="a")
    for record in (kept, walk):
        assert [f.name for f in fields(record) if getattr(record, f.name) is None] == []


def test_solving_is_the_posing_half_of_the_list(plan):
    walk = SolvedWalk(TIMES)
    for stage in STAGES:
        walk = walk if stage.pose is None else stage.pose(plan, walk)
    assert is_same(walk, solve_poses(plan, TIMES))


def test_a_walk_is_left_alone_where_nothing_is_mixed_into_it(plan):
    def hand_over(times):
        walk = SolvedWalk(times)
        for stage in STAGES[:-1]:
            walk = walk if stage.pose is None else stage.pose(plan, walk)
        return walk, STAGES[-1].pose(plan, walk)

    # The feet of the animation beside it are stepped off by then, and none is on its way to it.
    walk, left = hand_over(np.array([1.5]))
    assert left.poses is walk.poses
    assert left.legs is walk.legs
    walk, mixed = hand_over(np.array([0.2]))
    assert not is_same(mixed.poses, walk.poses)
