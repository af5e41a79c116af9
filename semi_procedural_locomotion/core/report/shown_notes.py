# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notes of what is bad about a walk as the scene shows it, where nothing else tells it already."""

from __future__ import annotations

from collections.abc import Sequence

from ...notes import Note, NoteKind, Value
from .shown_measures import BODY, ShownReport, WorstPlace
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
