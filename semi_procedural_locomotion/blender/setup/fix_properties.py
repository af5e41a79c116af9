# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the action of a character is cleaned, as Blender properties made from the table of settings."""

from __future__ import annotations

import bpy

from ...requests.settings.bakes import RANGE
from ...requests.settings.motions import FIX
from .declaring import OVERRIDE, declare

_FRAMES = {
    "use_range": {
        "description": "Clean the frames given here instead of those of the action's keys, "
        "and of the scene where its curves go on beyond them"
    },
    "frame_start": {"description": "First frame to clean"},
    "frame_end": {"description": "Last frame to clean"},
}


class LOCOMOTION_PG_fix(bpy.types.PropertyGroup):
    """How the feet of an action that travels are planted."""


LOCOMOTION_PG_fix.__annotations__ = {
    **{name: declare(setting, override=OVERRIDE) for name, setting in FIX.items()},
    **{
        name: declare(setting, override=OVERRIDE, **_FRAMES[name])
        for name, setting in RANGE.items()
    },
}


def read_frames(fix: LOCOMOTION_PG_fix) -> tuple[int, int] | None:
    """First and last frame to clean; None for those of the keys."""
    return (fix.frame_start, fix.frame_end) if fix.use_range else None
