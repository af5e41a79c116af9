# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stretch of a recording is one cycle, from joint positions alone (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths.rotations import FloatArray
from ..rig.structure import Rig
from .likeness import ComparedPoses, average_windows, describe_poses, find_part
from .limits import PART, PERIOD


@dataclass(frozen=True)
class RecordedCycle:
    """One cycle of a recording.

    Attributes
    ----------
    mode
        ``"static"``, ``"closed"`` (the last sample repeats the first), ``"open"`` (it is followed by
        the first), ``"imperfect"``, ``"multiple"`` (a whole number of cycles), ``"take"`` (cut from a
        longer recording), ``"part"`` (the rest does something else) or ``"given"``.
    start, length
        First sample and length of the cycle in samples; need not be whole.
    first, last
        First and last sample that are neither held nor left out as foreign to the cycle.
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
    first, last = _trim_holds(describe_poses(positions, size).measure_steps(), samples_per_key)
    thinning = 1 + (last - first) // PERIOD.most_poses
    poses = describe_poses(positions[first : last + 1 : thinning], size)
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
        first=first + choice.first * thinning,
        last=first + choice.last * thinning,
        size=size,
    )


def _trim_holds(steps: FloatArray, samples_per_key: float) -> tuple[int, int]:
    """First and last sample without held ends, by the steps (S - 1,) from pose to pose.

    Steps are those of the pose alone: a body may be carried on while it holds its pose.
    """
    lively = float(np.percentile(steps, PERIOD.lively_percentile))
    moving = np.flatnonzero(steps > max(PERIOD.held_step, PERIOD.held_share * lively))
    if lively < PERIOD.static_step or len(moving) == 0:
        return 0, len(steps)
    copies = steps <= PERIOD.held_step
    counts = [int(moving[0]), len(steps) - 1 - int(moving[-1])]
    # One still interval is the clip's own where others are still too; else its end was copied.
    inside = bool(np.any(copies[counts[0] : len(steps) - counts[1]]))
    ends = []
    for count, copied in zip(counts, (copies, copies[::-1]), strict=True):
        once = bool(np.all(copied[:count])) and count >= PERIOD.least_copy * samples_per_key
        held = count > PERIOD.least_hold * samples_per_key or (once and not inside)
        ends.append(count if held else 0)
    return ends[0], len(steps) - ends[1]


def _choose_cycle(
    poses: ComparedPoses, key: int, length: float | None, closed: bool | None
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
        return _leave_out_foreign(poses, apart, key, whole)
    seam = float(np.sqrt(apart[0, -1]))
    times = (count - 1) / repeat
    if seam / spread < PERIOD.exact_seam and abs(round(times) - times) < PERIOD.exact_count:
        exact = (count - 1) / round(times)
        ends = float(np.sqrt(apart[0, min(round(exact), count - 1)]))
        return _make_choice("multiple", 0.0, exact, ends, spread, count)
    lengths = range(
        max(PERIOD.fewest_taken, int((1.0 - PERIOD.length_search) * repeat)),
        min(count - 1, int(np.ceil((1.0 + PERIOD.length_search) * repeat))) + 1,
    )
    return _cut_take(apart, spread, float(repeat), lengths, "take")


def _make_choice(
    mode: str, start: float, length: float, seam: float, spread: float, count: int
) -> RecordedCycle:
    """A choice among m poses whose seam is given in body sizes."""
    return RecordedCycle(mode, start, length, 0, count - 1, seam / spread, seam, 1.0)


def _leave_out_foreign(
    poses: ComparedPoses, apart: FloatArray, key: int, whole: RecordedCycle
) -> RecordedCycle:
    """The whole range, or what closes in it where it begins or ends with something else."""
    count = len(poses)
    spread = max(float(np.sqrt(np.mean(apart))), 1e-12)
    if count > (PERIOD.shortest + 2) * key:
        starts, stops = _is_foreign(apart, key), _is_foreign(apart[::-1, ::-1], key)
        is_framed = starts and stops
        found = None
        for first, last, is_foreign in (
            (key, count - 1, starts),
            (0, count - 1 - key, stops),
            (key, count - 1 - key, is_framed),
        ):
            # A range between two equal poses of another kind closes, but does not go on.
            if whole.mode != "imperfect" and not (is_framed and first and last < count - 1):
                continue
            choice = _judge_range(poses.cut(first, last), spread, key, None)
            choice = replace(choice, start=float(first), first=first, last=last)
            if choice.mode == "closed":
                return choice
            if choice.mode == "open" and is_foreign:
                found = found or choice
        if found is not None:
            return found
    part = find_part(apart, key, whole.mode != "imperfect" or whole.seam < PART.most_apart)
    if part is not None:
        start, end = part
        length = end - start + _refine_end(apart[start], end)
        seam = float(np.sqrt(apart[start, end]))
        return _make_choice("part", float(start), length, seam, spread, count)
    return whole


def _is_foreign(apart: FloatArray, key: int) -> bool:
    """Whether the first step of poses, by squared distances (m, m), leads from elsewhere."""
    return bool(apart[0, key] > np.square(PART.foreign_step) * apart[key, 2 * key])


def _refine_end(apart: FloatArray, end: int) -> float:
    """Fraction of a pose from ``end`` to where squared distances (m,) from a start are least."""
    if end + 1 >= len(apart):
        return 0.0
    before, at, after = apart[end - 1 : end + 2]
    curvature = before - 2.0 * at + after
    # What follows a cycle may be another pose altogether, which tells nothing.
    if curvature <= 0 or after > PART.most_uneven * before:
        return 0.0
    return float(np.clip(0.5 * (before - after) / curvature, -0.5, 0.5))


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
        windowed = average_windows(np.diagonal(apart, length), half)
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
            average_windows(np.diagonal(apart, k), wide)[start]
            for k in (length - 1, length, length + 1)
        ]
        curvature = sides[0] - 2.0 * sides[1] + sides[2]
        if curvature > 0:
            shift = 0.5 * (sides[0] - sides[2]) / curvature
            refined += float(np.clip(shift, -0.5, 0.5))
    seam = float(np.sqrt(apart[start, start + length]))
    return _make_choice(mode, float(start), refined, seam, spread, count)


def _judge_range(
    poses: ComparedPoses, spread: float, key: int, closed: bool | None
) -> RecordedCycle:
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
        return _make_choice(mode, 0.0, float(count - 1 + key), beyond, spread, count)
    return _make_choice(mode, 0.0, float(count - 1), seam, spread, count)


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
        return _make_choice(mode, 0.0, float(limit), seam, spread, count)
    whole = round(length)
    if length > PERIOD.most_repeat * (count - 1):
        seam = float(np.sqrt(apart[0, min(whole, count - 1)]))
        return _make_choice("given", 0.0, length, seam, spread, count)
    choice = _cut_take(apart, spread, length, range(whole, whole + 1), "given")
    return replace(choice, length=min(length, count - 1 - choice.start))
