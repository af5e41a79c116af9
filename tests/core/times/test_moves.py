# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts, stops and rests at any phase; groups, turns and key times of blended motions."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.courses_core import Piece, make_course
from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths.grid import TimeGrid
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.motions.changes import reverse_motion
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.motions.records import MotionGroup
from semi_procedural_locomotion.core.motions.tables import OFF, STRIKE
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.planning import find_moves, fit_moves, plan_times
from semi_procedural_locomotion.core.travel.way import Travel, make_straight_travel
from tests.core.specimens import find_specimen
from tests.core.walkers import facing_of, make_set, make_walker, native_walk


def plan_course(rig, motions, pieces, **settings):
    walk = native_walk(motions)
    facing = float(np.arctan2(rig.forward[1], rig.forward[0]))
    travel, sections = make_course(pieces, walk.period, facing)
    return plan_times(pack_motions(rig, motions), travel, PlanSettings(**settings)), sections


def read_middle(plan, values, section):
    return plan.grid.sample(values, np.array([0.5 * (section.start + section.end)]))[0]


# Moves


def find(moving, period=1.0):
    grid = TimeGrid(0.0, 0.1, len(moving))
    return find_moves(np.array(moving, dtype=bool), grid, period)


def test_rests_too_short_to_close_and_start_again_are_part_of_a_move():
    short = [0] * 20 + [1] * 20 + [0] * 10 + [1] * 20 + [0] * 20
    long = [0] * 20 + [1] * 20 + [0] * 20 + [1] * 20 + [0] * 20
    assert find(short) == [(19, 69)]
    assert find(long) == [(19, 39), (59, 79)]


def test_moves_may_run_past_both_ends():
    assert find([1] * 30) == [(None, None)]
    assert find([1] * 10 + [0] * 30 + [1] * 10) == [(None, 9), (39, None)]
    assert find([0] * 30) == []


@pytest.mark.parametrize(
    ("short", "shift"), [(0.1, 0.1), (0.3, 0.3), (0.38, 0.38), (0.45, -0.05), (0.5, 0.0)]
)
def test_a_last_step_is_quickened_rather_than_made_longer(short, shift):
    rig, motions = make_walker(rest=False)
    tables = pack_motions(rig, motions)
    period, stances = tables.cycles.slowest_period, tables.leg_cycles.stances[0]
    grid = TimeGrid(0.0, period / 100.0, 1001)
    assert abs(stances[0] - stances[1]) == pytest.approx(0.5, abs=1e-3)
    # At the stop the next foot is short of its stance by so many cycles; to wait for it would make
    # the last steps longer.
    phases = grid.times / period
    phases = phases - phases[500] + stances[0] - short
    fitted = fit_moves(phases, grid, [(None, 500)], tables)
    assert fitted[600] - phases[600] == pytest.approx(shift, abs=2e-3)


def make_stop_and_go(rest, walking=3.13, speed=1.2):
    """Walk, stand for some cycles, walk again."""
    return [
        Piece("stand", 1.0),
        Piece("one", walking, speed),
        Piece("rest", rest),
        Piece("two", 3.0, speed),
        Piece("end", 2.0),
    ]


@pytest.mark.parametrize("rest", [0.2, 0.5, 0.8, 1.0, 1.3, 1.6, 1.9, 2.3, 3.0, 6.0])
def test_no_foot_jumps_whatever_the_rest_between_two_moves(rest):
    rig, motions = make_walker()
    facing = float(np.arctan2(rig.forward[1], rig.forward[0]))
    travel, sections = make_course(make_stop_and_go(rest), native_walk(motions).period, facing)
    plan = make_plan(rig, motions, travel, FlatGround())
    rate = 120.0
    walk = solve_poses(plan, np.arange(0.0, sections[-1].end, 1.0 / rate))
    ankles = np.stack([walk.positions[:, leg.ankle] for leg in plan.tables.small_rig.legs], axis=1)
    speeds = np.linalg.norm(np.diff(ankles, axis=0), axis=-1) * rate
    # A swinging ankle of the walk itself reaches 3.3 times the speed of travel.
    assert speeds.max() < 5.0 * native_walk(motions).speed
    assert np.abs(walk.missed).max() < 1e-3 * rig.leg_length


@pytest.mark.parametrize("walking", [1.0, 1.3, 1.55, 1.81, 2.07, 2.4, 2.66])
def test_a_stop_at_any_phase_ends_with_both_feet_at_home(walking):
    rig, motions = make_walker()
    facing = float(np.arctan2(rig.forward[1], rig.forward[0]))
    pieces = [Piece("stand", 1.0), Piece("go", walking, 1.2), Piece("stop", 3.0)]
    travel, sections = make_course(pieces, native_walk(motions).period, facing)
    plan = make_plan(rig, motions, travel, FlatGround())
    walk = solve_poses(plan, np.array([0.0, sections[-1].end]))
    assert walk.states.in_contact[-1].all()
    places = [
        walk.positions[i, [leg.ankle for leg in plan.tables.small_rig.legs]] for i in range(2)
    ]
    moved = places[1] - places[0] - (travel.positions[-1] - travel.positions[0])
    # A last step shorter than the shortest that is taken is left out.
    assert np.abs(moved).max() < 0.081 * rig.leg_length


def test_a_change_of_direction_through_zero_speed_is_one_move():
    rig, motions = make_walker()
    pieces = [Piece("left", 3.0, 0.0, 0.5), Piece("right", 3.0, 0.0, -0.5), Piece("stop", 2.0)]
    plan, _ = plan_course(rig, motions, pieces)
    assert len(plan.moves) == 1
    rates = np.gradient(plan.phases, plan.grid.interval)
    inside = (plan.grid.times > 0.5) & (plan.grid.times < plan.moves[0][1])
    assert rates[inside].min() > 0.3 / native_walk(motions).period


# Key times


@pytest.mark.parametrize("run_weight", [0.2, 0.5, 0.8])
def test_blended_contact_is_as_long_as_the_way_of_the_blended_foot(run_weight):
    rig, motions = make_walker(("walk", "run"))
    walk, run = motions.motions[1:]
    speed = walk.speed + run_weight * (run.speed - walk.speed)
    ahead = speed * walk.velocity / walk.speed
    travel = make_straight_travel(np.zeros(3), 0.0, ahead, 0.0, 6.0)
    tables = pack_motions(rig, motions)
    plan = plan_times(tables, travel, PlanSettings())
    middle = plan.grid.count // 2
    weights = plan.weights[middle]
    stride = weights @ tables.cycles.strides
    for leg in range(2):
        way = np.sum(weights * tables.cycles.strides * tables.leg_cycles.key_times[:, leg, OFF])
        assert plan.key_times[middle, leg, OFF] * stride == pytest.approx(way, rel=1e-4)


def test_steps_keep_their_key_times_and_steady_ones_those_of_the_motion():
    rig, motions = make_walker()
    walk = native_walk(motions)
    tables = pack_motions(rig, motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 5.0)
    plan = plan_times(tables, travel, PlanSettings())
    first = int(np.ceil(plan.leg_times[0, 0]))
    keys = plan.step_key_times(0, np.arange(first, first + 4))
    np.testing.assert_allclose(keys, np.tile(tables.leg_cycles.key_times[1, 0], (4, 1)), atol=1e-9)
    ends = plan.step_key_times(0, np.array([first - 1, int(plan.leg_times[-1, 0])]))
    assert np.all(np.diff(ends, axis=1) >= 0)
    assert ends.min() >= 0
    assert ends.max() <= 1


def test_no_contact_gets_longer_where_a_run_begins_or_ends():
    rig, motions = make_walker(("walk", "run"))
    walk, run = motions.motions[1:]
    pieces = [
        Piece("walk", 3.0, walk.speed),
        Piece("run", 3.0, run.speed),
        Piece("walk again", 3.0, walk.speed),
    ]
    plan, _ = plan_course(rig, motions, pieces)
    for leg in range(2):
        numbers = np.arange(int(np.ceil(plan.leg_times[0, leg])), int(plan.leg_times[-1, leg]))
        keys = plan.step_key_times(leg, numbers)
        for column in (OFF, STRIKE):
            at = plan.grid.find_crossings(plan.leg_times[:, leg], numbers + keys[:, column])
            blended = plan.grid.sample(plan.key_times[:, leg, column], at)
            np.testing.assert_allclose(keys[:, column], blended, atol=2e-3)
            inside = plan.grid.sample(plan.weights[:, 2], at)
            assert np.ptp(inside) > 0.9


def test_a_run_at_a_slow_pace_stands_as_a_walk_does():
    rig, motions = make_walker(("run",))
    run = native_walk(motions)
    pieces = [Piece("slow", 6.0, 0.25 * run.speed), Piece("full", 6.0, run.speed)]
    plan, (slow, full) = plan_course(rig, motions, pieces)
    assert read_middle(plan, plan.key_times[:, 0, OFF], slow) > 0.25
    own = run.legs[0].off
    assert read_middle(plan, plan.key_times[:, 0, OFF], full) == pytest.approx(own, abs=1e-6)


# Rates and limits


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5, 1.0, 1.5, 2.0])
def test_from_a_tenth_to_twice_the_native_speed_steps_fit_the_travel(share):
    rig, motions = make_walker()
    walk = native_walk(motions)
    plan, (section,) = plan_course(rig, motions, [Piece("steady", 12.0, share * walk.speed)])
    rate = read_middle(plan, np.gradient(plan.phases, plan.grid.interval), section)
    expected = max(np.sqrt(share), 1.0 / 2.2) if share < 1.0 else share
    assert rate * walk.period == pytest.approx(expected, rel=2e-3)


def test_a_longest_stride_and_a_longest_cycle_are_kept():
    rig, motions = make_walker()
    walk = native_walk(motions)
    plan, (section,) = plan_course(rig, motions, [Piece("steady", 8.0, walk.speed)], max_stride=0.8)
    rate = read_middle(plan, np.gradient(plan.phases, plan.grid.interval), section)
    assert walk.speed / rate == pytest.approx(0.8 * rig.leg_length, rel=1e-6)
    plan, (section,) = plan_course(
        rig, motions, [Piece("steady", 8.0, 0.1 * walk.speed)], max_cycle=1.6
    )
    rate = read_middle(plan, np.gradient(plan.phases, plan.grid.interval), section)
    assert rate * walk.period == pytest.approx(1.0 / 1.6, rel=1e-6)


def test_a_diagonal_of_two_motions_has_the_stride_of_their_sum():
    rig, motions = make_walker(("walk", "sidestep"))
    tables = pack_motions(rig, motions)
    walk, side = motions.motions[1:]
    diagonal = 0.5 * (walk.velocity + side.velocity)
    travel = make_straight_travel(np.zeros(3), 0.0, diagonal, 0.0, 8.0)
    plan = plan_times(tables, travel, PlanSettings())
    middle = plan.grid.count // 2
    rate = np.gradient(plan.phases, plan.grid.interval)[middle]
    heading = diagonal / np.hypot(*diagonal)
    own = [m.velocity @ heading * m.period for m in (walk, side)]
    assert np.hypot(*diagonal) / rate == pytest.approx(plan.weights[middle, 1:] @ own, rel=1e-3)


# Groups


def test_two_groups_share_the_weight_over_time():
    rig, motions = make_walker(("walk", "sneak"))
    cycles = {motion.name: i for i, motion in enumerate(motions.motions)}
    groups = (
        MotionGroup("walk", (0, cycles["walk"]), np.array([2.0, 4.0]), np.array([1.0, 0.0])),
        MotionGroup("sneak", (cycles["sneak"],), np.array([2.0, 4.0]), np.array([0.0, 1.0])),
    )
    both = replace(motions, groups=groups)
    speed = motions.motions[cycles["walk"]].speed
    travel = make_straight_travel(np.zeros(3), 0.0, np.array([0.0, speed]), 0.0, 6.0)
    plan = plan_times(pack_motions(rig, both), travel, PlanSettings())
    assert np.abs(plan.weights.sum(axis=1) - 1.0).max() < 1e-12
    at = plan.grid.sample(plan.weights, np.array([0.5, 3.0, 5.5]))
    np.testing.assert_allclose(at[:, cycles["walk"]], [1.0, 0.5, 0.0], atol=1e-6)
    np.testing.assert_allclose(at[:, cycles["sneak"]], [0.0, 0.5, 1.0], atol=1e-6)


@pytest.mark.parametrize("others", [1.0, 0.2])
def test_a_group_that_overrides_takes_its_weight_from_all_others(others):
    rig, motions = make_walker(("walk", "sneak"))
    cycles = {motion.name: i for i, motion in enumerate(motions.motions)}
    groups = (
        MotionGroup("walk", (0, cycles["walk"]), weights=np.array([others])),
        MotionGroup(
            "sneak",
            (cycles["sneak"],),
            np.array([1.0, 2.0, 4.0, 5.0]),
            np.array([0.0, 0.25, 0.25, 3.0]),
            overrides=True,
        ),
    )
    both = replace(motions, groups=groups)
    speed = motions.motions[cycles["walk"]].speed
    travel = make_straight_travel(np.zeros(3), 0.0, np.array([0.0, speed]), 0.0, 6.5)
    plan = plan_times(pack_motions(rig, both), travel, PlanSettings())
    at = plan.grid.sample(plan.weights, np.array([0.4, 3.0, 6.2]))
    np.testing.assert_allclose(at[:, cycles["walk"]], [1.0, 0.75, 0.0], atol=1e-3)
    np.testing.assert_allclose(at[:, cycles["sneak"]], [0.0, 0.25, 1.0], atol=1e-3)


def test_speed_alone_may_choose_the_motion():
    rig, motions = make_walker(("walk", "run"))
    cycles = {motion.name: i for i, motion in enumerate(motions.motions)}
    walk = motions.motions[cycles["walk"]].speed
    travel = make_straight_travel(np.zeros(3), 0.0, np.array([0.0, -1.5 * walk]), 0.0, 4.0)
    settings = PlanSettings(blend_by="speed", walk_from=1.25 * walk, run_from=1.75 * walk)
    plan = plan_times(pack_motions(rig, motions), travel, settings)
    at = plan.grid.sample(plan.weights, np.array([2.0]))[0]
    np.testing.assert_allclose(at[[cycles["walk"], cycles["run"]]], 0.5, atol=1e-6)


def test_a_group_without_a_rest_motion_stands_in_that_of_another():
    rig, motions = make_walker(("walk", "sneak"))
    groups = (MotionGroup("walk", (0, 1), weights=np.zeros(1)), MotionGroup("sneak", (2,)))
    both = replace(motions, groups=groups)
    travel = Travel(np.array([0.0, 3.0]), np.zeros((2, 3)), np.zeros(2))
    plan = plan_times(pack_motions(rig, both), travel, PlanSettings())
    np.testing.assert_allclose(plan.weights[:, 0], 1.0, atol=1e-12)


def test_ungrouped_motions_keep_the_weight_that_the_user_gives():
    rig, motions = make_walker(("walk", "sneak"))
    groups = (
        MotionGroup("walk", (0, 1), weights=np.array([0.75])),
        MotionGroup("", (2,), weights=np.array([0.25])),
    )
    mixed = replace(motions, groups=groups)
    pieces = [Piece("walk", 5.0, native_walk(motions).speed)]
    plan, (section,) = plan_course(rig, mixed, pieces)
    assert read_middle(plan, plan.weights[:, 2], section) == pytest.approx(0.25, abs=1e-6)


def test_weights_of_nothing_fall_back_to_the_slowest_walk():
    rig, motions = make_walker()
    silent = replace(motions, groups=(MotionGroup("walk", (0, 1), weights=np.zeros(1)),))
    plan, _ = plan_course(rig, silent, [Piece("walk", 3.0, 1.0)])
    np.testing.assert_array_equal(plan.weights[:, 1], 1.0)


def test_a_reversed_copy_walks_backwards():
    rig, motions = make_walker()
    walk = native_walk(motions)
    both = make_set([*motions.motions, reverse_motion(walk)])
    plan, (section,) = plan_course(rig, both, [Piece("back", 6.0, -walk.speed)])
    assert read_middle(plan, plan.weights[:, 2], section) == pytest.approx(1.0, abs=1e-9)
    rate = read_middle(plan, np.gradient(plan.phases, plan.grid.interval), section)
    assert rate * walk.period == pytest.approx(1.0, rel=1e-6)


# Turning motions


def make_turners(*rates, stride=None):
    """A walk with motions that turn."""
    rig, motions = make_walker()
    preset = find_specimen("walk", 2, rig.leg_length)
    extra = []
    for rate in rates:
        length = preset.stride if stride is None else stride
        settings = replace(preset, name=f"turn {rate:g}", stride=length, turn_rate=rate)
        extra.append(analyze_clip(make_gait(rig, settings), rig))
    return rig, make_set([*motions.motions, *extra])


def test_motions_that_turn_on_the_spot_play_as_the_travel_turns():
    rig, motions = make_turners(1.5, -1.5, stride=0.0)
    walk = native_walk(motions)
    assert walk.name == "walk"
    turn = np.degrees(1.5 * walk.period)
    pieces = [
        Piece("left", 4.0, turn=turn),
        Piece("half right", 4.0, turn=-0.5 * turn),
        Piece("fast left", 4.0, turn=2.0 * turn),
        Piece("walk", 4.0, walk.speed),
    ]
    plan, sections = plan_course(rig, motions, pieces, max_turn_per_cycle=10.0)
    weights = [read_middle(plan, plan.weights, s) for s in sections]
    np.testing.assert_allclose(weights[0], [0.0, 0.0, 1.0, 0.0], atol=2e-3)
    np.testing.assert_allclose(weights[1], [0.5, 0.0, 0.0, 0.5], atol=2e-3)
    np.testing.assert_allclose(weights[3], [0.0, 1.0, 0.0, 0.0], atol=1e-6)
    rates = np.gradient(plan.phases, plan.grid.interval)
    assert read_middle(plan, rates, sections[0]) * walk.period == pytest.approx(1.0, rel=0.01)
    assert read_middle(plan, rates, sections[2]) * walk.period == pytest.approx(2.0, rel=0.01)


def test_a_slower_turn_on_the_spot_plays_its_motion_in_its_own_time_for_less():
    rig, motions = make_turners(1.5, stride=0.0)
    period = native_walk(motions).period
    pieces = [Piece("left", 4.0, turn=0.9 * np.degrees(1.5 * period))]
    plan, sections = plan_course(rig, motions, pieces, max_turn_per_cycle=10.0)
    assert read_middle(plan, plan.weights[:, 2], sections[0]) == pytest.approx(0.9, abs=2e-3)
    rates = np.gradient(plan.phases, plan.grid.interval)
    assert read_middle(plan, rates, sections[0]) * period == pytest.approx(0.9, rel=0.01)


def test_motions_that_walk_in_a_circle_play_in_it_and_nowhere_else():
    rig, motions = make_turners(0.8)
    walk, circle = motions.motions[1:]
    assert circle.turn_rate == pytest.approx(0.8, rel=0.03)
    turn = np.degrees(circle.turn_rate * walk.period)
    pieces = [
        Piece("circle", 4.0, circle.speed, turn=turn),
        Piece("straight", 4.0, circle.speed),
        Piece("other way", 4.0, circle.speed, turn=-turn),
    ]
    plan, sections = plan_course(rig, motions, pieces)
    inside = [read_middle(plan, plan.weights[:, 2], s) for s in sections]
    assert inside[0] > 0.98
    np.testing.assert_allclose(inside[1:], 0.0, atol=1e-3)
    assert facing_of(walk) == pytest.approx(np.pi / 2)
