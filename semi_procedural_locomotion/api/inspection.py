# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found in an armature, as plain data (the form of ``inspect --json``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import bpy

from ..blender.controls.probing import has_controls, probe_controls
from ..core.motions.records import LegCycle, Motion
from ..core.rig.controls.mapping import ControlMap, LegControls, SwitchValue
from ..core.rig.structure import Leg, Rig
from ..notes import Note
from .analyses import analyze_actions
from .characters import (
    Character,
    MotionFinding,
    Progress,
    find_character,
)
from .limits import REPORT
from .motion_choosing import choose_motions
from .notes import plain_notes, sort_notes, tell_doubts, tell_notes
from .wording import Reader


def inspect_armature(
    armature: bpy.types.Object, progress: Progress | None = None
) -> dict[str, Any]:
    """Legs and motions of an armature; nothing is changed.

    Parameters
    ----------
    armature
        The armature object.
    progress
        Called with the share done and a text.

    Raises
    ------
    RigError
        It has no walking legs.
    """
    character = find_character(armature)
    findings = analyze_actions(character, progress=progress)
    choices = choose_motions(findings, character.rig)
    findings = tuple(
        replace(f, choice=told) for f, (_, told) in zip(findings, choices, strict=True)
    )
    controls = None
    if has_controls(armature):
        ticked = (f for f, (is_used, _) in zip(findings, choices, strict=True) if is_used)
        first = next((bpy.data.actions.get(f.action) for f in ticked), None)
        controls = probe_controls(armature, character.rig, first)
    return describe_character(character, findings, controls)


def describe_character(
    character: Character, findings: Sequence[MotionFinding], controls: ControlMap | None = None
) -> dict[str, Any]:
    """A character, its motions and controls as plain data; lengths in metres, world axes."""
    rig = character.rig
    return {
        "name": character.armature.name,
        "forward": _round(rig.forward),
        "root": rig.skeleton.names[rig.body],
        "confidence": round(character.confidence, 3),
        **_describe_doubts(character.doubts),
        "leg_length": round(rig.leg_length, REPORT.digits),
        "legs": [_describe_leg(rig, leg) for leg in rig.legs],
        "motions": [_describe_finding(finding) for finding in findings],
        "controls": None if controls is None else describe_controls(controls),
    }


def describe_controls(controls: ControlMap) -> dict[str, Any]:
    """The controls of a rig as plain data, with the names that jobs have for them."""
    return {
        "body": controls.body,
        "root": controls.root,
        "legs": [_describe_leg_controls(leg) for leg in controls.legs],
        "turned": [{"bone": one.bone, "control": one.control} for one in controls.turned],
        "switches": _describe_switches(controls.switches),
        "confidence": round(controls.confidence, 3),
        "verified": controls.is_verified,
        **_describe_doubts(controls.doubts),
    }


def _describe_leg_controls(leg: LegControls) -> dict[str, Any]:
    """The controls of one leg as plain data."""
    return {
        "leg": leg.leg,
        "foot": leg.foot,
        "ankle": leg.ankle,
        "toe": leg.toe,
        "hock": leg.hock,
        "pole": leg.pole,
        "pole_turns": leg.pole_turns,
        "rolls": list(leg.rolls),
        "chain": list(leg.chain),
        "switches": _describe_switches(leg.switches),
        "confidence": round(leg.confidence, 3),
        **_describe_doubts(leg.doubts),
    }


def _describe_switches(switches: Sequence[SwitchValue]) -> list[dict[str, Any]]:
    """Switches as plain data."""
    return [{"path": s.key[0], "index": s.key[1], "ik": s.ik, "fk": s.fk} for s in switches]


def _describe_leg(rig: Rig, leg: Leg) -> dict[str, Any]:
    """One leg as plain data."""
    names = rig.skeleton.names
    return {
        "name": leg.name,
        "side": leg.side,
        "bones": list(rig.name_joints(leg)),
        "toe": None if leg.toe is None else names[leg.toe],
        "confidence": round(leg.confidence, 3),
        **_describe_doubts(leg.doubts),
    }


def _describe_doubts(doubts: Sequence[Note]) -> dict[str, Any]:
    """Doubts of legs as plain data: as texts and as records."""
    notes = sort_notes(doubts)
    return {"reasons": tell_doubts(notes, Reader.JOB), "notes": plain_notes(notes)}


def _describe_finding(finding: MotionFinding) -> dict[str, Any]:
    """One action as plain data."""
    if finding.motion is None:
        return {"action": finding.action, "kind": "other", **describe_notes(finding.notes)}
    return {
        "action": finding.action,
        "kind": finding.kind,
        **describe_motion(finding.motion),
        **describe_notes(finding.notes),
    }


def describe_motion(motion: Motion) -> dict[str, Any]:
    """An analysed motion as plain data."""
    speed = motion.speed
    direction = motion.velocity / speed if speed > 0 else motion.velocity
    seam = motion.quality.get("seam", 0.0)
    return {
        "speed": round(speed, REPORT.digits),
        "speed_range": _round(motion.speed_range),
        "direction": _round(direction),
        "turn_rate": round(motion.turn_rate, REPORT.digits),
        "period": round(motion.period, REPORT.digits),
        "seam": round(float(seam), REPORT.digits),
        "legs": [_describe_cycle(cycle) for cycle in motion.legs],
        **describe_notes(sort_notes(motion.notes)),
    }


def describe_notes(notes: Sequence[Note]) -> dict[str, Any]:
    """Notes as plain data: as texts for the author of a job, and as records."""
    return {"warnings": tell_notes(notes, Reader.JOB), "notes": plain_notes(notes)}


def _describe_cycle(cycle: LegCycle) -> dict[str, float]:
    """Key times and stride of one leg."""
    names = ("stance", "lift", "off", "post_lift", "pre_land", "strike", "land", "stride")
    return {name: round(float(getattr(cycle, name)), REPORT.digits) for name in names}


def _round(values: Iterable[float]) -> list[float]:
    """Plain numbers with few digits."""
    return [round(float(value), REPORT.digits) for value in values]
