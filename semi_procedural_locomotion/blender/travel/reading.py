# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels read from the scene: an animated object, an animated bone, a curve.

Where a bake carries the character by its object, the object's animation before that bake is what
counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np

from ...core.keys.eulers import quaternions_from_channels
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray, invert_matrices
from ...core.rig.skeleton import HeldBone, Skeleton
from ...core.travel.speeds import SpeedCurve
from ...core.travel.way import Travel
from ...errors import TravelError
from ...requests.settings.kinds import check_values
from ...requests.settings.travels import TRAVEL
from .. import versions
from ..limits import PATH, VALUE
from ..setup.keys import key_setup_property, list_setup_curves, sample_setup_curve
from ..values.armature import (
    matrix_array,
    read_rest_matrix,
    read_skeleton,
    require_armature,
    split_object_axes,
)
from ..values.bake_record import (
    find_base_action,
    find_playing_action,
    is_bake_of,
    read_values_before,
)
from ..values.bake_strips import remove_strip, restore_blending
from ..values.curves import (
    evaluate_channel,
    fingerprint_curves,
    group_transform_curves,
    read_key_frames,
)
from ..values.ends import read_ends, read_leaders
from ..values.evaluation import copy_unbaked, sample_matrices
from ..values.held import read_held
from ..values.matrices import (
    add_delta_transforms,
    follows,
    get_rotation_property,
    is_animated,
    read_parent_matrix,
    sample_world_matrices,
)
from ..values.nla import plays_strips
from ..values.scene_state import get_frame_rate, set_frame, temporary_scene
from .carriers import set_upright


def sample_object_travel(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    skeleton: Skeleton,
    *,
    may_rest: bool = False,
) -> Travel:
    """Travel of an object as it is animated, by keys, constraints, parents or strips.

    Raises TravelError where nothing moves the object and it may not rest.

    Parameters
    ----------
    scene
        Gives the clock; sampled once a frame over its range and the keys'. Not stepped.
    may_rest
        Whether it may stand still all the time, as on a belt that goes under it.

    Returns
    -------
    Travel
        Of the origin of character space. Yaws are turns against the skeleton's rotation.
    """
    frames = _choose_frames(armature, scene)
    matrices = sample_own_matrices(armature, frames, scene)
    if not may_rest and _rests(matrices):
        raise make_rest_error(armature)
    return _make_travel(armature, frames / get_frame_rate(scene), matrices, skeleton)


def sample_bone_travel(
    armature: bpy.types.Object,
    bone: str,
    scene: bpy.types.Scene,
    skeleton: Skeleton,
    *,
    may_rest: bool = False,
) -> Travel:
    """Travel of a bone as the scene shows it, by keys, constraints, drivers, parents or strips.

    Raises TravelError where there is no such bone, or nothing moves it and it may not rest.

    Parameters
    ----------
    scene, skeleton, may_rest
        As for `sample_object_travel`.

    Returns
    -------
    Travel
        Of the origin of character space: the bone's motion against its rest pose carries it.
    """
    frames = _choose_frames(armature, scene)
    # The character's origin rides on the bone as it does at rest.
    placed = sample_bone_matrices(armature, bone, frames, scene)
    carried = placed @ invert_matrices(read_rest_matrix(armature, bone))
    if not may_rest and _rests(carried):
        raise make_rest_error(armature, bone)
    return _make_travel(armature, frames / get_frame_rate(scene), carried, skeleton)


def sample_bone_matrices(
    armature: bpy.types.Object, bone: str, frames: FloatArray, scene: bpy.types.Scene
) -> FloatArray:
    """World matrices (N, 4, 4) of a bone as the scene shows it at frames (N,) without a bake.

    Raises TravelError where there is no such bone.
    """
    require_armature(armature)
    if bone not in armature.pose.bones:
        raise TravelError(f"{armature.name!r} has no bone {bone!r}: choose another root bone")
    with copy_before_bake(armature) as double, temporary_scene(scene) as stage:
        stage.collection.objects.link(double)
        posed, world = sample_matrices(double, [bone], frames, stage)
    return np.asarray(world @ posed[:, 0])


def make_rest_error(armature: bpy.types.Object, bone: str = "") -> TravelError:
    """The error of a travel whose object, or bone where one is named, nothing moves."""
    if bone:
        return TravelError(f"nothing moves the bone {bone!r} of {armature.name!r}: animate it")
    return TravelError(
        f"{armature.name!r} has no animation that moves it: animate it, or choose another travel"
    )


def _rests(matrices: FloatArray) -> bool:
    """Whether matrices (N, 4, 4) stay the same."""
    return bool(np.ptp(matrices.reshape(len(matrices), -1), axis=0).max() < PATH.shortest)


def read_curve_points(
    curve: bpy.types.Object, scene: bpy.types.Scene, frame: float | None = None
) -> FloatArray:
    """Points along the first line of a curve object.

    Raises TravelError where the object is no curve, one of its points has no place, or the curve
    has no length, as seen from above too.

    Parameters
    ----------
    curve
        A curve object; not changed.
    scene
        The user's scene; not changed.
    frame
        Scene frame at which it is read; None for the current one.

    Returns
    -------
    array, shape (P, 3)
        World, metres, at the curve's own resolution, from its start to its end.
    """
    if curve.type != "CURVE":
        raise TravelError(f"{curve.name!r} is no curve: choose a curve to walk along")
    double, data = curve.copy(), curve.data.copy()
    try:
        double.data = data
        data.bevel_depth = data.extrude = data.offset = 0.0
        data.bevel_mode = "ROUND"
        data.dimensions = "3D"  # flat curves are filled
        for spline in list(data.splines)[1:]:
            data.splines.remove(spline)
        with temporary_scene(scene) as stage:
            stage.collection.objects.link(double)
            set_frame(stage, float(scene.frame_current) if frame is None else frame)
            evaluated = double.evaluated_get(stage.view_layers[0].depsgraph)
            mesh = evaluated.to_mesh()
            vertices = () if mesh is None else mesh.vertices  # None without splines
            points = np.array([v.co for v in vertices], dtype=np.float64).reshape(-1, 3)
            world = matrix_array(evaluated.matrix_world)
            evaluated.to_mesh_clear()
    finally:
        bpy.data.objects.remove(double)
        bpy.data.curves.remove(data)
    points = points @ world[:3, :3].T + world[:3, 3]
    if not np.all(np.abs(points) <= VALUE.farthest):
        raise TravelError(
            f"the curve {curve.name!r} has a point whose place is no number or too far off: delete it, "
            "and check the transform of the curve"
        )
    if len(points) < 2 or np.ptp(points, axis=0).max() < PATH.shortest:
        raise TravelError(f"the curve {curve.name!r} has no length: draw a path to walk along")
    if np.ptp(points[:, :2], axis=0).max() < PATH.plumb * np.ptp(points[:, 2]):
        raise TravelError(
            f"the curve {curve.name!r} goes straight up and has no length as seen from above: lay it "
            "along the ground"
        )
    if curve.data.splines[0].use_cyclic_u:
        points = np.concatenate([points, points[:1]])
    return points


def sample_own_matrices(
    armature: bpy.types.Object, frames: FloatArray, scene: bpy.types.Scene
) -> FloatArray:
    """World matrices (N, 4, 4) of an object without what a bake put on it.

    Parameters
    ----------
    frames
        Scene frames, shape (N,).
    scene
        The user's scene; it is neither stepped nor changed.
    """
    action, slot = find_base_action(armature)
    values = _read_base_values(armature)
    if _moves_by_curves_alone(armature):
        keyed = {} if action is None else versions.get_curves(action, slot)
        channels = group_transform_curves(keyed)
        mode = armature.rotation_mode
        location, rotation, scale = (
            evaluate_channel(channels.get(("", name), {}), values[name], frames)
            for name in ("location", get_rotation_property(mode), "scale")
        )
        turns = quaternions_from_channels(rotation, mode)
        parent = np.eye(4) if armature.parent is None else read_parent_matrix(armature)
        return parent @ add_delta_transforms(armature, location, turns, scale)
    active, _ = find_playing_action(armature)
    if active is None or not is_bake_of(armature, active):
        return sample_world_matrices([armature], frames, scene)[0]
    with copy_before_bake(armature) as double:
        return sample_world_matrices([double], frames, scene)[0]


def read_still_place(armature: bpy.types.Object, scene: bpy.types.Scene) -> FloatArray | None:
    """World matrix (4, 4) of an object without its bake; None where something animates it."""
    if not _moves_by_curves_alone(armature):
        return None
    action, slot = find_base_action(armature)
    keyed = {} if action is None else versions.get_curves(action, slot)
    if any(not bone for bone, _ in group_transform_curves(keyed)):
        return None
    return sample_own_matrices(armature, np.array([float(scene.frame_current)]), scene)[0]


def read_own_skeleton(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    held: Sequence[HeldBone] | None = None,
) -> Skeleton:
    """Bones in character space, turned as their object is at the current frame without a bake.

    A bake tilts the object on slopes, and so does what carries it; the clips were made for the object
    as it stood before. Some bones may be ``held`` otherwise at rest than they were built; None for
    those that the set-up keeps, and with the ends of bones that it keeps.

    Raises RigError as `read_skeleton` does.
    """
    require_armature(armature)
    matrix = matrix_array(armature.matrix_world)
    if is_bake_of(armature, find_playing_action(armature)[0]):
        now = np.array([float(scene.frame_current)])
        matrix = sample_own_matrices(armature, now, scene)[0]
    upright = set_upright(armature, matrix[None])[0]
    if held is not None:
        return read_skeleton(armature, upright, held)
    kept = (read_held(armature), read_ends(armature), read_leaders(armature))
    return read_skeleton(armature, upright, *kept)


def read_standing(
    armature: bpy.types.Object, frame: float, scene: bpy.types.Scene, skeleton: Skeleton
) -> tuple[FloatArray, FloatArray]:
    """Read where a character stands at a frame without its bake.

    Returns
    -------
    place
        Of the origin of character space, world, metres, shape (3,).
    turn
        World rotation of the object, shape (4,).
    """
    matrices = sample_own_matrices(armature, np.array([float(frame)]), scene)
    rotations, _ = split_object_axes(armature, matrices)
    return skeleton.place_character(rotations, matrices[:, :3, 3])[0], rotations[0]


@contextmanager
def copy_before_bake(armature: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """A copy of an object animated as before its bake."""
    action, slot = find_base_action(armature)
    with copy_unbaked(armature) as double:
        # A strip that is muted alone would still hold influences that it keys.
        remove_strip(double)
        versions.assign_action(double, action, slot)
        restore_blending(double, armature)
        for name, numbers in _read_base_values(armature).items():
            setattr(double, name, numbers)
        yield double


def _read_base_values(armature: bpy.types.Object) -> dict[str, list[float]]:
    """The object's own transform without what a bake put on it, by property."""
    names = ("location", get_rotation_property(armature.rotation_mode), "scale")
    values = {name: list(getattr(armature, name)) for name in names}
    for (path, index), value in read_values_before(armature).items():
        if path in values:
            values[path][index] = value
    return values


def _moves_by_curves_alone(armature: bpy.types.Object) -> bool:
    """Whether nothing but the active action moves the object."""
    data = armature.animation_data
    if any(not constraint.mute for constraint in armature.constraints):
        return False
    if data is not None and (plays_strips(data) or len(data.drivers)):
        return False
    parent = armature.parent
    return parent is None or (armature.parent_type == "OBJECT" and not is_animated(parent))


def _choose_frames(armature: bpy.types.Object, scene: bpy.types.Scene) -> FloatArray:
    """Whole frames over the scene's range and that of the keys."""
    action, slot = find_base_action(armature)
    first, last = scene.frame_start, scene.frame_end
    if action is not None:
        keys = read_key_frames(versions.get_curves(action, slot))
        if len(keys):
            first, last = min(first, int(np.floor(keys[0]))), max(last, int(np.ceil(keys[-1])))
    if last - first > PATH.most_frames:
        raise TravelError(
            f"the keys of the travel of {armature.name!r} go from frame {first} to {last}, and each "
            f"frame takes a look: delete keys far from the walk, {PATH.most_frames} frames are the most"
        )
    return np.arange(first, last + 1, dtype=np.float64)


def _make_travel(
    armature: bpy.types.Object, times: FloatArray, matrices: FloatArray, skeleton: Skeleton
) -> Travel:
    """The travel of a character whose object would stand as world matrices (N, 4, 4) tell."""
    lost = np.flatnonzero(~(np.abs(matrices) <= VALUE.farthest).all(axis=(1, 2)))
    if len(lost):
        raise TravelError(
            f"the travel of {armature.name!r} has no place there",
            "delete or correct the keys there that are no numbers",
            time=float(times[lost[0]]),
            last=float(times[lost[-1]]),
        )
    rotations, _ = split_object_axes(armature, matrices)
    turns = rot.multiply(rotations, rot.conjugate(skeleton.object_rotation))
    yaws = np.unwrap(2.0 * np.arctan2(turns[:, 3], turns[:, 0]))
    places = skeleton.place_character(rotations, matrices[:, :3, 3])
    return Travel(times, places, yaws, turns=turns)


_PATH = "locomotion.travel.speed"


def _find_speed_curve(armature: bpy.types.Object) -> bpy.types.FCurve | None:
    """The curve of the travel's speed, None where it is not keyed."""
    return next((c for c in list_setup_curves(armature) if c.data_path == _PATH), None)


def read_speed_curve(armature: bpy.types.Object, scene: bpy.types.Scene) -> SpeedCurve | None:
    """Speed of a character's travel over time, None where it is not keyed.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Gives the clock and the least range of frames over which keys are read.
    """
    curve = _find_speed_curve(armature)
    return None if curve is None else SpeedCurve(*sample_setup_curve(curve, scene))


def fingerprint_speed(armature: bpy.types.Object) -> str:
    """A text that changes when the speed or a key of it does, but not with the frame."""
    curve = _find_speed_curve(armature)
    return repr(armature.locomotion.travel.speed) if curve is None else fingerprint_curves([curve])


def key_travel_speed(armature: bpy.types.Object, keys: Sequence[tuple[float, float]]) -> None:
    """Set the speed of a travel, with straight keys where there are several.

    Raises SettingError: a speed is no number or out of its range.

    Parameters
    ----------
    armature
        A set-up character.
    keys
        Frame and metres a second of each key, one or more; one stands for a constant.
    """
    for _, speed in keys:
        check_values(TRAVEL, {"speed": speed})
    armature.locomotion.travel.speed = keys[0][1]
    key_setup_property(armature, _PATH, keys)


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
