# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heads that lead into turns and stay upright where bodies lean."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import Travel
from tests.core.walkers import make_walker, native_walk

RADIUS = 1.5


def plan_bend(share=1.0, legs=2):
    """Two seconds straight on, then a circle to the left."""
    rig, motions = make_walker(legs=legs)
    walk = native_walk(motions)
    times = np.linspace(0.0, 6.0, 361)
    yaws = np.maximum(times - 2.0, 0.0) * walk.speed / RADIUS
    ahead = rot.rotate(rot.quaternions_from_yaws(yaws), np.array([*walk.velocity, 0.0]))
    places = np.concatenate([np.zeros((1, 3)), np.cumsum(ahead[:-1], axis=0) / 60.0])
    settings = PlanSettings(look_ahead=share)
    return make_plan(rig, motions, Travel(times, places, yaws), FlatGround(), settings)


def find_axes(plan, walk, name):
    """Where a bone that points ahead and up at rest points, world, (N, 3) each."""
    rig, poses = plan.tables.rig, walk.poses
    turns, _ = compute_global_poses(rig.skeleton, poses.rotations, poses.translations)
    bone = rig.skeleton.names.index(name)
    rest = rot.conjugate(rig.skeleton.rest_poses[0][bone])
    turned = rot.multiply(poses.orientations, rot.multiply(turns[:, bone], rest))
    return rot.rotate(turned, np.array([*rig.forward, 0.0])), rot.rotate(turned, rot.UP)


def test_the_head_turns_before_the_body():
    plan = plan_bend()
    walk = solve_poses(plan, np.arange(1.0, 5.0, 1.0 / 60.0))
    # Against the same walk without it, so that the clip's own nods do not count.
    plain_plan = plan_bend(0.0)
    plain = solve_poses(plain_plan, walk.times)
    turned = []
    for found, solved in ((plan, walk), (plain_plan, plain)):
        ahead, _ = find_axes(found, solved, "head")
        turned.append(np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0])))
    lead = turned[0] - turned[1]
    rate = native_walk(plan.tables.motion_set).speed / RADIUS
    period = plan.tables.cycles.slowest_period
    assert np.abs(lead[walk.times < 1.5]).max() < 0.02
    assert lead[walk.times > 3.5].mean() == pytest.approx(
        0.8 * np.tanh(0.35 * period * rate / 0.8), abs=0.05
    )
    # It has begun before the way bends.
    assert lead[np.searchsorted(walk.times, 1.98)] > 0.05


def test_the_head_stays_upright_where_the_body_leans():
    plan, plain_plan = plan_bend(), plan_bend(0.0)
    times = np.arange(3.5, 5.0, 1.0 / 60.0)
    walk, plain = solve_poses(plan, times), solve_poses(plain_plan, times)
    leans = np.linalg.norm(plan.body.read_leans(times), axis=1)
    assert np.degrees(leans.mean()) > 3.0
    tilts = []
    for found, solved in ((plan, walk), (plain_plan, plain)):
        _, up = find_axes(found, solved, "head")
        inwards = rot.rotate(solved.poses.orientations, np.array([*found.tables.rig.forward, 0.0]))
        left = np.stack([-inwards[:, 1], inwards[:, 0]], axis=1)
        tilts.append(np.arcsin(np.sum(up[:, :2] * left, axis=1)).mean())
    assert tilts[1] - tilts[0] == pytest.approx(0.8 * leans.mean(), rel=0.15)


def test_without_a_share_or_on_four_legs_no_head_moves():
    assert plan_bend(0.0).head is None
    assert plan_bend(legs=4).head is None
