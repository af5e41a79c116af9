# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers that a made gait is described by.

Lengths are shares of the leg length L and angles radians, so that one description serves a mouse
and a giant; only periods are seconds, and `presets.find_preset` stretches them with the
square root of the leg's length, as pendulums do (equal Froude numbers).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from .limits import FIT, ROLLS
from .measured import GaitCurves


@dataclass(frozen=True)
class GaitSettings:
    """One gait in numbers.

    Attributes
    ----------
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
    off_power
        Power of its progress by which the foot rolls off: 1 even, more late.
    off_creep
        Share of the roll off that is even all the same: heels creep up before they leave.
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
        walks ahead of its feet. With ``curves``, how far behind people's.
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
        Delay of the forearm behind the upper arm, share of the cycle; the hand has twice as much.
    keys
        Keys in a cycle, 8 or more.
    curves
        Angles of measured people, by which legs, pelvis and chest go in place of ``lift``, ``fold``,
        ``bob``, ``bounce``, ``drop``, ``twist`` and ``chest_twist``; None for a gait from those alone.
    rise, heave
        With curves: rise and fall of the body that is wanted where knees ask for less, share of L, and
        factor on what comes of it.
    stretch
        With curves: share of a straight leg to which legs stretch at the most.
    clearance
        With curves: height of the sole over the ground in mid swing, share of L; ``lift`` adds to it.
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
    off_power: float = ROLLS.roll_power
    off_creep: float = 0.0
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
    curves: GaitCurves | None = None
    rise: float = 0.0
    heave: float = 1.0
    stretch: float = 1.0
    clearance: float = 0.0

    def __post_init__(self) -> None:
        if not self.period > 0:
            raise ValueError(f"period must be positive, got {self.period}")
        least, most = FIT.least_duty, 1.0 - FIT.least_duty
        if not least <= self.duty <= most:
            raise ValueError(f"duty must lie in {least}..{most}, got {self.duty}")
        if self.keys < FIT.fewest_keys:
            raise ValueError(f"a cycle needs {FIT.fewest_keys} keys or more, got {self.keys}")
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


def fit_to_frames(
    settings: GaitSettings, frame_rate: float, least_keys: int = FIT.fewest_keys
) -> GaitSettings:
    """The gait with a period of whole frames and a key on each of them.

    Parameters
    ----------
    frame_rate
        Frames a second.
    least_keys
        Quick gaits get keys between frames as well, until they have so many.

    Returns
    -------
    GaitSettings
        The period changes by half a frame at most; 8 frames are the least.
    """
    frames = max(FIT.fewest_keys, round(settings.period * frame_rate))
    keys = frames * max(1, math.ceil(least_keys / frames))
    return replace(settings, keys=keys, period=frames / frame_rate)
