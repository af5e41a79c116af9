# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body passes through on its way (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..travel.walls import Crossing, Furniture, Passage, split_runs
from ..travel.way import Travel
from .limits import NOTES


def note_crossed_walls(
    passage: Passage, crossings: Sequence[Crossing], case: str, rate: float
) -> list[Note]:
    """A note of each thing that a body passes through, in the order of the walk.

    Parameters
    ----------
    passage
        The room that the body takes up.
    crossings
        What stands in it.
    case
        Of what is told, by what can be done about it.
    rate
        Frames a second.
    """
    corners = passage.points.reshape(-1, 3)[passage.sheets.corners]
    found = []
    for crossing in crossings:
        stations = passage.sheets.cells[crossing.pieces, 0]
        runs = split_runs(stations)
        first, last = runs[0]
        here = crossing.pieces[(stations >= first) & (stations <= last)]
        place = corners[here].reshape(-1, 3).mean(axis=0)
        after = min(last + 1, len(passage.times) - 1)
        ends = (passage.times[first] * rate, passage.times[after] * rate)
        found.append((ends, place, crossing.name, len(runs) - 1))
    found.sort(key=lambda entry: (entry[0], entry[2]))
    told, left = found[: NOTES.most_walls], found[NOTES.most_walls :]
    return [
        make_note(
            NoteKind.WALL_CROSSED,
            frame=first,
            place=place,
            case=case,
            wall=name,
            last=round(last),
            more=more,
            others=len(left) if number == len(told) - 1 else 0,
        )
        for number, ((first, last), place, name, more) in enumerate(told)
    ]


def note_moved_ends(
    ways: tuple[Travel, Travel],
    passage: Passage,
    crossings: Sequence[Crossing],
    rate: float,
    length: float,
) -> list[Note]:
    """A note of each end of a way that is moved aside to keep clear of something.

    Parameters
    ----------
    ways
        The travel that was asked for, and the shifted one.
    passage
        The room that the body takes up before it is shifted.
    crossings
        What stands in it, one or more; the nearest to an end is told.
    rate
        Frames a second.
    length
        Of the leg, metres.
    """
    times = np.array([ways[0].start, ways[0].end])
    asked, moved = (way.evaluate(times)[0] for way in ways)
    apart = np.hypot(*(moved - asked)[:, :2].T)
    stations = [passage.sheets.cells[crossing.pieces, 0] for crossing in crossings]
    notes = []
    for end, nearest in ((0, [s.min() for s in stations]), (1, [-s.max() for s in stations])):
        if apart[end] >= NOTES.end_moved * length:
            notes.append(
                make_note(
                    NoteKind.WAY_END_MOVED,
                    frame=times[end] * rate,
                    place=asked[end],
                    distance=float(apart[end]),
                    wall=crossings[int(np.argmin(nearest))].name,
                    starts=1 - end,
                )
            )
    return notes


def note_climbed(things: Sequence[tuple[str, Furniture]], rate: float) -> list[Note]:
    """A note of each thing that a walk climbs and leaves at once, by its name, in the order of the walk.

    Parameters
    ----------
    things
        Names and things.
    rate
        Frames a second.
    """
    told, left = things[: NOTES.most_walls], things[NOTES.most_walls :]
    return [
        make_note(
            NoteKind.THING_CLIMBED,
            frame=thing.time * rate,
            place=thing.place,
            thing=name,
            height=thing.height,
            others=len(left) if number == len(told) - 1 else 0,
        )
        for number, (name, thing) in enumerate(told)
    ]
