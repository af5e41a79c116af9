# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies under the pointer in a 3D View."""

from __future__ import annotations

from collections.abc import Collection

import bpy
import numpy as np
from bpy_extras import view3d_utils
from mathutils import Vector

from ...core.maths.rotations import FloatArray
from ..limits import PICKING
from ..setup.characters import collect_character
from ..setup.ground_properties import list_left_out
from .surfaces import expand


def list_ignored(armature: bpy.types.Object) -> set[bpy.types.Object]:
    """Objects that are looked through for a character: its own, and those that it leaves out."""
    return collect_character(armature) | expand(list_left_out(armature.locomotion.ground))


def pick_point(
    context: bpy.types.Context,
    region: bpy.types.Region,
    pointer: tuple[float, float],
    ignored: Collection[bpy.types.Object],
    height: float,
) -> FloatArray | None:
    """The point of a visible mesh under the pointer, else of a level plane.

    Parameters
    ----------
    context
        Its scene and 3D View are looked at, at the current frame.
    region
        The region of that view with the scene in it.
    pointer
        Pixels from the region's lower left corner.
    ignored
        Objects that are looked through.
    height
        World z of the plane, metres.

    Returns
    -------
    array (3,) or None
        World, metres; None where the pointer is above the plane's horizon.
    """
    view = context.space_data.region_3d
    origin = view3d_utils.region_2d_to_origin_3d(region, view, pointer)
    direction = view3d_utils.region_2d_to_vector_3d(region, view, pointer)
    depsgraph = context.evaluated_depsgraph_get()
    start = origin
    for _ in range(PICKING.most_objects):
        hit, place, _, _, item, _ = context.scene.ray_cast(depsgraph, start, direction)
        if not hit:
            break
        if item.original not in ignored:
            return np.array(place, dtype=np.float64)
        start = place + direction * (PICKING.past * max(1.0, (place - origin).length))
    return _meet_plane(origin, direction, height)


def _meet_plane(origin: Vector, direction: Vector, height: float) -> FloatArray | None:
    """Where a ray meets a level plane, None where it does not."""
    if abs(direction.z) < PICKING.level:
        return None
    distance = (height - origin.z) / direction.z
    if distance <= 0.0:
        return None
    return np.array(origin + direction * distance, dtype=np.float64)
