# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character stands whose root bone or root control was moved, in place of its object."""

from __future__ import annotations

import bpy
import numpy as np

from ..blender.travel.reading import read_standing, sample_bone_matrices
from ..blender.values.bake_record import read_influence, read_values_before
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.records import Motion, MotionSet
from ..core.rig.skeleton import compute_global_poses
from ..core.travel.way import Placement, find_placement
from .characters import Character
from .controls import find_controls
from .limits import PLACING

_Pose = tuple[FloatArray, FloatArray]


def read_placement(
    character: Character,
    motions: MotionSet,
    walk: Motion,
    frame: float,
    scene: bpy.types.Scene,
) -> Placement | None:
    """How a root bone places a character at a frame; None where none does.

    Parameters
    ----------
    character
        The character.
    motions, walk
        Its motions, and the one that it goes straight on with.
    frame
        Scene frame at which it stands.
    scene
        Where it stands; neither stepped nor changed.

    Returns
    -------
    Placement or None
        Of the lowest bone above the body that no motion moves, else of the root control. A root that
        motions key at one place all over is placed as well (docs/method/travel.md, Placed by a root).
    """
    bone = _find_root(character, motions)
    if bone is None:
        return None
    skeleton = character.rig.skeleton
    name = skeleton.names[bone]
    matrix = sample_bone_matrices(character.armature, name, np.array([frame]), scene)[0]
    place, turn = read_standing(character.armature, frame, scene, skeleton)
    back = rot.multiply(skeleton.object_rotation, rot.conjugate(turn))
    turned = rot.quaternions_from_matrices(rot.orthonormalize(matrix[:3, :3]))
    shown = rot.multiply(back, turned), rot.rotate(back, matrix[:3, 3] - place)
    rotations, positions = skeleton.rest_poses
    rest = rotations[bone], positions[bone]
    length = character.rig.leg_length
    if not _is_away(find_placement(rest, shown), length, PLACING.least):
        return None
    keyed = _is_keyed(bone, character, motions)
    own = _read_own(bone, character, walk) if keyed else rest
    found = find_placement(own, shown)
    least = PLACING.least_keyed if keyed else PLACING.least
    return found if _is_away(found, length, least) else None


def _find_root(character: Character, motions: MotionSet) -> int | None:
    """The bone that may place a character."""
    rig, bones = character.rig, character.armature.pose.bones
    skeleton = rig.skeleton
    controls = find_controls(character)
    if controls is not None and controls.root in skeleton.names:
        above = skeleton.find_ancestors(skeleton.find_index(controls.root))
    else:
        above = skeleton.find_ancestors(rig.body)[1:]
    found, before = None, read_values_before(character.armature)
    for bone in reversed(above):
        constraints = bones[skeleton.names[bone]].constraints
        acting = any(not c.mute and read_influence(c, before) for c in constraints)
        if acting or not all(_rests(motion, bone, rig.leg_length) for motion in motions.motions):
            break
        found = bone
    return found


def _rests(motion: Motion, bone: int, length: float) -> bool:
    """Whether a motion leaves a bone at one place; all roots share what evens its speed."""
    turns = rot.angles_between(motion.rotations[:, bone], motion.rotations[0, bone])
    moves = np.ptp(motion.translations[:, bone], axis=0) / length
    is_level = max(moves[:2]) <= PLACING.evened and moves[2] <= PLACING.least
    return bool(np.max(turns) <= PLACING.turned and is_level)


def _is_keyed(bone: int, character: Character, motions: MotionSet) -> bool:
    """Whether a motion keys a bone or one above it."""
    skeleton = character.rig.skeleton
    names = {skeleton.names[above] for above in skeleton.find_ancestors(bone)}
    return any(names & motion.keyed for motion in motions.motions)


def _read_own(bone: int, character: Character, walk: Motion) -> _Pose:
    """Pose of a bone in a motion that leaves it at one place."""
    small, indices = character.rig.skeleton.select([bone])
    rotations, positions = compute_global_poses(
        small, walk.rotations[:, indices], walk.translations[:, indices], walk.scales[:, indices]
    )
    return rotations[0, -1], positions[:, -1].mean(axis=0)


def _is_away(placement: Placement, length: float, least: float) -> bool:
    """Whether a placement is one that was meant."""
    moved = float(np.linalg.norm(placement.shift)) > least * length
    return moved or abs(placement.yaw) > PLACING.turned
