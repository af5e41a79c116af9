# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twists of feet on a line of their sole, and footbases of feet that roll as they are shaped."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.footpoints import (
    compute_footbases,
    compute_standing_points,
    correct_twists,
)
from semi_procedural_locomotion.core.rig.hulls import HEEL, SOLE, FootHull
from semi_procedural_locomotion.core.rig.skeleton import Skeleton
from semi_procedural_locomotion.core.rig.structure import Leg, Rig, SolePoint

LENGTH = 0.25


def make_soles(yaw, heights):
    """One foot with its heel at the origin, turned by a yaw, its three points at some heights."""
    along = LENGTH * np.array([0.0, 0.7, 1.0])
    return np.stack([along * np.cos(yaw), along * np.sin(yaw), np.asarray(heights)], axis=1)[None]


@pytest.mark.parametrize("heights", [(0.0, 0.0, 0.0), (0.0, 0.0, 0.1), (0.1, 0.0, 0.0)])
def test_the_line_that_bears_tells_the_twist(heights):
    bone, angle, yaw = np.array([0.03]), np.array([1.0]), 1.05
    twist = correct_twists(make_soles(yaw, heights), angle, bone, LENGTH)
    assert twist[0] == pytest.approx(0.05, abs=0.005)


@pytest.mark.parametrize("heights", [(0.0, 0.1, 0.2), (0.2, 0.1, 0.0)])
def test_a_foot_on_one_point_keeps_the_twist_of_its_bone(heights):
    bone, angle = np.array([0.03]), np.array([1.0])
    twist = correct_twists(make_soles(2.5, heights), angle, bone, LENGTH)
    assert twist[0] == pytest.approx(0.03, abs=1e-6)


def test_turns_across_half_a_circle_are_short():
    angle, bone = np.array([np.pi - 0.02]), np.array([0.03])
    twist = correct_twists(make_soles(-np.pi + 0.03, (0.0, 0.0, 0.0)), angle, bone, LENGTH)
    assert twist[0] == pytest.approx(0.05, abs=0.005)


def make_rolling_foot(width, shin_share=0.0):
    """A rig of one leg whose foot has a round heel, and is as wide as given."""
    turns = np.linspace(0.0, 0.5 * np.pi, 7)
    round_heel = 0.05 * np.stack([-np.sin(turns), 0.0 * turns, 1.0 - np.cos(turns)], axis=1)
    places = np.concatenate([round_heel, [[0.2, 0.0, 0.0]]])
    places = np.concatenate([places + np.array([0.05, s * width, 0.0]) for s in (-0.5, 0.5)])
    parts = np.where(places[:, 2] < 1e-9, SOLE, HEEL)
    count = len(places)
    hull = FootHull(
        bones=np.tile([1, 0], (count, 1)),
        weights=np.tile([1.0 - shin_share, shin_share], (count, 1)),
        offsets=np.stack([places, places - [0.0, 0.0, 1.0]], axis=1),
        places=places,
        parts=parts,
        frame=rot.IDENTITY,
    )
    soles = [SolePoint(1, np.array([along, 0.0, 0.0])) for along in (0.0, 0.15, 0.25)]
    leg = Leg("Left", "L", (0, 1), None, *soles, width, 1.0, np.array([0.0, 1.0, 0.0]), hull=hull)
    skeleton = Skeleton(
        names=("shin", "foot"),
        parents=np.array([-1, 0]),
        rest_rotations=np.tile(rot.IDENTITY, (2, 1)),
        rest_translations=np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]),
    )
    return Rig(skeleton, (leg,), np.array([1.0, 0.0]), 0, 0.0, np.array([0.25]), np.array([0.6]))


def find_footbases(rig, rotations, positions, shares=1.0):
    """Footbases (S, 3) of the foot of a rig in poses, on level ground and pointing along x."""
    points = compute_standing_points(rig, 0, rotations, positions, rot.IDENTITY, shares)
    along, length = np.array([1.0, 0.0, 0.0]), float(rig.foot_lengths[0])
    return compute_footbases(points, along, length, float(rig.ball_shares[0]))[0]


def pose_foot(turns, places):
    """Poses of shin and foot: the foot turned (S, 4) and placed (S, 3), the shin upright over it."""
    rotations = np.stack([np.tile(rot.IDENTITY, (len(turns), 1)), turns], axis=1)
    return rotations, np.stack([places + np.array([0.0, 0.0, 1.0]), places], axis=1)


def test_a_foot_that_rolls_over_its_round_heel_keeps_its_footbase():
    angles, radius = np.linspace(0.0, 1.2, 40), 0.05
    turns = rot.quaternions_from_axis_angles(np.array([0.0, 1.0, 0.0]), -angles)
    centre = np.array([0.05, 0.0, radius])
    rolled = rot.pack(0.05 - radius * angles, 0.0 * angles, radius + 0.0 * angles)
    bases = find_footbases(
        make_rolling_foot(0.1), *pose_foot(turns, rolled - rot.rotate(turns, centre))
    )
    # The heel is no circle, but seven corners.
    assert np.abs(bases).max() < 0.0015
    assert np.ptp(bases[:, 0]) < 0.0015


def test_a_foot_that_tips_onto_its_edge_keeps_its_footbase():
    angles, edge = np.linspace(0.0, 0.4, 20), np.array([0.0, 0.05, 0.0])
    turns = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), -angles)
    bases = find_footbases(
        make_rolling_foot(0.1), *pose_foot(turns, edge - rot.rotate(turns, edge))
    )
    assert bases == pytest.approx(np.zeros_like(bases), abs=5e-4)


@pytest.mark.parametrize(("share", "height"), [(1.0, 0.5 * (np.cos(0.5) - 1.0)), (0.0, 0.0)])
def test_skin_on_the_shin_goes_with_it_only_where_its_turn_is_known(share, height):
    rotations, positions = pose_foot(np.tile(rot.IDENTITY, (1, 1)), np.zeros((1, 3)))
    rotations[:, 0] = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), 0.5)
    rig = make_rolling_foot(0.0, shin_share=0.5)
    base = find_footbases(rig, rotations, positions, share)[0]
    assert base[2] == pytest.approx(-height, abs=1e-9)
