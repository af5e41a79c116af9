# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of characters and of scenes, and characters of nearly the same name."""

from __future__ import annotations

import json

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import files, watching
from semi_procedural_locomotion.blender import versions
from tests.scenes import lend_person, read_poses, select_only


@pytest.fixture
def walker():
    """The project's person, set up, in a short scene."""
    yield from lend_person(40)


def copy_object(armature):
    """A duplicate with actions of its own."""
    copy = armature.copy()
    copy.animation_data.action = armature.animation_data.action.copy()
    versions.assign_action(
        copy, copy.animation_data.action, versions.get_assigned_action(armature)[1]
    )
    bpy.context.scene.collection.objects.link(copy)
    return copy


def copy_scene(armature):
    """The character of a full copy of the scene."""
    first = bpy.context.scene
    bpy.ops.scene.new(type="FULL_COPY")
    second = bpy.context.scene
    bpy.context.window.scene = first
    (copy,) = [o for o in second.objects if o.type == "ARMATURE"]
    first.collection.objects.link(copy)
    return copy


@pytest.mark.parametrize(
    ("make", "end"),
    [(copy_object, "switch"), (copy_scene, "refresh"), (copy_object, "switch copy")],
)
def test_a_copy_of_a_live_character_plays_its_walk(walker, make, end):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    baked = read_poses(walker)
    assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
    copy = make(walker)
    if end == "refresh":
        watching.refresh()
    else:
        select_only(copy if end == "switch copy" else walker)
        assert bpy.ops.anim.locomotion_live(action="OFF") == {"FINISHED"}
    assert np.allclose(read_poses(copy), baked, atol=1e-5)
    assert np.allclose(read_poses(walker), baked, atol=1e-5)
    curves = versions.get_curves(*versions.get_assigned_action(copy))
    assert not any(curve.mute for curve in curves)
    select_only(copy)
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert np.allclose(read_poses(walker), baked, atol=1e-5)
    watching.stop_live(walker)
    assert np.allclose(read_poses(walker), baked, atol=1e-5)


def test_a_live_character_goes_on_beside_its_copy(walker):
    assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
    shown = read_poses(walker)
    copy = copy_object(walker)
    watching.refresh()
    assert watching.find_watch(walker).live
    assert np.allclose(read_poses(walker), shown, atol=1e-5)
    assert copy.locomotion.bake is None
    assert bpy.ops.anim.locomotion_live(action="OFF") == {"FINISHED"}
    assert walker.animation_data.action is None


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_deleted_character_leaves_the_file_when_it_is_saved(walker, is_kept, tmp_path):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert bpy.ops.object.footsteps_from_plan() == {"FINISHED"}
    steps = {item.name for item in walker.locomotion.footsteps.all_objects}
    name, bake = walker.name, walker.animation_data.action.name
    walker.use_fake_user = is_kept
    select_only(walker)
    bpy.ops.object.delete()
    for _ in range(2):
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "deleted.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "deleted.blend"))
    assert (name in bpy.data.objects) == is_kept
    assert (bake in bpy.data.actions) == is_kept
    assert steps <= {item.name for item in bpy.context.scene.objects}
    select_only(bpy.data.objects[min(steps)])
    assert bpy.ops.object.footsteps_clear() == {"FINISHED"}
    assert not steps & {item.name for item in bpy.data.objects}


def test_another_scene_with_the_same_character_is_told(walker):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert "other scene" not in walker.locomotion.report.warnings
    other = bpy.data.scenes.new("Second Shot")
    other.collection.objects.link(walker)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert "1 other scene has the character too, 'Second Shot' first" in (
        walker.locomotion.report.warnings
    )


def test_plots_of_characters_of_nearly_the_same_name_lie_beside_each_other(walker, tmp_path):
    walker.name = "Hero.001"
    others = [walker.copy() for _ in range(2)]
    for other, name in zip(others, ("Hero_001", "hero_001"), strict=True):
        other.name = name
        bpy.context.scene.collection.objects.link(other)
    for armature in (walker, *others):
        select_only(armature)
        assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "two.blend"))
    report = files.report_file(tmp_path / "two.blend", tmp_path)
    plots = [name for character in report["characters"] for name in character["plots"]]
    assert len({name.casefold() for name in plots}) == len(plots)
    for character in report["characters"]:
        assert character["name"] in (tmp_path / character["plots"][0]).read_text(encoding="utf-8")
    assert json.dumps(report)
