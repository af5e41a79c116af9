# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The made walk on ramps beside measured people, on the bones and meshes that the scene shows.

Strides and stances are those of J. R. Franz and R. Kram, Gait Posture 35, 2012, at 1.25 m/s. Going up
hips strike with 1.5 to 2 degrees more for each degree of the slope, knees with 2, and trunks lean 0.5 to
1; going down knees strike as on the level, and bend by 1 to 1.5 more as they take the load (A. S.
McIntosh and others, J Biomech 39, 2006; A. Leroux and others, Gait Posture 15, 2002).
"""

from __future__ import annotations

import pytest

pytest.importorskip("bpy")

from benchmarks.slopes import PEOPLE, see_slope

pytestmark = pytest.mark.newest


@pytest.mark.parametrize("degrees", [6.0, 9.0])
def test_people_walk_up_as_measured(degrees):
    seen, (stride, stance) = see_slope(degrees), PEOPLE[degrees]
    assert seen.stride == pytest.approx(stride, abs=0.02)
    assert seen.stance == pytest.approx(stance, abs=0.03)
    assert 0.4 * degrees < seen.lean < 1.2 * degrees
    # Leaning trunks turn pelvises, which hips count.
    assert 1.2 * degrees < seen.hip < 2.6 * degrees
    assert 1.0 * degrees < seen.knee < 2.7 * degrees
    assert 0.0 < seen.ankle < 1.3 * degrees


def test_people_walk_down_as_measured():
    seen, (stride, stance) = see_slope(-9.0), PEOPLE[-9.0]
    assert seen.stride == pytest.approx(stride, abs=0.02)
    assert seen.stance == pytest.approx(stance, abs=0.03)
    assert -0.4 * 9.0 < seen.lean < -0.15 * 9.0
    assert abs(seen.knee) < 6.5
    assert abs(seen.ankle) < 4.0
    assert 0.8 * 9.0 < seen.loading < 1.55 * 9.0
