# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ready-made gaits fitted to a rig and to a user's taste (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...errors import RigError
from ...requests.settings.kinds import check_values
from ...requests.settings.motions import STYLE
from ..maths.constants import ADULT_LEG
from ..rig.skeleton import compute_rest_poses
from ..rig.structure import Rig
from ..rig.upper_body import BodyParts
from .limits import FIT, PEOPLE
from .making import measure_sinking
from .measured import GaitCurves, measure_speed
from .presets import PEOPLE_GAITS, find_preset
from .settings import GaitSettings

_PAIR = 2


@dataclass(frozen=True)
class GaitStyle:
    """Record of what a user changes of a ready-made gait; the defaults leave it as it is.

    `requests.settings.motions` has the defaults, ranges and units.

    Raises SettingError: a value is of the wrong kind or out of its range.

    Attributes
    ----------
    speed
        Speed in metres a second that the gait is made for; 0 for its own. Walks and runs of two legs
        are those of people at that speed, other gaits share it between pace and stride.
    pace
        Factor on the steps a second.
    lift
        Factor on the height of the swinging foot.
    width
        Factor on the distance of the feet's tracks.
    bounce
        Factor on the rise and fall of the body.
    sway
        Factor on the sway to the side and on the turning and sinking of the pelvis.
    arms
        Factor on the swing of arms and shoulders.
    roll
        Factor on the roll of the foot over heel and toe.
    crouch
        Further lowering of the body, share of L.
    lean
        Further forward lean of the body, radians.
    turn
        Further turn, radians a second about up, positive to the left.
    mirrored
        Left and right exchanged: a sidestep to the left leads to the right.
    """

    speed: float = STYLE["speed"].default
    pace: float = STYLE["pace"].default
    stride: float = STYLE["stride"].default
    lift: float = STYLE["lift"].default
    width: float = STYLE["width"].default
    bounce: float = STYLE["bounce"].default
    sway: float = STYLE["sway"].default
    arms: float = STYLE["arms"].default
    roll: float = STYLE["roll"].default
    crouch: float = STYLE["crouch"].default
    lean: float = STYLE["lean"].default
    turn: float = STYLE["turn"].default
    mirrored: bool = STYLE["mirrored"].default

    def __post_init__(self) -> None:
        check_values(STYLE, vars(self))


def find_gait(rig: Rig, name: str, style: GaitStyle | None = None) -> GaitSettings:
    """A ready-made gait for a rig in a user's style, not yet fitted to the legs' reach.

    Raises RigError where no such gait is known for that many legs.

    Parameters
    ----------
    rig
        The rig; the period follows its leg length where that is one in metres.
    name
        One of `presets.list_presets`.
    style
        What is changed.
    """
    count = len(rig.legs)
    length = rig.leg_length
    is_metric = FIT.shortest_leg <= length <= FIT.longest_leg
    preset = find_preset(name, count, length) if is_metric else find_preset(name, count)
    style = style or GaitStyle()
    if style.speed > 0.0:
        preset = _make_for_speed(preset, style.speed, length if is_metric else ADULT_LEG)
    fitted = replace(preset, width=_fit_width(rig, preset))
    return _apply_style(fitted, style)


def fit_gait(
    rig: Rig, settings: GaitSettings, parts: BodyParts | None = None
) -> tuple[GaitSettings, float]:
    """A gait with its stride shortened as far as the legs ask for.

    Raises RigError where the legs do not reach the ground even in short steps.

    Parameters
    ----------
    rig, parts
        As for `make_gait`.

    Returns
    -------
    settings
        The gait; its turn is slowed down with its stride.
    share
        What is left of the stride, 1 where nothing had to change.
    """
    limit = FIT.most_sinking * _measure_hip_height(rig)

    def shorten(share: float) -> GaitSettings:
        return replace(
            settings, stride=settings.stride * share, turn_rate=settings.turn_rate * share
        )

    def fits(share: float) -> bool:
        try:
            return measure_sinking(rig, shorten(share), parts) <= limit
        except RigError:
            return False

    if fits(1.0):
        return settings, 1.0
    low, high = FIT.least_stride, 1.0
    if not fits(low):
        # Legs that are stretched at rest sink with any step: the stride is not to blame.
        limit += measure_sinking(rig, shorten(low), parts)
        if fits(1.0):
            return settings, 1.0
    for _ in range(FIT.stride_tries):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if fits(middle) else (low, middle)
    return shorten(low), low


def _make_for_speed(preset: GaitSettings, speed: float, leg_length: float) -> GaitSettings:
    """The gait at a speed in metres a second, of legs of so many metres."""
    if preset.curves is not None and preset.name in PEOPLE_GAITS:
        share = measure_speed(speed, PEOPLE.hips * leg_length)
        made = PEOPLE_GAITS[preset.name](max(share, PEOPLE.slowest))
        return replace(
            made,
            period=made.period * float(np.sqrt(leg_length / ADULT_LEG)),
            stride=made.stride * min(share / PEOPLE.slowest, 1.0),
        )
    own = preset.stride * leg_length / preset.period
    share = float(np.sqrt(speed / own))
    return replace(preset, period=preset.period / share, stride=preset.stride * share)


def _apply_style(settings: GaitSettings, style: GaitStyle) -> GaitSettings:
    """The gait with a style's factors and additions."""
    turn = settings.turn_rate * style.pace + style.turn
    if settings.curves is not None:
        settings = _style_curves(settings, settings.curves, style)
    values = replace(
        settings,
        period=settings.period / style.pace,
        stride=settings.stride * style.stride,
        lift=settings.lift * style.lift,
        width=settings.width * style.width,
        bob=settings.bob * style.bounce,
        bounce=settings.bounce * style.bounce,
        surge=settings.surge * style.bounce,
        sway=settings.sway * style.sway,
        drop=settings.drop * style.sway,
        twist=settings.twist * style.sway,
        chest_twist=settings.chest_twist * style.sway,
        chest_roll=settings.chest_roll * style.sway,
        arm_swing=settings.arm_swing * style.arms,
        elbow_swing=settings.elbow_swing * style.arms,
        shoulder_swing=settings.shoulder_swing * style.arms,
        off_roll=_limit_roll(settings.off_roll * style.roll),
        strike_roll=_limit_roll(settings.strike_roll * style.roll),
        crouch=settings.crouch + style.crouch,
        tilt=settings.tilt + 0.5 * style.lean,
        lean=settings.lean + style.lean,
        turn_rate=turn,
    )
    if not style.mirrored:
        return values
    order = [index ^ 1 for index in range(len(settings.phases))]
    return replace(
        values,
        direction=-values.direction,
        turn_rate=-values.turn_rate,
        phases=tuple(values.phases[i] for i in order),
    )


def _style_curves(settings: GaitSettings, curves: GaitCurves, style: GaitStyle) -> GaitSettings:
    """The gait with people's curves in a style, where that goes beyond its numbers."""
    styled = replace(
        curves,
        thigh=curves.thigh.swing_by(style.stride),
        pitch=curves.pitch.scale(style.roll),
        pelvis_roll=curves.pelvis_roll.scale(style.sway),
        pelvis_yaw=curves.pelvis_yaw.scale(style.sway),
        chest_yaw=curves.chest_yaw.scale(style.sway),
    )
    return replace(
        settings,
        curves=styled,
        heave=settings.heave * style.bounce,
        clearance=settings.clearance * min(style.lift, 1.0),
        # What the style's factor makes of people's height of a swinging foot beyond its roll.
        lift=PEOPLE.lift * max(style.lift - 1.0, 0.0) / max(style.lift, 1.0),
    )


def _limit_roll(angle: float) -> float:
    """A roll that a foot can take, radians."""
    return float(np.clip(angle, -FIT.most_roll, FIT.most_roll))


def _fit_width(rig: Rig, settings: GaitSettings) -> float:
    """A person's width: legs spread at rest close, and wide soles keep apart."""
    if len(rig.legs) != _PAIR:
        return settings.width
    feet = _measure_half_track(rig, [leg.ankle for leg in rig.legs])
    hips = _measure_half_track(rig, [leg.joints[0] for leg in rig.legs])
    if not feet > 0:
        return settings.width
    sole = max(leg.sole_width for leg in rig.legs)
    # In a run the one foot is high above the ground while it passes the other.
    runs = settings.duty < 1.0 / _PAIR
    least = FIT.run_sole * sole if runs else 0.5 * sole + FIT.sole_gap * rig.leg_length
    wanted = min(feet, FIT.track * hips) * settings.width
    return max(wanted, min(least, feet)) / feet


def _measure_half_track(rig: Rig, bones: list[int]) -> float:
    """Mean distance of bones' heads from the middle at rest, metres."""
    positions = compute_rest_poses(rig.skeleton)[1]
    left = np.array([-rig.forward[1], rig.forward[0], 0.0])
    return float(np.mean(np.abs((positions[bones] - positions[rig.body]) @ left)))


def _measure_hip_height(rig: Rig) -> float:
    """Mean height of the hips over the ground at rest, metres."""
    positions = compute_rest_poses(rig.skeleton)[1]
    return float(np.mean([positions[g.joints[0]][2] for g in rig.legs])) - rig.ground_height
