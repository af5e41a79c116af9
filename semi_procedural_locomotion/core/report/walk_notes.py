# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind of a planned and solved walk, besides its numbers (numpy only)."""

from __future__ import annotations

from ...notes import Note
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
from .spans import NotedSpan


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
