# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about the footsteps that a walk keeps (numpy only)."""

from __future__ import annotations

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..footsteps.source import list_stations
from ..ground.layers import find_buried
from ..maths import rotations as rot
from ..prints.records import KeptStep
from ..times.limits import LEVELS
from ..walk import WalkPlan
from .limits import NOTES


def note_lost_steps(plan: WalkPlan) -> list[Note]:
    """Notes of the kept steps that the walk does not use.

    Several that no step passes near are told together: they may be those of another travel.
    """
    claims, legs = plan.claims, plan.tables.rig.legs
    lost = [
        (step, rival)
        for step, place, rival in zip(claims.steps, claims.prints, claims.rivals, strict=True)
        if place is None
    ]
    notes = [
        make_note(
            NoteKind.FOOTSTEP_TAKEN,
            legs[step.leg].name,
            place=step.position,
            footstep=step.name,
            rival=rival,
        )
        for step, rival in lost
        if rival
    ]
    beside = [step for step, rival in lost if not rival]
    if not beside:
        return notes
    together = make_note(
        NoteKind.FOOTSTEPS_BESIDE,
        place=beside[0].position,
        footsteps=tuple(step.name for step in beside[: NOTES.named]),
        count=len(beside),
        more=max(len(beside) - NOTES.named, 0),
    )
    return [together, *notes]


def note_steps_off_ground(plan: WalkPlan) -> list[Note]:
    """A note where kept steps that the walk uses lie far below or above the ground.

    It names the one that is farthest off, and how many others there are: whole runs may be meant so.
    """
    rig = plan.tables.rig
    near = NOTES.off_ground * rig.leg_length
    off: list[tuple[float, KeptStep]] = []
    for step, time in _list_used_steps(plan):
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


def note_steps_in_walls(plan: WalkPlan) -> list[Note]:
    """A note where soles of kept steps that the walk uses stand in what rises beside them."""
    rig = plan.tables.small_rig
    stuck = []
    for step, time in _list_used_steps(plan):
        length, width = float(rig.foot_lengths[step.leg]), rig.legs[step.leg].sole_width
        along, across = np.meshgrid([0.0, 0.5, 1.0], [-0.5, 0.0, 0.5], indexing="ij")
        sole = np.stack([length * along, width * across, 0.0 * along], axis=-1).reshape(-1, 3)
        points = step.position + rot.rotate(step.frame, sole)
        # What a sole may lie in is no wall.
        points[:, 2] += plan.settings.sole_tolerance * rig.leg_length
        layers = plan.ground.cast_all(points, np.full(len(points), time))
        buried = find_buried(layers, points[:, 2], LEVELS.standing_room * rig.leg_length)
        # Where all of it is below the ground that is told as such.
        if np.any(buried) and not np.all(buried):
            stuck.append(step)
    if not stuck:
        return []
    note = make_note(
        NoteKind.FOOTSTEP_IN_WALL,
        rig.legs[stuck[0].leg].name,
        place=stuck[0].position,
        footstep=stuck[0].name,
        more=len(stuck) - 1,
    )
    return [note]


def _list_used_steps(plan: WalkPlan) -> list[tuple[KeptStep, float]]:
    """Kept steps that the walk uses, and when each is at its place."""
    return [
        # Where it rides on something it is at its place at its own time.
        (
            step,
            float(plan.prints.rows[place[0]].times[place[1]]) if step.time is None else step.time,
        )
        for step, place in zip(plan.claims.steps, plan.claims.prints, strict=True)
        if place is not None and not step.left_out
    ]
