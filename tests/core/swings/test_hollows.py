# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that roll where the ground falls away under their print."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround, MeshGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.metrics import measure_walk
from semi_procedural_locomotion.core.report.recording import record_walk
from semi_procedural_locomotion.core.swings.hollows import fade_drops, measure_hollows
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from semi_procedural_locomotion.demo.terrain_shapes import make_bumps
from tests.core.walkers import facing_of, make_walker, native_walk


def make_step_ground(edge, drop):
    """Level at 0 up to y = edge, and lower by a drop beyond it."""
    far = 50.0
    vertices = np.array(
        [
            [-far, -far, 0.0], [far, -far, 0.0], [far, edge, 0.0], [-far, edge, 0.0],
            [-far, edge, -drop], [far, edge, -drop], [far, far, -drop], [-far, far, -drop],
        ]
    )  # fmt: skip
    triangles = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])
    return MeshGround(vertices, triangles)


def walk_on(ground, strides=6):
    rig, motions = make_walker()
    walk = native_walk(motions)
    heading = facing_of(walk)
    ahead = np.array([np.cos(heading), np.sin(heading)])
    travel = travel_from_points(
        np.stack([np.zeros(2), ahead * strides * walk.stride]),
        walk.speed,
        WayChoices(facing=heading, corner_radius=0.0, ramp_time=1.0),
    )
    return make_plan(rig, motions, travel, ground)


def place_prints(plan, leg, middle, pitch=0.0):
    """The plan's prints with all of one leg's under one place, tilted by a pitch."""
    row = plan.prints.rows[leg]
    frame = rot.multiply(
        rot.quaternions_from_yaws(0.5 * np.pi),
        rot.quaternions_from_axis_angles(np.array([0.0, 1.0, 0.0]), -pitch),
    )
    length = float(plan.tables.rig.foot_lengths[leg])
    heel = np.array(middle) - rot.rotate(frame, np.array([0.5 * length, 0.0, 0.0]))
    count = len(row.times)
    placed = replace(
        row,
        positions=np.tile(heel, (count, 1)),
        frames=np.tile(frame, (count, 1)),
        normals=np.tile(rot.rotate(frame, rot.UP), (count, 1)),
    )
    rows = list(plan.prints.rows)
    rows[leg] = placed
    return replace(plan.prints, rows=tuple(rows))


def test_level_ground_has_no_hollows():
    plan = walk_on(FlatGround())
    assert measure_hollows(plan.tables.small_rig, plan.prints, FlatGround()) == (None, None)
    assert all(leg.hollows is None and leg.drops is None for leg in plan.swings)


def test_a_print_over_an_edge_is_hollow_beyond_it():
    plan = walk_on(FlatGround())
    ground = make_step_ground(edge=0.0, drop=0.08)
    prints = place_prints(plan, 0, (0.0, 0.0, 0.0))
    depths = measure_hollows(plan.tables.small_rig, prints, ground)[0]
    middle = depths.shape[1] // 2
    assert np.all(depths[:, : middle - 1] == 0.0)
    assert np.allclose(depths[:, middle + 3 :], 0.08)


@pytest.mark.parametrize("pitch", [0.3, -0.3])
def test_hollows_of_tilted_prints_are_square_to_them_and_never_too_deep(pitch):
    plan = walk_on(FlatGround())
    length = float(plan.tables.rig.foot_lengths[0])
    # The middle of the sole is where its lower end just touches.
    height = 0.5 * length * np.sin(abs(pitch))
    prints = place_prints(plan, 0, (0.0, 0.0, height), pitch)
    depths = measure_hollows(plan.tables.small_rig, prints, FlatGround())[0][0]
    along = np.linspace(-0.125, 1.125, len(depths)) * length
    rise = np.sin(pitch) * (along - 0.5 * length) + height
    assert np.all(depths <= np.maximum(rise, 0.0) * np.cos(pitch) + 1e-9)
    upper = depths[-1 - len(depths) // 8] if pitch > 0 else depths[len(depths) // 8]
    assert upper > 0.7 * 2.0 * height * np.cos(pitch)


def test_feet_on_bumps_are_let_down_until_they_touch():
    rig, motions = make_walker()
    mesh = make_bumps(rig.leg_length, native_walk(motions).stride, 0.0)
    plan = walk_on(MeshGround(mesh.vertices, mesh.triangles), strides=8)
    frames = np.arange(int(plan.travel.end * 30))

    def measure(plan):
        solved = solve_poses(plan, frames / 30.0)
        record = record_walk(plan, solved, frames)
        return measure_walk(plan.tables.small_rig, record, plan.ground)

    report = measure(plan)
    rigid = tuple(replace(leg, hollows=None, drops=None) for leg in plan.swings)
    without = measure(replace(plan, swings=rigid))
    assert without.float_p99 > 0.015
    assert report.float_p99 < 0.5 * without.float_p99
    assert report.sink_worst < 0.004
    assert report.slide_worst == pytest.approx(without.slide_worst, abs=1e-3)


def test_drops_fade_from_foot_off_and_into_strike():
    flight = np.array([0.0, 0.1, 0.5, 0.9, 1.0])
    drops = fade_drops(flight, np.tile([0.02, 0.05], (5, 1)))
    assert drops[[0, 2, 4]] == pytest.approx([0.02, 0.0, 0.05])
    assert 0.0 < drops[1] < 0.02
    assert 0.0 < drops[3] < 0.05


def test_a_foot_over_an_edge_is_in_no_hollow():
    plan = walk_on(FlatGround())
    ground = make_step_ground(edge=0.0, drop=5.0)
    prints = place_prints(plan, 0, (0.0, 0.0, 0.0))
    assert measure_hollows(plan.tables.small_rig, prints, ground)[0] is None
