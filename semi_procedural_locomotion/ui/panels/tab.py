# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar tab, in the order of work. Drawing only shows what is kept; it computes nothing."""

from __future__ import annotations

from typing import Any

import bpy

from . import character as character_panels
from . import clips as clip_panels
from . import controls as controls_panel
from . import footsteps as footsteps_panel
from . import lists
from . import motions as motion_panels
from . import overlay as overlay_panel
from . import sections as section_panels
from . import walk as walk_panels

_PANELS: tuple[Any, ...] = (
    *character_panels.CLASSES,
    *controls_panel.CLASSES,
    *motion_panels.CLASSES,
    clip_panels.LOCOMOTION_PT_cycle,
    clip_panels.LOCOMOTION_PT_transfer,
    *walk_panels.CLASSES,
    *section_panels.CLASSES,
    clip_panels.LOCOMOTION_PT_fix_feet,
    *footsteps_panel.CLASSES,
    clip_panels.LOCOMOTION_PT_root_motion,
    clip_panels.LOCOMOTION_PT_binding,
    clip_panels.LOCOMOTION_PT_key_poses,
    *overlay_panel.CLASSES,
)


def choose_tab(name: str) -> None:
    """Tab in which the panels appear when they are registered."""
    for cls in _PANELS:
        cls.bl_category = name


def move_to_tab(name: str) -> None:
    """Show the registered panels in another tab."""
    for cls in reversed(_PANELS):
        bpy.utils.unregister_class(cls)
    choose_tab(name)
    for cls in _PANELS:
        bpy.utils.register_class(cls)


def register() -> None:
    """Add lists and panels."""
    for cls in (*lists.CLASSES, *_PANELS):
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Take them out."""
    for cls in reversed((*lists.CLASSES, *_PANELS)):
        bpy.utils.unregister_class(cls)
