# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about the choices of a walk, in words (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..motions.records import MotionGroup
from ..plan import WalkPlan


def describe_weightless_groups(
    groups: Sequence[MotionGroup], frames: np.ndarray, rate: float
) -> tuple[str, ...]:
    """A line where no group of motions has any weight.

    Parameters
    ----------
    groups
        All groups of the walk's motions.
    frames
        Frames of the walk, counted from frame 0 of its clock, shape (N,).
    rate
        Frames a second.
    """
    times = frames / rate
    shares = [np.interp(times, g.weight_times, g.weights) for g in groups]
    empty = np.flatnonzero(np.max(shares, axis=0) <= 0.0)
    if not len(empty):
        return ()
    where = f"from frame {frames[empty[0]]:.0f} on"
    if len(empty) == len(frames):
        where = "all along"
    elif empty[-1] < len(frames) - 1:
        where = f"at frames {frames[empty[0]]:.0f} to {frames[empty[-1]]:.0f}"
    return (
        f"all Groups of the ticked motions weigh 0 {where}, so that the slowest walk plays alone: "
        "give one of them a Weight above 0",
    )


def describe_short_walk(
    plan: WalkPlan, frames: tuple[int, int], scene_end: int, rate: float
) -> tuple[str, ...]:
    """A line where a walk straight on starts so late that the scene ends within its first cycle.

    Parameters
    ----------
    plan
        The walk.
    frames
        First and last frame of the walk.
    scene_end
        Last frame of the scene.
    rate
        Frames a second.
    """
    first, last = frames
    if (last - first) / rate >= plan.tables.cycles.slowest_period:
        return ()
    return (
        f"the walk starts at the present frame, {first}, and the scene ends at {scene_end}, within its "
        "first cycle: go to the frame where it shall start, or raise the scene's End, and bake again",
    )
