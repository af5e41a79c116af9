# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that meet a lower tread with their ball first."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.swings.tipping import measure_tips, tip_feet
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from tests.core.planes import SlopedPlane
from tests.core.swings.test_outlines import make_steps
from tests.core.walkers import facing_of, make_walker, native_walk

TIMES = np.linspace(1.0, 6.0, 301)


def walk_over(kind, legs=2, rise=0.18):
    """A walk down stairs, a kerb or a ramp, or level ground."""
    rig, motions = make_walker(legs=legs)
    walk = native_walk(motions)
    ground = FlatGround()
    if kind == "stairs":
        ground = make_steps(-rise, 0.32, 0.0)
    elif kind == "kerb":
        ground = make_steps(-rise, 0.32, 0.0, count=1, first=2.0)
    elif kind == "ramp":
        ground = SlopedPlane([-0.25, 0.0])
    choices = WayChoices(facing=facing_of(walk), corner_radius=0.1, ramp_time=1.0)
    ways = np.array([[0.0, 0.0], [5.0, 0.0]])
    travel = travel_from_points(ways, 0.6 * walk.speed, choices)
    plan = make_plan(rig, motions, travel, ground)
    return plan, solve_poses(plan, TIMES)


def read_pitches(plan, walk, index):
    """Rise from heel to ball in each frame, radians."""
    leg = plan.tables.small_rig.legs[index]
    points = compute_sole_points(leg, walk.rotations, walk.positions)
    way = points[:, 1] - points[:, 0]
    return np.arctan2(way[:, 2], np.hypot(way[:, 0], way[:, 1]))


def read_tips(plan, walk, index):
    """How far the foot of a leg is pointed in each frame."""
    states = walk.states.pick(index)
    return measure_tips(states, plan.drops[index][states.steps])


def find_strikes(plan, walk, index):
    """Pitches at a leg's strikes, degrees, and how far each step led down, metres."""
    states = walk.states.pick(index)
    meets = np.flatnonzero((states.flight[:-1] < 1.0) & (states.flight[1:] >= 1.0)) + 1
    drops = plan.drops[index][states.steps[meets]] * plan.tables.small_rig.legs[index].length
    return np.degrees(read_pitches(plan, walk, index)[meets]), drops


def test_toes_point_down_where_a_foot_meets_a_lower_tread_and_nowhere_else():
    plan, walk = walk_over("stairs")
    seen = 0
    for index in range(2):
        pitches, drops = find_strikes(plan, walk, index)
        low = np.abs(drops - 0.18) < 0.01
        seen += np.count_nonzero(low)
        assert np.all((pitches[low] > -20.0) & (pitches[low] < -14.0))
        assert np.all(pitches[drops <= 0.0] > -5.0)
        # At its stance the foot is flat.
        stances = np.flatnonzero(np.diff(walk.states.pick(index).steps) > 0)
        assert np.all(np.abs(read_pitches(plan, walk, index)[stances]) < np.radians(4.0))
    assert seen >= 2


@pytest.mark.parametrize(
    ("rise", "least", "most"), [(0.09, 8, 25), (0.14, -10, 5), (0.2, -20, -15)]
)
def test_down_a_kerb_the_heel_comes_first_to_10_cm_and_the_ball_from_20(rise, least, most):
    plan, walk = walk_over("kerb", rise=rise)
    both = [find_strikes(plan, walk, index) for index in range(2)]
    pitches, drops = (np.concatenate(part) for part in zip(*both, strict=True))
    down = np.abs(drops - rise) < 0.01
    assert np.count_nonzero(down) == 1
    assert least < pitches[down] < most
    assert np.all(pitches[~down] > 8.0)


@pytest.mark.parametrize(("kind", "legs"), [("flat", 2), ("ramp", 2)])
def test_on_level_ground_and_ramps_feet_roll_as_in_the_motions(kind, legs):
    plan, walk = walk_over(kind, legs)
    for index in range(legs):
        assert np.all(read_tips(plan, walk, index) < 1e-6)


def test_feet_without_toes_do_not():
    plan, walk = walk_over("stairs", 4)
    assert all(leg.toe is None for leg in plan.tables.small_rig.legs)
    assert max(np.max(read_tips(plan, walk, index)) for index in range(4)) > 0.1
    tipped = tip_feet(plan.tables, walk.source, walk.states, walk.targets, plan.drops)
    assert tipped is walk.targets


def test_what_bears_stays_where_it_is():
    plan, walk = walk_over("stairs")
    for index in range(2):
        states = walk.states.pick(index)
        leg = plan.tables.small_rig.legs[index]
        tips = read_tips(plan, walk, index)
        rows = np.flatnonzero((states.flight >= 1.0) & (tips > 0.3))
        points = compute_sole_points(leg, walk.rotations, walk.positions)[rows]
        seen = rot.rotate(
            rot.conjugate(states.frames_ahead[rows])[:, None], points - states.ahead[rows, None]
        )
        ball = plan.tables.rig.ball_shares[index] * plan.tables.rig.foot_lengths[index]
        lowest = seen[..., 2].min(axis=1)
        np.testing.assert_allclose(lowest, 0.0, atol=0.002)
        np.testing.assert_allclose(seen[:, 1:, 0].min(axis=1), ball, atol=0.03)
