# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the feet of a motion that travels are held while they stand (numpy only).

A foot keeps rolling as it does: what bears on the ground stays where it is, from one frame to the
next, while that passes from the heel to the ball to the toe. The one place left to choose is that at
which the foot has to be moved the least (docs/method/prints.md, Holding feet).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...contacts.stances import FootStances, weigh_bearing
from ...ground.interface import Ground
from ...ground.soles import cast_soles
from ...maths import rotations as rot
from ...maths.rotations import FloatArray, invert_matrices
from ...prints.planes import fit_planes
from ...travel.carried import find_turns
from ..limits import ROLLING
from .limits import HOLDING


@dataclass(frozen=True)
class FootShape:
    """A foot of a motion at N frames.

    Attributes
    ----------
    ankles
        World, metres, shape (N, 3).
    rotations
        Of the bone that carries the foot, world, shape (N, 4).
    points
        Its contact hull, world, metres, shape (N, P, 3).
    sole
        Which of the points are the sole's, shape (P,) of bool.
    front
        Which are before the middle of the sole, shape (P,) of bool.
    """

    ankles: FloatArray
    rotations: FloatArray
    points: FloatArray
    sole: np.ndarray
    front: np.ndarray


@dataclass(frozen=True)
class FootOffsets:
    """Corrections of a foot at N frames; they count where it stands.

    Attributes
    ----------
    offsets
        Way of the ankle, metres, shape (N, 3).
    turns
        Turn of the foot, world axes, shape (N, 4).
    """

    offsets: FloatArray
    turns: FloatArray


@dataclass(frozen=True)
class Footing:
    """What feet are held on.

    Attributes
    ----------
    ground
        Of the scene.
    times
        Of the frames, seconds, shape (N,).
    carried
        From the place of what is under the foot at one frame to that at another; see `carry`.
    leg_length
        Metres.
    max_rise
        Steepest slope that a sole is turned onto, rise over run.
    tolerance
        How far below the plane of a sole ground still bears, metres.
    """

    ground: Ground
    times: FloatArray
    leg_length: float
    max_rise: float
    tolerance: float

    def find_heights(self, points: FloatArray, times: FloatArray, floor: float) -> FloatArray:
        """Ground under points (..., 3) at times (...), world z, metres; the floor over nothing."""
        tops = np.maximum(points[..., 2], floor) + HOLDING.look_up * self.leg_length
        hits = cast_soles(self.ground, points, tops, times, floors=np.full(tops.shape, floor))
        return hits.fill(floor)


def hold_foot(
    foot: FootShape, stances: FootStances, under: np.ndarray, footing: Footing
) -> FootOffsets:
    """Corrections of a foot that hold it in its stances.

    Parameters
    ----------
    foot, stances
        The foot, and when it stands.
    under
        Surface that bears it from each frame to the next, -1 for none, shape (N - 1,).
    footing
        What it stands on.
    """
    count = len(foot.ankles)
    offsets, turns = np.zeros((count, 3)), np.tile(rot.IDENTITY, (count, 1))
    for first, last in zip(stances.firsts.tolist(), stances.lasts.tolist(), strict=True):
        rows = slice(first, last + 1)
        there, back = _find_carries(under[first:last], rows, footing)
        held = _hold(foot, stances, rows, back, footing)
        places = _move(there, held[0])
        turned = rot.multiply(find_turns(there), held[1])
        offsets[rows] = places - foot.ankles[rows]
        turns[rows] = rot.multiply(turned, rot.conjugate(foot.rotations[rows]))
    return FootOffsets(offsets, turns)


def _find_carries(
    under: np.ndarray, rows: slice, footing: Footing
) -> tuple[FloatArray, FloatArray]:
    """How what bears a stance moves from its middle to each frame (M, 4, 4), and back."""
    times = footing.times[rows]
    moving = [s for s in under.tolist() if s in footing.ground.moving_surfaces()]
    if not moving:
        still = np.broadcast_to(np.eye(4), (len(times), 4, 4))
        return still, still
    surface = max(set(moving), key=moving.count)
    frames = footing.ground.surface_frames(surface, times)
    there = frames @ invert_matrices(frames[len(frames) // 2])
    return there, invert_matrices(there)


def _move(matrices: FloatArray, points: FloatArray) -> FloatArray:
    """Points (M, ..., 3) moved by matrices (M, 4, 4)."""
    moved = np.einsum("nij,n...j->n...i", matrices[:, :3, :3], points)
    return np.asarray(moved + matrices[:, :3, 3].reshape(-1, *[1] * (points.ndim - 2), 3))


def _hold(
    foot: FootShape, stances: FootStances, rows: slice, back: FloatArray, footing: Footing
) -> tuple[FloatArray, FloatArray]:
    """Ankles (M, 3) and rotations (M, 4) of one stance, where what bears it is at the middle of it."""
    length = footing.leg_length
    points, ankles = _move(back, foot.points[rows]), _move(back, foot.ankles[rows])
    rotations = rot.multiply(find_turns(back), foot.rotations[rows])
    still = _weigh_stillness(stances, rows)
    spun = rot.quaternions_from_yaws(_find_twists(points, foot, still, length))
    around = rot.rotate(spun[:, None], points - ankles[:, None])
    middle = footing.times[rows][len(ankles) // 2]
    shape, slope = around, rot.IDENTITY
    for _ in range(HOLDING.rounds):
        path, anchor = _find_path(shape, points, foot.sole, still, length)
        placed = shape + (path + anchor)[:, None]
        slope = _find_slope(placed, foot, still, middle, footing, stances.floor)
        shape = rot.rotate(slope, around)
    path, anchor = _find_path(shape, points, foot.sole, still, length)
    placed = shape + (path + anchor)[:, None]
    ground = footing.find_heights(placed, np.full(placed.shape[:2], middle), stances.floor)
    ankles = path + anchor
    ankles[:, 2] += (ground - placed[..., 2]).max(axis=1)
    return ankles, rot.multiply(slope, rot.multiply(spun, rotations))


def _weigh_stillness(stances: FootStances, rows: slice) -> FloatArray:
    """Weight of each frame of a stance by how still the foot is, shape (M,)."""
    speeds = stances.speeds[rows.start : rows.stop - 1]
    unit = HOLDING.still * stances.reference
    weights = 1.0 / (speeds**2 + unit**2)
    return np.asarray(np.append(weights, 0.0) + np.append(0.0, weights))


def _find_twists(
    points: FloatArray, foot: FootShape, still: FloatArray, length: float
) -> FloatArray:
    """Turns about up, radians (M,), that keep a foot from turning while it lies on both its ends."""
    front, rear = foot.sole & foot.front, foot.sole & ~foot.front
    line = points[:, front].mean(axis=1) - points[:, rear].mean(axis=1)
    angles = np.unwrap(np.arctan2(line[:, 1], line[:, 0]))
    loads = weigh_bearing(points[:, foot.sole, 2], HOLDING.lying * length)
    ends = foot.front[foot.sole]
    lies = np.minimum(loads[:, ends].max(axis=1), loads[:, ~ends].max(axis=1))
    level = np.hypot(line[:, 0], line[:, 1]) / np.maximum(rot.lengths(line), rot.TINY)
    lies = lies * (level > HOLDING.level)
    twists = -np.append(0.0, np.cumsum(np.minimum(lies[1:], lies[:-1]) * np.diff(angles)))
    most = float(np.ptp(twists))
    twists = twists - np.average(twists, weights=still)
    # Who turns on a foot that lies flat means to.
    return np.asarray(twists * min(1.0, (HOLDING.most_twist / max(most, rot.TINY)) ** 2))


def _find_path(
    shape: FloatArray, points: FloatArray, sole: np.ndarray, still: FloatArray, length: float
) -> tuple[FloatArray, FloatArray]:
    """Path of the ankle (M, 3) by which nothing slides that bears, and where to (3,).

    The hull about the ankle (M, P, 3) is as the foot shall be turned, the points (M, P, 3) are where
    the motion has them.
    """
    loads = weigh_bearing(shape[:, sole, 2], ROLLING.bearing * length)
    shared = np.sqrt(loads[1:] * loads[:-1])
    shared = shared / shared.sum(axis=1, keepdims=True)
    steps = -np.einsum("np,npi->ni", shared, np.diff(shape[:, sole], axis=0))
    path = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    loads = loads / loads.sum(axis=1, keepdims=True)
    away = np.einsum("np,npi->ni", loads, points[:, sole] - shape[:, sole]) - path
    return path, np.average(away, axis=0, weights=still)


def _find_slope(
    placed: FloatArray,
    foot: FootShape,
    still: FloatArray,
    time: float,
    footing: Footing,
    floor: float,
) -> FloatArray:
    """Turn (4,) of a sole onto the ground under it, from its hull where it is held (M, P, 3)."""
    front, rear = foot.sole & foot.front, foot.sole & ~foot.front
    height = placed[:, foot.sole, 2]
    flat = still / (1.0 + (np.ptp(height, axis=1) / (HOLDING.lying * footing.leg_length)) ** 2)
    best = int(np.argmax(flat))
    sole = placed[best][foot.sole]
    along = placed[best][front].mean(axis=0) - placed[best][rear].mean(axis=0)
    heading = rot.normalize(np.array([along[0], along[1], 0.0]))
    side = rot.cross(rot.UP, heading)
    from_rear = sole - placed[best][rear].mean(axis=0)
    stations = np.stack([from_rear @ heading, from_rear @ side], axis=1)
    start = stations.min(axis=0)
    size = np.maximum(np.ptp(stations, axis=0), HOLDING.least_sole * footing.leg_length)
    stations[:, 0] -= start[0]
    stations[:, 1] -= start[1] + 0.5 * size[1]
    ground = footing.find_heights(sole, np.full(len(sole), time), floor)
    rise = fit_planes(
        ground[None], stations / size, size[None], footing.tolerance, footing.max_rise
    )[0, 1:]
    normal = rot.normalize(rot.UP - rise[0] * heading - rise[1] * side)
    return rot.quaternions_from_arcs(_find_own_normal(sole, normal), normal)


def _find_own_normal(sole: FloatArray, normal: FloatArray) -> FloatArray:
    """What of the slope with a normal (3,) a sole (P, 3) has in its motion already, as a normal (3,).

    A foot that stands flat, or on tiptoe, has none. One that was captured on the slope has it all.
    """
    tilt = normal[:2] / normal[2]
    steep = float(tilt @ tilt)
    if steep < rot.TINY:
        return rot.UP
    around = sole - sole.mean(axis=0)
    fitted, *_ = np.linalg.lstsq(around[:, :2], around[:, 2], rcond=None)
    share = float(np.clip(-(fitted @ tilt) / steep, 0.0, 1.0))
    return rot.normalize(np.array([share * tilt[0], share * tilt[1], 1.0]))
