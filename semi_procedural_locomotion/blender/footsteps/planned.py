# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of the plan that footsteps were made from, kept with them so that it can be walked again."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import bpy
import numpy as np

from ...core.footsteps.layout import LaidStep
from ...core.footsteps.planned import PlannedStep, PlannedWay
from ...core.maths.rotations import FloatArray
from ..values.schema import read_kept

# Time, place, heading and phase.
_COLUMNS = 6


def write_planned_way(armature: bpy.types.Object, way: PlannedWay | None) -> None:
    """Keep a way on a character; None for none."""
    data = armature.locomotion
    if way is None:
        data.footsteps_way = ""
        return
    table = np.column_stack([way.times, way.positions, way.yaws, way.phases])
    packed = base64.b64encode(zlib.compress(table.astype("<f8").tobytes())).decode()
    data.footsteps_way = json.dumps(
        {"shown": way.shown, "factor": way.factor, "samples": len(table), "table": packed}
    )


def read_planned_way(armature: bpy.types.Object) -> PlannedWay | None:
    """The way that is kept on a character, None for none."""
    text = armature.locomotion.footsteps_way
    way: PlannedWay | None = read_kept(armature.name, "way", text, _unpack) if text else None
    return way


def _unpack(kept: dict[str, Any]) -> PlannedWay:
    """A way as `write_planned_way` has packed it."""
    packed, size = base64.b64decode(kept["table"]), 8 * _COLUMNS * kept["samples"]
    # Text that is packed well may be any number of times as long.
    unpacked = zlib.decompressobj().decompress(packed, size + 1)
    table = np.frombuffer(unpacked, "<f8").reshape(kept["samples"], _COLUMNS).astype(np.float64)
    if not np.isfinite(table).all() or not len(table):
        raise ValueError("no numbers")
    return PlannedWay(
        times=table[:, 0],
        positions=table[:, 1:4],
        yaws=table[:, 4],
        phases=table[:, 5],
        shown=kept["shown"],
        factor=kept["factor"],
    )


def write_planned_step(item: bpy.types.Object, step: LaidStep, time: float) -> None:
    """Keep on a footstep where and when a plan has it."""
    data = item.locomotion_footstep
    data.has_way, data.way_time = True, time
    data.way_place = (*step.middle, step.heading)


def read_planned_step(item: bpy.types.Object, leg: int) -> PlannedStep | None:
    """Where and when a plan had a footstep of a leg, None for one of the user's own."""
    data = item.locomotion_footstep
    if not data.has_way:
        return None
    place: FloatArray = np.array(data.way_place, dtype=np.float64)
    return PlannedStep(LaidStep(leg, place[:3], float(place[3])), float(data.way_time))
