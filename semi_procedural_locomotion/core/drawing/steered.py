# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of prints as they were foreseen while a character was steered (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.structure import Rig
from ..steering.recording import PredictedPrint
from .outlines import outline_soles
from .shapes import ColouredPoints, close_polygons

# None of a side's, of a lost print or of the hips.
STEERED_COLOUR = (0.95, 0.3, 0.9)
_ALPHA = 0.95
# Share of the leg's length by which they lie above the ground, over the exact ones.
_LIFT = 0.006


def make_steered_soles(rig: Rig, prints: Sequence[PredictedPrint]) -> ColouredPoints:
    """Lines around the soles of prints.

    Parameters
    ----------
    rig
        Whose feet.
    prints
        Where they stood or will stand.
    """
    lines: list[FloatArray] = [np.zeros((0, 3))]
    for number, leg in enumerate(rig.legs):
        own = [mark for mark in prints if mark.leg == number]
        if not own:
            continue
        corners = outline_soles(
            np.array([mark.position for mark in own]),
            np.array([mark.frame for mark in own]),
            float(rig.foot_lengths[number]),
            leg.sole_width,
            leg.side,
        )
        corners = corners + _LIFT * rig.leg_length * rot.UP
        lines.append(close_polygons(corners).reshape(-1, 3))
    points = np.concatenate(lines)
    return ColouredPoints(points, np.tile([*STEERED_COLOUR, _ALPHA], (len(points), 1)))
