# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of motions: what is where in them, and the poses that are read from them."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.motions.posing import (
    LegClock,
    blend_constants,
    pose_body,
    pose_legs,
    read_lift_curve,
    read_local_positions,
    warp_leg_times,
)
from semi_procedural_locomotion.core.motions.records import MotionGroup, MotionSet
from semi_procedural_locomotion.core.motions.tables import OFF, STRIKE
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from tests.core.walkers import detach_feet, make_walker, scale_walker

WALK = 1


@pytest.fixture(scope="module", params=[False, True], ids=["hung", "detached"])
def tables(request):
    rig, motions = make_walker(("walk", "run"))
    return pack_motions(*(detach_feet(rig, motions) if request.param else (rig, motions)))


def read_own(tables, motion=WALK):
    """Weights, common phases and leg times at the rows of one motion."""
    found = tables.motion_set.motions[motion]
    share = np.arange(len(found.rotations)) / len(found.rotations)
    weights = np.zeros((len(share), len(tables.spans.counts)))
    weights[:, motion] = 1.0
    leg_times = share[:, None] - tables.leg_cycles.own_stances[motion]
    return found, weights, share + tables.spans.offsets[motion], leg_times


def test_tables_have_the_shapes_that_they_tell(tables):
    motions, legs = len(tables.motion_set.motions), len(tables.rig.legs)
    bones, small = len(tables.rig.skeleton), len(tables.small_rig.skeleton)
    rows = sum(len(m.rotations) for m in tables.motion_set.motions)
    assert (motions, legs) == (3, 2)
    assert small < bones
    for record, shapes in (
        (tables.spans, {"starts": (motions,), "counts": (motions,), "offsets": (motions,)}),
        (
            tables.cycles,
            {
                "is_cycle": (motions,),
                "periods": (motions,),
                "strides": (motions,),
                "velocities": (motions, 2),
                "ground_heights": (motions,),
                "hip_centres": (motions, 3),
            },
        ),
        (
            tables.leg_cycles,
            {
                "own_stances": (motions, legs),
                "stances": (motions, legs),
                "key_times": (motions, legs, 4),
                "stance_positions": (motions, legs, 3),
                "foot_directions": (motions, legs, 3),
                "stance_rotations": (motions, legs, 4),
                "sole_heights": (motions, legs),
                "least_reaches": (motions, legs),
            },
        ),
        (
            tables.body_rows,
            {
                "rotations": (4, bones, rows),
                "translations": (3, bones, rows),
                "scales": (3, bones, rows),
                "moving": (bones,),
                "scaling": (bones,),
            },
        ),
        (
            tables.leg_rows,
            {
                "rotations": (4, small, rows),
                "translations": (3, small, rows),
                "moving": (small,),
                "lift_curves": (1, legs, rows),
            },
        ),
        (tables.bones, {"indices": (small,), "carried": (small,)}),
    ):
        for name, shape in shapes.items():
            assert getattr(record, name).shape == shape, name
    for leg, turns, offsets, columns in zip(
        tables.small_rig.legs,
        tables.leg_rows.leg_rotations,
        tables.leg_rows.ankle_offsets,
        tables.bones.columns,
        strict=True,
    ):
        assert tuple(columns) == leg.bones
        assert turns.shape == (4, len(leg.bones), rows)
        assert offsets.shape == (3, 1, rows)


def test_the_small_rig_has_the_same_bones_by_other_numbers(tables):
    names, small = tables.rig.skeleton.names, tables.small_rig.skeleton.names
    assert small == tuple(names[i] for i in tables.bones.indices)
    for leg, own in zip(tables.rig.legs, tables.small_rig.legs, strict=True):
        assert [names[i] for i in leg.bones] == [small[i] for i in own.bones]
        assert [names[p.bone] for p in leg.soles] == [small[p.bone] for p in own.soles]
    assert names[tables.rig.body] == small[tables.small_rig.body]


def test_numbers_are_those_of_the_motions(tables):
    motions = tables.motion_set.motions
    assert tables.cycles.is_cycle.tolist() == [False, True, True]
    assert tables.cycles.slowest == WALK
    assert tables.cycles.slowest_speed == motions[WALK].speed
    assert tables.cycles.slowest_period == motions[WALK].period
    for motion, record in enumerate(motions):
        for leg, cycle in enumerate(record.legs):
            key_times = tables.leg_cycles.key_times[motion, leg]
            assert key_times.tolist() == [cycle.lift, cycle.off, cycle.strike, cycle.land]
            stance = tables.leg_cycles.stances[motion, leg]
            behind = stance - tables.spans.offsets[motion] - cycle.stance
            assert behind == pytest.approx(round(behind), abs=1e-12)


def test_one_motion_alone_is_read_as_it_is(tables):
    motion, weights, phases, _ = read_own(tables)
    rotations, translations, scales = pose_body(tables, weights, phases)
    same = np.abs(np.sum(rotations * motion.rotations, axis=-1))
    np.testing.assert_allclose(same, 1.0, atol=1e-12)
    length = tables.rig.leg_length
    np.testing.assert_allclose(translations, motion.translations, atol=2e-5 * length)
    np.testing.assert_allclose(scales, motion.scales, atol=2e-5)


def test_legs_of_one_motion_alone_stand_where_they_do_in_it(tables):
    motion, weights, phases, leg_times = read_own(tables)
    key_times = np.tile(tables.leg_cycles.key_times[WALK], (len(phases), 1, 1))
    poses = pose_legs(tables, weights, phases, leg_times, key_times)
    turns, places = compute_global_poses(
        tables.rig.skeleton, motion.rotations, motion.translations, motion.scales
    )
    indices, length = tables.bones.indices, tables.rig.leg_length
    np.testing.assert_allclose(poses.positions, places[:, indices], atol=1e-4 * length)
    same = np.abs(np.sum(poses.rotations * turns[:, indices], axis=-1))
    np.testing.assert_allclose(same, 1.0, atol=1e-9)
    back = read_local_positions(tables.small_rig.skeleton, poses)
    again = compute_global_poses(tables.small_rig.skeleton, poses.locals, back)[1]
    np.testing.assert_allclose(again, poses.positions, atol=1e-9 * length)


def test_lifts_of_one_motion_alone_are_its_own(tables):
    motion, weights, _, leg_times = read_own(tables)
    for leg, cycle in enumerate(motion.legs):
        key_times = np.tile(tables.leg_cycles.key_times[WALK, leg], (len(weights), 1))
        found = read_lift_curve(tables, LegClock(leg, weights, leg_times[:, leg], key_times))
        own = np.maximum(cycle.footbases[:, 2] - cycle.ground_height, 0.0)
        np.testing.assert_allclose(found, own, atol=1e-9 * tables.rig.leg_length)


def test_key_times_of_a_blend_meet_those_of_each_motion():
    own = np.array([0.2, 0.3, 0.8, 0.9])
    blended = np.tile([0.1, 0.4, 0.7, 0.8], (4, 1))
    share = np.array([0.0, blended[0, OFF], 0.55, blended[0, STRIKE]])
    expected = [0.0, own[OFF], 0.5 * (own[OFF] + own[STRIKE]), own[STRIKE]]
    np.testing.assert_allclose(warp_leg_times(share, blended, own), expected, atol=1e-12)


def test_constants_are_summed_by_their_weights():
    weights = np.array([[0.25, 0.75], [1.0, 0.0]])
    values = np.array([[4.0, 0.0], [8.0, 4.0]])
    assert blend_constants(weights, values).tolist() == [[7.0, 3.0], [4.0, 0.0]]


def test_tables_scale_with_the_character():
    rig, motions = make_walker(("walk",))
    one, ten = pack_motions(rig, motions), pack_motions(*scale_walker(rig, motions, 10.0))
    for record, names in (
        ("cycles", ("strides", "velocities", "ground_heights", "hip_centres")),
        ("leg_cycles", ("stance_positions", "sole_heights", "least_reaches")),
        ("leg_rows", ("translations", "lift_curves")),
    ):
        for name in names:
            small, large = (getattr(getattr(t, record), name) for t in (one, ten))
            np.testing.assert_allclose(large, 10.0 * small, atol=1e-9 * rig.leg_length)
    np.testing.assert_array_equal(one.body_rows.moving, ten.body_rows.moving)


def test_a_set_without_a_walk_is_packed_as_well():
    rig, motions = make_walker(("walk",))
    rest = motions.motions[0]
    packed = pack_motions(rig, MotionSet((rest,), np.zeros(1), (MotionGroup("rest", (0,)),)))
    assert packed.cycles.slowest == 0
    assert packed.cycles.slowest_period == 0.0
    turns, _, _ = pose_body(packed, np.ones((2, 1)), np.array([0.1, 0.6]))
    same = np.abs(np.sum(turns * rot.normalize_quaternions(rest.rotations), axis=-1))
    np.testing.assert_allclose(same, 1.0, atol=1e-12)
