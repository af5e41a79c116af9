# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How an action that travels already is cleaned."""

from __future__ import annotations

from .kinds import SECONDS, SHARE, Flag, Number, list_settings

FIX = list_settings(
    Number(
        name="plant",
        label="Plant",
        description="How much of the corrections of the feet is made; 0 leaves them as they are",
        default=1.0,
        low=0.0,
        high=1.0,
        unit=SHARE,
    ),
    Number(
        name="hold",
        label="Hold Below",
        description="A foot near the ground stands while it is slower than this share of the speed of "
        "swinging feet; more holds feet that slide fast, less leaves them alone",
        default=0.25,
        low=0.02,
        high=0.8,
        soft_low=0.05,
        soft_high=0.5,
        unit=SHARE,
    ),
    Number(
        name="smooth_hips",
        label="Smooth Hips",
        description="How far the way of the hips is smoothed over time, against the shaking of "
        "captures; 0 leaves it as it is",
        default=0.0,
        low=0.0,
        high=2.0,
        soft_high=0.2,
        unit=SECONDS,
    ),
    Flag(
        name="use_markers",
        label="Contacts from Markers",
        description="Hold the feet between the Strike and Off markers of the cleaned action, as they "
        "were moved by hand, instead of finding the contacts again",
    ),
)
