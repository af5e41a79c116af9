# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet with a width and a toe cap over steps at any angle, measured without the plan's contacts."""

import numpy as np
import pytest

from tests.core.swings.test_outlines import make_steps, walk_over


@pytest.mark.parametrize("width", [0.35, 0.6])
@pytest.mark.parametrize("angle", [0.0, 15.0, 30.0, 45.0, 60.0, -30.0])
@pytest.mark.parametrize(("rise", "tread"), [(0.15, 0.32), (-0.15, 0.32), (0.08, 0.45)])
def test_no_part_of_a_foot_is_in_a_step_at_any_angle(rise, tread, angle, width):
    plan, report = walk_over(make_steps(rise, tread, np.radians(angle)), width)
    assert plan.trajectory.cost > 0.0
    assert report.shown_swing_depth_worst < 0.01
    assert report.shown_sink_worst < 0.006


@pytest.mark.parametrize("share", [0.65, 0.8])
@pytest.mark.parametrize("rise", [0.17, -0.17])
def test_no_foot_is_thrown_over_a_riser_in_one_frame(rise, share):
    _, report = walk_over(make_steps(rise, 0.3, 0.0), length=4.0, share=share)
    assert report.shown_foot_way_ratio < 1.5
    assert report.shown_swing_depth_worst < 0.01


@pytest.mark.parametrize("beside", [0.02, 0.05, 0.1])
def test_feet_keep_out_of_a_curb_beside_them(beside):
    ground = make_steps(0.1, 1.0, np.radians(90.0), count=1, first=beside)
    _, report = walk_over(ground)
    assert report.shown_sink_worst < 0.006
    assert report.shown_swing_depth_worst < 0.01
