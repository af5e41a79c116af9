# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick look for what blocks a swing: on its line, and where motions draw feet back or overshoot."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.swings.lines import SwingLines, find_blocked_steps
from tests.core.planes import SlopedPlane, make_steps

SOLE = (0.2, 0.08)


def block(ground, behind, ahead, slope=0.0, level=0.0):
    """Whether a step from and to these x is blocked on ground, for a leg of 1 m."""
    frame = rot.quaternions_from_arcs(rot.UP, np.array([-slope, 0.0, 1.0]) / np.hypot(slope, 1.0))
    places = [np.array([[x, 0.0, level + slope * x]]) for x in (behind, ahead)]
    lines = SwingLines(*places, frame[None], frame[None], np.zeros(1))
    return bool(find_blocked_steps(lines, ground, SOLE, 1.0)[0])


@pytest.mark.parametrize(
    ("rise", "behind", "ahead", "blocked"),
    [
        (-0.4, 0.05, 1.25, True),
        (-0.4, 0.5, 1.7, False),
        (0.4, -1.5, -0.25, True),
        (0.4, -2.5, -1.25, False),
    ],
)
def test_walls_right_behind_a_print_or_beyond_the_next_block_a_swing(rise, behind, ahead, blocked):
    # The sole comes down clear of the wall; motions draw it back and let it overshoot.
    ground = make_steps(rise, 1.0, 0.0, count=1, first=0.0)
    assert block(ground, behind, ahead, level=min(rise, 0.0)) is blocked


@pytest.mark.parametrize("slope", [0.0, 0.4, -0.4])
def test_slopes_block_no_swing(slope):
    assert not block(SlopedPlane([slope, 0.0]), 0.0, 1.2, slope)
