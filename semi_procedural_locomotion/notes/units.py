# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths and speeds in the units of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_INCH = 0.0254
# Units that lengths are told in, with their length in metres.
_SIZES = {
    "KILOMETERS": ("km", 1000.0),
    "METERS": ("m", 1.0),
    "CENTIMETERS": ("cm", 0.01),
    "MILLIMETERS": ("mm", 0.001),
    "MICROMETERS": ("µm", 1e-6),
    "MILES": ("mi", 63360.0 * _INCH),
    "FEET": ("ft", 12.0 * _INCH),
    "INCHES": ("in", _INCH),
    "THOU": ("thou", 0.001 * _INCH),
}
# The units of each system, the smaller one below so many of the larger.
_PAIRS = {"METRIC": ("MILLIMETERS", "METERS", 0.1), "IMPERIAL": ("INCHES", "FEET", 3.0)}


@dataclass(frozen=True)
class Units:
    """How lengths are told.

    Attributes
    ----------
    system
        ``"METRIC"``, ``"IMPERIAL"`` or ``"NONE"``, as Blender calls them.
    scale
        Metres that a unit of the scene stands for.
    unit
        The one unit that is used for all lengths; for ``"ADAPTIVE"``, metres and feet, which scenes have
        without a choice, small lengths are told in millimetres or inches.
    """

    system: str = "METRIC"
    scale: float = 1.0
    unit: str = "ADAPTIVE"

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Units:
        """From plain data, as a report holds it."""
        return cls(str(data["system"]), float(data["scale"]), str(data["unit"]))

    def write_length(self, length: float, sign: str = "", *, is_far: bool = False) -> str:
        """A length with its unit, such as ``41 mm`` or ``0.136 m``.

        Parameters
        ----------
        length
            Units of the scene.
        sign
            That of Python's formats.
        is_far
            Whether it is a place or a way, which no small unit is meant for.
        """
        if self.system not in _PAIRS:
            return f"{length:{sign}.3g} units"
        metres = length * self.scale
        small, large, limit = _PAIRS[self.system]
        chosen = self.unit
        if chosen not in _SIZES or chosen == large:
            is_small = not is_far and abs(metres) < limit * _SIZES[large][1]
            chosen = small if is_small else large
        name, size = _SIZES[chosen]
        value = metres / size
        if is_far:
            return f"{value:{sign}.2f} {name}"
        digits = 2 if abs(value) < 100.0 and chosen == "MILLIMETERS" else 3
        return f"{round(value, 3) + 0.0:{sign}.{digits}g} {name}"

    def write_speed(self, speed: float) -> str:
        """A speed with its unit, such as ``1.4 m/s``; units of the scene a second."""
        if self.system not in _PAIRS:
            return f"{speed:.3g} units/s"
        name, size = _SIZES[_PAIRS[self.system][1]]
        return f"{speed * self.scale / size:.3g} {name}/s"
