# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast joints and feet go in a scene, and how the body is held (numpy only); plans are not asked.

Speeds are differences between samples of a walk that was baked at `RATE` a second: between the keys of a
slower bake a scene shows straight lines. Metres a second are given for people's scale: a character
whose leg has another length goes ``sqrt(L / PEOPLE)`` times as fast at the same Froude number, and its
speeds are divided by that. Angles a second are as they are. A character whose file is not in metres (Fox,
whose leg has 45 of them) goes faster than any animal: its speeds tell only what changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .seen import find_angles, find_hips

RATE = 60
"""Samples a second of what is measured here."""
PEOPLE = 0.9
"""Length of a person's leg, metres."""
# Frames a second at which second differences of angles are told, as animators see them.
_SHOWN = 24.0
# Share of the leg: a foot is in contact whose lowest point is so near to the ground.
_LOW = 0.008
# Share of the leg beside a place at which the ground's slope is felt.
_BESIDE = 0.002
# Shares of the span of the hips along the way: what lies before is fore, behind is hind; steps of a mean.
_THIRD, _STEPS = 1.0 / 3.0, 32
# About how many points of a foot are looked at for others that come near.
_POINTS = 60
# Parts of a sample by which two cycles are shifted against each other.
_PARTS = 4

Heights = Callable[[np.ndarray, np.ndarray], np.ndarray]


def measure_speeds(
    feet: dict[str, np.ndarray],
    bones: np.ndarray,
    joints: Sequence[np.ndarray],
    heights: Heights,
    length: float,
) -> dict[str, float]:
    """How fast a walk goes in its joints.

    Parameters
    ----------
    feet
        Points of each foot at `RATE` samples a second, each of shape (F, V, 3), metres.
    bones
        Places of heads and tails, shape (F, B, 2, 3).
    joints
        Numbers of the bones of each leg from hip to ankle.
    heights
        Of the ground at ways and sides of the same shape, metres.
    length
        Of the leg, metres.

    Returns
    -------
    dict
        up, down: fastest ankle along the vertical, m/s of a person; turn: fastest inner joint, degrees a
        second; whip: largest second difference of an inner joint's angle at 24 frames a second, degrees;
        touch: fastest lowest point of a foot into the ground before a contact, m/s of a person.
    """
    scale = np.sqrt(length / PEOPLE)
    ankles = np.stack([bones[:, leg[-1], 0, 2] for leg in joints], axis=1)
    rises = np.diff(ankles, axis=0) * RATE / scale
    angles = np.degrees(find_angles(bones, joints))
    times = np.arange(0.0, (len(angles) - 1) / RATE, 1.0 / _SHOWN)
    own = np.arange(len(angles)) / RATE
    shown = np.stack([np.interp(times, own, row) for row in angles.T], axis=1)
    touch = [measure_touch(points, heights, length) for points in feet.values()]
    return {
        "up": float(rises.max(initial=0.0)),
        "down": float((-rises).max(initial=0.0)),
        "turn": float(np.abs(np.diff(angles, axis=0)).max(initial=0.0)) * RATE,
        "whip": float(np.abs(np.diff(shown, 2, axis=0)).max(initial=0.0)),
        "touch": max(touch, default=0.0) / float(scale),
    }


def measure_touch(points: np.ndarray, heights: Heights, length: float) -> float:
    """Fastest way of a foot into the ground in the last sample before its contacts, m/s; 0 for none.

    It is the way of the point that is lowest there, between two samples that are both off the ground,
    along the normal of the ground below; points (F, V, 3). A contact lasts for two samples and more: a
    foot that passes an edge closely is near the ground for one.
    """
    above = points[..., 2] - heights(points[..., 0], points[..., 1])
    low = above.min(axis=1)
    is_off = low > _LOW * length
    # The samples before the first in contact, with another one off the ground before.
    last = np.flatnonzero(is_off[1:-2] & is_off[:-3] & ~is_off[2:-1] & ~is_off[3:]) + 1
    if not len(last):
        return 0.0
    lowest = above[last].argmin(axis=1)
    places = points[last, lowest]
    ways = places - points[last - 1, lowest]
    normals = find_normals(places, heights, length)
    return float(max(-np.einsum("kc,kc->k", ways, normals).min() * RATE, 0.0))


def find_normals(places: np.ndarray, heights: Heights, length: float) -> np.ndarray:
    """Unit normals of the ground below places (N, 3), shape (N, 3); at edges of the flatter side."""
    x, y = places[:, 0], places[:, 1]
    here, off, slopes = heights(x, y), _BESIDE * length, []
    for ahead in ((off, 0.0), (0.0, off)):
        sides = np.stack(
            [heights(x + ahead[0], y + ahead[1]) - here, here - heights(x - ahead[0], y - ahead[1])]
        )
        flatter = np.abs(sides).argmin(axis=0)
        slopes.append(sides[flatter, np.arange(len(x))] / off)
    normals = np.stack([-slopes[0], -slopes[1], np.ones(len(x))], axis=1)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


def measure_beside(
    bones: np.ndarray,
    clip: np.ndarray,
    joints: Sequence[np.ndarray],
    stands: np.ndarray,
    period: float,
    length: float,
) -> dict[str, float]:
    """How a walk on flat ground at its own speed is held beside its clip, at the same phases.

    Parameters
    ----------
    bones, clip
        Places of heads and tails in the walk and in the clip as it is, in the same samples a second,
        shapes (F, B, 2, 3) and (G, B, 2, 3).
    joints
        Numbers of the bones of each leg from hip to ankle.
    stands
        Whether each foot stands in the walk, shape (F, L).
    period
        Of the clip, samples; no longer than G - 1.
    length
        Of the leg, metres.

    Returns
    -------
    dict
        crouch, crouch_worst: gap between the heights of the hips, mean and worst, shares of the leg;
        squat, squat_worst: between inner joints of the legs that stand, degrees. Gaps have no sign.
    """
    walked, own = [np.degrees(find_angles(b, joints)) for b in (bones, clip)]
    phases = np.arange(len(walked)) + find_shift(walked, own, period)
    hips = find_hips(bones, joints)[:, 2] - read_cycle(
        find_hips(clip, joints)[:, 2], phases, period
    )
    gaps = np.abs(walked - np.stack([read_cycle(a, phases, period) for a in own.T], axis=1))
    inner = np.repeat(np.arange(len(joints)), [len(leg) - 2 for leg in joints])
    bent = gaps[stands[:, inner]]
    return {
        "crouch": float(np.abs(hips).mean()) / length,
        "crouch_worst": float(np.abs(hips).max()) / length,
        "squat": float(bent.mean()) if bent.size else 0.0,
        "squat_worst": float(bent.max(initial=0.0)),
    }


def find_shift(walked: np.ndarray, own: np.ndarray, period: float) -> float:
    """Samples by which a walk's angles (F, K) are ahead of its clip's (G, K), within one period."""
    shifts = np.arange(0.0, period, 1.0 / _PARTS)
    frames, errors = np.arange(len(walked)), []
    for shift in shifts:
        cycle = np.stack([read_cycle(row, frames + shift, period) for row in own.T], axis=1)
        gaps = walked - cycle
        # A walk that squats all along is as it is, not at another phase.
        errors.append(float(((gaps - gaps.mean(axis=0)) ** 2).sum()))
    return float(shifts[int(np.argmin(errors))])


def read_cycle(values: np.ndarray, samples: np.ndarray, period: float) -> np.ndarray:
    """Values (G,) of a cycle at any samples (F,)."""
    return np.interp(samples % period, np.arange(len(values)), values)


def measure_least_gap(feet: dict[str, np.ndarray]) -> float:
    """How near points of two feet come to each other in any frame, metres; feet (F, V, 3)."""
    thinned = [points[:, :: max(points.shape[1] // _POINTS, 1)] for points in feet.values()]
    least = np.inf
    for number, one in enumerate(thinned):
        for other in thinned[number + 1 :]:
            for here, there in zip(one, other, strict=True):
                away = here[:, None] - there[None]
                least = min(least, float(np.einsum("abc,abc->ab", away, away).min()))
    return float(np.sqrt(least))


def measure_cut(points: np.ndarray, clearances: Callable[[np.ndarray], np.ndarray]) -> float:
    """How deep the deepest of points (F, V, 3) is in the ground, metres; 0 where none is."""
    flat = points.reshape(-1, 3).astype(np.float64)
    return max(0.0, -float(clearances(flat).min(initial=0.0)))


def find_ends(
    bones: np.ndarray, joints: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray] | None:
    """Middles of the fore and of the hind hips, each (F, 3); None where the body is not long.

    Long is a body whose hips are farther apart along the way than across.
    """
    hips = np.stack([bones[:, leg[0], 0] for leg in joints], axis=1)
    places = (hips - hips.mean(axis=1, keepdims=True)).mean(axis=0)
    first, last = float(places[:, 0].min()), float(places[:, 0].max())
    fore = places[:, 0] > last - _THIRD * (last - first)
    hind = places[:, 0] < first + _THIRD * (last - first)
    if last - first <= float(np.ptp(places[:, 1])) or not (fore.any() and hind.any()):
        return None
    return hips[:, fore].mean(axis=1), hips[:, hind].mean(axis=1)


def find_pitches(bones: np.ndarray, joints: Sequence[np.ndarray]) -> np.ndarray | None:
    """How far the body is nose up, degrees, shape (F,); None where it is not long."""
    ends = find_ends(bones, joints)
    if ends is None:
        return None
    line = ends[0] - ends[1]
    return np.degrees(np.arctan2(line[:, 2], np.linalg.norm(line[:, :2], axis=1)))


def measure_pitch(
    bones: np.ndarray, joints: Sequence[np.ndarray], heights: Heights, clip: float
) -> float | None:
    """Worst gap between a body's pitch and the ground's slope, degrees; None where it is not long.

    Parameters
    ----------
    bones, joints, heights
        As of `measure_speeds`.
    clip
        Mean pitch of the clip as it is on flat ground, which the body keeps against the slope; degrees.

    The slope is that between two places a body's length apart along the body, in the mean over a body's
    length.
    """
    ends, pitches = find_ends(bones, joints), find_pitches(bones, joints)
    if ends is None or pitches is None:
        return None
    middle, line = 0.5 * (ends[0] + ends[1])[:, :2], (ends[0] - ends[1])[:, :2]
    size = float(np.linalg.norm(line, axis=1).mean())
    line = line / np.linalg.norm(line, axis=1, keepdims=True)
    shares = (np.arange(_STEPS) + 0.5) / _STEPS - 0.5
    places = middle[:, None] + size * shares[:, None] * line[:, None]
    fore, hind = places + 0.5 * size * line[:, None], places - 0.5 * size * line[:, None]
    rises = heights(fore[..., 0], fore[..., 1]) - heights(hind[..., 0], hind[..., 1])
    slopes = np.degrees(np.arctan2(rises.mean(axis=1), size))
    return float(np.abs(pitches - clip - slopes).max())
