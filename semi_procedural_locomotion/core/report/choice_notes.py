# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about the choices of a walk (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..motions.records import MotionGroup
from ..walk import WalkPlan


def note_weightless_groups(
    groups: Sequence[MotionGroup], frames: np.ndarray, rate: float
) -> list[Note]:
    """A note where no group of motions has any weight.

    Parameters
    ----------
    groups
        All groups of the walk's motions.
    frames
        Frames of the walk, counted from frame 0 of its clock, shape (N,).
    rate
        Frames a second.
    """
    times = frames / rate
    shares = [np.interp(times, g.weight_times, g.weights) for g in groups]
    empty = np.flatnonzero(np.max(shares, axis=0) <= 0.0)
    if not len(empty):
        return []
    last = int(frames[empty[-1]])
    return [make_note(NoteKind.GROUPS_WEIGHTLESS, frame=frames[empty[0]], last=last)]


def note_short_walk(
    plan: WalkPlan, frames: tuple[int, int], scene_end: int, rate: float
) -> list[Note]:
    """A note where a walk straight on starts so late that the scene ends within its first cycle.

    Parameters
    ----------
    plan
        The walk.
    frames
        First and last frame of the walk.
    scene_end
        Last frame of the scene.
    rate
        Frames a second.
    """
    first, last = frames
    if (last - first) / rate >= plan.tables.cycles.slowest_period:
        return []
    return [make_note(NoteKind.WALK_SHORT, frame=first, last=scene_end)]


def note_scene_end(last: int, scene_end: int, *, extends: bool) -> list[Note]:
    """A note where a walk goes on after the scene's end.

    Parameters
    ----------
    last
        Last frame of the walk.
    scene_end
        Last frame of the scene.
    extends
        Whether the bake lets the scene end with the walk.
    """
    if last <= scene_end:
        return []
    kind = NoteKind.SCENE_EXTENDED if extends else NoteKind.WALK_OUTLASTS_SCENE
    return [make_note(kind, frame=scene_end, last=last)]
