# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the legs of an armature object are found from: bones, meshes, constraints, actions."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...core.motions.clips import Clip, resample_clip
from ...core.rig.legs import BodyEvidence, EvidenceClip, choose_standing, list_bearing
from ...core.rig.legs.names import rank_action_name
from ...core.rig.skeleton import HeldBone, Skeleton, compute_global_poses
from ...errors import AnalysisError, RigError
from ..limits import EVIDENCE
from ..travel.reading import read_own_skeleton
from ..values.visibility import find_showings
from .holding import list_holdings
from .meshes import find_body_meshes, stand_points, to_character_space
from .ownership import list_played
from .sampling import find_actions, sample_action
from .skins import MeshSkin, read_skin


def collect_evidence(
    armature_object: bpy.types.Object,
    actions: Sequence[bpy.types.Action] | None = None,
    span: tuple[float, float] | None = None,
    own: Sequence[bpy.types.Action] | None = None,
) -> BodyEvidence:
    """Read everything that tells where a character's legs are.

    Parameters
    ----------
    armature_object
        The armature object. Neither it nor the scene, the frame or any action is changed.
    actions
        Actions to sample, or None for those of `choose_actions`.
    span
        First and last frame that count: meshes that are shown at any of them are. None for those of
        the scene.
    own
        What `find_actions` gives, where that is known.

    Returns
    -------
    BodyEvidence
        With bones that no clip moves as they stand, in the reading that lets feet stand; in character
        space, bones in the order of `read_skeleton`.

    Raises
    ------
    RigError
        Where the object is no armature, has no bones, or is scaled unevenly.
    """
    own = find_actions(armature_object) if own is None else own
    if actions is None:
        actions = choose_actions(armature_object, own=own)
    likeliest, *others = list_holdings(armature_object, own)
    readings = [_read_evidence(armature_object, actions, likeliest, span)]
    if others:
        bearing = list_bearing(readings[0])
        others = [way for way in others if bearing & _list_differing(likeliest, way)]
        readings += [_read_evidence(armature_object, actions, held, span) for held in others]
    return readings[choose_standing(readings)]


def _list_differing(one: Sequence[HeldBone], other: Sequence[HeldBone]) -> set[str]:
    """Names of bones that stand differently in two ways."""
    return {bone.name for bone in set(one) ^ set(other)}


def _read_evidence(
    armature_object: bpy.types.Object,
    actions: Sequence[bpy.types.Action],
    held: Sequence[HeldBone],
    span: tuple[float, float] | None,
) -> BodyEvidence:
    """The evidence with some bones held."""
    skeleton = read_own_skeleton(armature_object, bpy.context.scene, held)
    index = {name: bone for bone, name in enumerate(skeleton.names)}
    bones = [armature_object.data.bones[name] for name in skeleton.names]
    tails = np.array([bone.tail_local for bone in bones], dtype=np.float64)
    skin = _read_meshes(armature_object, skeleton, index, span)
    points = stand_points(armature_object, skeleton, skin.points, skin.bones, skin.weights)
    each = np.arange(len(bones))[:, None]
    return BodyEvidence(
        skeleton=skeleton,
        tails=stand_points(
            armature_object,
            skeleton,
            to_character_space(skeleton, tails),
            each,
            np.ones((len(bones), 1)),
        ),
        deform=np.array([bone.use_deform for bone in bones], dtype=bool),
        vertices=points,
        vertex_bones=skin.bones,
        vertex_weights=skin.weights,
        keeps_volume=skin.keeps_volume if skin.keeps_volume.any() else None,
        clips=tuple(
            clip
            for clip in (_sample_clip(armature_object, action, skeleton) for action in actions)
            if clip is not None
        ),
        ik_links=_read_ik_links(armature_object, index),
    )


def choose_actions(
    armature: bpy.types.Object,
    asked: Sequence[bpy.types.Action] = (),
    ignored: Sequence[bpy.types.Action] = (),
    own: Sequence[bpy.types.Action] | None = None,
) -> list[bpy.types.Action]:
    """Actions that may tell where an armature's legs are, ranked by name.

    Parameters
    ----------
    armature
        The armature object.
    asked
        Actions to take whatever they are called. The up to five best named others that key the armature
        are taken too, so that its legs do not hang on which of its clips is named.
    ignored
        Actions that tell nothing of it; those that other armatures play and this one does not are
        ignored anyway where some are asked for.
    own
        What `find_actions` gives, where that is known.

    Raises
    ------
    RigError
        Where the object is no armature with bones.
    """
    asked = list(dict.fromkeys(asked))
    foreign = _find_played_elsewhere(armature) if asked else set()
    own = find_actions(armature) if own is None else own
    best = [action for action in own if action not in ignored and action not in foreign]
    best = sorted(best, key=_rank_action)[: EVIDENCE.most_actions]
    return sorted(dict.fromkeys([*asked, *best]), key=_rank_action)


def _rank_action(action: bpy.types.Action) -> tuple[int, str]:
    """Sort key of actions: those first whose names promise a walk."""
    return -rank_action_name(action.name), action.name


def _find_played_elsewhere(armature: bpy.types.Object) -> set[bpy.types.Action]:
    """Actions that other armatures play and this one does not: they are made for those."""
    played: dict[bool, set[bpy.types.Action]] = {True: set(), False: set()}
    for item in bpy.data.objects:
        if item.type == "ARMATURE":
            played[item == armature] |= list_played(item)
    return played[False] - played[True]


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
    armature: bpy.types.Object,
    skeleton: Skeleton,
    index: dict[str, int],
    span: tuple[float, float] | None,
) -> MeshSkin:
    """All vertices that bones move; of hidden meshes those on bones that no visible one is on."""
    meshes = find_body_meshes(armature, skeleton)
    # Bones that do not deform move no vertices, whatever groups bear their names.
    deforming = {n: b for n, b in index.items() if armature.data.bones[n].use_deform}
    showings = find_showings([mesh.item for mesh in meshes], bpy.context, span)
    skins = [
        (
            showings[mesh.item].is_ever_shown(as_rendered=False),
            read_skin(mesh, index if mesh.bone else deforming),
        )
        for mesh in meshes
    ]
    seen = [skin for visible, skin in skins if visible]
    clad = np.unique(np.concatenate([np.empty(0, np.intp), *(skin.owners for skin in seen)]))
    hidden = [skin.select(~np.isin(skin.owners, clad)) for visible, skin in skins if not visible]
    parts = [MeshSkin(*_nothing()), *seen, *hidden]
    return MeshSkin(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.bones for part in parts]),
        np.concatenate([part.weights for part in parts]),
        np.concatenate([part.keeps_volume for part in parts]),
    )


def _nothing() -> tuple[FloatArray, np.ndarray, FloatArray, np.ndarray]:
    """Points, bones and weights of no vertices, and which of them keep their volume."""
    count = EVIDENCE.influences
    return (
        np.zeros((0, 3)),
        np.zeros((0, count), np.intp),
        np.zeros((0, count)),
        np.zeros(0, dtype=bool),
    )
