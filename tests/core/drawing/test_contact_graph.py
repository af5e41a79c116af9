# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The graph of a foot's heights and key times."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.contacts.edits import ContactEdit
from semi_procedural_locomotion.core.drawing.figures import (
    EDITED_COLOUR,
    FOUND_COLOUR,
    make_contact_graph,
    measure_heights,
)
from semi_procedural_locomotion.core.drawing.shapes import HEEL_COLOUR, TOE_COLOUR
from semi_procedural_locomotion.core.motions.analysis import AnalysisOptions, analyze_clip
from semi_procedural_locomotion.core.motions.changes import reverse_motion
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip


@pytest.fixture(scope="module")
def walk():
    """A clip and its rig."""
    clip, rig, _ = make_clip(Recipe())
    return clip, rig


def find_lines(graph, colour):
    """Lines of one colour, shape (n, 2, 2)."""
    points = np.concatenate([graph.lines.points, graph.curves.points])
    colours = np.concatenate([graph.lines.colours, graph.curves.colours])
    same = np.all(np.abs(colours[:, :3] - colour) < 1e-9, axis=1)
    return points[same][:, :2].reshape(-1, 2, 2)


def find_upright(graph, colour):
    """Phases at which lines of a colour go all the way up."""
    lines = find_lines(graph, colour)
    whole = (lines[:, 0, 0] == lines[:, 1, 0]) & (np.abs(lines[:, 1, 1] - lines[:, 0, 1]) == 1.0)
    inside = (lines[:, 0, 0] > 0) & (lines[:, 0, 0] < 1)
    return lines[whole & inside][:, 0, 0]


def test_heights_and_key_times_are_those_of_the_motion(walk):
    clip, rig = walk
    motion = analyze_clip(clip, rig)
    graph = make_contact_graph(motion, rig, 0)
    heights = measure_heights(motion, rig, 0)
    assert graph.top == heights.max()
    for column, colour in ((0, HEEL_COLOUR), (1, TOE_COLOUR)):
        lines = find_lines(graph, colour)
        assert len(lines) == len(heights)
        assert np.argmax(lines[:, 0, 1]) == np.argmax(heights[:, column])
        np.testing.assert_array_equal(lines[0, 0, 1], lines[-1, 1, 1])
    points = np.concatenate([graph.lines.points, graph.curves.points])
    assert points[:, :2].min() >= 0.0
    assert points[:, :2].max() <= 1.0
    times = motion.legs[0].contact_times
    assert list(find_upright(graph, FOUND_COLOUR)) == pytest.approx(
        [times.strike, times.stance, times.off]
    )
    assert len(find_lines(graph, EDITED_COLOUR)) == 0
    assert [text.split()[0] for _, text, _ in graph.labels] == ["Strike", "Stance", "Foot-Off"]


def test_edited_times_are_drawn_differently_beside_the_found_ones(walk):
    clip, rig = walk
    found = analyze_clip(clip, rig).legs[0].contact_times
    asked = ContactEdit(off=found.off - 0.08)
    options = AnalysisOptions(key_times={rig.legs[0].name: asked})
    graph = make_contact_graph(analyze_clip(clip, rig, options), rig, 0)
    assert list(find_upright(graph, EDITED_COLOUR)) == pytest.approx([asked.off])
    dashes = find_lines(graph, FOUND_COLOUR)
    broken = dashes[np.abs(dashes[:, 1, 1] - dashes[:, 0, 1]) < 0.1]
    broken = broken[broken[:, 0, 0] == broken[:, 1, 0]]
    assert len(broken) == 8
    np.testing.assert_allclose(broken[..., 0], found.off)
    assert [edited for _, _, edited in graph.labels] == [False, False, True]


def test_a_reversed_motion_is_drawn_as_its_action(walk):
    clip, rig = walk
    motion = analyze_clip(clip, rig)
    forwards = make_contact_graph(motion, rig, 1)
    backwards = make_contact_graph(reverse_motion(motion), rig, 1)
    np.testing.assert_allclose(backwards.curves.points, forwards.curves.points, atol=1e-9)
    np.testing.assert_allclose(backwards.lines.points, forwards.lines.points, atol=1e-9)
