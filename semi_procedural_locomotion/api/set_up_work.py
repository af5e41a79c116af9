# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a set-up and its analyses are made of: found in steps, then written in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy

from ..blender.controls.probing import has_controls, probe_controls
from ..blender.reading.leg_motions import list_sources
from ..blender.reading.sampling import find_actions
from ..blender.setup import rigs as rig_store
from ..blender.setup.controls import write_controls
from ..blender.setup.values import clear_entries
from ..blender.travel.reading import read_own_skeleton
from ..blender.values.constraints import find_copied_armature
from ..blender.values.libraries import tell_missing_libraries
from ..core.rig.controls.mapping import ControlMap
from ..core.rig.legs import LegChoice
from ..core.rig.legs.names import rank_action_name
from ..core.rig.sole_edits import edit_soles
from ..core.rig.structure import Rig
from ..errors import AnalysisError, RigError
from ..notes import NoteKind
from .characters import (
    Character,
    MotionChoice,
    MotionFinding,
    find_character,
    refuse_finding,
)
from .limits import PROGRESS
from .motion_choosing import choose_motions, find_rest_action
from .motion_entries import (
    DecidedMotion,
    drop_gone,
    list_decided,
    read_entry,
    show_finding,
    store_finding,
    write_entry,
)
from .notes import read_notes, tell_case, tell_cure, word_doubts
from .progress import Steps
from .refusals import refuse_motions
from .wording import Reader

_NAME_WALK = "name an action that walks in `motions`"
# In the motions list, what is ticked comes first, then by kind.
_KIND_ORDER = {"cycle": 0, "rest": 1, "other": 2}


@dataclass(frozen=True)
class FoundSetUp:
    """A character and its motions, found but not written.

    Attributes
    ----------
    character
        Its legs, with soles that the user has set.
    measured
        Its rig with all soles as they were measured.
    motions, findings
        The actions, whether each is to be used, and what the analysis says of it.
    controls
        What moves its bones; None where nothing of the rig could.
    """

    character: Character
    measured: Rig
    motions: tuple[DecidedMotion, ...] = ()
    findings: tuple[MotionFinding, ...] = ()
    controls: ControlMap | None = None


@dataclass(frozen=True)
class FoundAnalyses:
    """Analyses of some motions of a set-up character, not written.

    Attributes
    ----------
    character
        The character.
    actions, findings
        The actions, and what the analysis says of each.
    rows
        Their places in the motions list; None for those that are not in it yet.
    """

    character: Character
    actions: tuple[bpy.types.Action, ...]
    findings: tuple[MotionFinding, ...]
    rows: tuple[int | None, ...]


def is_set_up(armature: bpy.types.Object) -> bool:
    """Whether an armature object has legs set up."""
    return armature.type == "ARMATURE" and len(armature.locomotion.legs) > 0


def read_character(armature: bpy.types.Object) -> Character:
    """The set-up character of an armature object.

    Raises
    ------
    RigError
        It is not set up, or its bones have changed.
    """
    if not is_set_up(armature):
        raise RigError(
            f"{armature.name!r} is not set up", "use Set Up first", "set it up in Blender"
        )
    rig = rig_store.read_rig(armature, read_own_skeleton(armature, bpy.context.scene))
    return Character(armature, rig, rig.confidence, rig.doubts)


def read_facing(armature: bpy.types.Object) -> tuple[float, float]:
    """World x, y that a set-up character faces at rest."""
    x, y = rig_store.read_forward(armature, read_own_skeleton(armature, bpy.context.scene))
    return float(x), float(y)


def find_set_up(
    armature: bpy.types.Object,
    choices: Sequence[MotionChoice] | None = None,
    legs: Sequence[LegChoice] | None = None,
    forward: tuple[float, float] | None = None,
    body: str | None = None,
    ignored: Sequence[bpy.types.Action] = (),
) -> Steps[FoundSetUp]:
    """Find legs and motions of an armature; nothing of it changes.

    Parameters
    ----------
    armature
        The armature object.
    choices
        Actions to use; None looks at all that key the armature and ticks those that look like
        locomotion, and one to stand in. What the user decided about motions in the list is kept
        where they are found again.
    legs, forward, body
        Instead of what would be found; see `find_character`.
    ignored
        Actions that are none of the armature, although they key bones of its names.

    Raises
    ------
    LocomotionError
        Nothing that can walk, or a chosen action that does not.
    """
    yield 0.0, "finding legs"
    actions = None if choices is None else [c.action for c in choices if not c.rest]
    found = find_character(armature, actions or None, legs, forward, body, ignored=ignored)
    edits = rig_store.read_sole_edits(armature, found.rig)
    character = replace(found, rig=edit_soles(found.rig, edits))
    asked = (
        _decide_motions(character, ignored) if choices is None else [_decide(c) for c in choices]
    )
    findings: list[MotionFinding] = []
    errors: list[AnalysisError] = []
    for number, motion in enumerate(asked):
        share = PROGRESS.legs + (PROGRESS.controls - PROGRESS.legs) * number / len(asked)
        name = motion.choice.action.name
        yield share, f"analyzing {name}"
        try:
            findings.append(motion.analyze(character))
        except AnalysisError as error:
            errors.append(error)
            findings.append(refuse_finding(name, error))
    if choices is not None:
        refuse_motions(errors)
    else:
        _stand_by_name(character, asked, findings)
        # A tick is the user's word about what a motion is; where that is new, it is asked again.
        chosen = choose_motions(findings, character.rig)
        for number, (is_ticked, told) in enumerate(chosen):
            if asked[number].found_kind != findings[number].kind:
                asked[number] = replace(asked[number], is_ticked=is_ticked)
            if asked[number].is_ticked == is_ticked:
                findings[number] = replace(findings[number], choice=told)
    controls = None
    if has_controls(armature):
        yield PROGRESS.controls, "looking for controls"
        rows = _sort_rows(asked, findings)
        first = next((motion.choice.action for motion, _ in rows if motion.is_ticked), None)
        controls = probe_controls(armature, character.rig, first)
    return FoundSetUp(character, found.rig, tuple(asked), tuple(findings), controls)


def _decide(choice: MotionChoice) -> DecidedMotion:
    """A motion that is named to be used."""
    kind = "REST" if choice.rest else "CYCLE" if choice.insists else "AUTO"
    return DecidedMotion(choice, kind=kind, is_ticked=True)


def _decide_motions(
    character: Character, ignored: Sequence[bpy.types.Action]
) -> list[DecidedMotion]:
    """All actions that key a character, those in its list as the user decided."""
    actions = [a for a in find_actions(character.armature) if a not in ignored]
    decided = list_decided(character, actions)
    listed = {motion.choice.action for motion in decided}
    new = [_decide(MotionChoice(a)) for a in actions if a not in listed]
    return [*decided, *(replace(motion, is_ticked=False) for motion in new)]


def _stand_by_name(
    character: Character, asked: list[DecidedMotion], findings: list[MotionFinding]
) -> None:
    """Where no motion stands quietly, take the one that is named as if it did for the rest."""
    named = None if any(f.kind == "rest" for f in findings) else find_rest_action(character)
    for number, motion in enumerate(asked):
        if motion.choice.action == named and not motion.found_kind:
            asked[number] = replace(_decide(replace(motion.choice, rest=True)), is_ticked=False)
            findings[number] = asked[number].analyze(character)


def _sort_rows(
    motions: Sequence[DecidedMotion], findings: Sequence[MotionFinding]
) -> list[tuple[DecidedMotion, MotionFinding]]:
    """Motions with their findings as the list shows them: ticked ones first, then by kind."""
    rows = zip(motions, findings, strict=True)
    return sorted(rows, key=lambda row: (not row[0].is_ticked, _KIND_ORDER[row[1].kind]))


def write_set_up(found: FoundSetUp) -> None:
    """Keep what was found on the armature, in place of what was there."""
    character = found.character
    armature = character.armature
    rig_store.write_rig(armature, found.measured)
    if found.controls is not None:
        write_controls(armature, found.controls)
    word_doubts(armature)
    data = armature.locomotion
    is_active = data.active_motion < len(data.motions)
    active = data.motions[data.active_motion].action if is_active else None
    clear_entries(data, "motions")
    for motion, finding in _sort_rows(found.motions, found.findings):
        if motion.choice.action == active:
            data.active_motion = len(data.motions)
        entry = data.motions.add()
        write_entry(entry, motion)
        show_finding(entry, finding, character)
        store_finding(motion.choice.action, finding, character)


def find_analyses(
    armature: bpy.types.Object, actions: Sequence[bpy.types.Action] | None = None
) -> Steps[FoundAnalyses]:
    """Analyse the ticked motions of a set-up character, or the given actions; nothing changes.

    Raises
    ------
    RigError
        The character is not set up.
    AnalysisError
        Nothing is ticked, or key times are set as no foot can have them.
    """
    character = read_character(armature)
    entries = armature.locomotion.motions
    chosen: list[tuple[int | None, DecidedMotion]] = [
        (number, read_entry(character, entry))
        for number, entry in enumerate(entries)
        if entry.action is not None
        and (entry.enabled if actions is None else entry.action in actions)
    ]
    listed = {motion.choice.action for _, motion in chosen}
    chosen += [(None, _decide(MotionChoice(a))) for a in actions or () if a not in listed]
    if not chosen:
        raise _refuse_unticked(armature)
    findings: list[MotionFinding] = []
    for number, (_, motion) in enumerate(chosen):
        name = motion.choice.action.name
        yield number / len(chosen), f"analyzing {name}"
        try:
            findings.append(motion.analyze(character))
        except AnalysisError as error:
            findings.append(refuse_finding(name, error))
    return FoundAnalyses(
        character,
        tuple(motion.choice.action for _, motion in chosen),
        tuple(findings),
        tuple(row for row, _ in chosen),
    )


def _refuse_unticked(armature: bpy.types.Object) -> AnalysisError:
    """The error of a character without a ticked walk, by why the likeliest of its actions is none."""
    listed = [entry for entry in armature.locomotion.motions if entry.action is not None]
    is_rest = any(entry.enabled for entry in listed)
    lack = f"{armature.name!r} has no {'walk among its ticked motions' if is_rest else 'ticked motion'}"
    likeliest = min(listed, key=_rank_entry, default=None)
    if likeliest is None:
        missing = tell_missing_libraries()
        if missing and any(action.is_missing for action in bpy.data.actions):
            return AnalysisError(f"{lack}, and actions are missing: {missing}")
        if not find_actions(armature):
            return AnalysisError(
                f"{lack}, and the file has no action of it",
                "use Make Walk Cycle or Transfer Clips",
                'let one be made, `{make = "walk"}` in `motions`',
            )
        return AnalysisError(lack, "tick an action that walks", _NAME_WALK)
    kinds = {note.kind: note for note in read_notes(likeliest)}
    refusal = kinds.get(NoteKind.NO_LOCOMOTION)
    if refusal is None or likeliest.found_kind != "other":
        is_walk = likeliest.found_kind == "cycle"
        such = f", such as {likeliest.action.name!r}" if is_walk else ""
        return AnalysisError(lack, f"tick an action that walks{such}", f"{_NAME_WALK}{such}")
    why, name = tell_case(refusal), repr(likeliest.action.name)
    told = why if name in why else f"{name} is none, {why}"
    return AnalysisError(f"{lack}: {told}", tell_cure(refusal), tell_cure(refusal, Reader.JOB))


def _rank_entry(entry: bpy.types.PropertyGroup) -> tuple[bool, bool, float, str]:
    """Sort key of motions by how likely they walk: by what they are found to be, then by their names."""
    name = entry.action.name
    kind = entry.found_kind
    return kind != "cycle", kind == "rest", -rank_action_name(name), name


def write_analyses(found: FoundAnalyses) -> None:
    """Show analyses in the motions list, and keep them with their actions.

    Motions whose action is no more in the file are taken out of the list.
    """
    motions = found.character.armature.locomotion.motions
    for action, finding, row in zip(found.actions, found.findings, found.rows, strict=True):
        entry = motions.add() if row is None else motions[row]
        entry.action = action
        show_finding(entry, finding, found.character)
        store_finding(action, finding, found.character)
    drop_gone(found.character.armature)


def find_ticked_motions(character: Character) -> Steps[tuple[MotionFinding, ...]]:
    """Analyses of the ticked motions of a set-up character.

    Raises
    ------
    AnalysisError
        Ticked motions cannot be used as they are set, with all of them named, or none of them walks.
    """
    # What moves no leg plays on beside the walk, ticked or not.
    sources = list_sources(character.armature)
    entries = [
        e for e in character.armature.locomotion.motions if e.enabled and e.action in sources
    ]
    if not entries:
        raise _refuse_unticked(character.armature)
    findings: list[MotionFinding] = []
    errors: list[AnalysisError] = []
    for number, entry in enumerate(entries):
        if entry.kind != "OTHER":
            yield number / len(entries), f"reading {entry.action.name}"
            try:
                findings.append(read_entry(character, entry).analyze(character))
            except AnalysisError as error:
                errors.append(error)
    refuse_motions(errors)
    # Bones that copy another armature are a graver cause, which the set of motions tells.
    walks = any(found.motion is not None and found.motion.is_cycle for found in findings)
    if not walks and find_copied_armature(character.armature) is None:
        raise _refuse_unticked(character.armature)
    return tuple(findings)
