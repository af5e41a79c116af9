# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How feet meet slopes, stairs and kerbs: heel, flat or ball first, as the solved bones show it."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.travel.way import (
    WayChoices,
    make_straight_travel,
    travel_from_points,
)
from tests.core.planes import SlopedPlane, make_steps
from tests.core.walkers import facing_of, make_walker, native_walk

HIGH = 0.2 / 0.9
STEEP = np.tan(np.radians(9.0))
TIMES = np.linspace(2.0, 5.0, 361)


def walk_up(kind):
    """A walk up a ramp or down, up stairs, down a kerb, or over level ground, at 0.9 of its speed."""
    rig, motions = make_walker()
    walk = native_walk(motions)
    ahead = walk.velocity / walk.speed
    angle = np.arctan2(ahead[1], ahead[0])
    grounds = {
        "up": SlopedPlane(STEEP * ahead),
        "down": SlopedPlane(-STEEP * ahead),
        "stairs": make_steps(HIGH * rig.leg_length, 0.5, angle),
        "low stairs": make_steps(0.05 * rig.leg_length, 0.5, angle),
        "kerb": make_steps(-0.15, 0.5, angle, count=1, first=3.0),
        "level": FlatGround(),
    }
    travel = make_straight_travel(np.zeros(3), 0.0, 0.9 * walk.velocity, 0.0, 7.0)
    plan = make_plan(rig, motions, travel, grounds[kind])
    return plan, solve_poses(plan, TIMES)


def walk_down(kind, legs=2, rise=0.18):
    """A walk down stairs, a kerb or a ramp, slowly along +X."""
    rig, motions = make_walker(legs=legs)
    walk = native_walk(motions)
    grounds = {
        "stairs": make_steps(-rise, 0.32, 0.0),
        "kerb": make_steps(-rise, 0.32, 0.0, count=1, first=2.0),
        "ramp": SlopedPlane([-0.25, 0.0]),
    }
    choices = WayChoices(facing=facing_of(walk), corner_radius=0.1, ramp_time=1.0)
    ways = np.array([[0.0, 0.0], [5.0, 0.0]])
    travel = travel_from_points(ways, 0.6 * walk.speed, choices)
    plan = make_plan(rig, motions, travel, grounds[kind])
    return plan, solve_poses(plan, np.linspace(1.0, 6.0, 301))


def read_pitches(plan, poses, frames, index):
    """Rise from heel to ball over the foot's ground in each frame, degrees."""
    leg = plan.tables.small_rig.legs[index]
    points = compute_sole_points(leg, poses.rotations, poses.positions)
    way = rot.rotate(rot.conjugate(frames), points[:, 1] - points[:, 0])
    return np.degrees(np.arctan2(way[:, 2], np.hypot(way[:, 0], way[:, 1])))


def find_strikes(plan, walk):
    """Of all strikes: pitches over the ground, those of the clip, and metres that steps led down."""
    met, own, drops = [], [], []
    for index in range(len(plan.drops)):
        states = walk.states.pick(index)
        meets = np.flatnonzero((states.flight[:-1] < 1.0) & (states.flight[1:] >= 1.0)) + 1
        level = np.broadcast_to(rot.IDENTITY, (len(walk.times), 4))
        met.append(read_pitches(plan, walk, states.frames_ahead, index)[meets])
        own.append(read_pitches(plan, walk.source.legs, level, index)[meets])
        length = plan.tables.small_rig.legs[index].length
        drops.append(plan.drops[index][states.steps[meets]] * length)
    return tuple(np.concatenate(part) for part in (met, own, drops))


def test_of_two_feet_that_step_down_a_kerb_the_first_is_led_down():
    plan, _ = walk_up("kerb")
    for leg, own in zip(plan.tables.small_rig.legs, plan.drops, strict=True):
        np.testing.assert_allclose(own[np.abs(own) > 1e-6], 0.15 / leg.length, rtol=1e-3)
    assert sum(np.count_nonzero(np.abs(own) > 1e-6) for own in plan.drops) == 1


@pytest.mark.parametrize("kind", ["up", "down", "level"])
def test_along_slopes_no_step_leads_up_or_down(kind):
    plan, _ = walk_up(kind)
    np.testing.assert_allclose(np.concatenate(plan.drops), 0.0, atol=1e-6)


@pytest.mark.parametrize(("kind", "least", "most"), [("up", 0.5, 0.8), ("down", 1.2, 1.7)])
def test_feet_strike_flatter_going_up_and_steeper_going_down(kind, least, most):
    met, own, _ = find_strikes(*walk_up(kind))
    assert len(met) >= 4
    assert np.all(own > 5.0)
    assert np.all((met > least * own) & (met < most * own))


@pytest.mark.parametrize("kind", ["level", "low stairs"])
def test_on_level_ground_and_low_stairs_feet_strike_as_in_the_clip(kind):
    met, own, _ = find_strikes(*walk_up(kind))
    assert len(met) >= 4
    np.testing.assert_allclose(met, own, atol=1.0)


def test_up_stairs_of_20_cm_feet_strike_flat():
    met, own, drops = find_strikes(*walk_up("stairs"))
    high = drops < -0.19 * 0.82 / 0.9
    assert np.count_nonzero(high) >= 2
    assert np.all(own[high] > 5.0)
    np.testing.assert_allclose(met[high], 0.0, atol=4.0)


def test_toes_point_down_where_a_foot_meets_a_lower_tread_and_nowhere_else():
    plan, walk = walk_down("stairs")
    pitches, _, drops = find_strikes(plan, walk)
    low = np.abs(drops - 0.18) < 0.01
    assert np.count_nonzero(low) >= 2
    assert np.all((pitches[low] > -21.0) & (pitches[low] < -14.0))
    assert np.all(pitches[drops <= 0.0] > -5.0)
    for index in range(2):
        # At its stance the foot is flat.
        states = walk.states.pick(index)
        stances = np.flatnonzero(np.diff(states.steps) > 0)
        found = read_pitches(plan, walk, states.frames_behind, index)
        assert np.all(np.abs(found[stances]) < 4.0)


@pytest.mark.parametrize(
    ("rise", "least", "most"), [(0.09, 8, 25), (0.14, -10, 5), (0.2, -21, -15)]
)
def test_down_a_kerb_the_heel_comes_first_to_10_cm_and_the_ball_from_20(rise, least, most):
    pitches, _, drops = find_strikes(*walk_down("kerb", rise=rise))
    down = np.abs(drops - rise) < 0.01
    assert np.count_nonzero(down) == 1
    assert least < pitches[down] < most
    assert np.all(pitches[~down] > 8.0)


def test_feet_without_toes_meet_lower_treads_as_their_legs_reach():
    plan, walk = walk_down("stairs", 4)
    assert all(leg.toe is None for leg in plan.tables.small_rig.legs)
    assert walk.legs.missed.max() < 1e-3 * plan.tables.rig.leg_length


def test_what_bears_stays_where_it_is():
    plan, walk = walk_down("stairs")
    for index in range(2):
        states = walk.states.pick(index)
        leg = plan.tables.small_rig.legs[index]
        pitches = read_pitches(plan, walk, states.frames_ahead, index)
        rows = np.flatnonzero((states.flight >= 1.0) & states.in_contact & (pitches < -6.0))
        points = compute_sole_points(leg, walk.rotations, walk.positions)[rows]
        seen = rot.rotate(
            rot.conjugate(states.frames_ahead[rows])[:, None], points - states.ahead[rows, None]
        )
        ball = plan.tables.rig.ball_shares[index] * plan.tables.rig.foot_lengths[index]
        lowest = seen[..., 2].min(axis=1)
        np.testing.assert_allclose(lowest, 0.0, atol=0.002)
        np.testing.assert_allclose(seen[:, 1:, 0].min(axis=1), ball, atol=0.03)
