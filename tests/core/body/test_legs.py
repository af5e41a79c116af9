# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved legs: detached feet do not pull the body down."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.legs import solve_legs
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import detach_feet, make_walker, native_walk


def walk_straight(rig, motions):
    travel = make_straight_travel(np.zeros(3), 0.0, native_walk(motions).velocity, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, FlatGround())
    return plan, solve_poses(plan, np.arange(1.0, 3.0, 0.1))


@pytest.mark.parametrize("turn", [0.6, -0.6])
def test_a_knee_follows_the_turn_of_its_foot_by_half(turn):
    plan, walk = walk_straight(*make_walker(rest=False))
    tables, leg = plan.tables, plan.tables.small_rig.legs[0]
    swivels = np.zeros_like(walk.targets.swivels)
    base = (tables, walk.source.legs)
    placed = walk.source_rotations, walk.source_positions

    def find_knees(swivels):
        solved = solve_legs(*base, replace(walk.targets, swivels=swivels), *placed)
        hip, knee, ankle = (solved.positions[:, joint] for joint in leg.joints)
        line = rot.normalize(ankle - hip)
        away = knee - hip
        return line, away - rot.dot(away, line)[:, None] * line

    line, before = find_knees(swivels)
    swivels[:, 0] = turn
    _, after = find_knees(swivels)
    # Counter-clockwise seen from above, as feet are turned.
    sine = -rot.dot(rot.cross(before, after), line)
    found = np.arctan2(sine, rot.dot(before, after))
    np.testing.assert_allclose(found, 0.5 * turn, atol=1e-6)


def test_a_detached_foot_beyond_its_shin_does_not_pull_the_body_down():
    rig, motions = detach_feet(*make_walker(rest=False))
    raised = []
    for motion in motions.motions:
        places = motion.translations.copy()
        places[:, rig.body, 2] += 0.15 * rig.leg_length
        raised.append(replace(motion, translations=places))
    plan, walk = walk_straight(rig, replace(motions, motions=tuple(raised)))
    assert np.abs(plan.body.read_hip_offsets(walk.times)).max() < 0.005 * rig.leg_length
