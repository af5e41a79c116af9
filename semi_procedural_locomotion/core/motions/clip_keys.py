# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the keys of a sampled clip are: how far apart, joined or held (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .clips import Clip, resample_clip
from .limits import CYCLE, HELD_KEYS


def make_uniform(clip: Clip) -> Clip:
    """The clip at equal steps of time; itself where they already are."""
    if len(clip.times) < 3:
        return clip
    steps = np.diff(clip.times)
    step = float(np.median(steps))
    if np.max(np.abs(steps - step)) < CYCLE.uniform * step:
        return clip
    count = max(2, round(clip.duration / step) + 1)
    return resample_clip(clip, np.linspace(clip.times[0], clip.times[-1], count))


def find_key_interval(clip: Clip) -> float | None:
    """Seconds between the samples that really carry the clip's shape.

    Returns
    -------
    float or None
        The authored key interval where straight lines join the keys; the sampling step where curves
        do; None for a clip of one sample.
    """
    if len(clip.times) < 2:
        return None
    step = clip.duration / (len(clip.times) - 1)
    stride = round(clip.key_interval / step) if clip.key_interval > 0 else 1
    if stride <= 1:
        return step
    at_keys = np.arange(0, len(clip.times), stride)
    if len(at_keys) < 3:
        return step
    covered = int(at_keys[-1]) + 1
    keyed = replace(
        clip,
        times=clip.times[at_keys],
        rotations=clip.rotations[at_keys],
        translations=clip.translations[at_keys],
        scales=clip.scales[at_keys],
    )
    straight = resample_clip(keyed, clip.times[:covered])
    off = float(np.max(rot.angles_between(straight.rotations, clip.rotations[:covered])))
    turned = float(np.max(rot.angles_between(keyed.rotations[1:], keyed.rotations[:-1])))
    return stride * step if off <= CYCLE.straight * turned else step


def ease_holds(clip: Clip) -> Clip:
    """The clip with its poses joined where they are held from key to key, as on twos or threes.

    Held poses tell nothing of the speed between them (docs/method/motions.md, Held keys).

    Parameters
    ----------
    clip
        Any clip with equal steps of time.

    Returns
    -------
    Clip
        Itself where most bones that move are joined from key to key. Poses that are held for longer
        than most stay so but for the last step; a last pose that is held for a step begins the next
        cycle, and is left out.
    """
    count = len(clip.times)
    if count < HELD_KEYS.fewest_samples:
        return clip
    turns = rot.angles_between(clip.rotations[1:], clip.rotations[:-1])
    shifts = np.concatenate([clip.translations, clip.scales], axis=2)
    steps = np.hypot(turns, np.linalg.norm(np.diff(shifts, axis=0), axis=2))
    changes = steps > HELD_KEYS.still * np.max(steps, axis=0, initial=0.0)
    moves = np.sum(changes, axis=0)
    held = np.sum(changes[:-1] & ~changes[1:], axis=0)
    moving = moves >= HELD_KEYS.fewest_poses
    stepped = moving & (held > HELD_KEYS.least_held * np.sum(changes[:-1], axis=0))
    if not np.any(stepped) or np.sum(stepped) < HELD_KEYS.least_bones * np.sum(moving):
        return clip
    bones = np.flatnonzero(stepped)
    gaps = np.concatenate([np.diff(np.flatnonzero(changes[:, bone])) for bone in bones])
    usual = int(np.median(gaps))
    ends = [_find_anchors(changes[:, bone], usual) for bone in bones]
    last = max(int(anchors[-1]) for anchors in ends)
    if count - 1 - last > usual:
        last = count - 1
    rotations, translations, scales = (
        values[: last + 1].copy() for values in (clip.rotations, clip.translations, clip.scales)
    )
    samples = np.arange(last + 1)
    for bone, anchors in zip(bones, ends, strict=True):
        after = np.clip(np.searchsorted(anchors, samples, side="right"), 1, len(anchors) - 1)
        begin, end = anchors[after - 1], anchors[after]
        share = np.clip((samples - begin) / (end - begin), 0.0, 1.0)
        rotations[:, bone] = rot.nlerp(
            clip.rotations[begin, bone], clip.rotations[end, bone], share
        )
        translations[:, bone] = _mix(clip.translations[:, bone], begin, end, share)
        scales[:, bone] = _mix(clip.scales[:, bone], begin, end, share)
    step = clip.duration / (count - 1)
    return replace(
        resample_clip(clip, clip.times[: last + 1]),
        rotations=rotations,
        translations=translations,
        scales=scales,
        key_interval=usual * step,
    )


def _find_anchors(changes: np.ndarray, usual: int) -> np.ndarray:
    """Samples between which poses are joined, by where a bone changes, (S - 1,) of bool.

    A pose that is held for longer than usual is held until a usual step before the next.
    """
    firsts = np.concatenate([[0], np.flatnonzero(changes) + 1])
    lengths = np.diff(firsts)
    leaves = firsts[1:][lengths > HELD_KEYS.long * usual] - usual
    return np.unique(np.concatenate([firsts, leaves]))


def _mix(values: FloatArray, begin: np.ndarray, end: np.ndarray, share: FloatArray) -> FloatArray:
    """Rows between rows of (S, 3), at shares (N,) of the way."""
    return values[begin] + (values[end] - values[begin]) * share[:, None]
