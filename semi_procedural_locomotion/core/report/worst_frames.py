# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frame and which foot each number of a walk comes from (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths.rotations import FloatArray
from .limits import NOTES
from .series import WalkSeries


@dataclass(frozen=True)
class WorstPlace:
    """Where a number is at its worst.

    Attributes
    ----------
    frame
        Scene frame.
    leg
        Name of the leg.
    value
        The number there, in the unit of the series it comes from.
    """

    frame: int
    leg: str
    value: float


def find_worst_places(
    series: WalkSeries, frames: np.ndarray, leg_names: Sequence[str]
) -> dict[str, WorstPlace]:
    """Frame and foot of each number that a walk is judged by.

    Parameters
    ----------
    series
        Numbers of N frames and L legs.
    frames
        Scene frames, shape (N,).
    leg_names
        L names.

    Returns
    -------
    dict
        By ``slide``, ``sink``, ``float``, ``swing_depth``, ``foot_turn``, ``knee_speed``, ``reach``
        and ``miss``; those that are not known, or nowhere above 0, are left out. Values are shares of
        the leg, of turns and speeds radians a second.
    """
    tables: dict[str, FloatArray] = {
        "reach": series.reaches,
        "foot_turn": series.foot_turns,
        "knee_speed": series.knee_speeds,
    }
    if series.slides is not None:
        tables["slide"] = series.slides
    if series.misses is not None:
        tables["miss"] = series.misses
    if series.contacts is None:
        tables["swing_depth"] = series.depths
    else:
        tables["sink"] = np.where(series.contacts, series.depths, 0.0)
        tables["swing_depth"] = np.where(series.contacts, 0.0, series.depths)
        tables["float"] = series.floats
    worst = {}
    for name, table in tables.items():
        row, leg = (int(i) for i in np.unravel_index(int(np.argmax(table)), table.shape))
        if table[row, leg] > 0.0:
            place = WorstPlace(int(frames[row]), leg_names[leg], float(table[row, leg]))
            worst[name] = place
    return worst


def note_differences(
    differences: Sequence[FloatArray], frames: np.ndarray, leg_names: Sequence[str]
) -> list[Note]:
    """Notes of keys that are not where the plan has the legs.

    Parameters
    ----------
    differences
        Keys minus plan for each bone of each leg, world, shares of the leg, L arrays of shape
        (N, K, 3).
    frames
        Scene frames, shape (N,).
    leg_names
        L names.

    Returns
    -------
    list of Note
        One of the worst place of each leg that is off the plan, and one of each of its worst pops.
    """
    notes = []
    for name, difference in zip(leg_names, differences, strict=True):
        sizes = np.max(np.linalg.norm(difference, axis=-1), axis=1)
        worst = int(np.argmax(sizes))
        if sizes[worst] <= NOTES.off_plan:
            continue
        notes.append(make_note(NoteKind.KEYS_OFF_PLAN, name, frames[worst], share=sizes[worst]))
        jumps = np.max(np.linalg.norm(np.diff(difference, axis=0), axis=-1), axis=1)
        for row in np.argsort(-jumps, kind="stable")[: NOTES.most_pops]:
            if jumps[row] > NOTES.pop:
                follower = int(frames[row + 1])
                pop = make_note(
                    NoteKind.FOOT_POPS, name, frames[row], share=jumps[row], next=follower
                )
                notes.append(pop)
    return notes
