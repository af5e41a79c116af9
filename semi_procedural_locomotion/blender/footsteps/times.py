# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When footsteps bear, as kept on their objects."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.footsteps.timing import StepTiming
from ..limits import FOOTSTEP


def set_step_time(item: bpy.types.Object, time: float | None) -> None:
    """Keep when the foot stands on a footstep, seconds."""
    data = item.locomotion_footstep
    data.has_time = time is not None
    data.time = 0.0 if time is None else time


def set_step_contact(item: bpy.types.Object, start: float, end: float) -> None:
    """Keep when the last plan brings a foot down on a footstep and lifts it, seconds; NaN for never.

    Only what changes is written, so that nothing is evaluated again without need.
    """
    data = item.locomotion_footstep
    known = bool(np.isfinite(start))
    duration = float(end - start) if known and np.isfinite(end) else 0.0
    begin = float(start) if known else 0.0
    if data.has_start != known:
        data.has_start = known
    if abs(data.planned_start - begin) > FOOTSTEP.same_time:
        data.planned_start = begin
    if abs(data.planned_duration - duration) > FOOTSTEP.same_time:
        data.planned_duration = duration


def read_step_timing(item: bpy.types.Object) -> StepTiming:
    """When a footstep bears as far as that was set by hand."""
    data = item.locomotion_footstep
    return StepTiming(
        start=float(data.own_start) if data.has_own_start else None,
        duration=float(data.own_duration) if data.has_own_duration else None,
    )


def reset_step_timing(item: bpy.types.Object) -> None:
    """Let a footstep bear again when the walk has it."""
    item.locomotion_footstep.has_own_start = False
    item.locomotion_footstep.has_own_duration = False
