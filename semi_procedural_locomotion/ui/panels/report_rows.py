# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake's numbers as rows of words for the panel."""

from __future__ import annotations

from functools import lru_cache

from ...blender.values.schema import read_kept
from ...core.report.verdicts import judge_number

_MILLIMETRES = 1000.0
# Name in the report, label in the panel, how it is shown.
_ROWS = (
    ("shown_off_plan", "Shown off Plan", "length"),
    ("feet_slide_worst", "Feet Slide", "length"),
    ("feet_sink_worst", "Soles Sink", "length"),
    ("slide_worst", "Slide by the Plan", "length"),
    ("sink_worst", "Sunk by the Plan", "length"),
    ("float_p99", "Soles Float", "length"),
    ("swing_depth_worst", "Swing Depth", "length"),
    ("foot_turn_excess", "Foot Turn", "angle"),
    ("knee_speed_ratio", "Knee Speed", "ratio"),
    ("hip_jerk_ratio", "Hip Jerk", "ratio"),
    ("reach_worst", "Reach", "share"),
    ("targets_missed", "Targets Missed", "number"),
    ("fidelity_rms", "Off the Motion", "length"),
    ("shown_slip_worst", "Shown Slip", "length"),
    ("shown_sink_worst", "Shown Sunk", "length"),
    ("shown_float_p99", "Shown Above", "length"),
    ("shown_swing_depth_worst", "Shown Swing Depth", "length"),
    ("shown_body_depth_worst", "Shown Body Depth", "length"),
    ("shown_foot_way_ratio", "Foot's Way in a Frame", "ratio"),
    ("shown_off_travel_worst", "Beside the Travel", "length"),
    ("shown_hip_surge", "Hips Surge", "share"),
    ("shown_hip_sway", "Hips Sway", "share"),
    ("shown_hip_jerk_ratio", "Hip Jerk in Space", "ratio"),
    ("shown_airborne_share", "Off the Ground", "share"),
)


@lru_cache(maxsize=32)
def list_report_rows(values: str) -> tuple[tuple[str, str, str], ...]:
    """Label, text and verdict of each number of a report.

    The verdict is ``"good"``, ``"doubtful"``, ``"bad"``, or empty where there is none.

    Parameters
    ----------
    values
        The report's numbers as JSON; lengths are shares of ``leg_length``, which is in metres,
        angles are in degrees.
    """
    numbers = (read_kept("the report", "report", values) if values else None) or {}
    length = numbers.get("leg_length", 0.0)
    return tuple(
        (label, _write(numbers[key], kind, length), judge_number(key, numbers[key]) or "")
        for key, label, kind in _ROWS
        if key in numbers
    )


def _write(value: float, kind: str, length: float) -> str:
    """One number with its unit."""
    if kind == "length":
        return f"{_MILLIMETRES * value * length:.1f} mm"
    if kind == "angle":
        return f"{round(value, 1) + 0.0:.1f}°"  # without the sign of a negative zero
    if kind == "ratio":
        return f"{value:.2f} ×"
    return f"{value:.1%}" if kind == "share" else f"{value:g}"
