# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters metres away from the origin of their object walk as those that stand on it."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.gaits.making import make_gait, make_rest
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.analysis import analyze_clip, rest_motion_from_clip
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.gait_rigs import build_biped, build_many_legged
from tests.core.specimens import find_specimen
from tests.core.walkers import make_set, native_walk

AWAY = [np.array([4.0, -2.5, 0.0]), np.array([-60.0, 35.0, 1.5])]


def move_rig(rig, away):
    """The rig with all bones moved in its object's space."""
    skeleton = rig.skeleton
    places = skeleton.rest_translations.copy()
    places[skeleton.parents < 0] += away
    return replace(
        rig,
        skeleton=replace(skeleton, rest_translations=places),
        ground_height=rig.ground_height + away[2],
    )


def make_motions(rig, legs, names=("walk", "sidestep")):
    """Made cycles of a rig, analysed, and a rest."""
    motions = [
        analyze_clip(make_gait(rig, find_specimen(name, legs, rig.leg_length)), rig)
        for name in names
    ]
    rest = make_rest(rig, find_specimen(names[0], legs, rig.leg_length))
    return make_set([rest_motion_from_clip(rest, rig), *motions])


def build(legs):
    return build_biped() if legs == 2 else build_many_legged(legs // 2)


@pytest.mark.parametrize("away", AWAY)
@pytest.mark.parametrize("legs", [2, 4])
def test_analysis_finds_the_same_cycle_elsewhere(legs, away):
    rig = build(legs)
    length = rig.leg_length
    centred, moved = make_motions(rig, legs), make_motions(move_rig(rig, away), legs)
    np.testing.assert_allclose(moved.offsets, centred.offsets, atol=1e-9)
    for one, two in zip(centred.motions, moved.motions, strict=True):
        assert two.kind == one.kind
        assert two.period == pytest.approx(one.period, abs=1e-9)
        np.testing.assert_allclose(two.velocity, one.velocity, atol=1e-9 * length)
        assert two.turn_rate == pytest.approx(one.turn_rate, abs=1e-9)
        assert two.ground_height == pytest.approx(one.ground_height + away[2], abs=1e-9 * length)
        for own, other in zip(one.legs, two.legs, strict=True):
            for name in ("stance", "lift", "off", "post_lift", "pre_land", "strike", "land"):
                assert getattr(other, name) == pytest.approx(getattr(own, name), abs=1e-9)
            assert other.stride == pytest.approx(own.stride, abs=1e-9 * length)
            np.testing.assert_allclose(
                other.stance_position - away, own.stance_position, atol=1e-9 * length
            )


def solve(rig, motions, ground, start, **settings):
    """A walk straight ahead from a place, and where its sole points are."""
    walk = native_walk(motions)
    travel = make_straight_travel(start, 0.0, 0.9 * walk.velocity, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, ground, PlanSettings(**settings))
    solved = solve_poses(plan, np.arange(96) / 24.0)
    soles = np.stack(
        [
            compute_sole_points(leg, solved.rotations, solved.positions)
            for leg in plan.tables.small_rig.legs
        ],
        axis=1,
    )
    return plan, solved, soles


@pytest.mark.parametrize("away", AWAY)
@pytest.mark.parametrize("legs", [2, 4])
def test_a_walk_is_the_same_under_feet_that_are_elsewhere(legs, away):
    rig = build(legs)
    motions = make_motions(rig, legs, ("walk",))
    length, terrain = rig.leg_length, FlatGround()
    plan, solved, soles = solve(rig, motions, terrain, np.zeros(3))
    # The object stands so far back that its character's feet are on the same ground.
    far = move_rig(rig, away)
    back = -away * [1.0, 1.0, 0.0]
    there, walked, same = solve(far, make_motions(far, legs, ("walk",)), terrain, back)
    for own, other in zip(plan.prints.rows, there.prints.rows, strict=True):
        np.testing.assert_allclose(other.positions, own.positions, atol=1e-9 * length)
        np.testing.assert_array_equal(other.parked, own.parked)
    np.testing.assert_allclose(same, soles, atol=1e-9 * length)
    np.testing.assert_allclose(walked.positions, solved.positions, atol=1e-9 * length)
    np.testing.assert_allclose(there.body.hip_offsets, plan.body.hip_offsets, atol=1e-9 * length)
