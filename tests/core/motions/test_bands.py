# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradient band weights against worked fixtures (docs/method/motions.md, Gradient bands)."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.motions.bands import compute_band_weights, compute_ring_speeds


def from_polar(speed, degrees):
    """Velocity of a speed and a heading counted from forward (+y) towards the right (+x)."""
    return [speed * np.sin(np.radians(degrees)), speed * np.cos(np.radians(degrees))]


def velocities_of(*pairs):
    return np.array([from_polar(*pair) for pair in pairs])


SIX = ((0, 0), (0.7, 0), (2.8, 0), (0.7, 180), (0.6, 90), (0.6, -90))
UNEQUAL = ((0, 0), (1.4, 0), (3.5, 0), (1.0, 180), (0.8, 90), (0.8, -90))
SETS = {
    "six": SIX,
    "unequal": UNEQUAL,
    "rest and one": ((0, 0), (0.7, 0)),
    "rest, forward, left": ((0, 0), (0.7, 0), (0.7, -90)),
    "rest, forward, back": ((0, 0), (0.7, 0), (0.7, 180)),
    "no rest": ((0.7, 0), (2.8, 0)),
    "close": ((0, 0), (0.7, 0), (2.8, 0), (2.8, 30)),
    "walks and runs": (
        (0, 0),
        *((0.7, a) for a in (0, 90, 180, 270)),
        *((2.8, a) for a in (0, 90, 180, 270)),
    ),
}


def weigh(pairs, *queries):
    velocities = velocities_of(*pairs)
    rest = np.array([speed == 0 for speed, _ in pairs])
    return compute_band_weights(velocities, rest, velocities_of(*queries))


@pytest.mark.parametrize(
    ("pairs", "query", "expected"),
    [
        (SIX, (0.35, 0), (0.5, 0.5, 0, 0, 0, 0)),
        (SIX, (1.0, 0), (0, 0.857143, 0.142857, 0, 0, 0)),
        (SIX, (1.75, 0), (0, 0.5, 0.5, 0, 0, 0)),
        (SIX, (2.5, 15), (0, 0.129424, 0.758956, 0, 0.111620, 0)),
        (SIX, (5, 90), (0, 0, 0.262507, 0.095240, 0.642253, 0)),
        (SIX, (0.7, 30), (0, 0.667464, 0, 0, 0.332536, 0)),
        (SIX, (0.65, 45), (0, 0.5, 0, 0, 0.5, 0)),
        (SIX, (0.6, 120), (0.052632, 0, 0, 0.315789, 0.631579, 0)),
        (SIX, (0.3, -60), (0.526316, 0.157895, 0, 0, 0, 0.315789)),
        (((0, 0), (0.7, 0)), (0.7, 90), (0, 1)),
        (SETS["walks and runs"][:5], (0.7, 45), (0, 0.5, 0.5, 0, 0)),
        (SETS["rest, forward, left"], (0.7, 45), (0, 1, 0)),
        (SETS["rest, forward, left"], (0.7, 90), (0, 1, 0)),
        (SETS["rest, forward, left"], (2, 135), (0, 0.5, 0.5)),
        (SETS["rest, forward, left"], (0.1, 170), (0.857143, 0, 0.142857)),
        (UNEQUAL, (0.7, 0), (0.5, 0.5, 0, 0, 0, 0)),
        (UNEQUAL, (1.1, 45), (0, 0.5, 0, 0, 0.5, 0)),
        (UNEQUAL, (0.4, 135), (0.555556, 0, 0, 0.222222, 0.222222, 0)),
        (UNEQUAL, (2.2, 20), (0, 0.526087, 0.323746, 0, 0.150167, 0)),
    ],
)
def test_weights_equal_worked_fixtures(pairs, query, expected):
    np.testing.assert_allclose(weigh(pairs, query)[0], expected, atol=1.5e-6)


def test_ring_speeds_equal_worked_fixture():
    moving = [pair for pair in UNEQUAL if pair[0] > 0]
    speeds = np.array([pair[0] for pair in moving])
    headings = np.radians([pair[1] for pair in moving])
    ring = compute_ring_speeds(speeds, headings, np.radians([0.0, 45, 90, 135, 20]))
    np.testing.assert_allclose(ring, [1.4, 1.1, 0.8, 0.9, 1.26667], atol=1e-5)


@pytest.mark.parametrize("pairs", SETS.values(), ids=SETS.keys())
def test_weights_are_exact_at_the_motions_and_close_to_them(pairs):
    exact = weigh(pairs, *pairs)
    np.testing.assert_allclose(exact, np.eye(len(pairs)), atol=1e-12)
    rest = np.array([speed == 0 for speed, _ in pairs])
    near = compute_band_weights(velocities_of(*pairs), rest, velocities_of(*pairs) + 1e-7)
    np.testing.assert_allclose(near, np.eye(len(pairs)), atol=1e-5)


@pytest.mark.parametrize("pairs", SETS.values(), ids=SETS.keys())
@pytest.mark.parametrize("speed", [0.3, 0.7, 3.0])
def test_weights_are_shares_without_jumps(pairs, speed):
    quarter = weigh(pairs, *((speed, degrees) for degrees in np.arange(-180.0, 180.25, 0.25)))
    assert np.all(quarter >= 0)
    np.testing.assert_allclose(quarter.sum(axis=1), 1.0, atol=1e-12)
    largest = np.max(np.abs(np.diff(quarter, axis=0)))
    limit = 0.022 if pairs is SETS["close"] else 0.0105
    assert largest <= limit
    if largest > 0.005:
        fine = weigh(pairs, *((speed, a) for a in np.arange(-180.0, 180.0, 0.25 / 4)))
        assert np.max(np.abs(np.diff(fine, axis=0))) < 0.3 * largest


@pytest.mark.parametrize("pairs", SETS.values(), ids=SETS.keys())
def test_weights_have_no_jumps_along_a_heading(pairs):
    for degrees in (0.0, 67.3, 134.6, -90.0, 180.0):
        weights = weigh(pairs, *((speed, degrees) for speed in np.linspace(0.0, 5.0, 1000)))
        assert np.max(np.abs(np.diff(weights, axis=0))) < 0.03


def draw_unlike_motions(rng):
    """Moving motions of which no two are one choice: they differ by a quarter of the faster."""
    chosen = []
    for _ in range(rng.integers(2, 12)):
        candidate = from_polar(rng.uniform(0.4, 4.0), rng.uniform(-180.0, 180.0))
        size = np.hypot(*candidate)
        if all(
            np.hypot(*np.subtract(candidate, other)) > 0.25 * max(size, np.hypot(*other))
            for other in chosen
        ):
            chosen.append(candidate)
    return np.array(chosen)


@pytest.mark.parametrize("seed", range(100))
def test_weights_of_random_sets_are_exact_shares_without_jumps(seed):
    rng = np.random.default_rng(seed)
    velocities = draw_unlike_motions(rng)
    rest = np.zeros(len(velocities), dtype=bool)
    if seed % 3:
        velocities = np.concatenate([np.zeros((1, 2)), velocities])
        rest = np.arange(len(velocities)) == 0
    exact = compute_band_weights(velocities, rest, velocities)
    np.testing.assert_allclose(exact, np.eye(len(velocities)), atol=1e-12)
    headings = np.radians(np.arange(-180.0, 180.25, 0.25))
    circle = np.stack([np.sin(headings), np.cos(headings)], axis=1)
    for speed in (0.2, 0.7, 2.0, 5.0):
        weights = compute_band_weights(velocities, rest, speed * circle)
        assert np.all(weights >= 0)
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
        assert np.max(np.abs(np.diff(weights, axis=0))) < 0.05


def test_weights_do_not_depend_on_yaw_or_unit():
    rng = np.random.default_rng(3)
    velocities = np.concatenate([np.zeros((1, 2)), rng.normal(0, 1.5, (5, 2))])
    rest = np.arange(6) == 0
    queries = rng.normal(0, 2, (200, 2))
    expected = compute_band_weights(velocities, rest, queries)
    cosine, sine = np.cos(0.9), np.sin(0.9)
    turn = np.array([[cosine, -sine], [sine, cosine]])
    turned = compute_band_weights(velocities @ turn.T * 300, rest, queries @ turn.T * 300)
    np.testing.assert_allclose(turned, expected, atol=1e-9)


def test_mirrored_motions_get_mirrored_weights():
    queries = ((0.4, 20), (0.9, 130), (2.0, -75))
    mirrored = tuple((speed, -degrees) for speed, degrees in queries)
    swap = [0, 1, 2, 3, 5, 4]
    np.testing.assert_allclose(weigh(SIX, *queries), weigh(SIX, *mirrored)[:, swap], atol=1e-12)


def test_motions_of_equal_velocity_share():
    np.testing.assert_allclose(
        weigh(((0, 0), (1, 0), (1, 0)), (1, 0))[0], (0, 0.5, 0.5), atol=1e-12
    )


def test_only_rest_motions_share_equally_at_any_query():
    weights = compute_band_weights(np.zeros((2, 2)), np.ones(2, dtype=bool), np.ones((3, 2)))
    np.testing.assert_array_equal(weights, np.full((3, 2), 0.5))


def test_standing_without_a_rest_motion_uses_the_slowest():
    np.testing.assert_allclose(weigh(((2.8, 0), (0.7, 0)), (0, 0))[0], (0, 1), atol=1e-12)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="queries"):
        compute_band_weights(np.ones((1, 2)), np.zeros(1, dtype=bool), np.ones(2))
    with pytest.raises(ValueError, match="velocities"):
        compute_band_weights(np.ones((1, 3)), np.zeros(1, dtype=bool), np.ones((1, 2)))
    with pytest.raises(ValueError, match="at least one"):
        compute_band_weights(np.ones((0, 2)), np.zeros(0, dtype=bool), np.ones((1, 2)))
