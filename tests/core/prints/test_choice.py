# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints that are chosen together."""

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.prints.records import KeptStep
from semi_procedural_locomotion.core.rig.crossing import list_partners
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import make_steps
from tests.core.walkers import facing_of, make_walker, native_walk

RISE, TREAD = 0.19, 0.42


def climb(legs, first, ground=None, pace=1.1, **choices):
    """The plan of a walk over stairs that begin after so many strides, with steps longer than treads."""
    rig, motions = make_walker(legs=legs)
    walk, length = native_walk(motions), rig.leg_length
    facing = facing_of(walk)
    speed = TREAD * length / (0.5 * walk.period)
    velocity = pace * speed * np.array([np.cos(facing), np.sin(facing)])
    travel = make_straight_travel(np.zeros(3), -facing, velocity, 0.0, 8.0)
    stairs = ground or make_steps(RISE * length, TREAD * length, 0.0, first=first * walk.stride)
    return make_plan(rig, motions, travel, stairs, PlanSettings(**choices))


def list_rises(plan):
    """Rises from print to print of partners, in the order of time, lengths of the leg."""
    found = []
    for pair in list_partners(plan.tables.rig):
        rows = [plan.prints.rows[leg] for leg in pair]
        rows = [row.select(~row.parked) for row in rows]
        times = np.concatenate([row.times for row in rows])
        heights = np.concatenate([row.positions[:, 2] for row in rows])
        found.append(np.diff(heights[np.argsort(times)]))
    return np.concatenate(found) / plan.tables.rig.leg_length


def count_steep(legs, firsts, paces, **choices):
    """Steps of more than one tread, of several paces and places where the stairs begin."""
    plans = [climb(legs, first, pace=pace, **choices) for first in firsts for pace in paces]
    return sum(int((np.abs(list_rises(plan)) > 1.5 * RISE).sum()) for plan in plans)


# A plan of four legs takes three times as long.
@pytest.mark.parametrize(
    "course",
    [(2, (1.3, 1.45, 1.6, 1.75, 1.9), (1.1, 1.4)), (4, (1.3, 1.75), (1.1,))],
    ids=["2", "4"],
)
def test_fewer_steps_rise_by_two_treads_than_where_the_motions_put_them(course):
    assert count_steep(*course) < 0.65 * count_steep(*course, search_footholds=False)


def test_no_print_is_moved_on_the_level():
    level, held = (climb(2, 1.6, FlatGround(), search_footholds=s) for s in (True, False))
    for row, same in zip(level.prints.rows, held.prints.rows, strict=True):
        np.testing.assert_array_equal(row.positions, same.positions)


@pytest.mark.parametrize("legs", [2, 4])
def test_prints_far_from_a_kept_step_stay(legs):
    plan = climb(legs, 1.6, pace=1.4)
    row = plan.prints.rows[0]
    index = int(np.argmin(np.abs(row.times - 2.0)))
    away = np.array([0.08, 0.03, 0.0]) * plan.tables.rig.leg_length
    step = KeptStep("moved", 0, row.positions[index] + away, row.frames[index], row.times[index])
    changed = make_plan(
        plan.tables.rig, plan.tables.motion_set, plan.travel, plan.ground, kept_steps=(step,)
    )
    np.testing.assert_allclose(changed.prints.rows[0].positions[index], step.position)
    period = plan.tables.cycles.slowest_period
    for before, after in zip(plan.prints.rows, changed.prints.rows, strict=True):
        far = np.abs(before.times - row.times[index]) > 3.0 * period
        assert np.any(far)
        np.testing.assert_array_equal(after.positions[far], before.positions[far])


def test_stepping_stones_are_stepped_on():
    rig, motions = make_walker()
    walk, length = native_walk(motions), rig.leg_length
    facing = facing_of(walk)
    stones = make_stones(0.51 * walk.stride, 0.5 * length, 0.35 * length)
    velocity = walk.speed * np.array([np.cos(facing), np.sin(facing)])
    travel = make_straight_travel(np.zeros(3), -facing, velocity, 0.0, 8.0)
    plan = make_plan(rig, motions, travel, stones)
    for row in plan.prints.rows:
        inner = (row.times > 1.0) & (row.times < 7.0)
        assert np.all(row.positions[inner, 2] > -0.01 * length)
        assert row.supports[inner].min() > 0.55


def make_stones(pitch, size, depth):
    """Slabs across the way along +X, so far apart and so long, over a floor that deep, metres."""
    points = [(-60.0, 0.0), (1.0, 0.0)]
    for start in np.arange(1.0, 40.0, pitch):
        points += [(start, 0.0), (start + 1e-4, -depth), (start + pitch - size, -depth)]
        points += [(start + pitch - size + 1e-4, 0.0), (start + pitch, 0.0)]
    vertices = np.array([[x, y, z] for x, z in points for y in (-30.0, 30.0)])
    first = 2 * np.arange(len(points) - 1)
    faces = [
        np.stack([first + a, first + b, first + c], axis=1) for a, b, c in ((0, 3, 1), (0, 2, 3))
    ]
    return MeshGround(vertices, np.concatenate(faces))
