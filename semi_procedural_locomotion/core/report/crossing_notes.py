# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was changed so that feet keep clear of each other, in words (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths.rotations import FloatArray
from ..plan import WalkPlan

# Smaller changes are not worth a word: factor of the step rate, share of the leg.
_QUICKER = 1.1
_MOVED = 0.02
_CROWDED = 0.01


def describe_crossings(
    plan: WalkPlan, leg_names: Sequence[str], start: float, end: float
) -> list[str]:
    """Words for what was changed to keep neighbouring feet apart, and for where it did not suffice.

    Parameters
    ----------
    plan
        The walk.
    leg_names
        Names of its legs.
    start, end
        Range of interest, seconds.

    Returns
    -------
    list of str
        At most one line for each kind of change and each leg; empty where nothing was changed.
    """
    notes = _describe_rates(plan, start, end)
    for leg, name in enumerate(leg_names):
        notes += _describe_prints(plan, leg, name, start, end)
        notes += _describe_swings(plan, leg, name, start, end)
    return notes


def _describe_rates(plan: WalkPlan, start: float, end: float) -> list[str]:
    """One line where side steps are quicker than the motions ask for."""
    times = plan.times.grid.times
    factor = np.where((times >= start) & (times <= end), plan.times.quickened, 1.0)
    quick = np.flatnonzero(factor > _QUICKER)
    if len(quick) == 0:
        return []
    percent = 100.0 * (factor.max() - 1.0)
    return [
        f"side steps and turns between {times[quick[0]]:.2f} and {times[quick[-1]]:.2f} s are up to "
        f"{percent:.0f} % quicker and shorter than the motions have them, so that no legs cross: "
        "travel slower there, or add a motion that goes that way"
    ]


def _describe_prints(plan: WalkPlan, leg: int, name: str, start: float, end: float) -> list[str]:
    """Lines for prints of a leg that were moved, and for those that are still too near."""
    row, length = plan.prints.rows[leg], plan.tables.rig.leg_length
    inside = (row.times >= start) & (row.times <= end) & ~row.parked
    notes = []
    moved = np.flatnonzero(inside & (row.parted > _MOVED * length))
    if len(moved):
        notes.append(
            f"{_count(moved, 'step')} of leg {name!r} from {row.times[moved[0]]:.2f} s on "
            f"{_stand(moved)} up to {_write_length(row.parted[moved])} further out, clear of its "
            "partner"
        )
    near = np.flatnonzero(inside & (row.crowded > _CROWDED * length))
    if len(near):
        worst = near[int(np.argmax(row.crowded[near]))]
        notes.append(
            f"{_count(near, 'step')} of leg {name!r} {_stand(near)} too near to its partner's, worst "
            f"at {row.times[worst]:.2f} s by {_write_length(row.crowded[worst : worst + 1])}: turn "
            "less sharply, or travel slower there"
        )
    return notes


def _describe_swings(plan: WalkPlan, leg: int, name: str, start: float, end: float) -> list[str]:
    """One line for swings of a leg that are led around its partner's foot."""
    if leg >= len(plan.asides):
        return []
    row, length = plan.prints.rows[leg], plan.tables.rig.leg_length
    ways = np.hypot(*plan.asides[leg].T)
    middle = plan.times.grid.find_crossings(
        plan.times.leg_times[:, leg], row.first + np.arange(len(ways)) + 0.5
    )
    led = np.flatnonzero((ways > _MOVED * length) & (middle >= start) & (middle <= end))
    if len(led) == 0:
        return []
    return [
        f"{_count(led, 'swing')} of leg {name!r} from {middle[led[0]]:.2f} s on "
        f"{'is' if len(led) == 1 else 'are'} led around the partner's foot by up to "
        f"{_write_length(ways[led])}"
    ]


def _count(found: np.ndarray, what: str) -> str:
    """A number of things."""
    return f"{len(found)} {what}" + ("" if len(found) == 1 else "s")


def _stand(found: np.ndarray) -> str:
    """The verb for a number of steps."""
    return "stands" if len(found) == 1 else "stand"


def _write_length(lengths: FloatArray) -> str:
    """The largest of some lengths with its unit."""
    return f"{float(np.max(lengths)):.3g} m"
