# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections change no frame outside of them, whatever the animator has keyed, and give all back."""

from __future__ import annotations

from functools import partial

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.removal import remove_bake
from semi_procedural_locomotion.blender.bake.section_removal import remove_section
from semi_procedural_locomotion.blender.bake.writing import BakeOptions, commit_bake, find_bake
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from tests.blender.rigs import cycle_rotation_modes, make_armature, read_world_poses

from .test_rollback import find_differences, read_action
from .test_writing import make_poses

LAST = 80
FIRST, SECOND = (12, 23), (45, 56)
KINDS = ("CONSTANT", "LINEAR", "BEZIER", "SINE", "BACK", "BOUNCE", "ELASTIC")
HANDLES = ("FREE", "ALIGNED", "VECTOR", "AUTO", "AUTO_CLAMPED")
MODES = ("rotation_quaternion", "rotation_euler", "rotation_axis_angle")


def read_curves(armature):
    action, slot = versions.get_assigned_action(armature)
    return versions.get_curves(action, slot)


def key_by_hand(armature, seed):
    """Keys of all kinds on some channels of the object and of some bones, others without any."""
    random = np.random.default_rng(seed)
    # On whole and other frames, at the borders of sections, and in them.
    chosen = (
        -3.0,
        1.0,
        6.5,
        11.0,
        11.5,
        12.0,
        17.25,
        23.0,
        24.0,
        33.0,
        44.0,
        45.0,
        50.5,
        61.5,
        90.0,
    )
    for owner in (armature, *armature.pose.bones):
        for name in ("location", "scale", *MODES):
            # Characters of uneven size are refused.
            if random.random() < 0.5 or (owner == armature and name == "scale"):
                continue
            for frame in random.choice(chosen, random.integers(1, 7), replace=False):
                setattr(owner, name, random.normal(1.0, 0.4, len(getattr(owner, name))))
                owner.keyframe_insert(name, frame=frame)
    for curve in read_curves(armature):
        for key in curve.keyframe_points:
            key.interpolation = random.choice(KINDS)
            key.handle_left_type = random.choice(HANDLES)
            key.handle_right_type = random.choice(HANDLES)
            if random.random() < 0.3:
                key.handle_left.y += random.normal()
                key.handle_right.x += 20.0 * random.random()
        curve.update()
        curve.mute = random.random() < 0.1
        if random.random() < 0.15:
            curve.extrapolation = "LINEAR"
        elif random.random() < 0.15:
            curve.modifiers.new("CYCLES")
    for owner in (armature, *armature.pose.bones):
        owner.location = random.normal(size=3)
    # Each channel that nothing moves stands where it was left.
    bpy.context.scene.frame_set(1)


@pytest.fixture
def make_shot():
    def make(seed):
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
        armature = make_armature("Hero", chains=2, length=3)
        cycle_rotation_modes(armature)
        armature.rotation_mode = ("QUATERNION", "XYZ", "AXIS_ANGLE")[seed % 3]
        key_by_hand(armature, seed)
        return armature

    return make


def sample(armature, subframe=0.0):
    """World matrices of all bones and of the object in all frames, shape (N, B + 1, 4, 4)."""
    found = []
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame, subframe=subframe)
        poses = [*read_world_poses(armature).values()]
        found.append(np.array([*poses, np.array(armature.matrix_world)]))
    return np.array(found)


def bake(armature, section, *, seed=0, **choices):
    """Bake a section of arbitrary poses."""
    skeleton = read_skeleton(armature)
    poses = make_poses(skeleton, seed)
    frames = np.linspace(*section, len(poses))
    options = BakeOptions(output_to="object", keep_around=True, **choices)
    return commit_bake(armature, poses, skeleton, frames, options)


def assert_as_before(shown, before, *sections):
    """All frames show what they did, but for those of some sections."""
    frames = np.arange(1, LAST + 1)
    outside = np.all([(frames < a) | (frames > b) for a, b in sections], axis=0)
    apart = np.abs(shown - before).reshape(LAST, -1).max(axis=1)
    size = max(1.0, float(np.abs(before).max()))
    assert apart[outside].max() <= 1e-5 * size, frames[outside & (apart > 1e-5 * size)]
    assert apart[~outside].min() > 0.01


@pytest.mark.parametrize("blends", [{}, {"blend_in": 4, "blend_out": 3}], ids=["bare", "blends"])
@pytest.mark.parametrize("seed", range(6))
def test_sections_leave_all_other_frames_and_come_off_in_either_order(make_shot, seed, blends):
    armature = make_shot(seed)
    source, _ = versions.get_assigned_action(armature)
    before, kept = sample(armature), read_action(source)
    spans = [FIRST, SECOND] if seed % 2 else [SECOND, FIRST]
    bake(armature, spans[0], **blends)
    alone, alone_keys = sample(armature), read_action(find_bake(armature))["curves"]
    inner = [(a + (blends != {}), b - (blends != {})) for a, b in spans]
    assert_as_before(alone, before, inner[0])
    bake(armature, spans[1], seed=1, **blends)
    both = sample(armature)
    assert_as_before(both, before, *inner)
    assert_as_before(both, alone, inner[1])
    both_keys = read_action(find_bake(armature))["curves"]
    for _ in range(5):
        bake(armature, spans[0], **blends)
        bake(armature, spans[1], seed=1, **blends)
    # What is mixed is read from cut curves, in single precision.
    assert blends or find_differences(both_keys, read_action(find_bake(armature))["curves"]) == []
    again = sample(armature)
    assert np.allclose(again, both, atol=2e-6) if blends else np.array_equal(again, both)
    remove_section(armature, tuple(map(float, spans[1])))
    assert np.allclose(sample(armature), alone, atol=2e-6 if blends else 0.0)
    assert blends or find_differences(alone_keys, read_action(find_bake(armature))["curves"]) == []
    bake(armature, spans[1], seed=1, **blends)
    assert np.allclose(sample(armature), both, atol=2e-6)
    remove_section(armature, tuple(map(float, spans[0])))
    assert_as_before(sample(armature), before, inner[1])
    remove_section(armature, tuple(map(float, spans[1])))
    assert versions.get_assigned_action(armature)[0] == source
    assert find_differences(kept, read_action(source)) == []
    assert np.array_equal(sample(armature), before)


def test_sections_that_move_leave_all_other_frames(make_shot):
    armature = make_shot(11)
    before = sample(armature)
    bake(armature, FIRST)
    for section in ((40, 51), (45, 56), (50, 61), (45, 56)):
        bake(armature, section, seed=section[0])
        assert_as_before(sample(armature), before, FIRST, section)
    remove_bake(armature)
    assert np.array_equal(sample(armature), before)


@pytest.mark.parametrize("change", ["key", "handle", "taken away", "moved"])
def test_what_is_changed_between_sections_stays(make_shot, change):
    armature = make_shot(4)
    key = partial(armature.keyframe_insert, "location")
    for frame, place in ((1, 0.0), (32, 1.0), (37, 3.0), (80, 0.0)):
        armature.location = (place, 0.0, 0.0)
        key(frame=frame)
    for curve in read_curves(armature):
        if curve.data_path == "location":
            curve.mute, curve.extrapolation = False, "CONSTANT"
            while len(curve.modifiers):
                curve.modifiers.remove(curve.modifiers[0])
    bake(armature, FIRST)
    curve = next(c for c in read_curves(armature) if c.data_path == "location")
    index = next(i for i, k in enumerate(curve.keyframe_points) if k.co.x == 37.0)
    point = curve.keyframe_points[index]
    if change == "key":
        curve.keyframe_points.insert(35.0, 5.0)
    elif change == "handle":
        point.interpolation = "BEZIER"
        point.handle_left_type = point.handle_right_type = "FREE"
        point.handle_right.y += 3.0
    elif change == "taken away":
        curve.keyframe_points.remove(point)
    else:
        point.co.x += 1.5
    curve.update()
    changed = sample(armature)
    bake(armature, SECOND)
    assert_as_before(sample(armature), changed, SECOND)
    bake(armature, (47, 58))
    assert_as_before(sample(armature), changed, (47, 58))
    remove_section(armature, (47.0, 58.0))
    assert np.abs(sample(armature) - changed).max() < 1e-4


@pytest.mark.parametrize("kind", ["CONSTANT", "LINEAR", "BEZIER"])
def test_curves_are_cut_between_frames_as_well(make_shot, kind):
    armature = make_shot(7)
    for curve in read_curves(armature):
        curve.extrapolation, curve.mute = "CONSTANT", False
        while len(curve.modifiers):
            curve.modifiers.remove(curve.modifiers[0])
        for key in curve.keyframe_points:
            key.interpolation = kind
        curve.update()
    before = sample(armature, 0.4)
    bake(armature, FIRST)
    bake(armature, SECOND, seed=1)
    # Within the frame before and that after each is where the walk is gone over to.
    ends = [(a - 1, b) for a, b in (FIRST, SECOND)]
    assert_as_before(sample(armature, 0.4), before, *ends)


@pytest.mark.parametrize("spans", [(FIRST, SECOND), (SECOND, FIRST)])
def test_a_character_that_nothing_moves_stands_where_its_last_walk_has_ended(spans):
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    armature = make_armature("Hero", chains=2, length=3)
    bake(armature, FIRST)
    shown = sample(armature)
    assert np.array_equal(shown[30:], np.broadcast_to(shown[FIRST[1] - 1], shown[30:].shape))
    remove_bake(armature)
    bpy.context.view_layer.update()
    for span in spans:
        bake(armature, span, seed=int(span == SECOND))
    both = sample(armature)
    assert np.allclose(both[: SECOND[0] - 1], shown[: SECOND[0] - 1], atol=1e-6)
    after = both[SECOND[1] - 1 :]
    assert np.array_equal(after, np.broadcast_to(after[0], after.shape))
    remove_section(armature, tuple(map(float, SECOND)))
    assert np.allclose(sample(armature), shown, atol=1e-6)
