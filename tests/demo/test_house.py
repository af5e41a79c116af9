# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A house of three storeys, walked up and down from one job and seen in the evaluated scene."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Vector
from mathutils.bvhtree import BVHTree

from benchmarks.house import (
    STOREY,
    WAY_NAME,
    create_house,
    make_house,
    make_way,
)
from semi_procedural_locomotion.api import bake_job
from semi_procedural_locomotion.jobs.reading import read_job
from tests import meters

pytestmark = pytest.mark.newest
# What a foot stands on is looked for from so far above its lowest vertex on, metres.
ABOVE = 0.12
JOB = f"""
output = "baked.blend"
[[character]]
blend = "house.blend"
[character.travel]
curve = "{WAY_NAME}"
"""


@pytest.fixture
def walk(tmp_path):
    """The baked person, its frames and the points of its way."""
    create_house(bpy.context.scene.collection)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "house.blend"))
    job = tmp_path / "house.toml"
    job.write_text(JOB, encoding="utf-8")
    report = bake_job(read_job(job), tmp_path / "baked.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "baked.blend"))
    (armature,) = (item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    return armature, report, make_way()


def find_floors():
    """Heights over the highest surface not far above points: the floor that a foot is on.

    Below it, the shortest way out counts: a heel that grazes a riser is not as deep as its edge is high.
    """
    corners, faces = [], []
    for mesh in make_house().values():
        faces += [tuple(len(corners) + i for i in face) for face in mesh.triangles.tolist()]
        corners += mesh.vertices.tolist()
    tree = BVHTree.FromPolygons(corners, faces)

    def find_height(place):
        start = Vector(place) + Vector((0.0, 0.0, ABOVE))
        distance = tree.ray_cast(start, Vector((0.0, 0.0, -1.0)))[3]
        if distance is None:
            return np.inf
        return distance - ABOVE if distance >= ABOVE else -tree.find_nearest(Vector(place))[3]

    return lambda points: np.array([find_height(place) for place in points])


def test_no_foot_leaves_its_floor(walk):
    armature, report, way = walk
    (entry,) = report["characters"]
    assert not [text for text in entry["warnings"] if "too short" in text]
    assert not [text for text in entry["warnings"] if "no ground" in text]
    length = entry["leg_length"]
    seen = meters.see_feet(
        armature,
        [["foot.L", "toe.L"], ["foot.R", "toe.R"]],
        range(1, entry["frames"] + 1),
        find_floors(),
    )
    stands = meters.find_stands(seen, length, 24.0)
    assert meters.measure_hover(seen) < 0.01 * length
    assert meters.measure_float(seen, stands) < 0.01 * length
    # A foot that turns while it leaves a landing grazes its edge.
    assert meters.measure_sink(seen) < 0.032 * length
    assert meters.measure_slip(seen, stands, 0.005 * length) < 0.005 * length
    # The storey is that of the way; heights count half, as feet are lifted.
    for foot in seen:
        middles = foot.points.mean(axis=1)
        apart = np.linalg.norm((middles[:, None] - way) * [1.0, 1.0, 0.5], axis=-1)
        assert apart.min(axis=1).max() < 0.5
    assert np.ptp(seen[0].points[:, :, 2]) > 2.0 * STOREY
