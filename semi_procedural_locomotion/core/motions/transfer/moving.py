# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip of one character as a clip of another (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ...rig.driving import DrivenPose, drive_bones
from ...rig.footpoints import compute_sole_points
from ...rig.ik_chain import solve_leg
from ...rig.reach import compute_comfortable_reaches
from ...rig.skeleton import compute_rest_poses
from ...rig.structure import Leg, Rig
from ..clips import Clip
from .feet import FollowingFoot, find_footbases, turn_foot
from .limits import TRANSFER
from .matching import BodyMatch, align_rest, match_bodies
from .sources import FollowedClip, FollowedFoot, read_followed


def transfer_clip(clip: Clip, source: Rig, target: Rig) -> Clip:
    """A clip of a source as a clip of a target.

    Parameters
    ----------
    clip
        Poses of the source's whole skeleton, in place or travelling.
    source, target
        The characters; they stand upright at rest. Neither names nor axes of bones have to agree.

    Returns
    -------
    Clip
        Of the same times. Lengths are scaled as the legs; feet stand on the ground as the source's
        do (docs/method/transfer.md, Feet).

    Raises
    ------
    RigError
        The characters do not have the same number of legs on each side.
    """
    match = match_bodies(source, target)
    followed = read_followed(clip, source, target.forward)
    move = _measure_move(source, target, followed)
    turned = _turn_bones(target, match, followed)
    tracks = [_follow_foot(move, number, match.legs[number]) for number in range(len(target.legs))]
    count = len(clip.times)
    loose = drive_bones(target.skeleton, turned, {}, count)
    body = loose.positions[:, target.body] + _shift_body(move, match, loose, tracks)
    placed = {target.body: body}
    posed = drive_bones(target.skeleton, turned, placed, count)
    for leg, track in zip(target.legs, tracks, strict=True):
        turned.update(_bend_leg(target, leg, posed, track))
        if leg.detached:
            placed[leg.ankle] = track.ankles
    solved = drive_bones(target.skeleton, turned, placed, count)
    return Clip(
        name=clip.name,
        times=clip.times,
        rotations=rot.unroll_quaternions(solved.rotations),
        translations=solved.translations,
        scales=np.ones_like(solved.translations),
        key_interval=clip.key_interval,
        frame_rate=clip.frame_rate,
    )


@dataclass(frozen=True)
class _Move:
    """Both characters, and how places of the one become those of the other.

    Attributes
    ----------
    source, target, followed
        The rigs, and the clip.
    scale
        Metres of the target for one of the source.
    source_hips, target_hips
        Middle of the hip joints at rest, metres, shape (3,).
    """

    source: Rig
    target: Rig
    followed: FollowedClip
    scale: float
    source_hips: FloatArray
    target_hips: FloatArray

    def place(self, points: FloatArray) -> FloatArray:
        """Places (S, 3) of the source, heights from the ground, as places of the target, metres."""
        level = np.array([1.0, 1.0, 0.0])
        moved = self.scale * (points - self.source_hips * level) + self.target_hips * level
        return np.asarray(moved + self.target.ground_height * rot.UP)


def _measure_move(source: Rig, target: Rig, followed: FollowedClip) -> _Move:
    """How places are taken over."""
    rest = compute_rest_poses(target.skeleton)[1]
    return _Move(
        source=source,
        target=target,
        followed=followed,
        scale=_find_scale(source, target),
        source_hips=followed.rest[[leg.joints[0] for leg in source.legs]].mean(axis=0),
        target_hips=rest[[leg.joints[0] for leg in target.legs]].mean(axis=0),
    )


def _find_scale(source: Rig, target: Rig) -> float:
    """Metres of the target for one of the source: by leg length or height of the hips, the lesser.

    Legs end at ankles. Where those are high, as in big boots, legs alone would make steps too long.
    """
    lengths = target.leg_length / source.leg_length
    return min(lengths, _measure_hip_height(target) / _measure_hip_height(source))


def _measure_hip_height(rig: Rig) -> float:
    """Metres from the soles to the hips of a resting character, mean of its legs."""
    rotations, positions = compute_rest_poses(rig.skeleton)
    heights = [
        positions[leg.joints[0], 2]
        - compute_sole_points(leg, rotations[None], positions[None])[..., 2].min()
        for leg in rig.legs
    ]
    return float(np.mean(heights))


def _turn_bones(target: Rig, match: BodyMatch, followed: FollowedClip) -> dict[int, FloatArray]:
    """Rotations (S, 4) of all bones that follow others, in character space."""
    aligned = align_rest(target, match, followed.rest)
    rest = compute_rest_poses(target.skeleton)[0]
    turned = {}
    for entry in match.bones:
        turn = followed.turns[:, entry.first]
        if entry.share > 0:
            turn = rot.slerp(turn, followed.turns[:, entry.second], entry.share)
        start = rot.multiply(aligned[entry.bone], rest[entry.bone])
        turned[entry.bone] = rot.multiply(turn, start)
    for leg, number in zip(target.legs, match.legs, strict=True):
        if leg.joints[0] not in turned:
            turn = _turn_line(target, leg, followed.feet[number])
            turned |= {bone: rot.multiply(turn, rest[bone]) for bone in leg.joints[:-1]}
    return turned


def _turn_line(rig: Rig, leg: Leg, foot: FollowedFoot) -> FloatArray:
    """Turn (S, 4) of a resting leg that brings hip, ankle and hinge to those of another leg."""
    rotations, positions = compute_rest_poses(rig.skeleton)
    hip = leg.joints[0]
    own = _make_axes(positions[leg.ankle] - positions[hip], rot.rotate(rotations[hip], leg.hinge))
    return rot.multiply(_make_axes(foot.lines, foot.hinges), rot.conjugate(own))


def _make_axes(lines: FloatArray, hinges: FloatArray) -> FloatArray:
    """Rotations (..., 4) to axes of which the first is the line and the second nearest the hinge."""
    first = rot.normalize(lines)
    third = rot.normalize(rot.cross(first, hinges))
    matrices = np.stack([first, rot.cross(third, first), third], axis=-1)
    return rot.quaternions_from_matrices(matrices)


def _follow_foot(move: _Move, number: int, other: int) -> FollowingFoot:
    """Where a foot of the target goes that follows one of the source, both by number."""
    source, target = move.source, move.target
    leg, followed_leg, foot = target.legs[number], source.legs[other], move.followed.feet[other]
    rotations, toes, points = turn_foot(target, leg, foot.soles, foot.toes)
    own = find_footbases(target, number, points, foot.yaws)
    hip, followed_hip = leg.joints[0], followed_leg.joints[0]
    rest = compute_rest_poses(target.skeleton)[1]
    # Feet stand under hips that are farther apart or nearer than scale alone tells.
    aside = (rest[hip] - move.target_hips) - move.scale * (
        move.followed.rest[followed_hip] - move.source_hips
    )
    aside = rot.rotate(rot.quaternions_from_yaws(foot.turns), aside * np.array([1.0, 1.0, 0.0]))
    planted, followed = move.place(foot.footbases) + aside - own, move.place(foot.ankles) + aside
    stands = foot.stands if np.any(foot.stands) else np.ones_like(foot.stands)
    # A longer or shorter foot stands so that its ankle is where the other's is, on the whole.
    ahead = rot.pack(np.cos(foot.yaws), np.sin(foot.yaws), np.zeros_like(foot.yaws))
    leads = rot.dot(followed - planted, ahead)
    planted = planted + float(np.mean(leads[stands])) * ahead
    raised = followed[:, 2] + float(np.mean((planted - followed)[stands, 2])) - planted[:, 2]
    # In flight the ankle goes the other's way, and no lower than the sole allows.
    free = 1.0 - foot.holds
    away = (followed - planted) * np.array([1.0, 1.0, 0.0]) + np.maximum(raised, 0.0)[
        :, None
    ] * rot.UP
    return FollowingFoot(rotations, toes, planted + free[:, None] * away)


def _shift_body(
    move: _Move, match: BodyMatch, loose: DrivenPose, tracks: list[FollowingFoot]
) -> FloatArray:
    """Metres (S, 3) by which the body goes from rest, so that knees bend as the source's do."""
    source, target, followed = move.source, move.target, move.followed
    middle = loose.positions[:, [leg.joints[0] for leg in target.legs]].mean(axis=1)
    shift = move.place(followed.hips) - middle
    raises, counts, most = 0.0, 0, np.inf
    for leg, track, number in zip(target.legs, tracks, match.legs, strict=True):
        foot, other = followed.feet[number], source.legs[number]
        way = (track.ankles - loose.positions[:, leg.joints[0]] - shift)[foot.stands]
        lines = foot.lines[foot.stands]
        # Hip and ankle shall be as far apart, in shares of the leg, whatever the way between them.
        apart = leg.length / other.length * rot.lengths(lines)
        beside = np.hypot(way[:, 0], way[:, 1])
        raises += float(np.sum(_measure_room(way[:, 2], beside, apart)))
        counts += len(way)
        reach = compute_comfortable_reaches(apart, leg.length)
        room = _measure_room(way[:, 2], beside, reach)
        most = min(most, float(np.min(room, initial=np.inf)))
    height = raises / max(counts, 1)
    lowest = height - TRANSFER.most_sinking * target.leg_length
    return np.asarray(shift + max(min(height, most), lowest) * rot.UP)


def _measure_room(heights: FloatArray, beside: FloatArray, lengths: FloatArray) -> FloatArray:
    """How far hips may rise until an ankle below, and beside, is some lengths away, shape (S,)."""
    return np.asarray(heights + np.sqrt(np.maximum(lengths**2 - beside**2, 0.0)))


def _bend_leg(
    target: Rig, leg: Leg, posed: DrivenPose, track: FollowingFoot
) -> dict[int, FloatArray]:
    """Rotations (S, 4) of a leg's bones that bring its foot to its track."""
    joints = list(leg.joints)
    points = posed.positions[:, joints]
    if leg.detached:
        points = points.copy()
        rotations, positions = compute_rest_poses(target.skeleton)
        shin = joints[-2]
        away = rot.rotate(rot.conjugate(rotations[shin]), positions[leg.ankle] - positions[shin])
        points[:, -1] = points[:, -2] + rot.rotate(posed.global_rotations[:, shin], away)
    solution = solve_leg(
        points,
        posed.global_rotations[:, joints[:-1]],
        track.ankles,
        rot.rotate(posed.global_rotations[:, joints[0]], leg.hinge),
    )
    turned = {bone: solution.rotations[:, i] for i, bone in enumerate(joints[:-1])}
    turned[leg.ankle] = track.rotations
    if leg.toe is not None and track.toe_rotations is not None:
        turned[leg.toe] = track.toe_rotations
    return turned
