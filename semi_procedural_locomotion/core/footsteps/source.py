# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps as a source of a walk's clock and of its prints (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.records import KeptStep, PrintPlan
from ..rig.structure import Rig
from ..times.planning import TimePlan
from ..travel.way import Travel
from .floating import lift_levels, lift_prints
from .hops import leave_unfilled
from .kept import claim_prints, keep_steps, stand_until, stay_between
from .limits import CLAIMS


@dataclass(frozen=True)
class StepSource:
    """What footsteps say about a walk; it fits `ClockSource` and `PrintSource`.

    Attributes
    ----------
    travel
        The travel: with phases, a first step and stays where it goes along footsteps.
    steps
        Footsteps of the user that take the place of planned prints.
    """

    travel: Travel
    steps: tuple[KeptStep, ...] = ()

    def set_clock(
        self, grid: TimeGrid, phases: FloatArray, leg_times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Phases (G,) and leg times (G, L) on a grid whose steps come when the travel says so.

        Parameters
        ----------
        grid
            The times.
        phases, leg_times
            Of the travel's own pace, cycles and steps; returned where it says nothing.
        """
        travel = self.travel
        if travel.phases is None:
            return phases, leg_times
        times = grid.times
        told = np.interp(times, travel.times, travel.phases)
        rate = (travel.phases[-1] - travel.phases[0]) / (travel.end - travel.start)
        told += rate * (np.minimum(times - travel.start, 0.0) + np.maximum(times - travel.end, 0.0))
        moved = np.maximum.accumulate(leg_times + (told - phases)[:, None], axis=0)
        moved = moved + 1e-9 * np.arange(len(times))[:, None]
        return told, leave_unfilled(grid, moved, self.steps, travel)

    def set_levels(
        self, rig: Rig, grid: TimeGrid, levels: FloatArray, ground: Ground
    ) -> FloatArray:
        """Levels (G,) on a grid, on footsteps that float where the walk goes along such.

        Parameters
        ----------
        rig
            The character.
        grid
            The times.
        levels
            Of the ground; returned where no step floats.
        ground
            What the others stand on.
        """
        if self.travel.phases is None:
            return levels
        start = None if self.travel.begins_on_step else self.travel.start
        return lift_levels(rig, self.steps, grid, levels, ground, start)

    def claim_prints(
        self, tables: MotionTables, times: TimePlan, prints: PrintPlan, ground: Ground
    ) -> PrintPlan:
        """Prints that stay and are footsteps where the source says so.

        Parameters
        ----------
        tables, times
            The motions and the time plan.
        prints
            As planned without footsteps.
        ground
            What they stand on.
        """
        rows = list(prints.rows)
        first = self.travel.standing_until
        if first is not None:
            rows = [stand_until(tables.cycles, row, first, ground) for row in rows]
        for leg, start, end in self.travel.stays:
            rows[leg] = stay_between(rows[leg], start, end)
        aside = CLAIMS.aside * tables.rig.leg_length if self.travel.phases is None else np.inf
        claims = claim_prints(tables, times, rows, self.steps, aside)
        kept = keep_steps(tables.rig, rows, claims, ground)
        return replace(prints, rows=kept, claims=claims)

    def lift_prints(self, tables: MotionTables, prints: PrintPlan, ground: Ground) -> PrintPlan:
        """All prints, those between footsteps in the air on a level with these.

        Parameters
        ----------
        tables
            The motions.
        prints
            Footsteps and what was planned beside them.
        ground
            What they stand on.
        """
        if self.travel.phases is None:
            return prints
        begins = self.travel.begins_on_step
        rows = lift_prints(tables.rig, prints.rows, prints.claims, ground, begins)
        return replace(prints, rows=rows)
