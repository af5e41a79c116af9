# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of a character that is shown in its place while it is steered.

The character itself is hidden and otherwise left alone: it may be linked, overridden, shown live or on
controls, and whatever ends a drive, taking the copy away puts everything back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import bpy
import numpy as np

from ...core.keys.channels import ChannelLayout, basis_from_poses
from ...core.maths import rotations as rot
from ...core.pose import PoseArray
from ...core.rig.skeleton import Skeleton
from ..setup.characters import collect_character
from ..values.armature import read_channel_layout
from ..values.custom_keys import STAND_IN_KEY
from ..values.schema import find_kept

_CHANNELS = (
    ("rotation_quaternion", "rotations", 4),
    ("location", "locations", 3),
    ("scale", "scales", 3),
)


class StandIn:
    """A copy of a character without animation, posed by numbers.

    Parameters
    ----------
    skeleton
        Its bones in character space.
    scene, layer
        Scene and view layer in which it is shown.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        skeleton: Skeleton,
        scene: bpy.types.Scene,
        layer: bpy.types.ViewLayer,
    ) -> None:
        self._skeleton = skeleton
        self._scene, self._layer = scene.name, layer.name
        self._hidden: set[int] = set()
        self._copies: list[str] = []
        self._data = ""
        try:
            double = self._make(armature, scene, layer)
            self._layout: ChannelLayout = read_channel_layout(double, skeleton)
            places = {bone.name: place for place, bone in enumerate(double.pose.bones)}
            self._order = np.array([places[name] for name in skeleton.own_names])
        except BaseException:
            self.remove()
            raise

    @property
    def armature(self) -> bpy.types.Object | None:
        """The copy of the armature; None where it is gone."""
        return bpy.data.objects.get((self._copies[0], None)) if self._copies else None

    def _make(
        self, armature: bpy.types.Object, scene: bpy.types.Scene, layer: bpy.types.ViewLayer
    ) -> bpy.types.Object:
        """Copy the character, bind the copies to each other and hide it; gives the armature's copy."""
        footsteps = armature.locomotion.footsteps
        steps = set() if footsteps is None else set(footsteps.objects)
        parts = collect_character(armature) - steps
        originals = [
            armature,
            *(
                item
                for item in layer.objects
                if item in parts and item != armature and item.visible_get(view_layer=layer)
            ),
        ]
        copies = {}
        for item in originals:
            copy = item.copy()
            self._copies.append(copy.name)
            copy[STAND_IN_KEY] = {"of": item}
            copy.animation_data_clear()
            copies[item] = copy
            # Collections of overridden characters take no others.
            scene.collection.objects.link(copy)
        for item, copy in copies.items():
            self._bind(item, copy, copies)
        double = copies[armature]
        self._free(double)
        # Bones would only hide what they carry.
        if len(originals) > 1 or armature.hide_get(view_layer=layer):
            double.hide_set(True, view_layer=layer)
        shown = [item for item in originals if not item.hide_get(view_layer=layer)]
        # Names of linked objects are not their own.
        self._hidden = {item.session_uid for item in shown}
        # For a file that is saved meanwhile.
        names = [item.name for item in shown]
        double[STAND_IN_KEY] = {
            "of": armature,
            "scene": self._scene,
            "layer": self._layer,
            "hidden": json.dumps(names),
        }
        for item in shown:
            item.hide_set(True, view_layer=layer)
        layer.update()
        return double

    def _free(self, double: bpy.types.Object) -> None:
        """Let an armature's copy follow nothing but the numbers that it is given."""
        data = double.data.copy()
        self._data = data.name
        data[STAND_IN_KEY] = {"of": double.data}
        data.animation_data_clear()
        data.pose_position = "POSE"
        double.data = data
        for bone in data.bones:
            # As all inherit alike, their channels follow from local poses at once.
            bone.use_inherit_rotation = bone.use_local_location = True
            bone.inherit_scale = "FULL"
        for owner in (double, *double.pose.bones):
            while owner.constraints:
                owner.constraints.remove(owner.constraints[0])
        for bone in double.pose.bones:
            bone.rotation_mode = "QUATERNION"
            bone.custom_shape = None
        double.parent = None
        double.rotation_mode = "QUATERNION"
        double.scale = (self._skeleton.object_scale,) * 3
        double.delta_location = double.delta_rotation_euler = (0.0, 0.0, 0.0)
        double.delta_rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
        double.delta_scale = (1.0, 1.0, 1.0)

    @staticmethod
    def _bind(
        item: bpy.types.Object,
        copy: bpy.types.Object,
        copies: dict[bpy.types.Object, bpy.types.Object],
    ) -> None:
        """Make a copy follow the other copies where its original follows the originals."""
        if item.parent in copies:
            copy.parent = copies[item.parent]
            copy.matrix_parent_inverse = item.matrix_parent_inverse
        for modifier in copy.modifiers:
            if getattr(modifier, "object", None) in copies:
                modifier.object = copies[modifier.object]
        for constraint in copy.constraints:
            if getattr(constraint, "target", None) in copies:
                constraint.target = copies[constraint.target]

    def show(self, poses: PoseArray) -> bool:
        """Put the first of some poses on it; False where it is gone."""
        double = self.armature
        if double is None or len(double.pose.bones) != len(self._skeleton):
            return False
        basis = basis_from_poses(self._layout, poses.rotations, poses.translations, poses.scales)
        for name, field, width in _CHANNELS:
            flat = np.empty((len(self._order), width), dtype=np.float32)
            flat[self._order] = getattr(basis, field)[0, : len(self._order)]
            double.pose.bones.foreach_set(name, flat.ravel())
        turn = rot.multiply(poses.orientations, self._skeleton.object_rotation)[0]
        place = self._skeleton.place_object(poses.orientations, poses.positions)[0]
        double.location = place.tolist()
        double.rotation_quaternion = turn.tolist()
        double.update_tag(refresh={"OBJECT", "DATA"})
        return True

    def remove(self) -> None:
        """Take the copies away and show the character again; no harm where that was done already."""
        _remove(self._copies, [self._data])
        self._copies = []
        _show(self._scene, self._layer, lambda item: item.session_uid in self._hidden)
        self._hidden = set()


def _remove(names: Iterable[str], armatures: Iterable[str]) -> None:
    """Remove objects and armatures by their names, as far as they are there and stand in."""
    for held, wanted in ((bpy.data.objects, names), (bpy.data.armatures, armatures)):
        for name in wanted:
            item = held.get((name, None))
            if item is not None and STAND_IN_KEY in item:
                held.remove(item)


def _show(scene_name: str, layer_name: str, is_meant: Callable[[bpy.types.Object], bool]) -> None:
    """Show objects again in a view layer, as far as all of that is there."""
    scene = bpy.data.scenes.get(scene_name)
    layer = None if scene is None else scene.view_layers.get(layer_name)
    for item in () if layer is None else layer.objects:
        if is_meant(item):
            item.hide_set(False, view_layer=layer)


def remove_left_stand_ins() -> None:
    """Put back what drives left that came to no end, as in a file that was saved meanwhile.

    Only copies are removed whose originals are there: of anything else that is marked so in a file
    nothing tells that a drive has made it.
    """
    for item in list(bpy.data.objects):
        kept = find_kept(item, STAND_IN_KEY, partial(_check_copy, item))
        if kept is None:
            continue
        held = [item.data.name] if item.type == "ARMATURE" else []
        _remove([item.name], held)
        if "hidden" in kept:
            _show(kept["scene"], kept["layer"], lambda o, names=kept["hidden"]: o.name in names)


def _check_copy(item: bpy.types.Object, kept: dict[str, Any]) -> dict[str, Any]:
    """Find what an object keeps that stands in for another; ValueError where it is no copy of that."""
    of, data = kept["of"], item.data
    if isinstance(of, bpy.types.Object) and of != item and of.type == item.type == "ARMATURE":
        is_copy = (find_kept(data, STAND_IN_KEY) or {}).get("of") == of.data != data
        is_copy = is_copy and data.users == 1 and data.bones.keys() == of.data.bones.keys()
    else:
        is_copy = isinstance(of, bpy.types.Object) and of != item and of.data == data
    if not is_copy or STAND_IN_KEY in of or item.library is not None or item.animation_data:
        raise ValueError("it is no copy of a character")
    return kept
