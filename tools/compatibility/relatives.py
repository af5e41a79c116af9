# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes that leave a character what it is: other formats, sizes, names, and less of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from semi_procedural_locomotion.blender import versions

from .seeing import find_meshes
from .verdicts import Truth

_WALK_WORDS = ("walk", "tripod")
_TURN = 2.2  # radians


@dataclass(frozen=True)
class Relative:
    """How a changed character is written, and what of its truth changes.

    Attributes
    ----------
    scale
        By which its speeds grow.
    turn
        By which it is turned about the vertical, radians.
    names
        New names of bones by the old ones; None where they go by no name that is known.
    actions
        New names of actions by the old ones; None where they stay.
    walks
        Whether it still has a walk.
    """

    suffix: str = ".blend"
    scale: float = 1.0
    turn: float = 0.0
    names: Mapping[str, str] | None = field(default_factory=dict)
    actions: Mapping[str, str] | None = None
    walks: bool = True

    def adapt(self, truth: Truth) -> Truth:
        """The truth of the relative."""
        legs, forward = truth.legs, truth.forward
        if not isinstance(legs, int) and legs is not None:
            names = self.names
            legs = len(legs) if names is None else [[names.get(n, n) for n in leg] for leg in legs]
        if forward is not None:
            cos, sin = np.cos(self.turn), np.sin(self.turn)
            forward = (cos * forward[0] - sin * forward[1], sin * forward[0] + cos * forward[1])
        speeds = {
            (self.actions or {}).get(name, name): tuple(np.multiply(span, self.scale) * np.ones(2))
            for name, span in truth.speeds.items()
            if self.actions is None or name in self.actions
        }
        kept = {} if not self.walks else speeds
        walk = tuple(
            (self.actions or {}).get(n, n)
            for n in truth.walk
            if self.actions is None or n in self.actions
        )
        walker = truth.walker and self.walks
        return replace(
            truth,
            legs=legs,
            forward=forward,
            speeds=kept,
            walker=walker,
            no_walks=() if self.actions is not None else truth.no_walks,
            walk=walk,
        )

    def write(self, file: Path) -> None:
        """Write the open file as the relative."""
        name = str(file)
        if self.suffix == ".blend":
            bpy.ops.wm.save_as_mainfile(filepath=name, copy=True, check_existing=False)
        elif self.suffix == ".fbx":
            bpy.ops.export_scene.fbx(filepath=name, bake_anim_use_nla_strips=False)
        elif self.suffix == ".bvh":
            bpy.ops.export_anim.bvh(filepath=name)
        else:
            kind = "GLB" if self.suffix == ".glb" else "GLTF_SEPARATE"
            bpy.ops.export_scene.gltf(filepath=name, export_format=kind)


Change = Callable[[bpy.types.Object], Relative | None]


def find_armature() -> bpy.types.Object:
    """The armature that animals have, made active; of several the one with the most bones."""
    found = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    armature = max(found, key=lambda o: len(o.data.bones))
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    return armature


def _keep(_: bpy.types.Object) -> Relative:
    return Relative()


def _export(suffix: str) -> Change:
    def change(armature: bpy.types.Object) -> Relative | None:
        if _has_constraints(armature):
            return None
        if suffix == ".bvh":
            return _export_bvh(armature)
        _lay_out_actions(armature)
        return Relative(suffix)

    return change


def _export_bvh(armature: bpy.types.Object) -> Relative | None:
    """BVH holds one clip, the walk, and no mesh."""
    walk = _find_walk()
    if walk is None:
        return None
    _play(armature, walk)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = (round(frame) for frame in walk.frame_range)
    return Relative(".bvh", actions={})


def _scale(factor: float, suffix: str = ".blend") -> Change:
    def change(armature: bpy.types.Object) -> Relative | None:
        if suffix != ".blend" and _has_constraints(armature):
            return None
        holder = bpy.data.objects.new("Holder", None)
        bpy.context.scene.collection.objects.link(holder)
        holder.scale = (factor,) * 3
        top = armature
        while top.parent is not None:
            top = top.parent
        top.parent = holder
        bpy.context.view_layer.update()
        if suffix != ".blend":
            _lay_out_actions(armature)
        return Relative(suffix, scale=factor)

    return change


def _turn(armature: bpy.types.Object) -> Relative:
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.rotation_euler.z = _TURN
    holder.location = (3.0, -2.0, 0.5)
    top = armature
    while top.parent is not None:
        top = top.parent
    top.parent = holder
    return Relative(turn=_TURN)


def _hide_names(armature: bpy.types.Object) -> Relative | None:
    """Names without meaning; not where drivers go by them."""
    if _has_constraints(armature):
        return None
    names = {bone.name: f"Bone.{n:03d}" for n, bone in enumerate(armature.data.bones)}
    return Relative(names=_rename(armature, names))


def _rename_like(names: Mapping[str, str]) -> Change:
    def change(armature: bpy.types.Object) -> Relative:
        sided = {}
        for bone in armature.data.bones:
            base, _, side = bone.name.rpartition(".")
            pattern = names.get(base if side in ("L", "R") and base else bone.name)
            if pattern is not None:
                word = {"L": ("Left", "l", "L"), "R": ("Right", "r", "R")}.get(side, ("", "", ""))
                sided[bone.name] = pattern.format(*word)
        return Relative(names=_rename(armature, sided))

    return change


def _remove_meshes(armature: bpy.types.Object) -> Relative | None:
    meshes = find_meshes(armature)
    for item in meshes:
        bpy.data.objects.remove(item)
    return Relative() if meshes else None


def _keep_walk(armature: bpy.types.Object) -> Relative | None:
    """Only the walk stays, under a name that says nothing."""
    walk = _find_walk()
    if walk is None or len(bpy.data.actions) < 2:
        return None
    for action in [a for a in bpy.data.actions if a != walk]:
        bpy.data.actions.remove(action)
    old, walk.name = walk.name, "Take 001"
    _play(armature, walk)
    return Relative(actions={old.rpartition("|")[2]: "Take 001"})


def _keep_rest(armature: bpy.types.Object) -> Relative:
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    return Relative(walks=False)


def _rest_mid_step(armature: bpy.types.Object) -> Relative | None:
    """The rest pose is that of a quarter through the walk; the walk alone stays, keyed anew."""
    walk = _find_walk()
    if walk is None or _has_constraints(armature) or armature.parent is not None:
        return None
    _play(armature, walk)
    scene, bones = bpy.context.scene, armature.pose.bones
    first, last = (round(frame) for frame in walk.frame_range)
    order = [bone.name for bone in bones]
    poses = []
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        poses.append([bone.matrix.copy() for bone in bones])
    scene.frame_set(first + (last - first) // 4)
    for item in find_meshes(armature):
        _apply_skin(item)
    armature.animation_data.action = None
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.armature_apply(selected=False)
    bpy.ops.object.mode_set(mode="OBJECT")
    action = bpy.data.actions.new("New Walk")
    armature.animation_data.action = action
    for frame, pose in enumerate(poses, start=first):
        _key_pose(armature, dict(zip(order, pose, strict=True)), frame)
    old = walk.name
    for other in [a for a in bpy.data.actions if a != action]:
        bpy.data.actions.remove(other)
    return Relative(actions={old.rpartition("|")[2]: "New Walk"})


def _apply_skin(item: bpy.types.Object) -> None:
    """Make what a mesh shows its own shape; its armature deforms it further."""
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(shown.data.vertices), dtype=np.float32)
    shown.data.vertices.foreach_get("co", points)
    if len(points) != 3 * len(item.data.vertices):
        raise ValueError(f"{item.name} is shown with other vertices than it has")
    item.data.vertices.foreach_set("co", points)
    item.data.update()


def _key_pose(armature: bpy.types.Object, pose: Mapping[str, Matrix], frame: int) -> None:
    """Key bones where they were in the space of the armature, parents first."""
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
        rest = bone.bone.matrix_local
        if bone.parent is None:
            basis = rest.inverted() @ pose[bone.name]
        else:
            above = bone.parent.bone.matrix_local
            local = (above.inverted() @ rest).inverted()
            basis = local @ pose[bone.parent.name].inverted() @ pose[bone.name]
        bone.matrix_basis = basis
        for channel in ("location", "rotation_quaternion", "scale"):
            bone.keyframe_insert(channel, frame=frame)


def _rename(armature: bpy.types.Object, names: Mapping[str, str]) -> Mapping[str, str]:
    """Give bones other names, in the curves of all actions as well."""
    given = {}
    for old, new in names.items():
        armature.data.bones[old].name = f"?{new}"
        given[old] = new
    for new in names.values():
        armature.data.bones[f"?{new}"].name = new
    for action in bpy.data.actions:
        for slot in versions.list_slots(action):
            for curve in versions.get_curves(action, slot):
                for old, new in given.items():
                    wanted = f'pose.bones["{old}"]'
                    if curve.data_path.startswith(wanted):
                        curve.data_path = f'pose.bones["{new}"]' + curve.data_path[len(wanted) :]
                        break
    return given


def _find_walk() -> bpy.types.Action | None:
    """The action whose name says walk; else the only one."""
    for word in _WALK_WORDS:
        named = [a for a in bpy.data.actions if word in a.name.lower().rpartition(" ")[2]]
        if named:
            return min(named, key=lambda action: len(action.name))
    return bpy.data.actions[0] if len(bpy.data.actions) == 1 else None


def _play(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    armature.animation_data_create()
    versions.assign_action(armature, action, versions.find_slot(action, armature) or "")


def _lay_out_actions(armature: bpy.types.Object) -> None:
    """Put all actions on tracks and play one: exporters leave others out."""
    walk = _find_walk()
    if walk is None:
        return
    _play(armature, walk)
    for action in bpy.data.actions:
        track = armature.animation_data.nla_tracks.new()
        track.name = action.name
        strip = track.strips.new(action.name, round(action.frame_range[0]), action)
        slot = versions.find_slot(action, armature)
        if slot:
            versions.assign_strip_slot(strip, slot)
        track.mute = True


def _has_constraints(armature: bpy.types.Object) -> bool:
    return any(len(bone.constraints) for bone in armature.pose.bones)


_MIXAMO = {
    "hips": "mixamorig:Hips",
    "spine": "mixamorig:Spine",
    "waist": "mixamorig:Spine1",
    "chest": "mixamorig:Spine2",
    "neck": "mixamorig:Neck",
    "head": "mixamorig:Head",
    "shoulder": "mixamorig:{0}Shoulder",
    "upper_arm": "mixamorig:{0}Arm",
    "forearm": "mixamorig:{0}ForeArm",
    "hand": "mixamorig:{0}Hand",
    "thigh": "mixamorig:{0}UpLeg",
    "shin": "mixamorig:{0}Leg",
    "foot": "mixamorig:{0}Foot",
    "toe": "mixamorig:{0}ToeBase",
}
_UNREAL = {
    "hips": "pelvis",
    "spine": "spine_01",
    "waist": "spine_02",
    "chest": "spine_03",
    "neck": "neck_01",
    "shoulder": "clavicle_{1}",
    "upper_arm": "upperarm_{1}",
    "forearm": "lowerarm_{1}",
    "hand": "hand_{1}",
    "thigh": "thigh_{1}",
    "shin": "calf_{1}",
    "foot": "foot_{1}",
    "toe": "ball_{1}",
}
_BIPED = {
    "root": "Bip001",
    "hips": "Bip001 Pelvis",
    "spine": "Bip001 Spine",
    "waist": "Bip001 Spine1",
    "chest": "Bip001 Spine2",
    "neck": "Bip001 Neck",
    "head": "Bip001 Head",
    "shoulder": "Bip001 {2} Clavicle",
    "upper_arm": "Bip001 {2} UpperArm",
    "forearm": "Bip001 {2} Forearm",
    "hand": "Bip001 {2} Hand",
    "thigh": "Bip001 {2} Thigh",
    "shin": "Bip001 {2} Calf",
    "foot": "Bip001 {2} Foot",
    "toe": "Bip001 {2} Toe0",
}

RELATIVES: Mapping[str, Change] = {
    "plain": _keep,
    "glb": _export(".glb"),
    "gltf": _export(".gltf"),
    "fbx": _export(".fbx"),
    "bvh": _export(".bvh"),
    "small": _scale(0.01),
    "large": _scale(100.0),
    "large_glb": _scale(100.0, ".glb"),
    "turned": _turn,
    "hidden_names": _hide_names,
    "no_mesh": _remove_meshes,
    "one_clip": _keep_walk,
    "rest_only": _keep_rest,
    "mid_step": _rest_mid_step,
    "mixamo": _rename_like(_MIXAMO),
    "unreal": _rename_like(_UNREAL),
    "biped": _rename_like(_BIPED),
}
"""Changes by the name that the files of relatives have."""
