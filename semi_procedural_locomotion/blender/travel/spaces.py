# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Points and footsteps in the space of an object, with which they go."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...errors import TravelError
from ..limits import PATH
from ..values.matrices import follows, sample_world_matrices


def find_space(armature: bpy.types.Object, name: str, scene: bpy.types.Scene) -> bpy.types.Object:
    """The object of a name in whose space points or footsteps of a character may lie.

    Raises TravelError: there is no such object, or it goes after the character.
    """
    item = scene.objects.get(name)
    if item is None:
        raise TravelError(
            f"no object {name!r} in the scene, in whose space the way may lie",
            "choose another Space",
            "name another `space`",
        )
    if follows(item, armature):
        raise TravelError(
            f"{name!r} goes with {armature.name!r} itself",
            "choose what that walks on for the Space",
            "name what that walks on as `space`",
        )
    return item


def place_points(
    armature: bpy.types.Object,
    points: FloatArray,
    space: str,
    frame: float,
    scene: bpy.types.Scene,
) -> FloatArray:
    """Points of a path in the space of an object, as they lie in the world at a frame.

    Raises TravelError as for `find_space`, or seen from above the plane of the object is a line.

    Parameters
    ----------
    points
        Its own x and y, shape (P, 2).
    frame
        Frame of the scene.
    scene
        The user's scene; neither stepped nor changed.

    Returns
    -------
    array, shape (P, 2)
        World x, y, metres.
    """
    item = find_space(armature, space, scene)
    matrix = sample_world_matrices([item], np.array([float(frame)]), scene)[0, 0]
    axes = matrix[:2, :2]
    if abs(np.linalg.det(axes)) < PATH.flattest * max(float(np.sum(axes * axes)), PATH.shortest):
        raise TravelError(
            f"the x and y of {space!r} lie over each other",
            "choose another Space",
            "name another `space`",
        )
    return np.asarray(points @ axes.T + matrix[:2, 3])


def check_curve(armature: bpy.types.Object, curve: bpy.types.Object, output_to: str) -> None:
    """Check that a curve does not go after the character that is to walk along it.

    Raises TravelError: each bake would lead the next one farther.

    Parameters
    ----------
    output_to
        What a bake writes the travel to, as in `BakeOptions`: where that is not the object, a curve
        may go with the object, but not with its bones.
    """
    if follows(curve, armature, bones_alone=output_to != "object"):
        raise TravelError(
            f"the curve {curve.name!r} goes with {armature.name!r} itself: let it stand by itself, or "
            "choose another curve"
        )


def put_points_in_space(
    travel: bpy.types.PropertyGroup, item: bpy.types.Object | None, scene: bpy.types.Scene
) -> None:
    """Let the points of a travel lie in the space of an object, or the world, where they are now.

    Raises TravelError as for `place_points`.
    """
    points = np.array([point.location for point in travel.points], dtype=np.float64).reshape(-1, 2)
    frame = float(scene.frame_current)
    if travel.space is not None:
        points = place_points(travel.id_data, points, travel.space.name, frame, scene)
    if item is not None:
        # Where the origin and a unit along either axis lie.
        units = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        origin, x, y = place_points(travel.id_data, units, item.name, frame, scene)
        points = (points - origin) @ np.linalg.inv(np.stack([x - origin, y - origin]))
    for point, place in zip(travel.points, points, strict=True):
        point.location = place
    travel.space = item


def parent_footsteps(
    steps: Sequence[bpy.types.Object], item: bpy.types.Object | None, scene: bpy.types.Scene
) -> None:
    """Let footsteps go with an object, or stand by themselves, where they are now.

    Their own transforms stay, by which it is told whether they were moved by hand.

    Parameters
    ----------
    item
        What they go with; None for nothing.
    scene
        Where they stand at its present frame.
    """
    matrices = [step.matrix_world.copy() for step in steps]
    for step, world in zip(steps, matrices, strict=True):
        step.parent = item
        if item is None:
            step.matrix_world = world
            continue
        step.parent_type = "OBJECT"
        own = step.matrix_basis
        step.matrix_parent_inverse = item.matrix_world.inverted_safe() @ world @ own.inverted_safe()
    for layer in scene.view_layers:
        layer.update()
