# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of an armature as Blender evaluates them, with keys, strips, constraints, drivers, parents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ..values.evaluation import sample_matrices
from ..values.scene_state import temporary_scene


@dataclass(frozen=True)
class ShownPoses:
    """World poses of K bones at N frames, as evaluated.

    Attributes
    ----------
    rotations
        Of the bones' axes freed of scale, Y kept, shape (N, K, 4).
    positions
        Of the bones' heads, metres, shape (N, K, 3).
    scales
        Lengths of the bones' axes, metres per armature unit, shape (N, K, 3).
    objects
        World matrices of the armature object, shape (N, 4, 4).
    """

    rotations: FloatArray
    positions: FloatArray
    scales: FloatArray
    objects: FloatArray


def sample_shown_poses(
    armature: bpy.types.Object,
    names: Sequence[str],
    frames: FloatArray,
    scene: bpy.types.Scene,
    pose: Callable[[float], object] | None = None,
) -> ShownPoses:
    """World poses of bones as a scene shows them.

    Parameters
    ----------
    armature
        The armature object.
    names
        Names of the K bones to read.
    frames
        Scene frames, shape (N,).
    scene
        Gives the clock, stretched in time or not; it is neither stepped nor changed.
    pose
        Puts the armature in its pose of a frame, where that is not all keys.

    Raises
    ------
    KeyError
        The armature has no bone of such a name.
    """
    return place_bones(*sample_shown_matrices(armature, names, frames, scene, pose))


def sample_shown_matrices(
    armature: bpy.types.Object,
    names: Sequence[str],
    frames: FloatArray,
    scene: bpy.types.Scene,
    pose: Callable[[float], object] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Matrices of bones as a scene shows them.

    Parameters are those of `sample_shown_poses`.

    Returns
    -------
    bones
        Armature space, armature units, shape (N, K, 4, 4).
    objects
        World, shape (N, 4, 4).
    """
    with temporary_scene(scene) as stage, _unhidden(armature):
        stage.render.frame_map_old = scene.render.frame_map_old
        stage.render.frame_map_new = scene.render.frame_map_new
        stage.collection.objects.link(armature)
        return sample_matrices(armature, names, frames, stage, pose)


def place_bones(bones: FloatArray, objects: FloatArray) -> ShownPoses:
    """World poses of bones (N, K, 4, 4) on their object (N, 4, 4); see `sample_shown_matrices`."""
    matrices = objects[:, None] @ bones
    axes = matrices[..., :3, :3]
    return ShownPoses(
        rotations=rot.quaternions_from_matrices(rot.orthonormalize_axes(axes)),
        positions=matrices[..., :3, 3],
        scales=np.linalg.norm(axes, axis=-2),
        objects=objects,
    )


@contextmanager
def _unhidden(item: bpy.types.Object) -> Iterator[None]:
    """An object that Blender evaluates though it is hidden, as it may be before its meshes are."""
    hidden = item.hide_viewport
    if not hidden:
        yield
        return
    item.hide_viewport = False
    try:
        yield
    finally:
        item.hide_viewport = True
