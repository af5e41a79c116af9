# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk that travels by its hips, or in part by its root, is set up and baked like one in place."""

from __future__ import annotations

import json

import pytest

bpy = pytest.importorskip("bpy")

import numpy as np
from mathutils import Vector

from semi_procedural_locomotion.api.setups import bake_set_up, set_up
from semi_procedural_locomotion.blender import versions
from tests.scenes import add_person

pytestmark = pytest.mark.newest


def _add_travel(armature, action, bone, step):
    """Let a bone of an action go by a step each frame, armature space."""
    bag = versions.get_channelbag(action, versions.find_slot(action, armature))
    path = armature.pose.bones[bone].path_from_id("location")
    first, last = action.frame_range
    own = armature.data.bones[bone].matrix_local.to_3x3().inverted() @ Vector(step)
    curves = {c.array_index: c for c in bag.fcurves if c.data_path == path}
    for index in range(3):
        curve = curves.get(index) or versions.add_curve(bag, path, index, bone)
        before = [curve.evaluate(frame) for frame in np.arange(first, last + 1)]
        while len(curve.keyframe_points):
            curve.keyframe_points.remove(curve.keyframe_points[0])
        for number, value in enumerate(before):
            curve.keyframe_points.insert(first + number, value + number * own[index])


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_hips_that_walk_away_from_their_root_walk(share):
    armature = add_person()
    set_up(armature)
    entry = armature.locomotion.motions[0]
    walk, speed, period = entry.action, entry.speed, entry.period
    scene = bpy.context.scene
    step = speed / (scene.render.fps / scene.render.fps_base)
    if share:
        _add_travel(armature, walk, "root", (0.0, -share * step, 0.0))
    _add_travel(armature, walk, "hips", (0.0, -(1.0 - share) * step, 0.0))
    set_up(armature)
    entry = next(e for e in armature.locomotion.motions if e.action == walk)
    assert (entry.enabled, entry.found_kind) == (True, "cycle")
    assert entry.speed == pytest.approx(speed, rel=0.02)
    assert entry.period == pytest.approx(period, rel=1e-3)
    scene.frame_start, scene.frame_end = 1, 60
    bake_set_up(armature, scene)
    report = json.loads(armature.locomotion.report.values)
    assert report["shown_off_plan"] < 1e-4
    assert report["shown_slip_worst"] < 0.01
    assert report["shown_hip_jerk_ratio"] < 3.0
