# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hard starts and sudden stops of the demo's person, on the bones that the scene shows.

A body that is accelerated stands in balance at atan(a / g): that is what its trunk is held against, as
it stands against the same walk without any lean (P. E. di Prampero and others, J Exp Biol 208, 2005).
"""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from tests.scenes import select_only

pytestmark = pytest.mark.newest

RATE, BEGINS, LAST = 48, 60, 160
# Frames in which it gains 3 m/s at 4 m/s^2.
LASTING = 36


@pytest.fixture
def runner():
    """The set-up person who walks, runs and stands."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = RATE, 1, LAST
    armature = create_biped(scene.collection)
    for action in write_gaits(armature, make_biped_shape(), ["walk", "run", "rest"]):
        action.use_fake_user = True
    select_only(armature)
    bpy.ops.anim.locomotion_setup()
    armature.locomotion.travel.source = "STRAIGHT"
    armature.locomotion.travel.use_native_speed = False
    return armature


def key_speeds(armature, first, last):
    """Speeds before and after the change, keyed along a straight line between."""
    travel = armature.locomotion.travel
    for frame, speed in ((1, first), (BEGINS, first), (BEGINS + LASTING, last)):
        travel.speed = speed
        armature.keyframe_insert("locomotion.travel.speed", frame=frame)
    action = armature.animation_data.action
    for curve in action.layers[0].strips[0].channelbags[0].fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    travel.straight_start, travel.straight_stop = (
        ("STAND", "MOVING") if last > first else ("MOVING", "STAND")
    )
    travel.ease = 0.0


def see_trunk(armature, lean):
    """Angle of the trunk ahead in each frame, degrees."""
    assert bpy.ops.anim.locomotion_bake(lean_accelerated=lean) == {"FINISHED"}
    angles = []
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        bones = armature.pose.bones
        way = armature.matrix_world.to_3x3() @ (bones["neck"].head - bones["hips"].head)
        angles.append(np.degrees(np.arctan2(-way.y, way.z)))
    return np.array(angles)


@pytest.mark.parametrize(("first", "last"), [(0.0, 3.0), (3.0, 0.0)])
def test_trunks_lean_as_the_acceleration_asks(runner, first, last):
    key_speeds(runner, first, last)
    seen = see_trunk(runner, 1.0) - see_trunk(runner, 0.0)
    frames = np.arange(1, LAST + 1)
    asked = np.degrees(np.arctan((last - first) / LASTING * RATE / 9.81))
    inside = (frames > BEGINS) & (frames < BEGINS + LASTING)
    off = np.abs(seen - np.where(inside, asked, 0.0)) > 4.0
    edges = np.minimum(np.abs(frames - BEGINS), np.abs(frames - BEGINS - LASTING))
    walked = (frames > 24) & (frames < LAST - 24)
    # Nowhere but within a tenth of a second of the instants at which it sets in and ends.
    assert np.abs(asked) > 20.0
    assert edges[off & walked].max(initial=0) <= 0.1 * RATE
    assert np.abs(seen[inside]).max() > 18.0
