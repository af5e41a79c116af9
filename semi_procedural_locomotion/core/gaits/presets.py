# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ready-made gaits for two, four, six and eight legs, and walks and runs of two legs at any speed.

Those of two legs are after measured people; their speeds are shares of ``sqrt(g h)``, h the height
of the hips (docs/method/gaits.md, Measured people).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ...errors import RigError
from ..maths.constants import ADULT_LEG, STANDARD_GRAVITY
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


def _make_walk(speed: float) -> GaitSettings:
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


def _make_run(speed: float) -> GaitSettings:
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
    hips = PEOPLE.hips * ADULT_LEG
    return pace.period * float(np.sqrt(hips / STANDARD_GRAVITY)), pace.stride * PEOPLE.hips


def _find_rolls(curves: GaitCurves, pace: StepPace) -> tuple[float, float]:
    """Pitch of the foot when it leaves, heel up, and when it strikes, toes up, radians."""
    off, strike = curves.pitch.compute(np.array([pace.duty, 1.0]))
    return float(-off), float(strike)


# Gaits of two legs that are people's at any speed, by name.
PEOPLE_GAITS = {"walk": _make_walk, "run": _make_run}


@dataclass(frozen=True)
class _Preset:
    """A gait without leg phases, and the phases for each number of legs that it suits."""

    settings: GaitSettings
    phases: Mapping[int, tuple[float, ...]] = field(default_factory=dict)


_PAIR = {2: (0.0, 0.5)}

# Speeds of the ready-made walk and run, shares of sqrt(g h): 1.3 and 3 m/s for an adult.
_WALK_SPEED, _RUN_SPEED = 0.4375, 1.01
# People slow down in turns.
_TURN_SPEED = 0.31

_WALK = _make_walk(_WALK_SPEED)
_RUN = _make_run(_RUN_SPEED)

# A walk from numbers alone: what manners and other ways to go are made from.
_STEPPING = GaitSettings(
    name="walk",
    phases=_PAIR[2],
    period=1.03,
    stride=1.56,
    duty=0.62,
    lift=0.052,
    off_roll=0.82,
    off_roll_share=0.26,
    strike_roll=0.34,
    strike_roll_share=0.075,
    toe_bend=0.6,
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
    arm_bias=-0.02,
    arm_spread=0.19,
    elbow_bend=0.26,
    elbow_swing=0.14,
    shoulder_swing=0.06,
)

_SNEAK = replace(
    _STEPPING,
    name="sneak",
    period=1.7,
    stride=1.0,
    duty=0.66,
    lift=0.14,
    off_roll=0.5,
    off_roll_share=0.2,
    strike_roll=-0.3,
    strike_roll_share=0.12,
    width=0.8,
    crouch=0.15,
    bob=0.012,
    surge=0.01,
    sway=0.045,
    drop=0.03,
    twist=0.09,
    tilt=0.16,
    lean=0.42,
    chest_twist=0.1,
    arm_swing=0.2,
    arm_bias=0.3,
    arm_spread=0.3,
    elbow_bend=1.05,
    elbow_swing=0.1,
    keys=48,
)

_SIDESTEP = replace(
    _STEPPING,
    name="sidestep",
    period=0.9,
    stride=0.42,
    direction=np.pi / 2,
    duty=0.6,
    lift=0.08,
    off_roll=0.22,
    off_roll_share=0.12,
    strike_roll=-0.12,
    strike_roll_share=0.06,
    width=1.35,
    crouch=0.04,
    bob=0.008,
    surge=0.0,
    sway=0.02,
    drop=0.03,
    twist=0.0,
    chest_twist=0.0,
    arm_swing=0.0,
    arm_spread=0.26,
    elbow_bend=0.6,
    elbow_swing=0.0,
    shoulder_swing=0.0,
    keys=27,
)

_BACKWARD = replace(
    _STEPPING,
    name="backward",
    period=1.1,
    stride=1.1,
    direction=np.pi,
    duty=0.63,
    lift=0.06,
    off_roll=-0.26,
    off_roll_share=0.1,
    strike_roll=-0.55,
    strike_roll_share=0.2,
    width=0.85,
    crouch=0.03,
    bob=0.014,
    twist=0.06,
    lean=0.03,
    chest_twist=0.08,
    arm_swing=0.22,
    keys=33,
)

_TURN = replace(_make_walk(_TURN_SPEED), name="turn", turn_rate=0.9, width=0.75)

_WALK_OF_MANY = GaitSettings(
    name="walk",
    phases=(0.5, 0.0, 0.25, 0.75),
    period=1.0,
    stride=1.15,
    duty=0.64,
    lift=0.1,
    off_roll=0.55,
    off_roll_share=0.14,
    strike_roll_share=0.06,
    bob=0.014,
    sway=0.02,
    drop=0.04,
    twist=0.06,
    crouch=0.01,
    keys=30,
)

_TROT = replace(
    _WALK_OF_MANY,
    name="trot",
    period=0.62,
    stride=1.7,
    duty=0.46,
    lift=0.16,
    off_roll=0.6,
    off_roll_share=0.1,
    fold=0.3,
    bob=-0.03,
    sway=0.0,
    crouch=0.03,
    keys=24,
)

_GALLOP = replace(
    _WALK_OF_MANY,
    name="gallop",
    period=0.5,
    stride=3.1,
    duty=0.26,
    lift=0.24,
    off_roll=0.6,
    off_roll_share=0.09,
    fold=0.5,
    bob=0.0,
    bounce=-0.06,
    flex=0.22,
    sway=0.0,
    drop=0.02,
    twist=0.03,
    crouch=0.06,
    keys=24,
)

# Beasts step to the side and turn by diagonal pairs of legs.
_SIDESTEP_OF_MANY = replace(
    _WALK_OF_MANY,
    name="sidestep",
    period=0.8,
    stride=0.32,
    direction=np.pi / 2,
    duty=0.6,
    lift=0.12,
    off_roll=0.2,
    off_roll_share=0.1,
    bob=0.0,
    drop=0.02,
    crouch=0.03,
)

_BACKWARD_OF_MANY = replace(
    _WALK_OF_MANY,
    name="backward",
    period=1.1,
    stride=0.7,
    direction=np.pi,
    off_roll=0.2,
    off_roll_share=0.1,
    crouch=0.02,
)

_TURN_OF_MANY = replace(_WALK_OF_MANY, name="turn", stride=0.75, turn_rate=0.6, off_roll=0.35)

_TRIPOD = GaitSettings(
    name="tripod",
    phases=(0.0, 0.5, 0.5, 0.0, 0.0, 0.5),
    period=0.7,
    stride=0.62,
    duty=0.56,
    lift=0.14,
    bob=0.012,
    sway=0.01,
    twist=0.03,
    keys=24,
)

_RIPPLE = replace(_TRIPOD, name="ripple", period=1.2, stride=0.5, duty=0.74, bob=0.006, keys=36)

_SIDESTEP_OF_INSECTS = replace(
    _TRIPOD, name="sidestep", direction=np.pi / 2, stride=0.35, period=0.8, twist=0.0
)

_BACKWARD_OF_INSECTS = replace(_TRIPOD, name="backward", direction=np.pi, stride=0.45, period=0.8)

_TURN_OF_INSECTS = replace(_TRIPOD, name="turn", stride=0.4, turn_rate=0.5, period=0.8)

_DIAGONALS = {4: (0.0, 0.5, 0.5, 0.0)}
_TRIPODS = {
    6: (0.0, 0.5, 0.5, 0.0, 0.0, 0.5),
    8: (0.0, 0.5, 0.5, 0.0, 0.0, 0.5, 0.5, 0.0),
}

_PRESETS: Mapping[str, tuple[_Preset, ...]] = {
    "walk": (
        _Preset(_WALK, _PAIR),
        _Preset(_WALK_OF_MANY, {4: (0.75, 0.25, 0.5, 0.0)}),
        _Preset(
            replace(_RIPPLE, name="walk", period=1.0, duty=0.66),
            {
                6: (0.0, 0.5, 0.667, 0.167, 0.333, 0.833),
                8: (0.0, 0.5, 0.75, 0.25, 0.5, 0.0, 0.25, 0.75),
            },
        ),
    ),
    "run": (_Preset(_RUN, _PAIR),),
    "sneak": (_Preset(_SNEAK, _PAIR),),
    "sidestep": (
        _Preset(_SIDESTEP, _PAIR),
        _Preset(_SIDESTEP_OF_MANY, _DIAGONALS),
        _Preset(_SIDESTEP_OF_INSECTS, _TRIPODS),
    ),
    "backward": (
        _Preset(_BACKWARD, _PAIR),
        _Preset(_BACKWARD_OF_MANY, {4: (0.25, 0.75, 0.5, 0.0)}),
        _Preset(_BACKWARD_OF_INSECTS, _TRIPODS),
    ),
    "turn": (
        _Preset(_TURN, _PAIR),
        _Preset(_TURN_OF_MANY, {4: (0.75, 0.25, 0.5, 0.0)}),
        _Preset(_TURN_OF_INSECTS, _TRIPODS),
    ),
    "trot": (_Preset(_TROT, _DIAGONALS),),
    "gallop": (_Preset(_GALLOP, {4: (0.5, 0.62, 0.0, 0.12)}),),
    "tripod": (_Preset(_TRIPOD, _TRIPODS),),
    "ripple": (
        _Preset(
            _RIPPLE,
            {
                6: (0.667, 0.167, 0.333, 0.833, 0.0, 0.5),
                8: (0.75, 0.25, 0.5, 0.0, 0.25, 0.75, 0.0, 0.5),
            },
        ),
    ),
}


def list_presets(leg_count: int) -> tuple[str, ...]:
    """Names of the presets that suit a character of ``leg_count`` legs."""
    return tuple(
        name
        for name, presets in _PRESETS.items()
        if any(leg_count in preset.phases for preset in presets)
    )


def find_preset(name: str, leg_count: int, leg_length: float = ADULT_LEG) -> GaitSettings:
    """A preset gait for a character.

    Raises RigError where no such gait is known for that many legs.

    Parameters
    ----------
    name
        One of `list_presets`.
    leg_count
        Legs of the rig, ordered by pairs, left before right, front pairs first.
    leg_length
        L in metres; the period goes with its square root.
    """
    for preset in _PRESETS.get(name, ()):
        if leg_count in preset.phases:
            stretch = float(np.sqrt(leg_length / ADULT_LEG))
            return replace(
                preset.settings,
                phases=preset.phases[leg_count],
                period=preset.settings.period * stretch,
                turn_rate=preset.settings.turn_rate / stretch,
            )
    known = ", ".join(list_presets(leg_count))
    if not known:
        raise RigError(f"no gaits are known for {leg_count} legs: key a walk by hand")
    raise RigError(f"no gait {name!r} for {leg_count} legs; choose one of: {known}")
