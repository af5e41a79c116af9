# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Test grounds as mesh objects."""

from __future__ import annotations

import bpy
import numpy as np

from ..blender.values.materials import make_matt_material
from .terrain_shapes import TerrainMesh


def create_terrain(
    mesh: TerrainMesh,
    name: str,
    collection: bpy.types.Collection,
    location: tuple[float, float, float] = (0.0, 0.0, 0.0),
    colour: tuple[float, float, float] = (0.45, 0.47, 0.44),
) -> bpy.types.Object:
    """A ground as a mesh object.

    Parameters
    ----------
    mesh
        Vertices and triangles in metres.
    name
        Of the object and its mesh.
    collection
        Where it is linked.
    location
        World, metres.
    colour
        Linear red, green and blue, 0 to 1.
    """
    data = bpy.data.meshes.new(name)
    data.from_pydata(
        np.asarray(mesh.vertices, dtype=np.float64).tolist(),
        [],
        np.asarray(mesh.triangles).tolist(),
    )
    data.materials.append(make_matt_material(name, colour))
    item = bpy.data.objects.new(name, data)
    item.location = location
    collection.objects.link(item)
    return item
