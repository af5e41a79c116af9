# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How joints move in finished walks, beside the source motion (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.maths.smoothing import compute_differences
from semi_procedural_locomotion.core.rig.structure import Leg, Rig


def measure_foot_turns(rig: Rig, rotations: FloatArray, interval: float) -> FloatArray:
    """Turn rates of the feet.

    Parameters
    ----------
    rig
        The character.
    rotations
        World rotations of all bones, shape (N, B, 4).
    interval
        Seconds between frames.

    Returns
    -------
    array, shape (N - 1, L)
        Radians a second.
    """
    feet = np.stack([rotations[:, leg.ankle] for leg in rig.legs], axis=1)
    return rot.angles_between(feet[1:], feet[:-1]) / interval


def measure_bends(leg: Leg, positions: FloatArray) -> FloatArray:
    """Bend angles of a leg's inner joints.

    Parameters
    ----------
    leg
        The leg, K joints.
    positions
        World positions of all bones, metres, shape (N, B, 3).

    Returns
    -------
    array, shape (N, K - 2)
        Radians, 0 for a straight joint.
    """
    joints = positions[:, list(leg.joints)]
    segments = rot.normalize(np.diff(joints, axis=1))
    first, second = segments[:, :-1], segments[:, 1:]
    return np.arctan2(rot.lengths(rot.cross(first, second)), rot.dot(first, second))


def measure_knee_speeds(rig: Rig, positions: FloatArray, interval: float) -> FloatArray:
    """Fastest change of any inner joint's bend of each leg.

    Parameters
    ----------
    rig
        The character.
    positions
        World positions of all bones, metres, shape (N, B, 3).
    interval
        Seconds between frames.

    Returns
    -------
    array, shape (N - 1, L)
        Radians a second; 0 for legs without a knee.
    """
    speeds = [
        np.max(
            np.abs(compute_differences(measure_bends(leg, positions), interval)),
            axis=1,
            initial=0.0,
        )
        for leg in rig.legs
    ]
    return np.stack(speeds, axis=1)


def measure_hip_jerk(rig: Rig, positions: FloatArray, interval: float) -> float:
    """Root mean square of the third derivative of the hips' mean height.

    Parameters are those of `measure_knee_speeds`, N >= 4; the result is in metres a second cubed.
    """
    heights = np.mean([positions[:, leg.joints[0], 2] for leg in rig.legs], axis=0)
    jerk = compute_differences(heights, interval, order=3)
    return float(np.sqrt(np.mean(jerk**2)))


def measure_reaches(rig: Rig, positions: FloatArray) -> FloatArray:
    """Distances from hip to ankle as shares of the leg's length, shape (N, L)."""
    spans = [positions[:, leg.ankle] - positions[:, leg.joints[0]] for leg in rig.legs]
    return np.stack(
        [rot.lengths(s) / leg.length for s, leg in zip(spans, rig.legs, strict=True)], axis=1
    )


def measure_misses(rig: Rig, positions: FloatArray, targets: FloatArray) -> FloatArray:
    """Distances between ankles and their targets (N, L, 3), metres, shape (N, L)."""
    ankles = np.stack([positions[:, leg.ankle] for leg in rig.legs], axis=1)
    return rot.lengths(ankles - targets)


def measure_deviations(rig: Rig, positions: FloatArray, source_positions: FloatArray) -> FloatArray:
    """Distances of the body and all joints of the legs from where the source has them.

    Parameters
    ----------
    rig
        The character.
    positions, source_positions
        World positions of all bones, metres, shape (N, B, 3).

    Returns
    -------
    array, shape (N, K)
        Metres, for K different bones.
    """
    bones = _list_compared_bones(rig)
    return rot.lengths(positions[:, bones] - source_positions[:, bones])


def _list_compared_bones(rig: Rig) -> Sequence[int]:
    """The body bone and all bones of the legs, each once."""
    return sorted({rig.body, *(bone for leg in rig.legs for bone in leg.bones)})
