# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The choices of root motion as Blender properties, made from the table of settings."""

from __future__ import annotations

from typing import Any

import bpy

from ...requests.plans import RootMotionRequest
from ...requests.settings.kinds import Choice
from ...requests.settings.motions import ROOT_MOTION
from .declaring import OVERRIDE, declare


class LOCOMOTION_PG_root_motion(bpy.types.PropertyGroup):
    """From where travel goes to where, and how much of it."""


LOCOMOTION_PG_root_motion.__annotations__ = {
    name: declare(setting, override=OVERRIDE) for name, setting in ROOT_MOTION.items()
}


def read_root_motion(
    kept: LOCOMOTION_PG_root_motion, given: bpy.types.OperatorProperties | None = None
) -> RootMotionRequest:
    """What is asked for.

    Parameters
    ----------
    kept
        Choices that are kept on an armature.
    given
        Those of a call, which take their place where they are set.

    Raises
    ------
    SettingError
        Nothing is to go, or it would go nowhere.
    """
    values: dict[str, Any] = {}
    for name, setting in ROOT_MOTION.items():
        owner = given if given is not None and given.is_property_set(name) else kept
        value = getattr(owner, name)
        if isinstance(setting, Choice):
            value = value.lower()
        # An empty name is none.
        values[name] = None if value == "" else value
    return RootMotionRequest(**values)
