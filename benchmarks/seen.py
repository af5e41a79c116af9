# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bar's numbers by what a scene shows alone (numpy only): nothing of plans and reports is asked.

What a foot does is told by `tools.compatibility.meter`. Ratios are to the clip as it is, moved over flat
ground at its own speed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tools.compatibility.meter import find_stands, measure_float, measure_slip

# Share of the leg: how near to its ground a foot is that is not in the air; how near it is measured.
_NEAR, _LOW = 0.02, 0.008
# Frames at each end that are left out of speeds and jerks, where walks may begin and end.
_ENDS = 3


@dataclass(frozen=True)
class Pace:
    """What a clip shows on flat ground, per frame, metres and radians.

    Attributes
    ----------
    way
        Largest way of a foot.
    knee
        Largest turn of an inner joint of a leg.
    jerk
        Third difference of the hips' place, root mean square.
    surges
        Least and largest way of the hips along the walk, over the mean.
    bend
        Sharpest angle at each inner joint of all legs, shape (K,).
    """

    way: float
    knee: float
    jerk: float
    surges: tuple[float, float]
    bend: np.ndarray


def measure_pace(
    feet: dict[str, np.ndarray], bones: np.ndarray, joints: Sequence[np.ndarray]
) -> Pace:
    """What a walk shows per frame.

    Parameters
    ----------
    feet
        Points of each foot, each of shape (F, V, 3).
    bones
        Places of heads and tails, shape (F, B, 2, 3).
    joints
        Numbers of the bones of each leg from hip to ankle.
    """
    hips = find_hips(bones, joints)
    angles = find_angles(bones, joints)
    ways = np.diff(hips[:, 0])[_ENDS:-_ENDS]
    jerk = np.diff(hips, 3, axis=0)[_ENDS:-_ENDS]
    return Pace(
        max(_measure_way(points) for points in feet.values()),
        float(np.abs(np.diff(angles, axis=0)).max()),
        float(np.sqrt((jerk**2).sum(axis=1).mean())),
        (float(ways.min() / ways.mean()), float(ways.max() / ways.mean())),
        angles.min(axis=0),
    )


def measure_shown(
    feet: dict[str, np.ndarray],
    bones: np.ndarray,
    joints: Sequence[np.ndarray],
    clearances: Callable[[np.ndarray], np.ndarray],
    clip: Pace,
    length: float,
    fps: float,
) -> dict[str, float | None]:
    """Numbers of a walk.

    Parameters
    ----------
    feet, bones, joints
        As of `measure_pace`.
    clearances
        Height of points (N, 3) over the ground, negative inside it.
    clip
        What the clip shows on flat ground.
    length
        Of the leg, metres.
    fps
        Frames a second.

    Returns
    -------
    dict
        Shares of the leg: slip in a contact, depth in contact and in the swing, float in contact. Shares
        of the walk's speed: speed near the ground, 95 %, and what the hips' speed leaves the clip's own
        range by. Ratios to the clip: way of a foot in a frame, knee, jerk of the hips. Degrees: bend of
        an inner joint beyond the clip's. Share of the frames in which no foot is on the ground.
    """
    above = {n: clearances(p.reshape(-1, 3)).reshape(p.shape[:2]) for n, p in feet.items()}
    step = _find_step(bones, joints)
    stands = list_stands(feet, bones, joints, clearances, length, fps)
    depths = {n: np.maximum(-a.min(axis=1), 0.0) for n, a in above.items()}
    lows = np.array([a.min(axis=1) for a in above.values()])
    own = measure_pace(feet, bones, joints)
    surge = max(own.surges[1] - clip.surges[1], clip.surges[0] - own.surges[0], 0.0)
    return {
        "slip": _worst(measure_slip(feet[n], above[n], stands[n], length) for n in feet) / length,
        "near": _measure_near(feet, above, step, length),
        "sunk": _worst(depths[n][stands[n]].max(initial=0.0) for n in feet) / length,
        "float": _worst(measure_float(above[n], stands[n]) for n in feet) / length,
        "deep": _worst(depths[n][~stands[n]].max(initial=0.0) for n in feet) / length,
        "way": own.way / clip.way,
        "knee": own.knee / clip.knee,
        "bend": float(np.degrees(np.maximum(clip.bend - own.bend, 0.0).max())),
        "jerk": own.jerk / clip.jerk,
        "surge": surge,
        "airborne": float(np.mean(lows.min(axis=0) > _NEAR * length)),
    }


def list_series(
    feet: dict[str, np.ndarray],
    bones: np.ndarray,
    joints: Sequence[np.ndarray],
    clearances: Callable[[np.ndarray], np.ndarray],
    length: float,
) -> dict[str, np.ndarray]:
    """What a plot of a walk shows, each of shape (F,); parameters as of `measure_shown`.

    Way of the hips in a frame and their height, and how high the lowest vertex of each foot is over the
    ground, shares of the leg; angle of each leg's sharpest inner joint, degrees.
    """
    hips, angles = find_hips(bones, joints), []
    for leg in joints:
        angles.append(np.degrees(find_angles(bones, [leg]).min(axis=1)))
    ways = np.gradient(hips[:, 0]) / length
    series = {"hips' way in a frame": ways, "hips' height": hips[:, 2] / length}
    for name, angle in zip(feet, angles, strict=True):
        series[f"{name}: angle"] = angle
    for name, points in feet.items():
        above = clearances(points.reshape(-1, 3)).reshape(points.shape[:2])
        series[f"{name}: height"] = above.min(axis=1) / length
    return series


def list_stands(
    feet: dict[str, np.ndarray],
    bones: np.ndarray,
    joints: Sequence[np.ndarray],
    clearances: Callable[[np.ndarray], np.ndarray],
    length: float,
    fps: float,
) -> dict[str, np.ndarray]:
    """Whether each foot stands, by its name, each of shape (F,); parameters as of `measure_shown`."""
    pace = max(_find_step(bones, joints), 0.3 * length / fps)
    above = {n: clearances(p.reshape(-1, 3)).reshape(p.shape[:2]) for n, p in feet.items()}
    return {n: find_stands(feet[n], above[n], pace, length) for n in feet}


def _find_step(bones: np.ndarray, joints: Sequence[np.ndarray]) -> float:
    """Way of the hips in a frame, from the first to the last, metres."""
    hips = find_hips(bones, joints)
    return float(np.linalg.norm(hips[-1, :2] - hips[0, :2])) / (len(hips) - 1)


def _worst(values: Sequence[float | None] | map) -> float:
    return max((value for value in values if value is not None), default=0.0)


def _measure_near(
    feet: dict[str, np.ndarray], above: dict[str, np.ndarray], step: float, length: float
) -> float | None:
    """Speed of the lowest point of feet that are on the ground in two frames, over the walk's, 95 %."""
    speeds = []
    for name, points in feet.items():
        both = np.maximum(above[name][:-1], above[name][1:])
        lowest = both.argmin(axis=1)
        rows = np.arange(len(lowest))
        ways = np.linalg.norm((points[rows + 1, lowest] - points[rows, lowest])[:, :2], axis=1)
        speeds.append(ways[both[rows, lowest] < _LOW * length] / step)
    found = np.concatenate(speeds)
    return float(np.quantile(found, 0.95)) if len(found) else None


def find_hips(bones: np.ndarray, joints: Sequence[np.ndarray]) -> np.ndarray:
    """Middle of the upper ends of the legs, shape (F, 3)."""
    return np.mean([bones[:, leg[0], 0] for leg in joints], axis=0)


def find_angles(bones: np.ndarray, joints: Sequence[np.ndarray]) -> np.ndarray:
    """Angles at the inner joints of all legs, radians, pi where straight, shape (F, K)."""
    found = []
    for leg in joints:
        places = bones[:, leg, 0]
        for inner in range(1, len(leg) - 1):
            up = places[:, inner - 1] - places[:, inner]
            down = places[:, inner + 1] - places[:, inner]
            cosines = np.einsum("fc,fc->f", up, down)
            sizes = np.linalg.norm(up, axis=1) * np.linalg.norm(down, axis=1)
            found.append(np.arccos(np.clip(cosines / np.maximum(sizes, 1e-12), -1.0, 1.0)))
    return np.array(found).T


def _measure_way(points: np.ndarray) -> float:
    """Largest way of a foot's middle in a frame, metres."""
    return float(np.linalg.norm(np.diff(points.mean(axis=1), axis=0), axis=1).max())
