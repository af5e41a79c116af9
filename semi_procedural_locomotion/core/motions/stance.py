# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A standing pose made from a walk, for characters without a rest motion (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..contacts.find import LegContact
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.footpoints import compute_footbases, compute_sole_points, compute_standing_points
from ..rig.ik_chain import solve_leg
from ..rig.skeleton import compute_global_poses
from ..rig.structure import Rig
from .cycles import InPlaceCycle
from .records import LegCycle, Motion


def make_stance(rig: Rig, motion: Motion) -> Motion:
    """The pose of a walk in which every leg stands.

    The trunk and the arms take their mean over the cycle; every leg takes its pose at its own stance
    instant, when its foot is flat under the body. Feet that are nearer to the middle than their hips,
    as in walks that sway, are brought under them.

    Parameters
    ----------
    rig
        The character.
    motion
        One of its walks.

    Returns
    -------
    Motion
        Of kind ``"rest"``, with one row.
    """
    rotations = rot.normalize_quaternions(motion.rotations.sum(axis=0))
    translations = motion.translations.mean(axis=0)
    rows = len(motion.rotations)
    for leg, cycle in zip(rig.legs, motion.legs, strict=True):
        bones = list(leg.bones)
        place = cycle.stance * rows
        index = int(place) % rows
        share = np.full(len(bones), place - int(place))
        rotations[bones] = rot.nlerp(
            motion.rotations[index, bones], motion.rotations[(index + 1) % rows, bones], share
        )
        if leg.detached:
            translations[leg.ankle] = motion.translations[index, leg.ankle]
    still = replace(
        motion,
        name=f"{motion.name} stance",
        kind="rest",
        period=0.0,
        velocity=np.zeros(2),
        turn_rate=0.0,
        rotations=rotations[None],
        translations=translations[None],
        scales=motion.scales.mean(axis=0)[None],
        reversed=False,
        speed_range=(0.0, 0.0),
        notes=(),
        properties={k: replace(e, values=e.values[:1]) for k, e in motion.properties.items()},
    )
    still = _widen(rig, still)
    legs, ground_height = stand_legs(
        rig,
        *compute_global_poses(rig.skeleton, still.rotations, still.translations, still.scales),
    )
    return replace(still, legs=legs, ground_height=ground_height)


def _widen(rig: Rig, motion: Motion) -> Motion:
    """A motion of one row whose feet do not stand nearer to the middle than their hips."""
    across = np.array([-rig.forward[1], rig.forward[0], 0.0])
    world_rotations, places = _read_row(rig, motion)
    hips = np.array([places[leg.joints[0]] @ across for leg in rig.legs])
    out = np.sign(np.round(hips - hips.mean(), 9))
    for index, leg in enumerate(rig.legs):
        points = compute_sole_points(leg, world_rotations[None], places[None])
        inwards = float(out[index] * (hips[index] - points[0].mean(axis=0) @ across))
        if inwards > 0.0 and out[index]:
            motion = _move_foot(rig, motion, index, inwards * out[index] * across)
    return motion


def _move_foot(rig: Rig, motion: Motion, index: int, shift: FloatArray) -> Motion:
    """A motion of one row with one foot moved by metres (3,), turned as before."""
    leg = rig.legs[index]
    before, places = _read_row(rig, motion)
    joints = list(leg.joints)
    solution = solve_leg(
        places[None, joints],
        before[None, joints[:-1]],
        places[None, leg.ankle] + shift,
        rot.rotate(before[joints[0]], leg.hinge),
    )
    wanted = {joint: solution.rotations[0, k] for k, joint in enumerate(joints[:-1])}
    wanted[leg.ankle] = before[leg.ankle]
    rotations, translations = motion.rotations.copy(), motion.translations.copy()
    moved = replace(motion, rotations=rotations, translations=translations)
    # Each joint hangs on those before it, whose turns have to be known.
    for joint, turned in wanted.items():
        now, _ = _read_row(rig, moved)
        parent = int(rig.skeleton.parents[joint])
        above = now[parent] if parent >= 0 else rot.IDENTITY
        rotations[0, joint] = rot.multiply(rot.conjugate(above), turned)
        if leg.detached and joint == leg.ankle:
            translations[0, joint] += rot.rotate(rot.conjugate(above), shift)
    return moved


def _read_row(rig: Rig, motion: Motion) -> tuple[FloatArray, FloatArray]:
    """Rotations (B, 4) and places (B, 3) of the bones of a motion of one row, character space."""
    rotations, positions = compute_global_poses(
        rig.skeleton, motion.rotations, motion.translations, motion.scales
    )
    return rotations[0], positions[0]


def stand_legs(
    rig: Rig, rotations: FloatArray, positions: FloatArray
) -> tuple[tuple[LegCycle, ...], float]:
    """What the legs do in a motion that only stands.

    Parameters
    ----------
    rig
        The character.
    rotations, positions
        The pose in character space, shapes (1, B, 4) and (1, B, 3).

    Returns
    -------
    legs
        One entry a leg; feet without a length point forward.
    ground_height
        Median of the legs' grounds, character space, metres.
    """
    legs = []
    for index, leg in enumerate(rig.legs):
        points = compute_sole_points(leg, rotations, positions)
        along = points[0, 2, :2] - points[0, 0, :2]
        size = float(np.hypot(*along))
        flat = along / size if size > 1e-9 else rig.forward
        direction = np.array([flat[0], flat[1], 0.0])
        frame = rot.quaternions_from_yaws(np.arctan2(flat[1], flat[0]))
        points = compute_standing_points(rig, index, rotations, positions, frame)
        footbases, _ = compute_footbases(
            points, direction, float(rig.foot_lengths[index]), float(rig.ball_shares[index])
        )
        ground = float(np.min(points[0, :, 2]))
        legs.append(
            LegCycle(
                stance=0.0,
                lift=0.5,
                off=0.5,
                post_lift=0.5,
                pre_land=0.5,
                strike=0.5,
                land=0.5,
                stride=0.0,
                stance_position=np.array([footbases[0, 0], footbases[0, 1], ground]),
                foot_direction=direction,
                footbases=footbases,
                ground_height=ground,
                steps=False,
            )
        )
    return tuple(legs), float(np.median([cycle.ground_height for cycle in legs]))


def stand_points(
    points: FloatArray,
    rig: Rig,
    cycle: InPlaceCycle,
    contacts: Sequence[LegContact],
    share: float,
) -> FloatArray:
    """Sole points of a cycle as the meshes of its feet stand.

    Parameters
    ----------
    points
        Sole points at the rows of the cycle, character space, metres, shape (S, L, 3, 3).
    rig, cycle
        The character, and its poses.
    contacts
        Key times of each leg; in contact it is seen where the foot points to.
    share
        How far skin on shins goes with them, 0 to 1, see `compute_standing_points`.

    Returns
    -------
    array, shape (S, L, 3, 3)
        As ``points``.
    """
    phases = np.arange(len(points)) / len(points)
    standing = []
    for index, contact in enumerate(contacts):
        planted = (phases - contact.strike) % 1.0 <= (contact.duty if contact.steps else 1.0)
        along = (points[planted, index, 2, :2] - points[planted, index, 0, :2]).mean(axis=0)
        frame = rot.quaternions_from_yaws(np.arctan2(along[1], along[0]))
        poses = (cycle.global_rotations, cycle.positions)
        standing.append(compute_standing_points(rig, index, *poses, frame, share))
    return np.stack(standing, axis=1)
