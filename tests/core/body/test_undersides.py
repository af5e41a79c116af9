# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bellies that hang low between many legs stay out of the ground, as far as legs reach."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from tests.core.planes import make_steps
from tests.core.specimens import find_specimen
from tests.core.walkers import facing_of, make_set, make_walker, native_walk

RATE = 30

# A belly that hangs so far below the hips and reaches so far ahead and behind, shares of the leg.
HANG, AHEAD = 0.7, 0.75
ALONG = np.linspace(-AHEAD, AHEAD, 121)


@cache
def make_low_walker(legs):
    """A character whose hips hang lower than its legs are long."""
    if legs == 2:
        return make_walker(legs=2)
    rig, _ = make_walker(legs=legs)
    settings = find_specimen("walk", legs, rig.leg_length)
    low = replace(settings, crouch=settings.crouch + 0.2)
    return rig, make_set([analyze_clip(make_gait(rig, low), rig)])


def carry_belly(rig, poses, hang):
    """World places (F, 121, 3) of the middle line of a belly that rides on the body's bone."""
    rotations, positions = compute_global_poses(
        rig.skeleton, poses.rotations, poses.translations, poses.scales
    )
    axes, rest = rig.skeleton.rest_poses
    hips = rest[[leg.joints[0] for leg in rig.legs]].mean(axis=0)
    points = np.stack([ALONG, np.zeros_like(ALONG), np.full_like(ALONG, -hang)], axis=1)
    away = hips + points * rig.leg_length - rest[rig.body]
    away = rot.rotate(rot.conjugate(axes[rig.body]), away)
    local = positions[:, None, rig.body] + rot.rotate(rotations[:, None, rig.body], away)
    return poses.positions[:, None] + rot.rotate(poses.orientations[:, None], local)


@cache
def measure_underside(legs, hang):
    """The belly at its lowest as the character walks on the flat, as `Rig.underside`."""
    plan, solved, points = walk_over(legs, FlatGround(), hang, knows=False)
    hips = [leg.joints[0] for leg in plan.tables.small_rig.legs]
    low = (points[..., 2] - solved.positions[:, hips, 2].mean(axis=1)[:, None]).min(axis=0)
    length = plan.tables.rig.leg_length
    strips = [
        np.stack([ALONG * length, np.full_like(low, side * length), low], axis=1)[::10]
        for side in (-0.1, 0.0, 0.1)
    ]
    return np.concatenate(strips)


def walk_over(legs, ground, hang=HANG, knows=True):
    """A walk ahead with a belly that the rig knows of or not: plan, solved frames, the belly's places."""
    rig, motions = make_low_walker(legs)
    walk = native_walk(motions)
    if knows:
        rig = replace(rig, underside=measure_underside(legs, hang))
    travel = travel_from_points(
        np.array([[0.0, 0.0], [5.0 * walk.stride, 0.0]]),
        0.6 * walk.speed,
        WayChoices(facing=facing_of(walk), corner_radius=0.1, ramp_time=1.0),
    )
    plan = make_plan(rig, motions, travel, ground)
    solved = solve_poses(plan, np.arange(int(travel.end * RATE)) / RATE)
    return plan, solved, carry_belly(rig, solved.poses, hang)


def make_stairs(rise, tread):
    rig, motions = make_low_walker(4)
    length = rig.leg_length
    first = 1.5 * native_walk(motions).stride
    return make_steps(rise * length, tread * length, 0.0, first=first)


def measure_depth(ground, points):
    """How deep the deepest of points (F, P, 3) is in the ground, metres."""
    flat = points.reshape(-1, 3)
    hits = ground.cast_down(flat + 0.5 * rot.UP, np.zeros(len(flat)))
    assert hits.hit.all()
    return float((hits.points[:, 2] - flat[:, 2]).max())


@pytest.mark.parametrize(("legs", "rise"), [(4, 0.17), (6, -0.17)])
def test_a_hanging_belly_is_carried_over_the_edges_of_treads(legs, rise):
    ground = make_stairs(rise, 0.45)
    before, blind, points = walk_over(legs, ground, knows=False)
    length = before.tables.rig.leg_length
    assert measure_depth(ground, points) > 0.025 * length
    plan, solved, points = walk_over(legs, ground)
    assert measure_depth(ground, points) < 0.004 * length
    assert np.all(solved.missed < np.maximum(blind.missed, 1e-3 * length))
    lifted = plan.body.hip_offsets - before.body.hip_offsets
    assert lifted.max() < 0.2 * length


def test_a_stone_between_the_feet_is_cleared():
    rig, motions = make_low_walker(4)
    length = rig.leg_length
    x, h = 2.0 * native_walk(motions).stride, 0.16 * length
    corners = [(-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0)]
    low, high = [
        [(x + a, b, z) for a in (-w, w) for b in (-w, w)] for w, z in ((0.1, 0), (0.06, h))
    ]
    sides = [(0, 1, 4), (1, 5, 4), (1, 3, 5), (3, 7, 5), (3, 2, 7), (2, 6, 7), (2, 0, 6), (0, 4, 6)]
    stone = 4 + np.array([*sides, (4, 5, 6), (5, 7, 6)])
    ground = MeshGround(
        np.array(corners + low + high, dtype=float), np.array([(0, 1, 2), (0, 2, 3), *stone])
    )
    _, _, points = walk_over(4, ground, knows=False)
    deep = measure_depth(ground, points)
    assert deep > 0.02 * length
    _, solved, points = walk_over(4, ground)
    assert measure_depth(ground, points) < 0.2 * deep
    assert np.all(solved.missed < 1e-3 * length)


def test_on_flat_ground_nothing_is_raised():
    _, plain, _ = walk_over(4, FlatGround(), knows=False)
    _, low, _ = walk_over(4, FlatGround())
    np.testing.assert_array_equal(low.poses.positions, plain.poses.positions)
    np.testing.assert_array_equal(low.poses.rotations, plain.poses.rotations)


def test_what_drags_in_the_motions_may_drag_on_stairs():
    ground = make_stairs(0.17, 0.45)
    _, plain, _ = walk_over(4, ground, knows=False)
    _, dragged, _ = walk_over(4, ground, 0.9)
    np.testing.assert_array_equal(dragged.poses.positions, plain.poses.positions)


def test_legs_that_reach_no_farther_keep_their_feet():
    ground = make_stairs(0.3, 0.45)
    plan, blind, _ = walk_over(4, ground, knows=False)
    length = plan.tables.rig.leg_length
    _, solved, _ = walk_over(4, ground, 0.78)
    assert solved.missed.max() < max(blind.missed.max(), 1e-3 * length)


def test_people_are_not_raised_for_what_hangs_from_them():
    ground = make_stairs(0.17, 0.45)
    _, plain, _ = walk_over(2, ground, knows=False)
    _, gown, _ = walk_over(2, ground)
    np.testing.assert_array_equal(gown.poses.positions, plain.poses.positions)
