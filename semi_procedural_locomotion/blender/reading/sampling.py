# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions sampled to clips.

Rigs without constraints and drivers are read from their curves. Others are evaluated by Blender on
a copy of the armature in a temporary scene, so that the user's frame, objects and actions are not
touched. Channels that an action does not key are at rest in its clip, as the skeleton has it, held
bones included, whatever pose the armature happens to be in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil

import bpy
import numpy as np
from mathutils import Matrix

from ...core.keys.channels import BasisPoses, ChannelLayout, poses_from_basis, poses_from_matrices
from ...core.keys.eulers import channels_from_quaternions, quaternions_from_channels
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.motions.clips import Clip
from ...core.motions.properties import KeyedProperty, PropertyKey
from ...core.rig.skeleton import Skeleton
from ...errors import AnalysisError
from .. import versions
from ..limits import SAMPLING
from ..travel.carriers import set_upright
from ..travel.reading import sample_own_matrices
from ..values.armature import read_channel_layout, require_armature, split_object_axes
from ..values.bad_keys import name_bad_key, name_bad_value
from ..values.bake_record import is_bake
from ..values.bake_strips import is_correction
from ..values.components import is_whole, read_component
from ..values.curves import (
    TRANSFORM_PROPERTIES,
    CurvesByChannel,
    evaluate_channel,
    evaluate_curve,
    evaluate_curves,
    find_keyed_mode,
    group_transform_curves,
    is_stepped,
    parse_bone_name,
    read_key_frames,
    read_keys,
)
from ..values.evaluation import evaluate_pose_matrices, needs_evaluation
from ..values.held import basis_from_held
from ..values.libraries import tell_missing_libraries
from ..values.matrices import add_delta_transforms, get_rotation_property, read_parent_matrix
from ..values.scene_state import read_key_rate


def find_foreign(
    armature: bpy.types.Object, actions: Sequence[bpy.types.Action]
) -> list[bpy.types.Action]:
    """Actions that were made for another character of the file.

    Parameters
    ----------
    actions
        Actions that key bones of its names.

    Returns
    -------
    list of bpy.types.Action
        Those that armatures of other proportions play, or that name these as theirs, or that lift the
        body out of its own reach. What the armature plays, or one of its proportions does, is its own.
    """
    others, alike = _split_armatures(armature)
    if not others:
        return []
    own = {action for item in alike for action in list_played(item)}
    theirs = {action for item in others for action in list_played(item)}
    own_slots = {f"OB{item.name}" for item in alike}
    their_slots = {f"OB{item.name}" for item in others}
    found = []
    for action in actions:
        slots = set(versions.list_slots(action))
        named = bool(slots & their_slots) and not slots & own_slots
        if action not in own and (action in theirs or named or _is_out_of_reach(armature, action)):
            found.append(action)
    return found


def list_played(item: bpy.types.Object) -> set[bpy.types.Action]:
    """Actions that an object plays, by itself or in strips of its NLA."""
    data = item.animation_data
    if data is None:
        return set()
    strips = [strip.action for track in data.nla_tracks for strip in track.strips]
    return {action for action in (data.action, *strips) if action is not None}


def _split_armatures(
    armature: bpy.types.Object,
) -> tuple[list[bpy.types.Object], list[bpy.types.Object]]:
    """Armatures with the same bones but other proportions, and those of the same, it among them."""
    others: list[bpy.types.Object] = []
    alike = [armature]
    for item in bpy.data.objects:
        if item.type != "ARMATURE" or item == armature:
            continue
        unlike = 0.0 if item.data == armature.data else _measure_unlike(armature, item)
        if unlike is not None:
            (others if unlike > SAMPLING.most_unlike else alike).append(item)
    return others, alike


def _measure_unlike(one: bpy.types.Object, other: bpy.types.Object) -> float | None:
    """Measure how far joints lie apart in the axes of their parents, as a share of all bones' lengths.

    None where few bones have the same names.
    """
    pairs = []
    for bone in one.data.bones:
        twin = other.data.bones.get(bone.name)
        if twin is None or bone.parent is None or twin.parent is None:
            continue
        pairs.append((_place_in_parent(bone), _place_in_parent(twin)))
    if len(pairs) < max(1.0, SAMPLING.least_match * (len(one.data.bones) - 1)):
        return None
    first, second = np.swapaxes(np.array(pairs), 0, 1)
    size = max(np.linalg.norm(p, axis=1).sum() for p in (first, second))
    return float(np.linalg.norm(first - second, axis=1).sum() / size) if size > 0 else 0.0


def _place_in_parent(bone: bpy.types.Bone) -> tuple[float, float, float]:
    """Head of a bone in the rest axes of its parent."""
    place = (bone.parent.matrix_local.inverted_safe() @ bone.matrix_local).translation
    return (place.x, place.y, place.z)


def _is_out_of_reach(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether an action usually holds a bone higher or lower than its place by the whole body."""
    slot = versions.find_slot(action, armature)
    bones = armature.data.bones
    if slot is None or not len(bones):
        return False
    heads = np.array([bone.head_local for bone in bones])
    size = float(np.ptp(heads, axis=0).max())
    up = np.array(armature.matrix_world.inverted_safe().to_3x3().col[2])
    up /= max(float(np.linalg.norm(up)), SAMPLING.no_turn)
    for (name, channel), curves in group_transform_curves(
        versions.get_curves(action, slot)
    ).items():
        if channel != "location" or name not in bones:
            continue
        usual = np.zeros(3)
        for index, curve in curves.items():
            keys = read_keys(curve)
            usual[index] = float(np.median(keys[:, 1])) if len(keys) else 0.0
        moved = np.array(bones[name].matrix_local.to_3x3()) @ usual
        if abs(float(moved @ up)) > SAMPLING.out_of_reach * size:
            return True
    return False


def find_actions(armature: bpy.types.Object) -> list[bpy.types.Action]:
    """Actions of the file that move the bones of an armature, without those made for a bake.

    Those of characters of other proportions are left out where the armature has any of its own.

    Raises RigError where the object is no armature with bones.
    """
    found = find_matching(armature)
    foreign = find_foreign(armature, found)
    return [action for action in found if action not in foreign] or found


def find_matching(armature: bpy.types.Object) -> list[bpy.types.Action]:
    """Actions that key bones of the names that an armature has, whoever they were made for."""
    require_armature(armature)
    names = {bone.name for bone in armature.pose.bones}
    found = []
    for action in bpy.data.actions:
        slot = versions.find_slot(action, armature)
        if slot is None or is_bake(action) or is_correction(action):
            continue
        owners = [c.data_path.rpartition(".")[0] for c in versions.get_curves(action, slot)]
        keyed = [parse_bone_name(owner) for owner in owners if owner]
        bones = [bone for bone in keyed if bone is not None]
        if bones and sum(bone in names for bone in bones) >= SAMPLING.least_match * len(bones):
            found.append(action)
    return found


def sample_action(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    skeleton: Skeleton,
) -> Clip:
    """An action as local poses of all bones, over the range of its keys.

    Parameters
    ----------
    armature
        The armature object that the action shall move; not changed.
    action
        Any action that keys some of its bones.
    skeleton
        The armature as `read_skeleton` gave it.

    Returns
    -------
    Clip
        Sampled at the distance of the keys, at least once a frame and at most 4001 times. Motion
        of the object itself that the action keys is folded into the parentless bones: location
        from the first sample on, heading as in ``skeleton`` at the first sample.

    Raises
    ------
    AnalysisError
        Where the action has no keys for the armature, or one that is no number.
    RigError
        Where bones are missing or the object is scaled unevenly.
    """
    layout = read_channel_layout(armature, skeleton)
    slot = versions.find_slot(action, armature)
    curves = [] if slot is None else list(versions.get_curves(action, slot))
    curves = [curve for curve in curves if len(curve.keyframe_points)]
    evaluated = needs_evaluation(armature)
    channels = group_transform_curves(curves)
    bones = set(skeleton.names) | {""}
    posing = [c for (bone, _), group in channels.items() if bone in bones for c in group.values()]
    if evaluated:
        posing = [c for c in curves if c.data_path.startswith("pose.bones") or c in posing]
    if action.is_missing:
        raise AnalysisError(f"action {action.name!r} is missing: {tell_missing_libraries()}")
    if slot is None or not posing:
        raise AnalysisError(
            f"action {action.name!r} has no keys for armature {armature.name!r}: "
            "choose an action made for it"
        )
    bad = name_bad_key(curves)
    if bad:
        raise AnalysisError(bad, "delete that key, or set it anew", "delete that key from the file")
    frames, interval = _choose_frames(action, read_key_frames(posing))
    bad = name_bad_value(curves, frames)
    if bad:
        raise AnalysisError(bad, "correct the modifiers of that curve, or remove them")
    if evaluated:
        matrices = evaluate_pose_matrices(armature, action, slot, skeleton, frames)
        poses = poses_from_matrices(skeleton, matrices)
    else:
        poses = poses_from_basis(layout, _sample_basis(layout, channels, frames))
    rotations, translations, scales = _fold_object_motion(
        armature, channels, skeleton, frames, *poses
    )
    rate = read_key_rate(action)
    return Clip(
        name=action.name,
        times=(frames - frames[0]) / rate,
        rotations=rotations,
        translations=translations,
        scales=scales,
        key_interval=interval / rate,
        frame_rate=rate,
        keyed=frozenset(bone for bone, _ in channels if bone in bones and bone),
        properties=_sample_properties(armature, curves, frames),
    )


def _sample_properties(
    armature: bpy.types.Object, curves: Sequence[bpy.types.FCurve], frames: FloatArray
) -> dict[PropertyKey, KeyedProperty]:
    """Find what curves key on bones and in custom properties besides transforms, at frames (N,)."""
    found = {}
    for curve in curves:
        path = curve.data_path
        if path.rpartition(".")[2] in TRANSFORM_PROPERTIES or curve.mute:
            continue
        key = (path, curve.array_index)
        if path.startswith(("pose.bones[", '["')) and read_component(armature, key) is not None:
            values = evaluate_curve(curve, frames)
            found[key] = KeyedProperty(values, is_stepped=is_whole(armature, path))
    return found


def _sample_basis(
    layout: ChannelLayout, channels: CurvesByChannel, frames: FloatArray
) -> BasisPoses:
    """Channels of all bones at frames; those without curves at rest, or as their bones are held."""
    names = layout.skeleton.names
    rest = basis_from_held(names, layout.skeleton.held)
    rotations, locations, scales = (
        np.repeat(values, len(frames), axis=0)
        for values in (rest.rotations, rest.locations, rest.scales)
    )
    parts: list[tuple[FloatArray, FloatArray, str, dict[int, bpy.types.FCurve]]] = []
    for bone, name in enumerate(names):
        mode = find_keyed_mode(channels, name, layout.rotation_modes[bone])
        turned = channels_from_quaternions(rest.rotations[:, bone], mode)[0]
        for channel, own, target in (
            (get_rotation_property(mode), turned, rotations[:, bone]),
            ("location", locations[0, bone], locations[:, bone]),
            ("scale", scales[0, bone], scales[:, bone]),
        ):
            keyed = channels.get((name, channel), {})
            keyed = {index: curve for index, curve in keyed.items() if index < len(own)}
            if keyed:
                turns = "" if channel in ("location", "scale") else mode
                parts.append((target, np.array(own, dtype=np.float64), turns, keyed))
    played = evaluate_curves([c for *_, keyed in parts for c in keyed.values()], frames)
    first = 0
    for target, own, turns, keyed in parts:
        values = np.repeat(own[None], len(frames), axis=0)
        values[:, list(keyed)] = played[:, first : first + len(keyed)]
        first += len(keyed)
        target[:] = quaternions_from_channels(values, turns) if turns else values
    return BasisPoses(rotations, locations, scales)


def find_stepped_bones(armature: bpy.types.Object, action: bpy.types.Action) -> frozenset[str]:
    """Names of the bones that an action moves by stepped keys alone."""
    slot = versions.find_slot(action, armature)
    curves = () if slot is None else versions.get_curves(action, slot)
    stepped: dict[str, bool] = {}
    for (bone, _), channel in group_transform_curves(curves).items():
        own = all(map(is_stepped, channel.values()))
        stepped[bone] = stepped.get(bone, True) and own
    return frozenset(bone for bone, own in stepped.items() if own)


def _choose_frames(action: bpy.types.Action, keys: FloatArray) -> tuple[FloatArray, float]:
    """Frames to sample, within the action's own range, and the median distance of keys in frames."""
    if action.use_frame_range and len(keys) > 1:
        # A cycle may begin and end between keys; beyond them nothing moves.
        first, last = max(action.frame_start, keys[0]), min(action.frame_end, keys[-1])
        inside = keys[(keys > first) & (keys < last)]
        keys = np.array([first, *inside, last]) if last > first else keys
    if len(keys) < 2:
        return keys[:1], 1.0
    span = float(keys[-1] - keys[0])
    interval = float(np.median(np.diff(keys)))
    step = interval / ceil(interval / SAMPLING.coarsest_step - SAMPLING.step_rounding)
    count = int(np.clip(round(span / step), 1, SAMPLING.most_samples))
    return keys[0] + span * np.arange(count + 1) / count, interval


def _fold_object_motion(
    armature: bpy.types.Object,
    channels: CurvesByChannel,
    skeleton: Skeleton,
    frames: FloatArray,
    rotations: FloatArray,
    translations: FloatArray,
    scales: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Put the object's own keyed motion on the parentless bones."""
    world = _sample_object_matrices(armature, channels, frames)
    if world is None:
        return rotations, translations, scales
    turns, scale = split_object_axes(armature, world)
    heading = _twist_about_up(rot.multiply(skeleton.object_rotation, rot.conjugate(turns[0])))
    moves = rot.rotate(heading, world[:, :3, 3] - world[0, :3, 3])
    extra = rot.multiply(heading, rot.multiply(turns, rot.conjugate(skeleton.object_rotation)))
    ratio = scale / skeleton.object_scale
    roots = np.flatnonzero(skeleton.parents < 0)
    rotations[:, roots] = rot.multiply(extra[:, None], rotations[:, roots])
    origin = skeleton.object_origin
    turned = rot.rotate(extra[:, None], translations[:, roots] - origin)
    translations[:, roots] = moves[:, None] + ratio * turned + origin
    scales[:, roots] *= ratio
    return rotations, translations, scales


def _sample_object_matrices(
    armature: bpy.types.Object, channels: CurvesByChannel, frames: FloatArray
) -> FloatArray | None:
    """World matrices (N, 4, 4) by the action's own object curves, None where it has none."""
    mode = armature.rotation_mode
    names = ("location", get_rotation_property(mode), "scale")
    if not any(("", name) in channels for name in names):
        return None
    location, rotation, scale = (
        evaluate_channel(channels.get(("", name), {}), list(getattr(armature, name)), frames)
        for name in names
    )
    own = add_delta_transforms(armature, location, quaternions_from_channels(rotation, mode), scale)
    return set_upright(armature, read_parent_matrix(armature) @ own)


def _twist_about_up(q: FloatArray) -> FloatArray:
    """The part of a rotation (4,) that turns about world up."""
    twist = np.array([q[0], 0.0, 0.0, q[3]])
    if np.hypot(q[0], q[3]) < SAMPLING.no_turn:
        return rot.IDENTITY
    return rot.normalize_quaternions(twist)


@contextmanager
def stand_at_start(
    armature: bpy.types.Object, frame: float, scene: bpy.types.Scene
) -> Iterator[None]:
    """The object stands as it did at a frame before its walk was baked or shown.

    A walk straight on begins where the character stands. Planned again in the middle of itself, it
    has to begin there too.
    """
    start = sample_own_matrices(armature, np.array([float(frame)]), scene)[0]
    names = ("location", get_rotation_property(armature.rotation_mode), "scale")
    values = {name: list(getattr(armature, name)) for name in names}
    world = armature.matrix_world.copy()
    armature.matrix_world = Matrix(start.tolist())
    try:
        yield
    finally:
        armature.matrix_world = world
        for name, numbers in values.items():
            setattr(armature, name, numbers)
