# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Duplicated footsteps find their place in the run."""

import numpy as np

from semi_procedural_locomotion.core.footsteps.layout import insert_steps

AHEAD = np.array([1.2, 0.0])


def make_run(count):
    """Places (N, 2) and legs of a run along +X, 0.6 m a step."""
    numbers = np.arange(count)
    return np.stack([0.6 * numbers, 0.1 * (-1.0) ** numbers], axis=1), ["L", "R"] * (count // 2)


def test_without_new_steps_the_order_stays():
    places, legs = make_run(6)
    assert insert_steps(places, legs, 6) == list(range(6))
    assert insert_steps(places[:0], [], 0) == []


def test_a_pair_moved_ahead_goes_on_with_the_run():
    places, legs = make_run(6)
    doubles = places[4:] + AHEAD
    assert insert_steps(np.concatenate([places, doubles]), [*legs, "L", "R"], 6) == list(range(8))


def test_a_step_moved_between_others_comes_between_them():
    places, legs = make_run(6)
    gap = np.concatenate([places[:3], places[3:] + AHEAD])
    inserted = np.array([[1.8, -0.1], [2.4, 0.1]])
    order = insert_steps(np.concatenate([gap, inserted]), [*legs, "R", "L"], 6)
    assert order == [0, 1, 2, 6, 7, 3, 4, 5]


def test_legs_step_in_turn_where_that_costs_little():
    places, legs = make_run(4)
    # Beside the third step: after the second, since that is taken by the other leg.
    order = insert_steps(np.concatenate([places, [[1.2, -0.1]]]), [*legs, "R"], 4)
    assert order in ([0, 1, 2, 4, 3], [0, 1, 4, 2, 3])
    assert insert_steps(np.array([[0.0, 0.0], [-0.6, 0.0]]), ["L", "R"], 1) == [0, 1]
