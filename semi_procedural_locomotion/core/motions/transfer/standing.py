# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When the feet of a clip stand, and on what, at the clip's own times (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....errors import AnalysisError
from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ...rig.structure import Rig
from ..analysis import analyze_clip
from ..clips import Clip
from ..cycles import extract_cycle
from .limits import TRANSFER


@dataclass(frozen=True)
class Standing:
    """Contacts of a clip at its S times.

    Attributes
    ----------
    ground
        Height of the ground under it, metres.
    stands
        Which feet stand, shape (S, L) of bool.
    holds
        1 while a foot stands and shortly before and after, 0 in the middle of its swing, shape
        (S, L).
    """

    ground: float
    stands: np.ndarray
    holds: FloatArray


def find_standing(clip: Clip, source: Rig, points: FloatArray) -> Standing:
    """Contacts of a clip (docs/method/transfer.md, Contacts).

    Parameters
    ----------
    clip, source
        The clip and its rig.
    points
        Heel, ball and toe tip of all feet in character space, metres, shape (S, L, 3, 3).
    """
    found = _read_cycle(clip, source, points)
    ground, stands = _watch_feet(clip, source, points) if found is None else found
    loops = found is not None
    holds = np.stack([_fade(clip.times, row, loops) for row in stands.T], axis=1)
    return Standing(ground, stands, holds)


def _read_cycle(clip: Clip, source: Rig, points: FloatArray) -> tuple[float, np.ndarray] | None:
    """Ground and contacts (S, L) of one cycle in place, as the analysis has them; None for others."""
    try:
        motion = analyze_clip(clip, source)
    except AnalysisError:
        return None
    cycle = extract_cycle(clip, source) if motion.is_cycle else None
    if cycle is None or cycle.travels or clip.duration > TRANSFER.one_cycle * cycle.period:
        return None
    phases = (clip.times - clip.times[0] - cycle.start) / cycle.period
    stands = np.ones((len(phases), len(source.legs)), dtype=bool)
    for number, leg in enumerate(motion.legs):
        if leg.steps:
            strike, off = leg.stance + leg.strike, leg.stance + leg.off
            stands[:, number] = (phases - strike) % 1.0 <= (off - strike) % 1.0
    lowest = points[..., 2].min(axis=2)
    grounds = [np.median(lowest[stands[:, n], n]) for n in range(len(source.legs))]
    return float(np.median(grounds)), stands


def _watch_feet(clip: Clip, source: Rig, points: FloatArray) -> tuple[float, np.ndarray]:
    """Ground and contacts (S, L) of any clip: feet that are low and hardly move."""
    lowest = points[..., 2].min(axis=2)
    ground = float(np.percentile(lowest.min(axis=1), TRANSFER.ground_percentile))
    if len(clip.times) < 2:
        return ground, np.ones(lowest.shape, dtype=bool)
    bearing = np.argmin(points[..., 2], axis=2)[..., None, None]
    moves = np.gradient(points[..., :2], clip.times, axis=0)
    slips = np.take_along_axis(moves, bearing, axis=2)[:, :, 0]
    limit = TRANSFER.slow * source.leg_length
    low = lowest - ground < TRANSFER.low * source.leg_length
    return ground, low & (np.hypot(slips[..., 0], slips[..., 1]) < limit)


def _fade(times: FloatArray, stands: np.ndarray, loops: bool) -> FloatArray:
    """1 where a foot stands, down to 0 half-way between two stances, shape (S,)."""
    if stands.all() or not stands.any():
        return np.ones(len(times))
    span = times[-1] - times[0]
    at = times[stands]
    before = np.full(len(times), -np.inf)
    after = np.full(len(times), np.inf)
    rows = np.searchsorted(at, times, side="right")
    has_before, has_after = rows > 0, rows < len(at)
    before[has_before] = at[rows[has_before] - 1]
    after[has_after] = at[rows[has_after]]
    if loops:
        before[~has_before] = at[-1] - span
        after[~has_after] = at[0] + span
    gone, left = times - before, after - times
    gap = np.where(np.isfinite(gone + left), gone + left, 2.0 * np.minimum(gone, left) + span)
    near = np.minimum(gone, left) / np.maximum(gap, rot.TINY)
    return np.where(
        stands, 1.0, 1.0 - rot.step_cubic((near - TRANSFER.held) / (0.5 - TRANSFER.held))
    )
