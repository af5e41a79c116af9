# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks with something overhead: ceilings, storeys, spiral stairs, a road over itself."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from semi_procedural_locomotion.api.setups import bake_set_up, set_up, write_travel
from semi_procedural_locomotion.demo.stage import create_line
from semi_procedural_locomotion.requests.travels import AlongCurve
from tests.meters import see_feet
from tests.scenes import add_mesh, add_person

FEET = [[f"{part}.{side}" for part in ("foot", "toe")] for side in "LR"]
RISE = 0.17


@pytest.fixture
def walker():
    """A person that is not set up yet, without any ground."""
    scene = bpy.context.scene
    armature = add_person()
    scene.frame_start, scene.frame_end = 1, 60
    return armature


def add_sheet(z, size=12.0):
    corners = [(-size, -size, z), (size, -size, z), (size, size, z), (-size, size, z)]
    return add_mesh("Sheet", corners, [(0, 1, 2, 3)])


def add_box(low, high):
    points = [
        (x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])
    ]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return add_mesh("Box", points, faces)


def add_spiral_stairs(count, around=14):
    """Thin treads about the z axis, so many in a turn; and the points of a way up them."""
    for number in range(count):
        angles = 2 * np.pi * (number + np.linspace(0.0, 1.0, 4)) / around
        points = [
            (radius * np.cos(a), radius * np.sin(a), z)
            for z in (RISE * (number + 1) - 0.05, RISE * (number + 1))
            for radius in (0.3, 2.0)
            for a in angles
        ]
        faces = [(i, i + 4, i + 5, i + 1) for i in range(3)]
        faces += [(i + 8, i + 9, i + 13, i + 12) for i in range(3)]
        faces += [(0, 8, 12, 4), (3, 7, 15, 11)]
        faces += [(i, i + 1, i + 9, i + 8) for i in range(3)]
        faces += [(i + 4, i + 12, i + 13, i + 5) for i in range(3)]
        add_mesh("Tread", points, faces)
    turn = 2 * np.pi * np.arange(4 * count) / (4 * around)
    climb = [(1.2 * np.cos(a), 1.2 * np.sin(a), RISE * i / 4) for i, a in enumerate(turn)]
    return [(1.2, -1.0, 0.0), *climb]


def walk(armature, along=False):
    bpy.context.view_layer.update()
    set_up(armature)
    if along:
        write_travel(armature, AlongCurve("Way"), "object")
    return bake_set_up(armature, bpy.context.scene)


def measure_lows(armature, frames, low=0.1):
    """Heights (F, 2) of the lowest evaluated vertex of each foot over what is next below it.

    What is more than ``low`` metres above a vertex is not what it stands on.
    """
    trees = []
    for item in bpy.context.scene.objects:
        if item.type == "MESH" and item.parent is None:
            world = np.array(item.matrix_world)
            points = np.array([v.co[:] for v in item.data.vertices]) @ world[:3, :3].T
            points += world[:3, 3]
            faces = [tuple(face.vertices) for face in item.data.polygons]
            trees.append(BVHTree.FromPolygons(points.tolist(), faces))
    feet = see_feet(armature, FEET, frames, lambda points: points[:, 2])
    lows = np.empty((len(frames), 2))
    for column, foot in enumerate(feet):
        lowest = np.argmin(foot.points[..., 2], axis=1)
        for row, vertex in enumerate(lowest):
            start = Vector(foot.points[row, vertex]) + Vector((0, 0, low))
            hits = [tree.ray_cast(start, (0, 0, -1))[3] for tree in trees]
            lows[row, column] = min(hit for hit in hits if hit is not None) - low
    return lows


@pytest.mark.parametrize("room", [("sheets", 1.2), ("box", 2.0), ("slabs", 4.0)], ids=str)
def test_a_room_is_walked_on_its_floor(walker, room):
    kind, height = room
    if kind == "sheets":
        add_sheet(0.0), add_sheet(height)
    elif kind == "box":
        add_box((-9, -9, 0), (9, 9, height))
    else:
        add_box((-9, -9, -0.3), (9, 9, 0))
        add_box((-9, -9, height), (9, 9, height + 0.3))
    result = walk(walker)
    assert result.report.shown_sink_worst < 0.006
    lows = measure_lows(walker, range(1, 61, 6))
    assert lows.min() > -0.01
    assert lows.min(axis=1).max() < 0.02
    assert walker.matrix_world.translation.z == pytest.approx(0.0, abs=0.05)


def test_upstairs_is_walked_on_for_who_stands_there(walker):
    for storey in (0.0, 2.8, 5.6):
        add_box((-9, -9, storey - 0.3), (9, 9, storey))
    walker.location.z = 2.8
    walk(walker)
    assert walker.matrix_world.translation.z == pytest.approx(2.8, abs=0.05)
    assert np.abs(measure_lows(walker, range(1, 61, 6)).min(axis=1)).max() < 0.02


@pytest.mark.newest
def test_a_spiral_stair_of_more_than_a_turn_is_walked_down(walker):
    add_sheet(0.0)
    points = add_spiral_stairs(16)
    create_line("Way", points[::-1], bpy.context.scene.collection)
    walker.location = points[-1]
    first, last = walk(walker, along=True).frames
    heights = []
    for frame in (first, last):
        bpy.context.scene.frame_set(frame)
        heights.append(walker.matrix_world.translation.z)
    assert heights == pytest.approx([16 * RISE, 0.0], abs=0.12)
    lows = measure_lows(walker, range(first, last, 12))
    assert lows.min() > -0.01
    # On two of the wedges a heel is over the edge.
    assert np.sort(lows.min(axis=1))[-3] < 0.03


@pytest.mark.newest
def test_a_road_goes_over_itself_far_from_the_origin(walker):
    far = 1e5
    turn = np.linspace(0.0, 2 * np.pi, 65)
    middle = np.stack([3.2 * np.sin(turn), 2 * np.sin(2 * turn), 1.3 * (1 - np.cos(turn))], 1)
    ahead = np.gradient(middle[:, :2], axis=0)
    aside = np.stack([-ahead[:, 1], ahead[:, 0], 0 * turn], 1)
    aside /= np.linalg.norm(aside, axis=1)[:, None]
    points = np.stack([middle - aside, middle + aside], 1).reshape(-1, 3)
    road = add_mesh("Road", points, [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(64)])
    line = create_line("Way", middle[:42], bpy.context.scene.collection)
    walker.location = middle[0]
    for item in (road, line, walker):
        item.location.x += far
    first, last = walk(walker, along=True).frames
    seen = []
    for frame in range(first, last + 1, 8):
        bpy.context.scene.frame_set(frame)
        seen.append(walker.matrix_world.translation[:])
    seen = np.array(seen) - [far, 0, 0]
    # Of the road's two heights where it crosses itself, always that of the curve.
    nearest = np.argmin(
        np.linalg.norm(seen[:, None] - middle, axis=2)
        + 9.0 * np.abs(seen[:, None, 2] - middle[:, 2]),
        axis=1,
    )
    assert np.all(np.diff(nearest) >= 0)
    assert np.abs(seen[:, 2] - middle[nearest, 2]).max() < 0.15
    assert nearest[-1] >= 39
