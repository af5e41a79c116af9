# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips that climb, as up a ramp, brought to the level (docs/method/motions.md, Climbs; numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.footpoints import compute_sole_points
from ..rig.ik_chain import solve_leg
from ..rig.skeleton import compute_global_poses
from ..rig.structure import Rig
from .clips import Clip
from .limits import CLIMB


@dataclass(frozen=True)
class ClipClimb:
    """How a clip climbs along its way.

    Attributes
    ----------
    rise
        From its beginning to its end, metres, negative downward; 0 for clips that do not climb.
    slope
        Rise over the way, evenly and straight on; 0 for clips that climb otherwise.
    ahead
        Its way, a horizontal unit vector, shape (2,).
    """

    rise: float
    slope: float
    ahead: FloatArray


def find_climb(clip: Clip, rig: Rig) -> ClipClimb:
    """How the hips of a clip climb.

    Parameters
    ----------
    clip
        Poses of the rig's whole skeleton, root motion included.
    rig
        The character.
    """
    none = ClipClimb(0.0, 0.0, np.zeros(2))
    if len(clip.times) < 2:
        return none
    _, positions = _pose(clip, rig)
    hips = np.mean(positions[:, [leg.joints[0] for leg in rig.legs]], axis=1)
    gone = hips - hips[0]
    rise, way = float(gone[-1, 2]), float(np.hypot(*gone[-1, :2]))
    if abs(rise) < CLIMB.least_rise * rig.leg_length:
        return none
    ahead = gone[-1, :2] / max(way, 1e-12)
    along = gone[:, :2] @ ahead
    aside = np.ptp(gone[:, :2] @ np.array([-ahead[1], ahead[0]]))
    heights, places = gone[:, 2] - np.mean(gone[:, 2]), along - np.mean(along)
    slope = float(places @ heights / max(float(places @ places), 1e-12))
    off = float(np.max(np.abs(heights - slope * places)))
    is_even = (
        way > CLIMB.least_way * rig.leg_length
        and abs(slope) < CLIMB.steepest
        and off < CLIMB.uneven * abs(rise)
        and aside < CLIMB.aside * way
    )
    return ClipClimb(rise, slope if is_even else 0.0, ahead)


def level_climb(clip: Clip, rig: Rig, climb: ClipClimb) -> Clip:
    """The clip as it would go on the level.

    Parameters
    ----------
    clip
        Any clip of the rig.
    rig
        The character.
    climb
        How it climbs; nothing changes without a slope.

    Returns
    -------
    Clip
        Feet are as far above the level as they were above the slope, and turned with it. Bodies on two
        legs stay over them as they were; long ones are turned with the slope.
    """
    if not climb.slope:
        return clip
    across = np.array([-climb.ahead[1], climb.ahead[0], 0.0])
    turn = rot.quaternions_from_axis_angles(across, float(np.arctan(climb.slope)))
    rests = rig.skeleton.rest_poses[1][[leg.joints[0] for leg in rig.legs], :2]
    if np.ptp(rests @ np.asarray(rig.forward)) > CLIMB.long_body * rig.leg_length:
        return _turn_all(clip, rig, turn)
    return _lower(clip, rig, climb, turn)


def _turn_all(clip: Clip, rig: Rig, turn: FloatArray) -> Clip:
    """The clip turned as a whole about where its hips begin, on the ground."""
    roots = rig.skeleton.parents < 0
    _, places = _pose(clip, rig)
    pivot = np.mean(places[0, [leg.joints[0] for leg in rig.legs]], axis=0)
    pivot[2] = rig.ground_height
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    rotations[:, roots] = rot.multiply(turn, clip.rotations[:, roots])
    translations[:, roots] = pivot + rot.rotate(turn, clip.translations[:, roots] - pivot)
    return replace(clip, rotations=rotations, translations=translations)


def _lower(clip: Clip, rig: Rig, climb: ClipClimb, turn: FloatArray) -> Clip:
    """The clip with body and feet lowered by what the slope has risen under each."""
    skeleton = rig.skeleton
    before, places = _pose(clip, rig)
    hips = np.mean(places[:, [leg.joints[0] for leg in rig.legs]], axis=1)
    start = hips[0, :2] @ climb.ahead
    roots = skeleton.parents < 0
    translations = clip.translations.copy()
    translations[:, roots, 2] -= climb.slope * (hips[:, :2] @ climb.ahead - start)[:, None]
    lowered = replace(clip, rotations=clip.rotations.copy(), translations=translations)
    for leg in rig.legs:
        joints = list(leg.joints)
        soles = _find_rests(compute_sole_points(leg, before, places), rig, climb)
        ankles = soles + rot.rotate(turn, places[:, leg.ankle] - soles)
        ankles[:, 2] -= climb.slope * (soles[:, :2] @ climb.ahead - start)
        now, posed = _pose(lowered, rig)
        solution = solve_leg(
            posed[:, joints],
            now[:, joints[:-1]],
            ankles,
            rot.rotate(now[:, joints[0]], leg.hinge),
        )
        wanted = [solution.rotations[:, k] for k in range(len(joints) - 1)]
        wanted.append(rot.multiply(turn, before[:, leg.ankle]))
        # Each joint hangs on those before it, whose turns have to be known.
        for joint, turned in zip(joints, wanted, strict=True):
            now, posed = _pose(lowered, rig)
            parent = int(skeleton.parents[joint])
            above = now[:, parent] if parent >= 0 else np.broadcast_to(rot.IDENTITY, turned.shape)
            lowered.rotations[:, joint] = rot.multiply(rot.conjugate(above), turned)
            if leg.detached and joint == leg.ankle:
                missing = ankles - posed[:, joint]
                lowered.translations[:, joint] += rot.rotate(rot.conjugate(above), missing)
    return lowered


def _find_rests(points: FloatArray, rig: Rig, climb: ClipClimb) -> FloatArray:
    """Where soles (S, 3, 3) are next to the slope, about which feet are turned, shape (S, 3).

    Points share out by how near they are, so that no foot jumps where it rolls over.
    """
    above = points[..., 2] - climb.slope * (points[..., :2] @ climb.ahead)
    above = above - np.min(above, axis=1, keepdims=True)
    shares = np.exp(-above / (CLIMB.near * rig.leg_length))
    return np.asarray(np.sum(points * shares[..., None], axis=1) / np.sum(shares, axis=1)[:, None])


def _pose(clip: Clip, rig: Rig) -> tuple[FloatArray, FloatArray]:
    """Rotations (S, B, 4) and places (S, B, 3) of all bones of a clip, character space."""
    return compute_global_poses(rig.skeleton, clip.rotations, clip.translations, clip.scales)
