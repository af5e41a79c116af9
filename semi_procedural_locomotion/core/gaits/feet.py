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

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.skeleton import compute_rest_poses
from ..rig.structure import Leg, Rig
from .limits import ROLLS
from .settings import GaitSettings


@dataclass(frozen=True)
class FootRolls:
    """How one foot is pitched at S phases, radians, each of shape (S,).

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
    """Where one leg's foot is, in character space.

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


def compute_rolls(since_strike: FloatArray, settings: GaitSettings) -> FootRolls:
    """Pitch angles of a foot over the cycle.

    Parameters
    ----------
    since_strike
        Phase since the strike, in [0, 1), shape (S,).
    settings
        The gait.

    Returns
    -------
    FootRolls
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
    return FootRolls(tip=pitch - bend, bend=bend, heel=heel)


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


def compute_rise(swing: FloatArray) -> FloatArray:
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
    settings
        The gait.
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
        rolls = FootRolls(whole, np.zeros_like(whole), rolls.heel)

    placed = _place_foot(rig, leg, heel, settings)
    swing = np.clip((since_strike - settings.duty) / (1.0 - settings.duty), 0.0, 1.0)
    rise = settings.lift * leg.length * compute_rise(swing)
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


def measure_soles(rig: Rig, leg: Leg, path: FootPath) -> FloatArray:
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
