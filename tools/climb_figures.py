# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure of the made walk on stairs beside people who were measured; `figures` writes it.

Of people on stairs only the peaks of their joints are known, with the deviation between people, and when
they come: M. Protopapadaki and others, Clin Biomech 22, 2007, 33 adults on treads of 18 by 28.5 cm.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.report.svg import GREY, PALETTE, Line, Panel, Shape, draw_chart

STRIDES = Path(__file__).resolve().parent.parent / "benchmarks" / "stair_strides.csv"
_BAND = "#cfe0cf"


@dataclass(frozen=True)
class _Peak:
    """A peak of people: degrees, deviation, and the percents of a stride in which it comes."""

    angle: float
    deviation: float
    first: float = 0.0
    last: float = 100.0


_PEAKS = {
    ("up", "hip"): (_Peak(65.0, 7.0, 75.0, 100.0),),
    ("up", "knee"): (_Peak(94.0, 7.0, 75.0, 95.0),),
    ("up", "ankle"): (_Peak(11.0, 4.0), _Peak(-31.0, 5.0, 55.0, 75.0)),
    ("down", "hip"): (_Peak(40.0, 8.0, 70.0, 95.0),),
    ("down", "knee"): (_Peak(91.0, 7.0, 60.0, 80.0),),
    ("down", "ankle"): (_Peak(21.0, 4.0, 40.0, 65.0), _Peak(-40.0, 6.0, 88.0, 100.0)),
}


def made_stairs() -> str:
    """Hip, knee and ankle of the made walk, up and down, over the peaks of people."""
    strides: dict[tuple[str, str], list[FloatArray]] = {}
    with STRIDES.open(encoding="utf-8", newline="") as file:
        for direction, joint, _, *angles in list(csv.reader(file))[1:]:
            row = np.array(angles, dtype=np.float64)
            strides.setdefault((direction, joint), []).append(row)
    panels = []
    for (direction, joint), peaks in _PEAKS.items():
        curves = strides[direction, joint]
        shares = np.linspace(0.0, 100.0, len(curves[0]))
        shapes = [Shape(_outline(peak), _BAND, "peak of people, one deviation") for peak in peaks]
        lines = [Line(shares, curve, GREY, "strides") for curve in curves]
        lines.append(Line(shares, np.mean(curves, axis=0), PALETTE[0], "mean", width=2.2))
        drawn = np.concatenate([*curves, *(shape.points[:, 1] for shape in shapes)])
        limits = (min(float(drawn.min()), 0.0) - 5.0, float(drawn.max()) + 5.0)
        panels.append(
            Panel(f"{joint}, {direction}", "degrees", lines, shapes, (), limits, 0.0, 120.0)
        )
    return draw_chart(
        "The made walk on stairs of 18 by 28.5 cm over peaks of people (bands: one deviation)",
        "percent of a stride from strike to strike",
        panels,
    )


def _outline(peak: _Peak) -> FloatArray:
    """Corners of a band, (4, 2)."""
    low, high = peak.angle - peak.deviation, peak.angle + peak.deviation
    left, right = peak.first, peak.last
    return np.array([[left, low], [right, low], [right, high], [left, high]])


FIGURES = (made_stairs,)
