# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How high a swing is."""

from types import SimpleNamespace

import numpy as np
import pytest

from semi_procedural_locomotion.core.swings.heights import (
    limit_drops,
    share_lifts,
    soften_excess,
)
from semi_procedural_locomotion.core.swings.limits import HEIGHTS
from semi_procedural_locomotion.core.swings.records import SwingLifts


def make_row(places, headings):
    return SimpleNamespace(
        positions=np.array([[x, 0.0, 0.0] for x in places]), headings=np.array(headings)
    )


def test_a_step_deserves_the_root_of_its_share_of_a_full_one():
    full = HEIGHTS.full_lift * 1.5
    row = make_row([0.0, full, 1.25 * full, 1.25 * full], [0.0, 0.0, 0.0, 0.0])
    shares = share_lifts(row, np.full(3, 1.5), 0.25)
    assert shares == pytest.approx([1.0, 0.5, 0.0])


def test_a_turn_on_the_spot_counts_with_half_a_foot():
    row = make_row([0.0, 0.0], [0.0, 1.0])
    shares = share_lifts(row, np.full(1, 1.5), 0.3)
    assert shares == pytest.approx([np.sqrt(0.15 / (HEIGHTS.full_lift * 1.5))])


def test_an_excess_with_a_soft_corner_is_the_excess_beyond_it():
    width = np.full(5, 0.1)
    soft = soften_excess(np.array([-0.2, -0.1, 0.0, 0.1, 0.2]), width)
    assert soft == pytest.approx([0.0, 0.0, 0.025, 0.1, 0.2])


def test_a_swing_gives_up_no_more_than_it_has_room_for_or_most_of_its_height():
    lifts = SwingLifts.none(2)
    lifts.rooms[1] = 0.01
    states = SimpleNamespace(steps=np.array([[0], [1], [5]]), flight=np.full((3, 1), 0.5))
    drops = limit_drops(np.full((3, 1), 0.1), (lifts,), states)
    assert drops[:, 0] == pytest.approx([HEIGHTS.most_drop * 0.1, 0.01, 0.01])
