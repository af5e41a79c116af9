# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the corrections of held feet go over from one stance to the next (numpy only).

A swing keeps its shape: to the motion's own way a smooth correction is added, which begins and ends
with the place and the speed that the stances around ask for (docs/method/swings.md, Bridging held feet).
"""

from __future__ import annotations

import numpy as np

from ...contacts.stances import FootStances
from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ...maths.smoothing import blur_hann, find_sliding_maximum
from .holding import Footing, FootOffsets, FootShape
from .limits import BRIDGES


def bridge_stances(held: FootOffsets, stances: FootStances, interval: float) -> FootOffsets:
    """Corrections at all frames, from those at the frames in which a foot stands.

    Parameters
    ----------
    held
        They count where the foot stands.
    stances
        When it does.
    interval
        Seconds between frames.

    Returns
    -------
    FootOffsets
        Before the first stance and after the last one, as there; none where the foot never stands.
    """
    stands = stances.mark()
    if not stands.any():
        return held
    turns = _rotation_vectors(held.turns)
    values = np.concatenate([held.offsets, turns], axis=1)
    known = np.flatnonzero(stands)
    rows = np.arange(len(values))
    after = np.minimum(np.searchsorted(known, rows), len(known) - 1)
    before = np.maximum(np.searchsorted(known, rows, side="right") - 1, 0)
    last, first = known[before], known[after]
    last, first = np.where(rows < known[0], first, last), np.where(rows > known[-1], last, first)
    time_from, time_to = (rows - last) * interval, (first - rows) * interval
    span = np.maximum(time_from + time_to, interval)
    share = np.where(first > last, rot.step_cubic(time_from / span), 0.0)[:, None]
    level = _find_levels(values[:, 2], stances)
    ends = np.minimum(np.where(first > last, span, BRIDGES.ease), BRIDGES.ease)
    leave, arrive = values[last], values[first]
    for end, row, time in ((leave, last, time_from), (arrive, first, time_to)):
        # Where a foot only just touches it is pulled down; its swing is not.
        end[:, 2] += (level[row] - end[:, 2]) * rot.step_cubic(time / ends)
    blended = leave + (arrive - leave) * share
    # A foot that slides stops sliding when it leaves, not at once.
    leaving, arriving = _find_paces(values, stances, interval)
    blended += leaving[last] * _fade(np.where(rows > known[0], time_from, 0.0), ends)
    blended -= arriving[first] * _fade(np.where(rows < known[-1], time_to, 0.0), ends)
    blended = np.where(stands[:, None], values, blended)
    return FootOffsets(blended[:, :3], _quaternions(blended[:, 3:]))


def _find_levels(heights: FloatArray, stances: FootStances) -> FloatArray:
    """Median of heights (N,) in the stance that each frame belongs to, 0 between them, shape (N,)."""
    levels = np.zeros(len(heights))
    for first, last in zip(stances.firsts.tolist(), stances.lasts.tolist(), strict=True):
        levels[first : last + 1] = np.median(heights[first : last + 1])
    return levels


def _find_paces(
    values: FloatArray, stances: FootStances, interval: float
) -> tuple[FloatArray, FloatArray]:
    """How fast corrections (N, C) change at the last and at the first frames of stances, (N, C).

    By the median over the frames nearby: what noise does to one of them tells nothing.
    """
    count = max(round(BRIDGES.looked / interval), BRIDGES.frames)
    leaving, arriving = np.zeros_like(values), np.zeros_like(values)
    for first, last in zip(stances.firsts.tolist(), stances.lasts.tolist(), strict=True):
        if last - first < BRIDGES.frames:
            continue
        paces = np.diff(values[first : last + 1], axis=0) / interval
        arriving[first] = np.median(paces[:count], axis=0)
        leaving[last] = np.median(paces[-count:], axis=0)
    return leaving, arriving


def _fade(time: FloatArray, ease: FloatArray) -> FloatArray:
    """Way, seconds (N, 1), of what moves at speed 1 at first and has stopped after a time (N,)."""
    share = np.clip(time / ease, 0.0, 1.0)
    return np.asarray((ease * share * (1.0 - share) ** 2)[:, None])


def raise_swings(
    foot: FootShape, held: FootOffsets, stances: FootStances, footing: Footing, interval: float
) -> FootOffsets:
    """Corrections by which a foot does not sink in where it swings.

    Parameters
    ----------
    foot
        As the motion has it.
    held
        Corrections at all frames.
    stances
        When it stands; there nothing changes.
    footing
        The ground.
    interval
        Seconds between frames.
    """
    stands = stances.mark()
    length = footing.leg_length
    points = place_points(foot, held)
    times = np.broadcast_to(footing.times[:, None], points.shape[:2])
    ground = footing.find_heights(points, times, stances.floor)
    clear = (points[..., 2] - ground).min(axis=1)
    radius = max(round(BRIDGES.reach / interval), 1)
    away = rot.step_cubic(_count_frames_away(stands) / (radius + 1))
    own = foot.points[..., 2].min(axis=1) - stances.floor
    # Towards a stance a foot comes down to the ground.
    wanted = away * np.clip(own, 0.0, BRIDGES.margin * length)
    need = np.where(stands, 0.0, np.maximum(wanted - clear, 0.0))
    smooth = away * blur_hann(find_sliding_maximum(need, radius), radius)
    raised = held.offsets.copy()
    raised[:, 2] += np.where(stands, 0.0, np.maximum(smooth, need))
    return FootOffsets(raised, held.turns)


def _count_frames_away(stands: np.ndarray) -> np.ndarray:
    """Frames from each to the nearest one in which a foot stands, shape (N,)."""
    rows, known = np.arange(len(stands)), np.flatnonzero(stands)
    if not len(known):
        return np.full(len(stands), len(stands))
    place = np.searchsorted(known, rows)
    after = known[np.minimum(place, len(known) - 1)]
    before = known[np.maximum(place - 1, 0)]
    return np.minimum(np.abs(after - rows), np.abs(rows - before))


def place_points(foot: FootShape, held: FootOffsets) -> FloatArray:
    """Contact hull of a corrected foot, world, metres, shape (N, P, 3)."""
    around = rot.rotate(held.turns[:, None], foot.points - foot.ankles[:, None])
    return np.asarray(around + (foot.ankles + held.offsets)[:, None])


def _rotation_vectors(turns: FloatArray) -> FloatArray:
    """Axes times angles, radians (N, 3), of rotations (N, 4) of less than half a turn."""
    near = turns * np.where(turns[:, :1] < 0, -1.0, 1.0)
    sine = rot.lengths(near[:, 1:])
    angle = 2.0 * np.arctan2(sine, near[:, 0])
    return np.asarray(near[:, 1:] * (angle / np.maximum(sine, rot.TINY))[:, None])


def _quaternions(vectors: FloatArray) -> FloatArray:
    """Inverse of `_rotation_vectors`."""
    return rot.quaternions_from_axis_angles(rot.normalize(vectors), rot.lengths(vectors))
