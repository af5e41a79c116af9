# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that turn faster than feet can follow (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths import rotations as rot
from ..motions.tables import OFF, STRIKE
from ..prints.states import carry_row
from ..swings.limits import HEADINGS
from ..walk import SolvedWalk, WalkPlan
from .limits import NOTES


def note_turns(
    plan: WalkPlan, walk: SolvedWalk, leg_names: Sequence[str], rate: float
) -> list[Note]:
    """Notes where a foot whirls round, and where the body turns too far within one frame.

    Parameters
    ----------
    plan, walk
        The walk, and its poses at the N frames of interest, 2 or more.
    leg_names
        Names of its legs.
    rate
        Frames a second.
    """
    notes = []
    times = walk.times
    ankles = walk.source_rotations[:, [leg.ankle for leg in plan.tables.small_rig.legs]]
    own = rot.angles_between(ankles[1:], ankles[:-1]) * rate
    for leg, name in enumerate(leg_names):
        off, strike = (plan.steps.find_key_times(leg, key) for key in (OFF, STRIKE))
        row = plan.prints.rows[leg]
        _, _, behind = carry_row(row, np.arange(len(row.times) - 1), row.times[1:], plan.ground)
        turns = np.abs(rot.wrap_angles(row.headings[1:] - behind))
        fastest = turns / np.maximum(strike - off, 1e-9) / (1.0 - HEADINGS.even_ends)
        # However short a swing is, within a frame its foot turns by no more than in all of it.
        fastest = np.minimum(fastest, turns * rate)
        seen = (off < times[-1]) & (strike > times[0])
        fast = np.flatnonzero(seen & (fastest > own[:, leg].max(initial=0.0) + NOTES.whirls))
        if len(fast):
            notes.append(
                make_note(
                    NoteKind.FEET_TURN_FAST,
                    name,
                    off[fast[0]] * rate,
                    steps=len(fast),
                    turn=float(np.degrees(fastest[fast].max() / rate)),
                    last=round(float(strike[fast[-1]]) * rate),
                )
            )
    told = {note.leg for note in notes}
    notes += [note for note in note_whirls(plan, walk, leg_names, rate) if note.leg not in told]
    turns = np.abs(plan.times.rides.measure_turns(times))
    if len(turns) and turns.max() > NOTES.spun:
        worst = int(np.argmax(turns))
        notes.append(
            make_note(
                NoteKind.TRAVEL_TURNS_FAST,
                frame=times[worst] * rate,
                turn=float(np.degrees(turns[worst])),
            )
        )
    return notes


def note_whirls(
    plan: WalkPlan, walk: SolvedWalk, leg_names: Sequence[str], rate: float
) -> list[Note]:
    """Notes of legs of which a thigh, shin or foot flips from one frame to the next.

    Parameters are those of `note_turns`.
    """
    notes, skeleton, grid = [], plan.tables.small_rig.skeleton, plan.times.grid
    # Where steps are quickened, the clip is measured at its own pace.
    cycles = np.diff(np.interp(walk.times, grid.times, plan.times.phases))
    quick = np.maximum(cycles * plan.tables.cycles.slowest_period * rate, 1.0)
    for leg, name in zip(plan.tables.small_rig.legs, leg_names, strict=True):
        bones = list(leg.joints)
        turned, own = (
            rot.angles_between(rotations[1:, bones], rotations[:-1, bones])
            for rotations in (walk.rotations, walk.source_rotations)
        )
        excess = turned - (own / quick[:, None]).max(axis=0, initial=0.0)
        if excess.max(initial=0.0) <= NOTES.whirled:
            continue
        row, column = np.unravel_index(int(np.argmax(excess)), excess.shape)
        notes.append(
            make_note(
                NoteKind.LEG_WHIRLS,
                name,
                walk.times[row + 1] * rate,
                bone=skeleton.names[bones[column]],
                turn=float(np.degrees(turned[row, column])),
            )
        )
    return notes
