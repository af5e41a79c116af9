# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pelvis, spine, head and arms of a made gait (numpy only).

Everything follows from two signals of each leg: how much it carries (a cosine with its top in the
middle of the stance) and how far it is stepped out (a sine). So any number of legs in any order
moves one body: what cancels for a trot does not for a walk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.skeleton import compute_rest_poses
from ..rig.structure import Rig
from ..rig.upper_body import Arm, BodyParts
from .limits import BODY
from .measured import Waves
from .settings import GaitSettings


@dataclass(frozen=True)
class BodyMotion:
    """The body at S phases, before its height is known.

    Attributes
    ----------
    turns
        Rotation of driven bones against their rest orientation in character space, bone index to
        shape (S, 4).
    shift
        Movement of the body bone's head from its rest place, metres, shape (S, 3).
    """

    turns: dict[int, FloatArray]
    shift: FloatArray


@dataclass(frozen=True)
class _Frame:
    """Axes of a character: forward and left horizontal unit vectors, shape (3,)."""

    forward: FloatArray
    left: FloatArray


@dataclass(frozen=True)
class _Signals:
    """What legs of one end of the body do, each of shape (S,)."""

    sway: FloatArray
    twist: FloatArray
    rise: FloatArray
    pitch: FloatArray


def move_body(rig: Rig, parts: BodyParts, settings: GaitSettings, phases: FloatArray) -> BodyMotion:
    """Turning and swaying of everything but the legs.

    Parameters
    ----------
    rig
        The rig.
    parts
        Its spine, head, arms and tail.
    settings
        The gait.
    phases
        Of the cycle, shape (S,).

    Returns
    -------
    BodyMotion
    """
    frame = _Frame(
        np.array([rig.forward[0], rig.forward[1], 0.0]),
        np.array([-rig.forward[1], rig.forward[0], 0.0]),
    )
    front = _list_front_legs(rig, parts)
    hind = [i for i in range(len(rig.legs)) if i not in front]
    whole = _read_signals(rig, settings, phases, list(range(len(rig.legs))), frame)
    pelvis = _read_signals(rig, settings, phases, hind, frame)
    along = float(np.cos(settings.direction))
    length = rig.leg_length
    shift = (
        (settings.sway * length * whole.sway)[:, None] * frame.left
        + whole.rise[:, None] * rot.UP
        + _compute_surge(settings, phases, hind, length)[:, None] * frame.forward * along
    )
    gallop = settings.flex * _mean_load(settings, phases, hind) if front else np.zeros_like(phases)
    pelvis_turn = _compose(
        frame,
        yaw=settings.twist * along * pelvis.twist,
        roll=settings.drop * pelvis.sway,
        pitch=settings.tilt + whole.pitch - 0.5 * gallop,
    )
    curves = settings.curves
    if curves is not None:
        pelvis_turn = _compose(
            frame,
            yaw=-along * _follow_people(rig, settings, phases, frame, curves.pelvis_yaw),
            roll=_follow_people(rig, settings, phases, frame, curves.pelvis_roll),
            pitch=np.full_like(phases, settings.tilt),
        )
    if front:
        chest_legs = _read_signals(rig, settings, phases, front, frame)
        chest_turn = _compose(
            frame,
            yaw=settings.twist * along * chest_legs.twist,
            roll=settings.drop * chest_legs.sway,
            pitch=settings.lean + whole.pitch + 0.5 * gallop,
        )
    else:
        yaw = -settings.chest_twist * along * pelvis.twist
        if curves is not None:
            yaw = -along * _follow_people(rig, settings, phases, frame, curves.chest_yaw)
        chest_turn = _compose(
            frame,
            yaw=yaw,
            roll=-settings.chest_roll * pelvis.sway,
            pitch=np.full_like(phases, settings.lean),
        )
    turns = {rig.body: pelvis_turn}
    for place, bone in enumerate(parts.spine):
        turns[bone] = rot.slerp(pelvis_turn, chest_turn, (place + 1) / len(parts.spine))
    if not parts.spine:
        chest_turn = pelvis_turn
    _move_head(parts, chest_turn, turns)
    for arm in parts.arms:
        _move_arm(rig, arm, settings, phases, (chest_turn, frame), turns)
    for place, bone in enumerate(parts.tail):
        late = _read_signals(rig, settings, phases - place * BODY.tail_lag, hind, frame)
        yaw = rot.quaternions_from_yaws(BODY.tail_swing * (place + 1) * late.sway)
        turns[bone] = rot.multiply(pelvis_turn, yaw)
    return BodyMotion(turns, shift)


def _follow_people(
    rig: Rig, settings: GaitSettings, phases: FloatArray, frame: _Frame, waves: Waves
) -> FloatArray:
    """People's angle of pelvis or chest, left side up or ahead positive, radians, shape (S,)."""
    positions = compute_rest_poses(rig.skeleton)[1]
    angles = []
    for leg, strike in zip(rig.legs, settings.phases, strict=True):
        side = float(np.sign(rot.dot(positions[leg.ankle] - positions[rig.body], frame.left)))
        angles.append(side * waves.compute(phases - strike))
    return np.asarray(np.mean(angles, axis=0))


def _list_front_legs(rig: Rig, parts: BodyParts) -> list[int]:
    """Legs that hang farther up the spine than the hindmost; none where all hang together."""
    places = []
    for leg in rig.legs:
        above = set(rig.skeleton.find_ancestors(leg.joints[0]))
        places.append(max((i for i, bone in enumerate(parts.spine) if bone in above), default=-1))
    return [index for index, place in enumerate(places) if place > min(places)]


def _read_signals(
    rig: Rig, settings: GaitSettings, phases: FloatArray, legs: list[int], frame: _Frame
) -> _Signals:
    """Signals of some legs; sway and twist lie in -1..1, rise is in metres, pitch in radians."""
    positions = compute_rest_poses(rig.skeleton)[1]
    sway, twist = np.zeros_like(phases), np.zeros_like(phases)
    rises: list[FloatArray] = []
    places: list[float] = []
    for index in legs:
        leg = rig.legs[index]
        offset = positions[leg.ankle] - positions[rig.body]
        side = float(np.sign(rot.dot(offset, frame.left)))
        angle = 2.0 * np.pi * (phases - settings.phases[index] - 0.5 * settings.duty)
        sway = sway + side * np.cos(angle) / len(legs)
        # People's arms follow the strikes, whatever the duty.
        ahead = (
            angle if settings.curves is None else 2.0 * np.pi * (phases - settings.phases[index])
        )
        quarter = 0.0 if settings.curves is None else 0.5 * np.pi
        twist = twist + side * np.sin(ahead - quarter) / len(legs)
        rise = settings.bob * np.cos(2.0 * angle) + settings.bounce * np.cos(angle)
        rises.append(rise * rig.leg_length)
        places.append(float(rot.dot(offset, frame.forward)))
    x = np.array(places)
    mean = x.mean()
    heave = np.mean(rises, axis=0)
    pitch = np.zeros_like(phases)
    if np.ptp(x) > BODY.least_base * rig.leg_length:
        slope = np.tensordot(x - mean, np.array(rises), axes=1) / np.sum((x - mean) ** 2)
        pitch = -np.arctan(slope)
        heave = heave - slope * mean
    return _Signals(sway, twist, heave, pitch)


def _mean_load(settings: GaitSettings, phases: FloatArray, legs: list[int]) -> FloatArray:
    """Mean of the legs' once-a-cycle signals."""
    middles = np.array([settings.phases[i] + 0.5 * settings.duty for i in legs])
    return np.mean(np.cos(2.0 * np.pi * (phases[:, None] - middles)), axis=1)


def _compute_surge(
    settings: GaitSettings, phases: FloatArray, legs: list[int], length: float
) -> FloatArray:
    """Fore-aft sway, metres: the body lags while it climbs over the leg and catches up after."""
    middles = np.array([settings.phases[i] + 0.5 * settings.duty for i in legs])
    twice = np.mean(np.sin(4.0 * np.pi * (phases[:, None] - middles)), axis=1)
    return -settings.surge * length * twice


def _compose(frame: _Frame, yaw: FloatArray, roll: FloatArray, pitch: FloatArray) -> FloatArray:
    """Yaw of roll of pitch: left turn, left side up, forward lean, radians (S,), as (S, 4)."""
    return rot.multiply(
        rot.quaternions_from_yaws(yaw),
        rot.multiply(
            rot.quaternions_from_axis_angles(frame.forward, roll),
            rot.quaternions_from_axis_angles(frame.left, pitch),
        ),
    )


def _move_head(parts: BodyParts, chest_turn: FloatArray, turns: dict[int, FloatArray]) -> None:
    """Let neck and head keep only a part of the chest's turning."""
    head_turn = rot.power(chest_turn, BODY.head)
    for place, bone in enumerate(parts.neck):
        share = BODY.neck * (place + 1) / len(parts.neck)
        turns[bone] = rot.slerp(chest_turn, head_turn, share)
    if parts.head is not None:
        turns[parts.head] = head_turn


def _move_arm(
    rig: Rig,
    arm: Arm,
    settings: GaitSettings,
    phases: FloatArray,
    chest: tuple[FloatArray, _Frame],
    turns: dict[int, FloatArray],
) -> None:
    """Let an arm hang from the chest and swing against the legs."""
    chest_turn, frame = chest
    positions = compute_rest_poses(rig.skeleton)[1]
    outward = arm.side * frame.left
    along = float(np.cos(settings.direction))
    swings = [
        along * arm.side * _read_signals(rig, settings, phases - delay, _all_legs(rig), frame).twist
        for delay in settings.arm_lag * np.arange(3)
    ]
    # The arms hang from the chest but do not lean forward with it.
    level = rot.multiply(
        chest_turn, rot.quaternions_from_axis_angles(frame.left, -BODY.arm_upright * settings.lean)
    )
    if arm.shoulder is not None:
        yaw = -arm.side * settings.shoulder_swing * swings[0]
        turns[arm.shoulder] = rot.multiply(chest_turn, rot.quaternions_from_yaws(yaw))
    upper_rest = rot.normalize(positions[arm.fore] - positions[arm.upper])
    hang = rot.normalize(np.tan(settings.arm_spread) * outward - rot.UP)
    swing = settings.arm_bias + settings.arm_swing * swings[0]
    turn = rot.quaternions_from_axis_angles(frame.left, -swing)
    upper = rot.multiply(turn, rot.quaternions_from_arcs(upper_rest, hang))
    turns[arm.upper] = rot.multiply(level, upper)

    end = positions[arm.hand] if arm.hand is not None else None
    fore_rest = upper_rest if end is None else rot.normalize(end - positions[arm.fore])
    fore_hang = rot.normalize(np.tan(BODY.forearm_spread * settings.arm_spread) * outward - rot.UP)
    fore_arc = rot.quaternions_from_arcs(fore_rest, fore_hang)
    inward = rot.rotate(rot.quaternions_from_yaws(-arm.side * BODY.forearm_inward), frame.left)
    for bone, signal in ((arm.fore, swings[1]), (arm.hand, swings[2])):
        if bone is None:
            continue
        bend = settings.elbow_bend + settings.elbow_swing * signal
        fold = rot.quaternions_from_axis_angles(inward, -bend)
        turns[bone] = rot.multiply(level, rot.multiply(turn, rot.multiply(fold, fore_arc)))


def _all_legs(rig: Rig) -> list[int]:
    """Indices of all legs."""
    return list(range(len(rig.legs)))
