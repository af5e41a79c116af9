# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All tolerances of this folder, each with its unit and what it is for."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians


@dataclass(frozen=True)
class VectorLimits:
    """Vectors and rotations (docs/method/maths.md, Rotations)."""

    tiny_quaternion: float = 1e-300
    """Length that quaternions are divided by at least: their direction counts however short they
    are."""
    opposite: float = 1e-12
    """Cosine of two unit vectors above -1 up to which they are opposite, and no axis is defined."""
    beside: float = 0.9
    """Share of an opposite vector along X up to which X is far enough beside it to tell an axis."""
    small_sine: float = 1e-9
    """Sine of half a turn under which a share of it is taken as if it were straight."""


@dataclass(frozen=True)
class LineLimits:
    """Lines of points seen from above (docs/method/maths.md, Lines)."""

    closed: float = 1e-5
    """Metres; a line is closed where its ends are this near."""
    apart: float = 1e-9
    """Metres; points nearer to each other are one."""
    straight: float = 1e-6
    """Radians; a point that turns by less is no corner."""
    room: float = 0.98
    """Share of half the shorter leg of a corner that an arc may take at the most."""
    near: float = radians(120.0)
    """Radians; an arc in a corner as sharp passes it at its own radius. Sharper ones pass nearer, and
    who turns back does so at the corner itself."""
    sharpest: float = radians(175.0)
    """Radians; a sharper corner turns back, and no arc would end."""
    sharp_reach: float = 0.2
    """Radii before and behind such a corner within which the heading turns."""
    arc_step: float = radians(2.0)
    """Radians from vertex to vertex of an arc."""


@dataclass(frozen=True)
class SmoothingLimits:
    """Filters in time (docs/method/maths.md, Filters in time)."""

    gaussian_reach: float = 4.0
    """Deviations at which a Gaussian is cut: there it is 0.03 % of its peak."""
    least_reach: float = 0.1
    """Samples that it reaches at least: below, the next sample weighs less than 1e-347."""


VECTOR = VectorLimits()
LINE = LineLimits()
SMOOTHING = SmoothingLimits()
