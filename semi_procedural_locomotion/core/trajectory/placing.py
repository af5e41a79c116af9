# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where changes put hips and feet, and how they move with each number (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import KNOTS
from .records import MOVES, Hips, Steps
from .rockers import find_rocks
from .splines import read_bumps

HEIGHT, PITCH, ROLL = range(3)


def place_hips(hips: Hips, values: FloatArray, arms: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Hip joints of a changed body.

    Parameters
    ----------
    hips
        Without the change.
    values
        Height, nose down and left side up of the body, the last two as ways of its outermost hips,
        shape (..., 3).
    arms
        How far out these are, shape (3,); 0 where the body does not turn so.

    Returns
    -------
    places, slopes
        World, shape (..., 3), and their derivatives by the three, shape (..., 3, 3).
    """
    turning = np.where(arms > 0.0, 1.0 / np.maximum(arms, 1e-12), 0.0)
    pitch, roll = values[..., PITCH] * turning[PITCH], values[..., ROLL] * turning[ROLL]
    turn = pitch[..., None] * hips.left + roll[..., None] * hips.ahead
    angle = rot.lengths(turn)
    axis = turn / np.maximum(angle, 1e-12)[..., None]
    turned = rot.rotate(rot.quaternions_from_axis_angles(axis, angle), hips.arms)
    up = np.broadcast_to(rot.UP, turned.shape)
    places = hips.pivots + turned + values[..., :1] * up
    swing = [
        rot.cross(_turn_axes(axis, angle, own), turned) * share
        for own, share in ((hips.left, turning[PITCH]), (hips.ahead, turning[ROLL]))
    ]
    return places, np.stack([up, *swing], axis=-2)


def _turn_axes(axis: FloatArray, angle: FloatArray, change: FloatArray) -> FloatArray:
    """Axis about which a turn by an axis times its angle goes on as that vector changes, (..., 3)."""
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    first = np.where(small, 0.5 * angle, (1.0 - np.cos(safe)) / safe)
    second = np.where(small, angle * angle / 6.0, 1.0 - np.sin(safe) / safe)
    once = rot.cross(axis, change)
    return change + first[..., None] * once + second[..., None] * rot.cross(axis, once)


def read_moves(shares: FloatArray) -> FloatArray:
    """Bumps of a foot's way at shares of its flight (...), shape (..., n)."""
    return read_bumps(shares, KNOTS.flight)


def read_pitches(times: FloatArray, spans: FloatArray) -> FloatArray:
    """Bumps of a foot's pitch.

    Parameters
    ----------
    times
        Seconds, shape (...).
    spans
        See `Steps.spans`, broadcastable to (..., 4).

    Returns
    -------
    array, shape (..., n)
    """
    begin, end = spans[..., 0], spans[..., 3]
    return read_bumps((times - begin) / np.maximum(end - begin, 1e-9), KNOTS.pitch)


def list_samples() -> tuple[FloatArray, np.ndarray, slice]:
    """Instants of a step: shares of the part of its span that each is in, the part, those in flight."""
    counts = (KNOTS.rolling, KNOTS.samples, KNOTS.rolling)
    shares = np.concatenate([(np.arange(count) + 0.5) / count for count in counts])
    parts = np.repeat(np.arange(3), counts)
    return shares, parts, slice(counts[0], counts[0] + counts[1])


class FootBumps:
    """Bumps of all numbers of F steps at their instants.

    Parameters
    ----------
    steps
        The steps.
    """

    def __init__(self, steps: Steps) -> None:
        shares, _, flying = list_samples()
        moves = np.zeros((len(shares), KNOTS.flight - 1))
        moves[flying] = read_moves(shares[flying])
        self.moves = moves * steps.free[..., None]
        self.pitches = read_pitches(steps.times, steps.spans[:, None])
        self.pitches = self.pitches * (steps.pitches[:, None] * steps.free)[..., None]
        ends = read_pitches(steps.spans[:, 1:3], steps.spans[:, None])
        self.ends = ends * steps.pitches[:, None, None]
        self.split = MOVES * moves.shape[1]
        self.count = self.split + self.pitches.shape[2]

    def read(self, numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Ways (F, S, 2) and pitches (F, S) of numbers (F, n)."""
        ways = numbers[:, : self.split].reshape(len(numbers), MOVES, self.split // MOVES)
        pitches = np.einsum("fsk,fk->fs", self.pitches, numbers[:, self.split :])
        return np.einsum("fsk,fck->fsc", self.moves, ways), pitches

    def expand(self, slopes: FloatArray, rows: np.ndarray | slice, part: slice) -> FloatArray:
        """Derivatives by all numbers (G, I, ..., n) of those by ways and pitch (G, I, ..., 3).

        Parameters
        ----------
        slopes
            By the two ways and the pitch.
        rows, part
            Which steps, and which of their instants.
        """
        shape = slopes.shape[:-1]
        middle = (1,) * (len(shape) - 2)
        moves = self.moves[rows][:, part]
        moves = moves.reshape(*moves.shape[:2], *middle, moves.shape[2])
        pitches = self.pitches[rows][:, part]
        pitches = pitches.reshape(*pitches.shape[:2], *middle, pitches.shape[2])
        result = np.empty((*shape, self.count))
        width = self.moves.shape[2]
        for way in range(MOVES):
            result[..., way * width : (way + 1) * width] = slopes[..., way, None] * moves
        result[..., self.split :] = slopes[..., MOVES, None] * pitches
        return result


def place_feet(
    steps: Steps, ways: FloatArray, pitches: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Ankles of changed feet.

    Parameters
    ----------
    steps
        F steps at S instants.
    ways, pitches
        Their changes, shapes (F, S, 2) and (F, S).

    Returns
    -------
    ankles, slopes
        World, shape (F, S, 3), and their derivatives by the two ways and the pitch, (F, S, 3, 3).
    """
    rocks, rocking = find_rocks(steps.points, steps.bearings, steps.widths, pitches)
    up = np.broadcast_to(rot.UP, steps.ankles.shape)
    along = np.broadcast_to(steps.along[:, None], up.shape)
    moved = ways[..., 0, None] * along + ways[..., 1, None] * up
    rocked = rocks[..., 0, None] * steps.fronts + rocks[..., 1, None] * steps.ups
    rolls = rocking[..., 0, None] * steps.fronts + rocking[..., 1, None] * steps.ups
    return steps.ankles + moved + rocked, np.stack([along, up, rolls], axis=-2)


def find_arms(arms: FloatArray, ahead: FloatArray, left: FloatArray, least: float) -> FloatArray:
    """What channels of a body turn about, see `Problem.arms`, shape (3,).

    Parameters
    ----------
    arms
        From the middle of all hips to each of L, shape (G, L, 3).
    ahead, left
        Of the body, shape (G, 3).
    least
        Below which no hips are apart.
    """
    out = [float(np.abs(rot.dot(arms, axis[:, None])).max()) for axis in (ahead, left)]
    return np.array([1.0, *(arm if arm > least else 0.0 for arm in out)])
