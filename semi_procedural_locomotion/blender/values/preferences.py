# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension's own preferences, as the user interface registers them, read without it."""

from __future__ import annotations

import bpy

# Outside an extension the add-on goes by the name of the package, inside by that of the folder above.
_PACKAGE = __name__.removesuffix(".blender.values.preferences")
_NAMES = (_PACKAGE, _PACKAGE.rpartition(".")[0])


def wants_verification() -> bool:
    """Whether bakes are looked at as Blender shows them; so where there are no preferences."""
    addons = bpy.context.preferences.addons
    found = next((addons[name] for name in _NAMES if name in addons), None)
    preferences = None if found is None else found.preferences
    return bool(getattr(preferences, "verify_bakes", True))
