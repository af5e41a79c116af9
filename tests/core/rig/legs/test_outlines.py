# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact hulls from the vertices of feet."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.hulls import MOST_POINTS, SOLE, hull_points_from_poses
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.core.rig.legs.outlines import choose_points
from tests.core.legged_bodies import make_biped, make_quadruped, make_spider, turn_evidence, walk


def find(maker, legs, **turned):
    return find_rig(turn_evidence(maker.evidence([walk(maker, legs)]), **turned)).rig


def rest_points(rig, leg):
    """Points of a hull in the rest pose, shape (P, 3)."""
    rotations, heads = rig.skeleton.rest_poses
    return hull_points_from_poses(rig.legs[leg].hull, rotations[None], heads[None])[0]


def test_the_hull_of_a_box_foot_has_its_corners_its_toe_cap_and_the_crease_at_the_ball():
    rig = find(*make_biped())
    points = np.round(rest_points(rig, 0), 9) + 0.0
    found = {tuple(point) for point in points.tolist()}
    x = (0.06, 0.14)
    assert {(a, y, 0.0) for a in x for y in (0.06, -0.11, -0.12, -0.19)} <= found
    assert {(a, -0.19, 0.05) for a in x} <= found
    assert len(points) <= MOST_POINTS
    hull = rig.legs[0].hull
    ground = points[:, 2] == 0.0
    assert set(hull.parts[ground]) == {SOLE}
    assert SOLE not in set(hull.parts[points[:, 2] > 0.03])


def test_places_and_frame_are_those_of_the_sole():
    rig = find(*make_biped())
    hull, points = rig.legs[0].hull, rest_points(rig, 0)
    # The foot points to -Y from its heel at y 0.06; the left is +X.
    expected = np.stack([0.06 - points[:, 1], points[:, 0] - 0.1, points[:, 2]], axis=1)
    np.testing.assert_allclose(hull.places, expected, atol=1e-9)
    rotations, _ = rig.skeleton.rest_poses
    axes = rot.matrices_from_quaternions(rot.multiply(rotations[rig.legs[0].ankle], hull.frame))
    np.testing.assert_allclose(axes, [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], atol=1e-9)


@pytest.mark.parametrize("make", [make_biped, make_quadruped, make_spider])
def test_mirrored_feet_have_mirrored_hulls(make):
    rig = find(*make())
    pairs = 0
    for leg in rig.legs:
        other = rig.legs[leg.partner]
        if leg.side != "L":
            continue
        mirrored = leg.hull.places * [1.0, -1.0, 1.0]
        apart = np.abs(mirrored[:, None] - other.hull.places).max(axis=2)
        assert len(leg.hull) == len(other.hull)
        assert apart.min(axis=1).max() < 1e-9
        pairs += 1
    assert pairs == len(rig.legs) // 2


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_turned_and_scaled_characters_have_the_same_hulls(scale):
    body = make_biped()
    plain, turned = find(*body), find(*body, scale=scale, yaw=1.1)
    for one, two in zip(plain.legs, turned.legs, strict=True):
        np.testing.assert_allclose(two.hull.places / scale, one.hull.places, atol=1e-9)
        np.testing.assert_allclose(two.hull.offsets / scale, one.hull.offsets, atol=1e-9)
        np.testing.assert_array_equal(two.hull.bones, one.hull.bones)
        np.testing.assert_array_equal(two.hull.parts, one.hull.parts)


def test_a_smooth_foot_is_reached_within_half_a_percent_of_the_leg():
    rng = np.random.default_rng(5)
    sphere = rot.normalize(rng.normal(size=(4000, 3)))
    # An ellipsoid as wide and long as a shoe, its lower half.
    points = sphere * [0.15, 0.06, 0.05] + [0.12, 0.0, 0.05]
    chosen = choose_points(points, points[:, 0] > 0.2)
    assert 8 < len(chosen) <= MOST_POINTS
    assert len(set(chosen.tolist())) == len(chosen)
    for pitch in np.radians([-40.0, -20.0, 0.0, 20.0, 40.0]):
        for roll in np.radians([-15.0, 0.0, 15.0]):
            down = np.array([np.sin(pitch), np.sin(roll), -np.cos(pitch) * np.cos(roll)])
            lacks = (points @ down).max() - (points[chosen] @ down).max()
            assert 0.0 <= lacks < 0.0055


def test_the_order_of_the_vertices_does_not_matter():
    rng = np.random.default_rng(2)
    points = rng.uniform([0.0, -0.05, 0.0], [0.3, 0.05, 0.1], size=(500, 3))
    front = points[:, 0] > 0.2
    first = points[choose_points(points, front)]
    order = rng.permutation(len(points))
    second = points[order][choose_points(points[order], front[order])]
    assert {tuple(p) for p in first} == {tuple(p) for p in second}


def test_without_a_mesh_the_hull_is_made_of_the_sole():
    maker, legs = make_biped()
    rig = find_rig(maker.evidence([walk(maker, legs)], mesh=False)).rig
    assert [leg.hull for leg in rig.legs] == [None, None]
    rotations, heads = rig.skeleton.rest_poses
    for leg, hull in zip(rig.legs, rig.hulls, strict=True):
        points = hull_points_from_poses(hull, rotations[None], heads[None])[0]
        soles = np.array(
            [heads[p.bone] + rot.rotate(rotations[p.bone], p.offset) for p in leg.soles]
        )
        low = points[hull.parts == SOLE]
        assert np.ptp(low[:, 0]) == pytest.approx(leg.sole_width, abs=1e-9)
        assert low[:, 1].max() == pytest.approx(soles[0, 1], abs=1e-9)
        assert low[:, 1].min() == pytest.approx(soles[2, 1], abs=1e-9)
        np.testing.assert_allclose(low[:, 2], soles[0, 2], atol=1e-9)
        assert points[hull.parts != SOLE, 2].min() > soles[0, 2] + 0.01


def test_skin_that_comes_out_when_the_foot_bends_is_found():
    corners = np.array([[x, y, z] for x in (0.0, 0.3) for y in (-0.05, 0.05) for z in (0.0, 0.1)])
    flat = np.concatenate([corners, [[0.02, 0.0, 0.05]]])
    bent = np.repeat(flat[None], 3, axis=0)
    bent[:, -1, 0] = [-0.01, -0.04, -0.08]
    front = np.zeros(len(flat), dtype=bool)
    assert 8 not in choose_points(flat, front)
    assert 8 in choose_points(flat, front, bent)
