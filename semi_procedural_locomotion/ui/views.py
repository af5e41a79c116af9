# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What modal tools and drawings have in common in 3D views."""

from __future__ import annotations

import bpy

NAVIGATION = (
    "MIDDLEMOUSE",
    "WHEEL",
    "TRACKPAD",
    "MOUSEROTATE",
    "MOUSESMARTZOOM",
    "NDOF",
    "NUMPAD",
)
"""How the events begin by which a view is moved while a tool runs."""
ENDS = {"RET", "NUMPAD_ENTER"}
"""Events of keys that end a tool and keep what it did."""


def redraw_views() -> None:
    """Draw the 3D views of all windows again."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
