# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures on made-up walks whose numbers are known in closed form."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks import terrain_shapes
from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import KEYS, measure_walk
from benchmarks.planned.record import WalkRecord, WalkSteps
from semi_procedural_locomotion.core.ground import terrain
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.skeleton import Skeleton
from semi_procedural_locomotion.core.rig.structure import Leg, Rig, SolePoint
from tests.core.grounds import GroundStack

LENGTH, STRIDE, PERIOD, OFF, STRIKE = 0.9, 1.2, 1.0, 0.3, 0.7
RATE = 30


def make_rig(scale=1.0):
    """A body and two legs of hip, knee, ankle, toe."""
    names, parents, legs = ["body"], [-1], []
    for index, side in enumerate("LR"):
        first = len(names)
        names += [f"{side}.{part}" for part in ("hip", "knee", "ankle", "toe")]
        parents += [0, first, first + 1, first + 2]
        legs.append(
            Leg(
                name={"L": "Left", "R": "Right"}[side],
                side=side,
                joints=(first, first + 1, first + 2),
                toe=first + 3,
                heel=SolePoint(first + 2, scale * np.array([0.0, -0.06, -0.08])),
                ball=SolePoint(first + 3, scale * np.array([0.0, 0.0, -0.02])),
                toe_tip=SolePoint(first + 3, scale * np.array([0.0, 0.06, -0.02])),
                sole_width=0.1 * scale,
                length=LENGTH * scale,
                hinge=np.array([-1.0, 0.0, 0.0]),
                partner=1 - index,
            )
        )
    count = len(names)
    skeleton = Skeleton(
        tuple(names), np.array(parents), np.tile(rot.IDENTITY, (count, 1)), np.zeros((count, 3))
    )
    return Rig(
        skeleton,
        tuple(legs),
        np.array([0.0, 1.0]),
        0,
        0.0,
        np.full(2, 0.24 * scale),
        np.full(2, 0.75),
    )


def make_walk(frames=61):
    """Flat feet that stand still exactly and swing on a sine; hips bob with the steps."""
    times = np.arange(frames) / RATE
    taus = np.stack([times / PERIOD, times / PERIOD + 0.5], axis=1)
    step, share = np.floor(taus), taus - np.floor(taus)
    flight = np.clip((share - OFF) / (STRIKE - OFF), 0.0, 1.0)
    positions = np.zeros((frames, 9, 3))
    speed = STRIDE / PERIOD
    roots = rot.pack(0.0 * times, speed * times, 0.0 * times)
    body = roots + rot.pack(0.0 * times, 0.0 * times, 0.85 + 0.02 * np.sin(4 * np.pi * times))
    positions[:, 0] = body
    prints = np.zeros((frames, 2, 3))
    for leg in range(2):
        first, side = 1 + 4 * leg, (-0.1, 0.1)[leg]
        swing = step[:, leg] + rot.step_cubic(flight[:, leg])
        y = STRIDE * (swing - 0.5 * leg)
        lift = 0.12 * np.sin(np.pi * flight[:, leg]) ** 2
        ankle = rot.pack(side + 0.0 * y, y, 0.08 + lift)
        hip = body + np.array([side, 0.0, 0.0])
        positions[:, first] = hip
        middle = 0.5 * (hip + ankle)
        positions[:, first + 1] = middle + np.array([0.0, 0.1, 0.0])
        positions[:, first + 2] = ankle
        positions[:, first + 3] = ankle + np.array([0.0, 0.12, -0.06])
        near = step[:, leg] + (flight[:, leg] >= 0.5)
        prints[:, leg] = rot.pack(side + 0.0 * y, STRIDE * (near - 0.5 * leg) - 0.06, 0.0 * y)
    rotations = np.tile(rot.IDENTITY, (frames, 9, 1))
    shape = (frames, 2)
    steps = WalkSteps(
        leg_times=taus,
        lifts=np.full(shape, OFF),
        offs=np.full(shape, OFF),
        strikes=np.full(shape, STRIKE),
        lands=np.full(shape, STRIKE),
        print_positions=prints,
        print_frames=np.tile(rot.IDENTITY, (frames, 2, 1)),
        parked=np.zeros(shape, dtype=bool),
        targets=positions[:, [3, 7]].copy(),
    )
    return WalkRecord(times, rotations, positions, roots, steps, rotations, positions.copy())


def move_foot(walk, leg, shift):
    """A copy of the walk with one foot (ankle and toe) shifted by (N, 3)."""
    positions = walk.positions.copy()
    positions[:, 3 + 4 * leg : 5 + 4 * leg] += shift[:, None]
    return replace(walk, positions=positions)


def contact_ramp(walk, leg, step):
    """Share of one stance that has passed, 0 before and after, for the stance about ``step``."""
    tau = walk.steps.leg_times[:, leg] - step
    return np.where((tau >= STRIKE - 1) & (tau <= OFF), (tau + 1 - STRIKE) / (OFF + 1 - STRIKE), 0)


FLAT = terrain.FlatGround()


def test_a_perfect_walk_measures_zero():
    report = measure_walk(make_rig(), make_walk(), FLAT)
    assert report.slide_worst == pytest.approx(0.0, abs=1e-12)
    assert report.slide_mean == pytest.approx(0.0, abs=1e-12)
    assert report.sink_worst == pytest.approx(0.0, abs=1e-12)
    assert report.float_p99 == pytest.approx(0.0, abs=1e-12)
    assert report.swing_depth_worst == pytest.approx(0.0, abs=1e-12)
    assert report.swing_deep_share == 0.0
    assert report.foot_turn_excess == 0.0
    assert report.knee_speed_ratio == pytest.approx(1.0)
    assert report.hip_jerk_ratio == pytest.approx(1.0)
    assert report.targets_missed == 0
    assert report.fidelity_rms == 0.0
    assert report.fidelity_worst == 0.0
    assert report.unknown == {}


@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.0, 1.0), (0.6, 0.8)])
def test_a_foot_that_slides_one_centimetre_measures_one_centimetre(direction):
    walk = make_walk()
    ramp = contact_ramp(walk, 0, 1)
    ramp = np.where(ramp > 0, (ramp - ramp[ramp > 0].min()), 0)
    ramp *= 0.01 / ramp.max()
    slid = move_foot(walk, 0, rot.pack(direction[0] * ramp, direction[1] * ramp, 0 * ramp))
    report = measure_walk(make_rig(), slid, FLAT)
    assert report.slide_worst * report.leg_length == pytest.approx(0.01, rel=5e-4)
    assert report.series.slides.max() * report.leg_length == pytest.approx(0.01, rel=1e-9)
    assert report.slide_mean < report.slide_worst
    assert report.worst_frame == int(np.argmax(ramp))


def test_a_wandering_foot_measures_its_extent_not_its_way():
    walk = make_walk(121)
    ramp = contact_ramp(walk, 0, 2)
    back = 0.01 * np.sin(2 * np.pi * ramp)
    report = measure_walk(make_rig(), move_foot(walk, 0, rot.pack(back, 0 * back, 0 * back)), FLAT)
    expected = np.ptp(back)
    assert report.slide_worst * report.leg_length == pytest.approx(expected, rel=5e-4)


def test_a_foot_that_shifts_while_its_toe_carries_is_seen_by_its_heel():
    walk = make_walk()
    ramp = contact_ramp(walk, 0, 1)
    positions = walk.positions.copy()
    on_toes = (ramp > 0.35) & (ramp < 0.65)
    positions[on_toes, 3, 2] += 0.05
    positions[ramp > 0.6, 3, 0] += 0.004
    report = measure_walk(make_rig(), replace(walk, positions=positions), FLAT)
    assert report.slide_worst * report.leg_length == pytest.approx(0.004, rel=5e-4)


def test_a_foot_that_sinks_five_millimetres_measures_five_millimetres():
    walk = make_walk()
    sunk = -0.005 * (contact_ramp(walk, 1, 1) > 0)
    report = measure_walk(make_rig(), move_foot(walk, 1, rot.pack(0 * sunk, 0 * sunk, sunk)), FLAT)
    assert report.sink_worst * report.leg_length == pytest.approx(0.005, abs=1e-12)
    assert report.swing_depth_worst == pytest.approx(0.0, abs=1e-12)


def test_a_floating_stance_measures_its_height():
    walk = make_walk()
    lifted = 0.007 + 0.0 * walk.times
    report = measure_walk(
        make_rig(), move_foot(walk, 0, rot.pack(0 * lifted, 0 * lifted, lifted)), FLAT
    )
    assert report.float_p99 * report.leg_length == pytest.approx(0.007, abs=1e-12)


def test_a_swing_through_the_ground_measures_its_depth_and_share():
    walk = make_walk()
    share = walk.steps.leg_times[:, 0] % 1
    deep = np.where(np.abs(share - 0.5) < 0.02, -0.12 - 0.03, 0.0)
    report = measure_walk(make_rig(), move_foot(walk, 0, rot.pack(0 * deep, 0 * deep, deep)), FLAT)
    assert report.swing_depth_worst * report.leg_length == pytest.approx(0.03, abs=1e-9)
    assert report.swing_deep_share == pytest.approx(np.sum(deep < 0) / (2 * len(deep)))
    assert report.sink_worst == pytest.approx(0.0, abs=1e-12)


def test_a_toe_a_hair_beyond_a_riser_is_not_deep():
    walk = make_walk()
    y = walk.positions[15, 4, 1] + 0.06
    share = walk.steps.leg_times[15, 0] % 1
    assert OFF < share < STRIKE
    riser = np.array(
        [[-9.0, y - 0.001, 0.2], [9, y - 0.001, 0.2], [9, y + 9, 0.2], [-9, y + 9, 0.2]]
    )
    step = MeshGround(riser, np.array([[0, 1, 2], [0, 2, 3]]))
    ground = GroundStack([FLAT, step])
    short = replace(
        WalkRecord(walk.times[:16], walk.rotations[:16], walk.positions[:16], walk.roots[:16]),
        steps=WalkSteps(
            **{n: value[:16] for n, value in vars(walk.steps).items() if value is not None}
        ),
    )
    report = measure_walk(make_rig(), short, ground)
    assert report.swing_depth_worst == pytest.approx(0.005, abs=1e-9)


def test_near_ground_speed_sees_slides_that_the_plan_calls_flight():
    walk = make_walk(121)
    dragging = walk.positions.copy()
    dragging[:, [3, 4], 1] = 0.5 * walk.roots[:, None, 1]
    dragging[:, 3, 2], dragging[:, 4, 2] = 0.08, 0.02
    dragging[:, 4, 1] += 0.12
    report = measure_walk(make_rig(), replace(walk, positions=dragging), FLAT)
    assert report.near_ground_speed_p95 == pytest.approx(0.5, rel=1e-6)


def test_near_ground_speed_and_slide_are_relative_to_moving_ground():
    walk = make_walk()

    def drift(times):
        return rot.pack(0.3 * times, 0.1 * np.sin(times), 0.2 * times), 0.4 * times

    ground = terrain.MovingGround(MeshGround(*terrain_shapes.make_flat(1.0, 3.0)), drift)
    places, yaws = drift(walk.times)
    turn = rot.quaternions_from_yaws(yaws)

    def carry(points):
        return places[:, None] + rot.rotate(turn[:, None], points)

    moved = WalkRecord(
        walk.times,
        rot.multiply(turn[:, None], walk.rotations),
        carry(walk.positions),
        carry(walk.roots[:, None])[:, 0],
        replace(
            walk.steps,
            print_positions=carry(walk.steps.print_positions),
            print_frames=rot.multiply(turn[:, None], walk.steps.print_frames),
            targets=carry(walk.steps.targets),
        ),
    )
    still = measure_walk(make_rig(), walk, FLAT)
    report = measure_walk(make_rig(), moved, ground)
    assert report.slide_worst == pytest.approx(0.0, abs=1e-12)
    assert report.sink_worst == pytest.approx(0.0, abs=1e-9)
    assert report.near_ground_speed_p95 == pytest.approx(still.near_ground_speed_p95, abs=1e-9)


def test_ratios_and_turns_compare_with_the_source():
    walk = make_walk()
    positions = walk.positions.copy()
    base = walk.source_positions
    positions[:, [1, 5], 2] = base[:, [1, 5], 2].mean(0) + 2 * (
        base[:, [1, 5], 2] - base[:, [1, 5], 2].mean(0)
    )
    rotations = walk.rotations.copy()
    rotations[31:, 3] = rot.quaternions_from_yaws(np.radians(12.0))
    report = measure_walk(make_rig(), replace(walk, positions=positions, rotations=rotations), FLAT)
    assert report.hip_jerk_ratio == pytest.approx(2.0)
    assert report.foot_turn_excess == pytest.approx(12.0)
    assert report.knee_speed_ratio != pytest.approx(1.0, abs=1e-3)
    deviation = np.zeros((len(walk.times), 9))
    deviation[:, [1, 5]] = np.abs((positions - base)[:, [1, 5], 2])
    assert report.fidelity_worst * report.leg_length == pytest.approx(deviation.max())
    expected = np.sqrt(np.mean(deviation**2))
    assert report.fidelity_rms * report.leg_length == pytest.approx(expected)


def test_a_knee_that_snaps_is_fast():
    rig, walk = make_rig(), make_walk()
    knee = rig.legs[1].joints[1]
    positions = walk.positions.copy()
    positions[30, knee] += [0.3 * rig.leg_length, 0.0, 0.0]
    report = measure_walk(rig, replace(walk, positions=positions), FLAT)
    assert report.knee_speed_ratio > 2.5
    assert abs(int(np.argmax(report.series.knee_speeds[:, 1])) - 30) <= 1


def test_missed_targets_and_reach():
    walk = make_walk()
    targets = walk.steps.targets.copy()
    targets[7, 0] += [0.0, 2.0, 0.0]
    report = measure_walk(
        make_rig(), replace(walk, steps=replace(walk.steps, targets=targets)), FLAT
    )
    assert report.targets_missed == 1
    hip = walk.positions[7, 1]
    assert report.reach_worst == pytest.approx(np.linalg.norm(targets[7, 0] - hip) / LENGTH)
    assert report.worst_frame == 7


def test_parked_feet_are_in_contact_throughout():
    walk = make_walk()
    parked = np.ones_like(walk.steps.parked)
    assert np.all(replace(walk.steps, parked=parked).contacts)


def test_unknown_numbers_are_none_with_a_reason():
    walk = make_walk()
    bare = WalkRecord(
        walk.times, walk.rotations, walk.positions, walk.roots, frames=100 + np.arange(61)
    )
    report = measure_walk(make_rig(), bare, FLAT)
    for key in ("slide_worst", "sink_worst", "targets_missed", "fidelity_rms", "hip_jerk_ratio"):
        assert getattr(report, key) is None
        assert report.unknown[key]
    assert set(report.unknown) <= {*KEYS, "fidelity_worst"}
    assert report.near_ground_speed_p95 is not None
    assert 100 <= report.worst_frame <= 160
    standing = replace(
        walk, roots=np.zeros_like(walk.roots), source_positions=np.ones_like(walk.positions)
    )
    report = measure_walk(make_rig(), standing, FLAT)
    assert report.near_ground_speed_p95 is None
    assert report.knee_speed_ratio is None
    assert report.hip_jerk_ratio is None


def test_no_ground_at_all_gives_reasons_not_nans():
    walk = make_walk()
    far = MeshGround(np.eye(3) + 500, np.array([[0, 1, 2]]))
    report = measure_walk(make_rig(), walk, far)
    assert report.sink_worst is None
    assert report.float_p99 is None
    assert "no foot in contact" in report.unknown["sink_worst"]
    json.dumps(report.as_dict(), allow_nan=False)


def test_report_has_the_keys_of_the_design():
    entry = measure_walk(make_rig(), make_walk(), FLAT).as_dict()
    assert list(entry) == [*KEYS]
    json.dumps(entry, allow_nan=False)


def make_flawed_walk():
    """A walk with every flaw at once."""
    walk = make_walk()
    random = np.random.default_rng(8)
    noise = 0.01 * random.normal(size=(61, 3))
    flawed = move_foot(move_foot(walk, 0, noise), 1, noise[::-1])
    turns = rot.quaternions_from_axis_angles(
        rot.normalize(random.normal(size=(61, 9, 3))), 0.05 * random.normal(size=(61, 9))
    )
    return replace(flawed, rotations=turns)


def transform(walk, scale, turn, flip):
    """The walk mirrored in x if ``flip`` is -1, then turned and scaled."""
    mirror, mirror_turn = np.array([flip, 1.0, 1.0]), np.array([1.0, 1.0, flip, flip])

    def move(points):
        return scale * rot.rotate(turn, points * mirror)

    def spin(quaternions):
        return rot.multiply(turn, quaternions * mirror_turn)

    return WalkRecord(
        walk.times,
        spin(walk.rotations),
        move(walk.positions),
        move(walk.roots),
        replace(
            walk.steps,
            print_positions=move(walk.steps.print_positions),
            print_frames=spin(walk.steps.print_frames),
            targets=move(walk.steps.targets),
        ),
        spin(walk.source_rotations),
        move(walk.source_positions),
    )


@pytest.mark.parametrize(
    ("scale", "yaw", "flip"), [(0.01, 0.0, 1), (100.0, 0.0, 1), (1.0, 1.234, 1), (1.0, 0.0, -1)]
)
def test_numbers_do_not_depend_on_scale_heading_or_side(scale, yaw, flip):
    walk = make_flawed_walk()
    plain = measure_walk(make_rig(), walk, FLAT)
    moved = transform(walk, scale, rot.quaternions_from_yaws(yaw), flip)
    other = measure_walk(make_rig(scale), moved, FLAT)
    assert plain.slide_worst > 0.01
    assert plain.sink_worst > 0.005
    for key in (*KEYS, "fidelity_worst"):
        value, expected = getattr(other, key), getattr(plain, key)
        assert value == pytest.approx(expected, abs=1e-9), key


def test_bad_records_are_refused():
    walk = make_walk()
    with pytest.raises(ValueError, match="positions must have shape"):
        replace(walk, positions=walk.positions[1:])
    with pytest.raises(ValueError, match="rotations must be finite"):
        replace(walk, rotations=np.full_like(walk.rotations, np.nan))
    with pytest.raises(ValueError, match="growing by equal steps"):
        replace(walk, times=walk.times**2)
    with pytest.raises(ValueError, match="come together"):
        replace(walk, source_positions=None)
    with pytest.raises(ValueError, match="offs must have shape"):
        replace(walk, steps=replace(walk.steps, offs=walk.steps.offs[:, :1]))
    with pytest.raises(ValueError, match="frames must have shape"):
        replace(walk, frames=np.arange(3))


def test_a_roof_over_lifted_feet_is_no_ground():
    walk = make_walk()
    open_air = measure_walk(make_rig(), walk, FLAT)
    span = np.array([[-50.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]])
    for height in (0.9, 1.2):
        corners = np.concatenate([span, np.full((4, 1), height * open_air.leg_length)], axis=1)
        roof = MeshGround(corners, np.array([[0, 1, 2], [0, 2, 3]]))
        under = measure_walk(make_rig(), walk, GroundStack([FLAT, roof]))
        for key in KEYS:
            assert getattr(under, key) == getattr(open_air, key), key


def stand_on_edge(walk, hang, pitch, lift):
    """The walk with its left foot, in its first stance, tilted about a tread's edge under its heel.

    The edge is ``hang`` before the heel, over lower ground, and the foot ``lift`` above it.
    """
    edge = np.array([0.0, hang - 0.06, 0.0])
    turn = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), pitch)
    rows = np.flatnonzero(walk.steps.leg_times[:, 0] <= OFF)
    positions, rotations = walk.positions.copy(), walk.rotations.copy()
    for bone in (3, 4):
        away = positions[rows, bone] - edge
        positions[rows, bone] = edge + rot.rotate(turn, away) + np.array([0.0, 0.0, lift])
        rotations[rows, bone] = rot.multiply(turn, rotations[rows, bone])
    tread = np.array([[-9.0, 0, 0], [9, 0, 0], [9, 30, 0], [-9, 30, 0]]) + edge
    step = MeshGround(tread, np.array([[0, 1, 2], [0, 2, 3]]))
    ground = GroundStack([terrain.FlatGround(-0.2), step])
    return measure_walk(make_rig(), replace(walk, positions=positions, rotations=rotations), ground)


@pytest.mark.parametrize("hang", [0.003, 0.02, 0.06])
@pytest.mark.parametrize("pitch", [15.0, 35.0])
def test_a_tilted_foot_that_bears_on_an_edge_does_not_float(hang, pitch):
    report = stand_on_edge(make_walk(), hang, np.radians(pitch), 0.0)
    assert report.float_p99 < 0.006
    assert stand_on_edge(make_walk(), hang, np.radians(pitch), 0.06).float_p99 > 0.03
