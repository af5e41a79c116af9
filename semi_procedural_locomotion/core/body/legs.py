# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs bent so that their ankles are where the feet ask for them (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import LegPoses, read_local_positions
from ..motions.tables import MotionTables
from ..rig.ik import LegSolution
from ..rig.ik_chain import solve_leg
from ..rig.reach import measure_segments
from ..rig.skeleton import Skeleton
from ..rig.solvers.legs import AUTOMATIC, LegJoints, keep_limits
from ..rig.structure import Leg, Rig
from ..swings.feet import FootTargets
from ..times.source import SourcePoses
from .carriage import Carriage
from .leaning import lean_about
from .limits import LEGS


@dataclass(frozen=True)
class SolvedLegs:
    """The bones that carry the legs after all legs were solved, N times.

    Attributes
    ----------
    rotations, positions
        World poses, metres, shapes (N, K, 4) and (N, K, 3).
    missed
        Distance between ankle and target, metres, shape (N, L).
    """

    rotations: FloatArray
    positions: FloatArray
    missed: FloatArray


def place_legs(tables: MotionTables, source: SourcePoses, carriage: Carriage) -> SolvedLegs:
    """The bones that carry the legs as the motions have them, where the character is at N times."""
    turns, places = carriage.orientations[:, None], carriage.positions[:, None]
    rotations = rot.multiply(turns, source.legs.rotations)
    positions = places + rot.rotate(turns, source.legs.positions)
    if carriage.leans is not None:
        pivots = read_hips(tables.small_rig, positions).mean(axis=1)
        leaned = lean_about(carriage.leans, pivots, rotations, positions)
        carried = tables.bones.carried[:, None]
        rotations, positions = (
            np.where(carried, new, old)
            for new, old in zip(leaned, (rotations, positions), strict=True)
        )
    return SolvedLegs(rotations, positions, np.zeros((len(positions), len(tables.small_rig.legs))))


def lift_hips(tables: MotionTables, positions: FloatArray, hip_offsets: FloatArray) -> FloatArray:
    """World positions (N, K, 3) with the hip offsets (N, 3) in them, metres."""
    return positions + hip_offsets[:, None] * tables.bones.carried[:, None]


def read_hips(rig: Rig, positions: FloatArray) -> FloatArray:
    """World positions of the hip joints (N, L, 3) among those of the bones (N, K, 3), metres."""
    return np.stack([positions[:, leg.joints[0]] for leg in rig.legs], axis=1)


def part_foot(solution: LegSolution, targets: FloatArray, longest: float) -> LegSolution:
    """A solved leg whose foot, held by no shin, comes off it where that does not reach.

    Parameters
    ----------
    solution
        The leg, its foot at the end of its shin or as far off it as in the motion.
    targets
        Where the ankle shall be, world, metres, shape (N, 3).
    longest
        Length that the leg may have with its foot off, metres.
    """
    room = np.maximum(longest - measure_segments(solution.positions), 0.0)
    off = np.minimum(solution.unreached, room)
    positions = solution.positions.copy()
    positions[:, -1] += rot.normalize(targets - positions[:, -1]) * off[:, None]
    return solution._replace(positions=positions, unreached=solution.unreached - off)


def find_leg_joints(rig: Rig, leg: Leg, rotations: FloatArray) -> LegJoints | None:
    """What the bones of a leg hang from; None where they do not hang from one another.

    Parameters
    ----------
    rig, leg
        The rig, and one of its legs.
    rotations
        World axes of the rig's bones, shape (N, K, 4).
    """
    bones = leg.joints[:-1]
    above = rig.skeleton.parents[list(bones)]
    if above[0] < 0 or list(above[1:]) != list(bones[:-1]):
        return None
    rests = rig.skeleton.rest_rotations[list(bones)]
    return LegJoints(rotations[:, above[0]], rests, leg.limits, leg.hinge)


def solve_legs(
    tables: MotionTables,
    hung: LegPoses,
    targets: FootTargets,
    rotations: FloatArray,
    positions: FloatArray,
    method: str = AUTOMATIC,
    only: Sequence[int] | None = None,
) -> SolvedLegs:
    """Bend legs so that their feet are where they shall be.

    Parameters
    ----------
    tables
        The motions.
    hung, targets
        Poses before any leg is bent, which tell how bones hang from one another, and feet, N times.
    rotations, positions
        World poses of the bones that carry the legs, with the hips already moved, metres, shapes
        (N, K, 4) and (N, K, 3).
    method
        How limits of joints are kept, see `keep_limits`.
    only
        Legs that are bent; bones that move no skin of their feet are left as they are. None bends all
        legs, and moves all bones.
    """
    rig = tables.small_rig
    skeleton = rig.skeleton
    solved_rotations: dict[int, FloatArray] = {}
    solved_positions: dict[int, FloatArray] = {}
    missed = np.zeros((len(positions), len(rig.legs)))
    for index in range(len(rig.legs)) if only is None else only:
        leg = rig.legs[index]
        joints = np.array(leg.joints, dtype=np.intp)
        hip = joints[0]
        points, turns = positions[:, joints], rotations[:, joints[:-1]]
        if leg.aimed:
            points = _end_at_shin(skeleton, joints, points, turns)
        solution = solve_leg(
            points,
            turns,
            targets.ankles[:, index],
            rot.rotate(rotations[:, hip], leg.hinge),
            # The line from hip to ankle, about which knees turn, points down.
            -LEGS.followed_turn * targets.swivels[:, index],
            most_bends=tables.leg_rows.most_bends[index],
            is_soft=not leg.aimed,
        )
        bound = find_leg_joints(rig, leg, rotations)
        if bound is not None:
            solution = keep_limits(points, turns, solution, bound, method)
        if leg.detached:
            longest = float(tables.leg_rows.longest[index])
            solution = part_foot(solution, targets.ankles[:, index], longest)
        for place, joint in enumerate(joints[:-1]):
            solved_rotations[int(joint)] = solution.rotations[:, place]
        for place, joint in enumerate(joints):
            solved_positions[int(joint)] = solution.positions[:, place]
        solved_rotations[leg.ankle] = targets.rotations[:, index]
        if not skeleton.is_own[leg.ankle]:
            # The end of a shin goes with it: no foot turns there.
            solved_rotations[leg.ankle] = solution.rotations[:, -1]
        missed[:, index] = solution.unreached
    solved = set(solved_rotations) & set(solved_positions)
    followed = set(range(len(skeleton))) - solved
    if only is not None:
        followed = _list_feet(rig, only, solved)
    new_rotations: list[FloatArray] = []
    new_positions: list[FloatArray] = []
    translations = read_local_positions(skeleton, hung)
    for bone, parent in enumerate(skeleton.parents):
        q, p = rotations[:, bone], positions[:, bone]
        if bone in followed and parent >= 0 and bone != rig.body:
            q = rot.multiply(new_rotations[parent], hung.locals[:, bone])
            p = new_positions[parent] + rot.rotate(new_rotations[parent], translations[:, bone])
        new_rotations.append(solved_rotations.get(bone, q))
        new_positions.append(solved_positions.get(bone, p))
    return SolvedLegs(
        np.stack(new_rotations, axis=1),
        np.stack(new_positions, axis=1),
        missed,
    )


def write_legs(
    tables: MotionTables,
    legs: SolvedLegs,
    placed: tuple[FloatArray, FloatArray],
    rotations: FloatArray,
    translations: FloatArray,
) -> None:
    """Write the bones of legs as poses against what they hang from.

    Parameters
    ----------
    tables, legs
        The motions, and the legs at N times.
    placed
        World places of the character, metres, and its rotations, shapes (N, 3) and (N, 4).
    rotations, translations
        Local poses of all bones, metres, changed, shapes (N, B, 4) and (N, B, 3).
    """
    indices, parents = tables.bones.indices, tables.small_rig.skeleton.parents
    for leg in tables.small_rig.legs:
        for bone in leg.bones:
            parent, (origin, above) = int(parents[bone]), placed
            if parent >= 0:
                origin, above = legs.positions[:, parent], legs.rotations[:, parent]
            back = rot.conjugate(above)
            rotations[:, indices[bone]] = rot.multiply(back, legs.rotations[:, bone])
            if leg.detached and bone == leg.ankle:
                away = legs.positions[:, bone] - origin
                translations[:, indices[bone]] = rot.rotate(back, away)


def _end_at_shin(
    skeleton: Skeleton, joints: np.ndarray, points: FloatArray, rotations: FloatArray
) -> FloatArray:
    """Joints (N, K, 3) of a leg whose last one is the end of its shin, wherever its foot is."""
    turns, places = skeleton.rest_poses
    shin, ankle = joints[-2:]
    way = rot.rotate(rot.conjugate(turns[shin]), places[ankle] - places[shin])
    ended = points.copy()
    ended[:, -1] = points[:, -2] + rot.rotate(rotations[:, -1], way)
    return ended


def _list_feet(rig: Rig, legs: Sequence[int], solved: set[int]) -> set[int]:
    """Bones that move soles and skin of feet, with all above them that are not solved themselves."""
    bones: set[int] = set()
    for leg in legs:
        bones |= {sole.bone for sole in rig.legs[leg].soles}
        for hull in (rig.legs[leg].hull, rig.stiff_hulls[leg]):
            bones |= set(() if hull is None else hull.ridden)
    found: set[int] = set()
    while bones:
        found |= bones - solved
        bones = {int(rig.skeleton.parents[bone]) for bone in bones - solved} - found - {-1}
    return found
