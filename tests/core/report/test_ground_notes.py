# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that is far from where the walk starts is told in words."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.ground_notes import describe_far_ground
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import make_walker, native_walk


@pytest.mark.parametrize(
    ("lengths", "word"),
    [(0.0, ""), (-2.5, ""), (2.5, ""), (-3.5, "below"), (3.5, "above"), (-50.0, "50 lengths")],
)
def test_only_far_ground_is_told(lengths, word):
    rig, motions = make_walker()
    ahead = native_walk(motions).velocity
    travel = make_straight_travel(np.array([0.0, 0.0, 2.0]), 0.0, ahead, 0.0, 2.0)
    ground = FlatGround(2.0 + lengths * rig.leg_length)
    notes = describe_far_ground(make_plan(rig, motions, travel, ground), 0.5)
    assert len(notes) == bool(word)
    if word:
        assert word in notes[0]
        assert f"{abs(lengths) * rig.leg_length:.3g} m" in notes[0]
