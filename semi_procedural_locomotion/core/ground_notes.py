# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about the ground of a walk, in words (numpy only)."""

from __future__ import annotations

import numpy as np

from .plan import WalkPlan

# Ground farther than this from the start, in lengths of the leg, was hardly meant.
_FAR = 3.0


def describe_far_ground(plan: WalkPlan, first: float) -> tuple[str, ...]:
    """A line where the walk begins far above or below the place that was given as its start.

    Parameters
    ----------
    plan
        The walk.
    first
        When it begins, seconds.
    """
    heights = []
    for row in plan.prints.rows:
        begun = np.flatnonzero(row.found & (row.times >= first))
        if len(begun):
            heights.append(row.positions[begun[0], 2])
    if not heights:
        return ()
    positions, _ = plan.travel.evaluate(np.array([first]))
    away = float(np.median(heights) - positions[0, 2])
    length = plan.tables.rig.leg_length
    if abs(away) <= _FAR * length:
        return ()
    side = "above" if away > 0 else "below"
    return (
        f"the ground at the start lies {abs(away):.3g} m {side} the character, "
        f"{abs(away) / length:.0f} lengths of its leg: move the character to the ground, "
        "or choose the ground that is meant",
    )
