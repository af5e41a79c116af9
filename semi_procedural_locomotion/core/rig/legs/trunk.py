# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bone that carries the hips and the trunk (docs/method/legs.md, The bone that is moved)."""

from __future__ import annotations

import numpy as np

from .attachment import Attachment
from .body import Body
from .limits import LEG_RECORDS, TINY


def find_body_bone(body: Body, attachment: Attachment, legs: list[tuple[int, ...]]) -> int | None:
    """The bone to move for the hips: the lowest that carries all hips and the trunk, but no foot.

    Parameters
    ----------
    body, attachment
        The prepared evidence; only its original tree counts, feet that were detached stay so.
    legs
        Joints of every leg.

    Returns
    -------
    int or None
        None where the hips have no common ancestor.
    """
    tree = body.tree
    hips = {joints[0] for joints in legs}
    common = [
        bone
        for bone in tree.find_ancestors(legs[0][0])
        if bone not in hips and all(tree.below[bone, hip] for hip in hips)
    ]
    if not common:
        return None
    loose = [
        joints[-1]
        for joints in legs
        if joints[-1] in attachment.shins or not tree.below[joints[-2], joints[-1]]
    ]
    in_legs = np.any(tree.below[[bone for joints in legs for bone in joints]], axis=0)
    trunk = np.where(in_legs, 0.0, body.weights)
    total = max(float(trunk.sum()), TINY)

    def carried(bone: int) -> float:
        return float(trunk[tree.below[bone]].sum() - trunk[bone]) / total

    best = common[0]
    for bone in common:
        if any(tree.below[bone, foot] for foot in loose):
            break
        if carried(bone) > carried(best) + LEG_RECORDS.worth_climbing + trunk[best] / total:
            best = bone
        if carried(bone) > LEG_RECORDS.whole_trunk:
            break
    return best
