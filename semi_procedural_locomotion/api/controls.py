# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which controls of a character a walk is written to."""

from __future__ import annotations

from ..blender.setup.controls import read_controls
from ..core.rig.controls.mapping import ControlMap, LegControls
from ..errors import BakeError
from .characters import Character
from .set_up_work import is_set_up


def find_controls(character: Character) -> ControlMap | None:
    """The controls that are kept on a character, one entry for each leg of its rig, in their order.

    None where controls were not looked for, or the legs of the rig are not those that are set up.
    """
    if not is_set_up(character.armature):
        return None
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
        Controls are wanted, and none move the body or a leg.
    """
    if output == "deforming":
        return None
    found = find_controls(character)
    if output == "automatic":
        return found if found is not None and found.is_verified else None
    name = character.armature.name
    if found is None:
        raise BakeError(
            f"{name!r} has no controls to write on: press Probe in the Controls panel, or set Write On "
            "to Deforming Bones"
        )
    missing = list_missing(found)
    if missing:
        raise BakeError(
            f"{name!r} has no control that moves {' and '.join(missing)}: choose one in the Controls "
            "panel, or set Write On to Deforming Bones"
        )
    return found


def list_missing(found: ControlMap) -> list[str]:
    """What no control moves, in words: the body, and legs by their names."""
    missing = [f"the foot of {leg.leg}" for leg in found.legs if not _has_control(leg)]
    return missing if found.body else ["the body", *missing]


def _has_control(leg: LegControls) -> bool:
    """Whether a leg can be put where a walk has it."""
    return bool(leg.foot or leg.chain)
