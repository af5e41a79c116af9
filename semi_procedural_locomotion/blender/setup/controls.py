# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A map of controls kept on its armature object and read back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import bpy

from ...core.rig.controls.mapping import BoneControl, ControlMap, LegControls, SwitchValue
from ...notes import Note, NoteKind, make_note, notes_from_text, text_from_notes
from .control_properties import (
    LISTED,
    SINGLE,
    has_edited_switches,
    text_from_bones,
    text_from_switches,
)
from .rigs import name_bones
from .values import Values, clear_entries

# How sure it is what the user has chosen.
_CHOSEN = 1.0


def write_controls(armature: bpy.types.Object, found: ControlMap, keeps_edits: bool = True) -> None:
    """Keep the controls that were found on a set-up character, in place of what was there.

    Doubts are kept without words.

    Parameters
    ----------
    armature
        A set-up character.
    found
        Its controls, legs by the names that they have in the set-up.
    keeps_edits
        Leave alone what the user has chosen by hand, for legs of the same bones.
    """
    data = armature.locomotion.controls
    kept = _read_edits(data) if keeps_edits else {}
    data.is_probed = True
    for name in ("body", "root"):
        _write_control(getattr(data, name), getattr(found, name), kept.get(name))
    data.pelvis = found.pelvis
    by_name = {leg.leg: leg for leg in found.legs}
    clear_entries(data, "legs")
    for leg in armature.locomotion.legs:
        entry = data.legs.add()
        entry.name, entry.bones = leg.name, name_bones(leg)
        own = by_name.get(leg.name, LegControls(leg.name))
        _write_leg(entry, own, kept.get("legs", {}).get(entry.bones, {}))
    turned = {entry.bone: entry.control for entry in found.turned}
    clear_entries(data, "turned")
    chosen: dict[str, str] = kept.get("turned", {})
    for bone in dict.fromkeys([*turned, *chosen]):
        row = data.turned.add()
        row.bone = bone
        _write_control(row.control, turned.get(bone, ""), chosen.get(bone))
    _write_switches(data, found.switches, kept.get("switches"))
    data.confidence, data.notes, data.reasons = found.confidence, text_from_notes(found.doubts), ""


def clear_controls(armature: bpy.types.Object) -> None:
    """Forget the controls of a character, those chosen by hand too."""
    write_controls(armature, ControlMap(""), keeps_edits=False)
    data = armature.locomotion.controls
    clear_entries(data, "legs")
    data.is_probed = False


def is_edited(data: bpy.types.PropertyGroup) -> bool:
    """Whether the user has chosen anything by hand of the controls of a character."""
    edits = _read_edits(data)
    return any(edits.pop("legs").values()) or bool(edits.pop("turned")) or bool(edits)


def read_controls(armature: bpy.types.Object) -> ControlMap | None:
    """The controls kept on a character, one entry for each of its legs, in their order.

    What the user has chosen counts as sure. Bones and properties that are gone are left out, with a
    doubt that names them; so are the controls of legs whose bones were changed.

    Parameters
    ----------
    armature
        A set-up character.

    Returns
    -------
    ControlMap or None
        None where controls were not looked for.
    """
    data = armature.locomotion.controls
    if not data.is_probed:
        return None
    doubts: list[Note] = list(notes_from_text(data.notes, data.reasons))
    bones = armature.pose.bones
    body, root = (_read_bone(getattr(data, n).bone, bones, doubts) for n in ("body", "root"))
    entries = {entry.bones: entry for entry in data.legs}
    legs = tuple(
        _read_leg(leg, entries.get(name_bones(leg)), armature) for leg in armature.locomotion.legs
    )
    turned = []
    for row in data.turned:
        control = _read_bone(row.control.bone, bones, doubts)
        if control and row.bone in bones:
            turned.append(BoneControl(row.bone, control))
    return ControlMap(
        body=body,
        root=root,
        pelvis=data.pelvis if data.pelvis in bones else "",
        legs=legs,
        turned=tuple(turned),
        switches=_read_switches(data, armature, doubts),
        confidence=min([_find_body_confidence(data), *(leg.confidence for leg in legs)]),
        doubts=tuple(doubts),
    )


def fill_bones(entry: bpy.types.PropertyGroup, name: str, bones: Sequence[str]) -> None:
    """Use other bones in a list of controls of a leg."""
    found = getattr(entry, f"found_{name}").split("\n")
    clear_entries(entry, name)
    for number, bone in enumerate(bones):
        row = getattr(entry, name).add()
        row.bone, row.found = bone, found[number] if number < len(found) else ""


def fill_switches(group: bpy.types.PropertyGroup, switches: Sequence[SwitchValue]) -> None:
    """Make the switches of a group these."""
    clear_entries(group, "switches")
    for switch in switches:
        row = group.switches.add()
        row.path, row.index = switch.key
        row.ik, row.fk = switch.ik, switch.fk


def list_switches(group: bpy.types.PropertyGroup) -> tuple[SwitchValue, ...]:
    """The switches of a group as they stand there."""
    return tuple(SwitchValue((row.path, row.index), row.ik, row.fk) for row in group.switches)


def _find_body_confidence(data: bpy.types.PropertyGroup) -> float:
    """How sure the control of the body is; the whole map is as sure as the least of its parts."""
    if data.body.is_edited:
        return _CHOSEN
    found = [entry.confidence for entry in data.legs]
    is_least = data.confidence < min(found, default=_CHOSEN)
    return float(data.confidence) if is_least else _CHOSEN


def _write_leg(entry: bpy.types.PropertyGroup, found: LegControls, kept: Values) -> None:
    """Keep what was found of one leg, and what the user has chosen."""
    for name in SINGLE:
        _write_control(getattr(entry, name), getattr(found, name), kept.get(name))
    entry.pole_turns = kept.get("pole_turns", found.pole_turns)
    for name in LISTED:
        names = getattr(found, name)
        setattr(entry, f"found_{name}", "\n".join(names))
        fill_bones(entry, name, kept.get(name, names))
    _write_switches(entry, found.switches, kept.get("switches"))
    entry.confidence, entry.notes = found.confidence, text_from_notes(found.doubts)
    entry.reasons = ""


def _write_control(group: bpy.types.PropertyGroup, found: str, chosen: str | None) -> None:
    """Keep a bone that was found, and in use the one that the user has chosen."""
    group.found, group.bone = found, found if chosen is None else chosen


def _write_switches(
    group: bpy.types.PropertyGroup,
    found: Sequence[SwitchValue],
    chosen: Sequence[SwitchValue] | None,
) -> None:
    """Keep the switches that were found, and in use those that the user has chosen."""
    fill_switches(group, found)
    group.found_switches = text_from_switches(group)
    if chosen is not None:
        fill_switches(group, chosen)


def _read_edits(data: bpy.types.PropertyGroup) -> dict[str, Any]:
    """What the user has chosen by hand, by the names of the properties; legs by their bones."""
    edits: dict[str, Any] = {
        name: getattr(data, name).bone for name in ("body", "root") if getattr(data, name).is_edited
    }
    edits["legs"] = {entry.bones: _read_leg_edits(entry) for entry in data.legs}
    edits["turned"] = {row.bone: row.control.bone for row in data.turned if row.control.is_edited}
    if has_edited_switches(data):
        edits["switches"] = list_switches(data)
    return edits


def _read_leg_edits(entry: bpy.types.PropertyGroup) -> dict[str, Any]:
    """What the user has chosen of one leg."""
    edits: dict[str, Any] = {
        name: getattr(entry, name).bone for name in SINGLE if getattr(entry, name).is_edited
    }
    if "pole" in edits:
        edits["pole_turns"] = entry.pole_turns
    for name in LISTED:
        if text_from_bones(entry, name) != getattr(entry, f"found_{name}"):
            edits[name] = [row.bone for row in getattr(entry, name)]
    if has_edited_switches(entry):
        edits["switches"] = list_switches(entry)
    return edits


def _read_leg(
    leg: bpy.types.PropertyGroup,
    entry: bpy.types.PropertyGroup | None,
    armature: bpy.types.Object,
) -> LegControls:
    """The controls of one leg of the set-up, with doubts about what is gone."""
    if entry is None:
        return LegControls(leg.name, doubts=(make_note(NoteKind.CONTROLS_OUTDATED, leg.name),))
    bones = armature.pose.bones
    doubts: list[Note] = []
    single = {
        name: _read_bone(getattr(entry, name).bone, bones, doubts, leg.name) for name in SINGLE
    }
    rolls = [_read_bone(row.bone, bones, doubts, leg.name) for row in entry.rolls]
    chain = [_read_bone(row.bone, bones, doubts, leg.name) for row in entry.chain]
    joints = [bone.name for bone in leg.bones]
    wanted = [*joints, leg.toe] if leg.toe and len(chain) > len(joints) else joints
    gaps = [bone for bone, name in zip(wanted, chain, strict=False) if not name]
    gaps += wanted[len(chain) :]
    if any(chain) and gaps:
        doubts.append(make_note(NoteKind.CONTROL_CHAIN_BROKEN, leg.name, bones=tuple(gaps)))
    # What probing doubted is settled where the user has chosen.
    if not entry.is_edited or not (single["foot"] or any(chain)):
        doubts = [*notes_from_text(entry.notes, entry.reasons), *doubts]
    return LegControls(
        leg=leg.name,
        **single,
        rolls=tuple(name for name in rolls if name),
        chain=() if gaps else tuple(chain),
        pole_turns=entry.pole_turns,
        switches=_read_switches(entry, armature, doubts, leg.name),
        confidence=_CHOSEN if entry.is_edited else entry.confidence,
        doubts=tuple(replace(note, leg=leg.name) for note in doubts),
    )


def _read_bone(
    name: str, bones: Collection[str], doubts: list[Note], leg: str | None = None
) -> str:
    """Name of a control that is there; one that is gone is doubted."""
    if name and name not in bones:
        doubts.append(make_note(NoteKind.CONTROL_GONE, leg, bone=name))
        return ""
    return name


def _read_switches(
    group: bpy.types.PropertyGroup,
    armature: bpy.types.Object,
    doubts: list[Note],
    leg: str | None = None,
) -> tuple[SwitchValue, ...]:
    """The switches of a group that are there; those that are gone are doubted."""
    found = []
    for switch in list_switches(group):
        if not switch.key[0]:
            continue
        try:
            armature.path_resolve(switch.key[0])
        except ValueError:
            doubts.append(make_note(NoteKind.CONTROL_SWITCH_GONE, leg, path=switch.key[0]))
            continue
        found.append(switch)
    return tuple(found)
