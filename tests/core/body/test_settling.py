# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet whose skin hangs on their shins as well stand on it as it is bent in the end."""

from dataclasses import replace

import numpy as np

from semi_procedural_locomotion.core.body import settling
from semi_procedural_locomotion.core.body.limits import SettlingLimits
from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.gaits.presets import find_preset
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.hulls import hull_points_from_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.gait_rigs import build_biped
from tests.core.walkers import make_set


def hang_on_shins(rig, share, rear_only=False):
    """The same character, a share of whose feet's skin, or of its rear half, hangs on the shins."""
    turns, heads = rig.skeleton.rest_poses
    legs = []
    for leg, hull in zip(rig.legs, rig.hulls, strict=True):
        shin = leg.joints[-2]
        own = hull.bones[:, 0]
        spots = heads[own] + rot.rotate(turns[own], hull.offsets[:, 0])
        seen = rot.rotate(rot.conjugate(turns[shin]), spots - heads[shin])
        along = hull.places[:, 0]
        hangs = (along < along.mean()) | (not rear_only)
        hung = replace(
            hull,
            bones=np.stack([own, np.full(len(own), shin)], axis=1),
            weights=np.stack([1.0 - share * hangs, share * hangs], axis=1),
            offsets=np.stack([hull.offsets[:, 0], seen], axis=1),
        )
        legs.append(replace(leg, hull=hung))
    return replace(rig, legs=tuple(legs))


def measure_lows(share):
    """Lowest points of feet in contact, leg lengths, in a walk of steps as long as at 1.4 its speed."""
    rig = hang_on_shins(build_biped(), share)
    motion = analyze_clip(make_gait(rig, find_preset("walk", 2, rig.leg_length)), rig)
    velocity = 1.4 * motion.velocity
    travel = make_straight_travel(np.zeros(3), 0.0, velocity, 0.0, 4.0)
    plan = make_plan(rig, make_set([motion]), travel, FlatGround())
    walk = solve_poses(plan, np.arange(1.0, 3.0, 0.05))
    small = plan.tables.small_rig
    lows = [
        hull_points_from_poses(leg.hull, walk.rotations, walk.positions)[..., 2].min(axis=1)
        for leg in small.legs
    ]
    return np.stack(lows, axis=1)[walk.states.in_contact] / rig.leg_length


def test_feet_stand_on_skin_that_their_shins_turn(monkeypatch):
    settled = measure_lows(0.3)
    monkeypatch.setattr(settling, "SETTLING", SettlingLimits(passes=0))
    left = measure_lows(0.3)
    assert np.abs(left).max() > 0.0025
    assert np.abs(settled).max() < 0.0005


def test_feet_that_ride_on_their_own_bones_are_left_as_they_are():
    rig = build_biped()
    legs = tuple(replace(leg, hull=hull) for leg, hull in zip(rig.legs, rig.hulls, strict=True))
    rig = replace(rig, legs=legs)
    assert rig.hung_legs == ()
    assert hang_on_shins(build_biped(), 0.3).hung_legs == (0, 1)
