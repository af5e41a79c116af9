# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks that are baked again at every change, with the result of a full bake."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake import writing as bake_action
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.blender.values.key_tables import write_key_table
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from tests.scenes import add_person


@pytest.fixture
def walker():
    """The project's person, set up, selected and active."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 40
    scene.frame_set(1)
    yield armature
    watching.put_back_all(forget=True)
    live_handlers.install()


def test_a_range_that_is_baked_by_hand_stays_until_something_changes(walker):
    auto_bake()
    assert bpy.ops.anim.locomotion_bake(use_range=True, frame_start=30, frame_end=60) == {
        "FINISHED"
    }
    # As the panel of the last operation does: an undo, and the operator again.
    for _ in range(2):
        watching.adopt_states()
        watching.refresh({walker.session_uid})
        assert find_bake(walker).frame_range[1] == 60
    walker.locomotion.settings.swing_margin = 0.2
    watching.refresh()
    assert find_bake(walker).frame_range[1] == 40


def add_plate(height=0.0):
    """A plate to walk on."""
    mesh = bpy.data.meshes.new("Plate")
    corners = [(-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    plate = bpy.data.objects.new("Plate", mesh)
    plate.location.z = height
    bpy.context.scene.collection.objects.link(plate)
    bpy.context.view_layer.update()
    return plate


def auto_bake(action="ON"):
    """Switch Auto Bake."""
    assert bpy.ops.anim.locomotion_auto_bake(action=action) == {"FINISHED"}


def read_keys(armature):
    """All keys of the bake by path and index."""
    action, slot = versions.get_assigned_action(armature)
    return {
        (c.data_path, c.array_index): np.array([tuple(k.co) for k in c.keyframe_points])
        for c in versions.get_curves(action, slot)
    }


def bake_afresh(armature):
    """Keys of a full bake from nothing with the present choices."""
    auto_bake("OFF")
    bpy.ops.anim.locomotion_bake_remove()
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_bake()
    return read_keys(armature)


def assert_same(first, second):
    """Keys of two bakes agree."""
    assert first.keys() == second.keys()
    for key, table in first.items():
        assert table.shape == second[key].shape, key
        assert np.abs(table - second[key]).max() < 2e-6, key


def change_setting(armature):
    armature.locomotion.settings.max_slope = 0.4
    armature.locomotion.settings.swing_margin = 0.15
    armature.locomotion.settings.toe_clearance = 0.2


def change_travel(armature):
    travel = armature.locomotion.travel
    travel.source = "POINTS"
    for point in ((0.0, 0.0), (0.0, -1.0), (0.6, -1.5)):
        travel.points.add().location = point


def change_output(armature):
    armature.locomotion.root = armature.pose.bones[0].name
    armature.locomotion.travel.output_to = "BONE"


def change_motions(armature):
    walk = next(e for e in armature.locomotion.motions if "Walk" in e.action.name)
    curves = versions.get_curves(walk.action, versions.find_slot(walk.action, armature))
    curve = next(c for c in curves if armature.locomotion.body in c.data_path)
    for key in curve.keyframe_points:
        key.co.y += 0.02
    walk.action.update_tag()


@pytest.mark.parametrize(
    ("change", "frame"),
    [(change_setting, 27), (change_travel, 1), (change_output, 27), (change_motions, 27)],
)
def test_a_change_is_baked_as_a_full_bake_would(walker, change, frame):
    auto_bake()
    before = read_keys(walker)
    assert before
    bpy.context.scene.frame_set(frame)
    change(walker)
    assert live_handlers.refresh_now()
    followed = read_keys(walker)
    same = before.keys() == followed.keys() and all(
        before[k].shape == followed[k].shape and np.allclose(before[k], followed[k]) for k in before
    )
    assert not same
    assert_same(followed, bake_afresh(walker))


@pytest.mark.parametrize("frame", [1, 27])
def test_ground_is_followed(walker, frame):
    plate = add_plate()
    auto_bake()
    bpy.context.scene.frame_set(frame)
    plate.location.z, plate.rotation_euler.x = -0.03, 0.05
    bpy.context.view_layer.update()
    assert live_handlers.refresh_now()
    followed = read_keys(walker)
    assert_same(followed, bake_afresh(walker))


def test_travel_keys_are_followed(walker):
    walker.keyframe_insert("location", frame=1)
    walker.location.y = -1.5
    walker.keyframe_insert("location", frame=40)
    bpy.context.scene.frame_set(1)
    walker.locomotion.travel.source = "OBJECT"
    action, slot = versions.get_assigned_action(walker)
    auto_bake()
    assert not live_handlers.refresh_now()
    curve = next(c for c in versions.get_curves(action, slot) if c.array_index == 1)
    curve.keyframe_points[1].co.y = -0.8
    action.update_tag()
    assert live_handlers.refresh_now()
    followed = read_keys(walker)
    assert followed[("location", 1)][-1, 1] == pytest.approx(-0.8, abs=0.05)
    assert_same(followed, bake_afresh(walker))


def test_nothing_is_baked_where_nothing_changed(walker):
    auto_bake()
    assert not live_handlers.refresh_now()
    walker.locomotion.active_motion = 1
    walker.select_set(False)
    bpy.context.scene.frame_set(12)
    bpy.context.view_layer.update()
    assert not live_handlers.refresh_now()


@pytest.fixture
def rewritten(monkeypatch):
    """Data paths of the curves that bakes write to."""
    paths = []

    def note(curve, table, found=None):
        paths.append(curve.data_path)
        write_key_table(curve, table, found)

    monkeypatch.setattr(bake_action, "write_key_table", note)
    return paths


def test_a_plan_that_changes_nothing_writes_nothing(walker, rewritten):
    auto_bake()
    assert len(rewritten) == len(read_keys(walker))
    before = read_keys(walker)
    rewritten.clear()
    assert watching.refresh({walker.session_uid})
    walker.locomotion.settings.max_slope *= 0.99
    assert live_handlers.refresh_now()
    assert not rewritten
    assert_same(read_keys(walker), before)


def test_only_curves_that_change_are_written(walker, rewritten):
    auto_bake()
    before = read_keys(walker)
    rewritten.clear()
    walker.locomotion.settings.toe_clearance = 0.3
    assert live_handlers.refresh_now()
    after = read_keys(walker)
    changed = [key for key in before if not np.array_equal(before[key], after[key])]
    assert 0 < len(changed) < 0.5 * len(before)
    assert sorted(rewritten) == sorted(path for path, _ in changed)
    assert_same(after, bake_afresh(walker))


def test_curves_are_made_whole_where_their_keys_are_right(walker):
    auto_bake()
    curve = versions.get_curves(*versions.get_assigned_action(walker))[0]
    curve.mute = curve.lock = True
    curve.modifiers.new("NOISE")
    points = curve.keyframe_points
    points[0].interpolation = "CONSTANT"
    watching.refresh({walker.session_uid})
    assert (curve.mute, curve.lock, len(curve.modifiers)) == (True, True, 0)
    assert points[0].interpolation == "LINEAR"
    walker.locomotion.settings.keep_edits = False
    watching.refresh({walker.session_uid})
    assert (curve.mute, curve.lock) == (False, False)


def move(item):
    """Move an object; gives whether that marks the watched walks."""
    live_handlers._stale.clear()
    item.location.x += 0.5
    bpy.context.view_layer.update()
    return bool(live_handlers._stale)


def add_object(name, data=None):
    """An object in the scene."""
    item = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(item)
    return item


def test_objects_that_the_walk_cannot_depend_on_are_passed_over(walker):
    floor, other = add_plate(), add_plate(-5.0)
    camera = add_object("Camera", bpy.data.cameras.new("Camera"))
    lamp = add_object("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    empty = add_object("Empty")
    curve = add_object("Way", bpy.data.curves.new("Way", "CURVE"))
    ground, travel = walker.locomotion.ground, walker.locomotion.travel
    auto_bake()
    assert [move(item) for item in (floor, other, empty, camera, lamp)] == [True] * 3 + [False] * 2
    ground.source = "OBJECTS"
    ground.objects.add().object = floor
    assert [move(item) for item in (floor, other, curve)] == [True, False, False]
    ground.source = "PLANE"
    assert [move(item) for item in (floor, other, curve)] == [False] * 3
    travel.curve, travel.source = curve, "CURVE"
    assert [move(item) for item in (floor, curve)] == [False, True]
    travel.source = "BONE"
    assert not move(camera)
    walker.pose.bones[0].constraints.new("COPY_LOCATION").target = camera
    assert move(camera)
    travel.source = "STRAIGHT"
    assert not move(camera)
    walker.parent = camera
    bpy.context.view_layer.update()
    assert move(camera)


def use(operator, **choices):
    """Call an operator; gives whether the timer looks for changes after it."""
    bpy.context.view_layer.update()
    if bpy.app.timers.is_registered(live_handlers._tick):
        bpy.app.timers.unregister(live_handlers._tick)
    assert operator(**choices) == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.app.timers.is_registered(live_handlers._tick)


def test_buttons_that_change_the_set_up_are_noticed(walker):
    auto_bake()
    assert use(bpy.ops.anim.locomotion_list, target="MOTIONS", change="REMOVE")
    assert use(bpy.ops.anim.locomotion_list, target="POINTS", change="ADD")
    assert use(bpy.ops.anim.locomotion_setup)
    assert use(bpy.ops.anim.locomotion_analyze)
    assert use(bpy.ops.anim.locomotion_legs_measure)
    walker.locomotion.legs[0].sole_width *= 1.5
    assert use(bpy.ops.anim.locomotion_sole_reset)
    data = walker.locomotion
    data.active_motion = [entry.found_kind for entry in data.motions].index("cycle")
    data.motions[data.active_motion].key_times[0].off -= 0.02
    assert use(bpy.ops.anim.locomotion_key_times_reset)


def test_what_an_unticked_motion_is_does_not_matter(walker):
    rest = next(e for e in walker.locomotion.motions if "Rest" in e.action.name)
    auto_bake()
    rest.enabled = False
    assert live_handlers.refresh_now()
    rest.group, rest.own_speed = "other", 2.0
    assert not live_handlers.refresh_now()
    rest.enabled = True
    assert live_handlers.refresh_now()


def test_the_report_is_of_the_last_bake(walker):
    auto_bake()
    before = walker.locomotion.report.values
    change_setting(walker)
    live_handlers.refresh_now()
    assert walker.locomotion.report.values != before


def test_keys_edited_by_hand_are_kept(walker):
    auto_bake()
    action, slot = versions.get_assigned_action(walker)
    curve = versions.get_curves(action, slot)[0]
    key = (curve.data_path, curve.array_index)
    for point in curve.keyframe_points:
        point.co.y += 0.5
    edited = read_keys(walker)[key]
    change_setting(walker)
    assert live_handlers.refresh_now()
    assert np.array_equal(read_keys(walker)[key], edited)


def test_switching_off_leaves_the_bake(walker):
    auto_bake()
    keys = read_keys(walker)
    auto_bake("OFF")
    assert not walker.locomotion.auto_bake
    assert not watching.list_watches()
    change_setting(walker)
    assert not live_handlers.refresh_now()
    assert_same(read_keys(walker), keys)


def test_live_and_auto_bake_together(walker):
    auto_bake()
    bpy.ops.anim.locomotion_live(action="ON")
    change_setting(walker)
    assert live_handlers.refresh_now()
    bpy.ops.anim.locomotion_live(action="OFF")
    assert walker.locomotion.auto_bake
    assert not any(c.mute for c in versions.get_curves(*versions.get_assigned_action(walker)))
    followed = read_keys(walker)
    assert_same(followed, bake_afresh(walker))


def test_undo_bakes_what_was_set_before(walker):
    name = walker.name
    bpy.ops.ed.undo_push(message="start")
    bpy.ops.anim.locomotion_auto_bake("EXEC_DEFAULT", True, action="ON")
    before = read_keys(walker)
    change_setting(walker)
    live_handlers.refresh_now()
    bpy.ops.ed.undo_push(message="settings")
    after = read_keys(bpy.data.objects[name])
    bpy.ops.ed.undo()
    assert live_handlers.refresh_now()
    assert_same(read_keys(bpy.data.objects[name]), before)
    bpy.ops.ed.redo()
    assert live_handlers.refresh_now()
    assert_same(read_keys(bpy.data.objects[name]), after)
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert not bpy.data.objects[name].locomotion.auto_bake
    assert find_bake(bpy.data.objects[name]) is None
    assert not watching.list_watches()


def test_removing_the_bake_ends_it(walker):
    auto_bake()
    bpy.ops.anim.locomotion_bake_remove()
    live_handlers.refresh_now()
    assert find_bake(walker) is None
    assert not walker.locomotion.auto_bake
    assert not watching.list_watches()
