# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A house of three storeys in the scene, and a person at the start of the way through it."""

from __future__ import annotations

import bpy
import numpy as np

from .characters import CHARACTER_SHAPES, REST_GAIT, create_character, write_gaits
from .house_shapes import make_house, make_way
from .stage import create_line
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
    create_line(WAY_NAME, way, collection)
    shape = CHARACTER_SHAPES[character]()
    armature = create_character(shape, collection)
    write_gaits(armature, shape, ["walk", REST_GAIT])
    armature.location = way[0]
    # The project's own characters face -Y.
    ahead = way[1] - way[0]
    armature.rotation_euler.z = float(np.arctan2(ahead[1], ahead[0]) + 0.5 * np.pi)
    return armature
