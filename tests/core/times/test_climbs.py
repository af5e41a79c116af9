# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How walks slow down where their ground climbs."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.climbs import pace_climbs, slow_travel, speeds_from_pace
from semi_procedural_locomotion.core.times.limits import CLIMBS
from semi_procedural_locomotion.core.travel.way import Travel
from tests.core.prints.test_soles import make_profile
from tests.core.walkers import make_walker, scale_walker

RAMP = 0.8
WAY = 24.0


@pytest.fixture(scope="module")
def tables():
    return pack_motions(*make_walker(("walk",), legs=2, rest=False))


def travel_along(speed):
    """Along +Y over the way at a speed."""
    times = np.linspace(0.0, WAY / speed, 400)
    places = np.stack([np.zeros(400), speed * times, np.zeros(400)], axis=1)
    return Travel(times, places, np.zeros(400))


def pace(tables, profile, most=0.25):
    """The own speed, the travel at it, and the pace over (y, z) points."""
    speed = float(np.hypot(*tables.cycles.velocities[tables.cycles.slowest][:2]))
    travel = travel_along(speed)
    settings = PlanSettings(max_climb=most)
    found = pace_climbs(tables, travel, make_profile(profile), settings, speed, RAMP)
    return speed, travel, found


def make_slope(slope, first=8.0, last=16.0):
    top = slope * (last - first)
    return [(-20.0, 0.0), (first, 0.0), (last, top), (60.0, top)]


def find_highest_slope(tables, speed, most=0.25):
    """The slope that the own walk climbs at its own speed with the steps that it may take."""
    length, period = tables.small_rig.legs[0].length, tables.cycles.slowest_period
    return CLIMBS.quicker * 2.0 * most * length / (period * speed)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_steep_ground_is_walked_at_the_rate_of_its_steps(tables, sign):
    speed = float(np.hypot(*tables.cycles.velocities[tables.cycles.slowest][:2]))
    highest = find_highest_slope(tables, speed)
    _, _, found = pace(tables, make_slope(sign * 1.6 * highest))
    middle = (found.distances > 10.0) & (found.distances < 14.0)
    np.testing.assert_allclose(found.shares[middle], 1.0 / 1.6, rtol=1e-6)
    far = (found.distances < 4.0) | (found.distances > 20.0)
    np.testing.assert_allclose(found.shares[far], 1.0, rtol=1e-9)


def test_gentle_slopes_kerbs_and_level_ground_are_walked_at_full_speed(tables):
    speed = float(np.hypot(*tables.cycles.velocities[tables.cycles.slowest][:2]))
    assert pace(tables, make_slope(0.9 * find_highest_slope(tables, speed)))[2] is None
    kerb = 0.12 * tables.rig.leg_length
    assert pace(tables, [(-20.0, 0.0), (12.0, 0.0), (12.0, kerb), (60.0, kerb)])[2] is None
    assert pace(tables, [(-20.0, 0.5), (60.0, 0.5)])[2] is None


def make_flight(rise, run, first=8.0, count=20):
    """Corners (y, z) of stairs."""
    places = first + run * np.arange(count)
    heights = rise * np.arange(count + 1)
    corners = [(y, z) for k, y in enumerate(places) for z in heights[k : k + 2]]
    return [(-20.0, 0.0), *corners, (60.0, heights[-1])]


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(
    ("rise", "longer"), [(0.2, 114.7 / 94.5), (0.1, 0.5 * (114.7 / 94.5 + 1.0))]
)
def test_people_take_treads_at_their_own_cadence(tables, sign, rise, longer):
    """Of 18 cm with legs of 0.9 m at 94.5 steps a minute, where they take 114.7 on the level."""
    length, period = tables.rig.leg_length, tables.cycles.slowest_period
    # Steps may climb one tread and no more.
    stairs = make_flight(sign * rise * length, 0.3)
    speed, _, found = pace(tables, stairs, 1.5 * rise)
    middle = (found.distances > 10.0) & (found.distances < 12.0)
    steps = 2.0 / period
    # The highest ripple counts that smoothing leaves of the treads.
    np.testing.assert_allclose(speed * found.shares[middle] / 0.3, steps / longer, rtol=0.03)
    far = (found.distances < 4.0) | (found.distances > 20.0)
    np.testing.assert_allclose(found.shares[far], 1.0, rtol=1e-9)


def test_giants_take_their_stairs_as_people_do(tables):
    rig, motions = make_walker(("walk",), legs=2, rest=False)
    large = pack_motions(*scale_walker(rig, motions, 10.0))
    speed, _, found = pace(tables, make_flight(0.15, 0.3))
    times = np.linspace(0.0, WAY / speed, 400)
    travel = Travel(times, 10.0 * travel_along(speed).positions, np.zeros(400))
    stairs = make_profile([(10.0 * y, 10.0 * z) for y, z in make_flight(0.15, 0.3)])
    huge = pace_climbs(large, travel, stairs, PlanSettings(), 10.0 * speed, RAMP)
    np.testing.assert_allclose(huge.shares, found.shares, rtol=1e-3)


def test_one_kerb_hardly_slows(tables):
    kerb = 0.2 * tables.rig.leg_length
    _, _, found = pace(tables, [(-20.0, 0.0), (12.0, 0.0), (12.0, kerb), (60.0, kerb)])
    assert found is None or found.shares.min() > 0.8


def test_lower_steps_make_the_walk_slower(tables):
    speed = float(np.hypot(*tables.cycles.velocities[tables.cycles.slowest][:2]))
    slope = make_slope(1.2 * find_highest_slope(tables, speed))
    lowest = [pace(tables, slope, most)[2].shares.min() for most in (0.25, 0.2, 0.15)]
    assert lowest[0] > lowest[1] > lowest[2]


def test_the_same_places_are_passed_later_and_smoothly(tables):
    speed = float(np.hypot(*tables.cycles.velocities[tables.cycles.slowest][:2]))
    _, travel, found = pace(tables, make_slope(2.0 * find_highest_slope(tables, speed)))
    slower = slow_travel(travel, found)
    np.testing.assert_array_equal(slower.positions, travel.positions)
    assert slower.start == travel.start
    assert slower.end > travel.end * 1.2
    gains = np.diff(0.5 * (speed * found.shares) ** 2) / found.distances[1]
    assert np.abs(gains).max() <= speed / RAMP * 1.001


def test_speeds_over_time_walk_the_same_way(tables):
    speed = float(np.hypot(*tables.cycles.velocities[tables.cycles.slowest][:2]))
    _, travel, found = pace(tables, make_slope(2.0 * find_highest_slope(tables, speed)))
    curve = speeds_from_pace(found, speed, 3.0)
    times = np.linspace(3.0, curve.times[-1], 20_000)
    speeds = curve.find_speeds(times)
    way = np.sum(0.5 * (speeds[1:] + speeds[:-1]) * np.diff(times))
    assert way == pytest.approx(found.distances[-1], rel=1e-4)
    assert curve.times[-1] - 3.0 == pytest.approx(slow_travel(travel, found).end, rel=1e-3)
