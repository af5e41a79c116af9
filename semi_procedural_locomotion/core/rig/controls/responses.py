# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How joints went along when controls were moved a little, one at a time (numpy only).

docs/method/controls.md, Moves and shares, has the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from .limits import PROBE

LIFT, DROP, TURN, BACK = range(4)
"""Moves of a control: shifted up, ahead and aside; shifted the other way; turned; turned back."""

MOVES = 4


@dataclass(frozen=True)
class Responses:
    """What C controls did to T joints in each of the four moves.

    Attributes
    ----------
    controls
        Names, length C.
    step
        Length by which a control is shifted, in the units of the places.
    own_turns
        Radians by which the control itself turned, shape (C, 4); 0 where it is not free to.
    shifts
        Way of the head of each joint, shape (C, 4, T, 3).
    turns
        Rotation vector of each joint, radians, shape (C, 4, T, 3).
    wanted
        Way of the head of each joint if it were one piece with the control, shape (C, 4, T).
    astray
        Distance of that place from where the head is, shape (C, 4, T).
    misturned
        Radians by which the joint has turned otherwise than the control, shape (C, 4, T).
    own_swings
        Radians by which the control turned otherwise than about the joint's own length, shape
        (C, 4, T).
    misswung
        The same of what the joint has turned otherwise than the control, shape (C, 4, T).
    """

    controls: tuple[str, ...]
    step: float
    own_turns: FloatArray
    shifts: FloatArray
    turns: FloatArray
    wanted: FloatArray
    astray: FloatArray
    misturned: FloatArray
    own_swings: FloatArray
    misswung: FloatArray

    def share_places(self, move: int) -> FloatArray:
        """How nearly the joints' heads went with the controls in a move, 0 to 1, shape (C, T).

        0 where the head would hardly move.
        """
        wanted, astray = self.wanted[:, move], self.astray[:, move]
        least = PROBE.telling * self.step
        return np.where(wanted > least, np.clip(1.0 - astray / np.maximum(wanted, least), 0, 1), 0)

    def share_turns(self) -> FloatArray:
        """How nearly the joints turned as the controls did, the worse of both ways, shape (C, T)."""
        return _share(self.own_turns[..., None], self.misturned)

    def share_swings(self) -> FloatArray:
        """The same but for twists about the joints' own length, shape (C, T).

        Control rigs spread such twists over the halves of a limb.
        """
        return _share(self.own_swings, self.misswung)

    def measure_shifts(self, move: int) -> FloatArray:
        """Way of the joints' heads in a move, in steps, shape (C, T)."""
        return rot.lengths(self.shifts[:, move]) / self.step

    def measure_turns(self, move: int) -> FloatArray:
        """Turn of the joints in a move, as a share of the usual turn of a control, shape (C, T)."""
        return rot.lengths(self.turns[:, move]) / PROBE.turn


def compute_responses(
    controls: tuple[str, ...],
    step: float,
    own_before: FloatArray,
    own_after: FloatArray,
    before: FloatArray,
    after: FloatArray,
) -> Responses:
    """How joints went along, from matrices of bones.

    Parameters
    ----------
    controls
        Names, length C.
    step
        Length by which a control is shifted.
    own_before, own_after
        Matrices of the controls, shapes (C, 4, 4) and (C, 4, 4, 4): one for each move.
    before, after
        Matrices of the joints, shapes (T, 4, 4) and (C, 4, T, 4, 4).
    """
    heads = before[:, :3, 3]
    axes = rot.orthonormalize(before[:, :3, :3])
    own_axes = rot.orthonormalize(own_before[:, :3, :3])
    own = rot.orthonormalize(own_after[..., :3, :3]) @ own_axes[:, None].swapaxes(-1, -2)
    joints = rot.orthonormalize(after[..., :3, :3]) @ axes.swapaxes(-1, -2)
    arms = heads - own_before[:, None, :3, 3]
    carried = own_after[:, :, None, :3, 3] + np.einsum("cmij,ctj->cmti", own, arms)
    shifts = after[..., :3, 3] - heads
    lines = axes[..., 1]
    own_vectors, apart = (
        _read_vectors(own),
        _read_vectors(joints @ own[:, :, None].swapaxes(-1, -2)),
    )
    return Responses(
        controls=controls,
        step=step,
        own_turns=rot.lengths(own_vectors),
        shifts=shifts,
        turns=_read_vectors(joints),
        wanted=rot.lengths(carried - heads),
        astray=rot.lengths(carried - after[..., :3, 3]),
        misturned=rot.lengths(apart),
        own_swings=rot.lengths(_take_across(own_vectors[:, :, None], lines)),
        misswung=rot.lengths(_take_across(apart, lines)),
    )


def _read_vectors(matrices: FloatArray) -> FloatArray:
    """Rotation vectors (..., 3) of rotation matrices (..., 3, 3)."""
    quaternions = rot.quaternions_from_matrices(matrices)
    sine = rot.lengths(quaternions[..., 1:])
    angle = 2.0 * np.arctan2(sine, quaternions[..., 0])
    return quaternions[..., 1:] * (angle / np.maximum(sine, 1e-12))[..., None]


def _take_across(vectors: FloatArray, lines: FloatArray) -> FloatArray:
    """The part of vectors (..., T, 3) that is across unit vectors (T, 3)."""
    return vectors - rot.dot(vectors, lines)[..., None] * lines


def _share(own: FloatArray, wrong: FloatArray) -> FloatArray:
    """Share of turns that is not wrong, the worse of both ways, 0 where the control hardly turns."""
    least = PROBE.telling * PROBE.turn
    own, wrong = own[:, TURN : BACK + 1], wrong[:, TURN : BACK + 1]
    shares = np.clip(1.0 - wrong / np.maximum(own, least), 0.0, 1.0)
    return np.asarray(np.where(own > least, shares, 0.0).min(axis=1))
