# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Analyses kept on actions, and known when they are stale."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.setup.analyses import (
    KeptMotions,
    read_analysis,
    read_motion,
    store_analysis,
    store_motion,
)
from semi_procedural_locomotion.blender.setup.rigs import read_rig, write_rig
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from tests.blender.rigs import make_armature
from tests.blender.setup.test_properties import make_rig

DATA = {
    "kind": "cycle",
    "speed": 1.25,
    "rows": 3,
    "closed": True,
    "reason": None,
    "table": np.arange(24.0).reshape(2, 3, 4),
    "counts": np.array([1, 2, 3]),
    "empty": np.empty((0, 3)),
    "warnings": ["a", "b"],
    "nothing": [],
    "legs": [{"stance": np.float64(0.25), "name": "Left"}, {"stance": 0.75, "name": "Right"}],
}


def assert_same(a, b):
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, list):
        assert len(a) == len(b)
        for one, two in zip(a, b, strict=True):
            assert_same(one, two)
    elif isinstance(a, np.ndarray):
        assert a.shape == b.shape
        assert np.array_equal(a, b)
    else:
        assert a == b


@pytest.fixture
def walk():
    armature = make_armature("Hero")
    for frame in (1, 9):
        armature.pose.bones[0].location.x = frame
        armature.pose.bones[0].keyframe_insert("location", frame=frame)
    return armature, armature.animation_data.action, make_rig(armature)


def test_results_come_back_also_after_saving(walk, tmp_path):
    armature, action, rig = walk
    write_rig(armature, rig)
    store_analysis(armature, action, read_rig(armature, read_skeleton(armature)), DATA)
    path = str(tmp_path / "hero.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Hero"]
    rig = read_rig(armature, read_skeleton(armature))
    assert_same(DATA, read_analysis(armature, armature.animation_data.action, rig))


def test_edited_curves_rigs_and_rates_make_results_stale(walk):
    armature, action, rig = walk
    write_rig(armature, rig)

    def stored():
        rig = read_rig(armature, read_skeleton(armature))
        return read_analysis(armature, action, rig) is not None

    def store():
        store_analysis(armature, action, read_rig(armature, read_skeleton(armature)), DATA)
        assert stored()

    assert not stored()
    store()
    armature.location.x, armature.rotation_euler.z = 5, 2
    bpy.context.view_layer.update()
    assert stored()
    curve = versions.get_curves(action, versions.find_slot(action, armature))[0]
    curve.keyframe_points[0].co.y += 0.1
    assert not stored()
    store()
    armature.locomotion.legs[0].heel.offset.x += 0.1
    assert not stored()
    store()
    bpy.context.scene.render.fps = 30
    assert not stored()


def test_one_action_serves_many_rigs(walk):
    armature, action, rig = walk
    store_analysis(armature, action, rig, {"speed": 1.0})
    twin = make_armature("Twin", length=5)
    other = make_rig(twin)
    store_analysis(twin, action, other, {"speed": 2.0})
    assert read_analysis(armature, action, rig) == {"speed": 1.0}
    assert read_analysis(twin, action, other) == {"speed": 2.0}


def test_motions_come_back_whole_in_place_of_others(walk):
    armature, action, rig = walk
    store_analysis(armature, action, rig, {"speed": 1.0})
    for key, motion in (("first", b"ab\0cd"), ("second", b"x\0yz\0"), ("third", b"p\0qrstu")):
        kept = KeptMotions(armature, [action], rig)
        store_motion(armature, action, rig, key, motion)
        assert read_motion(armature, action, rig, key) == motion
    kept.put_back()
    assert read_motion(armature, action, rig, "third") is None
    assert read_motion(armature, action, rig, "second") == b"x\0yz\0"


def test_results_of_linked_actions_are_kept_on_the_object(walk, tmp_path):
    _, action, _ = walk
    name, library = action.name, str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.actions = [name]
    linked = wanted.actions[0]
    armature = make_armature("Hero")
    rig = make_rig(armature)
    store_analysis(armature, linked, rig, DATA)
    assert_same(DATA, read_analysis(armature, linked, rig))
