# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is keyed by hand beside walks changes no other frame when these are baked again, or taken away."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender.bake.removal import remove_bake
from semi_procedural_locomotion.blender.bake.section_removal import remove_section
from semi_procedural_locomotion.core.keys.laying import lay_beside
from semi_procedural_locomotion.core.keys.tables import make_key_table
from tests.blender.rigs import make_armature

from .test_laying import FIRST, LAST, SECOND, assert_as_before, bake, read_curves, sample
from .test_rollback import read_curve

# Where the character's first bone is moved by hand, and to what.
SHOT = ((1, 0.0), (20, 1.0), (50, 2.0), (75, 0.0))


@pytest.fixture
def make_keyed():
    """A character whose last bone is keyed, and whose first bone is so in one of some ways."""

    def make(kind):
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
        armature = make_armature("Hero", chains=2, length=3)
        bone, other = armature.pose.bones[0], armature.pose.bones[-1]
        for frame in (1, 70):
            other.location.x = frame / 70
            other.keyframe_insert("location", frame=frame)
        for frame, value in () if kind == "unkeyed" else SHOT:
            bone.location = (value, value * value, 1.0 - value)
            bone.keyframe_insert("location", frame=frame)
        for curve in read_curves(armature):
            if bone.name not in curve.data_path:
                continue
            curve.mute = kind == "muted"
            if kind in ("CYCLES", "NOISE"):
                curve.modifiers.new(kind)
            elif kind == "BOUNCE":
                for key in curve.keyframe_points:
                    key.interpolation = kind
        bone.location = (0.3, 0.4, 0.5)
        bpy.context.scene.frame_set(1)
        return armature

    return make


def key_first_bone(armature, frame):
    bone = armature.pose.bones[0]
    bpy.context.scene.frame_set(frame)
    bone.location = (3.0, 3.0, 3.0)
    bone.keyframe_insert("location", frame=frame)


@pytest.mark.parametrize("kind", ["plain", "unkeyed", "muted", "CYCLES", "NOISE", "BOUNCE"])
@pytest.mark.parametrize("frame", [5, 30, 62])
def test_a_key_beside_a_walk_changes_no_frame_of_further_bakes(make_keyed, kind, frame):
    armature = make_keyed(kind)
    bake(armature, FIRST)
    key_first_bone(armature, frame)
    keyed = sample(armature)
    bake(armature, FIRST, seed=1)
    assert_as_before(sample(armature), keyed, FIRST)
    bake(armature, SECOND, seed=2)
    assert_as_before(sample(armature), keyed, FIRST, SECOND)
    bake(armature, (14, 25), seed=3)
    remove_section(armature, tuple(map(float, SECOND)))
    alone = sample(armature)
    assert np.abs(alone[25:] - keyed[25:]).max() < 1e-4
    assert np.abs(alone[: FIRST[0] - 1] - keyed[: FIRST[0] - 1]).max() < 1e-4


def find_curve(armature):
    path = f'pose.bones["{armature.pose.bones[0].name}"].location'
    return next(c for c in read_curves(armature) if c.data_path == path and not c.array_index)


def drag_handle(curve):
    key = next(k for k in curve.keyframe_points if k.co.x == FIRST[1] + 1)
    key.interpolation = "BEZIER"
    key.handle_right.y += 2.0


def drop_border(curve):
    key = next(k for k in curve.keyframe_points if k.co.x == FIRST[1] + 1)
    curve.keyframe_points.remove(key)


def ease(curve):
    next(k for k in curve.keyframe_points if k.co.x == 50).interpolation = "BOUNCE"


@pytest.mark.parametrize("change", [drag_handle, drop_border, ease])
def test_what_is_changed_of_the_keys_beside_a_walk_is_shown_on(make_keyed, change):
    armature = make_keyed("plain")
    bake(armature, FIRST)
    change(find_curve(armature))
    find_curve(armature).update()
    changed = sample(armature)
    for seed, section in enumerate((SECOND, FIRST, (58, 69))):
        bake(armature, section, seed=seed)
    assert_as_before(sample(armature), changed, FIRST, SECOND, (58, 69))
    remove_section(armature, (58.0, 69.0))
    assert_as_before(sample(armature), changed, FIRST, SECOND)


def test_a_character_that_nothing_else_moves_keeps_its_start_and_what_is_keyed_after_its_walk():
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    armature = make_armature("Hero", chains=2, length=3)
    bake(armature, FIRST)
    key_first_bone(armature, 62)
    after = [find_curve(armature).evaluate(frame) for frame in range(24, 81)]
    for seed in (1, 2):
        bake(armature, FIRST, seed=seed)
        shown = sample(armature)
        # The first bone has no parent; its key lies after the walk, and its start holds before it.
        bone = find_curve(armature)
        assert bone.evaluate(1.0) == bone.evaluate(FIRST[0])
        assert np.abs(shown[0] - shown[FIRST[0] - 1]).max() < 1e-6
        assert [bone.evaluate(f) for f in range(24, 81)] == pytest.approx(after, abs=1e-5)


def test_beside_walks_is_what_a_curve_shows_and_in_them_what_it_did():
    base = make_key_table(np.array([1.0, 80.0]), np.array([0.0, 79.0]))
    found = make_key_table(np.array([10.0, 12.0, 23.0, 30.0]), np.array([5.0, 7.0, 9.0, 2.0]))
    keys = lay_beside(base, found, [FIRST], None, is_bare=False)
    assert keys.co.tolist() == [[10, 5], [11, 6], [12, 11], [23, 22], [24, 8], [30, 2]]


@pytest.mark.parametrize("is_moved", [True, False])
@pytest.mark.parametrize("change", ["handle", "key", "taken away"])
def test_removal_gives_back_the_keys_and_what_was_changed_of_them_alone(
    make_keyed, change, is_moved
):
    armature = make_keyed("plain")
    before = read_curve(find_curve(armature))["keys"]
    bake(armature, FIRST)
    bake(armature, (58, 69), seed=1)
    curve = find_curve(armature)
    key = next(k for k in curve.keyframe_points if k.co.x == 50)
    if change == "handle":
        key.handle_left_type = key.handle_right_type = "FREE"
        key.handle_right.y += 2.0
    elif change == "key":
        key_first_bone(armature, 35)
    else:
        curve.keyframe_points.remove(key)
    curve.update()
    for seed, section in enumerate(((14, 25), (10, 21), (40, 46)) if is_moved else ()):
        bake(armature, section, seed=seed)
    if not is_moved:
        remove_section(armature, tuple(map(float, FIRST)))
    remove_bake(armature)
    curve = find_curve(armature)
    frames = [key.co.x for key in curve.keyframe_points]
    assert frames == {"handle": [1, 20, 50, 75], "key": [1, 20, 35, 50, 75]}.get(
        change, [1, 20, 75]
    )
    # The keys before and after the changed one, and their handles, are as they were.
    after = read_curve(curve)["keys"]
    for old, new in zip(before, after, strict=True):
        assert [old[0], old[-1]] == [new[0], new[-1]]
    if change == "handle":
        assert curve.keyframe_points[2].handle_right.y == pytest.approx(4.0)
        assert curve.keyframe_points[2].handle_right_type == "FREE"
