# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a bone is not shown where a bake means it to be: what there is in Blender that moves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from .. import versions
from ..bake.edits import find_edited_curves
from ..bake.influences import list_moved_bones
from ..values.bake_record import (
    find_bake_strip,
    find_playing_action,
    is_bake_of,
    read_record,
)
from ..values.bake_strips import is_correction
from ..values.curves import TRANSFORM_PROPERTIES, build_bone_path, split_bone_path
from ..values.matrices import get_rotation_property
from ..values.nla import list_paths
from ..values.scene_state import set_frame, temporary_scene
from .poses import sample_shown_poses

# An un-keyed channel differs from rest by more than this: metres, sines, factors.
_POSED = 1e-4
_EVEN = 1e-3
# A bone whose axes differ by this share shears what hangs on it enough to be seen.
_UNEVEN = 0.01


@dataclass(frozen=True)
class Cause:
    """What moves a bone away from where a bake means it to be.

    Attributes
    ----------
    kind
        A case of the notes of walks off their plan, which says what it is.
    owner
        The bone or object that is moved.
    name
        What moves it, such as a constraint, an action or a parent; empty where the kind says all.
    """

    kind: str
    owner: str
    name: str = ""


def find_standing_cause(
    armature: bpy.types.Object,
    names: tuple[str, ...],
    rests: dict[str, str],
    present: dict[str, str],
    scene: bpy.types.Scene,
) -> Cause | None:
    """What spoils a bake as a whole, whatever bone is looked at; None for nothing.

    Parameters
    ----------
    armature
        The character's object.
    names
        Bones of the walk.
    rests, present
        Marks of the bones' rest poses at the bake and now.
    scene
        Where it plays.
    """
    missing = next((name for name in names if name not in armature.pose.bones), None)
    if missing is not None:
        return Cause("bone", missing, missing)
    changed = next((name for name in names if rests.get(name) != present.get(name)), None)
    if changed is not None:
        return Cause("rest", changed, changed)
    if armature.data.pose_position == "REST":
        return Cause("position", armature.name)
    render = scene.render
    if render.frame_map_old != render.frame_map_new:
        return Cause("stretch", scene.name, f"{render.frame_map_old}:{render.frame_map_new}")
    return None


def find_cause(
    armature: bpy.types.Object, bone: str, frame: float, scene: bpy.types.Scene
) -> Cause:
    """What moves one bone, or the object itself, at one frame against its bake.

    Parameters
    ----------
    armature
        The character's object, which plays a bake.
    bone
        Name of the bone; empty for the object.
    frame
        Scene frame at which it is off.
    scene
        Where it plays.
    """
    found = next(_list_causes(armature, bone, frame, scene), None)
    return found or _find_stretch(armature, bone, frame, scene) or _find_size(armature, bone)


def _find_size(armature: bpy.types.Object, bone: str) -> Cause:
    """The object where it, or something above it, is scaled; else nothing that is known of."""
    sizes = np.array([armature.scale, armature.delta_scale])
    scaled = np.abs(sizes - 1.0).max() > _EVEN or "scale" in list_paths(armature)
    return Cause("scale", bone, armature.name) if scaled else Cause("unknown", bone)


def find_control_cause(
    armature: bpy.types.Object,
    controls: Sequence[str],
    leg: str,
    frame: float,
    scene: bpy.types.Scene,
) -> Cause:
    """What moves a leg at one frame against its bake on controls.

    Parameters
    ----------
    armature
        The character's object, which plays a bake.
    controls
        Names of the bones that the leg hangs from.
    leg
        Its name.
    frame
        Scene frame at which it is off.
    scene
        Where it plays.
    """
    # Constraints that act on controls may have been there all the time, so they come last.
    late: list[Cause] = []
    for bone in controls:
        for cause in _list_causes(armature, bone, frame, scene):
            if cause.kind == "constraint":
                # The IK of a leg moves controls of its chain, which is how the rig works.
                if cause.name in armature.pose.bones[bone].constraints:
                    late.append(cause)
            elif cause.kind != "lock":
                return cause
    action, slot = find_playing_action(armature)
    curves = {} if action is None else versions.get_curves(action, slot)
    for curve in curves:
        if curve.mute and curve.data_path.rpartition(".")[2] not in TRANSFORM_PROPERTIES:
            return Cause("muted", split_bone_path(curve.data_path)[0] or curve.data_path)
    return late[0] if late else Cause("controls", leg)


def _find_stretch(
    armature: bpy.types.Object, bone: str, frame: float, scene: bpy.types.Scene
) -> Cause | None:
    """The bone nearest to the root, of one and those above it, that is stretched unevenly."""
    if not bone:
        return None
    chain = [bone, *(b.name for b in armature.pose.bones[bone].parent_recursive)]
    shown = sample_shown_poses(armature, chain, np.array([frame]), scene)
    uneven = np.ptp(shown.scales[0], axis=-1) > _UNEVEN * shown.scales[0].mean(axis=-1)
    return Cause("scale", bone, chain[int(np.flatnonzero(uneven)[-1])]) if uneven.any() else None


def _list_causes(
    armature: bpy.types.Object, bone: str, frame: float, scene: bpy.types.Scene
) -> Iterator[Cause]:
    """Causes in the order in which they overrule one another."""
    owner = bone or armature.name
    action, slot = find_playing_action(armature)
    if action is None or not is_bake_of(armature, action):
        yield Cause("action", owner, "" if action is None else action.name)
        return
    yield from _find_layers(armature, owner, bone, frame)
    record = read_record(action)
    curves = {(c.data_path, c.array_index): c for c in versions.get_curves(action, slot)}
    if not curves and record.written:
        yield Cause("slot", owner, slot[2:] if slot else "none")
        return
    stems = _list_stems(bone)
    written = [key for key in record.written if key[0] in stems]
    yield from _find_drivers(armature, owner, stems)
    yield from _find_constraints(armature, bone, frame, scene)
    for key in written:
        curve = curves.get(key)
        if curve is None:
            yield Cause("deleted", owner, key[0])
        elif curve.mute or (curve.group is not None and curve.group.mute):
            yield Cause("muted", owner, key[0])
        elif any(not modifier.mute for modifier in curve.modifiers):
            yield Cause("modifier", owner, key[0])
    edited = {key for key in find_edited_curves(armature) if key[0] in stems}
    if edited:
        yield Cause("edited", owner, sorted(edited)[0][0])
    for edit in record.edits:
        if edit.path in stems and edit.overlaps(frame, frame):
            yield Cause("kept", owner, edit.path)
    yield from _find_poses(armature, owner, bone, {key[0] for key in (*written, *curves)})
    if not bone:
        yield from _find_parents(armature)
    if record.tolerance:
        yield Cause("tolerance", owner)


def _list_stems(bone: str) -> set[str]:
    """Data paths of the transforms of a bone, or of the object with its delta transforms."""
    names = set(TRANSFORM_PROPERTIES)
    if not bone:
        names |= {f"delta_{name}" for name in TRANSFORM_PROPERTIES}
    return {build_bone_path(bone, name) for name in names}


def _find_layers(
    armature: bpy.types.Object, owner: str, bone: str, frame: float
) -> Iterator[Cause]:
    """Strips and actions over the bake that key the bone."""
    data = armature.animation_data
    found = find_bake_strip(armature)
    active, active_slot = versions.get_assigned_action(armature)
    if data.use_nla and any(t.is_solo for t in data.nla_tracks):
        solo = next(track for track in data.nla_tracks if track.is_solo)
        if found is None or solo.name != found[0].name:
            yield Cause("strip", owner, solo.name)
    if found is None:
        shares = data.action_influence < 1.0 or data.action_blend_type != "REPLACE"
        if active is not None and shares:
            yield Cause("influence", owner, active.name)
        return
    track, strip = found
    if track.mute or strip.mute or not data.use_nla:
        yield Cause("muted", owner, strip.name)
    faded = strip.use_animated_influence and strip.influence < 1.0
    if faded or strip.blend_type != "REPLACE":
        yield Cause("influence", owner, strip.name)
    if _is_retimed(strip):
        yield Cause("retimed", owner, strip.name)
    stems = _list_stems(bone)
    above = False
    for other in data.nla_tracks:
        for item in other.strips if above and not other.mute else ():
            if item.mute or item.action is None or not item.frame_start <= frame <= item.frame_end:
                continue
            keyed = versions.get_curves(item.action, versions.get_strip_slot(item))
            if any(curve.data_path in stems for curve in keyed):
                yield Cause("strip", owner, item.name)
        above = above or other == track
    if active is not None and not is_bake_of(armature, active):
        keyed = versions.get_curves(active, active_slot)
        if any(curve.data_path in stems for curve in keyed):
            kind = "correction" if is_correction(active) else "strip"
            yield Cause(kind, owner, active.name)


def _is_retimed(strip: bpy.types.NlaStrip) -> bool:
    """Whether a strip shows its action at other frames than those of its keys, or fades it."""
    moved = abs(strip.frame_start - strip.action_frame_start) > _EVEN
    shaped = abs(strip.scale - 1.0) > _EVEN or abs(strip.repeat - 1.0) > _EVEN
    fades = strip.blend_in > 0.0 or strip.blend_out > 0.0 or strip.use_auto_blend
    return moved or shaped or fades or strip.use_reverse or strip.use_animated_time


def _find_drivers(armature: bpy.types.Object, owner: str, stems: set[str]) -> Iterator[Cause]:
    """Drivers on the transform of the bone or object."""
    for curve in armature.animation_data.drivers:
        if curve.data_path in stems and not curve.mute:
            yield Cause("driver", owner, curve.data_path)


def _find_constraints(
    armature: bpy.types.Object, bone: str, frame: float, scene: bpy.types.Scene
) -> Iterator[Cause]:
    """Constraints that act on the bone or object at the frame."""
    with temporary_scene(scene) as stage:
        stage.collection.objects.link(armature)
        set_frame(stage, frame)
        shown = armature.evaluated_get(stage.view_layers[0].depsgraph)
        owners = list(shown.pose.bones) if bone else [shown]
        found = [
            constraint.name
            for holder in owners
            for constraint in holder.constraints
            if not constraint.mute
            and constraint.influence > 0.0
            and (not bone or bone in list_moved_bones(holder, constraint))
        ]
    for name in found:
        yield Cause("constraint", bone or armature.name, name)


def _find_poses(
    armature: bpy.types.Object, owner: str, bone: str, keyed: set[str]
) -> Iterator[Cause]:
    """Channels without keys that are not at rest."""
    if not bone:
        return
    item = armature.pose.bones[bone]
    turns = {path for path in _list_stems(bone) if "rotation" in path} & keyed
    if turns and build_bone_path(bone, get_rotation_property(item.rotation_mode)) not in turns:
        yield Cause("mode", owner, owner)
    own = np.array(item.matrix_basis, dtype=np.float64)
    sizes = np.array(item.scale)
    if np.abs(sizes - 1.0).max() > _EVEN and build_bone_path(bone, "scale") not in keyed:
        yield Cause("scale", owner, owner)
    turned = np.abs(own[:3, :3] / np.maximum(np.abs(sizes), 1e-9) - np.eye(3)).max() > _POSED
    moved = np.abs(own[:3, 3]).max() > _POSED
    locks = (*item.lock_rotation, *item.lock_location)
    unkeyed = not {path for path in _list_stems(bone) if "rotation" in path} & keyed
    if (turned and unkeyed) or (moved and build_bone_path(bone, "location") not in keyed):
        yield Cause("pose", owner, owner)
    if unkeyed and any(locks):
        yield Cause("lock", owner, owner)


def _find_parents(armature: bpy.types.Object) -> Iterator[Cause]:
    """The object's own scale and delta transforms, and what it hangs on."""
    scales = np.array([armature.scale, armature.delta_scale])
    if np.abs(scales - 1.0).max() > _EVEN:
        yield Cause("scale", armature.name, armature.name)
    turns = [tuple(armature.delta_rotation_euler), tuple(armature.delta_rotation_quaternion)[1:]]
    if np.abs([tuple(armature.delta_location), *turns]).max() > _POSED:
        yield Cause("delta", armature.name)
    above = armature.parent
    while above is not None:
        if above.parent is None or np.abs(np.array(above.scale) - 1.0).max() > _EVEN:
            yield Cause("parent", armature.name, above.name)
        above = above.parent
