# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of columns: rows of them are picked, replaced and joined."""

from dataclasses import dataclass

import numpy as np

from semi_procedural_locomotion.core.maths.columns import Columns


@dataclass(frozen=True)
class Places(Columns):
    heights: np.ndarray


@dataclass(frozen=True)
class Marks(Columns):
    name: str
    numbers: np.ndarray
    places: Places


def make_marks(name, numbers):
    return Marks(name, np.array(numbers), Places(0.1 * np.array(numbers)))


def test_records_are_joined_with_the_records_in_them():
    one, two = make_marks("one", [1, 2]), make_marks("two", [3])
    joined = Marks.join([one, two])
    assert joined.name == "one"
    assert joined.numbers.tolist() == [1, 2, 3]
    np.testing.assert_array_equal(joined.places.heights, 0.1 * joined.numbers)
    back = joined.select(np.array([2]))
    assert back.numbers.tolist() == [3]
    np.testing.assert_array_equal(back.places.heights, two.places.heights)


def test_rows_are_put_in_the_columns_that_others_have():
    places = make_marks("one", [1, 2, 3]).places
    changed = places.put(np.array([1]), Places(np.array([7.0])))
    np.testing.assert_allclose(changed.heights, [0.1, 7.0, 0.3])
    np.testing.assert_allclose(places.heights, [0.1, 0.2, 0.3])
