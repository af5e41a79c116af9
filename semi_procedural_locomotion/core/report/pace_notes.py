# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that ask more of the motions than they can give (numpy only)."""

from __future__ import annotations

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..body.airborne.limits import GIVE
from ..body.airborne.records import find_jumped
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.records import MotionSet
from ..times.stride_limits import find_fastest
from ..walk import WalkPlan
from .limits import NOTES


def note_pace(
    plan: WalkPlan, first: float, last: float, rate: float, *, faces_way: bool = False
) -> list[Note]:
    """Notes where a travel is much faster than all motions, or goes where or as none does.

    Parameters
    ----------
    plan
        The walk.
    first, last
        Range of time that counts, seconds.
    rate
        Frames a second.
    faces_way
        Whether the travel could keep its heading instead of facing along its way.
    """
    motions, times = plan.tables.motion_set, plan.times
    inside = (times.grid.times >= first) & (times.grid.times <= last)
    total = float(np.hypot(*times.velocities[inside].T).sum())
    # No motion carries the body there.
    inside &= ~find_jumped(times.grid.times, plan.travel.jumps, GIVE.pushing, GIVE.settling)
    velocities = times.velocities[inside]
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    if len(speeds) == 0 or speeds.max() < 1e-9:
        return []
    notes = []
    _, own = find_fastest(motions)
    if speeds.max() > NOTES.fast * own:
        notes.append(_note_fast(plan, inside, float(speeds.max()), rate))
    angles = _measure_against(motions, velocities)
    # What little is not jumped tells nothing of the travel.
    if speeds[angles > NOTES.against].sum() > NOTES.against_share * total:
        angle = float(np.degrees(speeds @ angles / speeds.sum()))
        notes.append(make_note(NoteKind.TRAVEL_AGAINST, angle=angle, along=int(faces_way)))
    return [*notes, *_note_curve(plan, inside)]


def _note_curve(plan: WalkPlan, inside: np.ndarray) -> list[Note]:
    """That the main walk goes on a curve and the travel, at times (G,) of bool, does not.

    Where a walk goes straight, the travel chooses between both.
    """
    times, motions = plan.times, plan.tables.motion_set.motions
    if any(motion.is_cycle and not motion.turns for motion in motions):
        return []
    main = motions[int(np.argmax(times.cycle_weights[inside].sum(axis=0)))]
    turns = np.gradient(np.unwrap(times.yaws), times.grid.interval)[inside]
    apart = float(np.median(np.abs(turns - main.turn_rate)))
    if not main.turns or apart < NOTES.astray * abs(main.turn_rate):
        return []
    return [
        make_note(
            NoteKind.CURVE_WALK_ASTRAY,
            clip=main.name,
            turn=float(np.degrees(main.turn_rate * main.period)),
            radius=main.speed / abs(main.turn_rate),
        )
    ]


def _note_fast(plan: WalkPlan, inside: np.ndarray, speed: float, rate: float) -> Note:
    """Whether the travel is so fast, or ground that moves below it, at some times (G,) of bool."""
    rides = plan.times.rides
    fastest, own = find_fastest(plan.tables.motion_set)
    speeds = np.where(inside, np.hypot(*rides.measure_velocities()[1].T), 0.0)
    worst, sliding = int(np.argmax(speeds)), rides.find_sliding()
    factor = speed / own
    if not sliding[worst]:
        return make_note(NoteKind.TRAVEL_FAST, speed=speed, factor=factor, own=own, fastest=fastest)
    number = rides.numbers[worst]
    there = sliding & (rides.numbers == number) & (speeds > NOTES.fast * own)
    frames = plan.times.grid.times[there] * rate
    return make_note(
        NoteKind.GROUND_FAST,
        frame=frames[0],
        ground=rides.names[number],
        last=round(frames[-1]),
        speed=speed,
        factor=factor,
        own=own,
        fastest=fastest,
    )


def _measure_against(motions: MotionSet, velocities: FloatArray) -> FloatArray:
    """Angle between velocities (G, 2) and the nearest motion's, radians, (G,)."""
    own = [m.velocity[:2] for m in motions.motions if m.is_cycle and np.any(m.velocity[:2])]
    if not own:
        return np.zeros(len(velocities))
    headings = np.arctan2(velocities[:, 1], velocities[:, 0])
    directions = np.arctan2(np.array(own)[:, 1], np.array(own)[:, 0])
    return np.abs(rot.wrap_angles(headings[:, None] - directions)).min(axis=1)
