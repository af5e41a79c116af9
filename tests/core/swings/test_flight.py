# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swings fitted to prints."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.swings.flight import (
    fit_swing,
    measure_slope_rises,
    shape_bump,
)

FLIGHT = np.linspace(0.0, 1.0, 41)


def make_source(step=(0.0, 1.4), lift=0.1, side=0.03):
    progress = FLIGHT**2 * (3 - 2 * FLIGHT)
    source = progress[:, None] * np.array([*step, 0.0])
    source[:, 2] = lift * np.sin(np.pi * FLIGHT)
    source[:, 0] += side * np.sin(np.pi * FLIGHT)
    return source, progress


def fit(source, behind, ahead):
    return fit_swing(
        source,
        np.broadcast_to(source[0], source.shape),
        np.broadcast_to(source[-1], source.shape),
        np.broadcast_to(behind, source.shape),
        np.broadcast_to(ahead, source.shape),
        FLIGHT,
    )


def place(way, behind, ahead):
    behind, ahead = np.asarray(behind), np.asarray(ahead)
    return behind[:2] + way.progress[:, None] * (ahead - behind)[:2] + way.deviation


def test_own_prints_give_the_own_swing_back():
    source, progress = make_source()
    way = fit(source, source[0], source[-1])
    assert np.allclose(place(way, source[0], source[-1]), source[:, :2], atol=1e-12)
    assert np.allclose(way.progress, progress, atol=1e-12)
    assert np.allclose(way.height, source[:, 2], atol=1e-12)


@pytest.mark.parametrize(
    "ahead", [(0.2, 1.0, 0.3), (0.0, 2.2, 0.0), (0.01, 0.1, 0.0), (0.3, -0.8, 0)]
)
def test_every_swing_begins_and_ends_on_the_prints(ahead):
    source, _ = make_source()
    behind = np.array([0.1, -0.05, 0.02])
    way = fit(source, behind, np.array(ahead))
    places = place(way, behind, ahead)
    assert np.allclose(places[0], behind[:2], atol=1e-9)
    assert np.allclose(places[-1], ahead[:2], atol=1e-9)
    assert np.all(way.height >= 0)


def test_a_longer_step_keeps_the_timing_and_the_side_of_the_swing():
    source, progress = make_source()
    way = fit(source, np.zeros(3), np.array([0.0, 2.0, 0.0]))
    assert np.allclose(way.progress, progress, atol=1e-12)
    assert np.allclose(way.deviation[:, 0], 0.03 * np.sin(np.pi * FLIGHT), atol=1e-12)


def test_heights_are_counted_from_where_the_foot_leaves_and_strikes():
    source, _ = make_source()
    source[:, 2] = 0.3
    lifted, struck = source[0] - [0.0, 0.0, 0.2], source[-1] - [0.0, 0.0, 0.05]
    shape = source.shape
    prints = (np.broadcast_to(end, shape) for end in (source[0], source[-1]))
    ends = (np.broadcast_to(end, shape) for end in (lifted, struck))
    height = fit_swing(source, *ends, *prints, FLIGHT).height
    assert height[0] == pytest.approx(0.2)
    assert height[-1] == pytest.approx(0.05)
    assert np.all(np.diff(height) <= 1e-12)


def test_a_step_the_other_way_keeps_its_side_in_the_world():
    source, _ = make_source(side=0.1)
    ahead = np.array([0.0, -1.4, 0.0])
    way = fit(source, source[0], ahead)
    assert place(way, source[0], ahead)[20, 0] == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize("rise", [(0.2, 0.0), (0.0, 0.3), (-0.1, 0.25)])
def test_beside_before_and_beyond_its_line_a_swing_rises_with_the_slope(rise):
    rise = np.array(rise)
    frame = rot.quaternions_from_arcs(rot.UP, rot.normalize(np.array([*-rise, 1.0])))
    step = np.array([0.3, 1.0, 0.0])
    progress = np.array([-0.2, 0.0, 0.5, 1.0, 1.3])
    aside = np.array([[0.1, 0.0], [0.0, 0.1], [0.05, -0.02], [0.0, 0.0], [-0.1, 0.1]])
    frames = np.broadcast_to(frame, (5, 4))
    rises = measure_slope_rises(frames, progress, np.broadcast_to(step, (5, 3)), aside)
    beyond = np.array([-0.2, 0.0, 0.0, 0.0, 0.3])[:, None] * step[:2]
    np.testing.assert_allclose(rises, (beyond + aside) @ rise, atol=1e-12)


def test_a_bump_is_smooth_at_both_ends_and_one_between():
    bump = shape_bump(FLIGHT, np.array(0.2), np.array(0.35))
    assert bump[0] == 0.0
    assert bump[-1] == 0.0
    assert bump.max() == pytest.approx(1.0)
    assert bump[1] < 0.02
