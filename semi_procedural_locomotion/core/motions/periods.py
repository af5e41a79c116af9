# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stretch of a recording is one cycle, from joint positions alone (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths.rotations import FloatArray
from ..rig.structure import Rig
from .limits import PERIOD


@dataclass(frozen=True)
class RecordedCycle:
    """One cycle of a recording.

    Attributes
    ----------
    mode
        ``"static"``, ``"closed"`` (the last sample repeats the first), ``"open"`` (it is followed by
        the first), ``"imperfect"``, ``"multiple"`` (a whole number of cycles), ``"take"`` (cut from a
        longer recording) or ``"given"``.
    start, length
        First sample and length of the cycle in samples; need not be whole.
    first, last
        First and last sample that are not held.
    seam
        Distance of the poses at both ends, share of the rms distance of all poses.
    seam_size
        The same as a share of the body's size.
    size
        The body's size, metres.
    """

    mode: str
    start: float
    length: float
    first: int
    last: int
    seam: float
    seam_size: float
    size: float


def select_body_joints(rig: Rig, positions: FloatArray) -> np.ndarray:
    """Joints that belong to the body.

    Parameters
    ----------
    rig
        The character.
    positions
        Joint positions, metres, shape (S, B, 3).

    Returns
    -------
    array of bool, shape (B,)
        False for far-away helpers (docs/method/motions.md, Likeness of poses). Legs belong to it
        however far they are: where most joints are a face's, all others are far from the median.
    """
    middle = np.median(positions, axis=1, keepdims=True)
    away = np.mean(np.linalg.norm(positions - middle, axis=2), axis=0)
    is_near = away <= PERIOD.far_joint * np.median(away) + 1e-9
    is_near[[bone for leg in rig.legs for bone in leg.bones]] = True
    return np.asarray(is_near)


def measure_size(positions: FloatArray) -> float:
    """Size of a body, metres: median height of its joints (S, B, 3), at least a share of its width."""
    extents = np.ptp(positions, axis=1)
    height = float(np.median(extents[:, 2]))
    width = float(np.median(np.hypot(extents[:, 0], extents[:, 1])))
    return max(height, PERIOD.least_size_of_width * width, 1e-12)


def fit_rigid_turns(before: FloatArray, after: FloatArray) -> FloatArray:
    """Yaws that bring joints closest to where they are afterwards (2-D Procrustes).

    Parameters
    ----------
    before, after
        Joint positions, shape (..., B, 3); only the horizontal part counts.

    Returns
    -------
    array, shape (...)
        Radians, counter-clockwise seen from above.
    """
    a = before[..., :2] - np.mean(before[..., :2], axis=-2, keepdims=True)
    b = after[..., :2] - np.mean(after[..., :2], axis=-2, keepdims=True)
    across = np.sum(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], axis=-1)
    return np.asarray(np.arctan2(across, np.sum(a * b, axis=(-1, -2))))


def find_cycle(
    positions: FloatArray,
    samples_per_key: float,
    length: float | None = None,
    closed: bool | None = None,
) -> RecordedCycle:
    """Find the one cycle of a recording.

    Parameters
    ----------
    positions
        Joint positions at equal steps of time, root motion included, metres, shape (S, B, 3).
    samples_per_key
        Samples in one authored key interval.
    length
        The user's own cycle length in samples, or None.
    closed
        The user's word that the last sample repeats the first (True) or is followed by it (False), or
        None.

    Returns
    -------
    RecordedCycle
        By docs/method/motions.md, Period.
    """
    size = measure_size(positions)
    if len(positions) < 2:
        return RecordedCycle("static", 0.0, 1.0, 0, 0, 0.0, 0.0, size)
    steps = np.max(np.linalg.norm(np.diff(positions, axis=0), axis=2), axis=1) / size
    lively = float(np.percentile(steps, PERIOD.lively_percentile))
    if lively < PERIOD.static_step:
        last = len(positions) - 1
        return RecordedCycle("static", 0.0, float(last), 0, last, 0.0, 0.0, size)
    moving = np.flatnonzero(steps > max(PERIOD.held_step, PERIOD.held_share * lively))
    first, last = int(moving[0]), int(moving[-1]) + 1
    # A single still interval is the clip's own, not a hold.
    first = first if first > PERIOD.least_hold * samples_per_key else 0
    if len(positions) - 1 - last <= PERIOD.least_hold * samples_per_key:
        last = len(positions) - 1
    thinning = 1 + (last - first) // PERIOD.most_poses
    poses = _describe_poses(positions[first : last + 1 : thinning], size)
    choice = _choose_cycle(
        poses,
        max(1, round(samples_per_key / thinning)),
        None if length is None else length / thinning,
        closed,
    )
    return replace(
        choice,
        start=first + choice.start * thinning,
        length=choice.length * thinning,
        first=first,
        last=first + (len(poses) - 1) * thinning,
        size=size,
    )


@dataclass(frozen=True)
class _Poses:
    """Joints of m poses, centred horizontally, in body sizes over the root of the joint count."""

    flat: np.ndarray
    heights: FloatArray

    def __len__(self) -> int:
        return len(self.heights)

    def compare(self) -> FloatArray:
        """Squared distances (m, m) of all pairs, each pair turned to match best.

        The best turn of a pair is closed form: |a|^2 + |b|^2 - 2 |<a, b>| for the horizontal parts
        a, b as complex numbers.
        """
        squares = np.sum(np.abs(self.flat) ** 2, axis=1) + np.sum(np.square(self.heights), axis=1)
        likeness = np.abs(self.flat.conj() @ self.flat.T) + self.heights @ self.heights.T
        return np.maximum(squares[:, None] + squares[None, :] - 2.0 * likeness, 0.0)

    def describe(self, pose: int, reference: int) -> FloatArray:
        """One pose as a vector (3B,), turned to match a reference best."""
        overlap = np.vdot(self.flat[pose], self.flat[reference])
        turned = self.flat[pose] * np.exp(1j * np.angle(overlap))
        return np.concatenate([turned.real, turned.imag, self.heights[pose]])


def _describe_poses(positions: FloatArray, size: float) -> _Poses:
    """Poses (m, B, 3) free of their horizontal place."""
    centred = positions - np.mean(positions, axis=1, keepdims=True) * np.array([1.0, 1.0, 0.0])
    centred = centred / (size * np.sqrt(positions.shape[1]))
    return _Poses(centred[..., 0] + 1j * centred[..., 1], centred[..., 2])


def _choose_cycle(
    poses: _Poses, key: int, length: float | None, closed: bool | None
) -> RecordedCycle:
    """The cycle among m poses; start counts from the first of them."""
    count = len(poses)
    apart = poses.compare()
    spread = max(float(np.sqrt(np.mean(apart))), 1e-12)
    if length is not None:
        return _cut_given(apart, spread, length, closed, key)
    whole = _judge_range(poses, spread, key, closed)
    if closed is not None:
        return whole
    repeat = _find_repeat(apart, spread)
    if repeat is None or repeat >= PERIOD.most_repeat * count:
        return whole
    seam = float(np.sqrt(apart[0, -1]))
    times = (count - 1) / repeat
    if seam / spread < PERIOD.exact_seam and abs(round(times) - times) < PERIOD.exact_count:
        exact = (count - 1) / round(times)
        ends = float(np.sqrt(apart[0, min(round(exact), count - 1)]))
        return _make_choice("multiple", 0.0, exact, ends, spread)
    lengths = range(
        max(PERIOD.fewest_taken, int((1.0 - PERIOD.length_search) * repeat)),
        min(count - 1, int(np.ceil((1.0 + PERIOD.length_search) * repeat))) + 1,
    )
    return _cut_take(apart, spread, float(repeat), lengths, "take")


def _make_choice(
    mode: str, start: float, length: float, seam: float, spread: float
) -> RecordedCycle:
    """A choice whose seam is given in body sizes."""
    return RecordedCycle(mode, start, length, 0, 0, seam / spread, seam, 1.0)


def _find_repeat(apart: FloatArray, spread: float) -> int | None:
    """Length of the shortest good repeat in samples, or None (docs/method/motions.md, Period)."""
    count = len(apart)
    likeness = np.array([np.sqrt(np.mean(np.diagonal(apart, k))) for k in range(count)]) / spread
    lengths = np.arange(PERIOD.shortest, int(count / PERIOD.least_repeats))
    if len(lengths) == 0:
        return None
    valleys = (likeness[lengths] < likeness[lengths - 1]) & (
        likeness[lengths] <= likeness[lengths + 1]
    )
    peaked = np.maximum.accumulate(likeness)[lengths - 1] > PERIOD.peak
    good = lengths[valleys & peaked & (likeness[lengths] < PERIOD.repeat)]
    if len(good) == 0:
        return None
    limit = np.min(likeness[good]) * PERIOD.multiple_factor + PERIOD.multiple_margin
    return int(good[likeness[good] <= limit][0])


def _cut_take(
    apart: FloatArray, spread: float, nominal: float, lengths: range, mode: str
) -> RecordedCycle:
    """The start and length that match best in pose and velocity (docs/method/motions.md, Period)."""
    count = len(apart)
    half = max(1, int(nominal) // PERIOD.window_divisor)
    best: tuple[float, int, int] | None = None
    for length in lengths:
        windowed = _average_windows(np.diagonal(apart, length), half)
        costs = np.sqrt(windowed) / spread
        start = int(np.argmin(costs))
        cost = float(costs[start]) + PERIOD.length_price * abs(length / nominal - 1.0)
        if best is None or cost < best[0] - 1e-9:
            best = (cost, start, length)
    if best is None:
        raise ValueError("a take needs at least one length to try")
    _, start, length = best
    refined = float(length)
    if len(lengths) > 1 and start + length + 1 < count and length > 2:
        wide = max(half, length // PERIOD.refine_divisor)
        sides = [
            _average_windows(np.diagonal(apart, k), wide)[start]
            for k in (length - 1, length, length + 1)
        ]
        curvature = sides[0] - 2.0 * sides[1] + sides[2]
        if curvature > 0:
            shift = 0.5 * (sides[0] - sides[2]) / curvature
            refined += float(np.clip(shift, -0.5, 0.5))
    seam = float(np.sqrt(apart[start, start + length]))
    return _make_choice(mode, float(start), refined, seam, spread)


def _average_windows(values: FloatArray, half: int) -> FloatArray:
    """Means of ``values`` (K,) over up to ``half`` neighbours on both sides."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(len(values))
    low, high = np.maximum(places - half, 0), np.minimum(places + half + 1, len(values))
    return np.asarray((sums[high] - sums[low]) / (high - low))


def _judge_range(poses: _Poses, spread: float, key: int, closed: bool | None) -> RecordedCycle:
    """The whole range: closed, open or imperfect (docs/method/motions.md, Period)."""
    count = len(poses)
    key = min(key, count - 1)
    first, last = poses.describe(0, 0), poses.describe(count - 1, 0)
    begins = poses.describe(key, 0) - first
    ends = poses.describe(count - 1, 0) - poses.describe(count - 1 - key, 0)
    seam = float(np.linalg.norm(last - first))
    step = 0.5 * float(np.linalg.norm(begins) + np.linalg.norm(ends))
    # The missing step, foretold by the one before, the one after, or their mean.
    missing = first - last
    foretold = (ends, begins, 0.5 * (ends + begins))
    beyond = min(float(np.linalg.norm(missing - step_vector)) for step_vector in foretold)
    if closed is None:
        if seam < PERIOD.closed_share * step or seam < PERIOD.closed_seam * spread:
            mode = "closed"
        elif (
            beyond < PERIOD.open_gain * seam
            and PERIOD.open_step[0] * step < seam < PERIOD.open_step[1] * step
        ):
            mode = "open"
        else:
            mode = "imperfect"
    else:
        mode = "closed" if closed else "open"
    if mode == "open":
        return _make_choice(mode, 0.0, float(count - 1 + key), beyond, spread)
    return _make_choice(mode, 0.0, float(count - 1), seam, spread)


def _cut_given(
    apart: FloatArray, spread: float, length: float, closed: bool | None, key: int
) -> RecordedCycle:
    """The cycle of a length that the user gave."""
    count = len(apart)
    if length > count - 1:
        open_length = count - 1 + key
        mode = (
            "open"
            if closed is not True and length <= open_length + PERIOD.open_slack
            else "imperfect"
        )
        limit = open_length if mode == "open" else count - 1
        seam = float(np.sqrt(apart[0, -1]))
        return _make_choice(mode, 0.0, float(limit), seam, spread)
    whole = round(length)
    if length > PERIOD.most_repeat * (count - 1):
        seam = float(np.sqrt(apart[0, min(whole, count - 1)]))
        return _make_choice("given", 0.0, length, seam, spread)
    choice = _cut_take(apart, spread, length, range(whole, whole + 1), "given")
    return replace(choice, length=min(length, count - 1 - choice.start))
