# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of a set-up character changed by hand, then measured like found ones."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np

from ..blender.setup import rigs as rig_store
from ..core.maths import rotations as rot
from ..core.rig.legs import LegChoice
from ..core.rig.sole_edits import SoleEdit, mirror_sole_edit
from ..errors import RigError
from .characters import Character, find_character
from .limits import LEG
from .motion_entries import read_entry
from .notes import word_doubts
from .progress import run_steps
from .set_up_work import (
    find_analyses,
    find_set_up,
    is_set_up,
    read_character,
    read_facing,
    write_analyses,
    write_set_up,
)


def list_leg_choices(armature: bpy.types.Object) -> list[LegChoice]:
    """The legs of a set-up character as their bones are named now."""
    return [
        LegChoice(tuple(bone.name for bone in leg.bones), leg.toe or None, leg.name or None)
        for leg in armature.locomotion.legs
    ]


def measure_legs(
    armature: bpy.types.Object,
    choices: Sequence[LegChoice],
    forward: tuple[float, float] | None = None,
) -> Character:
    """Give a character these legs, and find soles, lengths, knees and partners anew.

    Parameters
    ----------
    armature
        The armature object. Where it is not set up, its motions are looked for as well.
    choices
        All its legs.
    forward
        World x, y that it faces at rest; None keeps what is known.

    Raises
    ------
    RigError
        The bones do not make legs; nothing has changed then.
    """
    if not is_set_up(armature):
        found = run_steps(find_set_up(armature, legs=choices, forward=forward))
        write_set_up(found)
        return found.character
    data = armature.locomotion
    actions = [e.action for e in data.motions if e.enabled and e.action is not None]
    facing = read_facing(armature) if forward is None else forward
    character = find_character(armature, actions or None, choices, facing, data.body or None)
    rig_store.write_rig(armature, character.rig)
    word_doubts(armature)
    data.active_leg = min(data.active_leg, len(data.legs) - 1)
    return read_character(armature)


def turn_forward(armature: bpy.types.Object, angle: float) -> Character:
    """Turn the direction in which a character faces, and measure its legs and ticked motions anew.

    Parameters
    ----------
    armature
        A set-up character.
    angle
        Radians, to the left.

    Raises
    ------
    RigError
        The bones do not make legs; nothing has changed then.
    AnalysisError
        Key times are set as no foot can have them; nothing has changed then.
    """
    entries = [e for e in armature.locomotion.motions if e.enabled and e.action is not None]
    known = read_character(armature)
    for entry in entries:
        read_entry(known, entry)
    x, y = read_facing(armature)
    cosine, sine = np.cos(angle), np.sin(angle)
    forward = (float(cosine * x - sine * y), float(sine * x + cosine * y))
    character = measure_legs(armature, list_leg_choices(armature), forward)
    for entry in armature.locomotion.motions:
        entry.direction = float(rot.wrap_angles(np.float64(entry.direction - angle)))
    if entries:
        write_analyses(run_steps(find_analyses(armature)))
    return character


def move_hip(choice: LegChoice, bones: bpy.types.ArmatureBones, step: int) -> LegChoice:
    """A leg whose hip is one bone higher (step 1) or lower (step -1).

    Raises
    ------
    RigError
        There is no bone above, or too few are left.
    """
    if step < 0:
        return replace(choice, bones=_shorten(choice, choice.bones[1:]))
    parent = _find_bone(bones, choice.bones[0]).parent
    if parent is None:
        raise RigError(f"no bone is above {choice.bones[0]!r}: the hip cannot move up")
    return replace(choice, bones=(parent.name, *choice.bones))


def move_ankle(choice: LegChoice, bones: bpy.types.ArmatureBones, step: int) -> LegChoice:
    """A leg whose ankle is one bone lower (step -1) or higher (step 1).

    Raises
    ------
    RigError
        There is no bone below, or too few are left.
    """
    if step > 0:
        return replace(choice, bones=_shorten(choice, choice.bones[:-1]), toe=choice.bones[-1])
    ankle = _find_bone(bones, choice.bones[-1])
    below = [bone.name for bone in ankle.children]
    if choice.toe is None and not below:
        raise RigError(f"no bone is below {ankle.name!r}: the ankle cannot move down")
    lower = choice.toe
    if lower is None:
        lower = max(ankle.children, key=lambda bone: len(bone.children_recursive)).name
    tips = _find_bone(bones, lower).children
    toe = tips[0].name if len(tips) == 1 else None
    return replace(choice, bones=(*choice.bones, lower), toe=toe)


def mirror_leg(armature: bpy.types.Object, number: int) -> Character:
    """Give the other side the same leg, with the same edits of its sole, and measure all legs anew.

    Parameters
    ----------
    armature
        A set-up character.
    number
        Number of the leg that is mirrored.

    Raises
    ------
    RigError
        A bone has no counterpart, or the bones do not make legs; nothing has changed then.
    """
    choices, bones = list_leg_choices(armature), armature.data.bones
    own, mirrored = choices[number], mirror_choice(choices[number], bones)
    rig = measure_legs(armature, replace_leg(choices, mirrored)).rig
    names = rig.skeleton.names
    feet = [rig.name_joints(leg)[-1] for leg in rig.legs]
    first, second = feet.index(own.bones[-1]), feet.index(mirrored.bones[-1])
    counterparts = {
        index: names.index(bpy.utils.flip_name(name))
        for index, name in enumerate(names)
        if bpy.utils.flip_name(name) in names
    }
    edit = rig_store.read_sole_edits(armature, rig).get(first, SoleEdit())
    edit = mirror_sole_edit(rig, edit, first, second, counterparts)
    rig_store.replace_sole_edit(armature, second, edit, rig)
    return read_character(armature)


def mirror_choice(choice: LegChoice, bones: bpy.types.ArmatureBones) -> LegChoice:
    """The leg on the other side, by the sides in the names of its bones.

    Raises
    ------
    RigError
        A bone has no counterpart.
    """

    def flip(name: str) -> str:
        other = bpy.utils.flip_name(name)
        if other == name or other not in bones:
            raise RigError(
                f"bone {name!r} has no counterpart on the other side by its name: "
                "add the other leg from selected bones"
            )
        return other

    toe = None if choice.toe is None else flip(choice.toe)
    name = None if choice.name is None else bpy.utils.flip_name(choice.name)
    mirrored = None if name == choice.name else name
    return LegChoice(tuple(flip(bone) for bone in choice.bones), toe, mirrored)


def sort_chain(names: Sequence[str], bones: bpy.types.ArmatureBones) -> tuple[str, ...]:
    """Bones of a leg in the order from the hip down.

    Raises
    ------
    RigError
        There are too few.
    """
    if len(names) < LEG.fewest_bones:
        raise RigError(
            f"a leg needs {LEG.fewest_bones} bones or more: select those from hip to ankle in Pose Mode"
        )
    return tuple(sorted(names, key=lambda name: len(_find_bone(bones, name).parent_recursive)))


def replace_leg(choices: Sequence[LegChoice], new: LegChoice) -> list[LegChoice]:
    """Legs with a new one in place of those that share bones with it."""
    taken = {*new.bones, new.toe}
    kept = [c for c in choices if taken.isdisjoint({*c.bones, *([c.toe] if c.toe else [])})]
    return [*kept, new]


def _find_bone(bones: bpy.types.ArmatureBones, name: str) -> bpy.types.Bone:
    """A bone by its name."""
    bone = bones.get(name)
    if bone is None:
        owner = bones.id_data.name
        if not name:
            raise RigError(f"a bone of the leg is not chosen: choose one of {owner!r}")
        near = difflib.get_close_matches(name, bones.keys(), n=1)
        cure = f"did you mean {near[0]!r}?" if near else "choose one of its bones"
        raise RigError(f"armature {owner!r} has no bone {name!r}: {cure}")
    return bone


def _shorten(choice: LegChoice, names: tuple[str, ...]) -> tuple[str, ...]:
    """The bones that are left, where they are enough."""
    if len(names) < LEG.fewest_bones:
        raise RigError(f"leg {choice.name!r} has too few bones to leave one out")
    return names
