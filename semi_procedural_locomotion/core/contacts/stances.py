# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When the feet of a motion that travels stand, over its whole length (numpy only).

Such a motion is no cycle: stances come in any order, feet stop, turn and start again. A foot stands
while what it bears on hardly moves over the ground and is low. Feet that slide stand too, so a stance
has a sliding velocity of its own, and ends where the foot leaves that (docs/method/contacts.md,
Stances of a motion that travels).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from .limits import CONTACT, STANCE


@dataclass(frozen=True)
class FootTrack:
    """A foot of a motion at N frames that follow one another.

    Attributes
    ----------
    points
        Points of its sole, world, metres, shape (N, P, 3).
    moves
        Their ways over what is under them, to the next frame, metres, shape (N - 1, P, 3).
    lows
        Height of the foot's lowest point, world z, metres, shape (N,).
    gaps
        Of that point over the ground, metres, nan over nothing, shape (N,).
    """

    points: FloatArray
    moves: FloatArray
    lows: FloatArray
    gaps: FloatArray


@dataclass(frozen=True)
class FootStances:
    """Stances of one foot, S of them, in order.

    Attributes
    ----------
    firsts, lasts
        First and last frame of each, as rows of the track, shape (S,).
    speeds
        Speed of what bears over the ground, metres a second, shape (N - 1,).
    reference
        Speed of fast feet of the motion, metres a second.
    floor
        World z of the motion's own floor under this foot, metres.
    """

    firsts: np.ndarray
    lasts: np.ndarray
    speeds: FloatArray
    reference: float
    floor: float

    def __len__(self) -> int:
        return len(self.firsts)

    def mark(self) -> np.ndarray:
        """Whether the foot stands in each frame, shape (N,) of bool."""
        stands = np.zeros(len(self.speeds) + 1, dtype=bool)
        for first, last in zip(self.firsts.tolist(), self.lasts.tolist(), strict=True):
            stands[first : last + 1] = True
        return stands


def weigh_bearing(heights: FloatArray, width: float) -> FloatArray:
    """How much points bear by their heights (N, P): 1 for the lowest, e times less each width, metres."""
    low = heights.min(axis=1, keepdims=True)
    return np.asarray(np.exp(-np.minimum((heights - low) / width, STANCE.far)))


def find_stances(
    tracks: list[FootTrack], interval: float, leg_length: float, hold: float
) -> tuple[FootStances, ...]:
    """Stances of all feet of a motion.

    Parameters
    ----------
    interval
        Seconds between frames.
    leg_length
        Metres.
    hold
        Speed up to which a foot that is low stands, share of the speed of fast feet.
    """
    velocities = [_measure_velocities(track, interval, leg_length) for track in tracks]
    sizes = [np.hypot(v[:, 0], v[:, 1]) for v in velocities]
    fast = max(float(np.percentile(size, STANCE.fast_percentile)) for size in sizes)
    reference = max(fast, STANCE.least_fast * leg_length)
    return tuple(
        _find_of_foot(track, velocity, interval, leg_length, hold, reference)
        for track, velocity in zip(tracks, velocities, strict=True)
    )


def _measure_velocities(track: FootTrack, interval: float, leg_length: float) -> FloatArray:
    """Velocity of what bears of a foot, metres a second, shape (N - 1, 3)."""
    loads = weigh_bearing(track.points[..., 2], STANCE.bearing * leg_length)
    shared = np.sqrt(loads[1:] * loads[:-1])
    total = np.maximum(shared.sum(axis=1), STANCE.least_load)
    velocity = np.einsum("np,npi->ni", shared, track.moves) / total[:, None] / interval
    return blur_hann(velocity, round(STANCE.smoothing / interval))


def _find_of_foot(
    track: FootTrack,
    velocity: FloatArray,
    interval: float,
    leg_length: float,
    hold: float,
    reference: float,
) -> FootStances:
    """Stances of one foot from the velocity of what bears (N - 1, 3)."""
    speeds = np.sqrt(
        velocity[:, 0] ** 2 + velocity[:, 1] ** 2 + (CONTACT.rise_share * velocity[:, 2]) ** 2
    )
    # Small and slow steps, as from standing, swing slower than the others.
    around = find_sliding_maximum(speeds, round(STANCE.around / interval))
    slow = speeds < hold * np.clip(around, STANCE.least_fast * leg_length, reference)
    both = np.append(slow, False) | np.append(False, slow)
    floor = float(np.percentile(track.lows[both], STANCE.floor_percentile) if both.any() else 0.0)
    low = np.abs(track.lows - floor) < STANCE.low * leg_length
    low |= np.abs(np.nan_to_num(track.gaps, nan=np.inf)) < STANCE.near * leg_length
    stands = _close_gaps(slow & low[1:] & low[:-1], round(STANCE.gap / interval))
    edges = np.diff(np.concatenate([[0], stands.astype(np.int8), [0]]))
    firsts, lasts = [], []
    least = max(round(STANCE.least / interval), STANCE.fewest)
    fine = min(STANCE.fine * reference, STANCE.fine_way * leg_length / interval)
    tight = max(STANCE.tight * reference, fine)
    starts, ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        first, last = _trim(velocity[start:end, :2], track.lows[start : end + 1], tight, leg_length)
        if start == 0:
            first = 0
        if end == len(stands):
            last = end - start
        if last - first >= least:
            firsts.append(start + first)
            lasts.append(start + last)
    return FootStances(
        np.array(firsts, dtype=np.intp), np.array(lasts, dtype=np.intp), speeds, reference, floor
    )


def _trim(
    velocity: FloatArray, lows: FloatArray, tight: float, leg_length: float
) -> tuple[int, int]:
    """First and last frame of a stance among velocities (M, 2) and heights (M + 1,).

    There the foot has its sliding velocity, which may change evenly, and is as low as in the rest.
    """
    away = np.hypot(*(velocity - _find_sliding(velocity)).T)
    spread = STANCE.spreads * float(np.median(away))
    inside = np.flatnonzero(away <= max(spread, tight))
    above = lows - np.median(lows)
    spread = STANCE.spreads * float(np.median(np.abs(above)))
    low = np.flatnonzero(above <= max(spread, STANCE.lifted * leg_length))
    return max(int(inside[0]), int(low[0])), min(int(inside[-1]) + 1, int(low[-1]))


def _find_sliding(velocity: FloatArray) -> FloatArray:
    """Sliding velocity of a stance, shape (M, 2) or (2,), from that of what bears (M, 2)."""
    cut = int(STANCE.inner * len(velocity))
    rows = np.arange(cut, len(velocity) - cut)
    if len(rows) < STANCE.fewest_inner:
        return np.asarray(np.median(velocity, axis=0))
    line = np.stack([np.ones(len(velocity)), np.arange(len(velocity))], axis=1)
    fitted, *_ = np.linalg.lstsq(line[rows], velocity[rows], rcond=None)
    return np.asarray(line @ fitted)


def _close_gaps(flags: np.ndarray, longest: int) -> np.ndarray:
    """Flags (M,) with gaps between true ones closed that are so short."""
    places = np.flatnonzero(flags)
    closed = flags.copy()
    for before, after in zip(places[:-1].tolist(), places[1:].tolist(), strict=True):
        if after - before <= longest + 1:
            closed[before:after] = True
    return closed
