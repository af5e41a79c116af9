# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths of the feet of a made gait in character space (numpy only).

A foot is moved by one number, its *lead time*: the print on which it stands is where the
character's steady motion carries the foot's place under the body in that many seconds. During the
stance the lead time falls like the clock, so a planted foot moves with exactly minus the
character's velocity, also on a circle; during the swing it rises by one period along
``3 s^2 - 2 s^3`` (docs/method/gaits.md, Feet). On top of this the foot rolls about its heel, its
toe joint and its toe tip.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...errors import RigError
from ..maths import rotations as rot
from ..maths.constants import STANDARD_GRAVITY
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from ..rig.skeleton import compute_rest_poses
from ..rig.structure import Leg, Rig
from .limits import ROLLS, STRIDING
from .measured import GaitCurves
from .settings import GaitSettings


@dataclass(frozen=True)
class _FootRolls:
    """Record of how one foot is pitched at S phases, radians, each of shape (S,).

    On the ground none is negative; in the air the tip is where toes are bent up beyond the foot.

    Attributes
    ----------
    tip
        Heel up about the toe tip.
    bend
        Heel up about the toe joint, the toe staying behind.
    heel
        Toe up about the heel.
    """

    tip: FloatArray
    bend: FloatArray
    heel: FloatArray


@dataclass(frozen=True)
class FootPath:
    """Record of where one leg's foot is, in character space.

    Attributes
    ----------
    ankles
        Position of the ankle bone's head, metres, shape (S, 3).
    foot_rotations
        Global rotation of the ankle bone, shape (S, 4).
    toe_rotations
        Global rotation of the toe bone, shape (S, 4); None without a toe bone.
    yaws
        By how much the print is turned against the resting foot, radians, shape (S,).
    """

    ankles: FloatArray
    foot_rotations: FloatArray
    toe_rotations: FloatArray | None
    yaws: FloatArray


def compute_lead_times(since_strike: FloatArray, duty: float) -> FloatArray:
    """Lead times of a foot as shares of the period.

    Parameters
    ----------
    since_strike
        Phase since the strike, in [0, 1), shape (S,).
    duty
        Share of the cycle that the foot stands.

    Returns
    -------
    array, shape (S,)
        Falls with slope -1 during the stance and is 0 in its middle; periodic.
    """
    swing = np.clip((since_strike - duty) / (1.0 - duty), 0.0, 1.0)
    return rot.step_cubic(swing) - (since_strike - 0.5 * duty)


def carry_points(
    points: FloatArray, lead_times: FloatArray, velocity: FloatArray, turn_rate: float
) -> tuple[FloatArray, FloatArray]:
    """Points carried along by a character's steady motion.

    Parameters
    ----------
    points
        Character space at time 0, metres, shape (..., 3).
    lead_times
        Seconds, shape (...).
    velocity
        Of the character in its own axes, metres a second, shape (2,).
    turn_rate
        Radians a second about up.

    Returns
    -------
    points
        Where they are after the lead times, in the space of time 0, shape (..., 3).
    yaws
        By how much they have turned, radians, shape (...).
    """
    yaws = turn_rate * np.asarray(lead_times)
    # The way on a circle is the chord of length |v| t sin(yaw/2)/(yaw/2) at half of the yaw.
    chord = lead_times * np.sinc(0.5 * yaws / np.pi)
    cosine, sine = np.cos(0.5 * yaws), np.sin(0.5 * yaws)
    way = rot.pack(
        chord * (cosine * velocity[0] - sine * velocity[1]),
        chord * (sine * velocity[0] + cosine * velocity[1]),
        np.zeros_like(yaws),
    )
    return rot.rotate(rot.quaternions_from_yaws(yaws), points) + way, yaws


def compute_rolls(since_strike: FloatArray, settings: GaitSettings) -> _FootRolls:
    """Pitch angles of a foot over the cycle.

    Parameters
    ----------
    since_strike
        Phase since the strike, in [0, 1), shape (S,).

    Returns
    -------
    _FootRolls
        Angles and their rates are continuous but at lift and land, where a roll begins or ends.
    """
    duty = settings.duty
    swing = np.clip((since_strike - duty) / (1.0 - duty), 0.0, 1.0)
    off = _compute_off_roll(since_strike, swing, settings, settings.off_power, ROLLS.off_fade)
    strike = _compute_strike_roll(since_strike, swing, settings)
    heel = pitch = bend = np.zeros_like(since_strike)
    power = settings.off_power
    if settings.off_roll > 0:
        pitch = settings.off_roll * off
        late = _compute_off_roll(since_strike, swing, settings, 2.0 * power, ROLLS.toe_fade)
        early = _compute_off_roll(since_strike, swing, settings, power, ROLLS.toe_fade)
        # In the stance: the whole roll minus what the tip takes late. Both fade together.
        bend = settings.off_roll * np.maximum(early - (1.0 - settings.toe_bend) * late, 0.0)
    elif settings.off_roll < 0:
        heel = heel - settings.off_roll * off
    if settings.strike_roll > 0:
        heel = heel + settings.strike_roll * strike
    elif settings.strike_roll < 0:
        pitch = pitch - settings.strike_roll * strike
        bend = bend - settings.strike_roll * strike
    if settings.curves is not None:
        air = _compute_air_pitch(since_strike, swing, settings)
        flies = since_strike > duty
        heel = np.where(flies, np.maximum(air, 0.0), heel)
        pitch = np.where(flies, np.maximum(-air, 0.0), pitch)
        down = rot.step_cubic((1.0 - swing) / (1.0 - ROLLS.raised_to))
        raised = ROLLS.toes_raised * rot.step_cubic(swing / ROLLS.raised_from) * down
        bend = np.where(flies, np.maximum(bend, raised), bend)
    pitch = pitch + settings.fold * np.sin(np.pi * np.minimum(swing / ROLLS.fold_end, 1.0)) ** 2
    if settings.curves is None:
        bend = np.minimum(bend, pitch)
    return _FootRolls(tip=pitch - bend, bend=bend, heel=heel)


def _compute_air_pitch(
    since_strike: FloatArray, swing: FloatArray, settings: GaitSettings
) -> FloatArray:
    """People's pitch of the foot in the air, toes up, led on from and to the rolls on the ground."""
    curves, duty = settings.curves, settings.duty
    if curves is None:
        return np.zeros_like(since_strike)
    step = ROLLS.slope_step
    ends = curves.pitch.compute(np.array([duty, duty + step, 1.0 - step, 1.0]))
    share = 1.0 - duty
    steep = settings.off_creep + (1.0 - settings.off_creep) * settings.off_power
    off_rate = -settings.off_roll * steep / max(settings.used_off_share, step) * share
    strike_rate = (
        -settings.strike_roll * ROLLS.roll_power / max(settings.used_strike_share, step) * share
    )
    first, last = -settings.off_roll - ends[0], settings.strike_roll - ends[3]
    first_rate = off_rate - (ends[1] - ends[0]) / step * share
    last_rate = strike_rate - (ends[3] - ends[2]) / step * share
    back = 1.0 - swing
    return np.asarray(
        curves.pitch.compute(since_strike)
        + ROLLS.air_pitch * np.sin(np.pi * swing) ** 2
        + back**2 * ((1.0 + 2.0 * swing) * first + swing * first_rate)
        + swing**2 * ((1.0 + 2.0 * back) * last - back * last_rate)
    )


def _compute_off_roll(
    since_strike: FloatArray, swing: FloatArray, settings: GaitSettings, power: float, fade: float
) -> FloatArray:
    """Off roll as a share of its angle at off: a power before off, then a fade with equal slope."""
    share = settings.used_off_share
    if share <= 0:
        return np.zeros_like(since_strike)
    progress = np.clip((since_strike - settings.duty + share) / share, 0.0, 1.0)
    creep = settings.off_creep
    slope = (creep + (1.0 - creep) * power) / share * (1.0 - settings.duty) * fade
    return np.where(
        since_strike < settings.duty,
        creep * progress + (1.0 - creep) * progress**power,
        _fade_out(np.minimum(swing / fade, 1.0), min(slope, ROLLS.steepest)),
    )


def _compute_strike_roll(
    since_strike: FloatArray, swing: FloatArray, settings: GaitSettings
) -> FloatArray:
    """Strike roll as a share of its angle at the strike: a rise with equal slope, then a power."""
    share = settings.used_strike_share
    if share <= 0:
        return np.zeros_like(since_strike)
    length = 1.0 - ROLLS.strike_begin
    progress = np.clip(1.0 - since_strike / share, 0.0, 1.0)
    slope = ROLLS.roll_power / share * (1.0 - settings.duty) * length
    return np.where(
        since_strike < settings.duty,
        progress**ROLLS.roll_power,
        _fade_out(np.clip((1.0 - swing) / length, 0.0, 1.0), min(slope, ROLLS.steepest)),
    )


def _fade_out(x: FloatArray, slope: float) -> FloatArray:
    """Cubic from 1 with the given slope at x = 0 to 0 with no slope at x = 1."""
    return (1.0 - x) ** 2 * (1.0 + 2.0 * x + slope * x)


def _compute_rise(swing: FloatArray) -> FloatArray:
    """Lift over the swing (S,) as a share of the whole: quick at both ends, so that no toe scuffs."""
    return rot.step_quintic(swing / ROLLS.rise) * rot.step_quintic((1.0 - swing) / ROLLS.rise)


def compute_foot_path(
    rig: Rig, leg: Leg, since_strike: FloatArray, settings: GaitSettings, velocity: FloatArray
) -> FootPath:
    """Path of one leg's foot over the cycle.

    Parameters
    ----------
    rig, leg
        The rig and one of its legs; its foot at rest is the foot that stands.
    since_strike
        Phase since the leg's strike, in [0, 1), shape (S,).
    velocity
        Of the character in character space, metres a second, shape (2,).

    Returns
    -------
    FootPath
        In character space.
    """
    rest_rotations, rest_positions = compute_rest_poses(rig.skeleton)
    heel, _, tip = (
        rest_positions[s.bone] + rot.rotate(rest_rotations[s.bone], s.offset) for s in leg.soles
    )
    along = rot.normalize((tip - heel) * np.array([1.0, 1.0, 0.0]))
    if not np.any(along):
        along = np.array([rig.forward[0], rig.forward[1], 0.0])
    axis = rot.cross(rot.UP, along)
    rolls = compute_rolls(since_strike, settings)
    if leg.toe is None:
        # Without a toe the foot rolls about its tip: by less, for the ankle to rise as high.
        whole = rolls.tip + rolls.bend
        if settings.curves is not None:
            whole = whole * min(rig.ball_shares[rig.legs.index(leg)], 1.0)
        rolls = _FootRolls(whole, np.zeros_like(whole), rolls.heel)

    placed = _place_foot(rig, leg, heel, settings)
    swing = np.clip((since_strike - settings.duty) / (1.0 - settings.duty), 0.0, 1.0)
    rise = settings.lift * leg.length * _compute_rise(swing)
    shift = placed + rise[:, None] * rot.UP
    lead = settings.period * compute_lead_times(since_strike, settings.duty)

    def move(points: FloatArray) -> FloatArray:
        """Points of the rolled foot brought to their place in the cycle."""
        return carry_points(points + shift, lead, velocity, settings.turn_rate)[0]

    tip_turn = rot.quaternions_from_axis_angles(axis, rolls.tip)
    heel_turn = rot.quaternions_from_axis_angles(axis, -rolls.heel)
    bend_turn = rot.quaternions_from_axis_angles(axis, rolls.bend)

    def roll(points: FloatArray) -> FloatArray:
        """Points of the toe at rest after the rolls about the tip and then the heel."""
        about_tip = tip + rot.rotate(tip_turn, points - tip)
        return heel + rot.rotate(heel_turn, about_tip - heel)

    joint = rest_positions[leg.toe] if leg.toe is not None else tip
    ankle = joint + rot.rotate(bend_turn, rest_positions[leg.ankle] - joint)
    yaws = settings.turn_rate * lead
    toe_turn = rot.multiply(rot.quaternions_from_yaws(yaws), rot.multiply(heel_turn, tip_turn))
    foot_turn = rot.multiply(toe_turn, bend_turn)
    toe_rotations = None if leg.toe is None else rot.multiply(toe_turn, rest_rotations[leg.toe])
    return FootPath(
        ankles=move(roll(ankle)),
        foot_rotations=rot.multiply(foot_turn, rest_rotations[leg.ankle]),
        toe_rotations=toe_rotations,
        yaws=yaws,
    )


def _place_foot(rig: Rig, leg: Leg, heel: FloatArray, settings: GaitSettings) -> FloatArray:
    """Shift of the resting foot that sets it on its track and on the ground, shape (3,)."""
    positions = compute_rest_poses(rig.skeleton)[1]
    forward = np.array([rig.forward[0], rig.forward[1], 0.0])
    left = rot.cross(rot.UP, forward)
    aside = float(rot.dot(positions[leg.ankle] - positions[rig.body], left))
    travel = np.cos(settings.direction) * forward + np.sin(settings.direction) * left
    shift = (settings.width - 1.0) * aside * left - settings.set_back * rig.leg_length * travel
    shift[2] += rig.ground_height - heel[2]
    return shift


def _measure_soles(rig: Rig, leg: Leg, path: FootPath) -> FloatArray:
    """Height of the lowest of a foot's three sole points on its path, metres, shape (S,)."""
    rest_rotations, rest_positions = compute_rest_poses(rig.skeleton)
    foot = rest_positions[leg.ankle]
    turn = rot.multiply(path.foot_rotations, rot.conjugate(rest_rotations[leg.ankle]))
    heights = []
    for sole in leg.soles:
        point = rest_positions[sole.bone] + rot.rotate(rest_rotations[sole.bone], sole.offset)
        if sole.bone == leg.toe and path.toe_rotations is not None:
            joint = rest_positions[leg.toe]
            toe_turn = rot.multiply(path.toe_rotations, rot.conjugate(rest_rotations[leg.toe]))
            place = rot.rotate(turn, joint - foot) + rot.rotate(toe_turn, point - joint)
        else:
            place = rot.rotate(turn, point - foot)
        heights.append((path.ankles + place)[:, 2])
    return np.asarray(np.min(heights, axis=0))


# Joints of a leg with one knee; others bend as if it were in the middle.
_KNEE_JOINTS = 3
# Hips of all legs at phases (S,) before the body's height is known, metres, shape (S, L, 3).
HipsAt = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Strides:
    """Feet and body over S phases.

    Attributes
    ----------
    heights
        How far the body is moved up, metres, shape (S,).
    """

    feet: list[FootPath]
    heights: FloatArray


@dataclass(frozen=True)
class _Walker:
    """Record of what all steps of a gait share."""

    rig: Rig
    settings: GaitSettings
    curves: GaitCurves
    velocity: FloatArray
    strikes: FloatArray
    find_hips: HipsAt

    def follow_leg(self, index: int, phases: FloatArray) -> FloatArray:
        """Phases (S,) since a leg's strike."""
        return (phases - self.strikes[index]) % 1.0

    def plant(self, index: int, phases: FloatArray) -> FootPath:
        """Find where a leg's foot is as long as it stands; in the air, where even steps have it."""
        leg = self.rig.legs[index]
        since = self.follow_leg(index, phases)
        return compute_foot_path(self.rig, leg, since, self.settings, self.velocity)


@dataclass(frozen=True)
class _Heights:
    """Height of the body as waves of the cycle, metres: constant, cosines, sines."""

    waves: FloatArray

    def compute(self, phases: FloatArray) -> FloatArray:
        """Metres up, shape (S,)."""
        return np.asarray(_list_waves(phases)[0] @ self.waves)


@dataclass(frozen=True)
class _Ends:
    """What a planted foot is off the hanging one at foot-off and strike, metres, and its rate a swing."""

    first: FloatArray
    first_rate: FloatArray
    last: FloatArray
    last_rate: FloatArray

    def lead_over(self, swing: FloatArray) -> FloatArray:
        """From one end of the swing (S,) to the other by values and rates, shape (S, 3)."""
        power = STRIDING.lead_power
        s = swing[:, None]
        t = 1.0 - s
        return np.asarray(
            t**power * (1.0 + power * s) * self.first
            + s * t**power * self.first_rate
            + s**power * (1.0 + power * t) * self.last
            - t * s**power * self.last_rate
        )


def plan_strides(
    rig: Rig,
    settings: GaitSettings,
    velocity: FloatArray,
    strikes: FloatArray,
    find_hips: HipsAt,
    phases: FloatArray,
) -> Strides:
    """Feet and body height of a gait with curves of people.

    Raises RigError: a leg cannot reach as far as it steps.

    Parameters
    ----------
    rig
        The rig; its resting feet are the feet that stand.
    settings
        The gait; it has ``curves``.
    velocity
        Of the character in character space, metres a second, shape (2,).
    strikes
        Phase at which each leg strikes, shape (L,).
    find_hips
        Places of the hips while the body has its height at rest.
    phases
        Of the cycle, shape (S,).
    """
    if settings.curves is None:
        raise ValueError("the gait has no curves")
    walker = _Walker(rig, settings, settings.curves, velocity, strikes, find_hips)
    grid = np.arange(STRIDING.grid) / STRIDING.grid
    walker, heights = _fit_body(walker, grid)
    feet = [_move_foot(walker, index, heights, phases) for index in range(len(rig.legs))]
    lowered = heights.compute(phases) - settings.crouch * rig.leg_length
    return Strides(feet, lowered)


def measure_rest(rig: Rig, leg: Leg) -> float:
    """Distance from hip to ankle of a leg at rest, metres."""
    positions = compute_rest_poses(rig.skeleton)[1]
    return float(rot.lengths(positions[leg.ankle] - positions[leg.joints[0]]))


def can_straighten(rig: Rig, leg: Leg) -> bool:
    """Whether a leg has one knee that is nearly straight at rest, unlike a bird's or a dog's."""
    has_knee = len(leg.joints) == _KNEE_JOINTS
    return has_knee and measure_rest(rig, leg) >= STRIDING.straight_at_rest * leg.length


def measure_straight(rig: Rig, leg: Leg) -> float:
    """Distance from hip to ankle of a leg as straight as it stands, metres."""
    rest = measure_rest(rig, leg)
    return max(rest, STRIDING.straight * leg.length) if can_straighten(rig, leg) else rest


def _fit_body(walker: _Walker, grid: FloatArray) -> tuple[_Walker, _Heights]:
    """The walker with its feet as far behind the body as people's in the mean, and the heights."""
    settings, rig = walker.settings, walker.rig
    forward = _find_axes(rig)[0]
    hips = walker.find_hips(grid)
    under = replace(walker, settings=replace(settings, set_back=0.0))
    ahead = []
    for index in range(len(rig.legs)):
        since = walker.follow_leg(index, grid)
        stands = since <= settings.duty
        way = under.plant(index, grid).ankles - hips[:, index]
        hung = _hang_leg(walker, index, since)
        ahead.append(np.mean((hung[:, 0] - rot.dot(way, forward))[stands]))
    back = settings.set_back - float(np.mean(ahead)) / rig.leg_length
    placed = replace(walker, settings=replace(settings, set_back=back))
    return placed, _fit_heights(placed, grid, hips)


def _find_axes(rig: Rig) -> tuple[FloatArray, FloatArray]:
    """Forward and left, shape (3,)."""
    forward = np.array([rig.forward[0], rig.forward[1], 0.0])
    return forward, rot.cross(rot.UP, forward)


def _split_leg(rig: Rig, leg: Leg) -> tuple[float, float]:
    """Lengths of thigh and shin, metres, of the leg as straight as it stands."""
    positions = compute_rest_poses(rig.skeleton)[1]
    chain = list(leg.joints)
    thigh = float(rot.lengths(positions[chain[1]] - positions[chain[0]]))
    share = thigh / leg.length if len(chain) == _KNEE_JOINTS else 0.5
    straight = measure_straight(rig, leg) / STRIDING.straight
    return share * straight, (1.0 - share) * straight


def _hang_leg(walker: _Walker, index: int, since: FloatArray) -> FloatArray:
    """Way from hip to ankle ahead and up as people's thigh and knee have it, metres, shape (S, 2)."""
    thigh, shin = _split_leg(walker.rig, walker.rig.legs[index])
    lean = walker.curves.thigh.compute(since)
    fall = lean - walker.curves.knee.compute(since)
    return np.stack(
        [
            thigh * np.sin(lean) + shin * np.sin(fall),
            -thigh * np.cos(lean) - shin * np.cos(fall),
        ],
        axis=-1,
    )


def _measure_bent(thigh: float, shin: float, knee: FloatArray) -> FloatArray:
    """Distance from hip to ankle of bent legs, metres."""
    return np.sqrt(thigh**2 + shin**2 + 2.0 * thigh * shin * np.cos(knee))


def _list_waves(phases: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Waves at phases and their second derivatives by the phase, shapes (S, 2 H + 1)."""
    rates = 2.0 * np.pi * np.arange(1, STRIDING.harmonics + 1)
    angles = phases[:, None] * rates
    values = np.concatenate([np.ones((len(phases), 1)), np.cos(angles), np.sin(angles)], axis=1)
    bends = values * -np.concatenate([[0.0], rates**2, rates**2])
    return values, bends


def _fit_heights(walker: _Walker, grid: FloatArray, hips: FloatArray) -> _Heights:
    """Height of the body by least squares of standing knees; in flight it falls.

    A leg that would be longer than straight pulls the body down.
    """
    settings, rig = walker.settings, walker.rig
    values, bends = _list_waves(grid)
    rows, wanted, tops = [], [], []
    flying = np.ones(len(grid), dtype=bool)
    for index, leg in enumerate(rig.legs):
        thigh, shin = _split_leg(rig, leg)
        since = walker.follow_leg(index, grid)
        stands = since <= settings.duty
        flying &= ~stands
        knee = walker.curves.knee.compute(since)
        way = walker.plant(index, grid).ankles - hips[:, index]
        asked = _measure_bent(thigh, shin, knee)
        beside = np.hypot(way[:, 0], way[:, 1])
        top = settings.stretch * measure_straight(rig, leg)
        if np.any(beside[stands] >= STRIDING.most_aside * top):
            raise RigError(
                f"gait {settings.name!r} steps {beside[stands].max():.2f} m aside of the hip of leg "
                f"{leg.name!r}, which reaches {STRIDING.most_aside * top:.2f} m",
                "lower its Stride",
                "lower its `stride`",
            )
        height = way[:, 2] + np.sqrt(np.maximum(asked**2 - beside**2, 0.0))
        ceiling = way[:, 2] + np.sqrt(np.maximum(top**2 - beside**2, 0.0))
        # A radian of the knee changes the leg by this length, and upright legs by as much height.
        lever = thigh * shin * np.sin(np.maximum(knee, STRIDING.least_knee)) / asked
        weight = np.where(stands, 1.0 / lever, 0.0)
        rows.append(weight[:, None] * values)
        wanted.append(weight * np.minimum(height, ceiling))
        tops.append(np.where(stands, ceiling, np.inf))
    # In the air the body falls with gravity.
    fall = flying * STRIDING.flight / STANDARD_GRAVITY
    rows.append(fall[:, None] * bends / settings.period**2)
    wanted.append(-fall * STANDARD_GRAVITY)
    ceiling = np.min(tops, axis=0)
    matrix, target = np.concatenate(rows), np.concatenate(wanted)
    waves = np.linalg.lstsq(matrix, target, rcond=None)[0]
    for _ in range(STRIDING.tries):
        over = values @ waves > ceiling - STRIDING.margin * rig.leg_length
        if not np.any(values @ waves > ceiling + 1e-9):
            break
        held = STRIDING.ceiling * over[:, None] * values
        low = (
            STRIDING.ceiling * over * np.where(over, ceiling - STRIDING.margin * rig.leg_length, 0)
        )
        waves = np.linalg.lstsq(
            np.concatenate([matrix, held]), np.concatenate([target, low]), rcond=None
        )[0]
    # What knees ask for is less than the rise and fall that was measured, for long feet above all.
    travel = float(np.ptp(values @ waves)) / rig.leg_length
    most = np.clip(settings.rise / max(travel, STRIDING.least_travel), 1.0, STRIDING.most_heave)
    waves[1:] *= most * settings.heave
    waves[0] -= max(0.0, float(np.max(values @ waves - ceiling)))
    return _Heights(waves)


def _move_foot(walker: _Walker, index: int, heights: _Heights, phases: FloatArray) -> FootPath:
    """Path of a foot: planted as long as it stands, hanging from the hip in the air."""
    settings, leg = walker.settings, walker.rig.legs[index]
    since = walker.follow_leg(index, phases)
    ends = _measure_ends(walker, index, heights)
    path = _swing_foot(walker, index, heights, ends, phases)
    swing = np.clip((since - settings.duty) / (1.0 - settings.duty), 0.0, 1.0)
    rise = _find_rise(walker, index, heights, ends)
    lifted = path.ankles + np.interp(swing, *rise)[:, None] * rot.UP
    hips = walker.find_hips(phases)[:, index] + heights.compute(phases)[:, None] * rot.UP
    held = replace(path, ankles=_hold_back(walker, leg, hips, lifted))
    # What is left of toes in the ground.
    depth = np.maximum(walker.rig.ground_height - _measure_soles(walker.rig, leg, held), 0.0)
    clear = held.ankles + depth[:, None] * rot.UP
    standing = (since <= settings.duty)[:, None]
    return replace(path, ankles=np.where(standing, path.ankles, clear))


def _swing_foot(
    walker: _Walker, index: int, heights: _Heights, ends: _Ends, phases: FloatArray
) -> FootPath:
    """Path of a foot that clears nothing yet."""
    settings = walker.settings
    since = walker.follow_leg(index, phases)
    planted = walker.plant(index, phases)
    swing = np.clip((since - settings.duty) / (1.0 - settings.duty), 0.0, 1.0)
    ankles = _hang_foot(walker, index, heights, phases) + ends.lead_over(swing)
    standing = (since <= settings.duty)[:, None]
    return replace(planted, ankles=np.where(standing, planted.ankles, ankles))


def _hang_foot(walker: _Walker, index: int, heights: _Heights, phases: FloatArray) -> FloatArray:
    """Ankles below the hips as people's thigh and knee have them, on the foot's own track, (S, 3)."""
    forward, left = _find_axes(walker.rig)
    since = walker.follow_leg(index, phases)
    hip = walker.find_hips(phases)[:, index]
    ahead, up = _hang_leg(walker, index, since).T
    track = walker.plant(index, phases).ankles
    ways = rot.dot(hip, forward) + ahead
    tops = hip[:, 2] + heights.compute(phases) + up
    aside = rot.dot(track, left)
    return ways[:, None] * forward + aside[:, None] * left + tops[:, None] * rot.UP


def _measure_ends(walker: _Walker, index: int, heights: _Heights) -> _Ends:
    """Measure what a planted foot is off the hanging one at foot-off and strike."""
    settings, step = walker.settings, STRIDING.step
    strike = walker.strikes[index]
    off = strike + settings.duty
    # A foot stands up to foot-off and from the strike on, so rates are taken on those sides.
    phases = np.array([off - step, off - 0.1 * step, strike + 0.1 * step, strike + step])
    away = walker.plant(index, phases).ankles - _hang_foot(walker, index, heights, phases)
    rate = (1.0 - settings.duty) / (0.9 * step)
    # Feet do not glide onto the ground: they come down on it.
    fall = STRIDING.fall * walker.rig.legs[index].length * rot.UP
    return _Ends(away[1], (away[1] - away[0]) * rate, away[2], (away[3] - away[2]) * rate - fall)


def _find_rise(
    walker: _Walker, index: int, heights: _Heights, ends: _Ends
) -> tuple[FloatArray, FloatArray]:
    """Shares of the swing, and how far a foot is lifted there for its sole to clear the ground."""
    settings, rig, leg = walker.settings, walker.rig, walker.rig.legs[index]
    swing = np.linspace(0.0, 1.0, STRIDING.grid + 1)
    phases = walker.strikes[index] + settings.duty + (1.0 - settings.duty) * swing
    # Both ends lie in the swing.
    phases = phases + np.linspace(1e-9, -1e-9, len(phases))
    path = _swing_foot(walker, index, heights, ends, phases)
    lows = _measure_soles(rig, leg, path) - rig.ground_height
    shape = _compute_rise(swing)
    asked = rot.step_cubic(swing / STRIDING.clear)
    asked = asked * rot.step_cubic((1.0 - swing) / STRIDING.clear)
    asked = settings.clearance * leg.length * asked
    samples = round(STRIDING.clear_width * STRIDING.grid)
    needed = find_sliding_maximum(np.maximum(asked - lows, 0.0), samples)
    edge = rot.step_cubic(swing / STRIDING.clear_edge)
    edge = edge * rot.step_cubic((1.0 - swing) / STRIDING.clear_edge)
    return swing, edge * blur_hann(needed, samples) + settings.lift * leg.length * shape


def _hold_back(walker: _Walker, leg: Leg, hips: FloatArray, ankles: FloatArray) -> FloatArray:
    """Ankles in the air no farther from the hips than the leg is long when straight, softly."""
    most = walker.settings.stretch * measure_straight(walker.rig, leg)
    way = ankles - hips
    distance = rot.lengths(way)
    soft = STRIDING.soft * most
    over = np.maximum(distance - most + soft, 0.0)
    held = np.where(over > 0.0, most - soft * np.exp(-over / soft), distance)
    return hips + way * (held / np.maximum(distance, np.finfo(float).tiny))[:, None]
