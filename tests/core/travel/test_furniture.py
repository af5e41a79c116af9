# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Seats and benches on a way are furniture; stairs, stages, logs and stepping stones are ground."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.interface import sort_layers
from semi_procedural_locomotion.core.travel.walls import find_furniture, trace_way

LENGTH, STEP = 0.9, 0.55


class Blocks:
    """Boxes (x from, x to, base, top) without end to the sides, on a floor from -5 m on."""

    def __init__(self, *blocks):
        self._blocks = [(-5.0, 50.0, -1.0, 0.0), *blocks]

    def cast_all(self, points, times):
        found = [
            (ray, height, number, upwards)
            for number, (low, high, base, top) in enumerate(self._blocks)
            for ray in np.flatnonzero((points[:, 0] >= low) & (points[:, 0] <= high)).tolist()
            for height, upwards in ((top, True), (base, False))
        ]
        rays, heights, surfaces, upwards = map(np.array, zip(*found, strict=True))
        return sort_layers(rays, heights.astype(float), surfaces, upwards)

    def moving_surfaces(self):
        return frozenset()


def find(*blocks, level=0.0):
    times = np.linspace(0.0, 8.0, 200)
    places = np.stack([times, np.zeros(200)], axis=1)
    way = trace_way(times, places, np.full(200, level), LENGTH)
    return find_furniture(way, Blocks(*blocks), np.array([-0.1, 0.0, 0.1]), LENGTH, STEP)


def test_a_bench_is_furniture_and_told_where_it_is():
    (bench,) = find((3.0, 3.4, 0.0, 0.45))
    assert bench.surface == 1
    assert bench.time == pytest.approx(3.0, abs=0.03)
    assert bench.height == pytest.approx(0.45)
    assert 3.0 <= bench.place[0] <= 3.4
    assert not bench.too_high


def test_the_back_of_a_chair_is_too_high_and_its_seat_is_not():
    seat, back = find((3.0, 3.45, 0.40, 0.45), (3.42, 3.45, 0.45, 0.95), level=0.45)
    assert (seat.surface, back.surface) == (1, 2)
    assert (seat.too_high, back.too_high) == (False, True)


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param([(3.0, 3.3, 0.0, 0.3)], id="log"),
        pytest.param([(2.0, 5.0, 0.0, 0.45)], id="stage"),
        pytest.param([(7.6, 9.0, 0.0, 0.45)], id="end"),
        pytest.param([(1.0 + 0.7 * i, 1.4 + 0.7 * i, 0.0, 0.45) for i in range(7)], id="stones"),
        pytest.param([(2.0 + 0.3 * i, 9.0, 0.0, 0.17 * (i + 1)) for i in range(3)], id="stairs"),
        pytest.param([(3.0, 3.4, 0.9, 1.0)], id="table"),
    ],
)
def test_what_is_walked_on_or_walked_into_is_none(blocks):
    assert find(*blocks) == []
