# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Partners that share the rises of steps."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.prints import grounding
from semi_procedural_locomotion.core.rig.crossing import list_partners
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.swings.test_outlines import make_steps
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
        prints = [p for p in plan.prints.list_footprints() if p.leg in pair]
        found.append(np.diff([p.position[2] for p in prints]))
    return np.concatenate(found) / plan.tables.rig.leg_length


def count_steep(legs):
    """Steps of more than one tread, of several paces and places where the stairs begin."""
    plans = [
        climb(legs, first, pace=pace)
        for first in (1.3, 1.45, 1.6, 1.75, 1.9)
        for pace in (1.1, 1.4, 1.6)
    ]
    return sum(int((np.abs(list_rises(plan)) > 1.5 * RISE).sum()) for plan in plans)


@pytest.mark.parametrize("legs", [2, 4])
def test_fewer_steps_rise_by_two_treads(legs, monkeypatch):
    shared = count_steep(legs)
    monkeypatch.setattr(
        grounding, "share_rises", lambda rig, rows, *_: [np.zeros(len(r.times)) for r in rows]
    )
    assert shared < 0.65 * count_steep(legs)


def test_no_print_is_moved_on_the_level_nor_where_no_foothold_is_looked_for(monkeypatch):
    level, stairs = climb(2, 1.6, FlatGround()), climb(2, 1.6, search_footholds=False)
    monkeypatch.setattr(
        grounding, "share_rises", lambda rig, rows, *_: [np.zeros(len(r.times)) for r in rows]
    )
    for plan, other in (
        (level, climb(2, 1.6, FlatGround())),
        (stairs, climb(2, 1.6, search_footholds=False)),
    ):
        for row, same in zip(plan.prints.rows, other.prints.rows, strict=True):
            np.testing.assert_array_equal(row.positions, same.positions)
