# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the way of steps: the ground under each, as a slice (numpy only)."""

from __future__ import annotations

import numpy as np

from ..ground.soles import STARTS, cast_soles, start_over_prints
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..prints.steps import StepPlan
from ..swings.lines import SwingLines, find_blocked_steps
from .placing import list_samples
from .records import Rooms, Steps
from .slices import GroundSlices

# Leg lengths: between samples of a slice, how far off ground is looked for, how far slices reach beyond
# the foot and above and below both prints.
_SPACING, _NEAR, _BEYOND, _BELOW, _ABOVE = 0.0125, 0.15, 0.1, 0.5, 0.6
_LINES = 5
"""Lines of a slice across the width of the foot, of which the highest counts."""


def find_rooms(
    plan: StepPlan, steps: Steps, hulls: tuple[FloatArray, FloatArray], margin: float
) -> tuple[Rooms, ...]:
    """Room that the feet of all steps keep.

    Parameters
    ----------
    plan
        All steps.
    steps
        Those that fly.
    hulls
        Points of their feet from the ankle in the frame of the foot, and their heights over level ground,
        shapes (F, S, H, 3) and (F, S, H).
    margin
        Room over what is in the way, leg lengths; no more than a point's own height.
    """
    if not len(steps.legs):
        return ()
    part = list_samples()[2]
    blocked, lines = _find_blocked(plan, steps)
    free = np.setdiff1d(np.arange(len(steps.legs)), blocked)
    found = []
    if len(blocked):
        found.append(_find_blocks(plan, steps, (blocked, lines), hulls, margin))
    if len(free):
        points, heights = (values[free, part] for values in hulls)
        ups = steps.ups[free, part]
        below = rot.dot(points[:, :, 0], np.array([0.0, 0.0, 1.0])) - heights[:, :, 0]
        origins = steps.ankles[free, part] + below[..., None] * ups
        # What is in the ground as it is may stay so.
        own = np.minimum(heights, _find_least(heights, margin))
        found.append(Rooms(free, part, points, own, origins, None))
    return tuple(found)


def _find_blocks(
    plan: StepPlan,
    steps: Steps,
    chosen: tuple[np.ndarray, SwingLines],
    hulls: tuple[FloatArray, FloatArray],
    margin: float,
) -> Rooms:
    """Room of steps with something in their way."""
    blocked, lines = chosen
    length = plan.tables.rig.leg_length
    part = list_samples()[2]
    points, heights = (values[blocked, part] for values in hulls)
    fronts, ups = steps.fronts[blocked, part], steps.ups[blocked, part]
    lefts = rot.cross(ups, fronts)
    axes = [axis[:, :, None] for axis in (fronts, lefts, ups)]
    away = sum((points[..., c, None] * axis for c, axis in enumerate(axes)), start=np.zeros(3))
    places = steps.ankles[blocked, part][:, :, None] + away
    starts = lines.behind / length
    origins = starts[:, None] - _find_shifts(plan, steps, blocked, lines)
    from_origin = places - origins[:, :, None]
    along, left = steps.along[blocked], steps.left[blocked]
    ahead = rot.dot(from_origin, along[:, None, None])
    aside = rot.dot(from_origin, left[:, None, None])
    slices = _cut(plan, lines, (starts, along, left), (ahead, aside))
    least = _find_least(heights, margin)
    spots = np.stack([ahead, from_origin[..., 2]], axis=-1)
    # As deep as what bears is in the ground, a foot comes out of it and goes into it with its flight.
    ends = heights[:, [0, -1]]
    bears = ends - ends.min(axis=2, keepdims=True) <= margin
    rooms = slices.read(spots[:, [0, -1]])[0] - least[:, [0, -1]]
    deep = np.minimum(np.where(bears, rooms, 0.0).min(axis=2), 0.0)
    led = rot.step_quintic(list_samples()[0][part])
    least = least + (deep[:, :1] * (1.0 - led) + deep[:, 1:] * led)[..., None]
    rooms = np.broadcast_to(least, heights.shape)
    return Rooms(blocked, part, points, rooms, origins, slices)


def _find_least(heights: FloatArray, margin: float) -> FloatArray:
    """Room of all points of feet, (B, I, 1): as much as the lowest of them (B, I, H) has, to a margin.

    A foot that is pitched otherwise than in its clip may come down on another end.
    """
    return np.asarray(np.clip(heights.min(axis=-1, keepdims=True), 0.0, margin))


def _find_blocked(plan: StepPlan, steps: Steps) -> tuple[np.ndarray, SwingLines]:
    """Which steps something stands in the way of, and the lines between their prints."""
    rig, length = plan.tables.small_rig, plan.tables.rig.leg_length
    found, lines = [], []
    for leg, own in enumerate(rig.legs):
        rows = np.flatnonzero(steps.legs == leg)
        if len(rows) == 0:
            continue
        between = SwingLines.read(plan, leg, steps.numbers[rows])
        sole = float(plan.tables.rig.foot_lengths[leg]), own.sole_width
        chosen = np.flatnonzero(find_blocked_steps(between, plan.ground, sole, length))
        found.append(rows[chosen])
        lines.append(between.select(chosen))
    return np.concatenate(found), SwingLines.join(lines)


def _find_shifts(
    plan: StepPlan, steps: Steps, blocked: np.ndarray, lines: SwingLines
) -> FloatArray:
    """From where ground that moves is to where it is looked at, leg lengths, (B, I, 3)."""
    shares, _, part = list_samples()
    times = steps.times[blocked, part]
    shifts = np.zeros((*times.shape, 3))
    if not plan.ground.moving_surfaces():
        return shifts
    led = rot.step_quintic(shares[part])[None, :, None]
    there = lines.behind[:, None] * (1.0 - led) + lines.ahead[:, None] * led
    for row, step in enumerate(blocked):
        leg, number = int(steps.legs[step]), int(steps.numbers[step])
        numbers = np.full(times.shape[1], number)
        states = plan.read_flights(leg, numbers, shares[part], times[row])
        here = states.behind * (1.0 - led[0]) + states.ahead * led[0]
        shifts[row] = there[row] - here
    return shifts / plan.tables.rig.leg_length


def _cut(
    plan: StepPlan,
    lines: SwingLines,
    axes: tuple[FloatArray, FloatArray, FloatArray],
    places: tuple[FloatArray, FloatArray],
) -> GroundSlices:
    """Slices under points of feet whose places along and aside are known, each (B, I, H)."""
    length = plan.tables.rig.leg_length
    origins, along, left = axes
    ahead, aside = places
    first = np.floor((ahead.min(axis=(1, 2)) - _BEYOND) / _SPACING) * _SPACING
    count = int(np.ceil((ahead.max(axis=(1, 2)) + _BEYOND - first).max() / _SPACING)) + 1
    spots = first[:, None] + _SPACING * np.arange(count)
    low, high = _find_borders(spots, ahead, aside)
    across = low[..., None] + (high - low)[..., None] * np.linspace(0.0, 1.0, _LINES)
    points = (
        origins[:, None, None]
        + spots[..., None, None] * along[:, None, None]
        + across[..., None] * left[:, None, None]
    ) * length
    tops = start_over_prints(lines.behind, lines.ahead, length)[:, None, None]
    floors = tops - STARTS.over_prints * length
    hits = cast_soles(plan.ground, points, tops, lines.times[:, None, None], floors=floors)
    below = np.minimum(lines.behind, lines.ahead)[:, 2] / length - _BELOW
    heights = np.maximum(hits.fill(-np.inf).max(axis=2) / length, below[:, None])
    heights = heights - origins[:, 2, None]
    starts = np.stack([first, below - origins[:, 2]], axis=1)
    highest = np.maximum((lines.ahead[:, 2] - lines.behind[:, 2]) / length, 0.0) + _ABOVE
    levels = int(np.ceil((highest - starts[:, 1]).max() / _SPACING)) + 1
    return GroundSlices.measure(starts, heights, _SPACING, round(_NEAR / _SPACING), levels)


def _find_borders(
    spots: FloatArray, ahead: FloatArray, aside: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How far to the right and left feet reach near places along their ways (B, U), (B, U) each."""
    first, last = ahead.min(axis=2), ahead.max(axis=2)
    over = (spots[:, :, None] >= first[:, None] - _SPACING) & (
        spots[:, :, None] <= last[:, None] + _SPACING
    )
    low = np.where(over, aside.min(axis=2)[:, None], np.inf).min(axis=2)
    high = np.where(over, aside.max(axis=2)[:, None], -np.inf).max(axis=2)
    outside = ~over.any(axis=2)
    low = np.where(outside, aside.min(axis=(1, 2))[:, None], low)
    high = np.where(outside, aside.max(axis=(1, 2))[:, None], high)
    return low, high
