# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that is chosen and not there, in whole or in part: told in words, the rest of it is used."""

from __future__ import annotations

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.errors import GroundError
from tests.meters import find_stands, measure_float, measure_sink, see_feet
from tests.scenes import add_mesh, add_person

pytestmark = pytest.mark.newest

LEG = 0.817
FEET = (("foot.L", "toe.L"), ("foot.R", "toe.R"))


@pytest.fixture
def ready():
    """The project's person, set up; it walks along -y from the origin."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 60
    return add_person(is_set_up=True)


def add_grid(name="Floor", height=0.0, size=8.0, count=33):
    """A level grid of squares."""
    axis = np.linspace(-size, size, count)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    points = np.stack([x, y, np.full_like(x, height)], -1).reshape(-1, 3)
    first = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    faces = np.stack([first, first + count, first + count + 1, first + 1], 1)
    return add_mesh(name, points, faces.tolist())


def add_walls():
    """Three sheets that stand upright across the way."""
    return [
        add_mesh("Wall", [(-9, -k, 0), (9, -k, 0), (9, -k, 5), (-9, -k, 5)], [(0, 1, 2, 3)])
        for k in range(1, 4)
    ]


def bake_on(armature, *ground):
    """Bake on chosen objects, or on all meshes, and give what is told."""
    if ground:
        setups.write_ground(armature, list(ground))
    bpy.context.view_layer.update()
    result = api.bake_set_up(armature, bpy.context.scene)
    return result, "\n".join(result.warnings)


def measure_ground(armature, heights):
    """Worst sink and float of the evaluated feet, shares of the leg."""
    feet = see_feet(armature, FEET, range(1, 61), heights)
    stands = find_stands(feet, LEG, 24.0)
    return measure_sink(feet) / LEG, measure_float(feet, stands) / LEG


def test_chosen_ground_that_lies_elsewhere_is_refused_with_its_distance(ready):
    far = add_grid("Far")
    far.location = (500.0, 0.0, 0.0)
    with pytest.raises(
        GroundError, match=r"'Far'\) lies nowhere under the way.* 49[0-9] m beside it"
    ) as told:
        bake_on(ready, far)
    assert "`ground`" in told.value.job_text
    assert ready.locomotion.report.warnings == ""


def test_walls_alone_are_refused_as_ground(ready):
    with pytest.raises(GroundError, match=r"has no face under the way .* walls are no ground"):
        bake_on(ready, *add_walls())


@pytest.mark.parametrize("scale", [(0, 0, 0), (0, 1, 1)])
def test_ground_scaled_to_nothing_is_told(ready, scale):
    zero = add_grid("Zero")
    zero.scale = scale
    with pytest.raises(GroundError, match="'Zero' is scaled to nothing"):
        bake_on(ready, zero)
    _, warnings = bake_on(ready, zero, add_grid("Floor", 0.2))
    assert "'Zero' is scaled to nothing" in warnings


def test_ground_pressed_flat_is_ground(ready):
    pressed = add_grid("Pressed", height=0.7)
    pressed.scale.z, pressed.location.z = 0.0, 0.15
    bake_on(ready, pressed)
    sink, hover = measure_ground(ready, lambda points: points[:, 2] - 0.15)
    assert sink < 0.006
    assert hover < 0.015


def test_a_vertex_without_a_place_costs_its_own_faces_alone(ready):
    floor = add_grid(height=0.1)
    for vertex, value in ((0, math.nan), (20, math.inf), (33 * 32, 1e30)):
        floor.data.vertices[vertex].co = (value, value, value)
    floor.data.update()
    _, warnings = bake_on(ready, floor)
    assert "'Floor' has 3 vertices whose places are no numbers" in warnings
    assert "finds no ground" not in warnings
    sink, hover = measure_ground(ready, lambda points: points[:, 2] - 0.1)
    assert sink < 0.006
    assert hover < 0.015


def test_a_broken_mesh_among_all_is_told_where_a_plane_stands_in(ready):
    floor = add_mesh("Sheet", [(-9, -9, 0), (9, -9, 0), (9, 9, math.nan)], [(0, 1, 2)])
    floor.data.update()
    _, warnings = bake_on(ready)
    assert "'Sheet' has 1 vertex whose place is no number" in warnings


def test_an_object_without_a_place_is_told(ready):
    lost = add_grid("Lost")
    lost.location.x = math.nan
    with pytest.raises(GroundError, match="'Lost' has no place"):
        bake_on(ready, lost)
    _, warnings = bake_on(ready, lost, add_grid("Floor", 0.2))
    assert "'Lost' has no place" in warnings


def test_stones_that_coarse_looks_miss_are_ground(ready):
    stones = []
    for k in range(40):
        x, y = (0.08 if k % 2 else -0.08), -0.1 - 0.12 * k
        corners = [
            (x - 0.07, y - 0.055),
            (x + 0.07, y - 0.055),
            (x + 0.07, y + 0.055),
            (x - 0.07, y + 0.055),
        ]
        stones.append(add_mesh("Stone", [(*c, 0.02) for c in corners], [(0, 1, 2, 3)]))
    result, _ = bake_on(ready, *stones)
    assert len(result.plan.ground) == 40


def test_a_lift_that_comes_under_the_way_later_is_no_missing_ground(ready):
    tray = add_grid("Tray", size=1.3, count=3)
    for frame, x in ((1, 3.5), (60, 0.0)):
        tray.location.x = x
        tray.keyframe_insert("location", frame=frame)
    result, _ = bake_on(ready, tray)
    assert len(result.plan.ground) == 1
