# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots are whole SVG documents whose lines lie where the numbers say."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from semi_procedural_locomotion.core.drawing.shapes import outline_soles
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.report.svg import (
    Line,
    Panel,
    Shape,
    draw_chart,
    draw_map,
    find_spans,
)

SVG = "{http://www.w3.org/2000/svg}"


def read_points(element):
    """Pixels of a polyline or polygon."""
    return np.array([pair.split(",") for pair in element.get("points").split()], dtype=float)


def test_lines_are_linear_in_pixels_and_broken_by_nan():
    x = np.arange(7.0)
    y = np.array([0.0, 1, 2, np.nan, 4, 5, 6])
    panel = Panel("P", "m", [Line(x, y, "#000000", "a < b")], limits=(0.0, 6.0), height=120.0)
    root = ElementTree.fromstring(draw_chart("Title & more", "frame", [panel], [(3.0, "here")]))
    pieces = [read_points(e) for e in root.iter(f"{SVG}polyline")]
    assert [len(p) for p in pieces] == [3, 3]
    points = np.concatenate(pieces)
    known = np.isfinite(y)
    scale_x, scale_y = np.ptp(points[:, 0]) / 6, np.ptp(points[:, 1]) / 6
    assert np.allclose(points[:, 0] - points[0, 0], x[known] * scale_x, atol=0.06)
    assert np.allclose(points[0, 1] - points[:, 1], y[known] * scale_y, atol=0.06)
    assert scale_y == pytest.approx(20.0, abs=0.02)
    words = [e.text for e in root.iter(f"{SVG}text")]
    assert {"Title & more", "a < b", "here", "frame", "P"} <= set(words)


def test_panels_do_not_overlap_and_fit():
    panels = [Panel(str(i), "m", [Line(np.arange(3.0), np.ones(3), "red")]) for i in range(5)]
    root = ElementTree.fromstring(draw_chart("T", "x", panels))
    height = float(root.get("height"))
    frames = [e for e in root.iter(f"{SVG}rect") if e.get("fill") == "none"]
    tops = [float(e.get("y")) for e in frames]
    ends = [t + float(e.get("height")) for t, e in zip(tops, frames, strict=True)]
    assert len(frames) == 5
    assert all(end < top for end, top in zip(ends[:-1], tops[1:], strict=True))
    assert ends[-1] < height


@pytest.mark.parametrize("spread", [1e-9, 3e-4, 1.0, 47.0, 12345.0])
def test_ticks_are_round_and_inside(spread):
    line = Line(np.linspace(0, spread, 9), np.linspace(-spread, spread, 9), "red")
    text = draw_chart("T", "x", [Panel("P", "y", [line])])
    numbers = [t for t in re.findall(r">(-?[\d.]+)<", text) if t != ""]
    values = np.array([float(t) for t in numbers])
    assert 4 <= len(values) <= 30
    assert np.all(np.abs(values) <= spread * 1.13)


def test_a_map_has_equal_scales():
    square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    way = Line(np.array([-1.0, 5]), np.array([0.0, 1]), "red")
    root = ElementTree.fromstring(draw_map("T", "x", "y", [way], [Shape(square, "blue", "print")]))
    (polygon,) = root.iter(f"{SVG}polygon")
    width, height = np.ptp(read_points(polygon), axis=0)
    assert width == pytest.approx(height, abs=0.2)
    assert [e.text for e in polygon] == ["print"]


def test_spans_include_single_samples():
    x = np.arange(10.0, 16.0)
    inside = np.array([True, False, True, True, False, True])
    assert find_spans(x, inside) == [(9.5, 10.5), (11.5, 13.5), (14.5, 15.5)]
    assert find_spans(x, np.zeros(6, bool)) == []


def test_outlines_lie_in_the_plane_of_the_print():
    frame = rot.quaternions_from_axis_angles(rot.normalize(np.array([1.0, 2, 3])), 0.7)
    place = np.array([1.0, -2.0, 3.0])
    (outline,) = outline_soles(place[None], frame[None], 0.3, 0.1, "L")
    local = rot.rotate(rot.conjugate(frame), outline - place)
    assert np.allclose(local[:, 2], 0.0, atol=1e-12)
    assert local[:, 0].min() == pytest.approx(0.0, abs=1e-12)
    assert local[:, 0].max() == pytest.approx(0.3)
    assert -local[:, 1].min() == pytest.approx(0.05)
    assert local[:, 1].max() < 0.045
    x, y = local[:, 0], local[:, 1]
    area = 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
    assert 0.6 * 0.03 < area < 0.03
