# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that are renamed after a bake: the walk is taken off them too, or they are named."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender import versions
from tests.scenes import lend_person, read_poses, select_only


@pytest.fixture
def walker():
    """The project's person, set up, in a short scene."""
    yield from lend_person(40)


def list_curves(armature):
    """Paths of the curves that play."""
    curves = versions.get_curves(*versions.get_assigned_action(armature))
    return {curve.data_path for curve in curves}


def rename(armature, **names):
    """Rename bones, by names whose points are underscores."""
    for old, new in names.items():
        armature.data.bones[old.replace("_", ".")].name = new


@pytest.mark.parametrize(
    ("names", "has_action"),
    [
        ({"spine": "Ruecken", "thigh_L": "a", "shin_L": 'b"c', "foot_L": "c"}, False),
        ({"toe_L": "Zeh.L", "toe_R": "Zeh.R", "foot_R": "Fuss.R"}, True),
    ],
)
def test_remove_takes_the_walk_off_renamed_bones(walker, names, has_action):
    if has_action:
        walker.animation_data_create().action = bpy.data.actions.new("Mine")
        walker["mood"] = 1.0
        walker.keyframe_insert('["mood"]', frame=3)
    before, curves = read_poses(walker), list_curves(walker) if has_action else set()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    bpy.context.scene.frame_set(20)
    rename(walker, **names)
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert np.allclose(read_poses(walker), before, atol=1e-5)
    action = versions.get_assigned_action(walker)[0]
    assert (None if action is None else action.name) == ("Mine" if has_action else None)
    assert (list_curves(walker) if has_action else set()) == curves


def test_a_bake_after_a_renaming_hands_no_walk_back_as_keys_by_hand(walker):
    before = read_poses(walker)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    rename(walker, head="Kopf")
    with pytest.raises(RuntimeError, match=r"'Kopf' of 'Walker' was 'head'.*give it its old name"):
        bpy.ops.anim.locomotion_bake()
    # Blender renames bones in actions alone that play.
    for motion in (bpy.data.actions["Walker Walk"], bpy.data.actions["Walker Rest"]):
        for curve in versions.get_curves(motion, versions.list_slots(motion)[0]):
            curve.data_path = curve.data_path.replace('"head"', '"Kopf"')
    walker.locomotion.travel.use_native_speed = False
    walker.locomotion.travel.speed = 1.1
    for operator in (bpy.ops.anim.locomotion_setup, bpy.ops.anim.locomotion_bake):
        assert operator() == {"FINISHED"}
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert walker.animation_data.action is None
    assert np.allclose(read_poses(walker), before, atol=1e-5)


def test_keys_by_hand_on_a_renamed_bone_come_back(walker):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    rename(walker, foot_L="Fuss")
    foot = walker.pose.bones["Fuss"]
    foot.scale = (1.5, 1.5, 1.5)
    foot.keyframe_insert("scale", frame=7)
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert list_curves(walker) == {'pose.bones["Fuss"].scale'}


def test_live_over_a_bake_unmutes_renamed_bones(walker):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    before = read_poses(walker)
    assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
    rename(walker, foot_L="Fuss")
    assert bpy.ops.anim.locomotion_live(action="OFF") == {"FINISHED"}
    curves = versions.get_curves(*versions.get_assigned_action(walker))
    assert not any(curve.mute for curve in curves)
    assert np.allclose(read_poses(walker), before, atol=1e-5)


def test_bones_that_are_gone_are_named(walker, capfd):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    select_only(walker)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = walker.data.edit_bones
    bones.remove(bones["toe.L"])
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert "bones that the bake has posed are gone: 'toe.L'" in capfd.readouterr().out
