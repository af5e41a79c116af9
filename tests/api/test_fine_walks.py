# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks that are fine are told nothing of: up usual stairs, along bends, on a lift."""

from __future__ import annotations

import bpy
import pytest

from semi_procedural_locomotion.api.setups import bake_set_up, set_up, write_travel
from semi_procedural_locomotion.demo.stage import create_line
from semi_procedural_locomotion.requests.travels import AlongCurve
from tests.meters import find_stands, measure_float, mesh_heights, see_feet
from tests.scenes import add_mesh, add_person

pytestmark = pytest.mark.newest

# Share of the leg above the ground that nobody sees.
BAR = 0.015
FEET = [[f"{part}.{side}" for part in ("foot", "toe")] for side in "LR"]


@pytest.fixture
def walker():
    """A person that is not set up yet, without any ground."""
    return add_person()


def add_profile(profile):
    """Ground as wide as a hall along points of -Y and z, where the character faces."""
    points = [(side, -along, z) for along, z in profile for side in (-6.0, 6.0)]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(profile) - 1)]
    return add_mesh("Ground", points, faces)


@pytest.mark.parametrize(("run", "rise"), [(0.3, 0.17), (0.28, 0.18)])
def test_up_usual_stairs(walker, run, rise):
    profile = [(-3.0, 0.0), (2.0, 0.0)]
    for number in range(8):
        profile += [(2.0 + number * run, (number + 1) * rise)]
        profile += [(2.0 + (number + 1) * run, (number + 1) * rise)]
    ground = add_profile([*profile, (20.0, 8 * rise)])
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 90
    set_up(walker)
    report = bake_set_up(walker, scene).report
    assert walker.locomotion.report.warnings == ""
    assert report.shown_float_p99 < BAR
    feet = see_feet(walker, FEET, range(1, 91), mesh_heights(ground))
    stands = find_stands(feet, report.leg_length, scene.render.fps)
    assert measure_float(feet, stands) < BAR * report.leg_length


def test_along_a_way_with_bends(walker):
    add_profile([(-9.0, 0.0), (20.0, 0.0)])
    create_line(
        "Way", [(0, 0, 0), (0, -3, 0), (1, -4, 0), (4, -4, 0)], bpy.context.scene.collection
    )
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 200
    set_up(walker)
    write_travel(walker, AlongCurve(curve="Way"), "object")
    bake_set_up(walker, scene)
    assert walker.locomotion.report.warnings == ""


@pytest.mark.parametrize("height", [2.71, -4.0])
def test_waiting_on_a_lift(walker, height):
    add_profile([(-9.0, -20.0), (20.0, -20.0)])
    points = [(-2.0, -6.0, 0.0), (2.0, -6.0, 0.0), (2.0, 2.0, 0.0), (-2.0, 2.0, 0.0)]
    lift = add_mesh("Lift", points, [(0, 1, 2, 3)])
    lift.keyframe_insert("location", frame=20)
    lift.location.z = height
    lift.keyframe_insert("location", frame=80)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 150
    scene.frame_set(1)
    set_up(walker)
    walker.parent = lift
    for frame, along in ((1, 0.0), (90, 0.0), (150, -3.0)):
        walker.location = (0.0, along, 0.0)
        walker.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    walker.locomotion.travel.source = "OBJECT"
    bake_set_up(walker, scene)
    assert walker.locomotion.report.warnings == ""
    scene.frame_set(85)
    assert walker.matrix_world.translation.z == pytest.approx(height, abs=1e-3)
