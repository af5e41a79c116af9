# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls of a set-up character chosen by hand."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

import bpy

from ..blender.setup.control_properties import LISTED, SINGLE
from ..blender.setup.controls import fill_bones, fill_switches, list_switches, write_controls
from ..blender.setup.rigs import name_bones
from ..core.rig.controls.choices import ControlsChoice, LegControlsChoice
from ..core.rig.controls.mapping import ControlMap, SwitchValue
from ..errors import RigError

_QUOTED = re.compile(r'(?<=\[")(?:[^"\\]|\\.)*(?="\])')


def override_controls(armature: bpy.types.Object, choice: ControlsChoice) -> None:
    """Use named controls in place of those that were found, as if they were chosen by hand.

    Parameters
    ----------
    armature
        A set-up character.
    choice
        What is named.

    Raises
    ------
    RigError
        A bone, a leg or a property does not exist, or a chain has not a control for each joint;
        nothing has changed then.
    """
    data = armature.locomotion.controls
    legs = {leg.name: leg for leg in armature.locomotion.legs}
    _check_bone(armature, choice.body, "the body")
    _check_bone(armature, choice.root, "the root")
    for own in choice.legs:
        if own.leg not in legs:
            raise RigError(
                f"{armature.name!r} has no leg {own.leg!r} to choose controls of: it has "
                f"{', '.join(legs)}"
            )
        _check_leg(armature, own, legs[own.leg])
    for bone, control in choice.turned.items():
        _check_bone(armature, bone, "the upper body")
        _check_bone(armature, control, f"bone {bone!r}")
    if not data.is_probed:
        write_controls(armature, ControlMap(""))
    for name in ("body", "root"):
        if getattr(choice, name) is not None:
            getattr(data, name).bone = getattr(choice, name)
    entries = {entry.bones: entry for entry in data.legs}
    for own in choice.legs:
        _override_leg(entries[name_bones(legs[own.leg])], own)
    rows = {row.bone: row for row in data.turned}
    for bone, control in choice.turned.items():
        row = rows.get(bone) or data.turned.add()
        row.bone, row.control.bone = bone, control
    armature.update_tag()


def mirror_controls(armature: bpy.types.Object, number: int) -> str:
    """Give the other side the controls of a leg, by the sides in the names of its bones.

    Parameters
    ----------
    armature
        A set-up character.
    number
        Number of the leg whose controls are mirrored.

    Returns
    -------
    str
        Name of the other leg.

    Raises
    ------
    RigError
        There is no other leg, or a control has no counterpart; nothing has changed then.
    """
    data = armature.locomotion
    leg = data.legs[number]
    if leg.partner < 0:
        raise RigError(f"leg {leg.name!r} has no partner to mirror its controls to")
    other = data.legs[leg.partner]
    entries = {entry.bones: entry for entry in data.controls.legs}
    own = entries.get(name_bones(leg))
    if own is None or name_bones(other) not in entries:
        raise RigError("the bones of a leg were changed since its controls were found: press Probe")
    choice = LegControlsChoice(
        other.name,
        foot=_flip(armature, own.foot.bone),
        ankle=_flip(armature, own.ankle.bone),
        toe=_flip(armature, own.toe.bone),
        hock=_flip(armature, own.hock.bone),
        pole=_flip(armature, own.pole.bone),
        rolls=tuple(_flip(armature, row.bone) for row in own.rolls),
        chain=tuple(_flip(armature, row.bone) for row in own.chain),
        pole_turns=own.pole_turns,
        switches=tuple(_flip_switch(armature, switch) for switch in list_switches(own)),
    )
    override_controls(armature, ControlsChoice(legs=(choice,)))
    return str(other.name)


def _override_leg(entry: bpy.types.PropertyGroup, own: LegControlsChoice) -> None:
    """Use what is named of a leg."""
    for name in SINGLE:
        if getattr(own, name) is not None:
            getattr(entry, name).bone = getattr(own, name)
    if own.pole_turns is not None:
        entry.pole_turns = own.pole_turns
    for name in LISTED:
        if getattr(own, name) is not None:
            fill_bones(entry, name, getattr(own, name))
    if own.switches is not None:
        fill_switches(entry, own.switches)


def _check_leg(
    armature: bpy.types.Object, own: LegControlsChoice, leg: bpy.types.PropertyGroup
) -> None:
    """Refuse bones and properties that do not exist, and chains that are no chain of the leg."""
    for name in SINGLE:
        _check_bone(armature, getattr(own, name), f"{name} of leg {own.leg!r}")
    for name in LISTED:
        for bone in getattr(own, name) or ():
            _check_bone(armature, bone, f"{name} of leg {own.leg!r}")
    joints = [bone.name for bone in leg.bones]
    if own.chain and len(own.chain) not in (len(joints), len(joints) + bool(leg.toe)):
        raise RigError(
            f"chain of leg {own.leg!r} has {len(own.chain)} controls: name one for each of "
            f"{', '.join(joints)}, and one for the toe where it has one"
        )
    for switch in own.switches or ():
        _check_path(armature, switch.key[0], own.leg)


def _check_bone(armature: bpy.types.Object, name: str | None, what: str) -> None:
    """Refuse a bone that does not exist; none and an empty name are no bone."""
    bones: Sequence[str] = armature.pose.bones.keys()
    if name and name not in bones:
        near = difflib.get_close_matches(name, bones, n=1)
        cure = f"did you mean {near[0]!r}?" if near else "name one of its bones"
        raise RigError(f"{armature.name!r} has no bone {name!r} as the control of {what}: {cure}")


def _check_path(armature: bpy.types.Object, path: str, leg: str) -> None:
    """Refuse a data path that leads to no property."""
    try:
        armature.path_resolve(path)
    except ValueError as error:
        raise RigError(
            f"{armature.name!r} has no property {path} as a switch of leg {leg!r}: take the path that "
            "Copy Data Path gives, from the armature object on"
        ) from error


def _flip(armature: bpy.types.Object, name: str) -> str:
    """The control on the other side; one in the middle is its own."""
    other = bpy.utils.flip_name(name)
    if name and other not in armature.pose.bones:
        raise RigError(
            f"control {name!r} has no counterpart {other!r} on the other side: choose that by hand"
        )
    return str(other)


def _flip_switch(armature: bpy.types.Object, switch: SwitchValue) -> SwitchValue:
    """The switch of the other side."""
    path, index = switch.key
    other = _QUOTED.sub(lambda found: bpy.utils.flip_name(found[0]), path)
    try:
        armature.path_resolve(other)
    except ValueError as error:
        raise RigError(
            f"switch {path} has no counterpart {other} on the other side: name that by hand"
        ) from error
    return SwitchValue((other, index), switch.ik, switch.fk)
