# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that hardly move: steps where the drift adds up to one, and none where it does not."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import Travel
from tests.core.walkers import make_walker, native_walk

SECONDS = 30.0
TIMES = np.linspace(0.0, SECONDS, int(24 * SECONDS) + 1)


def plan_drift(speed, turn=0.0, noise=0.0, **settings):
    """A walk ahead at a share of the walk's speed, turning by so many degrees a second."""
    rig, motions = make_walker()
    places = np.zeros((len(TIMES), 3))
    places[:, :2] = speed * np.outer(TIMES, native_walk(motions).velocity)
    places[:, :2] += noise * rig.leg_length * np.sin(np.outer(TIMES, [17.0, 23.0]))
    travel = Travel(TIMES, places, np.radians(turn) * TIMES)
    return make_plan(rig, motions, travel, FlatGround(), PlanSettings(**settings))


def see_ankles(plan):
    """Ankles over time as shares of the leg, and whether each foot bears, (N, 2, 3) and (N, 2)."""
    walk = solve_poses(plan, TIMES)
    ankles = [leg.ankle for leg in plan.tables.small_rig.legs]
    length = plan.tables.rig.leg_length
    assert np.abs(walk.missed).max() < 1e-3 * length
    return walk.positions[:, ankles] / length, walk.states.in_contact


@pytest.mark.parametrize("speed", [0.004, 0.008, 0.013, 0.017, 0.0195])
def test_both_feet_follow_a_drift_in_steps(speed):
    plan = plan_drift(speed)
    ankles, bears = see_ankles(plan)
    length = plan.tables.rig.leg_length
    way = plan.tables.cycles.slowest_speed * speed * SECONDS / length
    bodies = plan.times.grid.sample(plan.times.positions, TIMES)[:, None, :2] / length
    behind = np.linalg.norm(ankles[:, :, :2] - bodies, axis=-1)
    for leg in range(2):
        steps = np.flatnonzero(np.diff(bears[:, leg].astype(int)) < 0)
        # No foot is farther behind than by the shortest step, and what is drifted in one.
        assert behind[:, leg].max() < 0.35
        assert len(steps) >= np.floor(way / 0.2)
        # In contact it stays, but for its roll, and a step takes no longer than one of a slow walk.
        moved = np.hypot(*np.diff(ankles[:, leg, :2], axis=0).T)
        assert np.median(moved[bears[1:, leg] & bears[:-1, leg]]) < 0.5 * way / len(TIMES)
        longest = int(1.4 * 24 * plan.tables.cycles.slowest_period)
        assert np.convolve(~bears[:, leg], np.ones(longest)).max() < longest
    assert bears.any(axis=1).all()


def test_a_slow_turn_is_followed_in_steps():
    plan = plan_drift(0.0, turn=2.0)
    for row in plan.prints.rows:
        turned = row.headings[-1] - row.headings[0]
        assert turned == pytest.approx(np.radians(60.0), abs=np.radians(35.0))
        assert np.sum(~row.parked) >= 3
    _, bears = see_ankles(plan)
    assert bears.any(axis=1).all()


@pytest.mark.parametrize(("speed", "noise"), [(0.0, 0.0005), (0.0, 0.004), (0.0015, 0.0)])
def test_what_stays_in_its_place_lifts_no_foot(speed, noise):
    plan = plan_drift(speed, noise=noise)
    ankles, bears = see_ankles(plan)
    # Nothing is asked of the ends, where a travel that trembles goes on as it last went.
    inner = (TIMES > 3.0) & (TIMES < SECONDS - 3.0)
    assert bears[inner].all()
    assert np.ptp(ankles[inner], axis=0).max() < max(noise, 1e-3)


def test_a_creep_between_two_walks_drags_no_foot():
    rig, motions = make_walker()
    walk = native_walk(motions)
    speeds = np.interp(TIMES, [0, 4, 5, 25, 26, 30], [1, 1, 0.012, 0.012, 1, 1])
    along = np.concatenate([[0.0], np.cumsum(0.5 * (speeds[1:] + speeds[:-1]) * np.diff(TIMES))])
    places = np.zeros((len(TIMES), 3))
    places[:, :2] = np.outer(along, walk.velocity)
    plan = make_plan(rig, motions, Travel(TIMES, places, 0.0 * TIMES), FlatGround())
    ankles, bears = see_ankles(plan)
    creeping = (TIMES > 7.0) & (TIMES < 23.0)
    for leg in range(2):
        assert np.sum(np.diff(bears[creeping, leg].astype(int)) < 0) >= 2
        moved = np.hypot(*np.diff(ankles[:, leg, :2], axis=0).T)
        still = bears[1:, leg] & bears[:-1, leg] & creeping[1:]
        assert np.median(moved[still]) < 1e-4
