# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of made gaits beside people who were measured; `figures` writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.measured import SHARES, MeasuredCurves, read_run, read_walk
from semi_procedural_locomotion.core.gaits.fitting import GaitStyle, find_gait
from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.gaits.presets import find_preset
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.report.svg import GREY, PALETTE, Line, Panel, Shape, draw_chart
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from tests.core.gait_rigs import build_biped

_BAND = "#dfe6ee"
_NAMES = ("thigh", "knee", "ankle")
_FOUR = ("front left", "front right", "hind left", "hind right")


def made_walks() -> str:
    """Thigh, knee and ankle of the made walk at three speeds, over those of people."""
    people = [read_walk(name) for name in ("slow", "free", "fast")]
    made = [_pose("walk", speed) for speed in (0.7, 1.3, 1.7)]
    panels = _draw(people, made, ("0.7 m/s", "1.3 m/s", "1.7 m/s"), with_band=1)
    return draw_chart(
        "Made walks (full) beside people (dashed; band: 1.3 m/s, one deviation)",
        "percent of a cycle from strike to strike",
        panels,
    )


def made_runs() -> str:
    """The same of the made run at two speeds."""
    people = [read_run(2.5), read_run(3.5)]
    made = [_pose("run", 2.5), _pose("run", 3.5)]
    panels = _draw(people, made, ("2.5 m/s", "3.5 m/s"), with_band=None)
    return draw_chart(
        "Made runs (full) beside people (dashed)",
        "percent of a cycle from strike to strike",
        panels,
    )


def made_footfalls() -> str:
    """When the feet of made gaits of four legs stand."""
    panels = []
    for name in ("walk", "trot", "gallop"):
        gait = find_preset(name, 4)
        shapes = []
        for row, (leg, strike) in enumerate(zip(_FOUR, gait.phases, strict=True)):
            for turn in (-1.0, 0.0, 1.0):
                first, last = strike + turn, strike + turn + gait.duty
                left, right = max(first, 0.0), min(last, 1.0)
                if left < right:
                    box = np.array([(100 * x, 3.0 - row + y) for x, y in _corners(left, right)])
                    shapes.append(Shape(box, PALETTE[row], leg))
        edge = Line(np.array([0.0, 100.0]), np.zeros(2), GREY)
        panels.append(Panel(name, "", [edge], shapes, limits=(0.0, 4.0), height=90.0))
    return draw_chart(
        "Feet on the ground: front left, front right, hind left, hind right",
        "percent of a cycle",
        panels,
    )


def _corners(left: float, right: float) -> tuple[tuple[float, float], ...]:
    """A bar of a row."""
    return ((left, 0.15), (right, 0.15), (right, 0.85), (left, 0.85))


def _pose(name: str, speed: float) -> dict[str, FloatArray]:
    """Angles of the left leg of a made gait, degrees, at each percent."""
    rig = build_biped()
    gait = replace(find_gait(rig, name, GaitStyle(speed=speed)), keys=100)
    clip = make_gait(rig, gait)
    _, positions = compute_global_poses(rig.skeleton, clip.rotations, clip.translations)
    hip, knee, ankle, toe = (
        positions[:, rig.skeleton.find_index(f"{bone}.L")][:, 1:]
        for bone in ("thigh", "shin", "foot", "toe")
    )
    thigh, shin = _measure_pitch(knee - hip), _measure_pitch(ankle - knee)
    foot = np.degrees(np.arctan2(toe[:, 1] - ankle[:, 1], toe[:, 0] - ankle[:, 0]))
    # The foot stands flat in the middle of the stance.
    flat = foot[round(50.0 * gait.duty)]
    return {"thigh": thigh, "knee": thigh - shin, "ankle": foot - flat - shin}


def _measure_pitch(ways: FloatArray) -> FloatArray:
    """Angle of segments (S, 2) ahead and up from hanging down, degrees."""
    return np.asarray(np.degrees(np.arctan2(ways[:, 0], -ways[:, 1])))


def _draw(
    people: Sequence[MeasuredCurves],
    made: Sequence[dict[str, FloatArray]],
    labels: Sequence[str],
    with_band: int | None,
) -> list[Panel]:
    """A panel for each joint."""
    panels = []
    for name in _NAMES:
        lines, shapes = [], []
        if with_band is not None:
            middle = getattr(people[with_band], name)
            spread = people[with_band].deviations[name]
            top = np.stack([SHARES, middle + spread], axis=1)
            low = np.stack([SHARES, middle - spread], axis=1)[::-1]
            shapes.append(Shape(np.concatenate([top, low]), _BAND, "one deviation of people"))
        for own, ours, label, colour in zip(people, made, labels, PALETTE, strict=False):
            lines.append(Line(SHARES, getattr(own, name), colour, "", dashed=True))
            lines.append(Line(SHARES, ours[name], colour, label, width=2.2))
        panels.append(Panel(name, "degrees", lines, shapes, level=0.0, height=170.0))
    return panels


FIGURES = (made_walks, made_runs, made_footfalls)
