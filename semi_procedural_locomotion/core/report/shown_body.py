# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How hips and body move in what the scene shows, beside the travel and the clips (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..maths.smoothing import compute_differences
from ..rig.structure import Leg, Rig
from .limits import SHOWN_BODY
from .shown import PosedBones, ShownWalk
from .shown_feet import list_runs


def place_hips(rig: Rig, bones: PosedBones) -> FloatArray:
    """Mean of the hip joints, metres, shape (N, 3)."""
    return np.asarray(bones.place_joints(rig, [leg.joints[0] for leg in rig.legs]).mean(axis=1))


def measure_off_travel(rig: Rig, shown: ShownWalk) -> FloatArray:
    """Horizontal distances of the hips from the travel, beyond what the clips have, metres, (N,).

    Clips that hold the body far from their origin excuse no more than the size of its base.
    """
    away = (place_hips(rig, shown.bones) - shown.travel)[:, :2]
    if shown.source is not None:
        own = (place_hips(rig, shown.source) - shown.travel)[:, :2]
        size = np.hypot(own[:, 0], own[:, 1])
        limit = SHOWN_BODY.own_offset * rig.leg_length + _measure_spread(rig)
        away = away - own * np.minimum(1.0, limit / np.maximum(size, limit))[:, None]
    return np.hypot(away[:, 0], away[:, 1])


def _measure_spread(rig: Rig) -> float:
    """Distance from the middle of all hips to the farthest, at rest, horizontally, metres."""
    _, heads = rig.skeleton.rest_poses
    hips = heads[[leg.joints[0] for leg in rig.legs], :2]
    return float(np.hypot(*(hips - hips.mean(axis=0)).T).max())


def measure_bends(leg: Leg, rig: Rig, bones: PosedBones) -> FloatArray:
    """Bends of a leg's inner joints, radians, 0 for a straight one, shape (N, K - 2)."""
    segments = rot.normalize(np.diff(bones.place_joints(rig, leg.joints), axis=1))
    first, second = segments[:, :-1], segments[:, 1:]
    return np.arctan2(rot.lengths(rot.cross(first, second)), rot.dot(first, second))


def measure_knee_speeds(rig: Rig, bones: PosedBones, shown: ShownWalk) -> FloatArray:
    """Fastest change of any inner joint's bend of each leg between joined frames, radians a second.

    Shape (N - 1, L); 0 for legs without a knee.
    """
    rates = shown.find_joined() / np.diff(shown.times)
    turns = [np.abs(np.diff(measure_bends(leg, rig, bones), axis=0)) for leg in rig.legs]
    return np.stack([turn.max(axis=1, initial=0.0) * rates for turn in turns], axis=1)


def measure_hip_speeds(rig: Rig, shown: ShownWalk) -> tuple[FloatArray, FloatArray] | None:
    """Speeds of the hips against a constant travel, beyond the clips' own swing.

    Returns
    -------
    surges, sways
        Along the travel and to its side, shares of its speed, 0 where it is not constant, shape
        (N - 1,). None where the travel is constant nowhere, or the clips are not known.
    """
    if shown.source is None or len(shown.times) < 2:
        return None
    steps = np.diff(shown.times)[:, None]
    velocity = np.diff(shown.travel, axis=0)[:, :2] / steps
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    constant = shown.find_joined() & _find_constant(velocity, speed, shown.times)
    constant &= speed > SHOWN_BODY.standing * rig.leg_length
    if not np.any(constant):
        return None
    along = velocity / np.maximum(speed, 1e-12)[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    found = []
    for axis in (along, across):
        own, has = (
            np.abs(np.einsum("ni,ni->n", axis, _measure_velocity(rig, bones, steps) - velocity))
            for bones in (shown.source, shown.bones)
        )
        beyond = (has - float(own[constant].max())) / np.maximum(speed, 1e-12)
        found.append(np.where(constant, np.maximum(beyond, 0.0), 0.0))
    return found[0], found[1]


def _measure_velocity(rig: Rig, bones: PosedBones, steps: FloatArray) -> FloatArray:
    """Horizontal velocity of the hips between frames, metres a second, shape (N - 1, 2)."""
    return np.asarray(np.diff(place_hips(rig, bones), axis=0)[:, :2] / steps)


def _find_constant(velocity: FloatArray, speed: FloatArray, times: FloatArray) -> np.ndarray:
    """Where velocities (N - 1, 2) are the same all about, (N - 1,) of bool."""
    middle = 0.5 * (times[1:] + times[:-1])
    constant = np.zeros(len(middle), dtype=bool)
    first = np.searchsorted(middle, middle - 0.5 * SHOWN_BODY.same_time)
    last = np.searchsorted(middle, middle + 0.5 * SHOWN_BODY.same_time, side="right")
    for row, (low, high) in enumerate(zip(first, last, strict=True)):
        off = velocity[low:high] - velocity[row]
        constant[row] = np.hypot(off[:, 0], off[:, 1]).max() <= SHOWN_BODY.same_speed * speed[row]
    return constant


def measure_jerk_ratio(rig: Rig, shown: ShownWalk) -> tuple[float | None, str]:
    """Root mean square of the hips' jerk in space over the source's, and why it is not known."""
    if shown.source is None:
        return None, "the source motion is not known"
    own, has = (_measure_jerk(rig, bones, shown) for bones in (shown.source, shown.bones))
    if own is None or has is None:
        return None, "fewer than four frames follow one another"
    if own < SHOWN_BODY.still_hips * rig.leg_length:
        return None, "the source motion does not move its hips"
    return has / own, ""


def _measure_jerk(rig: Rig, bones: PosedBones, shown: ShownWalk) -> float | None:
    """Root mean square jerk of the hips, metres a second cubed."""
    hips, squares = place_hips(rig, bones), []
    for first, last in list_runs(shown.find_joined()):
        rows = slice(first, last + 2)
        count = last + 2 - first
        if count < SHOWN_BODY.jerk_frames:
            continue
        interval = float(shown.times[last + 1] - shown.times[first]) / (count - 1)
        squares.append(rot.lengths(compute_differences(hips[rows], interval, order=3)) ** 2)
    return float(np.sqrt(np.mean(np.concatenate(squares)))) if squares else None
