# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole files: inspect one, bake a job or a .blend file. These replace what Blender has open."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy

from ..blender.reading.importing import import_file
from ..blender.setup import settings_properties
from ..blender.setup.ground_properties import read_ground_choice
from ..blender.setup.motion_groups import key_group_weight
from ..blender.setup.rigs import find_root_bone
from ..blender.values.libraries import override_armature
from ..blender.values.scene_state import set_frame_rate
from ..core.body.response import MADE_RESPONSE
from ..errors import FileError, JobError, RigError
from ..jobs.reading import CharacterJob, GroundSource, Job
from ..requests.plans import PlanSettings
from . import setups
from .characters import Progress
from .control_editing import override_controls
from .cycles import CycleChoice, make_cycles
from .inspection import inspect_armature
from .job_motions import add_job_layers, choose_motions
from .job_sections import (
    bake_job_sections,
    find_steps,
    report_walks,
    share_progress,
    write_job_travel,
)
from .limits import PROGRESS
from .notes import plain_units
from .opening import (
    choose_armatures,
    list_armatures,
    list_read_files,
    make_armature_error,
    open_blend,
    open_empty,
    open_file,
    raise_missing,
    save_file,
)
from .progress import run_steps
from .reports import choose_stem, list_baked, measure_baked, write_plots
from .sections import bake_sections, list_sections
from .set_up_work import is_set_up
from .walk_grounds import find_left_out
from .wording import Reader, Severity

_FIRST_FRAME = 1


_NAME_GROUND = "name one of them, or leave `ground` out to walk on all meshes"


def inspect_file(path: Path, progress: Progress | None = None) -> dict[str, Any]:
    """Legs and motions of every armature of a file.

    Parameters
    ----------
    path
        A .blend, .glb, .gltf, .vrm, .fbx or .bvh file.
    progress
        Called with the share done and a text.

    Raises
    ------
    FileError
        The file cannot be read or has no armature.
    RigError
        No armature of the file has walking legs.
    """
    open_file(path)
    armatures = sorted(list_armatures(), key=lambda o: o.name)
    if not armatures:
        raise make_armature_error(path.name)
    found, refused = [], []
    hints: list[str] = []
    for armature in armatures:
        try:
            found.append(inspect_armature(armature, progress))
        except RigError as error:
            refused.append(error.job_text)
            hints += error.job_hints
    if not found:
        raise RigError(f"{path.name}: {'; '.join(refused)}", hints=tuple(dict.fromkeys(hints)))
    names = {entry["name"] for entry in found}
    chosen = choose_armatures([item for item in armatures if item.name in names])
    taken = chosen[0].name if len(chosen) == 1 else None
    return {"file": path.name, "taken": taken, "armatures": found, "refused": refused}


def bake_job(
    job: Job,
    output: Path,
    only: str | None = None,
    frames: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Set up and bake what a job names, and save it.

    Parameters
    ----------
    job
        The job.
    output
        The .blend file to write.
    only
        Bake only the character with this armature name.
    frames
        First and last frame, instead of the job's.
    progress
        Called with the share done and a text.

    Returns
    -------
    dict
        The content of report.json.

    Raises
    ------
    LocomotionError
        Something cannot be read, found or baked; nothing is written then.
    """
    tell = progress or _ignore
    blends = {c.file for c in job.characters if c.file.suffix.lower() == ".blend"}
    if len(blends) > 1:
        raise JobError("a job can bake characters of one .blend file; make one job for each")
    if blends:
        open_blend(next(iter(blends)))
    else:
        open_empty()
    scene = bpy.context.scene
    if job.fps is not None:
        set_frame_rate(scene, job.fps)
    ground = _load_ground(job.ground)
    reports, last = [], _FIRST_FRAME
    chosen = [
        (entry, armature)
        for entry, armature in ((c, _load_armature(c)) for c in job.characters)
        if only is None or armature.name == only
    ]
    if not chosen:
        raise JobError(f"the job has no character with armature {only!r}")
    left: dict[str, Any] = dict(job.ground_choice)
    if job.leave_out is not None:
        left["left_out"] = find_left_out(job.leave_out)
    for number, (entry, armature) in enumerate(chosen):
        share = share_progress(tell, number, len(chosen))
        _set_up_entry(entry, armature, ground, left, _scale_progress(share, 0.0, PROGRESS.set_up))
        own = _scale_progress(share, PROGRESS.set_up, 1.0)
        if entry.sections and frames is None:
            results = bake_job_sections(entry, armature, scene, own)
        else:
            request = setups.make_request(armature, frames or job.frames)
            # The scene of a job ends with its walks.
            request = replace(request, options=replace(request.options, extend_scene=True))
            steps = setups.prepare_set_up_bake(armature, scene, request)
            results = [setups.write_set_up_bake(run_steps(steps, own), own)]
        reports += report_walks(armature, results)
        last = max(last, *(result.frames[1] for result in results))
    scene.frame_start, scene.frame_end = frames or job.frames or (_FIRST_FRAME, last)
    scene.frame_set(scene.frame_start)
    save_file(output)
    return {**plain_units(), "characters": reports, "files": list_read_files(job.files)}


def _set_up_entry(
    entry: CharacterJob,
    armature: bpy.types.Object,
    ground: Sequence[bpy.types.Object] | None,
    left: Mapping[str, Any],
    progress: Progress,
) -> None:
    """Set one character of a job up on its armature object."""
    choices = None if entry.motions is None else choose_motions(entry)
    for travel in (entry.travel, *(s.travel for s in entry.sections if s.travel is not None)):
        find_steps(entry, travel)
    setups.set_up(armature, choices, entry.legs, entry.forward, entry.body, progress)
    armature.locomotion.root = _choose_root(entry, armature)
    if entry.controls is not None:
        override_controls(armature, entry.controls)
    if entry.cycles:
        make_cycles(armature, [CycleChoice(c.gait, c.style, c.group) for c in entry.cycles])
    for group in entry.groups:
        key_group_weight(armature, group.name, group.keys, overrides=group.overrides)
    add_job_layers(entry, armature)
    write_job_travel(entry, armature, entry.travel)
    kept = read_ground_choice(armature.locomotion.ground)
    setups.write_ground(armature, ground, replace(kept, **left))
    settings_properties.write_bake_settings(armature.locomotion.settings, entry.bake)
    settings = {**(MADE_RESPONSE if entry.cycles and not entry.motions else {}), **entry.settings}
    settings_properties.write_plan_settings(
        armature.locomotion.settings,
        replace(PlanSettings(), **settings),  # type: ignore[arg-type]
    )


def _choose_root(entry: CharacterJob, armature: bpy.types.Object) -> str:
    """Name of the root bone: a job's, or what was found; empty without any."""
    if entry.root is not None and entry.root not in armature.data.bones:
        raise JobError(f"{armature.name!r} has no bone {entry.root!r} for `root`; name another")
    return entry.root or find_root_bone(armature)


def _load_armature(entry: CharacterJob) -> bpy.types.Object:
    """The armature of a job's character, imported if its file is no .blend."""
    if entry.file.suffix.lower() == ".blend":
        armatures = list_armatures()
    else:
        armatures = list(import_file(entry.file).armatures)
    names = sorted(o.name for o in armatures)
    if entry.armature is not None:
        for armature in armatures:
            if armature.name == entry.armature:
                return override_armature(armature, bpy.context.scene)
        raise_missing(entry.file.name, f"no armature {entry.armature!r}")
        raise JobError(
            f"{entry.file.name} has no armature {entry.armature!r}; "
            f"it has: {', '.join(names) or 'none'}"
        )
    if not armatures:
        raise make_armature_error(entry.file.name)
    chosen = choose_armatures(armatures)
    if len(chosen) > 1:
        raise JobError(
            f"{entry.file.name} has several characters; name one as `armature`: "
            f"{', '.join(item.name for item in chosen)}"
        )
    return override_armature(chosen[0], bpy.context.scene)


def _load_ground(sources: Sequence[GroundSource]) -> list[bpy.types.Object] | None:
    """Ground objects of a job; None stands for all visible meshes."""
    if not sources:
        return None
    found: list[bpy.types.Object] = []
    for source in sources:
        if source.file is not None:
            meshes = [o for o in import_file(source.file).objects if o.type == "MESH"]
            if not meshes:
                raise FileError(f"{source.file.name} has no mesh to walk on")
            found.extend(meshes)
            continue
        name = source.name or ""
        if name in bpy.data.objects:
            found.append(bpy.data.objects[name])
        elif name in bpy.data.collections:
            found.extend(bpy.data.collections[name].all_objects)
        else:
            known = sorted({*bpy.data.objects.keys(), *bpy.data.collections.keys()})
            near = difflib.get_close_matches(name, known, n=1)
            case = f"ground {name!r} is neither an object nor a collection of the file"
            raise JobError(case, f"did you mean {near[0]!r}?" if near else _NAME_GROUND)
    return found


def bake_blend(
    path: Path,
    output: Path,
    only: str | None = None,
    frames: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Bake every set-up character of a .blend file, and save it.

    Parameters are those of `bake_job`; ``path`` is the file to open.

    Raises
    ------
    LocomotionError
        No character is set up, or one cannot be baked; nothing is written then.
    """
    open_blend(path)
    scene = bpy.context.scene
    chosen = [o for o in list_armatures() if is_set_up(o) and (only is None or o.name == only)]
    if not chosen:
        what = f"no set-up character {only!r}" if only else "no character that is set up"
        raise_missing(path.name, what)
        raise RigError(f"{path.name} has {what}: set it up in Blender, or bake a job file")
    reports = []
    for number, armature in enumerate(sorted(chosen, key=lambda o: o.name)):
        share = share_progress(progress or _ignore, number, len(chosen))
        if frames is None and len(list_sections(armature)) > 1:
            results = bake_sections(armature, scene, share)
        else:
            results = [setups.bake_set_up(armature, scene, frames, share)]
        reports += report_walks(armature, results)
    save_file(output)
    return {**plain_units(), "characters": reports, "files": list_read_files([path])}


def report_file(
    path: Path,
    folder: Path | None = None,
    progress: Progress | None = None,
    *,
    with_plan: bool = False,
) -> dict[str, Any]:
    """Measure every baked walk of a .blend file as Blender shows it.

    Parameters
    ----------
    path
        The file; it is not changed.
    folder
        Where plots are written, a folder that exists; None for none.
    progress
        Called with the share done and a text.
    with_plan
        Whether the numbers of the plans are told beside those of what is shown, for development.

    Returns
    -------
    dict
        The content of report.json; each character names its plots.

    Raises
    ------
    LocomotionError
        No baked walk is in the file, or one cannot be planned any more.
    """
    open_blend(path)
    scene = bpy.context.scene
    baked = list_baked(list_armatures())
    if not baked:
        raise_missing(path.name, "no baked walk")
        raise RigError(f"{path.name} has no baked walk: bake one first")
    tell = progress or _ignore
    reports = []
    stems: set[str] = set()
    for number, armature in enumerate(baked):
        tell(number / len(baked), f"measuring {armature.name}")
        walk = measure_baked(armature, scene)
        entry = walk.as_dict(Reader.JOB, with_plan=with_plan)
        stem = choose_stem(walk.name, stems)
        entry["plots"] = [] if folder is None else write_plots(walk, folder, stem)
        reports.append(entry)
    return {"file": path.name, **plain_units(), "characters": reports}


def verify_file(path: Path, progress: Progress | None = None) -> list[str]:
    """What spoils the baked walks of a .blend file as Blender shows them, led by their names.

    Parameters
    ----------
    path
        The file; it is not changed.
    progress
        Called with the share done and a text.

    Raises
    ------
    LocomotionError
        See `report_file`.
    """
    return [
        f"{entry['name']}: {text}"
        for entry in report_file(path, progress=progress)["characters"]
        for note, text in zip(entry["notes"], entry["warnings"], strict=True)
        if note["severity"] == Severity.WALK.name.lower()
    ]


def _scale_progress(tell: Progress, start: float, end: float) -> Progress:
    """Progress of a part of a unit."""
    return lambda share, text: tell(start + (end - start) * share, text)


def _ignore(share: float, text: str) -> None:
    """Progress that nobody wants."""
