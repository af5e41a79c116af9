# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of rigs that only Blender can evaluate."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...core.rig.skeleton import BoneEnd, HeldBone, Skeleton
from .. import versions
from ..limits import SAMPLING
from .bake_record import INFLUENCE, read_values_before
from .components import write_component
from .constraints import list_holders, list_targets
from .curves import TRANSFORM_PROPERTIES, find_keyed_mode, group_transform_curves, parse_bone_name
from .ends import read_ends
from .held import pose_held, read_held
from .matrices import rides_on
from .nla import remove_live_strips
from .scene_state import set_frame, temporary_scene


def needs_evaluation(armature: bpy.types.Object) -> bool:
    """Whether constraints or drivers move the bones, so that curves do not tell the pose."""
    for owner in (armature, armature.data):
        if owner.animation_data is not None and len(owner.animation_data.drivers):
            return True
    # A bake keys influences to 0; the rig's own motions play with those from before it.
    before = read_values_before(armature)
    if any(value for key, value in before.items() if key[0].endswith(INFLUENCE)):
        return True
    return any(not c.mute and c.influence for bone in armature.pose.bones for c in bone.constraints)


def evaluate_pose_matrices(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    slot: str,
    skeleton: Skeleton,
    frames: FloatArray,
) -> FloatArray:
    """Final bone matrices of an armature under an action.

    Parameters
    ----------
    armature
        The user's object; a copy of it is evaluated.
    action, slot
        What moves the copy. It stands, and its constraints act, as before any bake, but for those that
        take the whole body to other objects; bones start at rest, custom properties keep their values.
    skeleton
        Bones to read, B of them; what the action does not key stands as they do at rest.
    frames
        Shape (N,).

    Returns
    -------
    array, shape (N, B, 4, 4)
        Armature space, armature units.
    """
    held = skeleton.held
    with temporary_scene(bpy.context.scene) as stage, copy_at_rest(armature, held) as double:
        stage.collection.objects.link(double)
        versions.assign_action(double, action, slot)
        channels = group_transform_curves(versions.get_curves(action, slot))
        for bone in double.pose.bones:
            keyed = find_keyed_mode(channels, bone.name, bone.rotation_mode)
            if keyed != bone.rotation_mode:
                bone.rotation_mode = keyed
        return sample_matrices(double, skeleton.names, frames, stage, ends=skeleton.ends)[0]


def sample_matrices(
    armature: bpy.types.Object,
    names: Sequence[str],
    frames: FloatArray,
    stage: bpy.types.Scene,
    pose: Callable[[float], object] | None = None,
    ends: Sequence[BoneEnd] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Matrices of bones and of their object as a scene evaluates them.

    Parameters
    ----------
    armature
        The armature object; it is in the scene.
    names
        Names of the K bones to read, or of ends of bones.
    frames
        Frames of the scene, shape (N,).
    stage
        A scene that is stepped through them.
    pose
        Puts the armature in its pose of a frame, where that is not all keys; None where it is.
    ends
        Ends of bones; None for those that the set-up keeps.

    Returns
    -------
    bones
        Armature space, armature units, shape (N, K, 4, 4).
    objects
        World, shape (N, 4, 4).

    Raises
    ------
    KeyError
        The armature has no bone of such a name.
    """
    bones = armature.pose.bones
    ended = {end.name: end for end in (read_ends(armature) if ends is None else ends)}
    owners = [ended[name].bone if name in ended else name for name in names]
    order = np.array([bones.find(name) for name in owners], dtype=np.intp)
    if np.any(order < 0):
        raise KeyError(names[int(np.argmin(order))])
    flat = np.empty(16 * len(bones), dtype=np.float32)
    matrices, objects = np.empty((len(frames), len(order), 4, 4)), np.empty((len(frames), 4, 4))
    for index, frame in enumerate(frames):
        set_frame(stage, float(frame))
        if pose is not None:
            pose(float(frame))
            stage.view_layers[0].update()
        shown = armature.evaluated_get(stage.view_layers[0].depsgraph)
        shown.pose.bones.foreach_get("matrix", flat)
        # Blender stores matrices by columns.
        matrices[index] = flat.reshape(-1, 4, 4)[order].swapaxes(-1, -2)
        objects[index] = shown.matrix_world
    for place, name in enumerate(names):
        if name in ended:
            matrices[:, place, :3, 3] += matrices[:, place, :3, :3] @ np.array(ended[name].offset)
    return matrices, objects


@contextmanager
def copy_unbaked(armature: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """A copy of an armature without action, whose constraints and drivers aim at itself.

    Its properties are as before any bake.
    """
    before = read_values_before(armature)
    double = armature.copy()
    data = armature.data
    owned = None
    try:
        if data.animation_data is not None and len(data.animation_data.drivers):
            owned = data.copy()
            double.data = owned
        if double.animation_data is not None:
            double.animation_data.use_tweak_mode = False
            double.animation_data.action = None
            remove_live_strips(double.animation_data)
        _redirect(double, {armature: double, data: double.data})
        for key, value in before.items():
            write_component(double, key, value)
        yield double
    finally:
        bpy.data.objects.remove(double)
        if owned is not None:
            bpy.data.armatures.remove(owned)


@contextmanager
def copy_at_rest(
    armature: bpy.types.Object, held: Sequence[HeldBone] | None = None
) -> Iterator[bpy.types.Object]:
    """A copy of an armature at rest, that nothing animates: what it is given now, it shows alone.

    Some bones may be ``held`` otherwise than they were built; None for those that the set-up keeps.
    It stands, and its constraints act, as before any bake, but for those that take the whole body to
    other objects; custom properties keep their values.
    """
    with copy_unbaked(armature) as double:
        if double.animation_data is not None:
            double.animation_data.use_nla = False
        clear_pose(double)
        pose_held(double, read_held(armature) if held is None else held)
        _hold_in_place(double, armature)
        yield double


def _redirect(double: bpy.types.Object, copies: dict[bpy.types.ID, bpy.types.ID]) -> None:
    """Make constraints and drivers of a copy aim at the copy where they aimed at the original."""
    owners = [double, *double.pose.bones]
    for constraint in (c for owner in owners for c in owner.constraints):
        for holder in list_holders(constraint):
            for name in ("target", "pole_target"):
                if getattr(holder, name, None) in copies:
                    setattr(holder, name, copies[getattr(holder, name)])
    for owner in (double, double.data):
        if owner.animation_data is None:
            continue
        for curve in owner.animation_data.drivers:
            for target in (t for v in curve.driver.variables for t in v.targets):
                if target.id in copies and target.id != copies[target.id]:
                    target.id = copies[target.id]


def list_carriers(armature: bpy.types.Object) -> list[bpy.types.PoseBone]:
    """Bones that carry most of the others, from the top down: they carry the whole body."""
    bones = armature.pose.bones
    # Blender's own lists of descendants ask every bone for all bones above it, each time.
    parents = {bone.name: bone.parent.name if bone.parent else None for bone in bones}
    carried = dict.fromkeys(parents, 0)
    for name in parents:
        above: str | None = name
        while above is not None:
            carried[above] += 1
            above = parents[above]
    return [bone for bone in bones if carried[bone.name] > SAMPLING.carrying * len(bones)]


def aims_outside(armature: bpy.types.Object, constraint: bpy.types.Constraint) -> bool:
    """Whether a constraint follows an object that does not move with the armature itself."""
    return any(not rides_on(target, armature) for target in list_targets(constraint))


def list_outer_drivers(armature: bpy.types.Object, bones: Container[str]) -> list[bpy.types.FCurve]:
    """Drivers that move some bones by what is not of the armature itself."""
    found = []
    data = armature.animation_data
    for curve in () if data is None else data.drivers:
        owner, _, name = curve.data_path.rpartition(".")
        aims = [t.id for v in curve.driver.variables for t in v.targets]
        inside = any(aim in (armature, armature.data) for aim in aims)
        if name in TRANSFORM_PROPERTIES and parse_bone_name(owner) in bones and not inside:
            found.append(curve)
    return found


def _hold_in_place(double: bpy.types.Object, armature: bpy.types.Object) -> None:
    """Keep the body of a copy where its own keys have it: other objects take it along a travel."""
    carriers = {bone.name for bone in list_carriers(double)}
    for name in carriers:
        for constraint in double.pose.bones[name].constraints:
            if aims_outside(double, constraint) and aims_outside(armature, constraint):
                constraint.mute = True
    for curve in list_outer_drivers(double, carriers):
        double.animation_data.drivers.remove(curve)


def clear_pose(double: bpy.types.Object) -> None:
    """Put all bones at rest, but for those of the rig's own workings."""
    for bone in double.pose.bones:
        if is_fixed(bone):
            continue
        bone.location = (0.0, 0.0, 0.0)
        bone.scale = (1.0, 1.0, 1.0)
        bone.rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
        bone.rotation_euler = (0.0, 0.0, 0.0)
        bone.rotation_axis_angle = (0.0, 0.0, 1.0, 0.0)


def is_fixed(bone: bpy.types.PoseBone) -> bool:
    """Whether nobody can pose a bone: all its channels are locked.

    How such a bone stands is a part of the rig. Paws of Rigify have mechanism bones that are turned so
    that what tracks them is at rest.
    """
    return all((*bone.lock_location, *bone.lock_rotation, *bone.lock_scale))
