# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces over each other: which of them carries, which is passed under."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.interface import sort_layers
from semi_procedural_locomotion.core.ground.layers import find_covered, split_layers
from semi_procedural_locomotion.core.ground.soles import cast_soles
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from tests.core.grounds import GroundStack
from tests.core.times.test_levels import make_box, make_sheet


def make_storeys(*surfaces):
    """One line from (height, surface, whether it looks up) in any order."""
    heights, ids, upwards = (np.array(column) for column in zip(*surfaces, strict=True))
    layers = sort_layers(np.zeros(len(heights), dtype=int), heights.astype(float), ids, upwards)
    (storeys,) = split_layers(layers, 1)
    return storeys


def test_rooms_end_at_the_next_surface_and_undersides_are_inside():
    storeys = make_storeys((0, 0, True), (2.4, 1, False), (2.7, 1, True), (1.0, 2, False))
    assert storeys.heights.tolist() == [2.7, 2.4, 1.0, 0.0]
    assert storeys.rooms == pytest.approx([np.inf, 0.3, 1.4, 1.0])
    assert storeys.insides.tolist() == [False, True, False, False]
    assert storeys.surfaces.tolist() == [1, 1, 2, 0]


def test_lines_without_surfaces_have_none():
    layers = make_sheet(0.0, (0, 0), (1, 1)).cast_all(
        np.array([[5.0, 5, 0], [0.5, 0.5, 0], [7, 7, 0]]), np.zeros(3)
    )
    assert [len(storeys.heights) for storeys in split_layers(layers, 3)] == [0, 1, 0]


@pytest.mark.parametrize(
    ("surfaces", "level", "expected"),
    [
        ([(0, 0, True), (0.4, 1, True)], 0.0, 0.4),  # a step
        ([(0, 0, True), (0.4, 1, False), (0.9, 1, True)], 0.0, 0.0),  # under a beam
        ([(0, 0, True), (0.4, 1, True), (0.7, 2, True)], 0.0, 0.0),  # shelves
        ([(0, 0, True), (0.3, 1, True), (1.2, 2, True)], 0.0, 0.3),  # a step in a low passage
        ([(0, 0, True), (0.1, 1, False), (9.0, 1, True)], 0.0, 0.0),  # into a mountain
        ([(0, 0, True), (3.0, 1, True)], 1.5, None),  # neither
    ],
)
def test_what_is_gone_on_to(surfaces, level, expected):
    storeys = make_storeys(*surfaces)
    found = storeys.find_reachable(level, 0.6, 1.35, inside=False)
    assert (None if found is None else storeys.heights[found]) == expected


def test_soles_pass_under_beams_and_step_on_steps():
    beam = make_box((-1, 1, 0.45), (1, 2, 0.8))
    step = make_box((-1, 3, 0.0), (1, 4, 0.45))
    ground = GroundStack([FlatGround(0.0), beam, step])
    points = np.array([[0, 0.5], [0, 1.5], [0, 2.5], [0, 3.5]])
    plain = cast_soles(ground, points, np.array(0.6), np.array(0.0))
    assert plain.heights == pytest.approx([0.0, 0.45, 0.0, 0.45])
    seen = cast_soles(ground, points, np.array(0.6), np.array(0.0), floors=np.array(0.0))
    assert seen.heights == pytest.approx([0.0, 0.0, 0.0, 0.45])
    assert seen.surfaces.tolist() == [0, 0, 0, 2]
    alone = GroundStack([beam, make_sheet(-5.0)])
    seen = cast_soles(alone, points, np.array(0.6), np.array(0.0), floors=np.array(0.0))
    assert seen.heights == pytest.approx(-5.0)


@pytest.mark.parametrize(
    ("surfaces", "height", "expected"),
    [
        ([(0, 0, True), (0.5, 1, False), (0.6, 1, True)], 0.3, 0.0),  # under a shelf
        ([(0, 0, True), (0.5, 1, False), (0.6, 1, True)], 0.55, None),  # in it
        ([(0, 0, True), (1.2, 1, True)], 0.9, 0.0),  # under a sheet
        ([(0, 0, True), (0.3, 1, True)], 0.2, None),  # in a hill over a plane
        ([(0, 0, True), (1.2, 1, True), (0.0, 1, False)], 0.9, None),  # in a block
        ([(1.2, 1, True)], 0.9, None),  # under all there is
    ],
)
def test_points_under_a_roof_belong_to_the_floor(surfaces, height, expected):
    storeys = make_storeys(*surfaces)
    found = storeys.find_under_roof(height, level=0.0, roof=1.1)
    assert (None if found is None else storeys.heights[found]) == expected


def test_covered_lines_have_surfaces_over_and_under_a_height():
    # A sheet at 1, one at 0 below, a height on the lower one, and above and below both.
    rays = np.array([0, 1, 1, 2, 2, 3, 3, 4, 4])
    heights = np.array([1.0, *(1.0, 0.0) * 4])
    layers = sort_layers(rays, heights, np.zeros(9, dtype=int), np.ones(9, dtype=bool))
    covered = find_covered(layers, np.array([0.5, 0.5, 0.0, 1.5, -0.5]))
    assert covered.tolist() == [1, 2]
    chosen = split_layers(layers, 5, covered)
    assert [storeys.heights.tolist() for storeys in chosen] == [[1.0, 0.0]] * 2
