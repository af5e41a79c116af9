# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of settings, and the one check that a value passes, whichever door it comes in by."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, cast

from ...errors import SettingError

# Values are shown in messages by so many letters.
_SHOWN = 40
# Numbers above this are written without a fraction or a power of ten.
_LARGE = 9999.0


@dataclass(frozen=True)
class Measure:
    """Record of what a number is measured in.

    Attributes
    ----------
    words
        What stands behind a number in a sentence; empty for none.
    """

    name: str
    words: str = ""


PLAIN = Measure("")
SHARE = Measure("share", "as a share")
FACTOR = Measure("factor", "as a factor")
LEG = Measure("L", "lengths of the leg")
RADIANS = Measure("rad", "radians")
TURN_RATE = Measure("rad/s", "radians a second")
SECONDS = Measure("s", "seconds")
METRES = Measure("m", "metres")
SPEED = Measure("m/s", "metres a second")
ACCELERATION = Measure("m/s2", "metres a second squared")
RATE = Measure("1/s", "samples a second")
CYCLES = Measure("cycles", "cycles of the slowest walk")
SCATTER = Measure("m, rad", "metres and radians")
FRAMES = Measure("frames", "frames")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One thing that may be chosen.

    Attributes
    ----------
    name
        What scripts, jobs and operators call it.
    label
        What panels call it.
    description
        What it does, for the tooltip and for pages; without a final period.
    default
        Its value where nobody chooses.
    automatic
        What is used where None is given, in words; empty where None cannot be given.
    """

    name: str
    label: str
    description: str
    default: Any
    automatic: str = ""

    def find_fault(self, value: object) -> str:
        """Find what a value must be instead, as the end of a sentence; empty where it can be used."""
        if value is None and self.automatic:
            return ""
        return "" if self.accepts(value) else f"must be {self.describe()}, got {show_value(value)}"

    def accepts(self, value: object) -> bool:
        """Whether a value other than None can be used."""
        raise NotImplementedError

    def describe(self) -> str:
        """Describe what values there are, in words."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Number(Setting):
    """A setting that is measured.

    Attributes
    ----------
    low, high
        The range; both ends belong to it.
    unit
        What it is measured in.
    soft_low, soft_high
        Ends of its slider; None for those of the range.
    """

    low: float
    high: float
    unit: Measure = PLAIN
    soft_low: float | None = None
    soft_high: float | None = None

    def accepts(self, value: object) -> bool:
        """Whether it is a finite number in the range.

        Blender keeps numbers in single precision, so that an end of the range may come back a little
        outside of it.
        """
        if isinstance(value, bool) or not isinstance(value, Real):
            return False
        try:
            number = float(value)
        except OverflowError:
            return False
        low, high = _round_single(self.low), _round_single(self.high)
        return math.isfinite(number) and min(low, self.low) <= number <= max(high, self.high)

    def describe(self) -> str:
        """The range with its unit."""
        return f"a number from {self.describe_range()}"

    def describe_range(self) -> str:
        """Both ends with the unit."""
        return f"{self.describe_ends()} {self.unit.words}".rstrip()

    def describe_ends(self) -> str:
        """Both ends, as "0 to 1"."""
        ends = (
            f"{end:.0f}" if abs(end) > _LARGE else f"{end:.4g}" for end in (self.low, self.high)
        )
        return " to ".join(ends)


@dataclass(frozen=True, kw_only=True)
class Count(Number):
    """A setting that is a whole number."""

    def accepts(self, value: object) -> bool:
        """Whether it is a whole number in the range."""
        return super().accepts(value) and float(cast("Real", value)).is_integer()

    def describe(self) -> str:
        """The range with its unit."""
        return f"a whole number from {self.describe_range()}"


@dataclass(frozen=True, kw_only=True)
class Flag(Setting):
    """A setting that is on or off."""

    default: bool = False

    def accepts(self, value: object) -> bool:
        """Whether it is True or False."""
        return isinstance(value, bool)

    def describe(self) -> str:
        """Both values."""
        return "true or false"


@dataclass(frozen=True, kw_only=True)
class Text(Setting):
    """A setting that is a name."""

    default: str | None = None

    def accepts(self, value: object) -> bool:
        """Whether it is a text that is not empty."""
        return isinstance(value, str) and bool(value)

    def describe(self) -> str:
        """Describe what a text must be."""
        return "a text that is not empty"


@dataclass(frozen=True)
class Option:
    """One value of a choice, with its label and what it does."""

    name: str
    label: str
    description: str


@dataclass(frozen=True, kw_only=True)
class Choice(Setting):
    """A setting that is one of a few words."""

    options: tuple[Option, ...]

    def accepts(self, value: object) -> bool:
        """Whether it is one of the words."""
        return any(value == option.name for option in self.options if isinstance(value, str))

    def describe(self) -> str:
        """The words."""
        return " or ".join(f'"{option.name}"' for option in self.options)


def list_settings(*settings: Setting) -> dict[str, Setting]:
    """Settings by their names, in their order."""
    return {setting.name: setting for setting in settings}


def check_values(settings: Mapping[str, Setting], values: Mapping[str, object]) -> None:
    """Refuse values that a setting cannot have; nothing is clamped.

    Raises SettingError: a value is of the wrong kind, not finite or out of range; the message names
    the setting, its range and its unit.

    Parameters
    ----------
    settings
        A part of the table, by name.
    values
        What is given, by the names of settings; other names are left alone.
    """
    for name, value in values.items():
        setting = settings.get(name)
        fault = setting.find_fault(value) if setting is not None else ""
        if fault:
            raise SettingError(f"{name} {fault}")


def show_value(value: object) -> str:
    """A value as it was given, short enough for a message."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than some thousand digits
        return "a number of thousands of digits"
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _round_single(number: float) -> float:
    """A number in single precision."""
    return float(struct.unpack("f", struct.pack("f", number))[0])
