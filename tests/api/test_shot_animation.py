# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation of a shot that moves no leg: it goes on over a bake, and nobody stands in it."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from tests.scenes import add_person, select_only

FRAMES = range(1, 61)


@pytest.fixture
def talker():
    """The project's person, not set up, with a jaw and a prop that no motion keys."""
    armature = add_person()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    select_only(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for name, parent in (("jaw", "head"), ("prop", None)):
        bone = bones.new(name)
        bone.head, bone.tail = (0.5, -0.1, 1.5), (0.5, -0.2, 1.5)
        bone.parent = bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    yield armature
    watching.put_back_all(forget=True)
    live_handlers.install()


def add_talk(armature, name="Talk"):
    """An action in which a jaw turns and a prop moves over all frames."""
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    slot, bag = versions.ensure_channelbag(action, armature)
    for path, index, size in (("jaw", 1, 0.2), ("prop", 0, 0.4)):
        name = "rotation_quaternion" if path == "jaw" else "location"
        curve = versions.add_curve(bag, f'pose.bones["{path}"].{name}', index, path)
        for frame in FRAMES[::5]:
            curve.keyframe_points.insert(frame, size * np.sin(0.4 * frame))
    return action, slot


def play(armature, action, slot, where):
    """Let an object play an action as its active one, or in a strip that may be muted."""
    if where == "action":
        versions.assign_action(armature, action, slot)
        return
    track = armature.animation_data_create().nla_tracks.new()
    strip = track.strips.new(action.name, FRAMES[0], action)
    versions.assign_strip_slot(strip, slot)
    track.mute = where == "muted"


def measure_play(armature):
    """Channels of the jaw and the prop at all frames, as they are shown, shape (N, 7)."""
    rows = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        double = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        jaw, prop = double.pose.bones["jaw"], double.pose.bones["prop"]
        rows.append([*jaw.matrix_basis.to_quaternion(), *prop.matrix_basis.translation])
    bpy.context.scene.frame_set(FRAMES[0])
    return np.array(rows)


def find_entry(armature, action):
    """The entry of an action in the motions list."""
    return next(entry for entry in armature.locomotion.motions if entry.action == action)


@pytest.mark.parametrize("ticked", [False, True])
@pytest.mark.parametrize("where", ["action", "strip", "muted"])
def test_what_plays_when_set_up_is_pressed_goes_on(talker, where, ticked):
    play(talker, *add_talk(talker), where)
    before = measure_play(talker)
    assert np.ptp(before, axis=0).max() > 0.3 or where == "muted"
    bpy.ops.anim.locomotion_setup()
    entry = find_entry(talker, bpy.data.actions["Talk"])
    assert not entry.enabled
    assert "moves neither a leg nor the hips" in entry.warnings
    entry.enabled = ticked
    for _ in range(2):
        assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
        assert np.allclose(measure_play(talker), before, atol=1e-5)
    bpy.ops.anim.locomotion_bake_remove()
    assert np.allclose(measure_play(talker), before, atol=1e-5)


def test_what_plays_goes_on_in_a_strip_and_live(talker):
    play(talker, *add_talk(talker), "action")
    before = measure_play(talker)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_live(action="ON")
    watching.refresh()
    assert np.allclose(measure_play(talker), before, atol=1e-5)
    bpy.ops.anim.locomotion_live(action="OFF")
    talker.locomotion.settings.use_strip = True
    bpy.ops.anim.locomotion_bake()
    assert np.allclose(measure_play(talker), before, atol=1e-5)


def test_another_action_of_that_kind_is_no_pose_to_stand_in(talker):
    play(talker, *add_talk(talker), "action")
    other, _ = add_talk(talker, "Shot 20, waiting")
    before = measure_play(talker)
    bpy.ops.anim.locomotion_setup()
    ticked = {e.action.name for e in talker.locomotion.motions if e.enabled}
    assert not ticked & {"Talk", other.name}
    bpy.ops.anim.locomotion_bake()
    assert np.allclose(measure_play(talker), before, atol=1e-5)


def test_who_says_that_it_is_a_rest_stands_in_it(talker):
    action, _ = add_talk(talker)
    bpy.ops.anim.locomotion_setup()
    entry = find_entry(talker, action)
    entry.kind, entry.enabled = "REST", True
    bpy.ops.anim.locomotion_analyze()
    assert entry.found_kind == "rest"


@pytest.mark.parametrize("where", ["action", "strip", "muted"])
def test_what_the_walk_covers_of_an_action_is_told(talker, where):
    action, slot = add_talk(talker)
    bag = versions.ensure_channelbag(action, talker, slot)[1]
    curve = versions.add_curve(bag, 'pose.bones["hand.L"].rotation_quaternion', 1, "hand.L")
    for frame in FRAMES[::5]:
        curve.keyframe_points.insert(frame, 0.3 * np.sin(0.4 * frame))
    play(talker, action, slot, where)
    bpy.ops.anim.locomotion_setup()
    for _ in range(2):
        bpy.ops.anim.locomotion_bake()
        words = "'Talk' moves 1 bone that the walk moves as well, 'hand.L' among them"
        assert (words in talker.locomotion.report.warnings) == (where != "muted")
    talker.locomotion.layers.add().action = action
    bpy.ops.anim.locomotion_bake()
    assert "'Talk' moves" not in talker.locomotion.report.warnings
