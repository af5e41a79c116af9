# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A body's even motion over the ground, and clips without it (numpy only).

Only the *even* motion of a cycle is removed: speed ripple, sway and yaw wobble stay in the clip
(docs/method/motions.md, In place). The removal is rigid and acts on the bones without a parent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .clips import Clip
from .limits import IN_PLACE
from .periods import RecordedCycle, fit_rigid_turns


@dataclass(frozen=True)
class CycleTwist:
    """Even horizontal motion of a body through one cycle.

    Attributes
    ----------
    turn
        Yaw per cycle, radians.
    shift
        Where the place at the origin goes in a cycle, metres, shape (2,): p -> R(turn) p + shift.
    """

    turn: float
    shift: FloatArray

    @property
    def is_still(self) -> bool:
        """Whether the clip is in place."""
        return self.turn == 0.0 and not np.any(self.shift)

    @property
    def velocity(self) -> FloatArray:
        """Displacement per cycle of the place at the origin if it moves evenly, metres, shape (2,)."""
        if self.turn == 0.0:
            return self.shift
        centre = self.centre
        return np.asarray(-self.turn * np.array([-centre[1], centre[0]]))

    @property
    def centre(self) -> FloatArray:
        """The place that a turning motion leaves where it is, metres, shape (2,)."""
        return np.asarray(np.linalg.solve(np.eye(2) - _make_turn(self.turn), self.shift))

    def move(self, positions: FloatArray, shares: FloatArray) -> FloatArray:
        """Positions (n, ..., 3) carried along for ``shares`` (n,) of a cycle."""
        wide = shares.reshape((-1,) + (1,) * (positions.ndim - 2))
        moved = np.array(positions, dtype=np.float64)
        if self.turn == 0.0:
            moved[..., :2] += wide[..., None] * self.shift
            return moved
        cosine, sine = np.cos(self.turn * wide), np.sin(self.turn * wide)
        x, y = (
            (positions[..., :2] - self.centre)[..., 0],
            (positions[..., :2] - self.centre)[..., 1],
        )
        moved[..., 0] = self.centre[0] + cosine * x - sine * y
        moved[..., 1] = self.centre[1] + sine * x + cosine * y
        return moved

    def seen_from(self, yaw: float, place: FloatArray) -> CycleTwist:
        """The same motion in axes turned by ``yaw`` whose origin lies at ``place`` (2,)."""
        back = _make_turn(-yaw)
        moved = _make_turn(self.turn) @ place + self.shift
        return CycleTwist(self.turn, back @ (moved - place))


def _make_turn(angle: float) -> FloatArray:
    """Rotation matrix (2, 2)."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, -sine], [sine, cosine]])


def measure_twist(
    positions: FloatArray, choice: RecordedCycle, samples_per_key: float
) -> CycleTwist:
    """Rigid horizontal motion of all joints over one cycle.

    Parameters
    ----------
    positions
        Joint positions, metres, shape (S, B, 3), root motion included.
    choice
        The cycle.
    samples_per_key
        Samples in one authored key interval; an open cycle ends one of them after its last sample.

    Returns
    -------
    CycleTwist
        Nothing for an in-place clip (docs/method/motions.md, In place).
    """
    begin = _interpolate(positions, choice.start)
    if choice.mode == "open":
        key = min(max(1, round(samples_per_key)), choice.last - choice.first)
        end = positions[choice.last]
        turn = float(fit_rigid_turns(begin, end))
        before, after = positions[choice.last - key], positions[choice.first + key]
        turn += 0.5 * float(fit_rigid_turns(before, end) + fit_rigid_turns(begin, after))
        middle = np.mean(begin[:, :2], axis=0)
        first_step = np.mean(after[:, :2], axis=0) - middle
        last_step = np.mean(end[:, :2] - before[:, :2], axis=0)
        carried = _make_turn(float(fit_rigid_turns(begin, end))) @ first_step
        moved = np.mean(end[:, :2], axis=0) + 0.5 * (carried + last_step)
    else:
        end = _interpolate(positions, choice.start + choice.length)
        turn = float(fit_rigid_turns(begin, end))
        middle, moved = np.mean(begin[:, :2], axis=0), np.mean(end[:, :2], axis=0)
    distance = float(np.hypot(*(moved - middle)))
    if distance < IN_PLACE.least_shift * choice.size and abs(turn) < IN_PLACE.least_turn:
        return CycleTwist(0.0, np.zeros(2))
    if abs(turn) < IN_PLACE.straight_turn:
        return CycleTwist(0.0, moved - middle)
    return CycleTwist(turn, moved - _make_turn(turn) @ middle)


def _interpolate(values: FloatArray, place: float) -> FloatArray:
    """Row of ``values`` (S, ...) at a sample number that need not be whole."""
    place = min(max(place, 0.0), len(values) - 1.0)
    before = min(int(place), len(values) - 2)
    share = place - before
    return np.asarray(values[before] * (1.0 - share) + values[before + 1] * share)


def remove_twist(clip: Clip, parents: np.ndarray, twist: CycleTwist, shares: FloatArray) -> Clip:
    """The clip as seen from a body that moves evenly.

    Parameters
    ----------
    clip
        Any clip.
    parents
        The skeleton's parents, shape (B,).
    twist
        Even motion of one cycle.
    shares
        Cycles gone by at each sample of the clip, shape (S,).
    """
    if twist.is_still:
        return clip
    return _move_roots(
        clip, parents, -twist.turn * shares, lambda places: twist.move(places, -shares)
    )


def place_clip(clip: Clip, parents: np.ndarray, yaw: float, place: FloatArray) -> Clip:
    """The clip in axes turned by ``yaw`` radians whose origin lies at ``place`` (2,)."""
    back = _make_turn(-yaw)

    def move(places: FloatArray) -> FloatArray:
        moved = np.array(places)
        moved[..., :2] = (places[..., :2] - place) @ back.T
        return moved

    return _move_roots(clip, parents, np.full(len(clip.times), -yaw), move)


def _move_roots(
    clip: Clip,
    parents: np.ndarray,
    yaws: FloatArray,
    move: Callable[[FloatArray], FloatArray],
) -> Clip:
    """Turn and move the bones without a parent."""
    roots = np.flatnonzero(parents < 0)
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    turns = rot.quaternions_from_yaws(yaws)[:, None]
    rotations[:, roots] = rot.multiply(turns, clip.rotations[:, roots])
    translations[:, roots] = move(clip.translations[:, roots])
    return replace(clip, rotations=rotations, translations=translations)
