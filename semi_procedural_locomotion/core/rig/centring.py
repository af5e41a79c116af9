# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters whose bones were built far from their object's origin (numpy only).

What walks along a way, turns and asks for the ground is the body, not the origin of its object. So
character space is moved to the feet where these are far off.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .limits import CENTRING
from .skeleton import compute_rest_poses
from .structure import Rig


def centre_rig(rig: Rig) -> Rig:
    """The rig with the origin of character space between its feet, where it was far from them.

    Parameters
    ----------
    rig
        A character.

    Returns
    -------
    Rig
        The same one where the origin lies between or near its feet at rest
        (docs/method/rig.md, Character space).
    """
    _, positions = compute_rest_poses(rig.skeleton)
    ankles = positions[[leg.ankle for leg in rig.legs], :2]
    middle = ankles.mean(axis=0)
    spread = float(np.hypot(*(ankles - middle).T).max())
    if float(np.hypot(*middle)) <= spread + CENTRING.near * rig.leg_length:
        return rig
    return replace(rig, skeleton=rig.skeleton.move_origin(np.array([*middle, 0.0])))
