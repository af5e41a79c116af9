# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels and sections of a job's character, on its armature object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy

from ..blender.setup.section_properties import find_section, name_section
from ..blender.travel.reading import key_travel_speed
from ..errors import JobError
from ..jobs.reading import CharacterJob, TravelJob
from ..requests.travels import AlongCurve, AlongPoints
from . import setups
from .baking import BakeResult
from .characters import Progress
from .progress import run_steps
from .wording import Reader


def write_job_travel(entry: CharacterJob, armature: bpy.types.Object, travel: TravelJob) -> None:
    """Keep a travel of a job on its character."""
    steps = find_steps(entry, travel)
    armature.locomotion.footsteps = steps or armature.locomotion.footsteps
    setups.write_travel(armature, travel.source, entry.output_to or "object")
    if travel.speed_keys:
        key_travel_speed(armature, travel.speed_keys)


def find_steps(entry: CharacterJob, travel: TravelJob) -> bpy.types.Collection | None:
    """The footsteps that a travel names, where it names any; what it names otherwise is there, too."""
    source, name = travel.source, entry.file.name
    if isinstance(source, AlongCurve):
        curve = bpy.data.objects.get(source.curve or "")
        if curve is None or curve.type != "CURVE":
            raise JobError(f"{name} has no curve object {source.curve!r} to follow")
    if isinstance(source, AlongPoints) and source.space and source.space not in bpy.data.objects:
        raise JobError(f"{name} has no object {source.space!r} to put points in space of")
    if travel.footsteps is None:
        return None
    steps = bpy.data.collections.get(travel.footsteps)
    if steps is None:
        raise JobError(
            f"{name} has no collection {travel.footsteps!r} of footsteps; name theirs, or write "
            "`footsteps = true`"
        )
    return steps


def bake_job_sections(
    entry: CharacterJob, armature: bpy.types.Object, scene: bpy.types.Scene, progress: Progress
) -> list[BakeResult]:
    """Bake the sections of a job's character one by one."""
    results = []
    for number, section in enumerate(entry.sections):
        write_job_travel(entry, armature, section.travel or entry.travel)
        request = setups.make_request(armature, section.frames)
        options = replace(request.options, **section.blends)  # type: ignore[arg-type]
        request = replace(request, options=options)
        share = share_progress(progress, number, len(entry.sections))
        steps = setups.prepare_set_up_bake(armature, scene, request)
        results.append(setups.write_set_up_bake(run_steps(steps, share), share))
        kept = find_section(armature, section.frames)
        if section.name and kept is not None:
            kept.name = section.name
    return results


def report_walks(armature: bpy.types.Object, results: Sequence[BakeResult]) -> list[dict[str, Any]]:
    """Entries of report.json of the walks of a character; of several with their sections' names."""
    entries = [result.as_dict(armature.name, Reader.JOB) for result in results]
    if len(results) > 1:
        for entry, result in zip(entries, results, strict=True):
            entry["section"] = name_section(armature, result.frames)
    return entries


def share_progress(tell: Progress, number: int, count: int) -> Progress:
    """Progress of one of several characters."""
    return lambda share, text: tell((number + share) / count, text)
