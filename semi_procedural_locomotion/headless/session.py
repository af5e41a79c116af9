# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender session that a verb runs in."""

from __future__ import annotations

import bpy


def ensure_registered() -> None:
    """Register the package, where no entry has registered it already."""
    if not hasattr(bpy.types.Object, "locomotion"):
        from .. import register

        register()
