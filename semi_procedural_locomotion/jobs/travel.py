# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character of a job goes (no bpy)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal, cast

from ..requests.settings.travels import TRAVEL
from .tables import Table

Ending = Literal["stand", "moving"]
Heading = Literal["along", "kept"]
Source = Literal["straight", "path", "curve", "bone", "footsteps", "animation"]

_ENDINGS = ("stand", "moving")
_HEADINGS = ("along", "kept")
_TRAVEL_SOURCES = ("path", "curve", "bone", "footsteps", "animation")


@dataclass(frozen=True)
class TravelChoice:
    """Where the character goes.

    Attributes
    ----------
    source
        Kind of travel; ``straight`` where the job names none.
    points
        World x, y of the corners, at least two, for ``path``; else empty.
    name
        Name of the curve object, bone or footstep collection for these sources, else None; None for
        the footsteps that the character has.
    speed
        Metres a second, or None for the native speed of the slowest forward walk.
    speed_keys
        Frame and metres a second of each key where the speed changes, else empty.
    start, stop
        Whether the ends are standing or moving.
    ease
        Seconds from standing to full speed, or None for the default.
    rounds
        How many times a closed way is walked; 0 until the scene's end.
    heading
        Whether the character turns along the way or keeps facing as it stands.
    """

    source: Source = "straight"
    points: tuple[tuple[float, float], ...] = ()
    name: str | None = None
    speed: float | None = None
    speed_keys: tuple[tuple[float, float], ...] = ()
    start: Ending = "stand"
    stop: Ending = "stand"
    ease: float | None = None
    rounds: float = 1.0
    heading: Heading = "along"


def parse_travel(table: Table) -> TravelChoice:
    """Read ``[character.travel]``.

    Raises
    ------
    JobError
        A key is unknown, missing or wrong.
    """
    source = cast("Source", table.one_of(*_TRAVEL_SOURCES) or "straight")
    points: tuple[tuple[float, float], ...] = ()
    name = None
    if source == "path":
        points = _parse_points(table)
    elif source == "animation":
        if not table.flag("animation"):
            raise table.error("animation", "can only be true; leave it out otherwise")
    elif source == "footsteps" and isinstance(table.peek(source), bool):
        if not table.flag(source):
            raise table.error(source, "can only be true or a name; leave it out otherwise")
    elif source != "straight":
        name = table.required_text(source)
    speed, speed_keys = _parse_speed(table)
    start = cast("Ending", table.text("start", choices=_ENDINGS) or TravelChoice.start)
    stop = cast("Ending", table.text("stop", choices=_ENDINGS) or TravelChoice.stop)
    heading = cast("Heading", table.text("heading", choices=_HEADINGS) or TravelChoice.heading)
    ease, rounds = table.setting(TRAVEL["ease"]), table.setting(TRAVEL["rounds"])
    table.finish()
    return TravelChoice(
        source=source,
        points=points,
        name=name,
        speed=speed,
        speed_keys=speed_keys,
        start=start,
        stop=stop,
        ease=ease or None,
        rounds=TravelChoice.rounds if rounds is None else rounds,
        heading=heading,
    )


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
