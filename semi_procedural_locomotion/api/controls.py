# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which controls a character has, and which of them a walk is written to."""

from __future__ import annotations

import bpy

from ..blender import versions
from ..blender.bake.writing import find_bake
from ..blender.controls.probing import probe_controls
from ..blender.setup.controls import read_controls, write_controls
from ..blender.values.curves import split_bone_path
from ..core.rig.controls.mapping import VERIFIED, ControlMap, LegControls
from ..errors import BakeError
from .characters import Character
from .notes import word_doubts
from .progress import Steps, run_steps
from .set_up_work import read_character

_DEFORMING = "Walks go onto the deforming bones"


def find_probed(armature: bpy.types.Object) -> Steps[ControlMap]:
    """Look for the controls of a set-up character; nothing of it changes.

    Raises
    ------
    RigError
        It is not set up, or its bones have changed.
    """
    yield 0.0, "looking for controls"
    return probe_controls(armature, read_character(armature).rig)


def write_probed(
    armature: bpy.types.Object, found: ControlMap, keeps_edits: bool = True
) -> ControlMap:
    """Keep controls that were found, and give those in use; see `write_controls`."""
    write_controls(armature, found, keeps_edits)
    word_doubts(armature)
    armature.update_tag()
    return read_controls(armature) or found


def probe_and_keep(armature: bpy.types.Object, keeps_edits: bool = True) -> ControlMap:
    """Look for the controls of a set-up character, and keep them on it.

    Parameters
    ----------
    armature
        A set-up character.
    keeps_edits
        Leave alone what the user has chosen by hand.

    Raises
    ------
    RigError
        It is not set up, or its bones have changed.
    """
    return write_probed(armature, run_steps(find_probed(armature)), keeps_edits)


def find_controls(character: Character) -> ControlMap | None:
    """The controls that are kept on a character, one entry for each leg of its rig, in their order.

    None where controls were not looked for, or the legs of the rig are not those that are set up.
    """
    found = read_controls(character.armature)
    names = [leg.name for leg in character.rig.legs]
    if found is None or [leg.leg for leg in found.legs] != names:
        return None
    return found


def choose_controls(character: Character, output: str) -> ControlMap | None:
    """The controls that a walk is written to; None where the deforming bones alone get it.

    Parameters
    ----------
    character
        The character.
    output
        As of `BakeOptions`.

    Raises
    ------
    BakeError
        Controls are wanted, and none move the body or a leg; or those that are chosen contradict each
        other.
    """
    if output == "deforming":
        return None
    found = find_controls(character)
    if output == "automatic":
        found = found if found is not None and found.is_verified else None
        if found is not None:
            refuse_contradictions(found)
        return found
    name = character.armature.name
    if found is None:
        raise BakeError(
            f"{name!r} has no controls to write on",
            "press Probe in the Controls panel, or set Write On to Deforming Bones",
            'name them in `controls`, or take `output = "deforming"` in `[character.bake]`',
        )
    missing = list_missing(found)
    if missing:
        raise BakeError(
            f"{name!r} has no control that moves {' and '.join(missing)}",
            "choose one in the Controls panel, or set Write On to Deforming Bones",
            'name one in `controls`, or take `output = "deforming"` in `[character.bake]`',
        )
    refuse_contradictions(found)
    return found


def refuse_contradictions(found: ControlMap) -> None:
    """Refuse controls with which no rig can be posed.

    Raises
    ------
    BakeError
        A switch is the same for IK and FK, or a control is to hold two feet, or a foot and the body.
    """
    feet: dict[str, str] = {}
    for leg in found.legs:
        for switch in leg.switches:
            if switch.ik == switch.fk:
                raise BakeError(
                    f"switch {switch.key[0]} of leg {leg.leg!r} is {switch.ik:g} for IK and for FK",
                    "give it another value for one of them in the Controls panel",
                    "give it another value for one of them in its `switches`",
                )
        if leg.foot and leg.foot == found.body:
            raise BakeError(
                f"{leg.foot!r} is the control of the body and of the {leg.leg} foot",
                "choose another one for one of them in the Controls panel",
                "name another one for one of them in `controls`",
            )
        if leg.foot and feet.setdefault(leg.foot, leg.leg) != leg.leg:
            raise BakeError(
                f"{leg.foot!r} is the control of the {feet[leg.foot]} and the {leg.leg} foot",
                "choose another one for one of them in the Controls panel",
                "name another one for one of them in `controls`",
            )


def describe_output(found: ControlMap | None, output: str) -> tuple[str, bool]:
    """What a walk is written to, in words, and whether that is as it is wanted.

    Parameters
    ----------
    found
        The controls of a character, as `read_controls` gives them.
    output
        As of `BakeOptions`.
    """
    if output == "deforming":
        return f"{_DEFORMING}, as Write On says", True
    is_wanted = output != "automatic"
    lead = "Nothing to write on" if is_wanted else _DEFORMING
    if found is None:
        return f"{lead}: controls were not looked for", not is_wanted
    if not found.bones:
        return f"{lead}: no controls were found on this rig", not is_wanted
    missing = list_missing(found)
    if missing:
        return f"{lead}: no control found that moves {' and '.join(missing)}", False
    if not is_wanted and not found.is_verified:
        return (
            f"{_DEFORMING}: it is sure to {found.confidence:.0%} alone that these are the controls, "
            f"{VERIFIED:.0%} are asked for; set Write On to Controls to use them all the same",
            False,
        )
    text = f"Walks go onto the controls ({len(found.bones)} bones)"
    return f"{text} and the deforming bones" if output == "both" else text, True


def list_keyed(armature: bpy.types.Object) -> list[str]:
    """Names of the controls that the baked walk of a character keys; all of them where none is baked."""
    found = read_controls(armature)
    names = [] if found is None else list(found.bones)
    action = find_bake(armature)
    if action is None:
        return names
    slot = versions.find_slot(action, armature) or ""
    paths = [curve.data_path for curve in versions.get_curves(action, slot)]
    keyed = {bone for bone, name in map(split_bone_path, paths) if not name.startswith("[")}
    return [name for name in names if name in keyed] or names


def list_missing(found: ControlMap) -> list[str]:
    """What no control moves, in words: the body, and legs by their names."""
    missing = [f"the {leg.leg} foot" for leg in found.legs if not _has_control(leg)]
    return missing if found.body else ["the body", *missing]


def _has_control(leg: LegControls) -> bool:
    """Whether a leg can be put where a walk has it."""
    return bool(leg.foot or leg.chain)
