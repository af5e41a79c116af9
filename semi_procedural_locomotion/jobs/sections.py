# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections of a character's shot in a job (no bpy)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from ..requests.settings.bakes import BAKE, RANGE
from .tables import Table
from .travel import TravelJob, parse_travel

_BLENDS = ("blend_in", "blend_out")


@dataclass(frozen=True)
class SectionJob:
    """One stretch of walk.

    Attributes
    ----------
    frames
        First and last frame.
    name
        What it is called in the panel; None for a name of its own.
    blends
        Frames over which it goes over from and to other animation, by the names of the settings; those
        that are not given are the character's.
    travel
        Where it goes; None for the travel of the character.
    """

    frames: tuple[int, int]
    name: str | None
    blends: Mapping[str, int]
    travel: TravelJob | None


def parse_sections(table: Table) -> tuple[SectionJob, ...]:
    """Read ``[[character.section]]``, in the order of their frames; empty where there are none.

    Raises
    ------
    JobError
        A key is unknown, missing or wrong, or two of them overlap.
    """
    found = []
    for entry in table.tables("section") or ():
        frames = parse_frames(entry)
        if frames is None:
            raise entry.error("frames", "is missing; give [first, last]")
        travel = entry.table("travel")
        blends = entry.settings({name: BAKE[name] for name in _BLENDS})
        found.append(
            SectionJob(
                frames,
                entry.text("name"),
                {name: int(value) for name, value in blends.items()},
                None if travel is None else parse_travel(travel),
            )
        )
        entry.finish()
    found.sort(key=lambda section: section.frames)
    for one, two in itertools.pairwise(found):
        if two.frames[0] <= one.frames[1]:
            raise table.error(
                "section", f"overlaps: {list(one.frames)} and {list(two.frames)}; set them apart"
            )
    return tuple(found)


def parse_frames(table: Table) -> tuple[int, int] | None:
    """Read the optional key ``frames``, a first and a last frame."""
    frames = table.integers("frames", count=2)
    if frames is None:
        return None
    for fault in map(RANGE["frame_start"].find_fault, frames):
        if fault:
            raise table.error("frames", fault)
    if frames[1] <= frames[0]:
        raise table.error("frames", f"ends before it starts: {list(frames)}; give [first, last]")
    return frames[0], frames[1]
