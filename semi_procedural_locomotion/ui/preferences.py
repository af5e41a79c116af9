# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension's own preferences."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, StringProperty

from ..registration import get_addon_id
from .panels import tab as panels

_DEFAULT_TAB = "Locomotion"


def _move_panels(preferences: LOCOMOTION_AP_preferences, context: bpy.types.Context) -> None:  # noqa: ARG001
    """Show the panels in the tab that is asked for now."""
    panels.move_to_tab(preferences.sidebar_tab or _DEFAULT_TAB)


class LOCOMOTION_AP_preferences(bpy.types.AddonPreferences):
    """What a user sets once for all files."""

    bl_idname = __package__

    sidebar_tab: StringProperty(
        name="Sidebar Tab",
        description="Tab of the 3D View's sidebar that holds the panels",
        default=_DEFAULT_TAB,
        update=_move_panels,
    )

    verify_bakes: BoolProperty(
        name="Verify Bakes",
        description=(
            "Look at each baked walk as Blender shows it, with constraints, drivers and all, and tell "
            "what is not as planned"
        ),
        default=True,
    )

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show them."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "sidebar_tab")
        layout.prop(self, "verify_bakes")


def register() -> None:
    """Add the preferences under the name that Blender knows the extension by."""
    LOCOMOTION_AP_preferences.bl_idname = get_addon_id()
    bpy.utils.register_class(LOCOMOTION_AP_preferences)
    addon = bpy.context.preferences.addons.get(get_addon_id())
    tab = addon.preferences.sidebar_tab if addon is not None and addon.preferences else ""
    panels.choose_tab(tab or _DEFAULT_TAB)


def unregister() -> None:
    """Take them out."""
    bpy.utils.unregister_class(LOCOMOTION_AP_preferences)
