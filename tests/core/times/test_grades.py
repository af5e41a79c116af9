# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the ground is one slope, and how strides change on it."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths.grid import TimeGrid
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.durations import measure_grades, quicken_on_grades
from semi_procedural_locomotion.core.times.rides import ride_world
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import SlopedPlane
from tests.core.walkers import make_walker, native_walk

GRID = TimeGrid(0.0, 1.0 / 120.0, 1200)
# Rise over run of 9 degrees, and people's strides a second there beside those on the level.
STEEP, UP, DOWN = np.tan(np.radians(9.0)), 0.92 / 0.93, 0.99 / 0.93


def walk_on(find_heights, speed=1.2, names=("walk",), legs=2):
    """Grades of a way along x, whose heights are a function of its places (G,)."""
    rig, motions = make_walker(names, legs=legs)
    tables = pack_motions(rig, motions)
    travel = make_straight_travel(np.zeros(3), 0.0, np.array([speed, 0.0]), 0.0, 10.0)
    grades = measure_grades(tables, ride_world(GRID, travel), find_heights(speed * GRID.times))
    return tables, grades


@pytest.mark.parametrize("slope", [0.15, -0.15])
def test_a_plane_has_its_slope(slope):
    _, grades = walk_on(lambda ways: slope * ways)
    np.testing.assert_allclose(grades[200:-200], slope, rtol=1e-6)


def test_a_grade_begins_and_ends_within_its_ramp():
    _, grades = walk_on(lambda ways: 0.15 * np.clip(ways - 4.0, 0.0, 4.0))
    ways = 1.2 * GRID.times
    on = (ways > 4.0) & (ways < 8.0)
    assert grades[on].max() == pytest.approx(0.15, rel=1e-3)
    assert np.abs(grades[(ways < 3.8) | (ways > 8.2)]).max() < 0.01
    assert grades.min() > -1e-9


@pytest.mark.parametrize("kind", ["stairs", "bumps", "kerb"])
def test_stairs_bumps_and_kerbs_have_none(kind):
    heights = {
        "stairs": lambda ways: 0.15 * np.floor(ways / 0.4),
        "bumps": lambda ways: 0.05 * np.sin(2.0 * np.pi * ways / 0.6),
        "kerb": lambda ways: 0.15 * (ways > 5.0),
    }
    _, grades = walk_on(heights[kind])
    assert np.abs(grades).max() < 0.01


def test_who_stands_on_a_slope_climbs_nothing():
    _, grades = walk_on(lambda ways: 0.2 * ways, speed=1e-3)
    assert np.abs(grades).max() < 0.01


def test_strides_on_grades_are_those_of_people():
    tables, _ = walk_on(np.zeros_like)
    weights = np.tile([0.0, 1.0], (3, 1))
    quicker = quicken_on_grades(tables, weights, np.array([STEEP, 0.0, -STEEP]))
    np.testing.assert_allclose(quicker, [UP, 1.0, DOWN], rtol=1e-9)
    # Where the rest has a share, as in a start, less of it.
    half = quicken_on_grades(tables, 0.5 * weights, np.array([0.0, 0.0, -STEEP]))
    assert half[2] == pytest.approx(0.5 * (1.0 + DOWN))


@pytest.mark.parametrize(("names", "legs"), [(("run",), 2), (("walk",), 4)])
def test_runs_and_beasts_keep_their_strides(names, legs):
    tables, _ = walk_on(np.zeros_like, names=names, legs=legs)
    weights = np.tile([0.0, 1.0], (2, 1))
    assert np.all(quicken_on_grades(tables, weights, np.array([STEEP, -STEEP])) == 1.0)


@pytest.mark.parametrize(
    ("cycle_time", "quicker"), [("strides", 0.99 / 0.93), ("accelerations", 1.0)]
)
def test_a_walk_down_takes_shorter_steps(cycle_time, quicker):
    rig, motions = make_walker()
    walk = native_walk(motions)
    ahead = walk.velocity / walk.speed
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 6.0)
    settings = PlanSettings(max_climb=20.0, cycle_time=cycle_time)
    plan, level = (
        make_plan(rig, motions, travel, SlopedPlane(slope * ahead), settings)
        for slope in (-STEEP, 0.0)
    )
    middle = plan.grid.count // 2
    rates = [np.diff(p.times.phases)[middle] for p in (plan, level)]
    assert rates[0] / rates[1] == pytest.approx(quicker, rel=1e-3)
