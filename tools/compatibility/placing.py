# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character on a course: the axes of its way, the ground in the scene, what its feet are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from .courses import Course
from .seeing import Cast, Sight

# Share of the leg: how far above the lowest joint of a foot others are that belong to its sole.
_SOLE = 0.15


def list_feet(
    armature: bpy.types.Object, found: dict[str, Any], has_mesh: bool
) -> dict[str, list[int]]:
    """Numbers of the bones of each foot: the last joint of a leg and the toe.

    Where vertices are looked at all bones below count; without a mesh they may be helpers that no
    ground stops.
    """
    numbers = {bone.name: number for number, bone in enumerate(armature.pose.bones)}
    feet = {}
    for leg in found["legs"]:
        tops = [leg["bones"][-1], *([leg["toe"]] if leg["toe"] else [])]
        below = [name for top in tops for name in _list_below(armature, top)] if has_mesh else []
        feet[leg["name"]] = sorted({numbers[name] for name in [*tops, *below]})
    return feet


def cut_feet(
    sight: Sight, cast: Cast, feet: dict[str, list[int]], length: float
) -> dict[str, np.ndarray]:
    """Points of each foot (F, V, 3); below the heads of its bones where no mesh hangs on it.

    They lie below a head by its height at rest: tails of imported bones are guesses of the importer.
    Heads far above the lowest one, as the ankles of dogs and birds, are on no sole.
    """
    cut = {}
    for name, bones in feet.items():
        own = np.isin(cast.owners, bones)
        if cast.skins and own.any():
            cut[name] = sight.points[:, own].astype(np.float64)
            continue
        heights = np.array([_find_rest_height(cast.armature, cast.names[bone]) for bone in bones])
        low = heights <= heights.min() + _SOLE * length
        cut[name] = sight.bones[:, np.array(bones)[low], 0].copy()
        cut[name][..., 2] -= np.maximum(heights[low], 0.0)
    return cut


def find_axes(armature: bpy.types.Object, forward: Sequence[float]) -> np.ndarray:
    """Matrix (4, 4) from the axes of a course to the world."""
    along = np.array([*forward, 0.0]) / np.hypot(*forward)
    axes = np.eye(4)
    axes[:3, 0], axes[:3, 1] = along, np.cross([0.0, 0.0, 1.0], along)
    axes[:3, 3] = armature.matrix_world.translation
    return axes


def turn_sight(sight: Sight, axes: np.ndarray) -> Sight:
    """What is seen in the axes of the course."""
    back = np.linalg.inv(axes)
    turn, move = back[:3, :3].T, back[:3, 3]
    return Sight(sight.points @ turn + move, sight.bones @ turn + move)


def add_ground(course: Course, axes: np.ndarray) -> bpy.types.Object:
    """The ground as a mesh object of the scene."""
    points, faces = course.make_mesh()
    mesh = bpy.data.meshes.new("Course")
    mesh.from_pydata((points @ axes[:3, :3].T + axes[:3, 3]).tolist(), [], faces.tolist())
    item = bpy.data.objects.new("Course", mesh)
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.update()
    return item


def _list_below(armature: bpy.types.Object, name: str) -> list[str]:
    return [bone.name for bone in armature.data.bones[name].children_recursive]


def _find_rest_height(armature: bpy.types.Object, bone: str) -> float:
    """Height of a bone's head over the armature's origin at rest, metres."""
    world = armature.matrix_world
    return (world @ armature.data.bones[bone].head_local - world.translation).z
