# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each test starts in an empty scene with the package registered.

bpy is imported by the fixtures, since the process that starts a Blender reads this file too.
"""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def registered_package():
    """Register the package once for the tests of a module."""
    import semi_procedural_locomotion

    semi_procedural_locomotion.register()
    yield semi_procedural_locomotion
    semi_procedural_locomotion.unregister()


@pytest.fixture(autouse=True)
def empty_scene(registered_package) -> None:
    """Start from an empty factory scene (quicker than reloading the factory settings)."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
