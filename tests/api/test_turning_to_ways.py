# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks aside of where a character faces, as the scene shows them."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from tests.meters import find_stands, level_heights, measure_slip, see_feet
from tests.scenes import add_person
from tests.ui.footsteps.test_operators import select

pytestmark = pytest.mark.newest
LAST = 80


@pytest.fixture
def strafer():
    """The set-up person, whose object is keyed to go half to its left and to face ahead."""
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    for frame, way in ((1, 0.0), (LAST, 1.3 * (LAST - 1) / 24.0)):
        armature.location = (way * np.sqrt(0.5), -way * np.sqrt(0.5), 0.0)
        armature.keyframe_insert("location", frame=frame)
    armature.locomotion.travel.source = "OBJECT"
    select(armature)
    return armature


def find_turn(armature, bone):
    """Turn of a bone about up against its rest, radians."""
    posed = armature.matrix_world.to_3x3() @ armature.pose.bones[bone].matrix.to_3x3()
    ahead = np.array(posed @ armature.data.bones[bone].matrix_local.to_3x3().inverted()) @ [
        0,
        -1,
        0,
    ]
    return float(np.arctan2(ahead[0], -ahead[1]))


def see(armature):
    """Turns of hips and chest in the middle frames, (N, 2), and the slip of the feet there."""
    turns = []
    for frame in range(30, 70):
        bpy.context.scene.frame_set(frame)
        turns.append([find_turn(armature, bone) for bone in ("hips", "chest")])
    assert armature.matrix_world.to_euler().z == pytest.approx(0.0)
    feet = see_feet(
        armature, (("foot.L", "toe.L"), ("foot.R", "toe.R")), range(30, 70), level_heights
    )
    slip = measure_slip(feet, find_stands(feet, 0.8, 24.0), 0.004)
    ways = [
        np.linalg.norm(np.diff(foot.points.mean(axis=1), axis=0), axis=1).max() for foot in feet
    ]
    return np.array(turns), slip, max(ways)


def test_hips_turn_to_the_way_and_the_chest_stays(strafer):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    turns, slip, swing = see(strafer)
    assert np.degrees(turns.mean(axis=0)) == pytest.approx([45.0, 0.0], abs=3.0)
    assert slip < 0.01
    assert not strafer.locomotion.report.warnings
    # To the side it takes short quick steps instead.
    bpy.ops.anim.locomotion_bake(turn_to_way=0.0)
    aside, _, quick = see(strafer)
    assert np.degrees(aside.mean(axis=0)) == pytest.approx([0.0, 0.0], abs=3.0)
    assert "quicker and shorter" in strafer.locomotion.report.warnings
    assert swing > 1.15 * quick
