# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is up for a skeleton, and whether it stands (docs/method/rig.md, Which way is up)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths.rotations import FloatArray
from .legs import BodyEvidence
from .limits import HANGING
from .skeleton import compute_rest_poses
from .structure import Leg


def find_up(
    parents: Sequence[int], offsets: FloatArray, positions: FloatArray
) -> FloatArray | None:
    """Direction against which the limbs nearest to the root hang.

    Left and right limbs are the two branches of one joint that are equally long. Those whose joint
    is nearest to the root are the legs: arms hang from the far end of a spine. Over a clip they swing
    to and fro about the vertical.

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


def note_standing(evidence: BodyEvidence, legs: Sequence[Leg]) -> tuple[Note, ...]:
    """Whether a body lies down, or is so large or small that its unit may be mistaken.

    Parameters
    ----------
    evidence
        Bones, skin and clips, metres, z up.
    legs
        Its legs as they were found; none where there are none.

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
        notes.append(make_note(NoteKind.BODY_HUGE, height=height))
    elif 0.0 < height < HANGING.smallest:
        notes.append(make_note(NoteKind.BODY_TINY, height=height))
    if legs:
        shown = [clip.positions for clip in evidence.clips] or [heads[None]]
        if all(_lies(positions, legs) for positions in shown):
            notes.append(make_note(NoteKind.BODY_LIES))
    return tuple(notes)


def _lies(positions: FloatArray, legs: Sequence[Leg]) -> bool:
    """Whether legs point sideways on the mean over all of them and all times (T, B, 3)."""
    tops, ends = ([leg.joints[i] for leg in legs] for i in (0, -1))
    way = (positions[:, ends] - positions[:, tops]).reshape(-1, 3).mean(axis=0)
    return bool(-way[2] < HANGING.upright * np.linalg.norm(way))


def name_axis(up: FloatArray) -> str | None:
    """The axis that a direction (3,) goes along, such as ``"Z"`` or ``"-Y"``; None between axes."""
    axis = int(np.argmax(np.abs(up)))
    if abs(up[axis]) < HANGING.along:
        return None
    return ("" if up[axis] > 0 else "-") + "XYZ"[axis]
