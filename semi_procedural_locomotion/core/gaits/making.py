# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles made from numbers, for characters that have none (numpy only).

A made gait is an ordinary in-place clip: it goes the same way through the analysis as any
animator's walk. It also tells the truth that it was made from, which the analysis is tested against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import RigError
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.clips import Clip
from ..rig.driving import drive_bones
from ..rig.ik_chain import solve_leg
from ..rig.limits import REACH
from ..rig.skeleton import compute_rest_poses
from ..rig.structure import Leg, Rig
from ..rig.upper_body import Arm, BodyParts, find_body_parts
from .feet import (
    FootPath,
    can_straighten,
    compute_foot_path,
    measure_rest,
    measure_straight,
    plan_strides,
)
from .limits import BODY, FIT, STRIDING
from .measured import Waves
from .settings import GaitSettings


@dataclass(frozen=True)
class _BodyMotion:
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
    """Record of what legs of one end of the body do, each of shape (S,)."""

    sway: FloatArray
    twist: FloatArray
    rise: FloatArray
    pitch: FloatArray


def _move_body(
    rig: Rig, parts: BodyParts, settings: GaitSettings, phases: FloatArray
) -> _BodyMotion:
    """Turning and swaying of everything but the legs."""
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
    return _BodyMotion(turns, shift)


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


@dataclass(frozen=True)
class _GaitTruth:
    """Record of what is true of a made gait, exactly.

    Attributes
    ----------
    period
        Seconds.
    velocity
        Of the character in character space, metres a second, shape (2,).
    turn_rate
        Radians a second about up.
    strike, land, lift, off
        Phases of the clip at which each leg's first point arrives, its last point arrives, its
        first point leaves and its last point leaves, in [0, 1), shape (L,).
    """

    period: float
    velocity: FloatArray
    turn_rate: float
    strike: FloatArray
    land: FloatArray
    lift: FloatArray
    off: FloatArray


def compute_truth(rig: Rig, settings: GaitSettings) -> _GaitTruth:
    """The truth of a gait for a rig; raises as `make_gait`."""
    _check_phases(rig, settings)
    strike = np.asarray(settings.phases, dtype=np.float64)
    speed = settings.stride * rig.leg_length / settings.period
    heading = np.arctan2(rig.forward[1], rig.forward[0]) + settings.direction
    return _GaitTruth(
        period=settings.period,
        velocity=speed * np.array([np.cos(heading), np.sin(heading)]),
        turn_rate=settings.turn_rate,
        strike=strike % 1.0,
        land=(strike + settings.used_strike_share) % 1.0,
        lift=(strike + settings.duty - settings.used_off_share) % 1.0,
        off=(strike + settings.duty) % 1.0,
    )


def make_gait(rig: Rig, settings: GaitSettings, parts: BodyParts | None = None) -> Clip:
    """An in-place cycle for a rig.

    Raises RigError where the number of phases is not that of the legs, or the legs cannot reach the
    ground.

    Parameters
    ----------
    rig
        The rig; its resting feet are the feet that stand.
    settings
        The gait, with a phase for each leg.
    parts
        Spine, head, arms and tail; told from the shape of the bone tree where None.

    Returns
    -------
    Clip
        ``settings.keys + 1`` samples over one period; the last equals the first.
    """
    body, feet, heights = _plan_cycle(rig, settings, parts)
    times = np.arange(settings.keys + 1) * (settings.period / settings.keys)
    return _pose_clip(rig, settings, body, feet, heights, times)


def measure_sinking(rig: Rig, settings: GaitSettings, parts: BodyParts | None = None) -> float:
    """Metres by which a gait lowers the body besides its crouch, so that the legs reach the ground.

    Takes and raises the same as `make_gait`.
    """
    heights = _plan_cycle(rig, settings, parts)[2]
    return -float(np.mean(heights[:-1])) - settings.crouch * rig.leg_length


def _plan_cycle(
    rig: Rig, settings: GaitSettings, parts: BodyParts | None
) -> tuple[_BodyMotion, list[FootPath], FloatArray]:
    """Body, feet and the height of the body, metres (S,), at the keys of a cycle."""
    truth = compute_truth(rig, settings)
    phases = np.arange(settings.keys + 1) / settings.keys
    phases[-1] = 0.0
    parts = parts or find_body_parts(rig)
    body = _move_body(rig, parts, settings, phases)
    if settings.curves is not None:
        hips = [leg.joints[0] for leg in rig.legs]

        def find_hips(at: FloatArray) -> FloatArray:
            return _place_joints(rig, _move_body(rig, parts, settings, at))[:, hips]

        strides = plan_strides(rig, settings, truth.velocity, truth.strike, find_hips, phases)
        return body, strides.feet, strides.heights
    feet = [
        compute_foot_path(rig, leg, (phases - strike) % 1.0, settings, truth.velocity)
        for leg, strike in zip(rig.legs, truth.strike, strict=True)
    ]
    height = _find_height(rig, settings, _place_joints(rig, body), feet)
    return body, feet, np.full(len(phases), height)


def make_rest(rig: Rig, settings: GaitSettings, parts: BodyParts | None = None) -> Clip:
    """A still stance that goes with a gait: feet on their tracks, arms hanging.

    Parameters
    ----------
    rig, parts
        As for `make_gait`.
    settings
        The gait whose width, crouch and constant angles are taken.

    Returns
    -------
    Clip
        Two equal samples a second apart.
    """
    still = replace(
        settings,
        curves=None,
        phases=(0.0,) * len(rig.legs),
        stride=0.0,
        set_back=0.0,
        turn_rate=0.0,
        off_roll=0.0,
        strike_roll=0.0,
    )
    count = 2
    phases = np.zeros(count)
    calm = replace(still, bob=0.0, bounce=0.0, surge=0.0, sway=0.0, drop=0.0, twist=0.0, flex=0.0)
    body = _move_body(rig, parts or find_body_parts(rig), replace(calm, chest_roll=0.0), phases)
    velocity = np.zeros(2)
    middle = np.full(count, 0.5 * still.duty)
    feet = [compute_foot_path(rig, leg, middle, still, velocity) for leg in rig.legs]
    times = np.linspace(0.0, 1.0, count)
    find = _find_height if settings.curves is None else _find_standing_height
    height = find(rig, still, _place_joints(rig, body), feet)
    return _pose_clip(rig, replace(still, name="rest"), body, feet, np.full(count, height), times)


def _check_phases(rig: Rig, settings: GaitSettings) -> None:
    """Refuse a gait that is made for another number of legs."""
    if len(settings.phases) != len(rig.legs):
        raise RigError(
            f"gait {settings.name!r} has phases for {len(settings.phases)} legs but the rig has "
            f"{len(rig.legs)}; give one phase for each leg"
        )


def _pose_clip(
    rig: Rig,
    settings: GaitSettings,
    body: _BodyMotion,
    feet: Sequence[FootPath],
    heights: FloatArray,
    times: FloatArray,
) -> Clip:
    """Local poses of all bones for a moved body and planned feet."""
    turned, place = _drive_body(rig, body)
    joints = _place_joints(rig, body)
    height = heights[:, None] * rot.UP
    place[rig.body] = place[rig.body] + height
    for leg, foot in zip(rig.legs, feet, strict=True):
        turned.update(_solve_foot(rig, leg, joints[:, leg.joints[0]] + height, foot))
        if leg.detached:
            place[leg.ankle] = foot.ankles
    pose = drive_bones(rig.skeleton, turned, place, len(times))
    for values in (pose.rotations, pose.translations):
        values[-1] = values[0]
    interval = float(times[1] - times[0])
    return Clip(
        name=settings.name,
        times=times,
        rotations=rot.unroll_quaternions(pose.rotations),
        translations=pose.translations,
        scales=np.ones_like(pose.translations),
        key_interval=interval,
        frame_rate=1.0 / interval,
    )


def _drive_body(rig: Rig, body: _BodyMotion) -> tuple[dict[int, FloatArray], dict[int, FloatArray]]:
    """Global rotations (S, 4) and positions (S, 3) of the bones that the body's motion drives."""
    rest_rotations, rest_positions = compute_rest_poses(rig.skeleton)
    turned = {b: rot.multiply(turn, rest_rotations[b]) for b, turn in body.turns.items()}
    return turned, {rig.body: rest_positions[rig.body] + body.shift}


def _place_joints(rig: Rig, body: _BodyMotion) -> FloatArray:
    """Positions of all bones before the body's height is known, shape (S, B, 3)."""
    return drive_bones(rig.skeleton, *_drive_body(rig, body), len(body.shift)).positions


def _find_height(
    rig: Rig, settings: GaitSettings, joints: FloatArray, feet: Sequence[FootPath]
) -> float:
    """Metres by which the body is moved up so that every leg reaches its foot at all times."""
    height = -settings.crouch * rig.leg_length
    for leg, foot in zip(rig.legs, feet, strict=True):
        # The solver leaves legs alone up to here, or as far as they are stretched at rest.
        free = max(REACH.comfortable * leg.length, measure_rest(rig, leg))
        reach = min(FIT.most_reach * leg.length, free)
        height = min(height, _find_ceiling(settings, leg, joints, foot, reach))
    return height


def _find_standing_height(
    rig: Rig, settings: GaitSettings, joints: FloatArray, feet: Sequence[FootPath]
) -> float:
    """Metres by which a body that stands on straight legs is moved up."""
    tops = [
        _find_ceiling(settings, leg, joints, foot, measure_straight(rig, leg))
        for leg, foot in zip(rig.legs, feet, strict=True)
    ]
    return min(tops) - settings.crouch * rig.leg_length


def _find_ceiling(
    settings: GaitSettings, leg: Leg, joints: FloatArray, foot: FootPath, reach: float
) -> float:
    """Metres by which the body may be moved up for a leg that reaches so far."""
    way = foot.ankles - joints[:, leg.joints[0]]
    beside = np.hypot(way[:, 0], way[:, 1])
    if float(beside.max()) >= reach:
        raise RigError(
            f"gait {settings.name!r} steps {beside.max():.2f} m aside of the hip of leg "
            f"{leg.name!r}, which reaches {reach:.2f} m",
            "lower its Stride",
            "lower its `stride`",
        )
    return float(np.min(way[:, 2] + np.sqrt(reach**2 - beside**2)))


def _solve_foot(rig: Rig, leg: Leg, hips: FloatArray, foot: FootPath) -> dict[int, FloatArray]:
    """Global rotations (S, 4) of a leg's bones that bring its foot to its path."""
    rest_rotations, rest_positions = compute_rest_poses(rig.skeleton)
    # The leg starts from its rest pose, turned half as far as the foot is turned.
    turn = rot.quaternions_from_yaws(0.5 * foot.yaws)
    chain = list(leg.joints)
    hinge = rot.rotate(rest_rotations[chain[0]], leg.hinge)
    points = rest_positions[chain] - rest_positions[chain[0]]
    rotations = rest_rotations[chain[:-1]]
    if can_straighten(rig, leg):
        points, rotations = _straighten(points, rotations, hinge)
    solution = solve_leg(
        hips[:, None] + rot.rotate(turn[:, None], points),
        rot.multiply(turn[:, None], rotations),
        foot.ankles,
        rot.rotate(turn, hinge),
    )
    turned = {bone: solution.rotations[:, i] for i, bone in enumerate(chain[:-1])}
    turned[leg.ankle] = foot.foot_rotations
    if leg.toe is not None and foot.toe_rotations is not None:
        turned[leg.toe] = foot.toe_rotations
    return turned


def _straighten(
    points: FloatArray, rotations: FloatArray, hinge: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Joints (3, 3) and bones (2, 4) of a leg with its knee opened.

    Solvers hold legs back that are straighter than the pose they start from.
    """
    thigh, shin = rot.normalize(np.diff(points, axis=0))
    bend = np.arctan2(float(rot.dot(rot.cross(thigh, shin), hinge)), float(rot.dot(thigh, shin)))
    least = 2.0 * np.arccos(STRIDING.straight)
    turn = rot.quaternions_from_axis_angles(hinge, min(least - bend, 0.0))
    ankle = points[1] + rot.rotate(turn, points[2] - points[1])
    opened = np.stack([rotations[0], rot.multiply(turn, rotations[1])])
    return np.stack([points[0], points[1], ankle]), opened
