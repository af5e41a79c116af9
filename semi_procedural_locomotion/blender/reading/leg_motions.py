# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which actions move the legs or the hips of a character, and which only play beside a walk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from math import inf

import bpy

from ...core.rig.structure import Rig
from ...notes import Note, NoteKind, make_note
from .. import versions
from ..controls.links import read_links
from ..values.bake_record import find_base_action, is_bake_of
from ..values.curves import TRANSFORM_PROPERTIES, split_bone_path
from ..values.nla import list_playing


def list_carrying_bones(rig: Rig) -> set[str]:
    """Names of the bones of all legs and of the one that carries the hips."""
    bones = (rig.body, *(bone for leg in rig.legs for bone in leg.bones))
    return {rig.skeleton.names[bone] for bone in bones}


def _list_set_up_bones(armature: bpy.types.Object) -> set[str]:
    """The same of a character that is set up; empty for others."""
    data = armature.locomotion
    names = {data.body, *(bone.name for leg in data.legs for bone in leg.bones)}
    return names if len(data.legs) else set()


def moves_legs(armature: bpy.types.Object, action: bpy.types.Action, bones: Set[str]) -> bool:
    """Whether an action keys anything after which a leg or the hips may go.

    Parameters
    ----------
    bones
        Names of the bones of its legs and of the one that carries its hips.
    """
    slot = versions.find_slot(action, armature)
    curves = () if slot is None else versions.get_curves(action, slot)
    return _leads_legs(armature, curves, bones)


def _leads_legs(
    armature: bpy.types.Object, curves: Iterable[bpy.types.FCurve], bones: Set[str]
) -> bool:
    """Whether curves key anything after which some bones may go, see `moves_legs`."""
    keyed = set()
    for curve in curves:
        bone, _ = split_bone_path(curve.data_path)
        # Most clips key a bone of a leg, which is seen without looking at constraints.
        if bone in bones:
            return True
        keyed.add(bone)
    return not keyed.isdisjoint(read_links(armature).list_leaders(bones))


def goes_its_way(armature: bpy.types.Object, curves: Sequence[bpy.types.FCurve]) -> bool:
    """Whether curves move the legs, the hips or the object of a set-up character.

    Those of a character whose legs are not known are taken for such that do.
    """
    bones = _list_set_up_bones(armature)
    is_moved = any(curve.data_path in TRANSFORM_PROPERTIES for curve in curves)
    return is_moved or not bones or _leads_legs(armature, curves, bones)


def list_sources(armature: bpy.types.Object) -> tuple[bpy.types.Action, ...]:
    """The listed motions of a set-up character that are its walk's own.

    What moves neither a leg nor the hips is none, unless the user has said what it is and ticked it. Nor
    is what is neither ticked nor a cycle, such as a shot that was keyed by hand. These play on beside
    the walk.
    """
    bones = _list_set_up_bones(armature)
    return tuple(
        entry.action
        for entry in armature.locomotion.motions
        if entry.action is not None
        and (
            (entry.enabled and entry.kind in ("CYCLE", "REST"))
            or (
                (entry.enabled or entry.found_kind == "cycle")
                and moves_legs(armature, entry.action, bones)
            )
        )
    )


def list_playing_on(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    slot: str,
    sources: Sequence[bpy.types.Action],
) -> set[tuple[str, str]]:
    """Bone and property of what an action moves, found to be a rest, and no other motion of a walk does.

    Of a shot in which a leg has keys and hardly moves, the fingers go on. Who says that it is a rest
    stands in it.

    Parameters
    ----------
    action, slot
        What it plays without its bake.
    """
    found = (entry for entry in armature.locomotion.motions if entry.action == action)
    if not any(e.found_kind == "rest" and e.kind not in ("CYCLE", "REST") for e in found):
        return set()
    legs = _list_set_up_bones(armature)
    known = {*read_links(armature).list_leaders(legs), *legs, ""}
    for other in [other for other in sources if other != action]:
        found_slot = versions.find_slot(other, armature)
        for curve in () if found_slot is None else versions.get_curves(other, found_slot):
            known.add(split_bone_path(curve.data_path)[0])
    return {
        split_bone_path(curve.data_path)
        for curve in versions.get_curves(action, slot)
        if split_bone_path(curve.data_path)[0] not in known and _moves(curve, (-inf, inf))
    }


def note_covered(
    armature: bpy.types.Object,
    sources: Sequence[bpy.types.Action],
    keyed: Set[str],
    frames: tuple[int, int],
) -> list[Note]:
    """Notes of actions that move bones which carry no leg, where a walk moves the same ones.

    Parameters
    ----------
    sources
        The walk's own motions, which do not play beside it.
    keyed
        Names of the bones that the walk keys.
    frames
        First and last frame of the walk.
    """
    legs = _list_set_up_bones(armature)
    free = keyed - set(read_links(armature).list_leaders(legs)) - legs
    layers = {layer.action for layer in armature.locomotion.layers}
    action, slot = find_base_action(armature)
    # Frames of the action are those of the scene, but in strips.
    played = [(action, slot, frames)] if action is not None and action not in sources else []
    for strip in list_playing(armature.animation_data):
        is_over = strip.frame_start < frames[1] and strip.frame_end > frames[0]
        if strip.action is not None and is_over and not is_bake_of(armature, strip.action):
            span = strip.action_frame_start, strip.action_frame_end
            played.append((strip.action, versions.get_strip_slot(strip), span))
    covered: dict[bpy.types.Action, dict[str, None]] = {}
    for one, its_slot, span in played:
        for curve in () if one in layers else versions.get_curves(one, its_slot):
            bone, _ = split_bone_path(curve.data_path)
            if bone in free and not curve.mute and _moves(curve, span):
                covered.setdefault(one, {})[bone] = None
    return [
        make_note(
            NoteKind.ACTION_COVERED, action=one.name, bones=len(bones), first=next(iter(bones))
        )
        for one, bones in covered.items()
    ]


def _moves(curve: bpy.types.FCurve, span: tuple[float, float]) -> bool:
    """Whether a curve of transforms has keys of several values within a range of frames."""
    if curve.data_path.rpartition(".")[2] not in TRANSFORM_PROPERTIES:
        return False
    values = {key.co[1] for key in curve.keyframe_points if span[0] <= key.co[0] <= span[1]}
    return len(values) > 1


def list_played(armature: bpy.types.Object) -> set[bpy.types.Action]:
    """The actions that an object plays without its bake: the active one, and those in strips."""
    action, _ = find_base_action(armature)
    strips = [strip.action for strip in list_playing(armature.animation_data)]
    return {found for found in (action, *strips) if found is not None}
