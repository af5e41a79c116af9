# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of a character's motions list: what the user decided, and what analyses say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..blender import versions
from ..blender.setup import analyses as analysis_store
from ..blender.setup.contact_properties import read_time_edits, write_key_times
from ..blender.setup.controls import read_controls
from ..blender.setup.values import remove_entry
from ..blender.values.components import read_component
from ..blender.values.curves import split_bone_path
from ..core.contacts.edits import check_times
from ..core.maths import rotations as rot
from ..core.motions.analysis import AnalysisOptions
from ..core.motions.changes import MEASURED_SPEED
from ..core.motions.records import Motion
from ..core.rig.structure import Rig
from ..errors import AnalysisError
from ..notes import Note, NoteKind, make_note
from .analyses import analyze_actions
from .characters import Character, MotionChoice, MotionFinding
from .inspection import describe_motion, describe_notes
from .notes import keep_notes

_KINDS = {"CYCLE": "cycle", "REST": "rest"}


@dataclass(frozen=True)
class DecidedMotion:
    """An action with what the user decided about it.

    Attributes
    ----------
    choice
        The action and its use.
    kind
        What the user says it is: ``"AUTO"``, ``"CYCLE"``, ``"REST"`` or ``"OTHER"``.
    found_kind
        What the last analysis said it is; empty where there was none.
    is_ticked
        Whether it was to be used.
    """

    choice: MotionChoice
    kind: str = "AUTO"
    found_kind: str = ""
    is_ticked: bool = False

    def analyze(self, character: Character) -> MotionFinding:
        """Analyse it as it is to be used.

        Raises
        ------
        AnalysisError
            It is not what the user says it is.
        """
        options = AnalysisOptions(kind=_KINDS.get(self.kind), force=self.kind == "CYCLE")
        try:
            return analyze_actions(character, [self.choice], options)[0]
        except AnalysisError as error:
            told = _tell_switches(character, self.choice.action)
            raise AnalysisError(f"{error.case}{told}", error.cure, error.job_cure) from error


def _tell_switches(character: Character, action: bpy.types.Action) -> str:
    """Switches that hold off the controls that an action keys, in words; empty for none."""
    found, armature = read_controls(character.armature), character.armature
    slot = versions.find_slot(action, armature)
    if found is None or slot is None:
        return ""
    paths = {curve.data_path for curve in versions.get_curves(action, slot)}
    keyed = {split_bone_path(path)[0] for path in paths}
    off = []
    for leg in found.legs:
        for switch in leg.switches:
            now = read_component(armature, switch.key)
            if now is None or switch.key[0] in paths or leg.foot not in keyed:
                continue
            if abs(now - switch.ik) > abs(now - switch.fk) and keyed.isdisjoint(leg.chain):
                off.append(
                    f"; {switch.key[0]} is {now:g}, so that the {leg.leg} leg is not moved by "
                    f"{leg.foot!r}: set it to {switch.ik:g}"
                )
    return "".join(off)


def list_decided(character: Character, actions: Sequence[bpy.types.Action]) -> list[DecidedMotion]:
    """What the user decided about some actions, in the order of the list.

    Actions that are not in the list are left out.

    Raises
    ------
    AnalysisError
        Key times are set as no foot can have them.
    """
    entries = character.armature.locomotion.motions
    return [read_entry(character, entry) for entry in entries if entry.action in actions]


def read_entry(character: Character, entry: bpy.types.PropertyGroup) -> DecidedMotion:
    """What the user decided about an entry of the motions list.

    Parameters
    ----------
    character
        Its legs take up the key times by the bones of their feet; those of other feet are left out.
    entry
        The entry; it has an action.

    Raises
    ------
    AnalysisError
        Key times are set as no foot can have them.
    """
    legs = {
        foot: leg.name
        for foot, leg in zip(_list_feet(character.rig), character.rig.legs, strict=True)
    }
    edits = read_time_edits(entry)
    key_times = {legs[foot]: edit for foot, edit in edits.items() if foot in legs}
    for kept in entry.key_times:
        if kept.name in edits and kept.name in legs:
            check_times(kept.times, legs[kept.name], entry.action.name)
    choice = MotionChoice(
        entry.action,
        entry.group,
        entry.is_reversed,
        entry.kind == "REST",
        entry.own_speed or None,
        key_times,
    )
    return DecidedMotion(choice, entry.kind, entry.found_kind, entry.enabled)


def is_gone(entry: bpy.types.PropertyGroup) -> bool:
    """Whether an entry had an action that is no more in the file; new entries never had one."""
    return entry.action is None and bool(entry.found_kind)


def drop_gone(armature: bpy.types.Object) -> None:
    """Take entries out of the motions list whose action is no more in the file."""
    data = armature.locomotion
    for number in reversed(range(len(data.motions))):
        if is_gone(data.motions[number]):
            remove_entry(data, "motions", number)
            if data.active_motion >= max(number, 1):
                data.active_motion -= 1


def note_gone_motions(armature: bpy.types.Object) -> list[Note]:
    """A note where ticked motions have no action any more."""
    gone = sum(entry.enabled and is_gone(entry) for entry in armature.locomotion.motions)
    return [make_note(NoteKind.ACTION_GONE, motions=gone)] if gone else []


def write_entry(entry: bpy.types.PropertyGroup, decided: DecidedMotion) -> None:
    """Keep what was decided about a motion in an entry of the list."""
    choice = decided.choice
    entry.action, entry.enabled, entry.kind = choice.action, decided.is_ticked, decided.kind
    entry.group, entry.is_reversed = choice.group, choice.reversed
    entry.own_speed = choice.speed or 0.0


def show_finding(
    entry: bpy.types.PropertyGroup, finding: MotionFinding, character: Character
) -> None:
    """Write what the analysis says to an entry of the motions list."""
    entry.found_kind = finding.kind
    keep_notes(entry, finding.notes)
    motion = finding.motion
    if motion is None:
        return
    forward = character.rig.forward
    heading = np.arctan2(motion.velocity[1], motion.velocity[0])
    entry.speed = float(motion.quality.get(MEASURED_SPEED, motion.speed))
    entry.period, entry.turn_rate = motion.period, motion.turn_rate
    entry.direction = float(rot.wrap_angles(heading - np.arctan2(forward[1], forward[0])))
    skates = [leg.skate for leg in motion.legs]
    entry.quality = float(np.clip(1.0 - np.mean(skates), 0.0, 1.0))
    _show_key_times(entry, motion, character.rig)


def _show_key_times(entry: bpy.types.PropertyGroup, motion: Motion, rig: Rig) -> None:
    """Write when the feet stand, in the action as it is played forwards."""
    used, found = {}, {}
    for foot, leg in zip(_list_feet(rig), motion.legs if motion.is_cycle else (), strict=False):
        times, before = leg.contact_times, leg.found_times
        used[foot] = times.reverse() if motion.reversed else times
        if before is not None:
            found[foot] = before.reverse() if motion.reversed else before
    write_key_times(entry, used, found)


def store_finding(action: bpy.types.Action, finding: MotionFinding, character: Character) -> None:
    """Keep the numbers of an analysis with the action."""
    data: dict[str, Any] = {"kind": finding.kind, **describe_notes(finding.notes)}
    if finding.motion is not None:
        paths = [cycle.footbases for cycle in finding.motion.legs]
        data = {"kind": finding.kind, **describe_motion(finding.motion)}
        data["footbases"] = np.stack(paths, axis=1).astype(np.float64)
    analysis_store.store_analysis(
        character.armature, action, character.rig, data, keys=finding.keys
    )


def _list_feet(rig: Rig) -> list[str]:
    """The last bones of all legs, those of their ankles."""
    return [rig.name_joints(leg)[-1] for leg in rig.legs]
