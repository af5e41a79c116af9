# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is up for a skeleton, and whether it stands (docs/method/rig.md, Which way is up)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .legs import BodyEvidence, RigFindings, find_rig, fit_evidence
from .limits import FALLEN, HANGING
from .skeleton import compute_rest_poses
from .structure import Leg

_NOTHING_STEPS = {NoteKind.NO_STEPPING_CLIP, NoteKind.REST_POSE_ALONE}
# Rotations about x and y, degrees, by which a body that was laid down stands up again.
_TURNS = ((90.0, 0.0), (-90.0, 0.0), (180.0, 0.0), (0.0, 90.0), (0.0, -90.0))


def find_up(
    parents: Sequence[int], offsets: FloatArray, positions: FloatArray
) -> FloatArray | None:
    """Direction against which the limbs nearest to the root hang.

    Left and right limbs are the two branches of one joint that are equally long. Those whose joint
    is nearest to the root are the legs: arms hang from the far end of a spine. Over a clip they swing
    back and forth about the vertical.

    Parameters
    ----------
    parents
        Parent of each joint, parents first, -1 for none, J of them.
    offsets
        Joints from their parents at rest, shape (J, 3), any unit.
    positions
        Joints at times, shape (T, J, 3), same unit.

    Returns
    -------
    array (3,) or None
        A unit vector; None where no two branches are alike, they point nowhere, or other joints are
        lower than their tips: then they are no legs.
    """
    count = len(parents)
    reach = np.zeros(count)
    end = np.arange(count)
    children: list[list[int]] = [[] for _ in range(count)]
    lengths = np.linalg.norm(offsets, axis=-1)
    for joint in range(count - 1, -1, -1):
        parent = parents[joint]
        if parent < 0:
            continue
        children[parent].insert(0, joint)
        far = reach[joint] + lengths[joint]
        if far > reach[parent] or end[parent] == parent:
            reach[parent], end[parent] = far, end[joint]
    waiting = [joint for joint in range(count) if parents[joint] < 0]
    size = max((reach[joint] for joint in waiting), default=0.0)
    while waiting:
        joint = waiting.pop(0)
        waiting.extend(children[joint])
        pairs = _find_alike([(reach[c] + lengths[c], c) for c in children[joint]], size)
        if pairs:
            ways = positions[:, end[pairs]] - positions[:, [joint]]
            way = ways.reshape(-1, 3).mean(axis=0)
            far = float(np.linalg.norm(way))
            if far <= HANGING.shortest * size:
                return None
            up = -way / far
            heights = positions @ up
            above = heights[:, end[pairs]].min(axis=1) - heights.min(axis=1)
            return up if np.median(above) <= HANGING.lowest * size else None
    return None


def _find_alike(branches: Sequence[tuple[float, int]], size: float) -> list[int]:
    """Branches that another one is as long as, of those that are long enough for limbs."""
    long = [b for b in branches if b[0] > HANGING.shortest * size]
    return [
        joint
        for far, joint in long
        if any(j != joint and abs(far - other) <= HANGING.alike * far for other, j in long)
    ]


def note_standing(
    evidence: BodyEvidence, legs: Sequence[Leg], findings: RigFindings | None = None
) -> tuple[Note, ...]:
    """Whether a body lies down, or is so large or small that its unit may be mistaken.

    Parameters
    ----------
    evidence
        Bones, skin and clips, metres, z up.
    legs
        Its legs as they were found or named; none where there are none.
    findings
        How they were found; None where they are named.

    Returns
    -------
    tuple of Note
        Of `BODY_LIES`, `BODY_HUGE` and `BODY_TINY`.
    """
    _, heads = compute_rest_poses(evidence.skeleton)
    points = evidence.vertices if len(evidence.vertices) else heads
    height = float(np.ptp(points[:, 2])) if len(points) else 0.0
    notes = []
    if height > HANGING.tallest:
        notes.append(_note_unit(NoteKind.BODY_HUGE, height))
    elif 0.0 < height < HANGING.smallest:
        notes.append(_note_unit(NoteKind.BODY_TINY, height))
    if _lies(evidence, legs) or (findings is not None and _has_fallen(evidence, findings)):
        notes.append(make_note(NoteKind.BODY_LIES))
    return tuple(notes)


def _note_unit(kind: NoteKind, height: float) -> Note:
    """A note about a mistaken unit, with the power of ten that would cure it."""
    power = float(np.log10(HANGING.usual / height))
    least = float(HANGING.least_power)
    return make_note(
        kind, height=height, factor=10.0 ** round(np.sign(power) * max(abs(power), least))
    )


def _lies(evidence: BodyEvidence, legs: Sequence[Leg]) -> bool:
    """Whether legs point sideways in every clip, on the mean over all of them and all times.

    Legs that are spread to all sides, as those of insects, point nowhere together and do not tell.
    """
    if not legs:
        return False
    for positions in _list_positions(evidence):
        ways = _measure_ways(positions, legs).reshape(-1, 3)
        way = ways.mean(axis=0)
        together = float(np.linalg.norm(way))
        if together < HANGING.spread * float(np.mean(rot.lengths(ways))):
            return False
        if -way[2] >= HANGING.upright * together:
            return False
    return True


def _has_fallen(evidence: BodyEvidence, findings: RigFindings) -> bool:
    """Whether a body that does not surely step would stand on more or steeper legs if it were turned."""
    rig = findings.rig if findings.confidence >= FALLEN.unsure else None
    steps = _NOTHING_STEPS.isdisjoint(doubt.kind for doubt in findings.doubts)
    if rig is not None and steps and findings.confidence >= FALLEN.walks:
        return False
    count = 0 if rig is None else len(rig.legs)
    steep = 0.0 if rig is None else _measure_steepness(evidence, rig.legs)
    few = replace(evidence, clips=evidence.clips[: FALLEN.most_clips])
    for about_x, about_y in _TURNS:
        turn = rot.multiply(
            rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), np.radians(about_x)),
            rot.quaternions_from_axis_angles(np.array([0.0, 1.0, 0.0]), np.radians(about_y)),
        )
        turned = _turn_evidence(few, turn)
        other = find_rig(turned)
        if other.rig is None or len(other.rig.legs) < max(2, count):
            continue
        turned = fit_evidence(turned, other.rig.skeleton)
        if _lies(turned, other.rig.legs):
            continue
        if rig is None:
            if other.confidence >= FALLEN.sure:
                return True
            continue
        # Knees that are above the hips would stand on them upside down: parts of legs do not count.
        whole = other.rig.leg_length >= FALLEN.whole * rig.leg_length
        steeper = whole and _measure_steepness(turned, other.rig.legs) > FALLEN.steeper * steep
        more = len(other.rig.legs) >= FALLEN.more * count
        if (more or steeper) and other.confidence >= FALLEN.unsure:
            return True
    return False


def _turn_evidence(evidence: BodyEvidence, turn: FloatArray) -> BodyEvidence:
    """The body turned about the origin by a rotation (4,)."""
    skeleton = evidence.skeleton
    root = (skeleton.parents < 0)[:, None]

    def place(points: FloatArray) -> FloatArray:
        return rot.rotate(turn, points)

    rotations, translations = skeleton.rest_rotations, skeleton.rest_translations
    turned = replace(
        skeleton,
        rest_rotations=np.where(root, rot.multiply(turn, rotations), rotations),
        rest_translations=np.where(root, place(translations), translations),
    )
    clips = tuple(
        replace(
            clip,
            rotations=rot.multiply(turn, clip.rotations),
            positions=place(clip.positions),
        )
        for clip in evidence.clips
    )
    return replace(
        evidence,
        skeleton=turned,
        tails=place(evidence.tails),
        vertices=place(evidence.vertices),
        clips=clips,
    )


def _list_positions(evidence: BodyEvidence) -> list[FloatArray]:
    """Bone heads of every clip, or of the rest pose without any, each (T, B, 3)."""
    clips = [clip.positions for clip in evidence.clips]
    return clips or [compute_rest_poses(evidence.skeleton)[1][None]]


def _measure_ways(positions: FloatArray, legs: Sequence[Leg]) -> FloatArray:
    """From hips to ankles at all times (T, B, 3), shape (T, N, 3)."""
    tops, ends = ([leg.joints[i] for leg in legs] for i in (0, -1))
    return np.asarray(positions[:, ends] - positions[:, tops])


def _measure_steepness(evidence: BodyEvidence, legs: Sequence[Leg]) -> float:
    """Mean height of hips above their ankles over the legs' lengths, of all clips."""
    drops = [-_measure_ways(p, legs)[..., 2].mean(axis=0) for p in _list_positions(evidence)]
    lengths = np.array([leg.length for leg in legs])
    return float(np.mean(np.array(drops) / lengths))


def name_axis(up: FloatArray) -> str | None:
    """The axis that a direction (3,) goes along, such as ``"Z"`` or ``"-Y"``; None between axes."""
    axis = int(np.argmax(np.abs(up)))
    if abs(up[axis]) < HANGING.along:
        return None
    return ("" if up[axis] > 0 else "-") + "XYZ"[axis]
