# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a walk should keep of the numbers of `seen`, by the kind of ground (standard library only)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """One number of a table.

    Attributes
    ----------
    key, title
        In `measure_shown` and at the head of the table.
    scale, digits
        From the number to what the table shows.
    flat, rough, stepped
        What a walk should keep on flat ground, on ramps and bumps, and on stairs, in the table's unit;
        None where the clip by itself decides.
    """

    key: str
    title: str
    scale: float
    digits: int
    flat: float | None
    rough: float | None
    stepped: float | None

    def find(self, ground: str) -> float | None:
        """What is kept on a ground."""
        kinds = {"flat": self.flat, "stairs": self.stepped}
        return kinds.get(ground, self.rough)

    def is_kept(self, value: float | None, ground: str, clip: float | None) -> bool:
        """Whether a number is within the bar, or no worse than the clip's own where that decides."""
        limit = self.find(ground)
        limit = (clip or 0.0) * self.scale if limit is None else limit
        return value is None or value * self.scale <= limit + 0.5 * 10.0**-self.digits

    def write(self, value: float | None) -> str:
        """The number as the table shows it."""
        return "-" if value is None else f"{value * self.scale:.{self.digits}f}"


BARS = (
    Bar("slip", "slip %", 100.0, 2, 0.5, 0.5, 0.5),
    Bar("near", "near-ground %", 100.0, 1, 5.0, 5.0, 5.0),
    Bar("sunk", "deep in contact %", 100.0, 2, 0.6, 0.6, 0.6),
    Bar("deep", "deep in swing %", 100.0, 2, 1.0, 1.0, 1.0),
    Bar("float", "float %", 100.0, 2, 0.3, 1.5, 0.3),
    Bar("way", "foot's way", 1.0, 2, 1.5, 1.5, 1.5),
    Bar("knee", "knee", 1.0, 2, 1.15, 1.8, 2.0),
    Bar("bend", "fold deg", 1.0, 0, 25.0, 25.0, 25.0),
    Bar("jerk", "jerk", 1.0, 2, 1.25, 1.25, 1.25),
    Bar("surge", "surge %", 100.0, 0, 10.0, 10.0, 10.0),
    Bar("missed", "missed", 1.0, 0, 0.0, 0.0, 0.0),
    Bar("airborne", "no foot %", 100.0, 1, None, None, None),
)
"""All numbers, in the order of the table (docs/method/report.md, What is shown)."""


def count_beyond(
    numbers: Mapping[str, float | None], ground: str, clip: Mapping[str, float | None]
) -> int:
    """How many numbers of a walk are beyond the bar."""
    return sum(not b.is_kept(numbers.get(b.key), ground, clip.get(b.key)) for b in BARS)
