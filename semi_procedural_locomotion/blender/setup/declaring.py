# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the table as properties of Blender."""

from __future__ import annotations

from typing import Any

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...requests.settings import kinds
from ...requests.settings.kinds import Choice, Count, Flag, Number, Setting

OVERRIDE = {"LIBRARY_OVERRIDABLE"}
# What Blender calls units. A share of something is a factor to it.
_UNITS: dict[kinds.Measure, dict[str, Any]] = {
    kinds.SHARE: {"subtype": "FACTOR"},
    kinds.LEG: {"subtype": "FACTOR"},
    kinds.RADIANS: {"subtype": "ANGLE", "unit": "ROTATION"},
    kinds.TURN_RATE: {"subtype": "ANGLE", "unit": "ROTATION"},
    kinds.SPEED: {"unit": "VELOCITY"},
    kinds.ACCELERATION: {"unit": "ACCELERATION"},
    kinds.SECONDS: {"subtype": "TIME_ABSOLUTE", "unit": "TIME_ABSOLUTE"},
}


def declare(setting: Setting, **more: Any) -> Any:  # noqa: ANN401 - what Blender's functions give
    """A property for a setting, with its label, description, default, range and unit.

    Parameters
    ----------
    setting
        The setting. None as its default stands for what Blender's property begins with.
    more
        Keywords that are the property's own, or other than the setting's.
    """
    words: dict[str, Any] = {"name": setting.label, "description": setting.description}
    if setting.default is not None:
        words["default"] = setting.default
    if isinstance(setting, Flag):
        return BoolProperty(**{**words, **more})
    if isinstance(setting, Choice):
        items = tuple((o.name.upper(), o.label, o.description) for o in setting.options)
        words |= {"items": items, "default": setting.default.upper()}
        return EnumProperty(**{**words, **more})
    if isinstance(setting, Number):
        words |= {"min": setting.low, "max": setting.high, **_UNITS.get(setting.unit, {})}
        if setting.soft_low is not None:
            words["soft_min"] = setting.soft_low
        if setting.soft_high is not None:
            words["soft_max"] = setting.soft_high
        make = IntProperty if isinstance(setting, Count) else FloatProperty
        return make(**{**words, **more})
    return StringProperty(**{**words, **more})
