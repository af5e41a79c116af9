# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of the demo's walks, on a small scene of its own."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.values.materials import make_matt_material
from semi_procedural_locomotion.demo.making import Tile, render_sheet
from semi_procedural_locomotion.demo.stage import create_camera, light_scene


def test_tiles_are_rendered_and_put_side_by_side(tmp_path):
    scene = bpy.context.scene
    light_scene(scene)
    tiles = []
    for name, x in (("Near", 0.0), ("Far", 50.0)):
        collection = bpy.data.collections.new(name)
        scene.collection.children.link(collection)
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata([(0, -1, -1), (0, 1, -1), (0, 1, 1), (0, -1, 1)], [], [(0, 1, 2, 3)])
        mesh.materials.append(make_matt_material("Dark", (0.02, 0.02, 0.02)))
        item = bpy.data.objects.new(name, mesh)
        item.location.x = x
        collection.objects.link(item)
        camera = create_camera(name, (x - 5, 0, 0), (x, 0, 0), collection, view_width=8.0)
        tiles.append(Tile(camera, (32, 16), (collection,)))
    shares = []
    path = tmp_path / "sheet.png"
    render_sheet(scene, [tiles], path, 4, shares.append)
    image = bpy.data.images.load(str(path))
    assert tuple(image.size) == (4 + 2 * 36, 4 + 20)
    pixels = np.array(image.pixels[:]).reshape(24, 76, 4)
    assert np.allclose(pixels[0, :, :3], 1.0)
    assert np.allclose(pixels[4:20, 36:40, :3], 1.0)
    background, square = pixels[10, 6, :3], pixels[12, 20, :3]
    assert np.abs(background - square).max() > 0.1
    assert np.allclose(pixels[12, 56, :3], square, atol=0.1)
    assert shares == [0.5, 1.0]
    assert scene.camera is None
