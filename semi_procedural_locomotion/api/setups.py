# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters whose set-up is kept on their armature objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import bpy

from ..blender.bake import removal
from ..blender.bake import writing as bake_action
from ..blender.bake.writing import BakeOptions
from ..blender.setup.rigs import find_root_bone
from ..blender.setup.settings_properties import read_plan_settings
from ..blender.setup.values import clear_entries
from ..blender.values.bake_record import has_written_keys
from ..core.rig.legs import LegChoice
from .baking import WRITING, BakeRequest, BakeResult, PreparedBake, prepare_bake, write_bake
from .characters import Character, MotionChoice, MotionFinding, Progress, make_motion_set
from .notes import keep_notes
from .planning import PlanRequest, TravelRequest
from .progress import Steps, run_steps, scale_steps
from .set_up_work import (
    find_analyses,
    find_set_up,
    find_ticked_motions,
    is_set_up,
    read_character,
    write_analyses,
    write_set_up,
)

# What requests call the travel sources of the properties.
TRAVEL_SOURCES = {
    "STRAIGHT": "straight",
    "OBJECT": "animation",
    "POINTS": "path",
    "CURVE": "curve",
    "BONE": "bone",
    "FOOTSTEPS": "footsteps",
}


def is_baked(armature: bpy.types.Object) -> bool:
    """Whether the armature plays a bake action of a set-up character; Live alone is no bake."""
    action = bake_action.find_bake(armature)
    return is_set_up(armature) and action is not None and has_written_keys(action)


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
    found = run_steps(find_set_up(armature, choices, legs, forward, body), progress)
    write_set_up(found)
    return found.character, found.findings


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
    found = run_steps(find_analyses(armature, actions), progress)
    write_analyses(found)
    return found.findings


def read_findings(character: Character) -> tuple[MotionFinding, ...]:
    """Analyses of the ticked motions of a set-up character.

    Raises
    ------
    AnalysisError
        A ticked motion cannot be used as it is set, or nothing is ticked.
    """
    return run_steps(find_ticked_motions(character))


def write_travel(armature: bpy.types.Object, travel: TravelRequest, output_to: str) -> None:
    """Keep a travel on a set-up character; ``output_to`` is ``"object"`` or ``"bone"``.

    A speed that changes is not kept: key it with `blender.travel_speed.key_travel_speed`.
    """
    data = armature.locomotion.travel
    sources = {value: key for key, value in TRAVEL_SOURCES.items()}
    data.source = sources.get(travel.source, travel.source.upper())
    clear_entries(data, "points")
    for point in travel.points:
        data.points.add().location = point
    if travel.source == "curve":
        data.curve = bpy.data.objects.get(travel.name or "")
    elif travel.source == "bone":
        data.bone = travel.name or ""
    data.use_native_speed = travel.speed is None
    if isinstance(travel.speed, float | int):
        data.speed = travel.speed
    data.start = "STAND" if travel.start_standing else "MOVING"
    data.stop = "STAND" if travel.stop_standing else "MOVING"
    data.ease = travel.ease or 0.0
    data.rounds = travel.rounds
    data.heading = "KEPT" if travel.keep_heading else "ALONG"
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
    clear_entries(data, "objects")
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
                source=TRAVEL_SOURCES.get(travel.source, travel.source.lower()),
                points=tuple((p.location[0], p.location[1]) for p in travel.points),
                name=_name_source(travel),
                speed=None if travel.use_native_speed else travel.speed,
                use_speed_keys=not travel.use_native_speed,
                start_standing=travel.start == "STAND",
                stop_standing=travel.stop == "STAND",
                ease=travel.ease or None,
                rounds=travel.rounds,
                keep_heading=travel.heading == "KEPT",
            ),
            frames=frames,
            ground=objects,
            use_plane=ground.source == "PLANE",
            rendered_only=ground.rendered_only,
            settings=read_plan_settings(settings),
        ),
        options=BakeOptions(
            output_to=travel.output_to.lower(),
            root_bone=find_root_bone(armature) or None,
            blend_in=settings.blend_in,
            blend_out=settings.blend_out,
            action_name=settings.action_name or None,
            keep_edits=settings.keep_edits,
            key_tolerance=settings.key_tolerance,
            use_markers=settings.use_markers,
            use_strip=settings.use_strip,
            source_actions=tuple(e.action for e in data.motions if e.action is not None),
        ),
        verify=settings.verify,
    )


def prepare_set_up_bake(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    request: BakeRequest | None = None,
) -> Steps[PreparedBake]:
    """Compute the bake of a set-up character; nothing in the file changes.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Where it walks.
    request
        What is asked for; None for what its properties ask.

    Raises
    ------
    LocomotionError
        Something cannot be used.
    """
    character = read_character(armature)
    request = request or make_request(armature)
    findings = yield from scale_steps(find_ticked_motions(character), 0.0, 0.4)
    motions = make_motion_set(character, findings)
    return (yield from scale_steps(prepare_bake(character, motions, request, scene), 0.4, WRITING))


def write_set_up_bake(prepared: PreparedBake, progress: Progress | None = None) -> BakeResult:
    """Write a computed bake and its report to its character.

    Parameters
    ----------
    prepared
        The walk.
    progress
        Called with the share done and a text.

    Raises
    ------
    BakeError
        The armature cannot take the keys; nothing has changed then.
    """
    result = write_bake(prepared, progress)
    armature = prepared.character.armature
    report = armature.locomotion.report
    entry = result.as_dict(armature.name)
    report.worst_frame = int(entry["worst_frame"])
    keep_notes(report, result.notes)
    report.values = json.dumps({k: v for k, v in entry.items() if isinstance(v, int | float)})
    return result


def remove_set_up_bake(armature: bpy.types.Object) -> None:
    """Take the bake of a set-up character away, and its report.

    Raises
    ------
    BakeError
        It plays no bake.
    """
    removal.remove_bake(armature)
    report = armature.locomotion.report
    report.worst_frame, report.values = 0, ""
    keep_notes(report, ())


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
    steps = prepare_set_up_bake(armature, scene, make_request(armature, frames))
    return write_set_up_bake(run_steps(steps, progress), progress)
