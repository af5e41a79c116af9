# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which step every leg is in at any time, and between which prints (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.columns import Columns
from ..maths.rotations import FloatArray, invert_matrices
from ..motions.tables import LAND, LIFT, OFF, STRIKE
from ..travel.carried import move_points
from .limits import STEPS
from .records import PrintRow

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Record = TypeVar("_Record", bound="DataclassInstance")


@dataclass(frozen=True)
class StepStates(Columns):
    """Steps of L legs at N times, or of one leg: then its arrays have no axis of legs.

    Attributes
    ----------
    leg_times
        Time in the step: 0 at the stance behind, 1 at the stance ahead, shape (N, L).
    steps
        Index of the step, which is that of the print behind it, shape (N, L).
    key_times
        Lift, off, strike, land of the step, shape (N, L, 4).
    flight
        Share of the flight that has passed, 0 before off and 1 after strike, shape (N, L).
    behind, ahead
        Heel ends of the prints, carried by moving ground to this time, world, metres, (N, L, 3).
    frames_behind, frames_ahead
        Frames of the prints, shape (N, L, 4).
    headings_behind, headings_ahead
        Their headings, radians, shape (N, L).
    standing
        Whether the foot stays where it is for the whole step, shape (N, L).
    """

    leg_times: FloatArray
    steps: np.ndarray
    key_times: FloatArray
    flight: FloatArray
    behind: FloatArray
    ahead: FloatArray
    frames_behind: FloatArray
    frames_ahead: FloatArray
    headings_behind: FloatArray
    headings_ahead: FloatArray
    standing: np.ndarray

    def pick(self, leg: int) -> StepStates:
        """Steps of one leg, arrays of shape (N, ...)."""
        return self.select((slice(None), leg))

    @property
    def in_contact(self) -> np.ndarray:
        """Whether the foot bears on a print, shape (N, L)."""
        return (self.flight <= 0.0) | (self.flight >= 1.0) | self.standing

    @property
    def roll_share(self) -> FloatArray:
        """Share of the time from lift to land that has passed, 0 to 1, shape (N, L)."""
        lift, land = self.key_times[..., LIFT], self.key_times[..., LAND]
        return np.clip((self.leg_times - lift) / np.maximum(land - lift, rot.TINY), 0.0, 1.0)


def read_leg_steps(
    row: PrintRow,
    keys: FloatArray,
    steps: np.ndarray,
    leg_times: FloatArray,
    times: FloatArray,
    ground: Ground,
) -> StepStates:
    """Steps of one leg, whose arrays have no axis of legs.

    Parameters
    ----------
    row
        Its prints, K of them.
    keys
        Lift, off, strike, land of its steps, shape (K - 1, 4).
    steps, leg_times
        Which steps, and the time in each, shapes (N,).
    times
        Seconds to which moving ground carries the prints, shape (N,).
    ground
        Carries prints that stand on something that moves.
    """
    ends = [carry_row(row, index, times, ground) for index in (steps, steps + 1)]
    (behind, frames_behind, headings_behind), (ahead, frames_ahead, headings_ahead) = ends
    key_times = keys[steps]
    off, strike = key_times[..., OFF], key_times[..., STRIKE]
    moved = np.abs(ahead - behind).max(axis=-1)
    turned = np.abs(headings_ahead - headings_behind)
    flight = np.clip((leg_times - off) / np.maximum(strike - off, rot.TINY), 0.0, 1.0)
    return StepStates(
        leg_times=leg_times,
        steps=steps,
        key_times=key_times,
        flight=flight,
        behind=behind,
        ahead=ahead,
        frames_behind=frames_behind,
        frames_ahead=frames_ahead,
        headings_behind=headings_behind,
        headings_ahead=headings_ahead,
        standing=(moved < STEPS.same_place) & (turned < STEPS.same_place),
    )


def stack_legs(records: Sequence[_Record]) -> _Record:
    """Join records of one leg each, whose arrays are (N, ...), to one of all legs, (N, L, ...)."""
    first = records[0]
    return replace(
        first,
        **{e.name: _stack_columns([getattr(r, e.name) for r in records]) for e in fields(first)},
    )


def _stack_columns(columns: list[FloatArray]) -> FloatArray:
    """Join per-leg arrays (N, ...) to (N, L, ...), stored with components first."""
    if columns[0].ndim == 1:
        return np.stack(columns, axis=0).T
    stacked = np.stack([np.moveaxis(c, -1, 0) for c in columns], axis=1)
    return np.moveaxis(np.moveaxis(stacked, 0, -1), 0, 1)


def carry_prints(
    ground: Ground,
    surfaces: np.ndarray,
    stance_times: FloatArray,
    times: FloatArray,
    prints: tuple[FloatArray, FloatArray, FloatArray],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Prints at other times than their stance, moved along by the surface that bears them.

    Parameters
    ----------
    ground
        Knows how its surfaces move.
    surfaces
        Surface of each print, -1 for none, shape (N,).
    stance_times, times
        Seconds, shape (N,).
    prints
        Positions (N, 3), frames (N, 4) and headings (N,).

    Returns
    -------
    positions, frames, headings
        print(t) = M(t) M(stance)^-1 print (docs/method/prints.md, Moving ground).
    """
    positions, frames, headings = (column.copy() for column in prints)
    for surface in sorted(ground.moving_surfaces()):
        borne = np.flatnonzero(surfaces == surface)
        if len(borne) == 0:
            continue
        then = ground.surface_frames(surface, stance_times[borne])
        now = ground.surface_frames(surface, times[borne])
        motion = now @ invert_matrices(then)
        turn = rot.quaternions_from_matrices(rot.orthonormalize(motion[:, :3, :3]))
        positions[borne] = move_points(motion, positions[borne])
        old = frames[borne]
        frames[borne] = rot.multiply(turn, old)
        headings[borne] += rot.wrap_angles(_find_headings(frames[borne]) - _find_headings(old))
    return positions, frames, headings


def _find_headings(frames: FloatArray) -> FloatArray:
    """Headings (N,) that frames (N, 4) have before they are tilted to their normals, radians."""
    tilts = rot.quaternions_from_arcs(rot.UP, rot.rotate(frames, rot.UP))
    flat = rot.multiply(rot.conjugate(tilts), frames)
    return np.asarray(2.0 * np.arctan2(flat[:, 3], flat[:, 0]))


def carry_row(
    row: PrintRow, index: np.ndarray, times: FloatArray, ground: Ground
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Prints of a row, by their indices (N,), carried to times (N,); see `carry_prints`."""
    prints = (row.positions[index], row.frames[index], row.headings[index])
    return carry_prints(ground, row.surfaces[index], row.times[index], times, prints)
