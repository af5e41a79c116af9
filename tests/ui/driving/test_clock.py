# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The walk keeps up with the clock, however seldom it is drawn."""

from __future__ import annotations

import pytest

pytest.importorskip("bpy")

from semi_procedural_locomotion.ui.driving.operator import DriveClock
from semi_procedural_locomotion.ui.limits import DRIVING


class Machine:
    """A machine on which drawing and each step take some seconds."""

    def __init__(self, drawing: float, step: float) -> None:
        self.now = 5.0
        self.drawing, self.step = drawing, step
        self.clock = DriveClock(lambda: self.now)
        self.gone: list[float] = []

    def run(self, seconds: float) -> float:
        """Draw and update for some seconds; how far the walk has come."""
        end = self.now + seconds
        while self.now < end:
            self.now += self.drawing
            for step in self.clock.list_steps():
                self.gone.append(step)
                self.now += self.step
        return sum(self.gone)


@pytest.mark.parametrize("drawing", [0.034, 0.1, 0.35, 0.7])
def test_ten_seconds_are_ten_seconds_however_slowly_they_are_drawn(drawing):
    machine = Machine(drawing, 0.012)
    gone = machine.run(10.0)
    # What passed during the last update counts next time.
    assert 10.0 - 0.6 * drawing - 0.05 < gone < 10.0 + 2.0 * drawing
    assert machine.clock.lost == 0.0
    assert max(machine.gone) <= DRIVING.interval * (1.0 + 1e-9)


def test_steps_that_last_longer_than_they_go_leave_time_out_and_tell():
    machine = Machine(0.1, 0.05)
    gone = machine.run(10.0)
    taken = machine.now - 5.0
    # Never more work at once than may be waited for.
    assert gone < 0.8 * taken
    assert gone + machine.clock.lost == pytest.approx(taken, abs=DRIVING.longest_work + 0.2)
    assert machine.clock.lost > 1.0


def test_halt_is_left_out_but_for_its_end():
    machine = Machine(60.0, 0.0)
    assert machine.run(60.0) == pytest.approx(DRIVING.longest_lag)
    assert machine.clock.lost == pytest.approx(60.0 - DRIVING.longest_lag)


def test_hardly_any_time_is_no_step_and_counts_later():
    machine = Machine(0.2 * DRIVING.interval, 0.0)
    assert machine.run(0.3 * DRIVING.interval) == 0.0
    machine.run(0.1 * DRIVING.interval)
    assert machine.gone == pytest.approx([0.6 * DRIVING.interval])
