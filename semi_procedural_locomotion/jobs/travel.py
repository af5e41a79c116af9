# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character of a job goes, as a whole and in each of its sections (no bpy)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, cast

from ..requests.settings.bakes import BAKE, RANGE
from ..requests.settings.travels import TRAVEL
from ..requests.travels import KINDS, StraightAhead, TravelSource
from .tables import Table


@dataclass(frozen=True)
class TravelJob:
    """Record of where the character goes.

    Attributes
    ----------
    source
        The travel; straight ahead where the job names none.
    speed_keys
        Frame and metres a second of each key where the speed changes, else empty.
    footsteps
        Name of the collection of footsteps to go along; None for those that the character has.
    """

    source: TravelSource = field(default_factory=StraightAhead)
    speed_keys: tuple[tuple[float, float], ...] = ()
    footsteps: str | None = None


def parse_travel(table: Table) -> TravelJob:
    """Read ``[character.travel]``.

    Raises JobError: a key is unknown, missing or wrong.
    """
    keys = [kind.key for kind in KINDS if kind.record is not StraightAhead]
    key = table.one_of(*keys) or "straight"
    kind = next(kind for kind in KINDS if kind.key == key)
    names: dict[str, Any] = {}
    footsteps = None
    if key == "path":
        names["points"] = _parse_points(table)
        names["space"] = table.text("space")
    elif key == "animation":
        if not table.flag("animation"):
            raise table.error("animation", "can only be true; leave it out otherwise")
    elif key == "footsteps" and isinstance(table.peek(key), bool):
        if not table.flag(key):
            raise table.error(key, "can only be true or a name; leave it out otherwise")
    elif key == "footsteps":
        footsteps = table.required_text(key)
    elif key != "straight":
        names[key] = table.required_text(key)
    speed, speed_keys = _parse_speed(table)
    values = table.settings({name: TRAVEL[name] for name in TRAVEL if name != "speed"})
    values["ease"] = values.get("ease") or None
    table.finish()
    # Jobs may tell more than the source asks for.
    values = {**values, "speed": speed, **names}
    own = {field.name for field in fields(kind.record)} & set(values)
    source = kind.record(**{name: values[name] for name in own})
    return TravelJob(source, speed_keys, footsteps)


def _parse_speed(table: Table) -> tuple[float | None, tuple[tuple[float, float], ...]]:
    """Read ``speed``: a number, "native", or keys of frame and speed."""
    given = table.peek("speed")
    if given == "native":
        table.text("speed")
        return None, ()
    if not isinstance(given, list):
        words = 'a number of metres a second, "native" or a list of [frame, speed]'
        speed = table.number("speed", instead=words)
        fault = "" if speed is None else TRAVEL["speed"].find_fault(speed)
        if fault or speed == 0.0:
            raise table.error("speed", fault or "must be above 0 metres a second, got 0")
        return speed, ()
    keys = tuple((row[0], row[1]) for row in table.number_lists("speed", count=2))
    if not keys or any(b[0] <= a[0] for a, b in itertools.pairwise(keys)):
        raise table.error("speed", "must be a number, or [frame, speed] by rising frames")
    for fault in (TRAVEL["speed"].find_fault(speed) for _, speed in keys):
        if fault:
            raise table.error("speed", fault)
    if not any(speed > 0.0 for _, speed in keys):
        raise table.error("speed", "must be above 0 metres a second somewhere")
    return keys[0][1], keys


def _parse_points(table: Table) -> tuple[tuple[float, float], ...]:
    """Read ``path``, two or more different world x, y."""
    points = cast("tuple[tuple[float, float], ...]", table.number_lists("path", count=2))
    if len(points) < 2:
        raise table.error("path", "needs two or more points; give [[x, y], [x, y], ...]")
    for index, (point, following) in enumerate(itertools.pairwise(points)):
        if point == following:
            raise table.error("path", f"has point {index} twice in a row; remove one")
    return points


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

    Raises JobError: a key is unknown, missing or wrong, or two of them overlap.
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
