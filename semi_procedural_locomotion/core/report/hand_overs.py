# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How feet stand while a walk goes over from a pose, and to one (numpy only).

What the plan says of a foot is half true there: it may still be where the pose has it. So what a foot
that should stand does is measured where it is, and what the pose itself does is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths.rotations import FloatArray
from ..plan import solve_poses
from ..swings.hand_over import FootHold
from ..walk import SolvedWalk, WalkPlan
from .heights import measure_heights
from .limits import BLENDS, NOTES
from .shown import PosedBones
from .shown_feet import (
    ShownFeet,
    carry_points,
    find_bearing_surfaces,
    find_shown_feet,
)
from .shown_measures import ShownReport
from .shown_recording import record_shown
from .spans import NotedSpan
from .verdicts import find_bar


@dataclass(frozen=True)
class BlendFeet:
    """Feet of L legs in the N frames of a walk, looked at where it goes over and 0 elsewhere.

    Attributes
    ----------
    steps
        Way over the ground of each foot that stands, since the frame before, shares of the mean leg,
        shape (N, L). It is that of the point near the ground that moves the least.
    slides
        The same since the foot began to stand.
    depths
        How much deeper it is in the ground than in the pose, shares of the mean leg, shape (N, L).
    is_last
        Whether each frame is one of *Blend Out*, shape (N,) of bool.
    """

    steps: FloatArray
    slides: FloatArray
    depths: FloatArray
    is_last: np.ndarray


def measure_blend_feet(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray) -> BlendFeet:
    """Feet of a walk while it goes over from the animation beside it, and to it.

    Parameters
    ----------
    plan, walk
        The walk, solved at N frames.
    frames
        Those scene frames, shape (N,).
    """
    count, legs = len(frames), len(plan.tables.rig.legs)
    steps, slides, depths = (np.zeros((count, legs)) for _ in range(3))
    is_last = np.zeros(count, dtype=bool)
    beside = plan.beside
    if beside is None or count < 2:
        return BlendFeet(steps, slides, depths, is_last)
    passed = (walk.times - beside.span[0], beside.span[1] - walk.times)
    in_blends = [
        (time >= 0.0) & (time <= blend) & (blend > 0.0)
        for time, blend in zip(passed, beside.blends, strict=True)
    ]
    is_last = in_blends[1] & (passed[1] < passed[0])
    inside, length = in_blends[0] | in_blends[1], plan.tables.rig.leg_length
    # The frame before each is looked at as well, for the way from there.
    rows = np.flatnonzero(inside | np.append(inside[1:], False))
    if not len(rows):
        return BlendFeet(steps, slides, depths, is_last)
    part = solve_poses(plan, walk.times[rows])
    bones = PosedBones.from_poses(
        plan.tables.small_rig.skeleton.names, walk.rotations[rows], walk.positions[rows]
    )
    shown = record_shown(plan, part, frames[rows], bones)
    feet = find_shown_feet(plan.tables.rig, shown, plan.ground)
    for leg in range(legs):
        stands = part.states.in_contact[:, leg].copy()
        pose_depths = np.zeros(len(rows))
        for hold in (hold for hold in plan.holds if hold.leg == leg):
            stands |= hold.find_held(part.times)
            ends = feet.depths[-1 if hold.is_last else 0, leg]
            pose_depths[is_last[rows] == hold.is_last] = ends
        deeper = np.maximum(feet.depths[:, leg] - pose_depths, 0.0) / length
        ways = _measure_ways(plan, part.times, feet, leg, stands) / length
        depths[rows, leg], steps[rows, leg] = deeper, ways
        depths[~inside, leg] = steps[~inside, leg] = 0.0
        slides[:, leg] = _add_up(steps[:, leg])
    return BlendFeet(steps, slides, depths, is_last)


def join_blend_feet(report: ShownReport, feet: BlendFeet, frames: np.ndarray) -> ShownReport:
    """The numbers of a walk between its blends, with what its feet do in them at frames (N,)."""
    found = {"shown_slip_worst": feet.slides, "shown_sink_worst": feet.depths}
    for key, table in found.items():
        row = int(np.argmax(table.max(axis=1)))
        value, miss = float(table[row].max()), float(table[row].max()) / find_bar(key).good
        if value > (getattr(report, key) or 0.0):
            unknown = {k: v for k, v in report.unknown.items() if k != key}
            changes: dict[str, Any] = {key: value, "unknown": unknown}
            report = replace(report, **changes)
        if miss > max(report.worst_miss, 1.0):
            report = replace(report, worst_frame=int(frames[row]), worst_miss=miss)
    return report


def _measure_ways(
    plan: WalkPlan, times: FloatArray, feet: ShownFeet, leg: int, stands: np.ndarray
) -> FloatArray:
    """Way of a foot over what it stands on (N,) since the frame before, metres, (N,)."""
    length, ground = plan.tables.rig.leg_length, plan.ground
    near = np.nan_to_num(feet.heights[leg], nan=np.inf) < BLENDS.near * length
    bears = near[1:] & near[:-1] & (stands[1:] & stands[:-1])[:, None]
    points = feet.points[leg]
    carried = points[:-1]
    if ground.moving_surfaces():
        heights, surfaces = measure_heights(points, times[:, None], ground, length)
        under = find_bearing_surfaces(points, heights, surfaces, times, ground, length)
        carried = carry_points(points, under, times, ground)
    moves = points[1:] - carried
    ways = np.hypot(moves[..., 0], moves[..., 1])
    least = np.min(np.where(bears, ways, np.inf), axis=1)
    return np.append(0.0, np.where(np.isinf(least), 0.0, least))


def _add_up(steps: FloatArray) -> FloatArray:
    """Sums of steps (N,) that follow one another, begun anew after each 0."""
    sums = np.zeros_like(steps)
    for row in range(1, len(steps)):
        sums[row] = sums[row - 1] + steps[row] if steps[row] > 0.0 else 0.0
    return sums


def note_hand_overs(span: NotedSpan, walk: SolvedWalk) -> list[Note]:
    """Notes of feet that no step leads from or to, of legs that cannot hold theirs, and of slides."""
    plan, names, frames = span.plan, span.legs, np.round(walk.times * span.rate).astype(np.intp)
    notes, ends = [], (int(frames[0]), int(frames[-1]))
    for hold in plan.holds:
        name, length = names[hold.leg], plan.tables.rig.legs[hold.leg].length
        share = float(np.linalg.norm(hold.shift)) / length
        if hold.follows and share > NOTES.slid:
            frame = ends[hold.is_last]
            notes.append(_note(hold, name, frame, "to" if hold.is_last else "from", share))
            continue
        missed = np.where(hold.find_held(walk.times), walk.missed[:, hold.leg], 0.0) / length
        worst = int(np.argmax(missed))
        if missed[worst] > NOTES.slid:
            notes.append(_note(hold, name, int(frames[worst]), "short", float(missed[worst])))
    told = {(note.leg, note.values["case"] == "to") for note in notes}
    return [*notes, *_note_blend_feet(span, walk, frames, told)]


def _note_blend_feet(
    span: NotedSpan, walk: SolvedWalk, frames: np.ndarray, told: set[tuple[str | None, bool]]
) -> list[Note]:
    """Notes of feet that slide or sink in while the walk goes over, at ends where none is told yet."""
    feet, notes = measure_blend_feet(span.plan, walk, frames), []
    for hold in span.plan.holds:
        name, at_end = span.legs[hold.leg], feet.is_last == hold.is_last
        if (name, hold.is_last) in told:
            continue
        for case, series, bar in (
            ("slides", feet.steps, NOTES.slid),
            ("sinks", feet.depths, BLENDS.sunk),
        ):
            values = np.where(at_end, series[:, hold.leg], 0.0)
            worst = int(np.argmax(values))
            if values[worst] > bar:
                notes.append(_note(hold, name, int(frames[worst]), case, float(values[worst])))
    return notes


def _note(hold: FootHold, leg: str, frame: int, case: str, share: float) -> Note:
    """A note of a foot at one end of a walk."""
    ends = int(hold.is_last)
    return make_note(NoteKind.HAND_OVER, leg, frame, case=case, share=share, ends=ends)
