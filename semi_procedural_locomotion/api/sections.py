# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections of a shot: each has its own frames and travel, and is baked, baked again and removed alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy

from ..blender.bake import section_removal
from ..blender.bake.edits import name_edit
from ..blender.bake.rollback import Write
from ..blender.bake.writing import find_bake
from ..blender.setup.section_properties import (
    drop_section,
    find_section,
    name_section,
)
from ..blender.setup.travel_properties import read_travel_values, travel_from_values
from ..blender.setup.values import KeptValues, read_values, write_values
from ..blender.showing.expectations import (
    read_expectation,
    read_surroundings,
    write_expectation,
)
from ..blender.values.bake_record import BakeRecord, read_record
from ..core.keys.edits import KeyEdit
from ..errors import BakeError
from .baking import BakeRequest, BakeResult
from .characters import Progress
from .notes import keep_notes
from .progress import run_steps
from .setups import make_request, prepare_set_up_bake, remove_set_up_bake, write_set_up_bake


@dataclass(frozen=True)
class Section:
    """One stretch of walk of a baked character.

    Attributes
    ----------
    name
        What it is called.
    frames
        First and last frame.
    edits
        What was changed by hand on its keys.
    """

    name: str
    frames: tuple[int, int]
    edits: tuple[KeyEdit, ...] = ()


def list_sections(armature: bpy.types.Object) -> list[Section]:
    """The sections of the bake that a character plays, in their order; empty where it plays none."""
    record = _read_record(armature)
    if record is None or record.cleans or not record.written:
        return []
    found = []
    for first, last in record.sections:
        frames = (round(first), round(last))
        edits = tuple(edit for edit in record.edits if edit.overlaps(first, last))
        found.append(Section(name_section(armature, frames), frames, edits))
    return found


def get_section(armature: bpy.types.Object, frame: float) -> Section:
    """The section of a character's bake that a frame is in.

    Raises
    ------
    BakeError
        There is none.
    """
    for section in list_sections(armature):
        if section.frames[0] <= frame <= section.frames[1]:
            return section
    raise BakeError(
        f"{armature.name!r} has no section of a walk at frame {frame:g}: bake one there"
    )


def make_section_request(armature: bpy.types.Object, section: Section) -> BakeRequest:
    """What a section was baked for: its frames and travel, with all else as the properties ask.

    Sections of earlier versions do not tell, and take the travel of the properties.
    """
    entry = find_section(armature, section.frames)
    request = make_request(armature, section.frames)
    if entry is None:
        return request
    blends = (entry.blend_in, entry.blend_out)
    travel = travel_from_values(read_travel_values(entry.travel))
    plan = replace(request.plan, travel=travel, blends=blends)
    if entry.is_whole:
        plan = replace(plan, frames=None, start=entry.begin)
    options = replace(
        request.options,
        output_to=entry.travel.output_to.lower(),
        blend_in=blends[0],
        blend_out=blends[1],
    )
    return replace(request, plan=plan, options=options)


def bake_section(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    section: Section,
    progress: Progress | None = None,
) -> BakeResult:
    """Bake a section again, with its own frames and travel.

    Raises
    ------
    LocomotionError
        Something cannot be used; nothing has changed then.
    """
    request = make_section_request(armature, section)
    prepared = run_steps(prepare_set_up_bake(armature, scene, request), progress)
    return write_set_up_bake(prepared, progress)


def bake_sections(
    armature: bpy.types.Object, scene: bpy.types.Scene, progress: Progress | None = None
) -> list[BakeResult]:
    """Bake all sections of a character again, in their order."""
    sections = list_sections(armature)
    results = []
    for number, section in enumerate(sections):
        own = None if progress is None else _share(progress, number, len(sections))
        results.append(bake_section(armature, scene, section, own))
    return results


def show_section(armature: bpy.types.Object, section: Section) -> None:
    """Put the frames and the travel of a section into the properties that the panels show.

    Raises
    ------
    BakeError
        It is one of an earlier version, which does not tell its travel.
    """
    entry = find_section(armature, section.frames)
    if entry is None:
        raise BakeError(
            f"frames {section.frames[0]} to {section.frames[1]} were baked by an earlier version, which "
            "kept no travel: set it and bake them again"
        )
    data = armature.locomotion
    write_values(data.travel, read_values(entry.travel))
    settings = data.settings
    settings.use_range = not entry.is_whole
    settings.frame_start, settings.frame_end = section.frames
    settings.blend_in, settings.blend_out = entry.blend_in, entry.blend_out


def remove_section(armature: bpy.types.Object, section: Section) -> None:
    """Take one section of a bake away; the others and what is keyed between them stay.

    Raises
    ------
    BakeError
        The character plays no such section.
    """
    if len(list_sections(armature)) == 1:
        remove_set_up_bake(armature)
        return
    span = (float(section.frames[0]), float(section.frames[1]))
    kept = KeptValues(armature.locomotion, ("report", "sections"))

    def forget() -> None:
        """The section and the numbers, which may be its own."""
        drop_section(armature, section.frames)
        report = armature.locomotion.report
        report.worst_frame, report.values = 0, ""
        keep_notes(report, ())

    more = [
        Write("expectation", lambda: _cut(armature)),
        Write("list", forget, kept.put_back),
    ]
    section_removal.remove_section(armature, span, more)


def make_removal_request(
    armature: bpy.types.Object, path: str, frame: int
) -> tuple[BakeRequest, str]:
    """What to bake so that an edit is gone, and what that is called.

    Parameters
    ----------
    armature
        A baked character.
    path
        Data path of what was changed; empty for all edits of the section.
    frame
        The first frame of the edit.

    Raises
    ------
    BakeError
        There is no such edit.
    """
    record = _read_record(armature)
    edits = () if record is None else record.edits
    section = next(
        (s for s in list_sections(armature) if any(e.key == (path, frame) for e in s.edits)), None
    )
    if not path:
        section = get_section(armature, frame)
        edits = section.edits
    chosen = [edit for edit in edits if not path or edit.key == (path, frame)]
    if not chosen or section is None:
        raise BakeError(f"the bake of {armature.name!r} has no such edit: it was removed")
    request = make_section_request(armature, section)
    dropped = [edit.key for edit in chosen]
    options = replace(request.options, keep_edits=True, dropped_edits=dropped)
    name = name_edit(chosen[0]) if len(chosen) == 1 else f"{len(chosen)} edits"
    return replace(request, options=options), name


def _cut(armature: bpy.types.Object) -> None:
    """Let a bake mean to show nothing where it has no section any more."""
    action, record = find_bake(armature), _read_record(armature)
    kept = None if action is None else read_expectation(action)
    if action is not None and record is not None and kept is not None:
        expected, rests = kept
        kept_frames = expected.keep_frames(record.sections)
        write_expectation(action, kept_frames, rests, *read_surroundings(action))


def _read_record(armature: bpy.types.Object) -> BakeRecord | None:
    """What the bake that a character plays remembers; None where it plays none."""
    action = find_bake(armature)
    return None if action is None else read_record(action)


def _share(progress: Progress, number: int, count: int) -> Progress:
    """Progress of one of several sections."""
    return lambda share, text: progress((number + share) / count, text)
