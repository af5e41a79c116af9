# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks shown live: equal to the bake, and gone without a trace."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import is_baked, watching
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.demo.characters import create_biped
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from semi_procedural_locomotion.ui.live import operators as live_operators
from tests.scenes import add_person, read_poses
from tests.ui.panels.test_tab import CheckingLayout

FRAMES = (1.0, 2.0, 7.5, 20.25, 39.0, 40.0, 55.0)
WATCHING = ("frame_change_pre", "depsgraph_update_post", "save_pre", "save_post", "render_init")


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


def select(*items):
    """Select only these objects; the first is active."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[0]
    bpy.context.view_layer.update()


def read_state(armature):
    """What Live has to give back."""
    action, slot = versions.get_assigned_action(armature)
    curves = {
        (c.data_path, c.array_index): (c.mute, [tuple(k.co) for k in c.keyframe_points])
        for c in (versions.get_curves(action, slot) if action else ())
    }
    values = [tuple(armature.location), tuple(armature.rotation_euler)]
    values += [tuple(b.rotation_quaternion) for b in armature.pose.bones]
    values += [tuple(b.location) for b in armature.pose.bones]
    return {
        "action": action and action.name,
        "slot": slot,
        "curves": curves,
        "values": np.concatenate([np.ravel(v) for v in values]).tolist(),
        "actions": sorted(bpy.data.actions.keys()),
        "frame": bpy.context.scene.frame_current,
        "live": armature.locomotion.is_live,
    }


def leg_length(armature):
    """The character's L, metres."""
    return watching.find_watch(armature).prepared.character.rig.leg_length


def live(action="ON"):
    """Switch Live."""
    assert bpy.ops.anim.locomotion_live(action=action) == {"FINISHED"}


def count_handlers():
    """How many of our handlers there are that run while something is watched."""
    return sum(
        function.__module__ == live_handlers.__name__
        and function is not live_handlers._ALWAYS.get(name)
        for name in WATCHING
        for function in getattr(bpy.app.handlers, name)
    )


@pytest.mark.parametrize("output", ["OBJECT", "BONE", "NONE"])
@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
def test_live_is_equal_to_the_bake(walker, output, mode):
    walker.locomotion.travel.output_to = output
    walker.locomotion.root = walker.pose.bones[0].name
    for bone in list(walker.pose.bones)[::2]:
        bone.rotation_mode = mode
    live()
    length = leg_length(walker)
    shown = read_poses(walker, FRAMES)
    live("OFF")
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_bake()
    baked = read_poses(walker, FRAMES)
    assert np.ptp(baked[:, 0, :2, 3], axis=0).max() > 0.5
    assert np.abs(shown - baked).max() < 1e-5 * length


def test_frames_may_be_asked_in_any_order(walker):
    live()
    forward = read_poses(walker, FRAMES)
    backward = read_poses(walker, FRAMES[::-1])[::-1]
    assert np.array_equal(forward, backward)


def test_switching_off_gives_everything_back(walker):
    walker.location = (0.3, -0.2, 0.0)
    bpy.context.view_layer.update()
    before, poses = read_state(walker), read_poses(walker, FRAMES)
    bpy.context.scene.frame_set(1)
    live()
    assert walker.locomotion.is_live
    assert np.abs(read_poses(walker, FRAMES) - poses).max() > 0.1
    bpy.context.scene.frame_set(1)
    live("OFF")
    assert read_state(walker) == before
    assert np.array_equal(read_poses(walker, FRAMES), poses)
    assert count_handlers() == 0


def test_live_over_a_bake_mutes_and_gives_back(walker):
    bpy.ops.anim.locomotion_bake()
    curves, poses = read_state(walker)["curves"], read_poses(walker, FRAMES)
    bpy.context.scene.frame_set(1)
    walker.locomotion.settings.lock_feet = False
    live()
    shown = read_state(walker)["curves"]
    assert all(mute for mute, _ in shown.values())
    assert np.abs(read_poses(walker, FRAMES) - poses).max() > 1e-4
    live("OFF")
    assert read_state(walker)["curves"] == curves
    assert np.array_equal(read_poses(walker, FRAMES), poses)


def test_source_action_is_not_touched(walker):
    walk = bpy.data.actions["Walker Walk"]
    slot = versions.find_slot(walk, walker)
    versions.assign_action(walker, walk, slot)
    before, poses = read_state(walker), read_poses(walker, FRAMES)
    bpy.context.scene.frame_set(1)
    live()
    assert versions.get_assigned_action(walker)[0] != walk
    assert not any(c.mute for c in versions.get_curves(walk, slot))
    live("OFF")
    assert read_state(walker)["curves"] == before["curves"]
    assert versions.get_assigned_action(walker) == (walk, slot)
    assert np.array_equal(read_poses(walker, FRAMES), poses)


def test_a_section_of_a_shot_keeps_the_keys_around_it(walker):
    walker.keyframe_insert("location", frame=1)
    walker.location.z = 3.0
    walker.keyframe_insert("location", frame=20)
    walker.location.z = 0.0
    walker.keyframe_insert("location", frame=30)
    settings = walker.locomotion.settings
    settings.use_range, settings.frame_start, settings.frame_end = True, 30, 60
    frames = (1.0, 8.0, 20.0, 25.0, 30.0, 45.5, 60.0, 70.0)
    bpy.context.scene.frame_set(30)
    live()
    length = leg_length(walker)
    shown = read_poses(walker, frames)
    assert shown[2, 0, 2, 3] - shown[4, 0, 2, 3] > 2.0
    live("OFF")
    bpy.context.scene.frame_set(30)
    bpy.ops.anim.locomotion_bake()
    at_keys = [frames.index(f) for f in (1.0, 20.0, 30.0, 45.5, 60.0, 70.0)]
    baked = read_poses(walker, frames)
    assert np.abs(shown - baked)[at_keys].max() < 1e-5 * length


def test_a_section_of_a_baked_walk_keeps_the_walk_around_it(walker):
    bpy.ops.anim.locomotion_bake()
    whole = read_poses(walker, FRAMES)
    settings, travel = walker.locomotion.settings, walker.locomotion.travel
    settings.use_range, settings.frame_start, settings.frame_end = True, 15, 30
    travel.use_native_speed, travel.speed = False, 0.8
    live()
    shown = read_poses(walker, FRAMES)
    live("OFF")
    assert np.abs(read_poses(walker, FRAMES) - whole).max() < 1e-6
    bpy.ops.anim.locomotion_bake()
    assert np.abs(read_poses(walker, FRAMES) - shown).max() < 2e-5
    changed = np.abs(shown - whole).max(axis=(1, 2, 3)) > 1e-4
    assert [f for f, c in zip(FRAMES, changed, strict=True) if c] == [20.25]


def test_changes_are_followed_and_equal_a_bake(walker):
    live()
    before = read_poses(walker, FRAMES)
    assert not live_handlers.refresh_now()
    bpy.context.scene.frame_set(23)
    walker.locomotion.travel.use_native_speed = False
    walker.locomotion.travel.speed = 0.9
    assert live_handlers.refresh_now()
    shown = read_poses(walker, FRAMES)
    assert np.abs(shown - before).max() > 0.1
    live("OFF")
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_bake()
    assert np.abs(read_poses(walker, FRAMES) - shown).max() < 1e-5


def test_a_plan_that_fails_leaves_the_last_one_and_says_why(walker):
    live()
    before = read_poses(walker, FRAMES)
    walker.locomotion.travel.source = "CURVE"
    live_handlers.refresh_now()
    assert "curve" in watching.find_watch(walker).error
    assert np.array_equal(read_poses(walker, FRAMES), before)
    walker.locomotion.travel.source = "STRAIGHT"
    live_handlers.refresh_now()
    assert not watching.find_watch(walker).error


def test_what_cannot_be_shown_is_refused_in_words(walker):
    before = read_state(walker)
    for entry in walker.locomotion.motions:
        entry.enabled = False
    with pytest.raises(RuntimeError, match="no ticked motion"):
        live()
    assert read_state(walker) == before
    assert count_handlers() == 0
    assert not watching.list_watches()


def test_handlers_are_there_only_while_needed(walker):
    assert count_handlers() == 0
    live()
    assert count_handlers() == len(WATCHING)
    live("TOGGLE")
    assert count_handlers() == 0
    live("TOGGLE")
    assert count_handlers() == len(WATCHING)


def test_saved_files_hold_nothing_of_live(walker, tmp_path):
    state = read_state(walker)
    live()
    shown = read_poses(walker, FRAMES)
    path = tmp_path / "live.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert walker.locomotion.is_live
    assert np.array_equal(read_poses(walker, FRAMES), shown)
    name = walker.name
    bpy.ops.wm.open_mainfile(filepath=str(path))
    loaded = bpy.data.objects[name]
    assert not watching.list_watches()
    assert count_handlers() == 0
    assert not loaded.locomotion.is_live
    assert read_state(loaded)["action"] == state["action"]
    assert read_state(loaded)["values"] == pytest.approx(state["values"], abs=1e-6)


def test_a_live_character_that_is_written_to_a_file_walks_where_it_is_appended(walker, tmp_path):
    bpy.ops.anim.locomotion_bake()
    bpy.context.scene.frame_set(10)
    shown = read_poses(walker)
    live()
    path = str(tmp_path / "copy.blend")
    bpy.data.libraries.write(path, {walker})
    name = walker.name
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path) as (_, wanted):
        wanted.objects = [name]
    (copy,) = wanted.objects
    bpy.context.scene.collection.objects.link(copy)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(10)
    np.testing.assert_allclose(read_poses(copy), shown, atol=1e-5)


def test_a_file_left_live_by_a_crash_is_cleaned(walker, tmp_path):
    state = read_state(walker)
    live()
    # As an automatic save writes it: without the handlers.
    bpy.app.handlers.save_pre.clear()
    bpy.app.handlers.save_post.clear()
    path = tmp_path / "crash.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    live("OFF")
    name = walker.name
    bpy.ops.wm.open_mainfile(filepath=str(path))
    loaded = bpy.data.objects[name]
    assert not loaded.locomotion.is_live
    assert read_state(loaded)["action"] == state["action"]
    assert read_state(loaded)["values"] == pytest.approx(state["values"], abs=1e-6)


def test_undo_and_redo(walker):
    name = walker.name

    def find():
        return bpy.data.objects[name]

    bpy.ops.ed.undo_push(message="start")
    bpy.ops.anim.locomotion_live("EXEC_DEFAULT", True, action="ON")
    shown = read_poses(find(), FRAMES)
    bpy.ops.ed.undo()
    assert not find().locomotion.is_live
    assert not watching.list_watches()
    assert count_handlers() == 0
    bpy.ops.ed.redo()
    assert find().locomotion.is_live
    assert count_handlers() == len(WATCHING)
    assert live_handlers.refresh_now()
    assert np.array_equal(read_poses(find(), FRAMES), shown)
    bpy.ops.anim.locomotion_live("EXEC_DEFAULT", True, action="OFF")
    assert not find().locomotion.is_live
    bpy.ops.ed.undo()
    assert find().locomotion.is_live
    live_handlers.refresh_now()
    assert np.array_equal(read_poses(find(), FRAMES), shown)


def test_deleting_the_character_ends_it(walker):
    live()
    bpy.data.objects.remove(walker)
    bpy.context.scene.frame_set(5)
    live_handlers.refresh_now()
    live_handlers.install()
    assert not watching.list_watches()
    assert count_handlers() == 0


def test_renaming_changes_nothing(walker):
    live()
    shown = read_poses(walker, FRAMES)
    walker.name = "Somebody Else"
    other = bpy.data.objects.new("Walker", None)
    bpy.context.scene.collection.objects.link(other)
    assert np.array_equal(read_poses(walker, FRAMES), shown)
    live_handlers.refresh_now()
    assert np.abs(read_poses(walker, FRAMES) - shown).max() < 1e-6
    live("OFF")
    assert not walker.locomotion.is_live


def test_frames_of_another_scene_do_not_move_it(walker):
    live()
    bpy.context.scene.frame_set(10)
    other = bpy.data.scenes.new("Other")
    place = tuple(walker.location)
    other.frame_set(30)
    assert tuple(walker.location) == place


def test_two_characters(walker):
    other = create_biped(bpy.context.scene.collection)
    other.location.x = 2.0
    select(walker, other)
    bpy.ops.anim.locomotion_setup()
    live()
    assert len(watching.list_watches()) == 2
    apart = read_poses(other, FRAMES)[..., :3, 3] - read_poses(walker, FRAMES)[..., :3, 3]
    assert np.abs(apart - [2.0, 0.0, 0.0]).max() < 1e-4
    select(other)
    live("OFF")
    assert walker.locomotion.is_live
    assert not other.locomotion.is_live


def test_removing_the_bake_ends_live(walker):
    before = read_state(walker)
    live()
    assert not is_baked(walker)
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_bake()
    assert is_baked(walker)
    bpy.ops.anim.locomotion_bake_remove()
    live_handlers.refresh_now()
    assert not watching.list_watches()
    before["live"] = False
    assert read_state(walker) == before


def test_baking_a_live_character_keeps_what_is_shown(walker):
    live()
    shown = read_poses(walker, FRAMES)
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_bake(frame_start=1, frame_end=40)
    live("OFF")
    assert np.abs(read_poses(walker, FRAMES) - shown).max() < 1e-5
    bpy.ops.anim.locomotion_bake_remove()
    assert versions.get_assigned_action(walker)[0] is None
    assert walker.location.length < 1e-6


@pytest.mark.parametrize(("began", "baked_at"), [(1, 20), (10, 5)])
def test_bake_walk_writes_the_walk_that_live_shows(walker, began, baked_at):
    bpy.context.scene.frame_start = began
    live()
    shown = read_poses(walker, FRAMES)
    bpy.context.scene.frame_set(baked_at)
    bpy.ops.anim.locomotion_bake()
    assert versions.get_assigned_action(walker)[0].frame_range[:] == (began, 40.0)
    live_handlers.refresh_now()
    assert np.abs(read_poses(walker, FRAMES) - shown).max() < 1e-5
    live("OFF")
    assert np.abs(read_poses(walker, FRAMES) - shown).max() < 2e-5


def test_a_range_while_live_begins_with_the_range(walker):
    live()
    bpy.ops.anim.locomotion_bake(frame_start=15, frame_end=35)
    live("OFF")
    shown = read_poses(walker, FRAMES)
    bpy.ops.anim.locomotion_bake_remove()
    bpy.ops.anim.locomotion_bake(frame_start=15, frame_end=35)
    assert np.abs(read_poses(walker, FRAMES) - shown).max() < 2e-5


@pytest.mark.parametrize("noticed", ["at once", "when switched off"])
@pytest.mark.parametrize("chosen", ["walk", "other", "none"])
@pytest.mark.parametrize("baked", [False, True])
def test_another_action_that_is_chosen_meanwhile_stays_and_the_rest_is_put_back(
    walker, chosen, baked, noticed
):
    if baked:
        bpy.ops.anim.locomotion_bake()
    bpy.context.scene.frame_set(1)
    before = read_state(walker)
    other = bpy.data.actions.new("Other")
    action, slot = other, versions.ensure_channelbag(other, walker)[0]
    if chosen == "walk":
        action = next(e.action for e in walker.locomotion.motions if e.action is not None)
        slot = versions.find_slot(action, walker)
    live()
    bpy.context.scene.frame_set(25)
    action = None if chosen == "none" else action
    versions.assign_action(walker, action, slot)
    if noticed == "at once":
        live_handlers.refresh_now()
    else:
        live("OFF")
    assert not walker.locomotion.is_live
    assert walker.animation_data.action == action
    assert {a.name for a in bpy.data.actions} == {*before["actions"], "Other"}
    bpy.context.scene.frame_set(1)
    after = read_state(walker)
    if chosen != "walk":
        assert np.allclose(after["values"], before["values"], atol=1e-6)
    else:
        assert after["values"][:6] == pytest.approx(before["values"][:6], abs=1e-6)
    if baked:
        made = next(a for a in bpy.data.actions if "Baked Walk" in a.name)
        assert not any(c.mute for c in versions.get_curves(made, versions.find_slot(made, walker)))


def test_rendering_warns(walker, caplog):
    live()
    with caplog.at_level(logging.WARNING):
        for function in bpy.app.handlers.render_init:
            function(bpy.context.scene, None)
    assert "bake" in caplog.text
    assert walker.name in caplog.text


def test_ground_moved_by_the_user_is_followed(walker):
    mesh = bpy.data.meshes.new("Slab")
    corners = [(-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    slab = bpy.data.objects.new("Slab", mesh)
    bpy.context.scene.collection.objects.link(slab)
    bpy.context.view_layer.update()
    live()
    flat = read_poses(walker, FRAMES)
    slab.location.z = -0.05
    bpy.context.view_layer.update()
    assert live_handlers.refresh_now()
    low = read_poses(walker, FRAMES)
    assert np.median((flat - low)[..., 2, 3]) == pytest.approx(0.05, abs=0.01)
    assert not live_handlers.refresh_now()


def test_unregistering_puts_everything_back(walker, registered_package):
    before = read_state(walker)
    live()
    registered_package.unregister()
    try:
        assert count_handlers() == 0
        action, _ = versions.get_assigned_action(walker)
        assert (action and action.name) == before["action"]
        assert sorted(bpy.data.actions.keys()) == before["actions"]
        assert walker.location.length < 1e-6
        for name in ("load_post", "undo_post", "redo_post"):
            ours = [
                f for f in getattr(bpy.app.handlers, name) if f.__module__ == live_handlers.__name__
            ]
            assert not ours
    finally:
        registered_package.register()
    assert not walker.locomotion.is_live


def test_the_overlay_needs_no_live_and_changes_nothing(walker):
    before, poses = read_state(walker), read_poses(walker, FRAMES)
    bpy.context.scene.frame_set(1)
    assert bpy.ops.view3d.locomotion_overlay(action="ON") == {"FINISHED"}
    watch = watching.find_watch(walker)
    assert watch.drawn
    assert watch.prepared is not None
    first = watch.prepared
    assert read_state(walker) == before
    assert np.array_equal(read_poses(walker, FRAMES), poses)
    walker.locomotion.settings.swing_margin = 0.15
    assert live_handlers.refresh_now()
    assert watching.find_watch(walker).prepared is not first
    bpy.ops.view3d.locomotion_overlay(action="OFF")
    assert not watching.list_watches()
    assert count_handlers() == 0


def test_recording_keys_the_frames_that_were_played(walker):
    with pytest.raises(RuntimeError, match="Switch Live on"):
        bpy.ops.anim.locomotion_record()
    live()
    shown = read_poses(walker, FRAMES)
    assert bpy.ops.anim.locomotion_record(action="ON") == {"FINISHED"}
    for frame in range(10, 21):
        bpy.context.scene.frame_set(frame)
    assert not is_baked(walker)
    assert bpy.ops.anim.locomotion_record(action="OFF") == {"FINISHED"}
    assert is_baked(walker)
    assert np.array_equal(read_poses(walker, FRAMES), shown)
    live("OFF")
    action, slot = versions.get_assigned_action(walker)
    curves = versions.get_curves(action, slot)
    assert not any(curve.mute for curve in curves)
    frames = {key.co.x for curve in curves for key in curve.keyframe_points}
    assert (min(frames), max(frames)) == (10.0, 20.0)
    again = read_poses(walker, (10.0, 14.5, 20.0))
    bpy.ops.anim.locomotion_bake_remove()
    bpy.context.scene.frame_set(1)
    live()
    assert np.abs(read_poses(walker, (10.0, 14.5, 20.0)) - again).max() < 1e-5


def test_recording_nothing_writes_nothing(walker):
    before = read_state(walker)
    live()
    bpy.ops.anim.locomotion_record(action="ON")
    bpy.ops.anim.locomotion_record(action="OFF")
    assert not is_baked(walker)
    bpy.ops.anim.locomotion_record(action="ON")
    bpy.context.scene.frame_set(10)
    bpy.context.scene.frame_set(1)
    live("OFF")
    assert read_state(walker) == before


def test_live_over_a_bake_in_a_strip(walker):
    walker.locomotion.settings.use_strip = True
    bpy.ops.anim.locomotion_bake()
    assert versions.get_assigned_action(walker)[0] is None
    poses, actions = read_poses(walker, FRAMES), sorted(bpy.data.actions.keys())
    bpy.context.scene.frame_set(1)
    live()
    assert np.abs(read_poses(walker, FRAMES) - poses).max() < 1e-5
    walker.locomotion.settings.swing_margin = 0.15
    walker.locomotion.settings.toe_clearance = 0.2
    assert live_handlers.refresh_now()
    assert np.abs(read_poses(walker, FRAMES) - poses).max() > 1e-3
    live("OFF")
    assert versions.get_assigned_action(walker)[0] is None
    assert sorted(bpy.data.actions.keys()) == actions
    assert np.abs(read_poses(walker, FRAMES) - poses).max() < 1e-6


def test_strips_of_strangers_stay_whatever_they_say_of_themselves(walker):
    bone = walker.locomotion.legs[0].bones[0].name
    action = bpy.data.actions.new("Shot")
    # What versions before have marked their own strips by.
    action["locomotion_live_strip"] = True
    slot, bag = versions.ensure_channelbag(action, walker)
    curve = versions.add_curve(bag, f'pose.bones["{bone}"].location', 1, "")
    curve.keyframe_points.insert(1.0, 0.2)
    strip = walker.animation_data_create().nla_tracks.new().strips.new("Shot", 1, action)
    strip.extrapolation = "HOLD"
    versions.assign_strip_slot(strip, slot)
    live()
    assert len(walker.animation_data.nla_tracks) == 2
    live("OFF")
    (track,) = walker.animation_data.nla_tracks
    assert track.strips[0].action == action
    assert not any(other.name.endswith("Live") for other in bpy.data.actions)


class UnforeseenError(Exception):
    """What nobody thought of."""


def fail(*_, **__):
    raise UnforeseenError("of the planner")


def read_panel(armature):
    """Texts of the switches in the panel."""
    layout = CheckingLayout()
    system = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))
    wide = SimpleNamespace(region=SimpleNamespace(width=9000), preferences=system)
    live_operators.draw_live(layout, wide, armature)
    return " ".join(layout.texts)


@pytest.mark.newest
@pytest.mark.parametrize(
    ("place", "over_bake"),
    [
        ("fingerprint_inputs", False),
        ("prepare_bake", True),
        ("begin_live", False),
        ("begin_live", True),
    ],
)
def test_an_unforeseen_error_ends_live_and_gives_everything_back(
    walker, monkeypatch, place, over_bake
):
    if over_bake:
        bpy.ops.anim.locomotion_bake()
    before = read_state(walker)
    live()
    watching.find_watch(walker).fingerprint = ""
    monkeypatch.setattr(watching, place, fail)
    assert live_handlers._tick() is None
    assert read_state(walker) == before
    assert count_handlers() == 0
    assert "UnforeseenError: of the planner" in read_panel(walker)
    monkeypatch.undo()
    live()
    assert "Unforeseen" not in read_panel(walker)
    walker.locomotion.travel.use_native_speed = False
    assert live_handlers.refresh_now()


def test_an_error_while_a_frame_is_shown_ends_live_soon(walker, monkeypatch):
    before = read_state(walker)
    live()
    monkeypatch.setattr(type(watching.find_watch(walker).pose), "show", fail)
    bpy.context.scene.frame_set(12)
    bpy.context.scene.frame_set(1)
    assert live_handlers._tick() is None
    assert read_state(walker) == before
    assert "UnforeseenError" in read_panel(walker)


def test_an_unforeseen_error_at_the_start_leaves_nothing(walker, monkeypatch):
    before = read_state(walker)
    monkeypatch.setattr(watching, "begin_live", fail)
    with pytest.raises(RuntimeError, match="UnforeseenError"):
        live()
    assert read_state(walker) == before
    assert not watching.list_watches()
    assert count_handlers() == 0
