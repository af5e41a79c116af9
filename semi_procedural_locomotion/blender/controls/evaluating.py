# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs evaluated with some channels of their controls, on a copy that goes away again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import bpy

from ...core.keys.channels import BasisPoses
from ...core.keys.eulers import channels_from_quaternions
from ...core.keys.tables import make_key_table
from ...core.maths.rotations import FloatArray
from .. import versions
from ..values.bake_record import ChannelKey, find_bake_strip, find_base_action, is_bake_of
from ..values.curves import TRANSFORM_PROPERTIES, build_bone_path, group_transform_curves
from ..values.evaluation import copy_at_rest, copy_unbaked, sample_matrices
from ..values.key_tables import write_key_table
from ..values.matrices import get_rotation_property
from ..values.nla import list_strip_channels
from ..values.scene_state import temporary_scene

Channels = Mapping[ChannelKey, FloatArray]


def list_channels(
    armature: bpy.types.Object, bones: Mapping[str, int], basis: BasisPoses
) -> dict[ChannelKey, FloatArray]:
    """All transform channels of some bones, each with its values at N frames, shape (N,).

    Parameters
    ----------
    armature
        Gives the rotation modes.
    bones
        Their names and indices in ``basis``.
    basis
        Channels at N frames.
    """
    found: dict[ChannelKey, FloatArray] = {}
    for name, index in bones.items():
        mode = armature.pose.bones[name].rotation_mode
        columns = {
            "location": basis.locations[:, index],
            get_rotation_property(mode): channels_from_quaternions(basis.rotations[:, index], mode),
            "scale": basis.scales[:, index],
        }
        for property_name, values in columns.items():
            path = build_bone_path(name, property_name)
            found |= {(path, component): column for component, column in enumerate(values.T)}
    return found


def find_free_axes(armature: bpy.types.Object, name: str) -> tuple[int, ...]:
    """Axes of its own, 0 to 2, about which a control may turn; all where none is free, or without one."""
    bone = armature.pose.bones.get(name)
    locks = (False, False, False) if bone is None else bone.lock_rotation
    return tuple(axis for axis in range(3) if not locks[axis]) or (0, 1, 2)


def plays_strips(armature: bpy.types.Object) -> bool:
    """Whether strips of the NLA play below what an object is keyed with."""
    data = armature.animation_data
    if data is None or not data.use_nla:
        return False
    tracks = [track for track in data.nla_tracks if not track.mute]
    return any(
        not s.mute and not is_bake_of(armature, s.action) for track in tracks for s in track.strips
    )


def is_moved_under(
    armature: bpy.types.Object, bone: str, sources: Sequence[bpy.types.Action] | None
) -> bool:
    """Whether the animation under a walk, but for its motions ``sources``, moves a bone.

    Without sources nothing is under it.
    """
    if sources is None:
        return False
    action, slot = find_base_action(armature)
    under = set(list_strip_channels(armature.animation_data))
    if action is not None and action not in sources:
        under |= group_transform_curves(versions.get_curves(action, slot)).keys()
    return bool(bone) and any(owner == bone for owner, _ in under)


def evaluate_channels(
    armature: bpy.types.Object,
    channels: Channels,
    names: Sequence[str],
    frames: FloatArray,
    sources: Sequence[bpy.types.Action] | None = (),
) -> FloatArray:
    """Matrices of bones as the rig shows them with some channels.

    Parameters
    ----------
    armature
        The user's object; a copy of it is evaluated. What the channels do not say is as in its present
        pose, or in the animation under any bake.
    channels
        Values of each curve at N frames, shape (N,).
    names
        Names of the K bones to read.
    frames
        Scene frames, shape (N,).
    sources
        The walk's own motions, whose poses are not those of the animation under the bake. None where
        the channels are an action of its own: no other animation plays, and what they do not say is at
        rest.

    Returns
    -------
    array, shape (N, K, 4, 4)
        Armature space, armature units.
    """
    with (
        temporary_scene(bpy.context.scene) as stage,
        (copy_at_rest if sources is None else copy_unbaked)(armature) as double,
        _copy_base_action(armature, sources) as action,
    ):
        found = find_bake_strip(double)
        if found is not None:
            found[1].mute = True
        stage.collection.objects.link(double)
        slot, bag = versions.ensure_channelbag(action, double)
        curves = {(curve.data_path, curve.array_index): curve for curve in bag.fcurves}
        for key, values in channels.items():
            if key in curves:
                bag.fcurves.remove(curves[key])
            curve = versions.add_curve(bag, *key, "")
            curve.extrapolation = "CONSTANT"
            write_key_table(curve, make_key_table(frames, values))
        versions.assign_action(double, action, slot)
        return sample_matrices(double, names, frames, stage)[0]


@contextmanager
def _copy_base_action(
    armature: bpy.types.Object, sources: Sequence[bpy.types.Action] | None
) -> Iterator[bpy.types.Action]:
    """A copy of the action under the bake of an armature, empty without sources; it goes away again."""
    under, slot = find_base_action(armature)
    if under is None or sources is None or versions.get_channelbag(under, slot) is None:
        action = bpy.data.actions.new("sampling")
    else:
        action = under.copy()
        versions.keep_only_slot(action, slot, armature.name)
    try:
        if sources is not None and under in sources:
            _, bag = versions.ensure_channelbag(action, armature)
            for curve in list(bag.fcurves):
                if curve.data_path.rpartition(".")[2] in TRANSFORM_PROPERTIES:
                    bag.fcurves.remove(curve)
        yield action
    finally:
        bpy.data.actions.remove(action)
