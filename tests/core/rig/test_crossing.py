# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances between soles and crossing of legs, against closed forms."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.crossing import (
    find_segment_crossings,
    list_neighbours,
    list_partners,
    measure_leg_gaps,
    measure_rectangle_gaps,
    outline_rectangles,
    outline_soles,
)
from semi_procedural_locomotion.core.rig.skeleton import compute_rest_poses
from tests.core.gait_rigs import build_biped, build_many_legged


def rectangle(x, y, degrees=0.0, length=2.0, width=1.0):
    """A sole whose heel edge has its middle at x, y."""
    angle = np.radians(degrees)
    direction = np.array([[np.cos(angle), np.sin(angle)]])
    return outline_rectangles(np.array([[x, y]]), direction, np.array(length), width)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (rectangle(0.0, 3.0), 2.0),
        (rectangle(5.0, 0.0), 3.0),
        # Corner to corner: 3 and 4 apart.
        (rectangle(5.0, 5.0), 5.0),
        # Corner of a square on its tip against an edge.
        (rectangle(1.0, 2.0, 45.0, 2.0, 2.0), 1.5 - np.sqrt(0.5)),
        (rectangle(0.0, 1.0), 0.0),
        # Overlaps: the shortest way out.
        (rectangle(0.0, 0.75), -0.25),
        (rectangle(1.9, 0.2), -0.1),
        (rectangle(0.0, 0.0), -1.0),
    ],
)
def test_gaps_between_rectangles_equal_closed_forms(second, expected):
    first = rectangle(0.0, 0.0)
    assert measure_rectangle_gaps(first, second)[0] == pytest.approx(expected, abs=1e-12)
    assert measure_rectangle_gaps(second, first)[0] == pytest.approx(expected, abs=1e-12)


def test_gaps_do_not_depend_on_place_and_direction():
    rng = np.random.default_rng(1)
    first, second = (
        np.concatenate([rectangle(*rng.uniform(-2, 2, 2), rng.uniform(0, 360)) for _ in range(40)])
        for _ in range(2)
    )
    gaps = measure_rectangle_gaps(first, second)
    assert np.any(gaps > 0)
    assert np.any(gaps < 0)
    turn = np.array([[np.cos(0.8), np.sin(0.8)], [-np.sin(0.8), np.cos(0.8)]])
    moved = measure_rectangle_gaps(3.0 * first @ turn + 7.0, 3.0 * second @ turn + 7.0)
    np.testing.assert_allclose(moved, 3.0 * gaps, atol=1e-12)


def test_gaps_equal_distances_of_densely_drawn_outlines():
    rng = np.random.default_rng(2)
    share = np.linspace(0.0, 1.0, 200)[:, None]

    def draw(corners):
        return np.concatenate(
            [a + share * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
        )

    for _ in range(20):
        one = rectangle(0.0, 0.0, rng.uniform(0, 360))
        two = rectangle(*rng.uniform(-4, 4, 2), rng.uniform(0, 360))
        gap = measure_rectangle_gaps(one, two)[0]
        if gap > 0:
            away = draw(one[0])[:, None] - draw(two[0])[None]
            assert gap == pytest.approx(np.hypot(away[..., 0], away[..., 1]).min(), abs=1e-3)


def test_segments_cross_only_inside():
    start, end = np.array([[0.0, 0.0]]), np.array([[2.0, 0.0]])

    def crosses(a, b):
        return bool(find_segment_crossings((start, end), (np.array([a]), np.array([b])))[0])

    assert crosses([1.0, -1.0], [1.0, 1.0])
    assert not crosses([3.0, -1.0], [3.0, 1.0])
    assert not crosses([1.0, 0.0], [1.0, 1.0])
    assert not crosses([0.0, 1.0], [2.0, 1.0])


def test_partners_are_ordered_by_where_they_are():
    rig = build_biped()
    assert list_partners(rig) == ((0, 1),)
    swapped = replace(rig, forward=-rig.forward)
    assert list_partners(swapped) == ((1, 0),)


def test_neighbours_of_many_legs_are_partners_and_those_behind():
    rig = build_many_legged(3)
    assert list_neighbours(rig) == ((0, 1), (2, 3), (4, 5), (0, 2), (2, 4), (1, 3), (3, 5))


def stand(rig):
    rotations, positions = compute_rest_poses(rig.skeleton)
    return rotations[None], positions[None]


def test_a_standing_person_has_the_gap_of_its_stance():
    rig = build_biped()
    rotations, positions = stand(rig)
    gaps = measure_leg_gaps(rig, rotations, positions)
    left, right = (outline_soles(rig, i, rotations, positions)[0] for i in range(2))
    across = np.array([-rig.forward[1], rig.forward[0]])
    expected = (left @ across).min() - (right @ across).max()
    assert gaps.soles[0, 0] == pytest.approx(expected)
    ankles = [positions[0, leg.ankle, :2] @ across for leg in rig.legs]
    assert gaps.ankles[0, 0] == pytest.approx(ankles[0] - ankles[1])
    assert not gaps.crossed[0, 0]


def test_legs_whose_shins_change_sides_are_crossed():
    rig = build_biped()
    rotations, positions = stand(rig)
    crossed = positions.copy()
    width = positions[0, rig.legs[0].ankle] - positions[0, rig.legs[1].ankle]
    for leg, sign in zip(rig.legs, (-1.0, 1.0), strict=True):
        crossed[0, leg.ankle] += sign * width
    gaps = measure_leg_gaps(rig, rotations, crossed)
    assert gaps.crossed[0, 0]
    across = np.array([-rig.forward[1], rig.forward[0]])
    assert gaps.ankles[0, 0] == pytest.approx(-abs(width[:2] @ across))
    turned = rot.rotate(rot.quaternions_from_yaws(1.1), crossed)
    turn = rot.multiply(rot.quaternions_from_yaws(1.1), rotations)
    same = measure_leg_gaps(rig, turn, turned)
    np.testing.assert_allclose(same.ankles, gaps.ankles, atol=1e-12)
    assert same.crossed[0, 0]


def test_one_leg_has_no_pairs():
    rig = build_biped()
    alone = replace(rig, legs=rig.legs[:1], foot_lengths=rig.foot_lengths[:1])
    alone = replace(alone, legs=(replace(rig.legs[0], partner=None),))
    gaps = measure_leg_gaps(alone, *stand(rig))
    assert gaps.pairs == ()
    assert gaps.soles.shape == (1, 0)
