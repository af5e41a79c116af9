# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of joints, kept by walks as the evaluated scene shows them."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.blender.values.joint_limits import read_joint_limits

from ..scenes import add_mesh, add_person

pytestmark = pytest.mark.newest

STEPS, RISE, TREAD = 5, 0.11, 0.34
LAST = 100
ROOM = np.radians(0.0)


def add_stairs():
    """Steps that rise ahead of a person who faces -Y."""
    points, faces = [], []
    for step in range(STEPS + 1):
        front = -0.7 - TREAD * (step - 1) if step else 2.0
        back = -0.7 - TREAD * step if step < STEPS else -9.0
        number = len(points)
        points += [(x, y, RISE * step) for y in (front, back) for x in (-2.0, 2.0)]
        faces.append((number, number + 1, number + 3, number + 2))
    add_mesh("Stairs", points, faces)


def see_angles(armature, name, frames):
    """Euler angles of a bone against its rest pose as the scene shows them, radians, shape (N, 3)."""
    bone, found = armature.data.bones[name], []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[name]
        local = bone.convert_local_to_pose(
            shown.matrix,
            bone.matrix_local,
            parent_matrix=shown.parent.matrix,
            parent_matrix_local=bone.parent.matrix_local,
            invert=True,
        )
        found.append(tuple(local.to_euler("XYZ")))
    return np.array(found)


def test_nothing_is_read_where_nothing_is_limited():
    armature = add_person()
    assert read_joint_limits(armature, ["thigh.L", "shin.L"]) is None
    thigh, shin = armature.pose.bones["thigh.L"], armature.pose.bones["shin.L"]
    shin.lock_ik_y = True
    thigh.use_ik_limit_x, thigh.ik_min_x, thigh.ik_max_x = True, -1.0, 0.5
    constraint = thigh.constraints.new("LIMIT_ROTATION")
    constraint.use_limit_x, constraint.min_x, constraint.max_x = True, -0.5, 1.0
    constraint.use_limit_z, constraint.min_z, constraint.max_z = True, -0.1, 0.1
    assert not np.isfinite(read_joint_limits(armature, ["thigh.L"]).lower[0, 2])
    constraint.owner_space = "LOCAL"
    limits = read_joint_limits(armature, ["thigh.L", "shin.L"])
    assert limits.lower[0, :3] == pytest.approx([-0.5, -np.inf, -0.1])
    assert limits.upper[0, :3] == pytest.approx([0.5, np.inf, 0.1])
    assert limits.free[:, :3].tolist() == [[True, True, True], [True, False, True]]


def test_locks_of_a_chain_that_begins_above_a_leg_do_not_count():
    armature = add_person()
    names = ["thigh.L", "shin.L"]
    thigh, shin = (armature.pose.bones[name] for name in names)
    thigh.lock_ik_x = shin.lock_ik_y = shin.lock_ik_z = True
    # Two angles of the hip and one of the knee put the foot anywhere.
    assert read_joint_limits(armature, names).free[:, :3].sum() == 3
    thigh.lock_ik_y = True
    assert read_joint_limits(armature, names) is None
    shin.use_ik_limit_x, shin.ik_min_x, shin.ik_max_x = True, -1.0, 0.5
    limits = read_joint_limits(armature, names)
    assert limits.free[:, :3].all()
    assert limits.upper[1, 0] == pytest.approx(0.5)


def test_a_knee_with_a_limit_climbs_without_bending_further():
    armature = add_person(is_set_up=True)
    walk = armature.locomotion.motions[armature.locomotion.active_motion].action
    for entry in armature.locomotion.motions:
        if entry.found_kind == "cycle":
            walk = entry.action
    armature.animation_data_create().action = walk
    if hasattr(armature.animation_data, "action_slot"):
        armature.animation_data.action_slot = walk.slots[0]
    own = see_angles(armature, "shin.L", range(1, round(walk.frame_range[1]) + 1))[:, 0]
    armature.animation_data.action = None
    add_stairs()
    bone = armature.pose.bones["shin.L"]
    bone.use_ik_limit_x = True
    bone.ik_min_x, bone.ik_max_x = max(own.min() - ROOM, -np.pi), min(own.max() + ROOM, np.pi)
    most = np.array([bone.ik_min_x, bone.ik_max_x])
    angles = {}
    for method in ("hinge", "automatic"):
        armature.locomotion.settings.ik_method = method.upper()
        result = bpy.ops.anim.locomotion_bake(frame_start=1, frame_end=LAST)
        assert result == {"FINISHED"}
        shown = see_angles(armature, "shin.L", range(1, LAST + 1))[:, 0]
        angles[method] = np.maximum(most[0] - shown, shown - most[1]).max()
    # Without the limit the stairs bend the knee further than the walk does.
    assert angles["hinge"] > np.radians(1.0)
    assert angles["automatic"] < np.radians(0.3)


def limit_knee(armature, most, name="shin.L"):
    """A Limit Rotation that lets a knee bend so far, radians, either way."""
    limit = armature.pose.bones[name].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x, limit.min_x, limit.max_x = True, -most, most
    limit.owner_space = "LOCAL"
    return limit


@pytest.fixture(scope="module")
def free(registered_package):
    """How far the knee is bent on the stairs where nothing limits it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    armature = climb()
    bpy.ops.anim.locomotion_bake()
    return measure_knee(armature)


def climb():
    """The person before stairs."""
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    add_stairs()
    return armature


def measure_knee(armature, name="shin.L"):
    """How far a knee is bent at most in the frames of the walk, radians."""
    return float(np.abs(see_angles(armature, name, range(1, LAST + 1))[:, 0]).max())


@pytest.mark.parametrize("way", ["section", "strip", "live", "set up", "left", "keyed"])
def test_a_limit_of_a_knee_is_seen_at_every_bake_alike(way, free):
    armature, scene = climb(), bpy.context.scene
    most = free - np.radians(4.0)
    limit = limit_knee(armature, most)
    if way == "keyed":
        limit.keyframe_insert("influence", frame=1)
    asked = {"frame_start": 1, "frame_end": LAST} if way == "section" else {}
    armature.locomotion.settings.use_strip = way == "strip"
    found = []
    for _ in range(2):
        assert bpy.ops.anim.locomotion_bake(**asked) == {"FINISHED"}
        scene.frame_set(40)
        assert limit.influence == 0.0
        found.append(measure_knee(armature))
        if way == "live":
            bpy.ops.anim.locomotion_live(action="ON")
            watching.refresh()
            found.append(measure_knee(armature))
            bpy.ops.anim.locomotion_live(action="OFF")
        elif way == "set up":
            bpy.ops.anim.locomotion_setup()
        elif way == "left":
            # The influence stays as the bake has left it.
            armature.animation_data.action = None
    assert max(found) < most + np.radians(0.3)
    assert np.ptp(found) < 1e-4
    if way != "left":
        bpy.ops.anim.locomotion_bake_remove()
        scene.frame_set(1)
        assert limit.influence == 1.0


def test_a_limit_that_comes_after_a_bake_is_seen_and_a_muted_one_is_not(free):
    armature = climb()
    bpy.ops.anim.locomotion_bake()
    most = free - np.radians(4.0)
    limit = limit_knee(armature, most)
    for _ in range(2):
        bpy.ops.anim.locomotion_bake()
        assert measure_knee(armature) < most + np.radians(0.3)
    limit.mute = True
    bpy.ops.anim.locomotion_bake()
    assert measure_knee(armature) == pytest.approx(free, abs=1e-3)
