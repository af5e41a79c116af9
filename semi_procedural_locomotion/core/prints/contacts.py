# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When the footprints of a plan bear (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from ..motions.tables import OFF, STRIKE
from ..times.planning import TimePlan
from .records import PrintRow


def measure_contacts(
    times: TimePlan, row: PrintRow, keys: FloatArray, leg: int
) -> tuple[FloatArray, FloatArray]:
    """When a leg's foot comes down on its prints and when it leaves them.

    Parameters
    ----------
    times
        The time plan.
    row, keys
        Prints of the leg (K), and lift, off, strike, land of its steps, shape (K - 1, 4).
    leg
        Index of the leg.

    Returns
    -------
    starts, ends
        Seconds, shapes (K,). NaN where the foot stands from the beginning or to the end; a foot that
        stays on a print for several cycles leaves it once.
    """
    count = len(row.times)
    leg_times = times.leg_times[:, leg]
    numbers = row.first + np.arange(count - 1)
    strikes = times.grid.find_crossings(leg_times, numbers + keys[:, STRIKE])
    offs = times.grid.find_crossings(leg_times, numbers + keys[:, OFF])
    offs[numbers + keys[:, OFF] > leg_times[-1]] = np.nan
    starts = np.concatenate([[np.nan], strikes])
    # The last print of a stay is the one before the next that is not parked.
    fresh = np.append(np.flatnonzero(~row.parked), count)
    ends = np.full(count, np.nan)
    stays = np.searchsorted(fresh, np.arange(count), side="right")
    last = fresh[np.minimum(stays, len(fresh) - 1)] - 1
    leaves = last < count - 1
    ends[leaves] = offs[last[leaves]]
    return starts, ends
