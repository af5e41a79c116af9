# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind of a planned and solved walk, and of the numbers that are shown of it (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

from ...notes import Note, NoteKind, Value
from ..walk import SolvedWalk
from .footstep_notes import note_lost_steps, note_steps_in_walls, note_steps_off_ground
from .ground_notes import note_leaving_ground, note_prints_without_ground, note_steep_ground
from .hand_overs import note_hand_overs
from .motion_notes import (
    note_layers,
    note_misses,
    note_scaled_feet,
    note_weightless_groups,
)
from .pace_notes import note_crossings, note_pace, note_turns
from .shown_measures import BODY, ShownReport, WorstPlace
from .spans import NotedSpan
from .verdicts import BAD, DOUBTFUL, judge_number

# What is told of each number; of the others their rows in the report are enough.
_KINDS = {
    "shown_slip_worst": NoteKind.FOOT_SLIDES,
    "shown_sink_worst": NoteKind.FOOT_SINKS,
    "shown_float_p99": NoteKind.FOOT_FLOATS,
    "shown_swing_depth_worst": NoteKind.FOOT_CUTS_GROUND,
    "shown_body_depth_worst": NoteKind.BODY_CUTS_GROUND,
    "shown_foot_way_ratio": NoteKind.FOOT_JUMPS,
    "shown_knee_speed_ratio": NoteKind.KNEE_FAST,
    "shown_off_travel_worst": NoteKind.BODY_OFF_TRAVEL,
    "shown_airborne_share": NoteKind.WALK_AIRBORNE,
}
# Of depths, and of feet that hasten, everything beyond the bar is told; of other numbers what is bad.
_TOLD_EARLY = ("shown_sink_worst", "shown_swing_depth_worst", "shown_foot_way_ratio")
_OF_BODY = (NoteKind.BODY_OFF_TRAVEL, NoteKind.WALK_AIRBORNE)


def note_plan(span: NotedSpan, walk: SolvedWalk, *, faces_way: bool = False) -> list[Note]:
    """All notes of a walk, of prints and steps first.

    Parameters
    ----------
    span
        The plan, and its time that counts.
    walk
        Its solution at the frames of that time.
    faces_way
        See `note_pace`.
    """
    return [
        *note_scaled_feet(span, walk),
        *note_prints_without_ground(span),
        *note_steep_ground(span),
        *note_misses(span, walk),
        *note_crossings(span),
        *note_hand_overs(span, walk),
        *note_lost_steps(span.plan),
        *note_steps_off_ground(span.plan),
        *note_steps_in_walls(span.plan),
        *span.plan.travel.notes,
        *note_leaving_ground(span),
        *note_pace(span, faces_way=faces_way),
        *note_turns(span, walk),
        *note_weightless_groups(span, walk.times),
        *note_layers(span, walk),
    ]


def note_shown(shown: ShownReport, known: Sequence[Note]) -> list[Note]:
    """Notes of numbers beyond their limits.

    Parameters
    ----------
    shown
        The numbers.
    known
        What is told anyway; a foot is not told of twice.
    """
    told = {(note.kind, note.leg) for note in known}
    found = []
    for key, kind in _KINDS.items():
        tell = (DOUBTFUL, BAD) if key in _TOLD_EARLY else (BAD,)
        for place in _list_places(shown, key, kind):
            is_known = (kind, place.leg) in told or (kind, None) in told
            if judge_number(key, place.value) not in tell or is_known:
                continue
            leg = None if kind in _OF_BODY or place.leg == BODY else place.leg
            known_values: dict[str, Value] = {
                "share": place.value,
                "length": place.value * shown.leg_length,
                "bone": "" if leg else BODY,
            }
            values = {name: value for name, value in known_values.items() if name in kind.carries}
            found.append(Note(kind, leg, place.frame, values=values))
    return found


def _list_places(shown: ShownReport, key: str, kind: NoteKind) -> Sequence[WorstPlace]:
    """Where a number is at its worst: of every leg, the worst first, or of the body."""
    if kind in _OF_BODY or kind is NoteKind.BODY_CUTS_GROUND:
        return [shown.worst[key]] if key in shown.worst else []
    return shown.worst_of_legs.get(key, ())
