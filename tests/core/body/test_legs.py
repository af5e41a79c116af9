# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved legs: detached feet do not pull the body down."""

from dataclasses import replace

import numpy as np

from semi_procedural_locomotion.core.body.hips import track_hips
from semi_procedural_locomotion.core.body.legs import read_hips
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import detach_feet, make_walker, native_walk


def walk_straight(rig, motions):
    travel = make_straight_travel(np.zeros(3), 0.0, native_walk(motions).velocity, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, FlatGround())
    return plan, solve_poses(plan, np.arange(1.0, 3.0, 0.1))


def test_a_detached_foot_beyond_its_shin_does_not_pull_the_body_down():
    rig, motions = detach_feet(*make_walker(rest=False))
    raised = []
    for motion in motions.motions:
        places = motion.translations.copy()
        places[:, rig.body, 2] += 0.15 * rig.leg_length
        raised.append(replace(motion, translations=places))
    plan, walk = walk_straight(rig, replace(motions, motions=tuple(raised)))
    hips = read_hips(plan.tables.small_rig, walk.source_positions)
    offsets = track_hips(plan.tables, walk.source, walk.targets, hips, 0.1)
    assert np.abs(offsets).max() < 0.005 * rig.leg_length
