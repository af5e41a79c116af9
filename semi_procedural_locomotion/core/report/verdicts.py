# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From which value on a number of a walk is doubtful, and from which it is bad."""

from __future__ import annotations

from dataclasses import dataclass

GOOD, DOUBTFUL, BAD = "good", "doubtful", "bad"


@dataclass(frozen=True)
class Bar:
    """Limits of one number of a report.

    Attributes
    ----------
    key
        Its name in report.json.
    good
        Up to here it is good: what viewers see as better.
    bad
        Beyond here it is bad, between the two it is doubtful.
    source
        Where the limits come from.
    """

    key: str
    good: float
    bad: float
    source: str

    @property
    def unit(self) -> float:
        """What values are divided by to compare how far numbers of unlike kinds are beyond their bars."""
        return self.good or self.bad / 3.0


_BAR = "what viewers see as better"
_STUDY = f"{_BAR}; what a prototype reached on real clips and grounds"
_THRICE = f"{_BAR}; three times that"

BARS = (
    Bar("feet_slide_worst", 0.005, 0.015, _THRICE),
    Bar("feet_sink_worst", 0.006, 0.012, f"{_BAR}; twice that, a sole's thickness"),
    Bar("shown_slip_worst", 0.005, 0.015, _THRICE),
    Bar("shown_sink_worst", 0.006, 0.012, f"{_BAR}; twice that, a sole's thickness"),
    Bar("shown_float_p99", 0.015, 0.03, f"{_BAR} on curved ground; twice that"),
    Bar("shown_swing_depth_worst", 0.01, 0.018, _STUDY),
    Bar("shown_body_depth_worst", 0.0, 0.03, f"{_BAR}; the depth that is seen at once"),
    Bar("shown_foot_way_ratio", 1.5, 2.0, f"{_BAR}; a foot at twice the speed of its clip jumps"),
    Bar("shown_knee_speed_ratio", 2.0, 3.6, f"{_STUDY}; both on stairs"),
    Bar("shown_off_travel_worst", 0.005, 0.05, f"{_BAR}; a hand's breadth for a grown person"),
    Bar("shown_hip_surge", 0.1, 0.46, _STUDY),
    Bar("shown_hip_sway", 0.1, 0.46, _STUDY),
    Bar("shown_hip_jerk_ratio", 1.25, 3.0, _STUDY),
    Bar("shown_airborne_share", 0.0, 0.02, f"{_BAR}; one frame of a cycle in two"),
    Bar("shown_off_plan", 0.005, 0.015, _THRICE),
)
"""Limits of all numbers that have any."""

_BY_KEY = {bar.key: bar for bar in BARS}


def find_bar(key: str) -> Bar:
    """Limits of the number of that name; ``KeyError`` where it has none."""
    return _BY_KEY[key]


def judge_number(key: str, value: float | None) -> str | None:
    """``"good"``, ``"doubtful"`` or ``"bad"``; None for what is not known or has no limits."""
    bar = _BY_KEY.get(key)
    if bar is None or value is None:
        return None
    if value <= bar.good:
        return GOOD
    return DOUBTFUL if value <= bar.bad else BAD
