# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swings fitted to prints."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround, MeshGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.swings.clearance import (
    PlannedSwings,
    SwingLines,
    plan_lifts,
)
from semi_procedural_locomotion.core.swings.flight import (
    fit_swing,
    measure_slope_rises,
    retime_progress,
    shape_bump,
)
from semi_procedural_locomotion.core.swings.fold_costs import SwingHips
from semi_procedural_locomotion.core.swings.limits import CLEARANCE

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


def test_retiming_keeps_ends_order_and_overshoot():
    progress = np.linspace(-0.1, 1.1, 50)
    for kind in (1, -1, 0):
        bent = retime_progress(progress, np.array(1.7), np.array(kind))
        assert np.all(np.diff(bent) > 0)
        assert bent[0] == progress[0]
        assert bent[-1] == progress[-1]
    assert np.allclose(retime_progress(progress, np.array(1.0), np.array(1)), progress)


def test_a_bump_is_smooth_at_both_ends_and_one_between():
    bump = shape_bump(FLIGHT, np.array(0.2), np.array(0.35))
    assert bump[0] == 0.0
    assert bump[-1] == 0.0
    assert bump.max() == pytest.approx(1.0)
    assert bump[1] < 0.02


# No leg is folded under a hip that is so far up.
FAR_HIPS = SwingHips(np.full((1, len(CLEARANCE.flight), 3), [0.0, 0.0, 9.0]), 0.5)


def plan_before_wall(behind_wall, ahead_wall):
    """One step of 1 m along +Y whose motion draws the foot back by 0.2 and overshoots by 0.1."""
    ground = make_walls(behind_wall, ahead_wall)
    flight = CLEARANCE.flight
    progress = np.interp(flight, [0.0, 0.2, 0.8, 1.0], [0.0, -0.2, 1.1, 1.0])
    frame = np.array([[np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]])
    middle = flight[len(flight) // 2 :][:1]
    swings = PlannedSwings(
        lines=SwingLines(np.zeros((1, 3)), np.array([[0.0, 1.0, 0.0]]), frame, frame, middle),
        progress=progress[None],
        deviations=np.zeros((1, len(flight), 2)),
        heights=0.05 * np.sin(np.pi * flight)[None],
        fastest=np.ones(1),
        hips=FAR_HIPS,
    )
    lifts = plan_lifts(swings, ground, foot_length=0.25, leg_length=1.0, margin=0.02)
    return lifts, lifts.retime(np.zeros(len(flight), dtype=np.intp), progress)


def make_walls(behind, ahead):
    """Level ground with steps of 0.2 m up from ``behind`` back and from ``ahead`` on."""
    corners = []
    for near, far, height in ((-9.0, behind, 0.2), (behind, ahead, 0.0), (ahead, 9.0, 0.2)):
        for x, y in ((-9.0, near), (9.0, near), (9.0, far), (-9.0, far)):
            corners.append((x, y, height))
    triangles = [
        (base + a, base + b, base + c) for base in (0, 4, 8) for a, b, c in ((0, 1, 2), (0, 2, 3))
    ]
    return MeshGround(np.array(corners), np.array(triangles))


def test_a_foot_is_not_drawn_back_into_a_riser_nor_overshoots_into_the_next():
    free, progress = plan_before_wall(-5.0, 5.0)
    assert progress.min() < -0.15
    assert progress.max() > 1.05
    assert free.amplitudes[0] == 0.0
    lifts, progress = plan_before_wall(-0.05, 1.3)
    assert -0.05 < lifts.floors[0] <= 0.0
    assert progress.min() >= -0.05
    assert 1.0 <= lifts.ceilings[0] < 1.05
    assert progress.max() <= 1.05


def plan_over_level_ground(heights):
    """One step of 1 m over level ground with a lift, of a leg of 1 m."""
    flight = CLEARANCE.flight
    frame = np.array([[np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]])
    swings = PlannedSwings(
        lines=SwingLines(
            np.zeros((1, 3)), np.array([[0.0, 1.0, 0.0]]), frame, frame, np.array([0.5])
        ),
        progress=flight[None],
        deviations=np.zeros((1, len(flight), 2)),
        heights=np.asarray(heights)[None],
        fastest=np.ones(1),
        hips=FAR_HIPS,
    )
    return plan_lifts(swings, FlatGround(), foot_length=0.25, leg_length=1.0, margin=0.02)


@pytest.mark.parametrize("lift", [0.0, 0.01, 0.1])
def test_over_level_ground_a_swing_is_left_alone_however_low_it_is(lift):
    lifts = plan_over_level_ground(np.full(len(CLEARANCE.flight), lift))
    assert lifts.amplitudes[0] == 0.0
    assert lifts.exponents[0] == 1.0


def test_a_swing_can_do_without_all_its_height_but_a_margin_for_rounded_edges():
    lifts = plan_over_level_ground(np.full(len(CLEARANCE.flight), 0.1))
    np.testing.assert_allclose(lifts.rooms[0], 0.1 - 0.009, atol=1e-12)
    low = plan_over_level_ground(np.full(len(CLEARANCE.flight), 0.005))
    np.testing.assert_array_equal(low.rooms[0], 0.0)
