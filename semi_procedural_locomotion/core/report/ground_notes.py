# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about the ground of a walk (numpy only)."""

from __future__ import annotations

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..ground.interface import Ground
from ..ground.soles import start_over_plane
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..prints.limits import STATIONS
from ..prints.records import PrintRow
from ..rig.structure import Rig
from .limits import NOTES
from .spans import NotedSpan


def note_far_ground(span: NotedSpan) -> list[Note]:
    """A note where what feet stand on as the walk begins is far from the place given as its start."""
    plan, first = span.plan, span.start
    states = plan.steps.read_states(np.array([first]))
    struck = states.flight[0] >= 1.0
    # Where it stands now: moving ground carries its prints to where it takes their next steps.
    heights = np.where(struck, states.ahead[0, :, 2], states.behind[0, :, 2])
    found = [
        bool(row.found[step + ahead])
        for row, step, ahead in zip(plan.prints.rows, states.steps[0], struck, strict=True)
    ]
    bearing = states.in_contact[0] & found
    chosen = bearing if np.any(bearing) else np.array(found)
    if not np.any(chosen):
        return []
    positions, _ = plan.travel.evaluate(np.array([first]))
    away = float(np.median(heights[chosen]) - positions[0, 2])
    if abs(away) <= NOTES.far_ground * span.length:
        return []
    lengths = away / span.length
    return [make_note(NoteKind.GROUND_FAR, place=positions[0], height=away, lengths=lengths)]


def note_leaving_ground(span: NotedSpan) -> list[Note]:
    """A note where moving ground carries standing feet away from the body, which stays behind.

    A foot may go as far from the body as this goes over what carries it, as on a treadmill.
    """
    plan, rate = span.plan, span.rate
    if not plan.ground.moving_surfaces():
        return []
    times = np.arange(span.start, span.end, NOTES.carried_interval)
    states = plan.steps.read_states(times)
    places, _ = plan.travel.evaluate(times)
    _, rates, _ = plan.times.rides.measure_velocities()
    ways = plan.grid.sample(np.cumsum(rates, axis=0) * plan.grid.interval, times)
    worst, notes = NOTES.carried_off * span.length, list[Note]()
    for leg, name in enumerate(span.legs):
        struck = states.flight[:, leg] >= 1.0
        prints = np.where(struck[:, None], states.ahead[:, leg], states.behind[:, leg])
        contact = np.flatnonzero(states.in_contact[:, leg])
        bearing = (states.steps[:, leg] + struck)[contact]
        begins = contact[np.flatnonzero(np.diff(bearing, prepend=-1))]
        ends = contact[np.flatnonzero(np.diff(bearing, append=-1))]
        moved = (prints[ends] - prints[begins])[:, :2]
        gone = (places[ends] - places[begins])[:, :2]
        apart = np.hypot(*(moved - gone).T) - np.hypot(*(ways[ends] - ways[begins]).T)
        # Where the ground hardly moves it is the body that leaves, as from a belt to a floor.
        apart = np.minimum(apart, np.hypot(*moved.T))
        if len(apart) and apart.max() > worst:
            index = int(np.argmax(apart))
            worst = float(apart[index])
            notes = [
                make_note(
                    NoteKind.GROUND_LEAVES,
                    name,
                    times[begins[index]] * rate,
                    prints[begins[index]],
                    distance=np.hypot(*moved[index]),
                    last=round(times[ends[index]] * rate),
                )
            ]
    return notes


def note_prints_without_ground(span: NotedSpan) -> list[Note]:
    """One note for each leg with prints that found no ground."""
    notes = []
    for name, row in zip(span.legs, span.plan.prints.rows, strict=True):
        frames = row.times * span.rate
        lost = np.flatnonzero(~row.found & ~row.parked & span.contains(row.times))
        if len(lost):
            notes.append(
                make_note(
                    NoteKind.PRINT_WITHOUT_GROUND,
                    name,
                    frames[lost[0]],
                    row.positions[lost[0]],
                    more=len(lost) - 1,
                    last=round(frames[lost[-1]]),
                )
            )
    return notes


def note_steep_ground(span: NotedSpan) -> list[Note]:
    """A note where feet stand on ground that is steeper than soles lie on."""
    plan = span.plan
    # In whole degrees, as they are told: meshes are no more exact than that.
    limit = round(float(np.degrees(plan.settings.max_slope)))
    found, reach = [], plan.settings.step_limit * span.length
    for leg, row in enumerate(plan.prints.rows):
        chosen = np.flatnonzero(span.contains(row.times) & row.found & ~row.parked & ~row.in_air)
        slopes = _measure_slopes(row.select(chosen), plan.ground, plan.tables.rig, leg, reach)
        found += [
            (float(row.times[number]), leg, row.positions[number], float(slope))
            for number, slope in zip(chosen, np.round(slopes), strict=True)
            if slope > limit
        ]
    if not found:
        return []
    found.sort(key=lambda entry: entry[:2])
    time, leg, place, _ = found[0]
    return [
        make_note(
            NoteKind.GROUND_STEEP,
            span.legs[leg],
            time * span.rate,
            place,
            steps=len(found),
            last=round(found[-1][0] * span.rate),
            slope=max(entry[3] for entry in found),
            limit=limit,
        )
    ]


def _measure_slopes(row: PrintRow, ground: Ground, rig: Rig, leg: int, reach: float) -> FloatArray:
    """Slopes of the ground under prints, by the mean of its normals, degrees, shape (K,).

    Edges, risers and what is rough have little say in that mean. What lies farther below a sole than
    it may step does not count.
    """
    along = STATIONS.close_along * float(rig.foot_lengths[leg])
    across = STATIONS.close_across * rig.legs[leg].sole_width
    stations = np.stack(np.meshgrid(along, across, [0.0]), axis=-1).reshape(-1, 3)
    points = row.positions[:, None] + rot.rotate(row.frames[:, None], stations)
    starts = points.copy()
    starts[..., 2] = start_over_plane(points, rig.leg_length)
    hits = ground.cast_down(starts.reshape(-1, 3), np.repeat(row.times, len(stations)))
    counts = hits.hit & (points[..., 2].ravel() - hits.points[:, 2] < reach)
    normals = (hits.normals * counts[:, None]).reshape(points.shape).sum(axis=1)
    return np.degrees(np.arctan2(np.hypot(normals[:, 0], normals[:, 1]), normals[:, 2]))
