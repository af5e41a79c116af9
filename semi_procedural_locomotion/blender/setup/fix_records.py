# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an action with planted feet keeps: its numbers before and after, and its contacts as markers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import bpy

from ..values.bake_record import find_playing_action, is_bake_of, read_record
from ..values.custom_keys import FIX_KEY
from ..values.schema import find_kept

STRIKE, OFF = "Strike", "Off"


@dataclass(frozen=True)
class FixRecord:
    """Numbers of a cleaned action.

    Attributes
    ----------
    before, after
        Numbers of a report by their names.
    worst_frame
        Scene frame of the worst number after.
    """

    before: dict[str, float]
    after: dict[str, float]
    worst_frame: int


def is_cleaned(armature: bpy.types.Object) -> bool:
    """Whether an armature plays its own motion, cleaned."""
    action, _ = find_playing_action(armature)
    return action is not None and is_bake_of(armature, action) and read_record(action).cleans


def write_fix(armature: bpy.types.Object, action: bpy.types.Action, record: FixRecord) -> None:
    """Keep the numbers on the action, and show those after in the character's report."""
    action[FIX_KEY] = {"before": json.dumps(record.before), "after": json.dumps(record.after)}
    report = armature.locomotion.report
    report.worst_frame = record.worst_frame
    report.values = json.dumps(record.after)


def read_before(armature: bpy.types.Object) -> str:
    """The numbers before the cleaning as `list_report_rows` reads them; empty where there are none."""
    if not is_cleaned(armature):
        return ""
    action, _ = find_playing_action(armature)
    kept = find_kept(action, FIX_KEY)
    return "" if kept is None else str(kept["before"])


def read_marked_stances(
    action: bpy.types.Action, legs: Sequence[str]
) -> list[list[tuple[int, int]]]:
    """First and last frame of the stances of legs, by the markers of an action.

    A stance goes from a strike to the first off after it; what has no partner counts for nothing.
    """
    found = []
    for leg in legs:
        events = sorted(
            (marker.frame, marker.name == f"{leg} {OFF}")
            for marker in action.pose_markers
            if marker.name in (f"{leg} {STRIKE}", f"{leg} {OFF}")
        )
        rows: list[tuple[int, int]] = []
        start: int | None = None
        for frame, is_off in events:
            if is_off and start is not None and frame > start:
                rows.append((start, frame))
            start = None if is_off else frame
        found.append(rows)
    return found
