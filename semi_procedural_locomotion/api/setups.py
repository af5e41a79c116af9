# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters whose set-up is kept on their armature objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import bpy

from ..blender.bake import removal
from ..blender.bake import writing as bake_action
from ..blender.bake.rollback import Write
from ..blender.bake.writing import BakeOptions
from ..blender.reading.leg_motions import list_sources
from ..blender.setup.ground_properties import read_ground_choice, write_ground_choice
from ..blender.setup.rigs import find_root_bone
from ..blender.setup.section_properties import find_section, keep_sections
from ..blender.setup.settings_properties import read_bake_settings, read_plan_settings
from ..blender.setup.travel_properties import (
    read_travel_values,
    travel_from_values,
    write_travel_values,
)
from ..blender.setup.values import KeptValues, clear_entries, read_values
from ..blender.values.bake_record import find_left_bake, has_written_keys, read_record
from ..blender.versions import get_assigned_action
from ..core.rig.legs import LegChoice
from ..notes import Note
from ..requests.plans import GroundChoice, PlanRequest
from ..requests.settings.bakes import OUTPUT
from ..requests.settings.kinds import check_values
from ..requests.travels import TravelSource
from .analyses import write_motions
from .bake_writing import write_bake
from .baking import WRITING, BakeRequest, BakeResult, PreparedBake, prepare_bake
from .characters import Character, MotionChoice, MotionFinding, Progress, make_motion_set
from .notes import keep_notes, sort_notes
from .present_feet import read_present_character
from .progress import Steps, run_steps, scale_steps
from .set_up_work import (
    find_analyses,
    find_set_up,
    find_ticked_motions,
    is_set_up,
    write_analyses,
    write_set_up,
)
from .verifying import check_showing


def is_baked(armature: bpy.types.Object) -> bool:
    """Whether the armature plays a bake action of a set-up character; Live alone is no bake."""
    action = bake_action.find_bake(armature)
    return is_set_up(armature) and action is not None and has_written_keys(action)


def find_left(armature: bpy.types.Object) -> tuple[str, str] | None:
    """The names of the bake of a set-up character that plays another action, and of that action.

    What the bake keys stays as it has left it: influences, switches, the object's place.
    """
    left = find_left_bake(armature) if is_set_up(armature) else None
    if left is None or not has_written_keys(left):
        return None
    playing, _ = get_assigned_action(armature)
    return left.name, "" if playing is None else playing.name


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


def write_travel(armature: bpy.types.Object, travel: TravelSource, output_to: str) -> None:
    """Keep a travel on a set-up character, and what carries it; see `OUTPUT`.

    A speed that changes is not kept: key it with `blender.travel.reading.key_travel_speed`.

    Raises
    ------
    SettingError
        There is no such output.
    """
    check_values({OUTPUT.name: OUTPUT}, {OUTPUT.name: output_to})
    write_travel_values(armature.locomotion.travel, travel)
    armature.locomotion.travel.output_to = output_to.upper()


def write_ground(
    armature: bpy.types.Object,
    objects: Sequence[bpy.types.Object] | None,
    choice: GroundChoice | None = None,
) -> None:
    """Keep what a set-up character walks on, None for all meshes, and what is left out of that.

    Where no choice is given, what is left out stays as it is.
    """
    data = armature.locomotion.ground
    data.source = "ALL" if objects is None else "OBJECTS"
    clear_entries(data, "objects")
    for item in objects or ():
        data.objects.add().object = item
    if choice is not None:
        write_ground_choice(data, choice)


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
    options = read_bake_settings(settings)
    verify = options.pop("verify")
    options["action_name"] = settings.action_name or None
    return BakeRequest(
        plan=PlanRequest(
            travel=travel_from_values(read_travel_values(travel)),
            frames=frames,
            ground=objects,
            use_plane=ground.source == "PLANE",
            ground_choice=read_ground_choice(ground),
            settings=read_plan_settings(settings),
            blends=(settings.blend_in, settings.blend_out),
        ),
        options=BakeOptions(
            output_to=travel.output_to.lower(),
            root_bone=find_root_bone(armature) or None,
            **options,
            source_actions=list_sources(armature),
        ),
        verify=verify,
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
    check_showing(armature)
    request = request or make_request(armature)
    present = read_present_character(armature, scene, request.plan.frames)
    character = present.character
    findings = yield from scale_steps(find_ticked_motions(character), 0.0, 0.4)
    motions = make_motion_set(character, findings)
    steps = prepare_bake(character, motions, request, scene)
    prepared = yield from scale_steps(steps, 0.4, WRITING)
    return replace(
        prepared,
        findings=tuple(findings),
        notes=sort_notes([*present.notes, *prepared.notes]),
        present=present,
    )


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
    data = prepared.character.armature.locomotion
    kept = KeptValues(data, ("report", "sections"))

    def keep(get_result: Callable[[], BakeResult]) -> list[Write]:
        return [
            *([] if prepared.present is None else prepared.present.list_writes()),
            Write("report", lambda: _keep_report(prepared, get_result()), kept.put_back),
            Write("sections", lambda: _keep_section(prepared)),
            write_motions(prepared.character, prepared.findings),
        ]

    return write_bake(prepared, progress, keep)


def _keep_report(prepared: PreparedBake, result: BakeResult) -> None:
    """Keep the numbers of a walk and what to mind."""
    armature = prepared.character.armature
    keep_numbers(armature, result.as_dict(armature.name), result.notes)


def keep_numbers(
    armature: bpy.types.Object, entry: Mapping[str, Any], notes: Sequence[Note]
) -> None:
    """Keep the entry of a walk in report.json, and what to mind of it, for the panel."""
    report = armature.locomotion.report
    report.worst_frame = int(entry["worst_frame"])
    keep_notes(report, notes)
    report.values = json.dumps({k: v for k, v in entry.items() if isinstance(v, int | float)})


def _keep_section(prepared: PreparedBake) -> None:
    """Keep what a walk was baked for, so that it is baked alone again."""
    armature, request = prepared.character.armature, prepared.request
    action = bake_action.find_bake(armature)
    if action is None:
        return
    travel = read_values(armature.locomotion.travel)
    is_whole = request.plan.frames is None
    baked = {
        "name": "",
        "frame_start": prepared.frames[0],
        "frame_end": prepared.frames[1],
        "begin": prepared.frames[0] if request.plan.start is None else request.plan.start,
        "is_whole": is_whole,
        "blend_in": request.options.blend_in,
        "blend_out": request.options.blend_out,
        "travel": travel,
    }
    sections = [(round(a), round(b)) for a, b in read_record(action).sections]
    keep_sections(armature, sections, baked)
    entry = find_section(armature, prepared.frames)
    if entry is not None and entry.is_whole == is_whole:
        # What a call has set in place of the properties.
        write_travel_values(entry.travel, request.plan.travel)
        entry.travel.output_to = request.options.output_to.upper()


def remove_set_up_bake(armature: bpy.types.Object) -> list[str]:
    """Take the bake of a set-up character away, and its report.

    Returns
    -------
    list of str
        Names of bones that it has posed and that are gone: what they are called by now keeps its pose.

    Raises
    ------
    BakeError
        It plays no bake. After this and any other exception the file is as it was.
    """
    kept = KeptValues(armature.locomotion, ("report", "sections"))
    lost = removal.list_lost_bones(armature)

    def forget() -> None:
        """What was baked, and its numbers."""
        clear_entries(armature.locomotion, "sections")
        report = armature.locomotion.report
        report.worst_frame, report.values = 0, ""
        keep_notes(report, ())

    removal.remove_bake(armature, [Write("list", forget, kept.put_back)])
    return lost


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
