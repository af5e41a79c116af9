# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The path of a foot in its cycle, as it is drawn."""

import numpy as np

from semi_procedural_locomotion.core.drawing.shapes import (
    SIDE_COLOURS,
    make_footbase_path,
    read_path,
)
from tests.core.walkers import make_walker, native_walk


def test_a_path_is_bright_where_the_foot_stands():
    _, motions = make_walker()
    cycle = native_walk(motions).legs[0]
    names = ("lift", "off", "post_lift", "pre_land", "strike", "land")
    keys = {name: getattr(cycle, name) for name in names}
    shapes = make_footbase_path(cycle.footbases, cycle.stance, keys, "L", 1.0)
    rows = len(cycle.footbases)
    lines = shapes.points[: 2 * rows].reshape(rows, 2, 3)
    np.testing.assert_array_equal(lines[:, 0], cycle.footbases)
    np.testing.assert_array_equal(lines[:, 1], np.roll(cycle.footbases, -1, axis=0))
    bright = shapes.colours[: 2 * rows : 2, 3] == 1.0
    np.testing.assert_array_equal(shapes.colours[0, :3], SIDE_COLOURS["L"])
    # The foot goes back under the body while it stands, and rises where it does not.
    ahead = native_walk(motions).velocity
    ahead = np.array([*ahead / np.hypot(*ahead), 0.0])
    moves = (lines[:, 1] - lines[:, 0]) @ ahead
    assert (moves[bright] < 0).mean() > 0.95
    assert (moves[~bright] > 0).mean() > 0.8
    assert abs(bright.mean() - (1 - keys["strike"] + keys["off"])) < 2 / rows
    # A cross of two lines for the stance and each key time.
    assert len(shapes.points) == 2 * rows + 4 * 7
    cross = shapes.points[2 * rows : 2 * rows + 4]
    np.testing.assert_allclose(
        cross.mean(axis=0), read_path(cycle.footbases, np.array([cycle.stance]))[0]
    )


def test_a_path_is_read_around_its_seam():
    path = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 4.0, 0.0]])
    got = read_path(path, np.array([0.0, 0.125, 0.875, 1.25]))
    np.testing.assert_allclose(got, [[0, 0, 0], [0.5, 0, 0], [0, 2, 0], [1, 0, 0]])
