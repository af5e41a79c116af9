# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet beside each other on side steps and tight turns: the step rate, the prints, the swings."""

import numpy as np
import pytest

from benchmarks.courses_core import Piece, make_course
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.pace_notes import note_crossings
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.rig.crossing import list_partners, measure_leg_gaps
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.crossing_limits import (
    find_least_widths,
    find_parting_rates,
    measure_own_drift,
    measure_stance_widths,
)
from semi_procedural_locomotion.core.times.limits import PARTING
from semi_procedural_locomotion.core.times.stride_limits import find_left
from semi_procedural_locomotion.notes import NoteKind
from tests.core.walkers import make_walker, native_walk


def walk_course(pieces, names=("walk",), legs=2, **settings):
    rig, motions = make_walker(names, legs)
    walk = native_walk(motions)
    facing = float(np.arctan2(rig.forward[1], rig.forward[0]))
    travel, sections = make_course(pieces, walk.period, facing)
    plan = make_plan(rig, motions, travel, FlatGround(), PlanSettings(**settings))
    return plan, solve_poses(plan, np.arange(0.0, sections[-1].end, 1.0 / 30.0))


def gaps_of(plan, walk):
    rig = plan.tables.small_rig
    return measure_leg_gaps(rig, walk.rotations, walk.positions, list_partners(rig))


def speed_of(names=("walk",)):
    return native_walk(make_walker(names)[1]).speed


@pytest.mark.parametrize(
    "piece",
    [
        Piece("side", 4.0, 0.0, 0.6 * 1.26),
        Piece("fast side", 4.0, 0.0, -1.2 * 1.26),
        Piece("diagonal", 4.0, 0.6 * 1.26, 0.6 * 1.26),
        Piece("turn", 4.0, 0.0, 0.0, -90.0),
        Piece("fast turn", 4.0, 0.0, 0.0, 200.0),
        Piece("tight arc", 4.0, 0.8, 0.0, 70.0),
        Piece("turning side step", 4.0, 0.0, 0.5, 60.0),
    ],
    ids=lambda piece: piece.name,
)
def test_soles_keep_apart_and_legs_do_not_cross(piece):
    plan, walk = walk_course([Piece("stand", 1.0), piece, Piece("stop", 2.0)])
    gaps = gaps_of(plan, walk)
    assert not gaps.crossed.any()
    assert gaps.ankles.min() > 0.0
    # The way of a swing is looked at in nine instants; between them a little may be missing.
    assert gaps.soles.min() > 0.6 * PARTING.sole_gap * plan.tables.rig.leg_length


@pytest.mark.parametrize("legs", [4, 6])
def test_front_legs_far_from_the_middle_keep_apart_in_turns(legs):
    name = "walk" if legs == 4 else "tripod"
    plan, walk = walk_course([Piece("stand", 1.0), Piece("turn", 4.0, turn=80.0)], (name,), legs)
    gaps = gaps_of(plan, walk)
    assert not gaps.crossed.any()
    assert gaps.soles.min() > 0.0
    assert plan.times.quickened.max() > 1.1


def test_a_straight_walk_is_left_alone():
    plan, _ = walk_course([Piece("walk", 6.0, speed_of())])
    for leg, row in enumerate(plan.prints.rows):
        assert not row.parted.any()
        assert not row.crowded.any()
        assert np.abs(plan.asides[leg]).max() < 1e-6
    assert np.all(plan.times.quickened == 1.0)
    assert note_crossings(NotedSpan(plan, 0.0, 6.0, 24.0)) == []


def test_what_was_changed_is_told():
    plan, _ = walk_course([Piece("stand", 1.0), Piece("side", 4.0, 0.0, 1.0), Piece("stop", 2.0)])
    notes = note_crossings(NotedSpan(plan, 0.0, 9.0, 24.0))
    (quick,) = [note for note in notes if note.kind is NoteKind.STEPS_QUICKENED]
    assert 24 <= quick.frame < quick.values["last"] <= 168
    assert quick.values["share"] > 0.1
    assert notes == [quick]
    assert note_crossings(NotedSpan(plan, 0.0, 0.2, 24.0)) == []


def test_a_turn_leads_swings_around_the_other_foot():
    pieces = [Piece("stand", 1.0), Piece("arc", 4.0, 1.26, 0.0, 90.0), Piece("stop", 2.0)]
    plan, _ = walk_course(pieces)
    length = plan.tables.rig.leg_length
    # The last step closes the feet.
    ways = [np.hypot(*moves.T) for moves in plan.asides]
    assert 0.05 * length < max(way[:-2].max() for way in ways) <= 0.15 * length
    assert note_crossings(NotedSpan(plan, 0.0, 4.5, 24.0)) == []


def test_side_steps_to_the_left_are_like_those_to_the_right():
    plans = []
    for sign in (1.0, -1.0):
        pieces = [Piece("stand", 1.0), Piece("side", 3.0, 0.0, 0.8 * sign), Piece("stop", 2.0)]
        plans.append(walk_course(pieces)[0])
    left, right = plans
    tables = left.tables
    across = np.array([*find_left(tables.rig), 0.0])
    # The walk is symmetric by half a cycle; only which foot lifts first differs.
    for leg in (0, 1):
        one, two = left.prints.rows[leg], right.prints.rows[1 - leg]
        # Prints are tried at places 0.0075 L apart.
        near = 0.02 * tables.rig.leg_length
        assert one.parted.max() == pytest.approx(two.parted.max(), abs=near)
        assert np.ptp(one.positions @ across) == pytest.approx(
            np.ptp(two.positions @ across), rel=0.05
        )


def test_a_motion_that_crosses_its_legs_may_do_so_in_full_only():
    rig, motions = make_walker(("walk", "sidestep"))
    tables = pack_motions(rig, motions)
    names = [motion.name for motion in motions.motions]
    side = names.index("sidestep")
    full, half = np.zeros((1, 3)), np.zeros((1, 3))
    full[0, side] = 1.0
    half[0, [0, side]] = 0.5
    drift = (
        float(motions.motions[side].velocity @ find_left(tables.rig)) * motions.motions[side].period
    )
    assert measure_own_drift(tables, full)[0] == pytest.approx(drift)
    assert measure_own_drift(tables, half)[0] == pytest.approx(drift / 4.0)
    own = measure_stance_widths(tables, (0, 1), full)[0]
    # The left foot leads to the left: half a cycle later the right one has come nearer by half of it.
    assert find_least_widths(tables, (0, 1), full, np.array([-0.5]))[0] <= own - 0.5 * drift + 1e-9
    velocity = motions.motions[side].velocity[None]
    native = 1.0 / motions.motions[side].period
    assert find_parting_rates(tables, full, velocity, np.zeros(1))[0] < native


def test_quicker_steps_are_asked_for_in_proportion_to_the_speed():
    rig, motions = make_walker()
    tables = pack_motions(rig, motions)
    standing = np.tile([1.0, 0.0], (3, 1))
    speeds = np.array([0.0, 0.4, 0.8])
    velocities = speeds[:, None] * find_left(tables.rig)
    rates = find_parting_rates(tables, standing, velocities, np.zeros(3))
    assert rates[0] == 0.0
    assert rates[2] == pytest.approx(2.0 * rates[1])
    backward = find_parting_rates(tables, standing, -velocities, np.zeros(3))
    np.testing.assert_allclose(backward, rates)
