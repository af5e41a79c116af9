# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Other armatures of one character, such as a metarig and the rig generated from it."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ...errors import RigError
from ...notes import Note, NoteKind, make_note
from ..limits import EVIDENCE
from ..values.constraints import find_copied_armature
from .sampling import find_actions, find_foreign, find_matching

# How generators call the bones that they make from those of a metarig.
_MADE = ("ORG-", "DEF-")


def note_relatives(armature: bpy.types.Object, scene: bpy.types.Scene) -> tuple[Note, ...]:
    """Whether another armature of a scene is the one to animate, which the user may have missed.

    Parameters
    ----------
    armature
        The armature object that was picked.
    scene
        Whose armatures may be meant.

    Returns
    -------
    tuple of Note
        At most one.
    """
    bones = {bone.name for bone in armature.data.bones}
    plain = {_strip(name) for name in bones}
    moves_none = not moves_meshes(armature)
    others = [item for item in scene.objects if item.type == "ARMATURE" and item != armature]
    for other in sorted(others, key=lambda item: item.name):
        names = {bone.name for bone in other.data.bones}
        if _is_made_into(armature, other):
            return (make_note(NoteKind.ARMATURE_IDLE, case="generated", armature=other.name),)
        shared = plain & {_strip(name) for name in names}
        needed = EVIDENCE.relative * min(len(bones), len(names))
        follows = find_copied_armature(other) == armature  # its meshes go where this one goes
        if moves_none and len(shared) >= needed and moves_meshes(other) and not follows:
            return (make_note(NoteKind.ARMATURE_IDLE, case="alike", armature=other.name),)
    return ()


def note_foreign(armature: bpy.types.Object) -> tuple[Note, ...]:
    """Note which actions of the file were made for a character of other proportions, at most one note.

    Raises RigError where the object is no armature with bones.
    """
    foreign = find_foreign(armature, find_matching(armature))
    if not foreign:
        return ()
    return (make_note(NoteKind.ACTIONS_OF_OTHERS, actions=tuple(a.name for a in foreign)),)


def rank_armatures(
    armatures: Iterable[bpy.types.Object], scene: bpy.types.Scene
) -> list[list[bpy.types.Object]]:
    """Find which of several armatures is the character, the likeliest first.

    One with bones counts before one without, a rig before what copies it or what it was made from,
    one that actions key and that moves meshes before others, one that is shown before one that is not.

    Parameters
    ----------
    scene
        Whose objects may be their relatives.

    Returns
    -------
    list of list
        Those that nothing tells apart are together, sorted by name.
    """
    ranked: dict[tuple[int, ...], list[bpy.types.Object]] = {}
    for armature in sorted(armatures, key=lambda item: item.name):
        ranked.setdefault(_rank(armature, scene), []).append(armature)
    return [ranked[rank] for rank in sorted(ranked, reverse=True)]


def _rank(armature: bpy.types.Object, scene: bpy.types.Scene) -> tuple[int, ...]:
    """Find how likely an armature is the character, the weightiest first."""
    try:
        is_keyed = bool(find_actions(armature))
    except RigError:  # it has no bones
        return (0,)
    copies = find_copied_armature(armature) is not None
    followers = [o for o in scene.objects if o.type == "ARMATURE" and o != armature]
    moves = moves_meshes(armature) or any(
        find_copied_armature(other) == armature and moves_meshes(other) for other in followers
    )
    return (
        1,
        int(not copies),
        int(not any(_is_made_into(armature, other) for other in followers)),
        int(is_keyed) + int(moves),
        int(is_keyed),
        int(not armature.hide_viewport and armature.visible_get()),
    )


def _is_made_into(armature: bpy.types.Object, other: bpy.types.Object) -> bool:
    """Whether another armature was generated from one, as rigs are from their metarigs."""
    bones, names = (item.data.bones.keys() for item in (armature, other))
    made = sum(any(prefix + name in names for prefix in _MADE) for name in bones)
    return made >= EVIDENCE.relative * len(bones)


def _strip(name: str) -> str:
    """A bone's name without what a generator put before it."""
    return next((name.removeprefix(p) for p in _MADE if name.startswith(p)), name)


def moves_meshes(armature: bpy.types.Object) -> bool:
    """Whether any mesh of the file is moved by an armature's bones."""
    return any(
        item.type == "MESH"
        and (
            any(m.type == "ARMATURE" and m.object == armature for m in item.modifiers)
            or (item.parent == armature and item.parent_type in {"ARMATURE", "BONE"})
        )
        for item in bpy.data.objects
    )
