# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of keys without any curve."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.keys.tables import join_key_tables, make_key_table


@pytest.mark.parametrize(
    "frames",
    [(8, 9), (1, 2), (4, 5), (4, 6), (3, 5), (3, 7), (0, 12), (7,), (3,)],
    ids=[
        "after",
        "before",
        "gap",
        "gap and key",
        "key and gap",
        "across",
        "around",
        "last",
        "first",
    ],
)
def test_joined_keys_are_in_order_and_those_of_the_first_table_come_first(frames):
    first = make_key_table(np.array([3, 6, 7]), np.zeros(3))
    second = make_key_table(np.array(frames), np.ones(len(frames)))
    joined = join_key_tables(first, second)
    pairs = [(f, 0) for f in (3, 6, 7)] + [(f, 1) for f in frames]
    assert [tuple(row) for row in joined.co.tolist()] == sorted(pairs)
    for name in ("handle_left", "handle_right", "interpolation"):
        ours = [*getattr(first, name).tolist(), *getattr(second, name).tolist()]
        order = sorted(range(len(pairs)), key=pairs.__getitem__)
        assert getattr(joined, name).tolist() == [ours[i] for i in order]
