# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tails and other parts that go along with a walk, and into the ground."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.outline import outline_from_points
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.body_depths import measure_body_cuts, note_body_cuts
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.notes import NoteKind
from tests.core.planes import SlopedPlane
from tests.core.walkers import make_walker, native_walk

FRAMES = np.arange(48, 96)


def walk_down(slope):
    """A walk of a person down a plane."""
    rig, motions = make_walker()
    walk = native_walk(motions)
    ahead = walk.velocity / walk.speed
    travel = make_straight_travel(np.zeros(3), 0.0, 0.8 * walk.velocity, 0.0, 5.0)
    ground = SlopedPlane(-slope * ahead) if slope else FlatGround()
    plan = make_plan(rig, motions, travel, ground)
    return plan, solve_poses(plan, FRAMES / 24.0)


def trail(plan, bone, high, behind=1.0):
    """A place that hangs from a bone so far behind the body and so high at rest, lengths of the leg."""
    rig = plan.tables.rig
    ahead = np.array([*rig.forward, 0.0])
    place = -behind * rig.leg_length * ahead + np.array([0.0, 0.0, high * rig.leg_length])
    return outline_from_points(rig.skeleton, np.array([bone]), place[None])


def test_a_tail_is_in_the_ground_behind_one_who_goes_down():
    plan, walk = walk_down(0.36)
    rig = plan.tables.rig
    (cut,) = measure_body_cuts(plan, walk, trail(plan, rig.body, 0.25))
    assert (cut.bone, cut.leg) == (rig.body, -1)
    assert 0.15 < cut.depth / rig.leg_length < 0.3
    assert cut.rows == len(FRAMES)
    (note,) = note_body_cuts(plan, [cut], FRAMES)
    assert (note.kind, note.leg) == (NoteKind.BODY_CUTS_GROUND, None)
    assert note.values["bone"] == rig.skeleton.names[rig.body]
    assert note.values["share"] == pytest.approx(cut.depth / rig.leg_length)
    assert note.frame == FRAMES[cut.row]
    # One that is carried higher is in the air.
    assert measure_body_cuts(plan, walk, trail(plan, rig.body, 0.6)) == []


def test_what_drags_in_the_motion_by_itself_is_no_fault_of_the_ground():
    plan, walk = walk_down(0.0)
    body = plan.tables.rig.body
    assert measure_body_cuts(plan, walk, trail(plan, body, -0.2)) == []
    plan, walk = walk_down(0.36)
    deep, shallow = (
        measure_body_cuts(plan, walk, trail(plan, body, high))[0].depth for high in (-0.05, 0.0)
    )
    assert deep == pytest.approx(shallow, abs=0.06 * plan.tables.rig.leg_length)


def test_legs_are_told_by_name_and_feet_not_at_all():
    plan, walk = walk_down(0.36)
    rig = plan.tables.rig
    leg = rig.legs[1]
    cuts = measure_body_cuts(plan, walk, trail(plan, leg.joints[0], 0.1, behind=0.6))
    assert [cut.leg for cut in cuts] == [1]
    (note,) = note_body_cuts(plan, cuts, FRAMES)
    assert (note.kind, note.leg) == (NoteKind.BODY_CUTS_GROUND, leg.name)
    assert measure_body_cuts(plan, walk, trail(plan, leg.ankle, -0.5, behind=0.0)) == []
