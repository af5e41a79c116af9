# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was steered so far, as a travel and as prints (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..maths.rotations import FloatArray
from ..travel.way import Travel
from .soles import Soles
from .state import SteeringState


@dataclass(frozen=True)
class PredictedPrint:
    """Record of where a foot stood while it was steered.

    Attributes
    ----------
    leg
        Index of the leg.
    time
        Its stance, seconds.
    position, frame
        As of `StoodSoles`, shapes (3,) and (4,).
    """

    leg: int
    time: float
    position: FloatArray
    frame: FloatArray


@dataclass
class Recording:
    """States of a drive, each noted once.

    Attributes
    ----------
    prints
        Where feet stood, in the order of their strikes.
    """

    prints: list[PredictedPrint] = field(default_factory=list)
    _times: list[float] = field(default_factory=list)
    _places: list[FloatArray] = field(default_factory=list)
    _yaws: list[float] = field(default_factory=list)
    _crouching: list[float] = field(default_factory=list)
    _behind: Soles | None = None

    def note(self, state: SteeringState) -> None:
        """Add a state that is later than all before."""
        body = state.body
        self._times.append(body.time)
        self._places.append(np.array([*body.position, state.level]))
        self._yaws.append(body.yaw)
        self._crouching.append(state.crouching)
        known = self._behind
        for leg in range(len(state.legs.own)):
            place = state.behind.positions[leg]
            if known is None or not np.array_equal(place, known.positions[leg]):
                self.prints.append(PredictedPrint(leg, body.time, place, state.behind.frames[leg]))
        self._behind = state.behind

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self._times[-1] - self._times[0] if self._times else 0.0

    def read_crouching(self, times: FloatArray) -> FloatArray:
        """Read how far it crouched at times (N,), 0 to 1."""
        return np.interp(times, self._times, self._crouching)

    def make_travel(self) -> Travel:
        """The way so far; its heights are those of the ground under the body."""
        return Travel(
            np.array(self._times),
            np.array(self._places).reshape(-1, 3),
            np.array(self._yaws),
        )


def sample_frames(
    travel: Travel, frames: Sequence[int] | np.ndarray, rate: float
) -> tuple[FloatArray, FloatArray]:
    """Places (N, 3) and headings (N,) of a recorded way at scene frames (N,); its ends are held."""
    times = np.clip(np.asarray(frames, dtype=np.float64) / rate, travel.start, travel.end)
    return travel.evaluate(times)
