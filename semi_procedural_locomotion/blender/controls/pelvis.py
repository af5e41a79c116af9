# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bone by which the body of a rig is seen, where that is not the one of the set-up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.maths import rotations as rot
from ...core.rig.controls.hips import find_hip_bone
from ...core.rig.controls.responses import LIFT, TURN
from ...core.rig.structure import Rig
from .links import Links
from .moving import ProbedArmature, move_candidates
from .searching import ControlSearch


def find_pelvis(probed: ProbedArmature, rig: Rig, search: ControlSearch, links: Links) -> str:
    """The deforming bone that the hips are fixed to; empty where the body of the set-up is, or none.

    Where deforming bones hang from a root and follow other bones by constraints, the bone above all
    legs is one that the control of the body leaves where it is.

    Parameters
    ----------
    probed
        The copy, with switches as they were when carriers were looked for.
    rig
        Its legs.
    search
        What was found.
    links
        What may go after what.
    """
    if search.body not in search.hip_movers:
        return ""
    names, bones = rig.skeleton.names, probed.double.data.bones
    hips = list(dict.fromkeys(names[leg.joints[0]] for leg in rig.legs))
    legs = {bone for leg in rig.legs for bone in rig.skeleton.find_descendants(leg.joints[0])}
    others = [
        n for b, n in enumerate(names) if b not in legs and n in bones and bones[n].use_deform
    ]
    places = probed.read([*hips, *others])[:, :3, 3]
    away = rot.lengths(places[len(hips) :] - places[: len(hips)].mean(axis=0))
    others = [others[i] for i in np.argsort(away, kind="stable")]
    above = search.watched.joints[search.watched.legs[0].body]
    joints = tuple(dict.fromkeys([*hips, names[rig.body], above, *others]))
    watched = replace(probed, joints=joints)
    heads = watched.read(joints)[:, :3, 3]
    candidates = [one for one in search.candidates if one.name in search.hip_movers]
    responses = move_candidates(watched, candidates, links, (LIFT, TURN))
    body = responses.controls.index(search.body)
    found = find_hip_bone(responses, list(range(len(hips))), heads, body)
    return "" if found < 0 or joints[found] == names[rig.body] else joints[found]
