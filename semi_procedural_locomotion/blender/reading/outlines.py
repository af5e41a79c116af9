# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Places all over the outside of a character, with the bones that they ride on."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.body.outline import BodyOutline, outline_from_points
from ...core.maths.rotations import FloatArray
from ...core.rig.skeleton import Skeleton
from ..limits import OUTLINE
from .meshes import find_body_meshes, stand_points
from .skins import read_skin


def read_outline(armature: bpy.types.Object, skeleton: Skeleton) -> BodyOutline:
    """A few places of each visible mesh that an armature moves, the outermost of each of many cells.

    Of a character that is hidden as a whole all meshes count.

    Parameters
    ----------
    armature
        The armature object.
    skeleton
        Its bones.
    """
    index = {name: bone for bone, name in enumerate(skeleton.names)}
    bones, places = [np.empty(0, dtype=np.intp)], [np.empty((0, 3))]
    meshes = find_body_meshes(armature, skeleton)
    for mesh in [mesh for mesh in meshes if mesh.item.visible_get()] or meshes:
        skin = read_skin(mesh, index)
        skin = skin.select(skin.owners >= 0)
        if len(skin.points):
            chosen = _choose_outermost(skin.points)
            bones.append(skin.owners[chosen])
            standing = stand_points(armature, skeleton, skin.points, skin.bones, skin.weights)
            places.append(standing[chosen])
    return outline_from_points(skeleton, np.concatenate(bones), np.concatenate(places))


def _choose_outermost(points: FloatArray) -> np.ndarray:
    """Indices of points, of each cell that the points' box is divided into the outermost one."""
    low, high = points.min(axis=0), points.max(axis=0)
    cell = max(float((high - low).max()) / OUTLINE.cells, 1e-12)
    away = np.linalg.norm(points - 0.5 * (low + high), axis=1)
    order = np.argsort(-away, kind="stable")
    places = np.floor((points[order] - low) / cell).astype(np.int64)
    keys = (places[:, 0] * (OUTLINE.cells + 1) + places[:, 1]) * (OUTLINE.cells + 1) + places[:, 2]
    _, first = np.unique(keys, return_index=True)
    return order[first]
