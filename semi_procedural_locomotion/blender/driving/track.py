# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The travel that a drive leaves: keys of the object, in an action that plays under the bake."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray, invert_matrices
from ...core.rig.skeleton import Skeleton
from ...core.steering.recording import PredictedPrint
from ...errors import TravelError
from .. import versions
from ..bake.actions import find_free_name
from ..bake.channels import OBJECT_GROUP
from ..reading.leg_motions import list_sources
from ..root_motion.writing import compute_object_channels
from ..setup.motion_groups import key_group_weight
from ..setup.weights import find_weight_curves
from ..travel.reading import sample_own_matrices
from ..values.bake_record import (
    find_base_action,
    find_playing_action,
    is_bake_of,
    read_record,
    write_record,
)
from ..values.curve_records import CurveRecord
from ..values.curves import TRANSFORM_PROPERTIES, read_key_frames, write_straight_keys
from ..values.custom_keys import DRIVE_KEY
from ..values.matrices import compose_matrices, is_animated, read_parent_matrix
from ..values.schema import find_kept


def check_driven(armature: bpy.types.Object) -> None:
    """Check that keys of an object would carry it where they say.

    Raises TravelError: something else moves the object.
    """
    name = armature.name
    acting = [c.name for c in armature.constraints if not c.mute and c.influence > 0]
    if acting:
        raise TravelError(
            f"the constraint {acting[0]!r} moves {name!r}, so a steered way would add to it",
            "mute or apply the constraint, then drive",
        )
    data = armature.animation_data
    driven = [] if data is None else [c.data_path for c in data.drivers]
    if any(path in TRANSFORM_PROPERTIES for path in driven):
        raise TravelError(
            f"a driver moves {name!r}, so it cannot be steered", "remove the driver, then drive"
        )
    parent = armature.parent
    if parent is not None and (armature.parent_type != "OBJECT" or is_animated(parent)):
        raise TravelError(
            f"{name!r} is carried by {parent.name!r}, which moves",
            "clear the parent, then drive",
        )


class DriveTrack:
    """The action of a drive, written under the bake of a character.

    Parameters
    ----------
    armature
        The character's object; what it plays is remembered.
    """

    def __init__(self, armature: bpy.types.Object) -> None:
        self._armature = armature
        self._before = versions.get_assigned_action(armature)
        playing, _ = find_playing_action(armature)
        self._bake = playing if is_bake_of(armature, playing) else None
        self._record = None if self._bake is None else read_record(self._bake)
        self._place = {
            name: list(getattr(armature, name))
            for name in ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle")
        }
        self.action: bpy.types.Action | None = None
        self._weight: tuple[str, float, CurveRecord | None] | None = None

    def write(
        self,
        frames: np.ndarray,
        places: FloatArray,
        yaws: FloatArray,
        skeleton: Skeleton,
        prints: Sequence[PredictedPrint],
        scene: bpy.types.Scene,
    ) -> bpy.types.Action:
        """Key the way, a key a frame, and have the object play it under its bake.

        Parameters
        ----------
        frames
            Scene frames, shape (N,).
        places, yaws
            Of the origin of character space, world metres and radians, shapes (N, 3) and (N,).
        prints
            Where feet stood while it was steered.
        """
        armature = self._armature
        matrices = _find_own_matrices(armature, places, yaws, skeleton)
        before = _list_frames_before(armature, float(frames[0]))
        if len(before):
            # What moved it there goes on before, as where one drive follows another.
            shown = sample_own_matrices(armature, before, scene)
            matrices = np.concatenate([_leave_parent(armature, shown), matrices])
            frames = np.concatenate([before, frames])
        channels = compute_object_channels(armature, matrices)
        action = self.action = self._make_action()
        slot, bag = versions.ensure_channelbag(action, armature)
        for curve in [c for c in bag.fcurves if c.data_path in TRANSFORM_PROPERTIES]:
            bag.fcurves.remove(curve)
        for path, values in channels.items():
            for index, column in enumerate(values.T):
                curve = versions.add_curve(bag, path, index, OBJECT_GROUP)
                write_straight_keys(curve, frames, column)
        action[DRIVE_KEY] = json.dumps([_plain_print(mark) for mark in prints])
        if self._bake is not None and self._record is not None:
            under = replace(
                self._record, previous=action, previous_slot=slot, previous_is_source=False
            )
            write_record(self._bake, under)
        else:
            versions.assign_action(armature, action, slot)
        return action

    def _make_action(self) -> bpy.types.Action:
        """A new action with all that is keyed under the bake, unless that is one of the motions."""
        armature = self._armature
        base, slot = find_base_action(armature)
        name = find_free_name(f"{armature.name} Drive")
        if (
            base is None
            or base in list_sources(armature)
            or versions.get_channelbag(base, slot) is None
        ):
            return bpy.data.actions.new(name)
        action = base.copy()
        action.name = name
        versions.keep_only_slot(action, slot, armature.name)
        return action

    def key_crouch(self, name: str, keys: Sequence[tuple[float, float]]) -> None:
        """Key the weight of a group of motions over the drive; its keys beside that stay.

        Parameters
        ----------
        name
            Name of the group, which is in the set-up's list.
        keys
            Frame and weight of each key.
        """
        armature = self._armature
        number = armature.locomotion.groups.find(name)
        group = armature.locomotion.groups[number]
        curve = find_weight_curves(armature, "groups").get(number)
        self._weight = name, group.weight, None if curve is None else CurveRecord.read(curve)
        beside = [] if curve is None else [tuple(point.co) for point in curve.keyframe_points]
        first, last = keys[0][0], keys[-1][0]
        beside = [(frame, value) for frame, value in beside if not first <= frame <= last]
        key_group_weight(armature, name, sorted([*beside, *keys]), overrides=group.overrides)

    def _put_weight_back(self) -> None:
        """Give the group the weight and the keys that it had."""
        if self._weight is None:
            return
        armature, (name, weight, record) = self._armature, self._weight
        number = armature.locomotion.groups.find(name)
        armature.locomotion.groups[number].weight = weight
        path = armature.locomotion.groups[number].path_from_id("weight")
        action, _ = versions.get_assigned_action(armature)
        if action is not None and self._bake is not None:
            _, bag = versions.ensure_channelbag(action, armature)
            for curve in [c for c in bag.fcurves if c.data_path == path]:
                bag.fcurves.remove(curve)
            if record is not None:
                record.write(bag, path, 0, None)

    def put_back(self) -> None:
        """Have the object play what it did."""
        self._put_weight_back()
        if self._bake is not None and self._record is not None:
            write_record(self._bake, self._record)
        else:
            versions.assign_action(self._armature, *self._before)
        for name, values in self._place.items():
            setattr(self._armature, name, values)
        if self.action is not None:
            bpy.data.actions.remove(self.action)
            self.action = None


def _find_own_matrices(
    armature: bpy.types.Object, places: FloatArray, yaws: FloatArray, skeleton: Skeleton
) -> FloatArray:
    """Own transforms (N, 4, 4) of an object for places and headings of its character."""
    headings = rot.quaternions_from_yaws(yaws)
    turns = rot.multiply(headings, skeleton.object_rotation)
    origins = skeleton.place_object(headings, places)
    return _leave_parent(armature, compose_matrices(origins, turns, np.ones(3)))


def _leave_parent(armature: bpy.types.Object, world: FloatArray) -> FloatArray:
    """Own transforms (N, 4, 4) of an object for those in the world."""
    if armature.parent is None:
        return world
    return np.asarray(invert_matrices(read_parent_matrix(armature)[None]) @ world)


def _list_frames_before(armature: bpy.types.Object, first: float) -> FloatArray:
    """Whole frames before one from the first key on that moves the object itself, shape (N,)."""
    base, slot = find_base_action(armature)
    curves = [] if base is None else versions.get_curves(base, slot)
    keys = read_key_frames([c for c in curves if c.data_path in TRANSFORM_PROPERTIES])
    if not len(keys):
        return np.zeros(0)
    return np.arange(np.floor(keys[0]), first)


def _plain_print(mark: PredictedPrint) -> list[object]:
    """A print as plain values."""
    return [mark.leg, mark.time, mark.position.tolist(), mark.frame.tolist()]


def read_predicted(armature: bpy.types.Object) -> list[PredictedPrint]:
    """Read where feet stood while a character was steered; none where the animation is of no drive."""
    action, _ = find_base_action(armature)
    legs = len(armature.locomotion.legs)
    return [
        PredictedPrint(leg, time, np.array(position), np.array(frame))
        for leg, time, position, frame in find_kept(action, DRIVE_KEY) or ()
        if leg < legs
    ]
