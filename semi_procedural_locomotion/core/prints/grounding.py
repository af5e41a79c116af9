# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of prints put on the ground (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..times.planning import TimePlan
from .balance import measure_swept
from .climbing import find_stance_lead, find_times_ahead
from .fits import FootholdRules, SoleRequest
from .records import PrintRow
from .rises import share_rises
from .standing import limit_shifts, stand_soles


def ground_rows(
    tables: MotionTables,
    rows: Sequence[PrintRow],
    times: TimePlan,
    levels: FloatArray,
    ground: Ground,
    rules: FootholdRules,
) -> list[PrintRow]:
    """Put prints on the ground, so that partners share the rises of steep steps.

    Parameters
    ----------
    tables
        The motions.
    rows
        Prints of each leg where the motions and the body's way have them, L of them.
    times
        The time plan.
    levels
        Height of the ground that the body walks on, on the plan's grid, metres, shape (G,).
    ground, rules
        What to stand on, and what counts as ground.
    """

    def ground_row(leg: int, row: PrintRow) -> PrintRow:
        return _ground_row(tables, row, times, levels, leg, ground, rules)

    grounded = [ground_row(leg, row) for leg, row in enumerate(rows)]
    # On what moves heights of prints at different times are no rises.
    if not rules.search or ground.moving_surfaces():
        return grounded
    for leg, way in enumerate(share_rises(tables.rig, rows, grounded, ground_row)):
        if np.any(way):
            grounded[leg] = ground_row(leg, rows[leg].move_along(way))
    return grounded


def _ground_row(
    tables: MotionTables,
    row: PrintRow,
    times: TimePlan,
    levels: FloatArray,
    leg: int,
    ground: Ground,
    rules: FootholdRules,
) -> PrintRow:
    """Put the prints of one leg on the ground."""
    own = np.flatnonzero(~row.parked)
    source = np.maximum.accumulate(np.where(row.parked, 0, np.arange(len(row.times))))
    request = SoleRequest(
        heels=row.positions[own, :2],
        headings=row.headings[own],
        times=row.times[own],
        levels=_find_levels(tables, times, levels, row.times[own], leg, ground),
        length=float(tables.rig.foot_lengths[leg]),
        width=tables.small_rig.legs[leg].sole_width,
        most_shifts=_measure_most_shifts(tables, times, row.times[own], leg),
        outline=tables.small_rig.hulls[leg].places,
        rims=tables.rims[leg],
    )
    stood = stand_soles(ground, request, rules)
    spread = np.searchsorted(own, source)
    return replace(
        row,
        positions=stood.positions[spread],
        frames=stood.frames[spread],
        normals=stood.normals[spread],
        surfaces=stood.placed.surfaces[spread],
        supports=stood.placed.supports[spread],
        found=stood.placed.found[spread],
        sole_share=request.length / tables.small_rig.legs[leg].length,
    )


def _find_levels(
    tables: MotionTables,
    times: TimePlan,
    levels: FloatArray,
    stances: FloatArray,
    leg: int,
    ground: Ground,
) -> FloatArray:
    """Height of the ground that the body walks on where a leg stands, at its stances, metres, (n,)."""
    if not ground.moving_surfaces():
        stances = find_times_ahead(tables, times, stances, find_stance_lead(tables, leg))
    return times.grid.sample(levels, stances)


def _measure_most_shifts(
    tables: MotionTables, times: TimePlan, stances: FloatArray, leg: int
) -> FloatArray:
    """How far prints may be moved so that the leg still reaches them throughout, metres, (n,)."""
    swept = measure_swept(tables, times.grid.sample(times.weights, stances), leg)
    return limit_shifts(swept, tables.small_rig.legs[leg].length)
