# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the legs of an armature object are found from: bones, meshes, constraints, actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.motions.clips import Clip, resample_clip
from ...core.rig.legs import BodyEvidence, EvidenceClip
from ...core.rig.legs.names import rank_action_name
from ...core.rig.skeleton import Skeleton, compute_global_poses
from ...errors import AnalysisError, RigError
from ..limits import EVIDENCE
from ..travel.reading import read_own_skeleton
from ..values.armature import matrix_array
from .sampling import find_actions, sample_action


def collect_evidence(
    armature_object: bpy.types.Object, actions: Sequence[bpy.types.Action] | None = None
) -> BodyEvidence:
    """Read everything that tells where a character's legs are.

    Parameters
    ----------
    armature_object
        The armature object. Neither it nor the scene, the frame or any action is changed.
    actions
        Actions to sample, or None for the up to five best named ones that key this armature.

    Returns
    -------
    BodyEvidence
        In character space, bones in the order of `read_skeleton`.

    Raises
    ------
    RigError
        Where the object is no armature, has no bones, or is scaled unevenly.
    """
    skeleton = read_own_skeleton(armature_object, bpy.context.scene)
    if actions is None:
        found = find_actions(armature_object)
        actions = sorted(found, key=lambda a: (-rank_action_name(a.name), a.name))[
            : EVIDENCE.most_actions
        ]
    index = {name: bone for bone, name in enumerate(skeleton.names)}
    bones = [armature_object.data.bones[name] for name in skeleton.names]
    tails = np.array([bone.tail_local for bone in bones], dtype=np.float64)
    vertices, vertex_bones, vertex_weights = _read_meshes(armature_object, skeleton, index)
    return BodyEvidence(
        skeleton=skeleton,
        tails=_to_character_space(skeleton, tails),
        deform=np.array([bone.use_deform for bone in bones], dtype=bool),
        vertices=vertices,
        vertex_bones=vertex_bones,
        vertex_weights=vertex_weights,
        clips=tuple(
            clip
            for clip in (_sample_clip(armature_object, action, skeleton) for action in actions)
            if clip is not None
        ),
        ik_links=_read_ik_links(armature_object, index),
    )


def _sample_clip(
    armature: bpy.types.Object, action: bpy.types.Action, skeleton: Skeleton
) -> EvidenceClip | None:
    """Global poses of an action at 24 samples a second; None where it cannot be sampled."""
    try:
        clip = sample_action(armature, action, skeleton)
    except (AnalysisError, RigError):
        return None  # an action that is of no use here is no reason to find no legs
    clip, interval = _resample(clip)
    rotations, positions = compute_global_poses(
        skeleton, clip.rotations, clip.translations, clip.scales
    )
    sizes = clip.scales.mean(axis=-1)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            sizes[:, bone] *= sizes[:, parent]
    return EvidenceClip(action.name, rotations, positions, sizes, interval)


def _resample(clip: Clip) -> tuple[Clip, float]:
    """The clip at 24 samples a second, 24 to 200 of them, and the interval in seconds."""
    if clip.duration < EVIDENCE.shortest:
        return resample_clip(clip, clip.times[:1]), 1.0 / EVIDENCE.rate
    steps = int(
        np.clip(
            round(clip.duration * EVIDENCE.rate), EVIDENCE.fewest_samples, EVIDENCE.most_samples
        )
    )
    times = clip.times[0] + clip.duration * np.arange(steps + 1) / steps
    return resample_clip(clip, times), clip.duration / steps


def _read_ik_links(
    armature: bpy.types.Object, index: dict[str, int]
) -> tuple[tuple[int, int, int], ...]:
    """(constrained bone, target bone, chain length) of every active IK constraint."""
    return tuple(
        (index[bone.name], index[constraint.subtarget], constraint.chain_count)
        for bone in armature.pose.bones
        for constraint in bone.constraints
        if constraint.type == "IK"
        and not constraint.mute
        and constraint.target == armature
        and constraint.subtarget in index
    )


def _read_meshes(
    armature: bpy.types.Object, skeleton: Skeleton, index: dict[str, int]
) -> tuple[FloatArray, np.ndarray, FloatArray]:
    """Rest positions (V, 3), bones (V, 4) and weights (V, 4) of all vertices that bones move."""
    parts: list[tuple[FloatArray, np.ndarray, FloatArray]] = []
    for mesh in find_body_meshes(armature, skeleton):
        data = mesh.item.data
        if mesh.bone is None:
            bones, weights = _read_weights(mesh.item, index)
        else:
            bones, weights = _ride_on(index[mesh.bone], len(data.vertices))
        parts.append((mesh.bring(read_positions(data)), bones, weights))
    if not parts:
        return (
            np.zeros((0, 3)),
            np.zeros((0, EVIDENCE.influences), np.intp),
            np.zeros((0, EVIDENCE.influences)),
        )
    return (
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
    )


@dataclass(frozen=True)
class BodyMesh:
    """A mesh object that an armature moves.

    Attributes
    ----------
    item
        The object.
    bone
        Name of the bone that it hangs from; None where its vertices are weighted.
    matrix
        From its own space to armature space at rest, shape (4, 4).
    skeleton
        Of the armature.
    """

    item: bpy.types.Object
    bone: str | None
    matrix: FloatArray
    skeleton: Skeleton

    def bring(self, points: FloatArray) -> FloatArray:
        """Points of the mesh (N, 3) in character space, metres."""
        placed = points @ self.matrix[:3, :3].T + self.matrix[:3, 3]
        return _to_character_space(self.skeleton, placed)


def find_body_meshes(armature: bpy.types.Object, skeleton: Skeleton) -> list[BodyMesh]:
    """The meshes with vertices that an armature with this skeleton moves."""
    to_armature = np.linalg.inv(matrix_array(armature.matrix_world))
    found = []
    for item in bpy.data.objects:
        if item.type != "MESH" or not len(item.data.vertices):
            continue
        deformed = any(m.type == "ARMATURE" and m.object == armature for m in item.modifiers)
        by_bone = item.parent == armature and item.parent_type == "BONE"
        if deformed or (item.parent == armature and not by_bone):
            matrix = to_armature @ matrix_array(item.matrix_world)
            found.append(BodyMesh(item, None, matrix, skeleton))
        elif by_bone and item.parent_bone in skeleton.names:
            matrix = _find_rest_matrix(armature, item)
            found.append(BodyMesh(item, item.parent_bone, matrix, skeleton))
    return found


def _to_character_space(skeleton: Skeleton, points: FloatArray) -> FloatArray:
    """Points (N, 3) in armature space turned and scaled to character space."""
    turned: FloatArray = rot.rotate(skeleton.object_rotation, points)
    return skeleton.object_origin + skeleton.object_scale * turned


def _find_rest_matrix(armature: bpy.types.Object, item: bpy.types.Object) -> FloatArray:
    """Matrix (4, 4) to armature space of an object parented to a bone, in the rest pose."""
    bone = armature.data.bones[item.parent_bone]
    rest = matrix_array(bone.matrix_local)
    if not bone.use_relative_parent:
        tail = np.eye(4)
        tail[1, 3] = bone.length  # such objects hang from the bone's tail
        rest = rest @ tail
    own = matrix_array(item.matrix_parent_inverse) @ matrix_array(item.matrix_basis)
    return np.asarray(rest @ own)


def read_positions(mesh: bpy.types.Mesh) -> FloatArray:
    """Undeformed positions of a mesh's vertices in its own space, shape (V, 3)."""
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


def _ride_on(bone: int, count: int) -> tuple[np.ndarray, FloatArray]:
    """Bones and weights of vertices that ride on one bone."""
    weights = np.zeros((count, EVIDENCE.influences))
    weights[:, 0] = 1.0
    return np.full((count, EVIDENCE.influences), bone, dtype=np.intp), weights


def _read_weights(item: bpy.types.Object, index: dict[str, int]) -> tuple[np.ndarray, FloatArray]:
    """The four largest weights of every vertex that belong to bones of the armature."""
    bone_of_group = {g.index: index[g.name] for g in item.vertex_groups if g.name in index}
    count = len(item.data.vertices)
    bones = np.zeros((count, EVIDENCE.influences), dtype=np.intp)
    weights = np.zeros((count, EVIDENCE.influences))
    if not bone_of_group:
        return bones, weights
    for vertex in item.data.vertices:
        found = [
            (element.weight, bone_of_group[element.group])
            for element in vertex.groups
            if element.group in bone_of_group and element.weight > 0.0
        ]
        for place, (weight, bone) in enumerate(sorted(found, reverse=True)[: EVIDENCE.influences]):
            bones[vertex.index, place] = bone
            weights[vertex.index, place] = weight
    return bones, weights
