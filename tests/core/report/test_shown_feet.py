# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep feet are in the ground by the shortest way out."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.report.limits import SHOWN_FEET
from semi_procedural_locomotion.core.report.shown_feet import (
    find_depths,
    find_ways_out,
    measure_heights,
)
from tests.core.grounds import GroundStack
from tests.core.times.test_levels import make_box

# A block whose top is at 0 and whose side at y = 0, over a floor far below; legs are 1 m long.
BLOCK = GroundStack([FlatGround(-1.0), make_box((-9, 0, -1), (9, 9, 0))])


def find(points):
    """Depths of feet (N, P, 3) in the block, metres."""
    times = np.zeros(len(points))
    heights, _ = measure_heights(points, times[:, None], BLOCK, 1.0)
    return find_depths(points, heights, times, BLOCK, 1.0)


def test_the_deepest_by_the_shortest_way_out_may_be_less_deep_straight_down():
    beside_the_side = [0.0, 0.001, -0.2]  # out by the shortest way to the side that is tried
    inside, higher = [0.0, 2.0, -0.03], [0.0, 2.0, -0.02]
    foot = np.array([[beside_the_side, higher, inside, [0.0, -1.0, 0.5]]])
    assert find(foot) == pytest.approx([0.03])
    assert find(foot[:, :1]) == pytest.approx([SHOWN_FEET.ways_out[0]])
    assert find(foot[:, 3:]) == pytest.approx([0.0])
    assert find(np.array([[[0.0, 2.0, -0.001]]])) == pytest.approx([0.001])


def test_no_point_that_could_be_deeper_is_left_out():
    random = np.random.default_rng(3)
    points = random.uniform((-1.0, -0.02, -0.1), (1.0, 0.08, 0.01), (40, 28, 3))
    times = np.zeros(40)
    heights, _ = measure_heights(points, times[:, None], BLOCK, 1.0)
    straight = np.maximum(-heights, 0.0)
    frame, point = np.nonzero(straight > 0.0)
    ways = np.zeros_like(straight)
    ways[frame, point] = find_ways_out(
        points[frame, point], straight[frame, point], times[frame], BLOCK, 1.0
    )
    assert find(points) == pytest.approx(ways.max(axis=1), abs=1e-12)
    assert (ways.max(axis=1) < straight.max(axis=1) - 0.01).sum() > 10
