# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single soles put on the ground by hand (numpy only)."""

from __future__ import annotations

import numpy as np

from ..ground.interface import Ground
from ..ground.layers import split_layers
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..prints.footholds import FootholdRules, SoleRequest, place_soles
from ..prints.planning import frames_from_slopes
from ..rig.structure import Rig
from ..settings import PlanSettings
from ..times.limits import LEVELS
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
    near, stand = PATTERNS.near * rig.leg_length, LEVELS.standing_room * rig.leg_length
    level = _find_level(ground, middle, time, near, stand)
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


def _find_level(
    ground: Ground, middle: FloatArray, time: float, near: float, stand: float
) -> float | None:
    """Height of the ground under or a little above a point, else of the next above; None for none."""
    (storeys,) = split_layers(ground.cast_all(middle[None], np.array([time])), 1)
    if len(storeys.heights) == 0:
        return None
    under = np.flatnonzero(storeys.heights <= middle[2] + near)
    first = int(under[0]) if len(under) else len(storeys.heights) - 1
    height = float(storeys.heights[first])
    chosen = storeys.find_reachable(height, near, stand, bool(storeys.insides[first]))
    return height if chosen is None else float(storeys.heights[chosen])
