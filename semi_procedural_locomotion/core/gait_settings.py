# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers that a made gait is described by, and presets for two, four, six and eight legs.

Lengths are shares of the leg length L and angles radians, so that one description serves a mouse
and a giant; only periods are seconds, and `find_preset` stretches them with the square root of the
leg's length, as pendulums do (equal Froude numbers).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import RigError

# Leg length for which the presets' periods are given, metres: an adult's.
_PRESET_LEG_LENGTH = 0.85
# Fewer keys than this do not show a step's strike, stand, off and swing.
_LEAST_KEYS = 8


@dataclass(frozen=True)
class GaitSettings:
    """One gait in numbers.

    Attributes
    ----------
    name
        Name of the clip.
    phases
        Phase of the cycle at which each leg strikes, one number a leg in the rig's order.
    period
        Seconds of a cycle.
    stride
        Travel of the character in a cycle, share of L.
    direction
        Travel against the facing, radians counter-clockwise from above: 0 forward, pi/2 to the
        left, pi backward.
    turn_rate
        Radians a second about up, positive to the left.
    duty
        Share of the cycle that each foot stands, 0 to 1 exclusive.
    lift
        Height of the swinging foot at mid swing besides its roll, share of L.
    off_roll, off_roll_share
        Pitch of the foot when it leaves, radians, and the share of the cycle before that in which
        it rolls up. Positive: the heel rises first, about ball and toe; negative: the toe rises
        first, about the heel.
    strike_roll, strike_roll_share
        The same for the arrival. Positive: the heel strikes first and the toe comes down;
        negative: the toe strikes first.
    toe_bend
        Share of a positive off roll that the toe bone takes up by bending, 0 to 1; the rest pitches
        the toe too, about its tip.
    fold
        Further pitch of the foot (heel up) in the first part of the swing, radians.
    width
        Distance of the feet's tracks from the middle, share of that at rest.
    set_back
        How far the feet's places lie behind those at rest, against the travel, share of L: the body
        walks ahead of its feet.
    crouch
        Lowering of the body below its height at rest, share of L; the body stands lower still where
        the legs would not reach.
    bob
        Rise of the body over each standing leg twice a cycle, share of L: positive where it vaults
        over the leg (walks), negative where it sinks on it (runs).
    bounce
        The same once a cycle, share of L (gallops).
    surge
        Sway fore and aft twice a cycle, share of L: slow over the standing leg.
    sway
        Sway to the side of the standing leg, share of L.
    drop, twist
        Sinking of the pelvis on the swinging side, and its turning with the leg that steps out,
        radians.
    tilt, lean
        Constant forward pitch of pelvis and chest, radians.
    flex
        Bending of the spine of a body with front legs, once a cycle, radians (gallops).
    chest_twist, chest_roll
        Turning of the chest against the pelvis' twist and leaning to the standing side, radians.
    arm_swing, arm_bias
        Swing of the arms against the legs of their side, and their mean forward angle, radians.
    arm_spread
        Angle between the hanging arm and the vertical, seen from the front, radians.
    elbow_bend, elbow_swing
        Mean bend of the elbow and its part that goes with the swing, radians.
    shoulder_swing
        Turning of the shoulders with the arms, radians.
    arm_lag
        Delay of arms behind the legs, share of the cycle; the forearm has twice, the hand three
        times as much.
    keys
        Keys in a cycle, 8 or more.
    """

    name: str
    phases: tuple[float, ...]
    period: float = 1.0
    stride: float = 1.6
    direction: float = 0.0
    turn_rate: float = 0.0
    duty: float = 0.6
    lift: float = 0.05
    off_roll: float = 0.0
    off_roll_share: float = 0.12
    strike_roll: float = 0.0
    strike_roll_share: float = 0.06
    toe_bend: float = 0.6
    fold: float = 0.0
    width: float = 1.0
    set_back: float = 0.0
    crouch: float = 0.0
    bob: float = 0.0
    bounce: float = 0.0
    surge: float = 0.0
    sway: float = 0.0
    drop: float = 0.0
    twist: float = 0.0
    tilt: float = 0.0
    lean: float = 0.0
    flex: float = 0.0
    chest_twist: float = 0.0
    chest_roll: float = 0.0
    arm_swing: float = 0.0
    arm_bias: float = 0.0
    arm_spread: float = 0.14
    elbow_bend: float = 0.25
    elbow_swing: float = 0.0
    shoulder_swing: float = 0.0
    arm_lag: float = 0.02
    keys: int = 30

    def __post_init__(self) -> None:
        if not self.period > 0:
            raise ValueError(f"period must be positive, got {self.period}")
        if not 0.05 <= self.duty <= 0.95:
            raise ValueError(f"duty must lie in 0.05..0.95, got {self.duty}")
        if self.keys < _LEAST_KEYS:
            raise ValueError(f"a cycle needs {_LEAST_KEYS} keys or more, got {self.keys}")
        rolls = self.used_off_share + self.used_strike_share
        if rolls > self.duty:
            raise ValueError(
                f"off_roll_share and strike_roll_share must fit into duty {self.duty}, got {rolls}"
            )
        if self.lift < 0 or self.stride < 0 or self.width < 0:
            raise ValueError("lift, stride and width must not be negative")
        if not 0.0 <= self.toe_bend <= 1.0:
            raise ValueError(f"toe_bend must lie in 0..1, got {self.toe_bend}")

    @property
    def used_off_share(self) -> float:
        """Share of the cycle from lift to off: 0 where the foot does not roll."""
        return self.off_roll_share if self.off_roll else 0.0

    @property
    def used_strike_share(self) -> float:
        """Share of the cycle from strike to land: 0 where the foot does not roll."""
        return self.strike_roll_share if self.strike_roll else 0.0


@dataclass(frozen=True)
class _Preset:
    """A gait without leg phases, and the phases for each number of legs that it suits."""

    settings: GaitSettings
    phases: Mapping[int, tuple[float, ...]] = field(default_factory=dict)


_PAIR = {2: (0.0, 0.5)}

_WALK = GaitSettings(
    name="walk",
    phases=_PAIR[2],
    period=1.03,
    stride=1.56,
    duty=0.62,
    lift=0.03,
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

_RUN = GaitSettings(
    name="run",
    phases=_PAIR[2],
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
    arm_bias=-0.25,
    arm_spread=0.2,
    elbow_bend=1.35,
    elbow_swing=0.3,
    shoulder_swing=0.1,
    keys=24,
)

_SNEAK = replace(
    _WALK,
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
    _WALK,
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
    _WALK,
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

_TURN = replace(_WALK, name="turn", stride=1.05, turn_rate=0.9, off_roll=0.7, width=0.8, bob=0.016)

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
    duty=0.3,
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
    "sidestep": (_Preset(_SIDESTEP, _PAIR),),
    "backward": (_Preset(_BACKWARD, _PAIR),),
    "turn": (_Preset(_TURN, _PAIR),),
    "trot": (_Preset(_TROT, {4: (0.0, 0.5, 0.5, 0.0)}),),
    "gallop": (_Preset(_GALLOP, {4: (0.5, 0.62, 0.0, 0.12)}),),
    "tripod": (
        _Preset(
            _TRIPOD,
            {6: (0.0, 0.5, 0.5, 0.0, 0.0, 0.5), 8: (0.0, 0.5, 0.5, 0.0, 0.0, 0.5, 0.5, 0.0)},
        ),
    ),
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


def find_preset(name: str, leg_count: int, leg_length: float = _PRESET_LEG_LENGTH) -> GaitSettings:
    """A preset gait for a character.

    Parameters
    ----------
    name
        One of `list_presets`.
    leg_count
        Legs of the rig, ordered by pairs, left before right, front pairs first.
    leg_length
        L in metres; the period goes with its square root.

    Returns
    -------
    GaitSettings

    Raises
    ------
    RigError
        Where no such gait is known for that many legs.
    """
    for preset in _PRESETS.get(name, ()):
        if leg_count in preset.phases:
            stretch = float(np.sqrt(leg_length / _PRESET_LEG_LENGTH))
            return replace(
                preset.settings,
                phases=preset.phases[leg_count],
                period=preset.settings.period * stretch,
                turn_rate=preset.settings.turn_rate / stretch,
            )
    known = ", ".join(list_presets(leg_count)) or "none"
    raise RigError(f"no gait {name!r} for {leg_count} legs; choose one of: {known}")


def fit_to_frames(settings: GaitSettings, frame_rate: float) -> GaitSettings:
    """The gait with a period of whole frames and a key on each of them.

    Parameters
    ----------
    settings
        Any gait.
    frame_rate
        Frames a second.

    Returns
    -------
    GaitSettings
        The period changes by half a frame at most; 8 keys are the least.
    """
    keys = max(_LEAST_KEYS, round(settings.period * frame_rate))
    return replace(settings, keys=keys, period=keys / frame_rate)
