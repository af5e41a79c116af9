# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose an action is: keys of the animator in a bake, bakes that are not played, bakes as motions."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.api.setups import find_left
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.ui.panels import walk as walk_panels
from tests.scenes import lend_person, select_only
from tests.ui.panels.test_tab import draw


@pytest.fixture
def walker():
    """The project's person, set up, in a short scene."""
    yield from lend_person(30)


def limit_shin(armature):
    """A constraint on a leg, which a bake switches off."""
    shin = armature.pose.bones[armature.locomotion.legs[0].bones[1].name]
    limit = shin.constraints.new("LIMIT_ROTATION")
    limit.influence = 0.75
    return limit


def test_keys_come_back_after_live_and_auto_bake(walker):
    bpy.ops.anim.locomotion_bake()
    walker["mood"] = 0.0
    for frame, value in ((5, 1.0), (25, 2.0)):
        walker["mood"] = value
        walker.keyframe_insert('["mood"]', frame=frame)
    bpy.ops.anim.locomotion_auto_bake(action="ON")
    for speed in (0.9, 1.1):
        walker.locomotion.travel.use_native_speed = False
        walker.locomotion.travel.speed = speed
        watching.refresh()
    bpy.ops.anim.locomotion_live(action="ON")
    walker.locomotion.travel.speed = 1.3
    watching.refresh()
    bpy.ops.anim.locomotion_live(action="OFF")
    bpy.ops.anim.locomotion_auto_bake(action="OFF")
    bpy.ops.anim.locomotion_bake_remove()
    action, slot = versions.get_assigned_action(walker)
    (curve,) = [c for c in versions.get_curves(action, slot) if "mood" in c.data_path]
    assert [tuple(key.co) for key in curve.keyframe_points] == [(5.0, 1.0), (25.0, 2.0)]


def test_a_key_beyond_all_frames_outlives_bakes_and_goes_back(walker, caplog):
    bpy.ops.anim.locomotion_bake()
    action, slot = versions.get_assigned_action(walker)
    path = f'pose.bones["{walker.locomotion.legs[0].bones[0].name}"].rotation_quaternion'
    far = 1_500_000.0

    def read_far(action, slot):
        curves = [c for c in versions.get_curves(action, slot) if c.data_path == path]
        return [key.co[1] for c in curves for key in c.keyframe_points if key.co[0] == far]

    for curve in versions.get_curves(action, slot):
        if curve.data_path == path and curve.array_index == 1:
            curve.keyframe_points.insert(far, 0.25)
    for speed in (0.9, 1.1):
        walker.locomotion.travel.use_native_speed = False
        walker.locomotion.travel.speed = speed
        bpy.ops.anim.locomotion_bake()
        assert read_far(*versions.get_assigned_action(walker)) == [0.25]
    assert "does not fit" not in caplog.text
    bpy.ops.anim.locomotion_bake_remove()
    assert read_far(*versions.get_assigned_action(walker)) == [0.25]


def choose(armature, name):
    """Let an object play a new action in place of what it plays."""
    action = bpy.data.actions.new(name)
    slot, bag = versions.ensure_channelbag(action, armature)
    head = armature.pose.bones[-1].name
    curve = versions.add_curve(bag, f'pose.bones["{head}"].location', 0, head)
    curve.keyframe_points.insert(1, 0.1)
    versions.assign_action(armature, action, slot)
    bpy.context.view_layer.update()
    return action


def test_a_bake_that_is_not_played_any_more_gives_back_what_it_froze(walker):
    limit = limit_shin(walker)
    bpy.ops.anim.locomotion_bake()
    baked = find_bake(walker)
    bpy.context.scene.frame_set(20)
    assert find_left(walker) is None
    other = choose(walker, "Other")
    bpy.context.scene.frame_set(25)
    # Nothing keys them now, and they are as the bake has left them.
    assert limit.influence == 0.0
    assert walker.location.y < -0.2
    assert find_left(walker) == (baked.name, "Other")
    texts = " ".join(draw(walk_panels.LOCOMOTION_PT_bake))
    assert "Other plays in place of the bake" in texts
    assert "Remove Bake" in texts
    with pytest.raises(RuntimeError, match="does not play its bake"):
        bpy.ops.anim.locomotion_live(action="ON")
    name = baked.name
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert versions.get_assigned_action(walker)[0] == other
    assert limit.influence == pytest.approx(0.75)
    assert tuple(walker.location) == (0.0, 0.0, 0.0)
    assert name not in bpy.data.actions
    assert find_left(walker) is None
    assert not bpy.ops.anim.locomotion_bake_remove.poll()


def test_a_bake_beside_one_that_is_not_played_gives_back_both(walker):
    limit = limit_shin(walker)
    bpy.ops.anim.locomotion_bake()
    bpy.context.scene.frame_set(20)
    first = find_bake(walker)
    other = choose(walker, "Other")
    bpy.ops.anim.locomotion_bake()
    assert find_bake(walker) not in (first, other)
    # The first one has no owner any more, and is there to be chosen.
    assert first.use_fake_user
    assert find_left(walker) is None
    bpy.ops.anim.locomotion_bake_remove()
    assert versions.get_assigned_action(walker)[0] == other
    assert limit.influence == pytest.approx(0.75)
    assert tuple(walker.location) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("copies", [False, True])
def test_who_was_moved_after_its_bake_was_put_away_walks_from_there(walker, copies):
    bpy.ops.anim.locomotion_bake()
    bpy.context.scene.frame_set(20)
    if copies:
        walker = walker.copy()
        bpy.context.scene.collection.objects.link(walker)
        select_only(walker)
    walker.animation_data.action = None
    walker.location = (0.6, 0.2, 0.0)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    bpy.context.scene.frame_set(bpy.context.scene.frame_start)
    assert tuple(walker.matrix_world.translation)[:2] == pytest.approx((0.6, 0.2), abs=2e-3)


def test_removing_a_bake_that_was_put_away_leaves_who_was_moved(walker):
    bpy.ops.anim.locomotion_bake()
    walker.animation_data.action = None
    walker.location = (0.6, 0.2, 0.0)
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert tuple(walker.location) == pytest.approx((0.6, 0.2, 0.0))


def test_a_bake_is_no_motion(walker):
    bpy.ops.anim.locomotion_bake()
    baked = find_bake(walker)
    entry = walker.locomotion.motions.add()
    entry.action = baked
    with pytest.raises(RuntimeError, match="is a baked walk and no motion; untick it"):
        bpy.ops.anim.locomotion_bake()
    entry.enabled = False
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    named = bpy.ops.anim.locomotion_setup
    with pytest.raises(RuntimeError, match="is a baked walk and no motion"):
        named(actions=[{"name": baked.name}])
