# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines with heights of their own: they go along, and change nothing seen from above."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths.lines import is_closed, round_corners
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points

CHOICES = {"facing": 0.3, "corner_radius": 0.5, "ramp_time": 1.0, "height": 7.0}
CORNERS = np.array([[0.0, 0, 0], [4, 0, 1], [4, 4, 1], [0, 4, 3], [0, 1, 3]])


def test_heights_change_nothing_seen_from_above():
    flat = travel_from_points(CORNERS[:, :2], 1.2, WayChoices(**CHOICES))
    raised = travel_from_points(CORNERS, 1.2, WayChoices(**CHOICES))
    assert np.array_equal(raised.positions[:, :2], flat.positions[:, :2])
    assert np.array_equal(raised.yaws, flat.yaws)
    assert np.array_equal(flat.positions[:, 2], np.full(len(flat.times), 7.0))


def test_heights_are_those_of_the_line_beside_its_corners():
    line, _ = round_corners(CORNERS, 0.5)
    for x, y, z in line:
        if y == 0.0:
            assert z == pytest.approx(x / 4.0)
        elif x == 4.0:
            assert z == pytest.approx(1.0)
        elif y == 4.0:
            assert z == pytest.approx(3.0 - x / 2.0)
    assert np.abs(np.diff(line[:, 2])).max() < 1.8
    assert line[:, 2].min() == 0.0
    assert line[:, 2].max() == 3.0


def test_a_spiral_over_its_own_beginning_is_not_closed():
    angle = np.linspace(0.0, 4.0 * np.pi, 97)
    spiral = np.stack([np.cos(angle), np.sin(angle), 0.4 * angle], 1)
    assert not is_closed(spiral)
    assert is_closed(spiral * [1, 1, 0])
    assert is_closed(spiral[:, :2])
    travel = travel_from_points(spiral, 1.0, WayChoices(rounds=3.0, bend=0.5, **CHOICES))
    assert travel.positions[-1] == pytest.approx(spiral[-1])
    assert np.all(np.diff(travel.positions[:, 2]) >= 0.0)


@pytest.mark.parametrize("turn", [174.0, 178.5, 180.0])
def test_lines_that_turn_back_keep_their_heights(turn):
    angle = np.radians(180.0 - turn)
    back = [3.0 - 3.0 * np.cos(angle), 3.0 * np.sin(angle), 2.0]
    points = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 1.0], back])
    line, headings = round_corners(points, 0.5)
    flat, same = round_corners(points[:, :2], 0.5)
    assert np.array_equal(line[:, :2], flat)
    assert np.array_equal(headings, same)
    # Heights rise all along, as far as the way goes.
    assert np.all(np.diff(line[:, 2]) > 0.0)
    assert line[0, 2] == 0.0
    assert line[-1, 2] == 2.0
