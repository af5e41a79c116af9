# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of a walk that are muted, locked or deleted by hand stay so, and it is told."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from tests.scenes import add_person, bake_again

# Curves of a foot's, of the trunk's and of all places.
LEFT = ("toe.L", "spine", "location")


@pytest.fixture
def walker():
    """The project's person, baked, in a short scene."""
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 40
    armature.locomotion.travel.use_native_speed = False
    armature.locomotion.travel.speed = 1.2
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    yield armature
    watching.put_back_all(forget=True)
    live_handlers.install()


def find_curves(armature, text):
    """Curves of the bake whose paths hold a text."""
    curves = versions.get_curves(*versions.get_assigned_action(armature))
    return [curve for curve in curves if text in curve.data_path]


def delete_curves(armature, text):
    """Delete curves of the bake."""
    bag = versions.get_channelbag(*versions.get_assigned_action(armature))
    for curve in find_curves(armature, text):
        bag.fcurves.remove(curve)


def read_values(curves):
    """Values of all keys."""
    return [[key.co.y for key in curve.keyframe_points] for curve in curves]


@pytest.mark.parametrize("choice", ["mute", "lock"])
def test_muted_and_locked_curves_stay_so_with_the_keys_of_the_new_walk(walker, choice):
    chosen = [curve for text in LEFT for curve in find_curves(walker, text)]
    paths = {curve.data_path for curve in chosen}
    for curve in chosen:
        setattr(curve, choice, True)
    before = read_values(find_curves(walker, "location"))
    for _ in range(2):
        bake_again(walker)
        for curve in find_curves(walker, ""):
            assert getattr(curve, choice) == (curve.data_path in paths)
    assert read_values(find_curves(walker, "location")) != before
    assert ("muted or deleted by hand" in walker.locomotion.report.warnings) == (choice == "mute")
    assert not any(
        getattr(c, {"mute": "lock"}.get(choice, "mute")) for c in find_curves(walker, "")
    )


def test_deleted_curves_stay_deleted_until_edits_are_given_up(walker):
    counts = {text: len(find_curves(walker, text)) for text in LEFT}
    assert all(counts.values())
    for text in LEFT:
        delete_curves(walker, text)
    for _ in range(2):
        bake_again(walker)
        assert not [curve for text in LEFT for curve in find_curves(walker, text)]
        assert "deleted by hand" in walker.locomotion.report.warnings
    walker.locomotion.settings.keep_edits = False
    bake_again(walker)
    assert {text: len(find_curves(walker, text)) for text in LEFT} == counts
    assert "deleted by hand" not in walker.locomotion.report.warnings


def test_a_walk_of_which_all_is_deleted_is_written_anew(walker):
    count = len(find_curves(walker, ""))
    delete_curves(walker, "")
    bake_again(walker)
    assert len(find_curves(walker, "")) == count


def test_a_deleted_curve_shows_neither_the_walk_nor_the_action_before():
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 40
    armature.animation_data_create().action = bpy.data.actions.new("Mine")
    foot = armature.pose.bones["foot.L"]
    for frame in (1, 60):
        foot.keyframe_insert(
            f"rotation_{'quaternion' if foot.rotation_mode == 'QUATERNION' else 'euler'}",
            frame=frame,
        )
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    delete_curves(armature, "foot.L")
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not find_curves(armature, "foot.L")
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert armature.animation_data.action.name == "Mine"
    assert find_curves(armature, "foot.L")


def test_live_and_auto_bake_mute_no_curve_for_good(walker):
    for curve in find_curves(walker, "toe.L"):
        curve.mute = True
    bpy.ops.anim.locomotion_live(action="ON")
    bpy.ops.anim.locomotion_auto_bake(action="ON")
    for _ in range(2):
        walker.locomotion.travel.speed *= 0.9
        watching.refresh()
    bpy.ops.anim.locomotion_live(action="OFF")
    bpy.ops.anim.locomotion_auto_bake(action="OFF")
    assert {c.data_path for c in find_curves(walker, "") if c.mute} == {
        c.data_path for c in find_curves(walker, "toe.L")
    }


def test_remove_takes_all_away_after_curves_were_deleted(walker):
    delete_curves(walker, "foot.L")
    bake_again(walker)
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert walker.animation_data.action is None
    assert walker.locomotion.bake is None
