# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All steps of a walk: when each is, and between which prints (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, STRIKE, MotionTables
from ..times.planning import TimePlan
from ..times.source import SourcePoses, pose_source
from .records import PrintPlan, PrintRow
from .states import StepStates, read_leg_steps, stack_legs


@dataclass(frozen=True)
class StepPlan:
    """The steps of all legs, from which poses and states are read at any time.

    Attributes
    ----------
    tables
        The motions.
    times
        The time plan.
    prints
        Where the feet stand.
    keys
        Lift, off, strike, land of every step, L arrays of shape (K - 1, 4).
    ground
        Carries prints that stand on something that moves.
    """

    tables: MotionTables
    times: TimePlan
    prints: PrintPlan
    keys: tuple[FloatArray, ...]
    ground: Ground

    @property
    def first_steps(self) -> tuple[int, ...]:
        """Step number of each leg's first print."""
        return tuple(row.first for row in self.prints.rows)

    def read_source(self, times: FloatArray, carried: FloatArray | None = None) -> SourcePoses:
        """Blended poses at any times, shape (N,).

        They are placed where moving ground has carried them at the times ``carried``, shape (N,); None
        stands for the same times.
        """
        return pose_source(self.tables, self.times, self.keys, self.first_steps, times, carried)

    def read_states(self, times: FloatArray) -> StepStates:
        """Steps of all legs at any times, shape (N,)."""
        all_times = self.times.grid.sample(self.times.leg_times, times)
        legs = []
        for leg, row in enumerate(self.prints.rows):
            whole = np.floor(all_times[:, leg])
            steps = np.clip(whole.astype(np.intp) - row.first, 0, len(row.times) - 2)
            legs.append(self._read_leg(leg, steps, all_times[:, leg] - whole, times))
        return stack_legs(legs)

    def find_key_times(self, leg: int, key: int) -> FloatArray:
        """Seconds at which each step of a leg comes to one of its key times, shape (K - 1,)."""
        numbers = self.first_steps[leg] + np.arange(len(self.keys[leg]))
        return self._find_times(leg, self.keys[leg][:, key] + numbers)

    def find_flight_times(self, leg: int, steps: np.ndarray, shares: FloatArray) -> FloatArray:
        """Seconds at which steps of a leg have passed shares of their flight; all of one shape."""
        numbers = self.first_steps[leg] + steps
        return self._find_times(leg, self._find_leg_times(leg, steps, shares) + numbers)

    def read_flights(
        self, leg: int, steps: np.ndarray, shares: FloatArray, times: FloatArray
    ) -> StepStates:
        """Steps of one leg at shares of their flight.

        Parameters
        ----------
        leg
            Index of the leg.
        steps
            Index of each step, shape (n,).
        shares
            Share of its flight that has passed, shape (n,).
        times
            Seconds to which moving ground carries the prints, shape (n,).
        """
        states = self._read_leg(leg, steps, self._find_leg_times(leg, steps, shares), times)
        return replace(states, flight=shares)

    def measure_contacts(self, leg: int) -> FloatArray:
        """When a leg's foot comes down on its prints and when it leaves them, seconds, shape (K, 2).

        NaN where the foot stands from the beginning or to the end; a foot that stays on a print for
        several cycles leaves it once.
        """
        row = self.prints.rows[leg]
        numbers = np.arange(len(row.times))
        is_left = self.keys[leg][:, OFF] + row.first + numbers[:-1] <= self.times.leg_times[-1, leg]
        starts = np.append(np.nan, self.find_key_times(leg, STRIKE))
        ends = np.append(np.where(is_left, self.find_key_times(leg, OFF), np.nan), np.nan)
        # The last print of a stay is the one before the next that is not parked.
        fresh = np.append(np.flatnonzero(~row.parked), len(numbers))
        last = fresh[np.searchsorted(fresh, numbers, side="right")] - 1
        return np.stack([starts, ends[last]], axis=1)

    def _read_leg(
        self, leg: int, steps: np.ndarray, leg_times: FloatArray, times: FloatArray
    ) -> StepStates:
        row, keys = self.prints.rows[leg], self.keys[leg]
        return read_leg_steps(row, keys, steps, leg_times, times, self.ground)

    def _find_leg_times(self, leg: int, steps: np.ndarray, shares: FloatArray) -> FloatArray:
        off, strike = self.keys[leg][steps, OFF], self.keys[leg][steps, STRIKE]
        return off + (strike - off) * shares

    def _find_times(self, leg: int, leg_times: FloatArray) -> FloatArray:
        found = self.times.grid.find_crossings(self.times.leg_times[:, leg], leg_times.ravel())
        return found.reshape(leg_times.shape)


def find_step_keys(times: TimePlan, rows: Sequence[PrintRow]) -> tuple[FloatArray, ...]:
    """Lift, off, strike, land of every step between two prints, L arrays of shape (K - 1, 4)."""
    return tuple(
        times.step_key_times(leg, row.first + np.arange(len(row.times) - 1))
        for leg, row in enumerate(rows)
    )
