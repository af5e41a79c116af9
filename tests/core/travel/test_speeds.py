# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speeds along a way: eased ends, keyed speeds, runs that last for a time."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.travel.speeds import Ease, SpeedCurve, run_duration, run_length
from semi_procedural_locomotion.errors import TravelError

STANDING, MOVING = Ease(1.0), Ease(1.0, start_standing=False, stop_standing=False)


def test_a_constant_curve_runs_as_its_number_does():
    curve = SpeedCurve(np.array([0.0]), np.array([1.5]))
    times, travelled = run_length(6.0, 1.5, STANDING, 2.0)
    keyed_times, keyed = run_length(6.0, curve, STANDING, 2.0)
    assert keyed_times[-1] == pytest.approx(times[-1], abs=1e-4)
    assert np.interp(times, keyed_times, keyed) == pytest.approx(travelled, abs=1e-4)


def test_keyed_speeds_are_gone_at_their_times():
    curve = SpeedCurve(np.array([10.0, 12.0, 14.0]), np.array([1.0, 1.0, 3.0]))
    times, travelled = run_length(20.0, curve, MOVING, 10.0)
    speeds = np.gradient(travelled, times)
    assert np.interp([1.0, 3.0, 5.0], times, speeds) == pytest.approx([1.0, 2.0, 3.0], abs=1e-2)
    # 2 m at 1 m/s, 4 m while it grows, the other 14 m at 3 m/s.
    assert times[-1] == pytest.approx(2.0 + 2.0 + 14.0 / 3.0, abs=1e-3)
    assert travelled[-1] == 20.0


def test_keyed_speeds_are_eased_at_both_ends():
    curve = SpeedCurve(np.array([0.0, 8.0]), np.array([1.0, 2.0]))
    times, travelled = run_length(8.0, curve, STANDING, 0.0)
    speeds = np.gradient(travelled, times)
    assert max(speeds[0], speeds[-1]) < 0.01
    middle = (times > 1.01) & (times < times[-1] - 1.01)
    assert speeds[middle] == pytest.approx(curve.find_speeds(times[middle]), rel=1e-3)
    assert np.all(np.diff(travelled) >= 0.0)


def test_a_speed_of_nothing_stands_for_a_while():
    curve = SpeedCurve(np.array([0.0, 2.0, 3.0, 5.0, 6.0]), np.array([1.0, 1.0, 0.0, 0.0, 1.0]))
    times, travelled = run_length(5.0, curve, MOVING, 0.0)
    assert np.ptp(np.interp([3.0, 4.0, 5.0], times, travelled)) < 1e-9
    assert travelled[-1] == 5.0


def test_a_speed_that_ends_before_the_way_stops_there():
    curve = SpeedCurve(np.array([0.0, 2.0, 4.0, 9.0]), np.array([1.0, 1.0, 0.0, 0.0]))
    times, travelled = run_length(50.0, curve, MOVING, 0.0)
    assert travelled[-1] == pytest.approx(3.0, abs=1e-3)
    assert times[-1] == pytest.approx(4.0, abs=0.02)


def test_a_run_that_lasts_ends_in_time_and_at_rest():
    times, travelled = run_duration(6.0, 2.0, STANDING, 0.0)
    assert times[-1] == 6.0
    assert travelled[-1] == pytest.approx(2.0 * 5.0, rel=1e-4)
    _, short = run_duration(1.0, 2.0, STANDING, 0.0)
    assert short[-1] == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda: run_length(1e6, 1.0, MOVING, 0.0), "takes longer than an hour at 1 m/s"),
        (lambda: run_duration(-1.0, 1.0, MOVING, 0.0), "end after its start"),
        (
            lambda: run_length(1.0, SpeedCurve(np.zeros(1), np.zeros(1)), MOVING, 0.0),
            "0 m/s all along",
        ),
        (
            lambda: run_duration(1.0, SpeedCurve(np.zeros(1), np.zeros(1)), MOVING, 0.0),
            "0 m/s all along",
        ),
        (
            lambda: run_length(1e6, SpeedCurve(np.zeros(1), np.ones(1)), MOVING, 0.0),
            "longer than an hour at the keyed speed",
        ),
    ],
)
def test_runs_that_never_end_are_refused_in_words(run, words):
    with pytest.raises(TravelError, match=words):
        run()
