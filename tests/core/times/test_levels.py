# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The level of the ground that the body walks on."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround, GroundStack, MeshGround
from semi_procedural_locomotion.core.times.levels import track_ground_level
from tests.core.prints.test_footholds import make_profile


def track(ground, distance=8.0, start_height=0.0, count=200):
    y = np.linspace(0.0, distance, count)
    positions = np.stack([np.zeros(count), y, np.full(count, start_height)], 1)
    return y, track_ground_level(ground, positions, np.zeros(count), 0.6)


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
