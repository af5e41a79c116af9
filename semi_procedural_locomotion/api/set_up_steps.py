# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a set-up and its analyses are made of: found in steps, then written in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..blender import analysis_store, rig_store
from ..blender.sampling import find_actions
from ..blender.travel import read_own_skeleton
from ..core import rotations as rot
from ..core.analysis import MEASURED_SPEED, AnalysisOptions
from ..core.legs import LegChoice
from ..errors import AnalysisError, RigError
from .characters import (
    Character,
    MotionChoice,
    MotionFinding,
    analyze_actions,
    find_character,
    find_rest_action,
    tick_motions,
)
from .inspection import describe_motion
from .steps import Steps

_KINDS = {"CYCLE": "cycle", "REST": "rest"}
# In the motions list, what is ticked comes first, then by kind.
_KIND_ORDER = {"cycle": 0, "rest": 1, "other": 2}
# Share of the work that finding the legs takes, beside the analysis of the motions.
_LEGS_SHARE = 0.2


@dataclass(frozen=True)
class FoundSetUp:
    """A character and its motions, found but not written.

    Attributes
    ----------
    character
        Its legs.
    choices, findings, ticked
        The actions, what the analysis says of each, and whether it is to be used.
    """

    character: Character
    choices: tuple[MotionChoice, ...]
    findings: tuple[MotionFinding, ...]
    ticked: tuple[bool, ...]


@dataclass(frozen=True)
class FoundAnalyses:
    """Analyses of some motions of a set-up character, not written.

    Attributes
    ----------
    character
        The character.
    actions, findings
        The actions, and what the analysis says of each.
    """

    character: Character
    actions: tuple[bpy.types.Action, ...]
    findings: tuple[MotionFinding, ...]


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
        raise RigError(f"{armature.name!r} is not set up: use Set Up first")
    rig = rig_store.read_rig(armature, read_own_skeleton(armature, bpy.context.scene))
    return Character(armature, rig, rig.confidence, rig.reasons)


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
) -> Steps[FoundSetUp]:
    """Find legs and motions of an armature; nothing of it changes.

    Parameters
    ----------
    armature
        The armature object.
    choices
        Actions to use; None looks at all that key the armature and ticks those that look like
        locomotion, and one to stand in.
    legs, forward, body
        Instead of what would be found; see `find_character`.

    Raises
    ------
    LocomotionError
        Nothing that can walk, or a chosen action that does not.
    """
    yield 0.0, "finding legs"
    actions = None if choices is None else [c.action for c in choices if not c.rest]
    character = find_character(armature, actions or None, legs, forward, body)
    asked = choices
    if asked is None:
        rest = find_rest_action(character)
        asked = [MotionChoice(a, rest=a == rest) for a in find_actions(armature)]
    findings: list[MotionFinding] = []
    for number, choice in enumerate(asked):
        share = _LEGS_SHARE + (1.0 - _LEGS_SHARE) * number / len(asked)
        yield share, f"analyzing {choice.action.name}"
        try:
            findings.extend(analyze_actions(character, [choice]))
        except AnalysisError as error:
            if choices is not None:
                raise
            findings.append(MotionFinding(choice.action.name, "other", reason=str(error)))
    ticked = [True] * len(asked) if choices is not None else tick_motions(findings)
    return FoundSetUp(character, tuple(asked), tuple(findings), tuple(ticked))


def write_set_up(found: FoundSetUp) -> None:
    """Keep what was found on the armature, in place of what was there."""
    character = found.character
    armature = character.armature
    rig_store.write_rig(armature, character.rig)
    armature.locomotion.motions.clear()
    rows = zip(found.choices, found.findings, found.ticked, strict=True)
    for choice, finding, use in sorted(
        rows, key=lambda row: (not row[2], _KIND_ORDER[row[1].kind])
    ):
        entry = armature.locomotion.motions.add()
        entry.action, entry.enabled = choice.action, use
        entry.group, entry.is_reversed = choice.group, choice.reversed
        entry.kind = "REST" if choice.rest else "AUTO"
        entry.own_speed = choice.speed or 0.0
        _show_finding(entry, finding, character)
        _store_finding(choice.action, finding, character)


def find_analyses(
    armature: bpy.types.Object, actions: Sequence[bpy.types.Action] | None = None
) -> Steps[FoundAnalyses]:
    """Analyse the ticked motions of a set-up character, or the given actions; nothing changes.

    Raises
    ------
    RigError
        The character is not set up.
    AnalysisError
        Nothing is ticked.
    """
    character = read_character(armature)
    entries = {e.action: e for e in armature.locomotion.motions if e.action is not None}
    chosen = [a for a, e in entries.items() if e.enabled] if actions is None else list(actions)
    if not chosen:
        raise AnalysisError(f"{armature.name!r} has no ticked motion: tick an action that walks")
    findings: list[MotionFinding] = []
    for number, action in enumerate(chosen):
        yield number / len(chosen), f"analyzing {action.name}"
        entry = entries.get(action)
        try:
            if entry is None:
                findings.extend(analyze_actions(character, [MotionChoice(action)]))
            else:
                findings.append(_analyze_entry(character, entry))
        except AnalysisError as error:
            findings.append(MotionFinding(action.name, "other", reason=str(error)))
    return FoundAnalyses(character, tuple(chosen), tuple(findings))


def write_analyses(found: FoundAnalyses) -> None:
    """Show analyses in the motions list, and keep them with their actions."""
    motions = found.character.armature.locomotion.motions
    entries = {entry.action: number for number, entry in enumerate(motions)}
    for action, finding in zip(found.actions, found.findings, strict=True):
        if action not in entries:
            entries[action] = len(motions)
            motions.add().action = action
        _show_finding(motions[entries[action]], finding, found.character)
        _store_finding(action, finding, found.character)


def find_ticked_motions(character: Character) -> Steps[tuple[MotionFinding, ...]]:
    """Analyses of the ticked motions of a set-up character.

    Raises
    ------
    AnalysisError
        A ticked motion cannot be used as it is set, or nothing is ticked.
    """
    entries = [
        e for e in character.armature.locomotion.motions if e.enabled and e.action is not None
    ]
    if not entries:
        raise AnalysisError(
            f"{character.armature.name!r} has no ticked motion: tick an action that walks"
        )
    findings: list[MotionFinding] = []
    for number, entry in enumerate(entries):
        if entry.kind != "OTHER":
            yield number / len(entries), f"reading {entry.action.name}"
            findings.append(_analyze_entry(character, entry))
    return tuple(findings)


def _analyze_entry(character: Character, entry: bpy.types.PropertyGroup) -> MotionFinding:
    """Analyse one entry of the motions list as it is set."""
    choice = MotionChoice(
        entry.action,
        entry.group,
        entry.is_reversed,
        entry.kind == "REST",
        entry.own_speed or None,
    )
    options = AnalysisOptions(kind=_KINDS.get(entry.kind), force=entry.kind == "CYCLE")
    return analyze_actions(character, [choice], options)[0]


def _show_finding(
    entry: bpy.types.PropertyGroup, finding: MotionFinding, character: Character
) -> None:
    """Write what the analysis says to an entry of the motions list."""
    entry.found_kind = finding.kind
    motion = finding.motion
    if motion is None:
        entry.warnings = finding.reason
        return
    forward = character.rig.forward
    heading = np.arctan2(motion.velocity[1], motion.velocity[0])
    entry.speed = float(motion.quality.get(MEASURED_SPEED, motion.speed))
    entry.period, entry.turn_rate = motion.period, motion.turn_rate
    entry.direction = float(rot.wrap_angles(heading - np.arctan2(forward[1], forward[0])))
    skates = [leg.skate for leg in motion.legs]
    entry.quality = float(np.clip(1.0 - np.mean(skates), 0.0, 1.0))
    entry.warnings = "\n".join(motion.warnings)


def _store_finding(action: bpy.types.Action, finding: MotionFinding, character: Character) -> None:
    """Keep the numbers of an analysis with the action."""
    data: dict[str, Any] = {"kind": finding.kind, "warnings": [finding.reason]}
    if finding.motion is not None:
        data = {"kind": finding.kind, **describe_motion(finding.motion)}
    analysis_store.store_analysis(character.armature, action, character.rig, data)
