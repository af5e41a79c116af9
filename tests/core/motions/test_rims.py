# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The room that feet take up as they roll."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions import rims
from semi_procedural_locomotion.core.motions.limits import RIMS
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.hulls import hull_points_from_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import facing_of, make_walker, native_walk


def walk_on_the_level(legs):
    rig, motions = make_walker(legs=legs)
    walk = native_walk(motions)
    facing = facing_of(walk)
    velocity = walk.speed * np.array([np.cos(facing), np.sin(facing)])
    travel = make_straight_travel(np.zeros(3), 0.0, velocity, 0.0, 4.0)
    return make_plan(rig, motions, travel, FlatGround())


@pytest.mark.parametrize("legs", [2, 4])
def test_a_rim_holds_all_that_a_foot_shows_over_its_print(legs):
    plan = walk_on_the_level(legs)
    rig = plan.tables.small_rig
    walk = solve_poses(plan, np.linspace(1.0, 3.0, 400))
    turns = 2.0 * np.pi * np.arange(24) / 24
    ways = np.array([np.cos(turns), np.sin(turns)])
    for leg, hull in enumerate(rig.hulls):
        points = hull_points_from_poses(hull, walk.legs.rotations, walk.legs.positions)
        states = walk.states.pick(leg)
        bears = states.in_contact
        prints = np.where((states.flight >= 1.0)[:, None], states.ahead, states.behind)
        back = rot.conjugate(walk.targets.frames[:, leg])[:, None]
        shown = rot.rotate(back, points - prints[:, None])[bears].reshape(-1, 3)
        rim = plan.tables.rims[leg].foot
        for level in RIMS.levels:
            low = shown[shown[:, 2] <= 0.98 * level * rig.leg_length]
            kept = rim[rim[:, 2] <= level * rig.leg_length]
            # Between two of its directions a rim may be a corner short.
            missing = (low[:, :2] @ ways).max(axis=0) - (kept[:, :2] @ ways).max(axis=0)
            assert missing.max() < 0.015 * rig.leg_length


def test_rims_reach_farther_ahead_than_flat_feet_and_are_few():
    plan = walk_on_the_level(2)
    for hull, own in zip(plan.tables.small_rig.hulls, plan.tables.rims, strict=True):
        rim = own.foot
        flat = hull.places[:, 0].max()
        high = rim[rim[:, 2] > 0.02 * plan.tables.rig.leg_length]
        assert high[:, 0].max() > flat
        assert len(rim) <= RIMS.directions * len(RIMS.levels)


def bend_low(girth):
    """A walk whose legs have so thick a skin about their bones, lengths of the leg, and its rims."""
    rig, motions = make_walker()
    legs = tuple(replace(leg, girths=(girth * leg.length,) * 2) for leg in rig.legs)
    rig = replace(rig, legs=legs)
    return rig, pack_motions(rig, motions).rims


def test_rims_of_legs_hold_the_skin_about_their_shins():
    rig, thick = bend_low(0.1)
    _, thin = bend_low(0.001)
    for leg, own, bare in zip(rig.legs, thick, thin, strict=True):
        np.testing.assert_array_equal(own.foot, bare.foot)
        high = 0.3 * leg.length
        back, bones, foot = (r[r[:, 2] <= high, 0].min() for r in (own.leg, bare.leg, own.foot))
        assert back < bones - 0.02 * leg.length
        # What lies farther beside the foot is over the next tread.
        assert back > foot - RIMS.beside * leg.length - 1e-9


@pytest.mark.parametrize(("claw", "girth"), [(1.0, 0.1), (RIMS.claw, 0.0)])
def test_the_legs_of_claws_do_not_count_nor_those_without_a_skin(claw, girth, monkeypatch):
    monkeypatch.setattr(rims, "RIMS", replace(RIMS, claw=claw))
    for own in bend_low(girth)[1]:
        assert own.leg is None
