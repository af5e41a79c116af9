# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs whose feet hang from another bone walk like those whose feet hang from their shins."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import terrain_shapes
from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.body.legs import part_foot
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.ik import LegSolution
from semi_procedural_locomotion.core.rig.reach import measure_segments
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import detach_feet, facing_of, make_walker, native_walk


def make_ground(name, rig, walk):
    """A test ground along the character's own forward."""
    if name == "flat":
        return FlatGround()
    make = getattr(terrain_shapes, f"make_{name}")
    shape = make(rig.leg_length, walk.stride, facing_of(walk) - np.pi / 2)
    return MeshGround(shape.vertices, shape.triangles)


def solve(rig, motions, ground, share):
    """A walk straight ahead at a share of its own speed, and its numbers."""
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity * share, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, make_ground(ground, rig, walk))
    solved = solve_poses(plan, np.arange(120) / 30.0)
    return plan, solved, measure_walk(plan.tables.small_rig, record_walk(plan, solved), plan.ground)


@pytest.mark.parametrize(
    ("legs", "ground", "share"),
    [(2, "flat", 1.0), (4, "flat", 0.6), (2, "ramp", 1.0), (2, "stairs", 0.9), (4, "stairs", 0.9)],
)
def test_detached_feet_walk_as_attached_ones_do(legs, ground, share):
    rig, motions = make_walker(legs=legs)
    loose, loose_motions = detach_feet(rig, motions)
    _, expected, report = solve(rig, motions, ground, share)
    plan, solved, found = solve(loose, loose_motions, ground, share)
    names = plan.tables.small_rig.skeleton.names
    assert names == tuple(rig.skeleton.names[i] for i in plan.tables.bones.indices)
    apart = np.linalg.norm(solved.positions - expected.positions, axis=-1)
    # Over stairs rounding may choose another of two ways that cost the same.
    assert apart.max() < (0.06 if ground == "stairs" else 0.02) * rig.leg_length
    assert found.targets_missed <= report.targets_missed
    assert found.slide_worst < report.slide_worst + 1e-3
    assert found.knee_speed_ratio < 1.05 * report.knee_speed_ratio


@pytest.mark.parametrize(("ground", "share"), [("flat", 0.6), ("ramp", 1.0), ("stairs", 0.9)])
def test_shins_end_at_their_feet(ground, share):
    rig, motions = detach_feet(*make_walker())
    _, solved, _ = solve(rig, motions, ground, share)
    poses = solved.poses
    turns, heads = compute_global_poses(
        rig.skeleton, poses.rotations, poses.translations, poses.scales
    )
    rest_turns, rest_heads = rig.skeleton.rest_poses
    for leg in rig.legs:
        shin, ankle = leg.joints[-2:]
        offset = rot.rotate(rot.conjugate(rest_turns[shin]), rest_heads[ankle] - rest_heads[shin])
        ends = heads[:, shin] + rot.rotate(turns[:, shin], offset)
        assert np.abs(ends - heads[:, ankle]).max() < 1e-3 * rig.leg_length


def raise_body(rig, motions, height):
    """The motions with the body higher by metres over feet that stay where they are."""
    places = [motion.translations.copy() for motion in motions.motions]
    for place in places:
        place[:, rig.body, 2] += height
    pairs = zip(motions.motions, places, strict=True)
    return replace(motions, motions=tuple(replace(m, translations=p) for m, p in pairs))


def test_feet_that_a_motion_holds_off_their_shins_do_not_pull_the_body_down():
    rig, motions = detach_feet(*make_walker(rest=False))
    raised = raise_body(rig, motions, 0.08 * rig.leg_length)
    plan, solved, report = solve(rig, raised, "flat", 1.0)
    length = rig.leg_length
    hips = [leg.joints[0] for leg in plan.tables.small_rig.legs]
    ankles = [leg.ankle for leg in plan.tables.small_rig.legs]
    reach = np.linalg.norm(
        solved.source_positions[:, ankles] - solved.source_positions[:, hips], axis=-1
    )
    assert reach.max() > 1.02 * length
    sunk = solved.source_positions[:, hips, 2] - solved.positions[:, hips, 2]
    assert np.abs(sunk).max() < 0.005 * length
    assert report.fidelity_rms < 0.008
    assert report.targets_missed == 0
    assert report.slide_worst < 0.004


def raise_once(rig, motions, height):
    """The motions with the body higher by metres at one time of the cycle, and less around it."""
    places = []
    for motion in motions.motions:
        place = motion.translations.copy()
        phases = np.arange(len(place)) / len(place)
        place[:, rig.body, 2] += height * (0.5 + 0.5 * np.cos(2.0 * np.pi * phases)) ** 4
        places.append(place)
    pairs = zip(motions.motions, places, strict=True)
    return replace(motions, motions=tuple(replace(m, translations=p) for m, p in pairs))


@pytest.mark.parametrize("share", [1.0, 1.3])
def test_feet_may_be_off_their_shins_for_as_much_as_the_motion_has_them_anywhere(share):
    rig, motions = detach_feet(*make_walker(rest=False))
    _, plain, _ = solve(rig, motions, "flat", share)
    raised = raise_once(rig, motions, 0.12 * rig.leg_length)
    plan, solved, report = solve(rig, raised, "flat", share)
    small = plan.tables.small_rig
    longest = plan.tables.leg_rows.longest
    assert np.all(longest > 1.05 * rig.leg_length)
    assert report.targets_missed == 0
    assert report.slide_worst < 0.004
    hips = [leg.joints[0] for leg in small.legs]
    sunk = solved.source_positions[:, hips, 2] - solved.positions[:, hips, 2]
    sunk_plain = plain.source_positions[:, hips, 2] - plain.positions[:, hips, 2]
    assert sunk.max() < max(0.5 * sunk_plain.max(), 0.01 * rig.leg_length)
    for leg, most in zip(small.legs, longest, strict=True):
        spans = measure_segments(solved.positions[:, leg.joints])
        assert spans.max() < most + 1e-6 * rig.leg_length


def test_legs_that_ik_aims_are_straight_before_their_feet_come_off():
    rig, motions = detach_feet(*make_walker(rest=False))
    rig = replace(rig, legs=tuple(replace(leg, aimed=True) for leg in rig.legs))
    raised = raise_body(rig, motions, 0.08 * rig.leg_length)
    plan, solved, report = solve(rig, raised, "flat", 1.0)
    turns, rests = plan.tables.small_rig.skeleton.rest_poses
    off = 0
    for leg in plan.tables.small_rig.legs:
        hip, shin, ankle = (solved.positions[:, joint] for joint in leg.joints)
        bone = leg.joints[1]
        way = rot.rotate(rot.conjugate(turns[bone]), rests[leg.ankle] - rests[bone])
        end = shin + rot.rotate(solved.rotations[:, bone], way)
        beyond = np.linalg.norm(ankle - hip, axis=1) - leg.length
        away = np.linalg.norm(end - ankle, axis=1)
        # What Blender's IK does: the shin ends at the foot, or as near to it as a straight leg goes.
        np.testing.assert_allclose(away, np.maximum(beyond, 0.0), atol=2e-3 * leg.length)
        off += int(np.sum(beyond > 0.01 * leg.length))
    assert off > 20
    assert report.targets_missed == 0


def test_a_foot_without_room_stays_on_its_shin():
    points = np.array([[[0.0, 0.0, 1.0], [0.0, 0.0, 0.5], [0.0, 0.0, 0.0]]])
    solution = LegSolution(np.zeros((1, 2, 4)), points, np.array([0.3]))
    target = np.array([[0.0, 0.0, -0.3]])
    for longest, off in ((0.9, 0.0), (1.0, 0.0), (1.1, 0.1), (2.0, 0.3)):
        parted = part_foot(solution, target, longest)
        np.testing.assert_allclose(parted.positions[0, -1], [0.0, 0.0, -off], atol=1e-12)
        np.testing.assert_allclose(parted.unreached, [0.3 - off])
        np.testing.assert_array_equal(parted.positions[:, :2], points[:, :2])
