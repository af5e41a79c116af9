# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps that are clicked onto stairs."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.footsteps.placing import stand_sole
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.settings import PlanSettings
from tests.core.planes import make_steps
from tests.core.walkers import make_walker

RISE = 0.17


def click(stairs, rig, place, heading):
    """Heel, toe and normal of a sole that is clicked at a place along +X."""
    ground = stairs.cast_down(np.array([[place, 0.1, 9.0]]), np.zeros(1)).points[0, 2]
    middle = np.array([place, 0.1, ground])
    heel, frame = stand_sole(stairs, rig, 0, middle, heading, 0.0, PlanSettings())
    toe = heel + rot.rotate(frame, np.array([rig.foot_lengths[0], 0.0, 0.0]))
    return heel, toe, rot.rotate(frame, rot.UP)


@pytest.mark.parametrize("heading", [0.0, np.pi])
@pytest.mark.parametrize("tread", [0.28, 0.32, 0.4, 0.5])
def test_a_sole_lies_level_on_the_tread_where_it_fits(tread, heading):
    rig, _ = make_walker()
    stairs, first = make_steps(RISE, tread, 0.0, first=1.0), 1.0 + 2.0 * tread
    for place in np.linspace(first, first + tread, 29):
        heel, toe, normal = click(stairs, rig, place, heading)
        assert normal[2] > np.cos(np.radians(1.0))
        middle = 0.5 * (heel + toe)
        edge = 1.0 + tread * np.floor((middle[0] - 1.0) / tread)
        low, high = min(heel[0], toe[0]), max(heel[0], toe[0])
        assert max(edge - low, high - edge - tread) < 0.005
        assert middle[2] % RISE == pytest.approx(0.0, abs=1e-6) or middle[2] % RISE > RISE - 1e-6
        assert abs(middle[0] - place) < rig.foot_lengths[0] + 1e-6


@pytest.mark.parametrize("heading", [0.0, np.pi])
@pytest.mark.parametrize("tread", [0.15, 0.2, 0.25])
def test_a_sole_longer_than_its_tread_stays_on_it(tread, heading):
    rig, _ = make_walker()
    stairs = make_steps(RISE, tread, 0.0, first=1.0)
    for place in 1.0 + tread * (1.0 + np.linspace(0.02, 0.98, 15)):
        heel, toe, normal = click(stairs, rig, place, heading)
        middle = 0.5 * (heel + toe)
        assert middle[2] == pytest.approx(2.0 * RISE, abs=0.01)
        assert abs(middle[0] - place) < tread
        assert normal[2] > np.cos(np.radians(3.0))


def test_a_sole_that_lies_well_is_not_moved():
    rig, _ = make_walker()
    stairs = make_steps(RISE, 0.5, 0.0, first=1.0)
    heel, toe, _ = click(stairs, rig, 2.25, 0.0)
    assert 0.5 * (heel + toe)[0] == pytest.approx(2.25)
