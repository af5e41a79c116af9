# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections over curves that repeat or go on by modifiers and extrapolation."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.edits import find_edited_curves
from semi_procedural_locomotion.blender.bake.removal import remove_bake
from semi_procedural_locomotion.blender.bake.writing import (
    BakeOptions,
    commit_bake,
    find_bake,
)
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.curves import fingerprint_curves
from tests.blender.rigs import make_armature, read_world_poses

from .test_writing import make_poses

LAST = 60
KINDS = ("CYCLES", "NOISE", "GENERATOR", "LINEAR", "PLAIN")
SECTION = BakeOptions(output_to="object", keep_around=True)


@pytest.fixture
def shot():
    """An armature with keys in frames 1, 4 and 8, whose curves go on in another way each."""
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    armature = make_armature("Shot", length=len(KINDS))
    random = np.random.default_rng(3)
    owners = [armature, *armature.pose.bones]
    for frame in (1, 4, 8):
        for owner in owners:
            owner.location = random.normal(size=3)
            owner.keyframe_insert("location", frame=frame)
    # Keys on both sides of every section, so that nothing but them tells the way in between.
    for frame in (1, LAST):
        armature.location.x += 1.0
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)
        for bone in armature.pose.bones:
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    for bone, kind in zip(armature.pose.bones, KINDS, strict=True):
        for curve in read_curves(armature):
            if bone.name not in curve.data_path:
                continue
            if kind == "LINEAR":
                curve.extrapolation = kind
            elif kind == "PLAIN":
                curve.keyframe_points.insert(LAST, 0.5)
            else:
                modifier = curve.modifiers.new(kind)
                if kind == "CYCLES":
                    modifier.mode_after = "REPEAT_OFFSET"
    return armature


def read_curves(armature):
    action, slot = versions.get_assigned_action(armature)
    return versions.get_curves(action, slot)


def sample(armature, last=LAST):
    """World matrices of all bones in all frames, shape (N, B, 4, 4)."""
    found = []
    for frame in range(1, last + 1):
        bpy.context.scene.frame_set(frame)
        found.append(np.array(list(read_world_poses(armature).values())))
    return np.array(found)


def bake(armature, first, last, **choices):
    """Bake a section of arbitrary poses."""
    skeleton = read_skeleton(armature)
    poses = make_poses(skeleton)
    frames = np.linspace(first, last, len(poses))
    return commit_bake(armature, poses, skeleton, frames, replace(SECTION, **choices))


def assert_same_outside(shown, before, *sections):
    """All frames show what they did, but for those of some sections."""
    frames = np.arange(1, len(before) + 1)
    outside = np.all([(frames < a) | (frames > b) for a, b in sections], axis=0)
    assert outside.sum() > 20
    assert np.allclose(shown[outside], before[outside], atol=2e-5)
    assert np.abs(shown[~outside] - before[~outside]).max() > 0.1


def test_frames_outside_of_a_section_are_shown_as_before(shot):
    before, curves = sample(shot), fingerprint_curves(read_curves(shot))
    baked = bake(shot, 20, 31)
    assert baked.shown_span == (1.0, LAST)
    assert_same_outside(sample(shot), before, (20, 31))
    assert find_edited_curves(shot) == []
    remove_bake(shot)
    assert fingerprint_curves(read_curves(shot)) == curves
    assert np.array_equal(sample(shot), before)


def test_sections_that_are_baked_again_leave_the_rest_as_before(shot):
    before = sample(shot)
    bake(shot, 12, 23)
    bake(shot, 40, 51)
    assert_same_outside(sample(shot), before, (12, 23), (40, 51))
    # In place of the second one, with frames of it given back.
    bake(shot, 45, 56, keep_edits=True)
    assert_same_outside(sample(shot), before, (12, 23), (45, 56))
    again = bake(shot, 45, 56, keep_edits=True)
    assert again.changed_count == 0
    # A section alone, so that the first is given back as well.
    bake(shot, 30, 41, keep_around=False)
    assert_same_outside(sample(shot), before, (30, 41))


def test_a_longer_scene_keeps_more_with_the_next_bake(shot):
    before = sample(shot, LAST + 15)
    bake(shot, 20, 31)
    bpy.context.scene.frame_end = LAST + 15
    bake(shot, 20, 31)
    assert_same_outside(sample(shot, LAST + 15), before, (20, 31))


def test_a_section_in_a_strip_keeps_what_goes_on(shot):
    before = sample(shot)
    bake(shot, 20, 31, use_strip=True)
    assert shot.animation_data.action is None
    assert_same_outside(sample(shot), before, (20, 31))
    remove_bake(shot)
    assert np.array_equal(sample(shot), before)


def test_curves_that_are_baked_no_more_get_their_modifiers_back(shot):
    kept = {(c.data_path, c.array_index): [m.type for m in c.modifiers] for c in read_curves(shot)}
    before = sample(shot)
    bake(shot, 20, 31)
    skeleton = read_skeleton(shot)
    poses = make_poses(skeleton)
    only = np.arange(len(skeleton)) == 0
    poses = replace(poses, moved=only, rotated=only)
    commit_bake(shot, poses, skeleton, np.arange(20.0, 32.0), BakeOptions())
    assert find_bake(shot) is not None
    freed = [
        c for c in read_curves(shot) if c.data_path.endswith(f'{KINDS.index("NOISE")}"].location')
    ]
    assert len(freed) == 3
    for curve in freed:
        assert [m.type for m in curve.modifiers] == kept[curve.data_path, curve.array_index]
    remove_bake(shot)
    assert np.array_equal(sample(shot), before)


def test_plain_curves_keep_their_keys(shot):
    for curve in read_curves(shot):
        curve.extrapolation = "CONSTANT"
        while len(curve.modifiers):
            curve.modifiers.remove(curve.modifiers[0])
    baked = bake(shot, 20, 31)
    assert baked.shown_span is None
    for curve in read_curves(shot):
        if curve.data_path.endswith("location"):
            frames = [key.co[0] for key in curve.keyframe_points]
            # Beside the section one more keeps the way there.
            beside = [f for f in frames if not 20 <= f <= 31]
            assert beside in ([1, 4, 8, 19, 32], [1, 4, 8, 19, 32, LAST])
