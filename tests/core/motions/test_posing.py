# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows read at any phase, leg times of one motion for those of a blend, footbases of turned feet."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.motions.posing import (
    blend_rows,
    compute_leg_footbases,
    pose_legs,
    warp_leg_times,
)
from semi_procedural_locomotion.core.motions.tables import RowSpans
from tests.core.walkers import detach_feet, make_walker


@pytest.mark.parametrize("count", [1, 2, 7])
def test_rows_are_joined_by_straight_lines_all_around_the_cycle(count):
    rows = np.cos(1.0 + 2.0 * np.arange(count))
    spans = RowSpans(np.array([0]), np.array([count]), np.array([0.3]))
    phases = np.linspace(-1.5, 2.5, 81)
    read = blend_rows(spans, rows[None, None], np.ones((81, 1)), phases)[0, 0]
    places = (phases - 0.3) * count
    expected = np.interp(places, np.arange(-4 * count, 4 * count), np.tile(rows, 8))
    np.testing.assert_allclose(read, expected, atol=1e-12)


def test_weights_blend_the_rows_of_each_motion_at_its_own_offset():
    spans = RowSpans(np.array([0, 4]), np.array([4, 1]), np.array([0.25, 0.0]))
    rows = np.array([1.0, 2.0, 3.0, 4.0, 10.0])[None, None]
    weights = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    read = blend_rows(spans, rows, weights, np.array([0.5, 0.5, 0.5]))[0, 0]
    np.testing.assert_allclose(read, [2.0, 6.0, 10.0])


def test_leg_times_of_a_motion_meet_its_own_key_times():
    key_times = np.tile([0.1, 0.3, 0.8, 0.9], (5, 1))
    own = np.array([0.2, 0.35, 0.6, 0.7])
    share = np.array([0.0, 0.3, 0.55, 0.8, 1.0 - 1e-12])
    # Straight lines between the stance, the foot's leaving, its strike, and the next stance.
    expected = [0.0, 0.35, 0.475, 0.6, 1.0]
    np.testing.assert_allclose(warp_leg_times(share, key_times, own), expected, atol=1e-9)
    halves = warp_leg_times(np.array([0.15, 0.9]), key_times[:2], own)
    np.testing.assert_allclose(halves, [0.175, 0.8])


def pose(rig, motions, count=40):
    """Tables, weights and poses of the only walk over a cycle, at its own leg times."""
    tables = pack_motions(rig, motions)
    phases = np.linspace(0.0, 1.0, count, endpoint=False)
    weights = np.ones((count, 1))
    cycles = tables.leg_cycles
    leg_times = phases[:, None] - cycles.stances[0]
    keys = np.broadcast_to(cycles.key_times[0], (count, *cycles.key_times.shape[1:]))
    return tables, weights, pose_legs(tables, weights, phases, leg_times, keys)


@pytest.mark.parametrize("legs", [2, 4])
def test_a_body_turned_as_a_whole_turns_its_footbases(legs):
    tables, weights, poses = pose(*make_walker(legs=legs, rest=False))
    turn = 0.4
    yaw = rot.quaternions_from_yaws(turn)
    turned = replace(
        poses,
        rotations=rot.multiply(yaw, poses.rotations),
        positions=rot.rotate(yaw, poses.positions),
    )
    for leg in range(legs):
        bases, angles, twists = compute_leg_footbases(tables, leg, poses, weights)
        moved, same, further = compute_leg_footbases(tables, leg, turned, weights)
        length = tables.rig.leg_length
        np.testing.assert_allclose(same, angles, atol=1e-12)
        np.testing.assert_allclose(rot.wrap_angles(further - twists), turn, atol=1e-9)
        np.testing.assert_allclose(moved, rot.rotate(yaw, bases), atol=1e-9 * length)


def test_detached_feet_are_posed_at_the_time_of_their_leg():
    rig, motions = make_walker(rest=False)
    loose = detach_feet(rig, motions)
    _, _, expected = pose(rig, motions)
    tables, weights, _ = pose(*loose)
    cycles = tables.leg_cycles
    phases = np.linspace(0.0, 1.0, 40, endpoint=False)
    # The legs are asked for a tenth of a cycle after the common phase.
    leg_times = phases[:, None] - cycles.stances[0]
    keys = np.broadcast_to(cycles.key_times[0], (40, *cycles.key_times.shape[1:]))
    late = pose_legs(tables, weights, phases - 0.1, leg_times, keys)
    for leg in tables.small_rig.legs:
        shin, ankle = leg.joints[-2:]

        def measure(poses, shin=shin, ankle=ankle):
            away = poses.positions[:, ankle] - poses.positions[:, shin]
            return rot.rotate(rot.conjugate(poses.rotations[:, shin]), away)

        length = tables.rig.leg_length
        np.testing.assert_allclose(measure(late), measure(expected), atol=1e-3 * length)
