# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The level of the ground that the body walks on."""

import itertools

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.times.levels import LevelRules, track_ground_level
from tests.core.grounds import GroundStack
from tests.core.prints.test_soles import make_profile

STEP, ROOM = 0.6, 1.35


def track(ground, distance=8.0, start_height=0.0, count=200, sole=0.0):
    y = np.linspace(0.0, distance, count)
    positions = np.stack([np.zeros(count), y, np.full(count, start_height)], 1)
    rules = LevelRules(STEP, ROOM, sole)
    return y, track_ground_level(ground, positions, np.zeros(count), rules)


def make_sheet(z, low=(-9.0, -9.0), high=(9.0, 17.0)):
    """A rectangle that looks up, or down for swapped corners."""
    (x0, y0), (x1, y1) = low, high
    corners = np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])
    return MeshGround(corners, np.array([[0, 1, 2], [0, 2, 3]]))


def make_box(low, high, inwards=False):
    """A closed box from one corner to the other, whose faces look outwards or inwards."""
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=float)
    quads = np.array(
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    )
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    return MeshGround(low + corners * (high - low), triangles[:, ::-1] if inwards else triangles)


def make_spiral(turns, rise, radius=2.0, width=1.2, count=48):
    """A ramp about the z axis, single sheet, and its middle line."""
    angle = np.linspace(0.0, 2 * np.pi * turns, int(count * turns) + 1)
    z = rise * angle / (2 * np.pi)
    rims = [
        np.stack([r * np.cos(angle), r * np.sin(angle), z], 1)
        for r in (radius - width / 2, radius + width / 2)
    ]
    first = np.arange(len(angle) - 1)
    n = len(angle)
    triangles = np.concatenate(
        [
            np.stack([first, first + n, first + n + 1], 1),
            np.stack([first, first + n + 1, first + 1], 1),
        ]
    )
    line = np.stack([radius * np.cos(angle), radius * np.sin(angle), z], 1)
    return MeshGround(np.concatenate(rims), triangles), line


def follow(ground, line, count=600, **rules):
    """Levels along a line of points at even distances."""
    steps = rot.lengths(np.diff(line, axis=0))
    way = np.concatenate([[0.0], np.cumsum(steps)])
    places = np.linspace(0.0, way[-1], count)
    positions = np.stack([np.interp(places, way, line[:, k]) for k in range(3)], 1)
    chosen = LevelRules(STEP, ROOM, **rules)
    return positions, track_ground_level(ground, positions, np.zeros(count), chosen)


@pytest.mark.parametrize("height", [1.2, 2.0, 4.0])
@pytest.mark.parametrize("thickness", [0.0, 0.25])
def test_a_ceiling_never_carries(height, thickness):
    floor = FlatGround(0.0)
    ceiling = make_sheet(height)
    if thickness:
        ceiling = make_box((-9, -9, height), (9, 17, height + thickness))
    assert np.allclose(track(GroundStack([floor, ceiling]))[1], 0.0)
    assert np.allclose(track(GroundStack([ceiling, floor]), start_height=0.3)[1], 0.0)


@pytest.mark.parametrize("height", [1.2, 2.0, 4.0])
@pytest.mark.parametrize("inwards", [False, True])
def test_a_closed_box_is_a_room_for_who_stands_on_its_floor_and_a_block_for_who_stands_on_it(
    height, inwards
):
    box = make_box((-9, -9, 0), (9, 17, height), inwards)
    assert np.allclose(track(box)[1], 0.0)
    assert np.allclose(track(box, start_height=height)[1], height)


def test_of_two_storeys_the_one_with_the_soles_is_walked_on():
    house = GroundStack([make_box((-9, -9, z - 0.3), (9, 17, z)) for z in (0.0, 2.8, 5.6)])
    for storey in (0.0, 2.8, 5.6):
        assert np.allclose(track(house, start_height=storey)[1], storey)
        # The origin may be at the hips.
        assert np.allclose(track(house, start_height=storey + 0.9, sole=-0.9)[1], storey)
        # Soles of a clip may be off where the origin is not.
        assert np.allclose(track(house, start_height=storey, sole=1.8)[1], storey)


def test_who_hangs_over_the_ground_or_is_under_it_takes_what_is_there():
    assert np.allclose(track(FlatGround(0.0), start_height=5.0)[1], 0.0)
    assert np.allclose(track(FlatGround(0.0), start_height=-5.0)[1], 0.0)
    assert np.allclose(track(make_sheet(50.0, (40, 40), (50, 50)), start_height=0.7)[1], 0.7)


@pytest.mark.parametrize(
    ("way", "own", "level"), [(0.0, 3.0, 0.0), (9.0, 3.0, 3.0), (-2.0, 6.0, 6.0)]
)
def test_a_way_that_is_near_to_no_floor_begins_where_the_character_stands(way, own, level):
    house = GroundStack([make_sheet(z) for z in (0.0, 3.0, 6.0)])
    positions = np.stack([np.zeros(50), np.linspace(0, 3, 50), np.full(50, way)], 1)
    rules = LevelRules(STEP, ROOM, own_height=own)
    assert np.allclose(track_ground_level(house, positions, np.zeros(50), rules), level)


@pytest.mark.parametrize("bottom", [0.35, 1.0, 1.6])
def test_a_beam_across_the_way_is_passed_under_unless_it_is_a_step(bottom):
    beam = make_box((-3, 3, bottom), (3, 3.4, bottom + 0.2))
    y, levels = track(GroundStack([FlatGround(0.0), beam]))
    under = (y > 3.0) & (y < 3.4)
    assert np.allclose(levels[~under], 0.0)
    assert np.allclose(levels[under], 0.55 if bottom < STEP - 0.2 else 0.0)


def test_shelves_over_each_other_are_no_ladder():
    boards = [make_box((-1, 3, z), (1, 6, z + 0.02)) for z in (0.4, 0.8, 1.2, 1.6)]
    _, levels = track(GroundStack([FlatGround(0.0), *boards]))
    assert np.allclose(levels, 0.0)


def test_the_inside_of_a_boulder_is_not_climbed():
    angle = np.linspace(0.0, 2 * np.pi, 25)[:-1]
    rings = [(0.0, 2.8), (0.5, 3.0), (0.9, 3.4)]
    vertices = [
        (r * np.cos(a), 4.0 + r * np.sin(a), z)
        for z, r in [(0.3, 0.8), (0.6, 1.6), *((2.0 + h, 2.0 - h) for h, _ in rings)]
        for a in angle
    ]
    ids = np.arange(len(vertices)).reshape(-1, 24)
    triangles = []
    for low, high in itertools.pairwise(ids):
        for k in range(24):
            a, b, c, d = low[k], low[(k + 1) % 24], high[(k + 1) % 24], high[k]
            triangles += [(a, b, c), (a, c, d)]
    for ring, turn in ((ids[0], -1), (ids[-1], 1)):
        triangles += [(ring[0], ring[k], ring[k + 1])[::turn] for k in range(1, 23)]
    boulder = MeshGround(np.array(vertices), np.array(triangles))
    layers = boulder.cast_all(np.array([[0.0, 4.0, 0.0]]), np.zeros(1))
    assert layers.upwards.tolist() == [True, False]
    _, levels = track(GroundStack([FlatGround(0.0), boulder]))
    assert np.allclose(levels, 0.0)


def test_what_lies_behind_the_start_does_not_choose_its_level():
    balcony = make_box((-2, 2, 2.7), (2, 9, 3.0))
    y = np.linspace(-3.0, 8.0, 200)
    positions = np.stack([np.zeros(200), y, np.full(200, 3.0)], 1)
    start = int(np.argmin(np.abs(y - 2.5)))
    rules = LevelRules(STEP, ROOM, start=start)
    levels = track_ground_level(
        GroundStack([FlatGround(0.0), balcony]), positions, np.zeros(200), rules
    )
    assert np.allclose(levels[y > 2.0], 3.0)
    assert levels[0] == pytest.approx(0.0)


@pytest.mark.parametrize("turns", [1.0, 2.5])
@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("flat", [False, True])
def test_a_spiral_is_climbed_and_left_again(turns, down, flat):
    ramp, line = make_spiral(turns, 2.4)
    ground = GroundStack([FlatGround(0.0), ramp])
    heights = line[::-1, 2] if down else line[:, 2]
    way = (line[::-1] if down else line).copy()
    if flat:
        way[:, 2] = way[0, 2]
    _, levels = follow(ground, way)
    wanted = np.interp(np.linspace(0, 1, 600), np.linspace(0, 1, len(line)), heights)
    assert np.abs(levels - wanted).max() < 0.02


def test_a_way_with_heights_goes_down_where_it_goes_down():
    floor = FlatGround(0.0)
    wall = make_box((-2, -3, 1.9), (2, 3, 2.0))
    line = np.array([[0, 0, 2.0], [0, 2.9, 2.0], [0, 3.5, 0.0], [0, 8, 0.0]])
    positions, levels = follow(GroundStack([floor, wall]), line)
    past = positions[:, 1] > 3.6
    assert np.allclose(levels[past], 0.0)
    assert np.allclose(levels[positions[:, 1] < 3.0], 2.0)


def test_a_way_with_heights_comes_back_to_its_storey_after_a_gap():
    floor = FlatGround(0.0)
    slabs = [make_box((-2, y0, 2.7), (2, y1, 3.0)) for y0, y1 in ((-1, 3), (7, 12))]
    ramp = MeshGround(
        np.array([[-2, -9, 0.0], [2, -9, 0.0], [2, -1, 3.0], [-2, -1, 3.0]]),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    ground = GroundStack([floor, *slabs, ramp])
    line = np.array([[0, -9, 0.0], [0, -1, 3.0], [0, 12, 3.0]])
    positions, levels = follow(ground, line)
    assert np.allclose(levels[(positions[:, 1] > 7) & (positions[:, 1] < 11.9)], 3.0)
    line[:, 2] = 0.0
    positions, levels = follow(ground, line)
    assert np.allclose(levels[positions[:, 1] > 7], 0.0)


def test_a_way_with_rough_heights_stays_on_what_it_walks_on():
    storeys = [make_sheet(z) for z in (0.0, 2.6)]
    y = np.linspace(0.0, 12.0, 400)
    rough = np.stack([0 * y, y, 0.9 * np.sin(y)], 1)
    rules = LevelRules(STEP, ROOM)
    levels = track_ground_level(GroundStack(storeys), rough, np.zeros(400), rules)
    assert np.allclose(levels, 0.0)


def test_a_roof_above_changes_nothing():
    roof = MeshGround(
        np.array([[-5, 2, 2.2], [5, 2, 2.2], [5, 6, 2.2], [-5, 6, 2.2]], float),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    _, levels = track(GroundStack([FlatGround(0.0), roof]))
    assert np.allclose(levels, 0.0)


def test_a_bridge_over_a_valley_carries():
    valley = make_profile([(-5, 0), (3, 0), (3.5, -3), (5.5, -3), (6, 0), (20, 0)])
    deck = MeshGround(
        np.array([[-1, 2.8, 0.05], [1, 2.8, 0.05], [1, 6.2, 0.05], [-1, 6.2, 0.05]], float),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    y, levels = track(GroundStack([valley, deck]))
    on_deck = (y > 2.9) & (y < 6.1)
    assert np.allclose(levels[on_deck], 0.05)


def test_under_the_bridge_the_valley_carries_when_the_walk_starts_there():
    valley = FlatGround(-3.0)
    deck = MeshGround(
        np.array([[-1, -5, 0.05], [1, -5, 0.05], [1, 16, 0.05], [-1, 16, 0.05]], float),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    _, levels = track(GroundStack([valley, deck]), start_height=-3.0)
    assert np.allclose(levels, -3.0)


def test_a_gap_is_bridged_in_a_straight_line():
    gap = make_profile([(-3, 0), (3, 0), (3, -4), (3.5, -4), (3.5, 0.1), (20, 0.1)])
    _, levels = track(gap)
    assert levels.min() >= 0.0
    assert levels[-1] == pytest.approx(0.1)


def test_a_high_platform_edge_is_walked_off_in_the_end():
    edge = make_profile([(-3, 2), (3, 2), (3, 0), (20, 0)])
    _, levels = track(edge, start_height=2.0)
    assert levels[0] == pytest.approx(2.0)
    assert levels[-1] == pytest.approx(0.0)
