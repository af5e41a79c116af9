# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that jump: a parabola between smooth pushes and landings."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.body.airborne.bodies import (
    fly_body,
    smooth_across,
    smooth_apart,
    split_shares,
    tilt_flights,
)
from semi_procedural_locomotion.core.body.airborne.records import Jump, find_jumped
from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.maths.grid import TimeGrid
from semi_procedural_locomotion.core.maths.smoothing import smooth_gaussian
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.demo.course_shapes import make_box
from tests.core.gait_rigs import build_biped
from tests.core.specimens import find_specimen
from tests.core.walkers import make_set

GRID = TimeGrid(0.0, 1.0 / 240.0, 1441)
JUMPS = (Jump(2.0, 2.4, rise=0.0), Jump(4.0, 4.5, rise=-0.5))


def make_path():
    """A body that bobs, and walks half a metre lower after the second jump."""
    times = GRID.times
    return 0.8 + 0.02 * np.sin(2.0 * np.pi * times) - 0.5 * (times >= 4.25)


def test_a_body_falls_in_flight_and_nowhere_jumps():
    times, path = GRID.times, make_path()
    flown = fly_body(path, GRID, JUMPS, 9.81, 0.8)
    inside = find_jumped(times, JUMPS, -0.01, -0.01)
    accelerations = np.diff(flown, 2) / GRID.interval**2
    assert accelerations[inside[1:-1]] == pytest.approx(-9.81, abs=1e-3)
    # Its speed goes on where it leaves and where it lands.
    speeds = np.diff(flown) / GRID.interval
    assert np.abs(np.diff(speeds)).max() < 0.5
    assert np.abs(speeds).max() > 2.5
    far = ~find_jumped(times, JUMPS, 1.6, 1.6)
    np.testing.assert_array_equal(flown[far], path[far])


def test_what_carries_a_body_goes_evenly_through_a_flight():
    steps = -0.5 * (GRID.times >= JUMPS[1].middle)
    bridged = smooth_across(steps, GRID, 0.1, JUMPS)
    inside = find_jumped(GRID.times, JUMPS)
    np.testing.assert_array_equal(bridged[~inside], smooth_apart(steps, GRID, 0.1, JUMPS)[~inside])
    # It is fastest midway, at 1.875 of the mean speed of a quintic step.
    fastest = np.abs(np.diff(bridged)).max() / GRID.interval
    assert fastest == pytest.approx(1.875 * 0.5 / JUMPS[1].flight, rel=0.01)


def test_it_crouches_before_and_gives_way_as_deep_as_it_fell():
    path, times = make_path(), GRID.times
    deep = path - fly_body(path, GRID, JUMPS, 9.81, 0.8)
    for jump in JUMPS:
        pushed = jump.rise / jump.flight + 0.5 * 9.81 * jump.flight
        fallen = jump.rise / jump.flight - 0.5 * 9.81 * jump.flight
        before = deep[(times < jump.off) & (times > jump.off - 1.0)].max()
        after = deep[(times > jump.strike) & (times < jump.strike + 1.0)].max()
        assert before == pytest.approx(min(0.8 * pushed**2 / 19.62, 0.2), abs=0.02)
        assert after == pytest.approx(min(0.5 * fallen**2 / 19.62, 0.32), abs=0.02)


def test_what_is_before_and_after_a_jump_does_not_blur_into_the_other():
    steps = (GRID.times >= 4.25) * 1.0
    np.testing.assert_array_equal(smooth_apart(steps, GRID, 0.1, JUMPS), steps)
    np.testing.assert_array_equal(
        smooth_apart(steps, GRID, 0.1, ()), smooth_gaussian(steps, GRID.interval, 0.1)
    )


def test_legs_go_over_to_the_next_print_amid_a_jump():
    steps = np.repeat([[0, 0], [1, 0], [1, 1]], [240, 480, 721], axis=0)
    shares = split_shares(np.full((1441, 2), 0.25), steps, GRID, JUMPS[:1])
    assert shares[:240, 0] == pytest.approx(0.25)
    assert np.unique(shares[240:, 0]).tolist() == [0.0, 1.0]
    assert shares[527, 0] == 0.0
    assert shares[529, 0] == 1.0


def test_what_a_hop_is_raised_by_is_straight_in_its_flight():
    times = GRID.times
    path = smooth_apart(0.3 * (times >= 2.2), GRID, 0.1, JUMPS[:1])
    tilted = tilt_flights(path, GRID, JUMPS[:1], 9.81, 0.8)
    inside = find_jumped(times, JUMPS[:1], -0.01, -0.01)
    assert np.diff(tilted[inside]) / GRID.interval == pytest.approx(0.75)
    # It pushes off from below, and hardly goes beyond.
    assert tilted.min() == pytest.approx(-0.8 * 0.75**2 / 19.62, abs=2e-3)
    assert 0.3 < tilted.max() < 0.3 + 0.01 * 0.8 + 1e-3
    level = np.full(GRID.count, 0.7)
    np.testing.assert_array_equal(tilt_flights(level, GRID, JUMPS[:1], 9.81, 0.8), level)


@pytest.mark.parametrize("top", [0.0, 0.4])
def test_a_hop_onto_a_block_flies_as_its_clip_does(top):
    rig = build_biped()
    gait = replace(
        find_specimen("run", 2, rig.leg_length),
        name="hop",
        phases=(0.0, 0.0),
        period=0.75,
        stride=1.6,
        duty=0.45,
    )
    motion = analyze_clip(make_gait(rig, gait), rig)
    ahead = motion.velocity / motion.speed
    floor = make_box(np.zeros(2), (40.0, 40.0), -1.0, 0.0)
    block = make_box(11.0 * ahead, (16.0, 16.0), -1.0, top)
    ground = MeshGround(
        np.concatenate([floor.vertices, block.vertices]),
        np.concatenate([floor.triangles, block.triangles + len(floor.vertices)]),
    )
    travel = make_straight_travel(np.zeros(3), 0.0, motion.velocity, 0.0, 4.0)
    plan = make_plan(rig, make_set([motion]), travel, ground)
    added = plan.body.supports + plan.body.hip_offsets
    flights = plan.flights.own
    assert len(flights) == (top > 0.0)
    for flight in flights:
        assert flight.rise == pytest.approx(top, abs=0.01)
        inside = find_jumped(plan.grid.times, flights, -0.02, -0.02)
        assert np.abs(np.diff(added[inside], 2)).max() < 1e-9
        walk = solve_poses(plan, np.arange(flight.off - 0.4, flight.strike + 0.4, 1.0 / 60.0))
        assert walk.missed[walk.states.in_contact].max() < 2e-3 * rig.leg_length
