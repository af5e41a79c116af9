# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of steps and bake as Blender properties, made from the table of settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import bpy

from ...requests.plans import PlanSettings
from ...requests.settings.bakes import BAKE, RANGE
from ...requests.settings.kinds import Choice, Setting
from ...requests.settings.steps import AUTOMATIC_HUG, PLAN
from .declaring import OVERRIDE, declare

# Tolerances of keys are small beside other numbers; and the share of a body that was set by hand
# begins at all.
_OWN: dict[str, dict[str, Any]] = {
    "key_tolerance": {"precision": 4, "step": 0.01},
    "blend_in": {"subtype": "TIME"},
    "blend_out": {"subtype": "TIME"},
    "hug": {"default": 1.0},
}
_SETTINGS = {
    **PLAN,
    AUTOMATIC_HUG.name: AUTOMATIC_HUG,
    **RANGE,
    **BAKE,
}


class LOCOMOTION_PG_settings(bpy.types.PropertyGroup):
    """How a character walks and how the walk is written."""


LOCOMOTION_PG_settings.__annotations__ = {
    name: declare(setting, override=OVERRIDE, **_OWN.get(name, {}))
    for name, setting in _SETTINGS.items()
}


def read_plan_settings(settings: LOCOMOTION_PG_settings) -> PlanSettings:
    """The plan's settings as set on a character."""
    values = {field.name: read_value(settings, field.name, PLAN) for field in fields(PlanSettings)}
    values["hug"] = None if settings.use_automatic_hug else settings.hug
    return PlanSettings(**values)


def write_plan_settings(settings: LOCOMOTION_PG_settings, plan: PlanSettings) -> None:
    """Set the plan's settings on a character."""
    for field in fields(PlanSettings):
        if field.name != "hug":
            value = getattr(plan, field.name)
            is_choice = isinstance(PLAN.get(field.name), Choice)
            setattr(settings, field.name, value.upper() if is_choice else value)
    settings.use_automatic_hug = plan.hug is None
    if plan.hug is not None:
        settings.hug = plan.hug


def read_bake_settings(settings: LOCOMOTION_PG_settings) -> dict[str, Any]:
    """The bake's own choices as set on a character, by their names; choices in their own words."""
    return {name: read_value(settings, name, BAKE) for name in BAKE}


def read_value(settings: bpy.types.PropertyGroup, name: str, table: Mapping[str, Setting]) -> Any:  # noqa: ANN401
    """A value as set on a character; choices in their own words."""
    value = getattr(settings, name)
    return value.lower() if isinstance(table.get(name), Choice) else value


def write_bake_settings(settings: LOCOMOTION_PG_settings, values: Mapping[str, Any]) -> None:
    """Set some of the bake's own choices on a character."""
    for name, value in values.items():
        setattr(settings, name, value.upper() if isinstance(BAKE[name], Choice) else value)
