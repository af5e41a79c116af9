# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that hardly move, as the scene shows their feet."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from tests.meters import level_heights, see_feet
from tests.scenes import add_person

pytestmark = pytest.mark.newest

LAST = 241
FEET = [[f"{part}.{side}" for part in ("foot", "toe")] for side in "LR"]


@pytest.mark.parametrize(("way", "steps"), [(0.25, True), (0.04, False)])
def test_a_moving_hold_takes_steps_where_it_adds_up_to_some(way, steps):
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, LAST
    armature.animation_data_clear()
    for frame, place in ((1, 0.0), (LAST, -way)):
        armature.location = (0.0, place, 0.0)
        armature.keyframe_insert("location", frame=frame)
    for curve in versions.get_curves(*versions.get_assigned_action(armature)):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    armature.locomotion.travel.source = "OBJECT"
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    feet = see_feet(armature, FEET, range(1, LAST + 1, 3), level_heights)
    for foot in feet:
        middles = foot.points.mean(axis=1)
        moved = np.hypot(*np.diff(middles[:, :2], axis=0).T)
        if not steps:
            assert moved.max() < 1e-3
            continue
        # Part of it stays for most of the time: a heel that rises early takes the middle along. It
        # is lifted to move, and keeps up with the body.
        stays = np.hypot(*np.diff(foot.points[..., :2], axis=0).T).min(axis=0)
        assert np.mean(stays < 1e-3) > 0.7
        assert foot.lows[1:][moved > 0.01].max() > 0.01
        low = (foot.lows[1:] < 0.002) & (foot.lows[:-1] < 0.002)
        assert moved[low].max() < 0.01
        assert middles[0, 1] - middles[-1, 1] == pytest.approx(way, abs=0.12)
    assert np.min([foot.lows for foot in feet], axis=0).max() < 0.005
