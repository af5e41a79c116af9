# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock of a drive, without windows: what time has passed is gone through in short steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil
from time import perf_counter

from ..limits import DRIVING


class DriveClock:
    """Keeps a walk at the time of the clock, however seldom the view is drawn.

    Parameters
    ----------
    read
        Gives the time in seconds.

    Attributes
    ----------
    lost
        Seconds that were left out, since the walk could not be brought up to them.
    """

    def __init__(self, read: Callable[[], float] = perf_counter) -> None:
        self._read = read
        self._reached = read()
        self.lost = 0.0

    def list_steps(self) -> Iterator[float]:
        """Seconds of each step from where the walk is to the present time; each is to be gone at once.

        What passes meanwhile counts next time. None where hardly any time has passed.
        """
        begun = self._read()
        waited = begun - self._reached
        if waited < 0.5 * DRIVING.interval:
            # A timer of someone else's: what has passed counts next time.
            return
        self._reached = begun
        left = min(waited, DRIVING.longest_lag)
        self.lost += waited - left
        step = left / ceil(left / DRIVING.interval - 1e-9)
        while left > 0.5 * step:
            if self._read() - begun > DRIVING.longest_work:
                # Where the steps take longer than they last, more of them would never end.
                self.lost += left
                return
            yield step
            left -= step
