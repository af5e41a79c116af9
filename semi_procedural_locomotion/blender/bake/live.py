# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A solved walk as plain numbers that any frame is shown from, without keys.

Values are those that a bake would key, read between frames as Blender reads straight keys, so what
is shown is what a bake gives. Bones are written all at once, one call for each kind of channel.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.keys.tables import KeyTable, keep_inside, keep_outside
from ...core.maths.rotations import FloatArray
from ..values.bake_record import ChannelKey
from ..values.components import read_component, write_component
from ..values.curve_modifiers import read_modifiers
from ..values.curves import TRANSFORM_PROPERTIES, evaluate_curve
from .composing import evaluate_table
from .computing import BakeKeys


@dataclass(frozen=True)
class _BoneChannels:
    """One kind of channel on many bones.

    Attributes
    ----------
    name
        The property.
    width
        Components of it.
    places
        Where the values go among those of all bones, shape (C,).
    columns
        Where the values come from, shape (C,).
    """

    name: str
    width: int
    places: np.ndarray
    columns: np.ndarray


@dataclass(frozen=True)
class LivePose:
    """Poses of a character at N frames; T values each.

    Attributes
    ----------
    frames
        Whole scene frames without gaps, shape (N,).
    values
        What the keys of a bake would hold, shape (N, T).
    bone_count
        Bones of the armature; with another number of bones the poses are out of date.
    bones
        Channels of bones.
    own
        Property, component and column of each channel of the object itself.
    others
        Data path and column of what is no transform: influences of constraints, switches.
    """

    frames: FloatArray
    values: FloatArray
    bone_count: int
    bones: tuple[_BoneChannels, ...]
    own: tuple[tuple[str, int, int], ...]
    others: tuple[tuple[ChannelKey, int], ...]

    def read(self, frame: float) -> FloatArray:
        """Values at any frame, shape (T,); the ends are held."""
        place = min(max(frame - float(self.frames[0]), 0.0), len(self.frames) - 1.0)
        index = min(int(place), max(len(self.frames) - 2, 0))
        share = place - index
        if share == 0.0:
            return self.values[index]
        return self.values[index] * (1.0 - share) + self.values[index + 1] * share

    def show(self, armature: bpy.types.Object, frame: float) -> bool:
        """Put the pose of a frame on the character; False where its bones are others by now."""
        pose_bones = armature.pose.bones
        if len(pose_bones) != self.bone_count:
            return False
        row = self.read(frame)
        for channels in self.bones:
            flat = np.empty(self.bone_count * channels.width, dtype=np.float32)
            pose_bones.foreach_get(channels.name, flat)
            flat[channels.places] = row[channels.columns]
            pose_bones.foreach_set(channels.name, flat)
        for name, component, column in self.own:
            getattr(armature, name)[component] = row[column]
        for key, column in self.others:
            # Each write makes Blender look at the constraint anew; as a rule nothing changes.
            if read_component(armature, key) != np.float32(row[column]):
                write_component(armature, key, row[column])
        armature.update_tag(refresh={"OBJECT", "DATA"})
        return True


def make_live_pose(
    armature: bpy.types.Object,
    keys: BakeKeys,
    curves: Mapping[ChannelKey, bpy.types.FCurve],
    left: Set[ChannelKey] = frozenset(),
) -> LivePose:
    """Poses of a walk whose keys are computed.

    Parameters
    ----------
    armature
        The character's object.
    keys
        What a bake would write.
    curves
        Curves of the action that is active while the walk is shown; their keys outside the walk's
        frames are shown there, and what hands have put on those of a bake.
    left
        Curves that were muted by hand, whose channels stay as they are.
    """
    tables = {key: table for key, table in keys.tables.items() if key not in left}
    outside = [keep_outside(table, keys.section).frames for table in tables.values()]
    ends = np.concatenate([*outside, np.array(keys.section)])
    frames = np.arange(np.floor(ends.min()), np.ceil(ends.max()) + 1.0)
    values = np.empty((len(frames), len(tables)))
    positions = {bone.name: index for index, bone in enumerate(armature.pose.bones)}
    grouped: dict[tuple[str, int], list[tuple[int, int]]] = {}
    own, others = [], []
    for column, (key, table) in enumerate(tables.items()):
        channel, component = keys.wanted[key]
        curve = curves.get(key)
        values[:, column] = _read_frames(table, keys.section, frames, curve)
        if curve is not None and len(curve.modifiers) and keys.old and key in keys.old.written:
            values[:, column] = evaluate_table(armature, table, frames, read_modifiers(curve))
        width = channel.values.shape[1]
        if channel.name not in TRANSFORM_PROPERTIES:
            others.append((key, column))
        elif channel.bone:
            place = positions[channel.bone] * width + component
            grouped.setdefault((channel.name, width), []).append((place, column))
        else:
            own.append((channel.name, component, column))
    bones = []
    for (name, width), pairs in grouped.items():
        places, columns = np.array(pairs, dtype=np.intp).T
        bones.append(_BoneChannels(name, width, places, columns))
    return LivePose(frames, values, len(positions), tuple(bones), tuple(own), tuple(others))


def _read_frames(
    table: KeyTable,
    span: tuple[float, float],
    frames: FloatArray,
    curve: bpy.types.FCurve | None,
) -> FloatArray:
    """Values of one curve at whole frames, shape (N,)."""
    co = table.co.astype(np.float64)
    values = np.interp(frames, co[:, 0], co[:, 1])
    if len(keep_inside(table, span)) == len(table) or curve is None:
        return values
    others = keep_outside(table, span).frames
    before, after = others[others < span[0]], others[others > span[1]]
    apart = np.zeros(len(frames), dtype=bool)
    if len(before):
        apart |= frames <= before[-1]
    if len(after):
        apart |= frames >= after[0]
    if apart.any():
        values[apart] = evaluate_curve(curve, frames[apart])
    return values
