# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks and runs of two legs at any speed, after measured people (numpy only).

Speeds are shares of ``sqrt(g h)``, h the height of the hips (docs/method/gaits.md, Measured people).
"""

from __future__ import annotations

import numpy as np

from .limits import PEOPLE
from .measured import (
    GaitCurves,
    StepPace,
    find_run_curves,
    find_run_pace,
    find_walk_curves,
    find_walk_pace,
)
from .settings import GaitSettings

_PHASES = (0.0, 0.5)


def make_walk(speed: float) -> GaitSettings:
    """The walk of people at a speed, for an adult's leg."""
    curves, pace = find_walk_curves(speed), find_walk_pace(speed)
    period, stride = _measure_steps(pace)
    off, strike = _find_rolls(curves, pace)
    quick = float(np.clip((speed - PEOPLE.slow) / (PEOPLE.quick - PEOPLE.slow), 0.0, 1.0))
    return GaitSettings(
        name="walk",
        phases=_PHASES,
        period=period,
        stride=stride,
        duty=pace.duty,
        lift=0.0,
        off_roll=(1.04 - 0.12 * quick) * off,
        off_roll_share=pace.duty - 0.22,
        off_power=3.6,
        off_creep=0.12,
        strike_roll=strike + PEOPLE.toes_up,
        strike_roll_share=0.1,
        toe_bend=0.6,
        width=0.6,
        set_back=0.012,
        surge=0.006,
        sway=0.034 - 0.014 * quick,
        tilt=0.035,
        lean=0.03,
        chest_roll=0.02,
        arm_swing=0.24 + 0.14 * quick,
        arm_bias=-0.04,
        arm_spread=0.19,
        elbow_bend=0.56 + 0.08 * quick,
        elbow_swing=0.14 + 0.1 * quick,
        shoulder_swing=0.06,
        arm_lag=0.04,
        curves=curves,
        rise=0.029 + 0.02 * quick,
        clearance=PEOPLE.clearance,
    )


def make_run(speed: float) -> GaitSettings:
    """The run of people at a speed, for an adult's leg."""
    curves, pace = find_run_curves(speed), find_run_pace(speed)
    period, stride = _measure_steps(pace)
    off, strike = _find_rolls(curves, pace)
    return GaitSettings(
        name="run",
        phases=_PHASES,
        period=period,
        stride=stride,
        duty=pace.duty,
        lift=0.0,
        off_roll=off,
        off_roll_share=0.2,
        off_power=1.6,
        strike_roll=strike,
        strike_roll_share=0.08,
        toe_bend=0.2,
        width=0.35,
        surge=0.004,
        sway=0.012,
        tilt=0.1,
        lean=0.14,
        chest_roll=0.03,
        arm_swing=0.5,
        arm_bias=-0.15,
        arm_spread=0.2,
        elbow_bend=1.4,
        elbow_swing=0.25,
        shoulder_swing=0.1,
        keys=24,
        curves=curves,
        rise=0.095,
        stretch=0.9975,
        clearance=PEOPLE.clearance,
    )


def _measure_steps(pace: StepPace) -> tuple[float, float]:
    """Period in seconds and stride as a share of L of an adult."""
    hips = PEOPLE.hips * PEOPLE.leg
    return pace.period * float(np.sqrt(hips / PEOPLE.gravity)), pace.stride * PEOPLE.hips


def _find_rolls(curves: GaitCurves, pace: StepPace) -> tuple[float, float]:
    """Pitch of the foot when it leaves, heel up, and when it strikes, toes up, radians."""
    off, strike = curves.pitch.compute(np.array([pace.duty, 1.0]))
    return float(-off), float(strike)


# Gaits of two legs that are people's at any speed, by name.
PEOPLE_GAITS = {"walk": make_walk, "run": make_run}
