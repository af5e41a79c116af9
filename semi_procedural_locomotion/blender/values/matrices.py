# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""World matrices of objects over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import bpy
import numpy as np

from ...core.keys.eulers import quaternions_from_channels
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray, invert_matrices
from .constraints import list_holders
from .curves import split_bone_path
from .nla import list_paths
from .scene_state import set_frame, temporary_scene
from .visibility import EYES

# Kinds of parents that move a child against their own object.
_BENDING_PARENTS = frozenset({"BONE", "VERTEX", "VERTEX_3"})
_ROTATION_PROPERTIES = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}


def sample_world_matrices(
    objects: Sequence[bpy.types.Object], frames: FloatArray, scene: bpy.types.Scene
) -> FloatArray:
    """World matrices of objects as Blender evaluates them, constraints and parents included.

    Parameters
    ----------
    objects
        K objects of the file.
    frames
        Frames of the scene, fractions allowed, shape (N,).
    scene
        The user's scene; it is neither stepped nor changed.

    Returns
    -------
    array, shape (K, N, 4, 4)
    """
    matrices = np.empty((len(objects), len(frames), 4, 4))
    with temporary_scene(scene) as stage:
        for item in objects:
            stage.collection.objects.link(item)
        for index, frame in enumerate(frames):
            set_frame(stage, frame)
            depsgraph = stage.view_layers[0].depsgraph
            for row, item in enumerate(objects):
                matrices[row, index] = item.evaluated_get(depsgraph).matrix_world
    return matrices


def is_animated(item: bpy.types.Object) -> bool:
    """Whether an object or one above it may move with time."""
    return find_mover(item) is not None


def find_mover(item: bpy.types.Object) -> bpy.types.Object | None:
    """What an object may move with: itself, or the nearest above it that moves by itself, or None.

    Between the two nothing moves.
    """
    seen: bpy.types.Object | None = item
    while seen is not None:
        if list_paths(seen) - {*EYES}:
            return seen
        if any(not c.mute for c in seen.constraints) or seen.parent_type in _BENDING_PARENTS:
            return seen
        if seen.rigid_body is not None and seen.rigid_body.type == "ACTIVE":
            return seen
        seen = seen.parent
    return None


def rides_on(item: bpy.types.Object, other: bpy.types.Object) -> bool:
    """Whether an object is another one or hangs from it."""
    seen: bpy.types.Object | None = item
    while seen is not None and seen != other:
        seen = seen.parent
    return seen is not None


def follows(item: bpy.types.Object, other: bpy.types.Object, *, bones_alone: bool = False) -> bool:
    """Whether an object is another one or goes after it.

    By parents, by constraints that act, or by drivers of its transform, its own or of what it goes after.

    Parameters
    ----------
    item, other
        The objects.
    bones_alone
        Whether only what goes after a bone of the other counts, not after its object.
    """
    if item == other:
        return not bones_alone
    seen, left = {item}, [item]
    while left:
        for leader, bone in _list_leaders(left.pop()):
            if leader == other and (bone or not bones_alone):
                return True
            if leader not in seen and leader != other:
                seen.add(leader)
                left.append(leader)
    return False


def find_leading_bone(item: bpy.types.Object, armature: bpy.types.Object) -> str | None:
    """The bone of an armature that an object goes after, as `follows` has it; None for none."""
    seen, left = {item}, [item]
    while left:
        for leader, bone in _list_leaders(left.pop()):
            if leader == armature and bone:
                return bone
            if leader not in seen and leader != armature:
                seen.add(leader)
                left.append(leader)
    return None


def _list_leaders(item: bpy.types.Object) -> Iterator[tuple[bpy.types.Object, str]]:
    """Objects that an object goes after, with the bone of theirs, empty for none."""
    if item.parent is not None:
        yield item.parent, item.parent_bone if item.parent_type == "BONE" else ""
    for constraint in (c for c in item.constraints if not c.mute and c.influence > 0.0):
        for holder in list_holders(constraint):
            if getattr(holder, "target", None) is not None:
                yield holder.target, getattr(holder, "subtarget", "")
    for curve in () if item.animation_data is None else item.animation_data.drivers:
        if curve.data_path.removeprefix("delta_").startswith(("location", "rotation", "scale")):
            for target in (t for v in curve.driver.variables for t in v.targets):
                if isinstance(target.id, bpy.types.Object):
                    yield target.id, target.bone_target or split_bone_path(target.data_path)[0]


def get_rotation_property(mode: str) -> str:
    """Name of the property that holds the rotation of a rotation mode."""
    return _ROTATION_PROPERTIES.get(mode, "rotation_euler")


def read_parent_matrix(item: bpy.types.Object) -> FloatArray:
    """Matrix (4, 4) by which an object's own transform is brought to the world, as it is now."""
    own = np.array(item.matrix_basis, dtype=np.float64)
    world = np.array(item.matrix_world, dtype=np.float64)
    return world @ invert_matrices(own)


def sample_parent_matrices(
    item: bpy.types.Object, frames: FloatArray, scene: bpy.types.Scene
) -> FloatArray:
    """Matrices that bring an object's own transform to the world, over time.

    Parameters
    ----------
    item
        The object, without constraints of its own.
    frames
        Shape (N,).
    scene
        The user's scene; it is neither stepped nor changed.

    Returns
    -------
    array, shape (N, 4, 4) or (1, 4, 4)
        One matrix where nothing above the object moves.
    """
    if item.parent is None:
        return np.eye(4)[None]
    if item.parent_type == "OBJECT" and not is_animated(item.parent):
        return read_parent_matrix(item)[None]
    matrices = np.empty((len(frames), 4, 4))
    with temporary_scene(scene) as stage:
        stage.collection.objects.link(item)
        for index, frame in enumerate(frames):
            set_frame(stage, frame)
            evaluated = item.evaluated_get(stage.view_layers[0].depsgraph)
            own = np.array(evaluated.matrix_basis, dtype=np.float64)
            matrices[index] = np.array(evaluated.matrix_world) @ invert_matrices(own)
    return matrices


def compose_matrices(
    locations: FloatArray, rotations: FloatArray, scales: FloatArray
) -> FloatArray:
    """Matrices (..., 4, 4) of locations (..., 3), quaternions (..., 4) and scales (..., 3)."""
    axes = rot.matrices_from_quaternions(rotations) * scales[..., None, :]
    matrices = np.zeros((*axes.shape[:-2], 4, 4))
    matrices[..., :3, :3] = axes
    matrices[..., :3, 3] = locations
    matrices[..., 3, 3] = 1.0
    return matrices


def add_delta_transforms(
    item: bpy.types.Object, locations: FloatArray, rotations: FloatArray, scales: FloatArray
) -> FloatArray:
    """Matrices (N, 4, 4) of an object's channels with its delta transforms put on."""
    return compose_matrices(
        locations + np.array(item.delta_location),
        rot.multiply(read_delta_rotation(item), rotations),
        scales * np.array(item.delta_scale),
    )


def read_delta_rotation(item: bpy.types.Object) -> FloatArray:
    """The delta rotation of an object in its rotation mode, a unit quaternion (4,)."""
    if item.rotation_mode == "QUATERNION":
        return quaternions_from_channels(np.array(item.delta_rotation_quaternion), "QUATERNION")
    if item.rotation_mode == "AXIS_ANGLE":
        return rot.IDENTITY.copy()
    return quaternions_from_channels(np.array(item.delta_rotation_euler), item.rotation_mode)
