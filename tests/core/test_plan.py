# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole walks: identity, planted feet, invariances, any frame on its own."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import terrain_shapes
from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.ground.terrain import FlatGround, MovingGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.stance import make_stance
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.ground_notes import note_prints_without_ground
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses, compute_rest_poses
from semi_procedural_locomotion.core.rig.structure import SolePoint
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import (
    Travel,
    WayChoices,
    make_straight_travel,
    travel_from_points,
)
from semi_procedural_locomotion.notes import NoteKind
from tests.core.grounds import GroundStack
from tests.core.walkers import facing_of, make_set, make_walker, native_walk, scale_walker


def walk_straight(rig, motions, ground=None, seconds=3.0, fps=30, share=1.0, **settings):
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity * share, 0.0, seconds)
    plan = make_plan(rig, motions, travel, ground or FlatGround(), PlanSettings(**settings))
    return plan, solve_poses(plan, np.arange(int(seconds * fps)) / fps)


def make_course(rig, motions, length=9.0, speed=1.0, yaw=0.0, start=0.0):
    walk = native_walk(motions)
    heading = facing_of(walk) + yaw
    end = length * rig.leg_length * np.array([np.cos(heading), np.sin(heading)])
    return travel_from_points(
        np.array([[0.0, 0.0], end]),
        walk.speed * speed,
        WayChoices(
            facing=facing_of(walk),
            corner_radius=0.5 * walk.stride,
            ramp_time=1.25 * walk.period,
            start_time=start,
        ),
    )


def make_terrain(rig, motions, name, **options):
    """A test ground along the character's own forward."""
    walk = native_walk(motions)
    heading = facing_of(walk) - np.pi / 2
    shape = getattr(terrain_shapes, f"make_{name}")(rig.leg_length, walk.stride, heading, **options)
    return MeshGround(shape.vertices, shape.triangles)


def measure(plan, walk):
    return measure_walk(plan.tables.small_rig, record_walk(plan, walk), plan.ground)


def joints_of(walk):
    return np.concatenate([walk.positions, walk.rotations], axis=-1)


def test_on_flat_ground_at_native_speed_the_walk_stays_what_it_is():
    plan, walk = walk_straight(*make_walker())
    report = measure(plan, walk)
    assert report.fidelity_rms < 0.008
    assert report.slide_worst < 0.005
    assert report.sink_worst < 0.004
    assert report.near_ground_speed_p95 < 0.14
    assert report.targets_missed == 0
    assert report.knee_speed_ratio < 1.15
    assert report.hip_jerk_ratio < 1.05


def test_without_corrections_it_is_exactly_the_blended_motion():
    plan, walk = walk_straight(*make_walker(), lock_feet=False)
    assert np.allclose(walk.positions, walk.source_positions, atol=1e-12)
    rows = len(native_walk(plan.tables.motion_set).rotations)
    motion = native_walk(plan.tables.motion_set)
    times = plan.travel.start + np.arange(8) / 8 * motion.period
    posed = solve_poses(plan, times)
    phases = plan.times.grid.sample(plan.times.phases, times) % 1.0
    _, p = compute_global_poses(plan.tables.rig.skeleton, motion.rotations, motion.translations)
    index = np.round(phases * rows).astype(int) % rows
    near = np.abs(phases * rows - np.round(phases * rows)) < 1e-3
    small = plan.tables.bones.indices
    local = posed.positions - posed.poses.positions[:, None]
    assert np.abs(local[near] - p[index[near]][:, small]).max() < 6e-4 * plan.tables.rig.leg_length


@pytest.mark.parametrize(
    ("name", "options", "limits"),
    [
        ("ramp", {"slope": np.radians(15.0)}, {"knee": 2.5, "jerk": 1.1}),
        ("side_slope", {}, {"knee": 2.5, "jerk": 1.1}),
        ("stairs", {}, {"knee": 3.6, "jerk": 1.25}),
        ("bumps", {}, {"knee": 2.5, "jerk": 1.1, "float": 0.025}),
        ("platform", {}, {"knee": 3.6, "jerk": 1.25}),
    ],
)
def test_on_any_ground_feet_neither_slide_nor_sink(name, options, limits):
    rig, motions = make_walker()
    ground = make_terrain(rig, motions, name, **options)
    travel = make_course(rig, motions, 12.0, 0.8)
    plan = make_plan(rig, motions, travel, ground)
    walk = solve_poses(plan, np.arange(int(travel.end * 30)) / 30)
    report = measure(plan, walk)
    assert report.slide_worst < 0.005
    assert report.sink_worst < 0.004
    assert report.float_p99 < limits.get("float", 0.02)
    assert report.swing_depth_worst < 0.018
    assert report.swing_deep_share < 0.012
    assert report.knee_speed_ratio < limits["knee"]
    assert report.hip_jerk_ratio < limits["jerk"]
    assert report.foot_turn_excess < 10.0
    assert report.targets_missed == 0
    assert report.reach_worst < 0.995


def test_prints_lie_one_stride_apart_on_the_flat():
    rig, motions = make_walker()
    plan, _ = walk_straight(rig, motions)
    stride = native_walk(motions).stride
    for row in plan.prints.rows:
        steps = np.hypot(*np.diff(row.positions[1:-1, :2], axis=0).T)
        assert np.allclose(steps, stride, rtol=1e-6)


def test_any_frame_can_be_asked_on_its_own_and_in_any_order():
    rig, motions = make_walker()
    ground = make_terrain(rig, motions, "bumps")
    plan = make_plan(rig, motions, make_course(rig, motions), ground)
    times = np.linspace(0.1, 4.0, 23)
    whole = joints_of(solve_poses(plan, times))
    shuffled = np.random.default_rng(0).permutation(23)
    assert np.allclose(joints_of(solve_poses(plan, times[shuffled])), whole[shuffled], atol=1e-12)
    assert np.allclose(joints_of(solve_poses(plan, times[7:8])), whole[7:8], atol=1e-12)


def test_24_and_60_frames_a_second_agree_at_common_times():
    rig, motions = make_walker()
    plan = make_plan(rig, motions, make_course(rig, motions), make_terrain(rig, motions, "stairs"))
    coarse = solve_poses(plan, np.arange(96) / 24)
    fine = solve_poses(plan, np.arange(240) / 60)
    error = rot.lengths(coarse.positions[::2] - fine.positions[::5])
    assert error.max() < 1e-9


def test_a_shift_in_time_changes_nothing():
    rig, motions = make_walker()
    ground = make_terrain(rig, motions, "ramp")
    shift = 7.3012
    times = np.linspace(0.0, 4.0, 20)
    first = make_plan(rig, motions, make_course(rig, motions), ground)
    second = make_plan(rig, motions, make_course(rig, motions, start=shift), ground)
    one, two = solve_poses(first, times), solve_poses(second, times + shift)
    assert np.abs(one.positions - two.positions).max() < 1e-9 * rig.leg_length


@pytest.mark.parametrize("yaw", [0.7, 2.5])
def test_a_turn_of_the_world_turns_the_walk(yaw):
    rig, motions = make_walker()
    times = np.linspace(0.0, 4.0, 20)
    one = solve_poses(make_plan(rig, motions, make_course(rig, motions), FlatGround()), times)
    turned = make_course(rig, motions, yaw=yaw)
    two = solve_poses(make_plan(rig, motions, turned, FlatGround()), times)
    expected = rot.rotate(rot.quaternions_from_yaws(yaw), one.positions)
    assert np.abs(two.positions - expected).max() < 1e-9 * rig.leg_length


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_scale_changes_nothing_but_size(factor):
    rig, motions = make_walker()
    big, big_motions = scale_walker(rig, motions, factor)
    times = np.linspace(0.0, 4.0, 20)
    results = []
    for one_rig, one_set in ((rig, motions), (big, big_motions)):
        ground = make_terrain(one_rig, one_set, "stairs")
        plan = make_plan(one_rig, one_set, make_course(one_rig, one_set), ground)
        results.append(solve_poses(plan, times).positions)
    assert np.abs(results[1] / factor - results[0]).max() < 1e-9 * rig.leg_length * 1e3


def mirror_walker(rig, motions):
    """The mirror image in x of a whole character, and the mirror twin of each bone."""
    flip, turn = np.array([-1.0, 1.0, 1.0]), np.array([1.0, 1.0, -1.0, -1.0])
    names = rig.skeleton.names
    swap = {".L": ".R", ".R": ".L"}
    twins = [
        names.index(n[:-2] + swap[n[-2:]]) if n[-2:] in swap else names.index(n) for n in names
    ]

    def mirror_point(point):
        return SolePoint(twins[point.bone], point.offset * flip)

    def mirror_leg(leg):
        return replace(
            leg,
            joints=tuple(twins[j] for j in leg.joints),
            toe=twins[leg.toe],
            heel=mirror_point(leg.heel),
            ball=mirror_point(leg.ball),
            toe_tip=mirror_point(leg.toe_tip),
            # A hinge is an axis of turning: its mirror image turns the other way.
            hinge=-leg.hinge * flip,
        )

    def mirror_cycle(cycle):
        return replace(
            cycle,
            stance_position=cycle.stance_position * flip,
            foot_direction=cycle.foot_direction * flip,
            footbases=cycle.footbases * flip,
        )

    def mirror_motion(motion):
        return replace(
            motion,
            velocity=motion.velocity * flip[:2],
            rotations=(motion.rotations * turn)[:, twins],
            translations=(motion.translations * flip)[:, twins],
            ripple=motion.ripple * flip[:2],
            scales=motion.scales[:, twins],
            legs=tuple(mirror_cycle(motion.legs[i ^ 1]) for i in range(len(motion.legs))),
        )

    skeleton = replace(
        rig.skeleton,
        rest_rotations=(rig.skeleton.rest_rotations * turn)[twins],
        rest_translations=(rig.skeleton.rest_translations * flip)[twins],
    )
    legs = tuple(mirror_leg(rig.legs[i ^ 1]) for i in range(len(rig.legs)))
    mirrored = replace(rig, skeleton=skeleton, legs=legs, forward=rig.forward * flip[:2])
    return mirrored, make_set([mirror_motion(m) for m in motions.motions]), twins


@pytest.mark.parametrize("name", ["ramp", "stairs"])
def test_the_mirror_image_walks_as_the_mirror_image(name):
    rig, motions = make_walker()
    mirrored_rig, mirrored, twins = mirror_walker(rig, motions)
    ground = make_terrain(rig, motions, name)
    times = np.linspace(0.0, 4.0, 20)
    plan = make_plan(rig, motions, make_course(rig, motions), ground)
    other = make_plan(mirrored_rig, mirrored, make_course(mirrored_rig, mirrored), ground)
    indices = list(plan.tables.bones.indices)
    swap = [indices.index(twins[i]) for i in indices]
    expected = (solve_poses(plan, times).positions * np.array([-1.0, 1.0, 1.0]))[:, swap]
    error = np.abs(solve_poses(other, times).positions - expected).max()
    assert error < 1e-9 * rig.leg_length


def test_standing_the_whole_time_is_the_rest_pose_with_both_feet_down():
    rig, motions = make_walker()
    travel = Travel(np.array([0.0, 3.0]), np.zeros((2, 3)), np.zeros(2))
    plan = make_plan(rig, motions, travel, FlatGround())
    walk = solve_poses(plan, np.linspace(0.0, 3.0, 10))
    assert np.ptp(walk.positions, axis=0).max() < 1e-9
    for leg in plan.tables.small_rig.legs:
        points = compute_sole_points(leg, walk.rotations, walk.positions)
        assert abs(points[..., 2].min()) < 2e-3 * rig.leg_length


def test_a_walk_without_a_rest_motion_can_stand_in_its_own_stance():
    rig, motions = make_walker(rest=False)
    walk = native_walk(motions)
    stance = make_stance(rig, walk)
    assert stance.kind == "rest"
    _, rest = compute_rest_poses(rig.skeleton)
    width = np.ptp([rest[leg.joints[0]] @ [1.0, 0.0, 0.0] for leg in rig.legs])
    feet = np.ptp([cycle.stance_position[0] for cycle in stance.legs])
    assert feet == pytest.approx(width, abs=0.02 * rig.leg_length)
    full = make_set([stance, walk])
    plan = make_plan(rig, full, make_course(rig, full), FlatGround())
    report = measure(plan, solve_poses(plan, np.arange(120) / 30))
    assert report.slide_worst < 0.005
    assert report.targets_missed == 0


def test_feet_on_a_moving_platform_move_with_it():
    rig, motions = make_walker()
    length = rig.leg_length

    def move(times):
        positions = np.stack(
            [
                0.25 * length * np.sin(2.0 * times),
                0 * times,
                0.2 * length * (1 - np.cos(1.5 * times)),
            ],
            axis=1,
        )
        return positions, 0.4 * np.sin(times)

    ground = MovingGround(FlatGround(), move, travel=(0.0, 0.4 * length))
    plan, walk = walk_straight(rig, motions, ground, seconds=4.0)
    states = walk.states
    for leg in range(2):
        planted = np.flatnonzero(states.flight[:, leg] <= 0)
        print_times = plan.prints.rows[leg].times[states.steps[planted, leg]]
        then, turned = move(print_times)
        now, now_turned = move(walk.poses.times[planted])
        local = rot.rotate(
            rot.quaternions_from_yaws(-turned),
            plan.prints.rows[leg].positions[states.steps[planted, leg]] - then,
        )
        expected = now + rot.rotate(rot.quaternions_from_yaws(now_turned), local)
        error = rot.lengths(walk.targets.footbases[planted, leg] - expected)
        assert error.max() < 1e-3 * length
    assert measure(plan, walk).targets_missed == 0


def test_a_roof_above_changes_nothing():
    rig, motions = make_walker()
    roof = MeshGround(
        np.array([[-9, -9, 2.5], [9, -9, 2.5], [9, 9, 2.5], [-9, 9, 2.5]]) * rig.leg_length,
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    _, plain = walk_straight(rig, motions)
    _, roofed = walk_straight(rig, motions, GroundStack([FlatGround(), roof]))
    assert np.allclose(plain.positions, roofed.positions, atol=1e-9)


def test_prints_without_ground_are_told():
    rig, motions = make_walker()
    walk = native_walk(motions)
    small = 2.0 * walk.stride
    patch = MeshGround(
        np.array([[-small, -small, 0], [small, -small, 0], [small, small, 0], [-small, small, 0]]),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    plan, result = walk_straight(rig, motions, patch, seconds=6.0)
    notes = note_prints_without_ground(NotedSpan(plan, 0.0, 6.0, 24.0))
    assert [note.leg for note in notes] == ["L", "R"]
    assert notes[0].kind is NoteKind.PRINT_WITHOUT_GROUND
    assert notes[0].frame < notes[0].values["last"] <= 144
    assert notes[0].values["more"] > 0
    assert np.abs(notes[0].place[:2]).max() > small
    assert not note_prints_without_ground(NotedSpan(plan, 0.0, 1.0 / 24.0, 24.0))
    assert np.all(np.isfinite(result.positions))


@pytest.mark.parametrize(("legs", "name"), [(4, "trot"), (6, "tripod")])
def test_many_legs_walk_too(legs, name):
    rig, motions = make_walker((name,), legs)
    plan, walk = walk_straight(rig, motions)
    report = measure(plan, walk)
    assert report.slide_worst < 0.005
    assert report.sink_worst < 0.004
    assert report.targets_missed == 0
    assert report.fidelity_rms < 0.008


def test_local_poses_give_the_solved_joints_back():
    rig, motions = make_walker()
    ground = make_terrain(rig, motions, "ramp")
    plan = make_plan(rig, motions, make_course(rig, motions), ground)
    walk = solve_poses(plan, np.linspace(0.5, 4.0, 9))
    poses = walk.poses
    q, p = compute_global_poses(rig.skeleton, poses.rotations, poses.translations, poses.scales)
    world = poses.positions[:, None] + rot.rotate(poses.orientations[:, None], p)
    assert (
        np.abs(world[:, plan.tables.bones.indices] - walk.positions).max() < 1e-9 * rig.leg_length
    )
    turned = rot.multiply(poses.orientations[:, None], q)[:, plan.tables.bones.indices]
    assert rot.angles_between(turned, walk.rotations).max() < 1e-6


def climb(rig, motions, name, **settings):
    ground = make_terrain(rig, motions, name)
    travel = make_course(rig, motions, 8.0)
    plan = make_plan(rig, motions, travel, ground, PlanSettings(**settings))
    return plan, solve_poses(plan, np.arange(int(travel.end * 30)) / 30)


def forward_tilts(plan, walk):
    up = rot.rotate(walk.poses.orientations, rot.UP)
    forward = rot.rotate(
        rot.quaternions_from_yaws(walk.source.yaws), np.array([*plan.tables.rig.forward, 0.0])
    )
    return np.degrees(np.arcsin(rot.dot(up, forward)))


def test_a_lean_bows_the_body_forward_uphill_and_no_foot_slides():
    rig, motions = make_walker()
    plan, walk = climb(rig, motions, "ramp", lean=0.5)
    tilts = forward_tilts(plan, walk)
    # Half of 20 degrees, softly held to 25.
    assert tilts.max() == pytest.approx(12.5 * np.tanh(20.0 / 25.0), abs=0.5)
    assert abs(tilts[0]) < 0.5
    report = measure(plan, walk)
    assert report.slide_worst < 0.005
    assert report.targets_missed == 0
    upright = climb(rig, motions, "ramp")
    assert np.abs(forward_tilts(*upright)).max() == 0.0


def test_a_four_legged_body_pitches_with_the_ramp_and_its_hips_stay_over_its_feet():
    rig, motions = make_walker(("walk",), 4)
    plan, walk = climb(rig, motions, "ramp")
    assert forward_tilts(plan, walk).min() == pytest.approx(-20.0, abs=3.0)
    report = measure(plan, walk)
    assert report.targets_missed == 0
    assert report.slide_worst < 0.005
    assert report.knee_speed_ratio < 2.5
    hips = [leg.joints[0] for leg in plan.tables.small_rig.legs]
    middle = walk.positions[:, hips, :2].mean(axis=1)
    flat = walk.source.legs.positions[:, hips, :2].mean(axis=1)
    turned = rot.rotate(
        rot.quaternions_from_yaws(walk.source.yaws),
        np.concatenate([flat, np.zeros((len(flat), 1))], axis=1),
    )
    away = middle - walk.source.positions[:, :2] - turned[:, :2]
    assert np.hypot(*away.T).max() < 0.05 * rig.leg_length
