# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single soles put on the ground by hand (numpy only)."""

from __future__ import annotations

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..prints.footholds import FootholdRules, SoleRequest, place_soles
from ..prints.planning import frames_from_slopes
from ..rig.structure import Rig
from ..settings import PlanSettings
from .limits import PATTERNS


def stand_sole(
    ground: Ground,
    rig: Rig,
    leg: int,
    middle: FloatArray,
    heading: float,
    time: float,
    settings: PlanSettings,
) -> tuple[FloatArray, FloatArray] | None:
    """Put a sole on the ground where it is seen from above.

    Parameters
    ----------
    ground
        What to stand on.
    rig, leg
        Whose sole, and which.
    middle
        Middle of the sole, world, metres, shape (3,); its height tells on which of several levels.
    heading
        Direction from heel to toe, radians from +X.
    time
        Seconds of the scene's clock.
    settings
        Steepest slope and tolerance.

    Returns
    -------
    position, frame
        Heel end (3,) and rotation (4,) as of a `Footprint`; None where there is no ground.
    """
    level = _find_level(ground, middle, time, PATTERNS.near * rig.leg_length)
    if level is None:
        return None
    length = float(rig.foot_lengths[leg])
    ahead = np.array([np.cos(heading), np.sin(heading)])
    request = SoleRequest(
        heels=(middle[:2] - 0.5 * length * ahead)[None],
        headings=np.array([heading]),
        times=np.array([time]),
        levels=np.array([level]),
        length=length,
        width=rig.legs[leg].sole_width,
    )
    rules = FootholdRules(
        reach=PATTERNS.near * rig.leg_length,
        tolerance=settings.sole_tolerance * rig.leg_length,
        max_rise=float(np.tan(settings.max_slope)),
        search=False,
    )
    placed = place_soles(ground, request, rules)
    if not placed.found[0]:
        return None
    frames, _ = frames_from_slopes(request.headings, placed.slopes)
    centre = np.array([middle[0], middle[1], placed.heights[0]])
    heel = centre - rot.rotate(frames[0], np.array([0.5 * length, 0.0, 0.0]))
    return heel, frames[0]


def _find_level(ground: Ground, middle: FloatArray, time: float, near: float) -> float | None:
    """Height of the ground under or a little above a point, else of the highest; None for none."""
    _, top = ground.height_limits()
    for height in (middle[2] + near, top + 1.0):
        point = np.array([[middle[0], middle[1], height]])
        hits = ground.cast_down(point, np.array([time]))
        if hits.hit[0]:
            return float(hits.points[0, 2])
    return None
