# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about the footsteps that a walk keeps (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..footsteps.floating import list_stations
from ..maths import rotations as rot
from ..prints.claims import KeptStep, StepClaims
from ..walk import WalkPlan
from .limits import NOTES


def note_lost_steps(claims: StepClaims, leg_names: Sequence[str]) -> list[Note]:
    """Notes of the kept steps that the walk does not use.

    Several that no step passes near are told together: they may be those of another travel.
    """
    notes = []
    for step, place, rival in zip(claims.steps, claims.prints, claims.rivals, strict=True):
        if place is not None:
            continue
        note = make_note(
            NoteKind.FOOTSTEP_PASSED_BY,
            leg_names[step.leg],
            place=step.position,
            footstep=step.name,
        )
        if rival:
            taken = {**note.values, "rival": rival}
            note = replace(note, kind=NoteKind.FOOTSTEP_TAKEN, values=taken)
        notes.append(note)
    beside = [note for note in notes if note.kind is NoteKind.FOOTSTEP_PASSED_BY]
    if len(beside) < NOTES.told_together:
        return notes
    names = [str(note.values["footstep"]) for note in beside]
    shown = ", ".join(names[: NOTES.named])
    together = make_note(
        NoteKind.FOOTSTEPS_BESIDE,
        place=beside[0].place,
        footsteps=shown,
        count=len(names),
        more=max(len(names) - NOTES.named, 0),
    )
    return [together, *(note for note in notes if note not in beside)]


def note_steps_off_ground(plan: WalkPlan) -> list[Note]:
    """A note where kept steps that the walk uses lie far below or above the ground.

    It names the one that is farthest off, and how many others there are: whole runs may be meant so.
    """
    rig = plan.tables.rig
    near = NOTES.off_ground * rig.leg_length
    off: list[tuple[float, KeptStep]] = []
    for step, place in zip(plan.claims.steps, plan.claims.prints, strict=True):
        if place is None or step.left_out:
            continue
        # Where it rides on something it is at its place at its own time.
        own = float(plan.prints.rows[place[0]].times[place[1]])
        time = own if step.time is None else step.time
        # Under a roof the ground next to the step counts, not the roof.
        above = np.array([near, NOTES.above_footstep * rig.leg_length])
        soles = np.repeat(list_stations(rig, [step])[0], len(above), axis=0)
        starts = soles + rot.UP * np.resize(above, len(soles))[:, None]
        hits = plan.ground.cast_down(starts, np.full(len(soles), time))
        away = (soles[:, 2] - hits.points[:, 2])[hits.hit]
        if len(away) and np.abs(away).min() > near:
            off.append((float(away[np.argmin(np.abs(away))]), step))
    if not off:
        return []
    height, step = max(off, key=lambda entry: abs(entry[0]))
    note = make_note(
        NoteKind.FOOTSTEP_OFF_GROUND,
        rig.legs[step.leg].name,
        place=step.position,
        footstep=step.name,
        height=height,
        more=len(off) - 1,
    )
    return [note]
