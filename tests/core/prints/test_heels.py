# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heels that rise and strike otherwise on slopes and stairs than on the level."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.prints.heels import plan_heels
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import SlopedPlane
from tests.core.swings.test_outlines import make_steps
from tests.core.walkers import make_walker, native_walk

HIGH = 0.2 / 0.9
STEEP = np.tan(np.radians(9.0))
TIMES = np.linspace(2.0, 5.0, 361)


def walk_over(kind, legs=2):
    """A walk up a ramp or down, up stairs, down a kerb, or over level ground."""
    rig, motions = make_walker(legs=legs)
    walk = native_walk(motions)
    ahead = walk.velocity / walk.speed
    grounds = {
        "up": SlopedPlane(STEEP * ahead),
        "down": SlopedPlane(-STEEP * ahead),
        "stairs": make_steps(HIGH * rig.leg_length, 0.5, np.arctan2(ahead[1], ahead[0])),
        "low stairs": make_steps(0.05 * rig.leg_length, 0.5, np.arctan2(ahead[1], ahead[0])),
        "kerb": make_steps(-0.15, 0.5, np.arctan2(ahead[1], ahead[0]), count=1, first=3.0),
        "level": FlatGround(),
    }
    travel = make_straight_travel(np.zeros(3), 0.0, 0.9 * walk.velocity, 0.0, 7.0)
    return make_plan(rig, motions, travel, grounds[kind])


def read_both(plan):
    """Poses with the heels of the plan, and as the motions have them."""
    plain = replace(plan.steps, heels=())
    return plan.steps.read_source(TIMES), plain.read_source(TIMES)


def read_pitches(plan, source, index):
    """Rise from heel to ball, and from ball to toe tip, radians, each (N,)."""
    leg = plan.tables.small_rig.legs[index]
    points = compute_sole_points(leg, source.legs.rotations, source.legs.positions)
    ways = np.diff(points, axis=1)
    return np.arctan2(ways[..., 2], np.hypot(ways[..., 0], ways[..., 1])).T


@pytest.mark.parametrize("kind", ["level", "low stairs", "kerb"])
def test_only_on_slopes_and_high_stairs(kind):
    plan = walk_over(kind)
    for heels in plan.heels:
        assert np.abs(heels.rises).max() < np.radians(0.5)
        assert np.abs(heels.strikes).max() < 0.02


def test_only_of_bodies_on_two_legs():
    plan = walk_over("up", legs=4)
    heels = plan_heels(plan.tables, plan.times, plan.prints, plan.ground, plan.drops)
    assert heels == ()


def test_of_two_feet_that_step_down_a_kerb_the_first_is_led_down():
    plan = walk_over("kerb")
    for leg, own in zip(plan.tables.small_rig.legs, plan.drops, strict=True):
        np.testing.assert_allclose(own[np.abs(own) > 1e-6], 0.15 / leg.length, rtol=1e-3)
    assert sum(np.count_nonzero(np.abs(own) > 1e-6) for own in plan.drops) == 1


@pytest.mark.parametrize("kind", ["up", "down", "level"])
def test_along_slopes_no_step_leads_up_or_down(kind):
    plan = walk_over(kind)
    np.testing.assert_allclose(np.concatenate(plan.drops), 0.0, atol=1e-6)


def test_up_stairs_of_20_cm_feet_strike_flat():
    plan = walk_over("stairs")
    posed, plain = read_both(plan)
    states, seen = plan.steps.read_states(TIMES), 0
    for index, drops in enumerate(plan.drops):
        (heel, _), (own, _) = (read_pitches(plan, s, index) for s in (posed, plain))
        state = states.pick(index)
        strikes = np.flatnonzero((state.flight[:-1] < 1.0) & (state.flight[1:] >= 1.0)) + 1
        strikes = strikes[drops[state.steps[strikes]] < -0.99 * HIGH]
        seen += len(strikes)
        assert np.all(own[strikes] > np.radians(5.0))
        np.testing.assert_allclose(heel[strikes], 0.0, atol=np.radians(0.5))
    assert seen >= 2


def test_going_up_the_heel_of_the_rear_foot_is_raised_and_its_toes_stay():
    plan = walk_over("up")
    posed, plain = read_both(plan)
    states = plan.steps.read_states(TIMES)
    for index, leg in enumerate(plan.tables.small_rig.legs):
        (heel, toes), (own_heel, own_toes) = (read_pitches(plan, s, index) for s in (posed, plain))
        other = states.pick(1 - index)
        strikes = np.flatnonzero((other.flight[:-1] < 1.0) & (other.flight[1:] >= 1.0))
        assert len(strikes) >= 2
        raised = np.degrees(own_heel - heel)[strikes]
        assert np.all((raised > 8.0) & (raised < 15.0))
        bears = states.pick(index).flight <= 0.0
        np.testing.assert_allclose(toes[bears], own_toes[bears], atol=1e-9)
        # In the middle of the flight nothing of it is left, and ankles are where they were.
        flight = states.pick(index).flight
        middle = (flight > 0.35) & (flight < 0.55)
        np.testing.assert_allclose(heel[middle], own_heel[middle], atol=1e-9)
        ankles = [s.legs.positions[:, leg.ankle] for s in (posed, plain)]
        np.testing.assert_allclose(*ankles, atol=1e-12)


@pytest.mark.parametrize(("kind", "least", "most"), [("up", 0.5, 0.7), ("down", 1.3, 1.7)])
def test_feet_strike_flatter_going_up_and_steeper_going_down(kind, least, most):
    plan = walk_over(kind)
    posed, plain = read_both(plan)
    states = plan.steps.read_states(TIMES)
    for index in range(2):
        (heel, _), (own, _) = (read_pitches(plan, s, index) for s in (posed, plain))
        flight = states.pick(index).flight
        strikes = np.flatnonzero((flight[:-1] < 1.0) & (flight[1:] >= 1.0)) + 1
        assert len(strikes) >= 2
        shares = heel[strikes] / own[strikes]
        assert np.all(own[strikes] > np.radians(5.0))
        assert np.all((shares > least) & (shares < most))
        # Flat feet are flat.
        stands = np.flatnonzero(np.diff(states.pick(index).steps) > 0)
        np.testing.assert_allclose(heel[stands], own[stands], atol=np.radians(1.0))


def test_bones_hang_together_and_nothing_jumps():
    plan = walk_over("up")
    posed, _ = read_both(plan)
    legs, skeleton = posed.legs, plan.tables.small_rig.skeleton
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            own = rot.multiply(legs.rotations[:, parent], legs.locals[:, bone])
            turned = np.abs(np.sum(own * legs.rotations[:, bone], axis=1))
            np.testing.assert_allclose(turned, 1.0, atol=1e-9)
    for index in range(2):
        (heel, _), (own, _) = (read_pitches(plan, s, index) for s in (posed, read_both(plan)[1]))
        assert np.abs(np.diff(heel - own)).max() < np.radians(3.0)


def test_the_front_knee_strikes_less_bent_with_it_and_what_bears_stays():
    plan = walk_over("up")
    walk = solve_poses(plan, TIMES)
    assert walk.missed.max() < 1e-3
    for index, leg in enumerate(plan.tables.small_rig.legs):
        states = walk.states.pick(index)
        bears = states.flight <= 0.0
        points = compute_sole_points(leg, walk.rotations, walk.positions)
        seen = rot.rotate(
            rot.conjugate(states.frames_behind)[:, None], points - states.behind[:, None]
        )[bears]
        assert np.abs(seen[..., 2].min(axis=1)).max() < 0.002
        # Where ball and toe tip bear the toes lie, and stay where they are.
        ball = plan.tables.rig.ball_shares[index] * plan.tables.rig.foot_lengths[index]
        low = seen[:, 1, 2] < 0.001
        assert np.abs(seen[low, 1, 0] - ball).max() < 0.01
