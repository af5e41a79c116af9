# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs whose feet hang from another bone walk like those whose feet hang from their shins."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround, MeshGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.metrics import measure_walk
from semi_procedural_locomotion.core.report.recording import record_walk
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.demo import terrain_shapes
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


@pytest.mark.parametrize("legs", [2, 4])
@pytest.mark.parametrize(
    ("ground", "share"), [("flat", 1.0), ("flat", 0.6), ("ramp", 1.0), ("stairs", 0.9)]
)
def test_detached_feet_walk_as_attached_ones_do(legs, ground, share):
    rig, motions = make_walker(legs=legs)
    loose, loose_motions = detach_feet(rig, motions)
    _, expected, report = solve(rig, motions, ground, share)
    plan, solved, found = solve(loose, loose_motions, ground, share)
    names = plan.tables.small_rig.skeleton.names
    assert names == tuple(rig.skeleton.names[i] for i in plan.tables.bones.indices)
    apart = np.linalg.norm(solved.positions - expected.positions, axis=-1)
    assert apart.max() < 0.02 * rig.leg_length
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
