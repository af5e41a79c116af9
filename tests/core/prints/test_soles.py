# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles on the ground, moved to where they have support."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.rims import FootRims
from semi_procedural_locomotion.core.prints.choice import choose_alone
from semi_procedural_locomotion.core.prints.soles import FootholdRules, SolePlaces, SoleShape
from tests.core.grounds import GroundStack

RULES = FootholdRules(0.6, 0.027, 1.0, search=True, most_way=0.45, most_rise=np.inf)
SHAPE = SoleShape(0.25, 0.1, leg_length=0.9, side=1.0, outline=np.zeros((0, 3)), rims=None)


def make_profile(points, half_width=3.0):
    """Ground extruded across x from (y, z) points."""
    vertices = np.array([[x, y, z] for y, z in points for x in (-half_width, half_width)])
    triangles = []
    for i in range(len(points) - 1):
        a = 2 * i
        triangles += [(a, a + 1, a + 3), (a, a + 3, a + 2)]
    return MeshGround(vertices, np.array(triangles))


class Placed:
    """Soles as they came to lie: height of the middle, rise along and across, way along and aside."""

    def __init__(self, stood, heels, headings):
        ahead = np.stack([np.cos(headings), np.sin(headings), 0.0 * headings], axis=1)
        left = np.stack([-ahead[:, 1], ahead[:, 0], 0.0 * headings], axis=1)
        toes = rot.rotate(stood.frames, np.array([SHAPE.length, 0.0, 0.0]))
        middles = stood.positions + 0.5 * toes
        self.heights = middles[:, 2]
        rises = [
            -np.sum(stood.normals * axis, axis=1) / stood.normals[:, 2] for axis in (ahead, left)
        ]
        self.slopes = np.stack(rises, axis=1)
        away = middles[:, :2] - heels - 0.5 * SHAPE.length * ahead[:, :2]
        self.shifts = np.stack(
            [np.sum(away * axis[:, :2], axis=1) for axis in (ahead, left)], axis=1
        )
        self.supports, self.found, self.surfaces = stood.supports, stood.found, stood.surfaces


def place(ground, heels, headings=None, levels=0.0, rules=RULES, shape=SHAPE):
    heels = np.asarray(heels, dtype=float)
    count = len(heels)
    headings = np.full(count, np.pi / 2) if headings is None else np.asarray(headings, dtype=float)
    levels = np.broadcast_to(np.asarray(levels, dtype=float), (count,)).copy()
    places = SolePlaces(heels, headings, np.zeros(count), levels)
    stood = choose_alone(ground, shape, rules, places)
    return Placed(stood, heels, headings)


def test_on_a_plane_a_sole_lies_flat_where_it_was_asked_for():
    placed = place(FlatGround(0.3), [[0, 0], [1, 2]], levels=0.3)
    assert np.allclose(placed.heights, 0.3)
    assert np.allclose(placed.slopes, 0.0, atol=1e-9)
    assert np.allclose(placed.shifts, 0.0)
    assert np.allclose(placed.supports, 1.0)
    assert placed.found.all()


@pytest.mark.parametrize("degrees", [10.0, 20.0, 30.0])
@pytest.mark.parametrize("heading", [0.0, 0.7, np.pi / 2, -np.pi / 2])
def test_on_a_ramp_a_sole_takes_its_slope_along_and_across(degrees, heading):
    rise = np.tan(np.radians(degrees))
    ramp = make_profile([(-5, -5 * rise), (5, 5 * rise)])
    placed = place(ramp, [[0.1, 0.2]], [heading], levels=0.2 * rise)
    assert placed.slopes[0, 0] == pytest.approx(rise * np.sin(heading), abs=1e-6)
    assert placed.slopes[0, 1] == pytest.approx(rise * np.cos(heading), abs=1e-6)
    middle = 0.2 + 0.125 * np.sin(heading)
    assert placed.heights[0] == pytest.approx(rise * middle, abs=1e-6)


def test_a_steeper_slope_than_allowed_is_not_taken():
    ramp = make_profile([(-5, -10), (5, 10)])
    rules = replace(RULES, reach=2.0, max_rise=0.5, search=False)
    placed = place(ramp, [[0, 0]], rules=rules)
    assert np.hypot(*placed.slopes[0]) <= 0.5 + 1e-9


def test_nothing_sticks_through_the_sole():
    bump = make_profile([(-2, 0), (0.1, 0), (0.13, 0.05), (0.16, 0), (2, 0)])
    placed = place(bump, [[0, 0]], rules=replace(RULES, search=False))
    stations = np.linspace(-0.01, 0.26, 12)
    plane = placed.heights[0] + placed.slopes[0, 0] * (stations - 0.125)
    profile = np.interp(stations, [-2, 0.1, 0.13, 0.16, 2], [0, 0, 0.05, 0, 0])
    tested = np.array([-0.0125, 0.0, 0.0625, 0.125, 0.1875, 0.25, 0.2625])
    at = np.interp(tested, [-2, 0.1, 0.13, 0.16, 2], [0, 0, 0.05, 0, 0])
    assert np.all(placed.heights[0] + placed.slopes[0, 0] * (tested - 0.125) >= at - 1e-9)
    assert plane.max() < profile.max() + 0.06


@pytest.mark.parametrize("height", [0.3, 0.45, 0.55])
def test_a_low_ceiling_is_no_foothold(height):
    vertices = np.array([[x, y, z] for z in (height, 2.0) for y in (-2, 2) for x in (-2, 2)])
    faces = np.array([[4, 5, 7], [4, 7, 6], [0, 3, 1], [0, 2, 3]])
    ground = GroundStack([MeshGround(vertices, faces), FlatGround(0.0)])
    placed = place(ground, [[0, 0], [0.3, 0.4]])
    assert np.allclose(placed.heights, 0.0)
    assert placed.surfaces.tolist() == [1, 1]


@pytest.mark.parametrize("start", [0.78, 0.85, 0.92, 0.97])
def test_a_sole_over_a_stair_edge_is_moved_onto_one_tread(start):
    stairs = make_profile([(-2, 0), (1, 0), (1, 0.17), (1.35, 0.17), (1.35, 0.34), (3, 0.34)])
    placed = place(stairs, [[0, start]], levels=0.1)
    assert placed.supports[0] >= 0.8
    heel = start + placed.shifts[0, 0]
    overhang = 0.03
    assert heel + 0.25 <= 1.0 + overhang or heel >= 1.0 - overhang


def test_a_sole_over_a_gap_is_moved_out_of_it():
    gap = make_profile([(-3, 0), (1, 0), (1, -3), (1.3, -3), (1.3, 0), (4, 0)])
    placed = place(gap, [[0, 0.95], [0, 1.1]])
    assert np.abs(placed.heights).max() < 0.01
    assert np.all(placed.supports > 0.7)


@pytest.mark.parametrize("below", [None, 0.3])
@pytest.mark.parametrize("search", [True, False])
def test_a_sole_half_over_a_ledge_does_not_lean_over_the_drop(below, search):
    points = [(-3, 0), (0.02, 0)]
    if below is not None:
        points += [(0.0201, -below), (3, -below)]
    ledge = make_profile(points)
    placed = place(ledge, [[0.0, 0.0]], [0.0], rules=replace(RULES, search=search))
    assert np.allclose(placed.slopes, 0.0, atol=1e-6)
    assert placed.heights[0] == pytest.approx(0.0, abs=1e-6)


def test_without_ground_nothing_is_found():
    placed = place(FlatGround(-50.0), [[0, 0]])
    assert not placed.found[0]
    assert placed.surfaces[0] == -1


def stand_by_a_wall(height, outline, foot=None, leg=None):
    """A sole that looks along +Y, 0.08 ahead of a wall of some height at its heel."""
    rims = None if foot is None else FootRims(foot, leg)
    wall = make_profile([(-5.0, height), (-0.08, height), (-0.0799, 0.0), (5.0, 0.0)])
    return place(wall, [[0.0, 0.0]], shape=replace(SHAPE, outline=np.array(outline), rims=rims))


FLAT = [(x, y, 0.0) for x in (0.0, 0.25) for y in (-0.05, 0.05)]


def test_a_heel_that_leans_back_keeps_out_of_the_wall_behind_it():
    leaning = [*FLAT, (-0.1, 0.0, 0.12)]
    assert np.allclose(stand_by_a_wall(0.3, FLAT).shifts, 0.0)
    moved = stand_by_a_wall(0.3, leaning).shifts[0]
    assert moved[0] > 0.02
    assert abs(moved[1]) < 1e-9
    # What is lower than the part that leans over it is no wall for it.
    assert np.allclose(stand_by_a_wall(0.1, leaning).shifts, 0.0)


def test_what_a_foot_rolls_through_is_kept_out_where_there_is_room():
    rim = np.array([*FLAT, (-0.12, 0.0, 0.08)])
    moved = stand_by_a_wall(0.3, FLAT, rim).shifts[0]
    assert moved[0] > 0.04


def test_a_leg_keeps_out_of_a_wall_as_far_as_it_can_with_its_foot_clear():
    foot = np.array([*FLAT, (-0.06, 0.0, 0.08)])
    leg = np.array([*foot, (-0.14, 0.0, 0.2)])
    moved = stand_by_a_wall(0.3, FLAT, foot, leg).shifts[0]
    assert moved[0] > 0.06
    # A shin that is over the wall is none in it.
    assert np.allclose(stand_by_a_wall(0.19, FLAT, foot, leg).shifts, 0.0)


def test_no_foot_goes_into_a_wall_for_its_leg():
    # Between a wall behind and one ahead there is no more room than the foot has.
    walls = make_profile(
        [(-5.0, 0.3), (-0.08, 0.3), (-0.0799, 0.0), (0.28, 0.0), (0.2801, 0.3), (5.0, 0.3)]
    )
    foot = np.array([*FLAT, (0.26, 0.0, 0.05)])
    leg = np.array([*foot, (-0.2, 0.0, 0.1)])
    shape = replace(SHAPE, outline=np.array(FLAT), rims=FootRims(foot, leg))
    placed = place(walls, [[0.0, 0.0]], shape=shape)
    assert placed.shifts[0, 0] + 0.26 < 0.28 or placed.heights[0] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("tread", "start", "turned"),
    [(0.27, 0.045, 0.035), (0.28, 0.055, 0.02), (0.28, -0.02, 0.02)],
)
def test_on_straight_treads_no_sole_goes_aside(tread, start, turned):
    treads = make_profile(
        [(-5.0, 0.0), (0.0, 0.0), (1e-4, 0.15), (tread, 0.15), (tread + 1e-4, 0.3), (5.0, 0.3)]
    )
    # Turned a little, and little shorter than the tread.
    placed = place(treads, [[0.0, start]], [np.pi / 2 + turned], levels=0.15)
    assert placed.shifts[0, 1] == pytest.approx(0.0, abs=1e-12)
    assert placed.supports[0] > 0.9
