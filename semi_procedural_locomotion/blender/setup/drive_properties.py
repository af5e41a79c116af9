# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a character is steered, as Blender properties made from the table of settings."""

from __future__ import annotations

import bpy

from ...requests.plans import DriveChoices
from ...requests.settings.travels import DRIVE
from .declaring import OVERRIDE, declare


class LOCOMOTION_PG_drive(bpy.types.PropertyGroup):
    """How a character is steered."""


LOCOMOTION_PG_drive.__annotations__ = {
    name: declare(setting, override=OVERRIDE) for name, setting in DRIVE.items()
}


def read_drive_choices(drive: LOCOMOTION_PG_drive) -> DriveChoices:
    """How a character is steered, as set on it."""
    return DriveChoices(**{name: getattr(drive, name) for name in DRIVE})
