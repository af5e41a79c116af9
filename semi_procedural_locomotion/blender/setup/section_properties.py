# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sections of a character's walk as Blender properties: name, frames, travel."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from bpy.props import BoolProperty, IntProperty, PointerProperty, StringProperty

from ...requests.settings.bakes import BAKE
from .declaring import OVERRIDE, declare
from .travel_properties import LOCOMOTION_PG_travel
from .values import Values, read_values, write_entries

Frames = tuple[int, int]


class LOCOMOTION_PG_section(bpy.types.PropertyGroup):
    """One stretch of walk that is baked by itself, as it was baked last."""

    name: StringProperty(name="Name", description="Name of the section", override=OVERRIDE)
    frame_start: IntProperty(
        name="Start", description="First frame of the section", override=OVERRIDE
    )
    frame_end: IntProperty(name="End", description="Last frame of the section", override=OVERRIDE)
    begin: IntProperty(
        name="Begin",
        description="Frame at which the whole walk began, where no range was asked for",
        override=OVERRIDE,
    )
    is_whole: BoolProperty(
        name="Whole", description="Whether no range was asked for", override=OVERRIDE
    )
    blend_in: declare(BAKE["blend_in"], override=OVERRIDE)
    blend_out: declare(BAKE["blend_out"], override=OVERRIDE)
    travel: PointerProperty(type=LOCOMOTION_PG_travel, override=OVERRIDE)


def find_section(armature: bpy.types.Object, frames: Frames) -> LOCOMOTION_PG_section | None:
    """What is kept of the section of some frames; None for those of earlier versions."""
    for entry in armature.locomotion.sections:
        if (entry.frame_start, entry.frame_end) == frames:
            return entry
    return None


def name_section(armature: bpy.types.Object, frames: Frames) -> str:
    """Name of the section of some frames."""
    entry = find_section(armature, frames)
    return entry.name if entry is not None and entry.name else f"{frames[0]} to {frames[1]}"


def keep_sections(armature: bpy.types.Object, sections: Sequence[Frames], baked: Values) -> None:
    """Keep what is known of the sections of a bake, in their order, with that of one baked now.

    Parameters
    ----------
    armature
        The character.
    sections
        First and last frame of each.
    baked
        Values of the one that was baked; its name is empty where that of a section in whose place it
        comes is to be taken over.
    """
    kept = [read_values(entry) for entry in armature.locomotion.sections]
    own = (baked["frame_start"], baked["frame_end"])
    entries: list[Values] = []
    for first, last in sections:
        if first <= own[0] and own[1] <= last:
            before = [e for e in kept if e["frame_start"] <= last and e["frame_end"] >= first]
            entry = {**baked, "frame_start": first, "frame_end": last}
            if (first, last) != own and before:
                # A part of a whole walk is none of its own.
                entry = {**before[0], "frame_start": first, "frame_end": last}
            named = [e["name"] for e in before if e["name"]]
            entry["name"] = baked["name"] or next(iter(named), _find_name(kept, entries))
            entries.append(entry)
        else:
            entries += [e for e in kept if (e["frame_start"], e["frame_end"]) == (first, last)]
    write_entries(armature.locomotion, "sections", entries)


def drop_section(armature: bpy.types.Object, frames: Frames) -> None:
    """Forget a section."""
    kept = [read_values(entry) for entry in armature.locomotion.sections]
    kept = [e for e in kept if (e["frame_start"], e["frame_end"]) != frames]
    write_entries(armature.locomotion, "sections", kept)


def _find_name(kept: Sequence[Values], entries: Sequence[Values]) -> str:
    """A name that no section has."""
    taken = {entry["name"] for entry in (*kept, *entries)}
    name, number = "Walk", 1
    while name in taken:
        number += 1
        name = f"Walk {number}"
    return name
