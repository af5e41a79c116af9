# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fingerprint of a clip: it is another one after each change that plays otherwise."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.clip_inputs import fingerprint_clip

KINDS = ("LINEAR", "BEZIER", "ELASTIC")


@pytest.fixture
def clip():
    """An armature of two bones, and an action of nine curves in one group with keys of all kinds."""
    data = bpy.data.armatures.new("Rig")
    armature = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, height in (("upper", 0.0), ("lower", 1.0)):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = (0.0, 0.0, height), (0.0, 0.0, height + 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    action = bpy.data.actions.new("Clip")
    _, bag = versions.ensure_channelbag(action, armature)
    for bone in ("upper", "lower", "gone"):
        for component in range(3):
            path = f'pose.bones["{bone}"].location'
            curve = versions.add_curve(bag, path, component, "Group")
            for frame, kind in enumerate(KINDS * (component + 1), start=1):
                key = curve.keyframe_points.insert(frame, 0.1 * frame)
                key.interpolation = kind
    # Blender 4.2 keeps what the program knows of an object as a custom property, once it is asked for.
    fingerprint_clip(armature, action)
    return armature, action


def find_curve(armature, action, bone="lower", component=1):
    path = f'pose.bones["{bone}"].location'
    curves = versions.get_curves(action, versions.find_slot(action, armature))
    return next(c for c in curves if (c.data_path, c.array_index) == (path, component))


def move_key(curve):
    curve.keyframe_points[3].co = (4.0, 0.5)


def move_handle(curve):
    key = curve.keyframe_points[1]
    key.handle_right_type = "FREE"
    key.handle_right = (2.5, 3.0)


def change_kind(curve):
    curve.keyframe_points[0].interpolation = "CONSTANT"


def change_ease(curve):
    curve.keyframe_points[2].period = 7.0


def add_key(curve):
    curve.keyframe_points.insert(40.0, 1.0)


def mute(curve):
    curve.mute = True


def mute_group(curve):
    curve.group.mute = True


def extend(curve):
    curve.extrapolation = "LINEAR"


def add_noise(curve):
    curve.modifiers.new("NOISE")


def rename(curve):
    curve.data_path = 'pose.bones["upper"].scale'


CHANGES = (
    *(move_key, move_handle, change_kind, change_ease, add_key, mute, mute_group, extend),
    *(add_noise, rename),
)


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_of_a_curve_is_another_fingerprint(clip, change):
    armature, action = clip
    before = fingerprint_clip(armature, action)
    assert before is not None
    assert fingerprint_clip(armature, action) == before
    change(find_curve(armature, action))
    assert fingerprint_clip(armature, action) != before


def test_keys_that_go_over_from_one_curve_to_the_next_are_another_fingerprint(clip):
    """All keys of all curves in a row are the same then, and the curves are not."""
    armature, action = clip
    first = find_curve(armature, action, "lower", 0)
    second = find_curve(armature, action, "lower", 1)
    for curve, count in ((first, 4), (second, 3)):
        curve.keyframe_points.clear()
        for number in range(count):
            curve.keyframe_points.insert(1.0 + number + (4.0 if curve == second else 0.0), 0.5)
    before = fingerprint_clip(armature, action)
    first.keyframe_points.remove(first.keyframe_points[3])
    second.keyframe_points.insert(4.0, 0.5)
    assert fingerprint_clip(armature, action) != before
