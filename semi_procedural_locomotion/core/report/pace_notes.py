# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that ask more of motions and feet than they can give (numpy only)."""

from __future__ import annotations

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..body.airborne.limits import GIVE
from ..body.airborne.records import find_jumped
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.records import MotionSet
from ..motions.tables import OFF, STRIKE
from ..prints.states import carry_row
from ..swings.limits import HEADINGS
from ..times.stride_limits import find_fastest
from ..walk import SolvedWalk
from .limits import NOTES
from .spans import NotedSpan


def note_pace(span: NotedSpan, *, faces_way: bool = False) -> list[Note]:
    """Notes where a travel is much faster than all motions, or goes where or as none does.

    ``faces_way`` tells whether the travel could keep its heading instead of facing along its way.
    """
    plan, times = span.plan, span.plan.times
    motions = plan.tables.motion_set
    inside = span.contains(times.grid.times)
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
        notes.append(_note_fast(span, inside, float(speeds.max())))
    angles = _measure_against(motions, velocities)
    # What little is not jumped tells nothing of the travel.
    if speeds[angles > NOTES.against].sum() > NOTES.against_share * total:
        angle = float(np.degrees(speeds @ angles / speeds.sum()))
        notes.append(make_note(NoteKind.TRAVEL_AGAINST, angle=angle, along=int(faces_way)))
    return [*notes, *_note_curve(span, inside)]


def _note_curve(span: NotedSpan, inside: np.ndarray) -> list[Note]:
    """That the main walk goes on a curve and the travel, at times (G,) of bool, does not.

    Where a walk goes straight, the travel chooses between both.
    """
    times, motions = span.plan.times, span.plan.tables.motion_set.motions
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


def _note_fast(span: NotedSpan, inside: np.ndarray, speed: float) -> Note:
    """Whether the travel is so fast, or ground that moves below it, at some times (G,) of bool."""
    rides = span.plan.times.rides
    fastest, own = find_fastest(span.plan.tables.motion_set)
    speeds = np.where(inside, np.hypot(*rides.measure_velocities()[1].T), 0.0)
    worst, sliding = int(np.argmax(speeds)), rides.find_sliding()
    factor = speed / own
    if not sliding[worst]:
        return make_note(NoteKind.TRAVEL_FAST, speed=speed, factor=factor, own=own, fastest=fastest)
    number = rides.numbers[worst]
    there = sliding & (rides.numbers == number) & (speeds > NOTES.fast * own)
    frames = span.plan.times.grid.times[there] * span.rate
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


def note_turns(span: NotedSpan, walk: SolvedWalk) -> list[Note]:
    """Notes where feet or legs whirl round, and where the body turns too far within one frame.

    ``walk`` has the poses at the frames of interest, 2 or more.
    """
    plan, rate, times = span.plan, span.rate, walk.times
    notes = []
    ankles = walk.source_rotations[:, [leg.ankle for leg in plan.tables.small_rig.legs]]
    own = rot.angles_between(ankles[1:], ankles[:-1]) * rate
    for leg, name in enumerate(span.legs):
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
    notes += [note for note in _note_whirls(span, walk) if note.leg not in told]
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


def _note_whirls(span: NotedSpan, walk: SolvedWalk) -> list[Note]:
    """Notes of legs of which a thigh, shin or foot flips from one frame to the next."""
    plan, rate = span.plan, span.rate
    notes, skeleton, grid = [], plan.tables.small_rig.skeleton, plan.times.grid
    # Where steps are quickened, the clip is measured at its own pace.
    cycles = np.diff(np.interp(walk.times, grid.times, plan.times.phases))
    quick = np.maximum(cycles * plan.tables.cycles.slowest_period * rate, 1.0)
    for leg, name in zip(plan.tables.small_rig.legs, span.legs, strict=True):
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


def note_crossings(span: NotedSpan) -> list[Note]:
    """Notes of steps that were quickened to keep neighbouring feet apart, and of those still too near."""
    notes = _note_rates(span)
    for leg, name in enumerate(span.legs):
        notes += _note_crowds(span, leg, name)
    return notes


def _note_rates(span: NotedSpan) -> list[Note]:
    """One note where side steps are quicker than the motions ask for."""
    plan, rate = span.plan, span.rate
    if plan.travel.phases is not None and plan.travel.jumps:
        # Steps of such walks come when their footsteps have them, no quicker.
        return []
    times = plan.times.grid.times
    factor = np.where(span.contains(times), plan.times.quickened, 1.0)
    quick = np.flatnonzero(factor > NOTES.quicker)
    if len(quick) == 0:
        return []
    return [
        make_note(
            NoteKind.STEPS_QUICKENED,
            frame=times[quick[0]] * rate,
            last=round(times[quick[-1]] * rate),
            share=factor.max() - 1.0,
        )
    ]


def _note_crowds(span: NotedSpan, leg: int, name: str) -> list[Note]:
    """One note of prints of a leg that are still too near to its partner's."""
    row = span.plan.prints.rows[leg]
    inside = span.contains(row.times) & ~row.parked
    near = np.flatnonzero(inside & (row.crowded > NOTES.crowded * span.length))
    if len(near) == 0:
        return []
    worst = near[int(np.argmax(row.crowded[near]))]
    return [
        make_note(
            NoteKind.PRINTS_CROWDED,
            name,
            row.times[worst] * span.rate,
            row.positions[worst],
            steps=len(near),
            distance=row.crowded[worst],
        )
    ]
