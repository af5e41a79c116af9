# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake's numbers as rows of words for the panel."""

from __future__ import annotations

from functools import lru_cache

from ...blender.values.schema import read_kept
from ...core.report.verdicts import judge_number
from ...notes.units import Units

# Name in the report, label in the panel, how it is shown.
_ROWS = (
    ("shown_off_plan", "Off Plan", "length"),
    ("feet_slide_worst", "Feet Slide", "length"),
    ("feet_sink_worst", "Feet Sink", "length"),
    ("shown_float_p99", "Feet Float", "length"),
    ("shown_swing_depth_worst", "Swing Depth", "length"),
    ("shown_body_depth_worst", "Body Depth", "length"),
    ("shown_off_travel_worst", "Beside the Travel", "length"),
    ("shown_foot_way_ratio", "Foot's Way in a Frame", "ratio"),
    ("shown_knee_speed_ratio", "Knee Speed", "ratio"),
    ("shown_hip_surge", "Hips Surge", "share"),
    ("shown_hip_sway", "Hips Sway", "share"),
    ("shown_hip_jerk_ratio", "Hip Jerk", "ratio"),
    ("shown_airborne_share", "Off the Ground", "share"),
)


@lru_cache(maxsize=32)
def list_report_rows(values: str, units: Units) -> tuple[tuple[str, str, str], ...]:
    """Label, text and verdict of each number of a report.

    The verdict is ``"good"``, ``"doubtful"``, ``"bad"``, or empty where there is none.

    Parameters
    ----------
    values
        The report's numbers as JSON; lengths are shares of ``leg_length``.
    units
        Those of the scene.
    """
    numbers = (read_kept("the report", "report", values) if values else None) or {}
    length = numbers.get("leg_length", 0.0)
    return tuple(
        (label, _write(numbers[key], kind, length, units), judge_number(key, numbers[key]) or "")
        for key, label, kind in _ROWS
        if key in numbers
    )


def _write(value: float, kind: str, length: float, units: Units) -> str:
    """One number with its unit."""
    if kind == "length":
        return f"{units.write_length(value * length)} ({value:.1%})"
    return f"{value:.2f} ×" if kind == "ratio" else f"{value:.1%}"
