# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each test starts in an empty scene with the package registered.

bpy is imported by the fixtures, since the process that starts a Blender reads this file too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import bpy


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


def add_person() -> bpy.types.Object:
    """The project's own person with a walk and a rest, whose actions are kept; it is not set up."""
    import bpy

    from semi_procedural_locomotion.demo.biped import make_biped_shape
    from semi_procedural_locomotion.demo.characters import create_biped, write_gaits

    armature = create_biped(bpy.context.scene.collection)
    for action in write_gaits(armature, make_biped_shape(), ["walk", "rest"]):
        action.use_fake_user = True
    return armature


def add_mesh(
    name: str, points: Iterable[Iterable[float]], faces: Sequence[Sequence[int]]
) -> bpy.types.Object:
    """A mesh object of points, world metres, and faces of their indices."""
    import bpy

    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, point)) for point in points], [], faces)
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    return item
