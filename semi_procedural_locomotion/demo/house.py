# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A house of three storeys in the scene, and a person at the start of the way through it."""

from __future__ import annotations

import bpy
import numpy as np

from ..core.maths.rotations import FloatArray
from .characters import CHARACTER_SHAPES, REST_GAIT, create_character, write_gaits
from .house_shapes import make_house, make_way
from .terrain_objects import create_terrain

WAY_NAME = "Way"
"""Name of the curve to walk along."""


def create_house(
    collection: bpy.types.Collection, character: str = "biped", *, backwards: bool = False
) -> bpy.types.Object:
    """Build the house, its way as a curve, and a character with a walk.

    Parameters
    ----------
    collection
        Where all of it is linked.
    character
        Key of `CHARACTER_SHAPES`.
    backwards
        Whether the way starts at the foot of the spiral.

    Returns
    -------
    object
        The armature; it stands at the start and is not set up.
    """
    for name, mesh in make_house().items():
        create_terrain(mesh, name, collection)
    way = make_way()[::-1] if backwards else make_way()
    create_way(way, collection)
    shape = CHARACTER_SHAPES[character]()
    armature = create_character(shape, collection)
    write_gaits(armature, shape, ["walk", REST_GAIT])
    armature.location = way[0]
    # The project's own characters face -Y.
    ahead = way[1] - way[0]
    armature.rotation_euler.z = float(np.arctan2(ahead[1], ahead[0]) + 0.5 * np.pi)
    return armature


def create_way(points: FloatArray, collection: bpy.types.Collection) -> bpy.types.Object:
    """Points (P, 3), world metres, as a curve object of straight lines."""
    curve = bpy.data.curves.new(WAY_NAME, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points, strict=True):
        point.co = (*place, 1.0)
    item = bpy.data.objects.new(WAY_NAME, curve)
    collection.objects.link(item)
    return item
