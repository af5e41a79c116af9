# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters whose set-up is kept on their armature objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ..blender import analysis_store, bake_action, rig_store
from ..blender.armature import read_skeleton
from ..blender.bake_action import BakeOptions
from ..blender.sampling import find_actions
from ..blender.settings_properties import read_plan_settings
from ..core import rotations as rot
from ..core.analysis import AnalysisOptions
from ..core.legs import LegChoice
from ..errors import AnalysisError, RigError
from .baking import BakeRequest, BakeResult, bake_character
from .characters import (
    Character,
    MotionChoice,
    MotionFinding,
    Progress,
    analyze_actions,
    find_character,
    find_rest_action,
    make_motion_set,
    tick_motions,
)
from .inspection import describe_motion
from .planning import PlanRequest, TravelRequest

_SOURCES = {
    "STRAIGHT": "straight",
    "OBJECT": "animation",
    "POINTS": "path",
    "CURVE": "curve",
    "BONE": "bone",
}
_KINDS = {"CYCLE": "cycle", "REST": "rest"}


def is_set_up(armature: bpy.types.Object) -> bool:
    """Whether an armature object has legs set up."""
    return armature.type == "ARMATURE" and len(armature.locomotion.legs) > 0


def is_baked(armature: bpy.types.Object) -> bool:
    """Whether the armature plays a bake action of a set-up character."""
    return is_set_up(armature) and bake_action.find_bake(armature) is not None


def set_up(
    armature: bpy.types.Object,
    choices: Sequence[MotionChoice] | None = None,
    legs: Sequence[LegChoice] | None = None,
    forward: tuple[float, float] | None = None,
    body: str | None = None,
    progress: Progress | None = None,
) -> tuple[Character, tuple[MotionFinding, ...]]:
    """Find legs and motions of an armature and keep them on it.

    Parameters
    ----------
    armature
        The armature object.
    choices
        Actions to use; None looks at all that key the armature and ticks those that look like
        locomotion, and one to stand in.
    legs, forward, body
        Instead of what would be found; see `find_character`.
    progress
        Called with the share done and a text.

    Returns
    -------
    character
        What was found.
    findings
        What the analysis says of each action.

    Raises
    ------
    LocomotionError
        Nothing that can walk, or a chosen action that does not; the armature is left as it was.
    """
    actions = None if choices is None else [c.action for c in choices if not c.rest]
    character = find_character(armature, actions or None, legs, forward, body)
    asked = choices
    if asked is None:
        rest = find_rest_action(character)
        asked = [MotionChoice(a, rest=a == rest) for a in find_actions(armature)]
    findings = _analyze_all(character, asked, choices is not None, progress)
    ticked = [True] * len(asked)
    if choices is None:
        ticked = tick_motions(findings)
    rig_store.write_rig(armature, character.rig)
    armature.locomotion.motions.clear()
    for choice, finding, use in zip(asked, findings, ticked, strict=True):
        entry = armature.locomotion.motions.add()
        entry.action, entry.enabled = choice.action, use
        entry.group, entry.is_reversed = choice.group, choice.reversed
        entry.kind = "REST" if choice.rest else "AUTO"
        _show_finding(entry, finding, character)
        _store_finding(choice.action, finding, character)
    return character, findings


def _analyze_all(
    character: Character,
    choices: Sequence[MotionChoice],
    chosen: bool,
    progress: Progress | None,
) -> tuple[MotionFinding, ...]:
    """Findings of actions; what is no locomotion is told as such, unless the user chose it."""
    findings = []
    for number, choice in enumerate(choices):
        if progress is not None:
            progress(number / max(len(choices), 1), f"analysing {choice.action.name}")
        try:
            findings.extend(analyze_actions(character, [choice]))
        except AnalysisError as error:
            if chosen:
                raise
            findings.append(MotionFinding(choice.action.name, "other", reason=str(error)))
    return tuple(findings)


def analyze_set_up(
    armature: bpy.types.Object,
    actions: Sequence[bpy.types.Action] | None = None,
    progress: Progress | None = None,
) -> tuple[MotionFinding, ...]:
    """Analyse the ticked motions of a set-up character again, or the given actions.

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
    findings = []
    for number, action in enumerate(chosen):
        if progress is not None:
            progress(number / len(chosen), f"analysing {action.name}")
        entry = entries.get(action)
        if entry is None:
            entry = armature.locomotion.motions.add()
            entry.action = action
        try:
            finding = _analyze_entry(character, entry)
        except AnalysisError as error:
            finding = MotionFinding(action.name, "other", reason=str(error))
        _show_finding(entry, finding, character)
        _store_finding(action, finding, character)
        findings.append(finding)
    return tuple(findings)


def _analyze_entry(character: Character, entry: bpy.types.PropertyGroup) -> MotionFinding:
    """Analyse one entry of the motions list as it is set."""
    choice = MotionChoice(entry.action, entry.group, entry.is_reversed, entry.kind == "REST")
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
    entry.speed, entry.period, entry.turn_rate = motion.speed, motion.period, motion.turn_rate
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


def read_character(armature: bpy.types.Object) -> Character:
    """The set-up character of an armature object.

    Raises
    ------
    RigError
        It is not set up, or its bones have changed.
    """
    if not is_set_up(armature):
        raise RigError(f"{armature.name!r} is not set up: use Set Up first")
    rig = rig_store.read_rig(armature, read_skeleton(armature))
    return Character(armature, rig, rig.confidence, rig.reasons)


def read_findings(character: Character) -> tuple[MotionFinding, ...]:
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
    return tuple(_analyze_entry(character, entry) for entry in entries if entry.kind != "OTHER")


def write_travel(armature: bpy.types.Object, travel: TravelRequest, output_to: str) -> None:
    """Keep a travel on a set-up character; ``output_to`` is ``"object"`` or ``"bone"``."""
    data = armature.locomotion.travel
    sources = {value: key for key, value in _SOURCES.items()}
    data.source = sources.get(travel.source, travel.source.upper())
    data.points.clear()
    for point in travel.points:
        data.points.add().location = point
    if travel.source == "curve":
        data.curve = bpy.data.objects.get(travel.name or "")
    elif travel.source == "bone":
        data.bone = travel.name or ""
    data.use_native_speed = travel.speed is None
    if travel.speed is not None:
        data.speed = travel.speed
    data.start = "STAND" if travel.start_standing else "MOVING"
    data.stop = "STAND" if travel.stop_standing else "MOVING"
    data.output_to = output_to.upper()


def _name_source(travel: bpy.types.PropertyGroup) -> str | None:
    """Name of the curve object or bone that a travel follows."""
    if travel.source == "CURVE" and travel.curve is not None:
        return str(travel.curve.name)
    return str(travel.bone) if travel.source == "BONE" else None


def write_ground(armature: bpy.types.Object, objects: Sequence[bpy.types.Object] | None) -> None:
    """Keep what a set-up character walks on; None for all meshes."""
    data = armature.locomotion.ground
    data.source = "ALL" if objects is None else "OBJECTS"
    data.objects.clear()
    for item in objects or ():
        data.objects.add().object = item


def make_request(armature: bpy.types.Object, frames: tuple[int, int] | None = None) -> BakeRequest:
    """What the properties of a set-up character ask for."""
    data = armature.locomotion
    travel, settings, ground = data.travel, data.settings, data.ground
    if frames is None and settings.use_range:
        frames = (settings.frame_start, settings.frame_end)
    objects: list[Any] | None = None
    if ground.source == "OBJECTS":
        objects = [entry.object for entry in ground.objects if entry.object is not None]
    elif ground.source == "COLLECTION":
        objects = [] if ground.collection is None else [ground.collection]
    return BakeRequest(
        plan=PlanRequest(
            travel=TravelRequest(
                source=_SOURCES.get(travel.source, travel.source.lower()),
                points=tuple((p.location[0], p.location[1]) for p in travel.points),
                name=_name_source(travel),
                speed=None if travel.use_native_speed else travel.speed,
                start_standing=travel.start == "STAND",
                stop_standing=travel.stop == "STAND",
            ),
            frames=frames,
            ground=objects,
            use_plane=ground.source == "PLANE",
            rendered_only=ground.rendered_only,
            settings=read_plan_settings(settings),
        ),
        options=BakeOptions(
            output_to=travel.output_to.lower(),
            root_bone=data.root or None,
            blend_in=settings.blend_in,
            blend_out=settings.blend_out,
            action_name=settings.action_name or None,
            source_actions=tuple(e.action for e in data.motions if e.action is not None),
        ),
    )


def bake_set_up(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    frames: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> BakeResult:
    """Bake a set-up character as its properties ask.

    Raises
    ------
    LocomotionError
        Something cannot be used; nothing has changed then.
    """
    character = read_character(armature)
    motions = make_motion_set(character, read_findings(character))
    request = make_request(armature, frames)
    result = bake_character(character, motions, request, scene, progress)
    report = armature.locomotion.report
    entry = result.as_dict(armature.name)
    report.worst_frame = int(entry["worst_frame"])
    report.warnings = "\n".join(entry["warnings"])
    report.values = json.dumps({k: v for k, v in entry.items() if isinstance(v, int | float)})
    return result
