# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk, a run and a turn of two legs from numbers alone, with legs that never quite stretch.

Clips as animators make them, on which the planner is tested; the ready-made ones are people's.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from semi_procedural_locomotion.core.gaits.presets import find_preset
from semi_procedural_locomotion.core.gaits.settings import GaitSettings

_WALK = GaitSettings(
    name="walk",
    phases=(0.0, 0.5),
    period=1.03,
    stride=1.56,
    duty=0.62,
    lift=0.052,
    off_roll=0.82,
    off_roll_share=0.26,
    strike_roll=0.34,
    strike_roll_share=0.075,
    width=0.68,
    set_back=0.03,
    crouch=0.012,
    bob=0.026,
    surge=0.006,
    sway=0.024,
    drop=0.07,
    twist=0.11,
    tilt=0.035,
    lean=0.025,
    chest_twist=0.13,
    chest_roll=0.02,
    arm_swing=0.38,
    arm_spread=0.19,
    elbow_bend=0.26,
    elbow_swing=0.14,
    shoulder_swing=0.06,
)
_RUN = GaitSettings(
    name="run",
    phases=(0.0, 0.5),
    period=0.7,
    stride=2.65,
    duty=0.34,
    lift=0.17,
    off_roll=1.05,
    off_roll_share=0.17,
    strike_roll=0.12,
    strike_roll_share=0.05,
    toe_bend=0.55,
    fold=0.75,
    width=0.4,
    set_back=0.2,
    crouch=0.03,
    bob=-0.032,
    surge=0.004,
    sway=0.012,
    drop=0.06,
    twist=0.18,
    tilt=0.16,
    lean=0.2,
    chest_twist=0.24,
    chest_roll=0.03,
    arm_swing=0.62,
    arm_spread=0.2,
    elbow_bend=1.35,
    elbow_swing=0.3,
    shoulder_swing=0.1,
    keys=24,
)
_TURN = replace(_WALK, name="turn", stride=1.05, turn_rate=0.9, off_roll=0.7, width=0.8, bob=0.016)
_OWN = {"walk": _WALK, "run": _RUN, "turn": _TURN}


def find_specimen(name: str, legs: int, leg_length: float) -> GaitSettings:
    """A gait for a walker of tests; of other legs, and of other names, the ready-made one."""
    if legs != 2 or name not in _OWN:
        return find_preset(name, legs, leg_length)
    stretch = float(np.sqrt(leg_length / 0.85))
    own = _OWN[name]
    return replace(own, period=own.period * stretch, turn_rate=own.turn_rate / stretch)
