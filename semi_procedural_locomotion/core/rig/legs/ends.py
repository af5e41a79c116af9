# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs that stand on the ends of their shins: the end becomes a joint, with what of the skin is there.

The method: docs/method/legs.md, Legs that end at their shins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..skeleton import BoneEnd, Skeleton, compute_rest_poses
from .evidence import BodyEvidence, EvidenceClip, reorder_evidence
from .limits import ANKLES, ENDS, TINY


def find_ends(evidence: BodyEvidence, legs: Sequence[Sequence[int]]) -> tuple[BoneEnd, ...]:
    """Ends of the last bones of legs that stand on them.

    Parameters
    ----------
    evidence
        The character.
    legs
        Bones of legs from hip to ankle. A last bone that moves no skin below itself and goes on for
        long is a shin, not a foot.
    """
    found = []
    for bones in legs:
        shin = bones[-1]
        end = None if _has_foot(evidence, shin) else _find_end(evidence, shin)
        if end is None:
            continue
        turns, heads = compute_rest_poses(evidence.skeleton)
        lower = float(np.linalg.norm(end - heads[shin]))
        upper = float(np.linalg.norm(np.diff(heads[list(bones)], axis=0), axis=1).sum())
        lies = heads[shin, 2] - end[2] < ENDS.cap * lower  # a foot that no bone follows
        if lies or lower < ANKLES.hanging_end * (upper + lower):
            continue
        away = rot.rotate(rot.conjugate(turns[shin]), end - heads[shin])
        own, above = evidence.skeleton.held_sizes
        size = float((own * above)[shin, 0]) * evidence.skeleton.object_scale
        bone = evidence.skeleton.names[shin]
        name = _name_end(bone, evidence.skeleton.names)
        found.append(BoneEnd(name, bone, tuple(float(value) for value in away / size)))
    return tuple(found)


def add_ends(evidence: BodyEvidence, ends: Sequence[BoneEnd]) -> BodyEvidence:
    """The evidence as of an armature that has bones at the ends of others, after all its own.

    They move the skin about them in place of the bones that they end. Those that it has already stay.
    """
    ends = [end for end in ends if end not in evidence.skeleton.ends]
    if not ends:
        return evidence
    skeleton = evidence.skeleton.add_ends(ends)
    first, bones = len(evidence.skeleton), [skeleton.find_index(end.bone) for end in ends]
    _, heads = compute_rest_poses(skeleton)
    moved = evidence.vertex_bones.copy()
    for number, bone in enumerate(bones, start=first):
        points = np.flatnonzero(_find_owners(evidence) == bone)
        if len(points):
            low = points[_find_low(evidence.vertices[points] - heads[bone])]
            moved[low] = np.where(moved[low] == bone, number, moved[low])
    return replace(
        evidence,
        skeleton=skeleton,
        tails=np.concatenate([evidence.tails, heads[first:]]),
        deform=np.concatenate([evidence.deform, evidence.deform[bones]]),
        vertex_bones=moved,
        clips=tuple(
            _add_to_clip(clip, bones, skeleton.rest_translations[first:]) for clip in evidence.clips
        ),
    )


def fit_evidence(evidence: BodyEvidence, skeleton: Skeleton) -> BodyEvidence:
    """The evidence of the bones of a skeleton: hung from the same ones, and with its ends."""
    return add_ends(lead_evidence(evidence, skeleton.leaders), skeleton.ends)


def lead_evidence(evidence: BodyEvidence, leaders: Sequence[tuple[str, str]]) -> BodyEvidence:
    """The evidence with bones hung from others than their parents, by the names of both."""
    if not leaders or evidence.skeleton.own_parents is not None:
        return evidence
    led, order = evidence.skeleton.lead(leaders)
    return replace(reorder_evidence(evidence, order), skeleton=led)


def _add_to_clip(clip: EvidenceClip, bones: list[int], away: FloatArray) -> EvidenceClip:
    """The clip with ends of bones, (E, 3) from their heads in their axes at rest, metres."""
    turns, sizes = clip.rotations[:, bones], clip.axis_scales[:, bones]
    places = clip.positions[:, bones] + sizes[..., None] * rot.rotate(turns, away)
    return replace(
        clip,
        rotations=np.concatenate([clip.rotations, turns], axis=1),
        positions=np.concatenate([clip.positions, places], axis=1),
        axis_scales=np.concatenate([clip.axis_scales, sizes], axis=1),
    )


def _has_foot(evidence: BodyEvidence, shin: int) -> bool:
    """Whether anything below a bone moves skin, or would if there were any."""
    below = evidence.skeleton.find_descendants(shin)[1:]
    if not len(evidence.vertices):
        return bool(evidence.deform[below].any())
    return bool(np.isin(evidence.vertex_bones[evidence.vertex_weights > 0], below).any())


def _find_end(evidence: BodyEvidence, bone: int) -> FloatArray | None:
    """Where a bone ends at rest: the middle of its lowest skin, or its tail; (3,).

    None where its skin goes on as far to the other side.
    """
    head = compute_rest_poses(evidence.skeleton)[1][bone]
    if not len(evidence.vertices):
        tail = evidence.tails[bone]
        return tail if np.linalg.norm(tail - head) > TINY else None
    points = evidence.vertices[_find_owners(evidence) == bone]
    if not len(points):
        return None
    along = _find_axis(points - head)
    # A shin that stands carries a shoe level, however that reaches forward.
    down = np.array([0.0, 0.0, -1.0]) if along[2] < -ENDS.steep else along
    depths = (points - head) @ down
    if depths.max() <= TINY or -depths.min() > ENDS.behind * depths.max():
        return None  # all of it at the knee, or the hub of a wheel
    return np.asarray(points[depths > (1.0 - ENDS.cap) * depths.max()].mean(axis=0))


def _find_axis(away: FloatArray) -> FloatArray:
    """Direction in which skin goes on farthest from a joint, away (V, 3) from it; unit, (3,)."""
    sizes = np.linalg.norm(away, axis=1)
    far = away[sizes >= (1.0 - ENDS.far) * sizes.max()].mean(axis=0)
    return np.asarray(far / max(float(np.linalg.norm(far)), TINY))


def _find_low(away: FloatArray) -> np.ndarray:
    """Which of the points (V, 3) away from a joint are of a bone's end, (V,) of bool."""
    along = away @ _find_axis(away)
    return np.asarray(along > (1.0 - ENDS.foot) * along.max())


def _find_owners(evidence: BodyEvidence) -> np.ndarray:
    """Bone with the largest share of each vertex, -1 for none, shape (V,)."""
    rows, most = np.arange(len(evidence.vertices)), evidence.vertex_weights.argmax(axis=1)
    has = evidence.vertex_weights[rows, most] > 0
    return np.where(has, evidence.vertex_bones[rows, most], -1)


def _name_end(bone: str, names: Sequence[str]) -> str:
    """A name that no bone has."""
    name = f"{bone} end"
    while name in names:
        name = f"{name} end"
    return name
