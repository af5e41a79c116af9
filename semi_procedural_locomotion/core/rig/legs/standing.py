# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several readings of one character lets its feet stand (docs/method/rig.md, Held bones)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...maths import rotations as rot
from ..footpoints import compute_sole_points
from ..structure import Rig
from .ends import fit_evidence
from .evidence import BodyEvidence, EvidenceClip, RigFindings
from .find import find_rig
from .limits import STANDING_READING


def list_bearing(reading: BodyEvidence) -> set[str]:
    """Names of the bones by which feet may stand otherwise: legs, soles and all that carries them.

    All bones where a reading shows no legs.
    """
    rig = find_rig(reading).rig
    if rig is None:
        return set(reading.skeleton.names)
    skeleton = rig.skeleton
    bones = {bone for leg in rig.legs for bone in (*leg.bones, *(s.bone for s in leg.soles))}
    return {skeleton.names[above] for bone in bones for above in skeleton.find_ancestors(bone)}


def choose_standing(readings: Sequence[BodyEvidence]) -> int:
    """Index of the reading in which feet stand; the first unless another is clearly better.

    Parameters
    ----------
    readings
        The same bones, vertices and clips, posed otherwise where no clip poses them; one or more.
    """
    if len(readings) < 2:
        return 0
    findings = [find_rig(reading) for reading in readings]
    surest = max(range(len(findings)), key=lambda index: _rank(findings[index]))
    rig = findings[surest].rig
    if rig is None:
        return 0
    scores = [measure_standing(reading, rig) for reading in readings]
    best = int(np.argmax(scores))
    return best if scores[best] > scores[0] + STANDING_READING.clearly else 0


def _rank(findings: RigFindings) -> float:
    """How sure a reading is of its legs; less than 0 where it has none."""
    return -1.0 if findings.rig is None else findings.confidence


def measure_standing(evidence: BodyEvidence, rig: Rig) -> float:
    """How well a character stands on given legs: 1 upright with all soles on one level, less else.

    Parameters
    ----------
    evidence
        A reading; the median of its clips counts, without any its rest pose.
    rig
        Legs by the same bones; its own poses do not matter.
    """
    evidence = fit_evidence(evidence, rig.skeleton)
    clips = evidence.clips
    if not clips:
        rotations, heads = evidence.skeleton.rest_poses
        scales = np.ones((1, len(heads)))
        clips = (EvidenceClip("", rotations[None], heads[None], scales, 1.0),)
    return float(np.median([_measure_clip(clip, rig) for clip in clips]))


def _measure_clip(clip: EvidenceClip, rig: Rig) -> float:
    """How upright the legs of a clip are, less how far apart the levels are that its soles reach."""
    sizes, levels, rises = [], [], []
    for leg in rig.legs:
        joints = clip.positions[:, leg.joints]
        size = max(float(rot.lengths(np.diff(joints, axis=1)).sum(axis=1).mean()), 1e-12)
        low = compute_sole_points(leg, clip.rotations, clip.positions)[..., 2].min(axis=0)
        sizes.append(size)
        levels.append(low)
        rises.append(float(np.mean(joints[:, 0, 2] - joints[:, -1, 2])) / size)
    spread = float(np.ptp(np.concatenate(levels))) / float(np.mean(sizes))
    return float(np.mean(rises)) - min(spread, STANDING_READING.widest)
