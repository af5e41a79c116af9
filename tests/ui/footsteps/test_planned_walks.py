# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From Plan, then Travel along Footsteps: the same walk in the same frames."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.footsteps.objects import list_footsteps
from tests.ui.footsteps.test_operators import walker  # noqa: F401

pytestmark = pytest.mark.newest


def bake(armature):
    """Frame range and heads of all bones as shown in each frame, world, metres."""
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    first, last = (int(frame) for frame in armature.animation_data.action.frame_range)
    shown = []
    for frame in range(first, last + 1, 3):
        bpy.context.scene.frame_set(frame)
        heads = [bone.head for bone in armature.pose.bones]
        shown.append([armature.matrix_world @ head for head in heads])
    return (first, last), np.array(shown)


@pytest.mark.parametrize("source", ["STRAIGHT", "POINTS"])
def test_a_walk_along_the_footsteps_of_its_plan_is_the_same(walker, source):  # noqa: F811
    travel = walker.locomotion.travel
    travel.source = source
    for place in ((0.0, 0.0), (0.0, -2.5)):
        travel.points.add().location = place
    frames, shown = bake(walker)
    bpy.ops.object.footsteps_from_plan()
    times = [step.locomotion_footstep.time for step in list_footsteps(walker)]
    names = [step.name for step in list_footsteps(walker)]
    travel.source = "FOOTSTEPS"
    again, walked = bake(walker)
    assert again == frames
    # A step whose rows are just kept may be solved in one of both walks.
    assert walked == pytest.approx(shown, abs=1e-2)
    bpy.ops.object.footsteps_from_plan()
    steps = list_footsteps(walker)
    assert [step.name for step in steps] == names
    # Feet that only stand at first do so since before the walk.
    new = [step.locomotion_footstep.time for step in steps]
    assert new[2:] == pytest.approx(times[2:], abs=1e-3)
    steps[3].location.x += 0.1
    moved, _ = bake(walker)
    assert moved == pytest.approx(frames, abs=3)
    # A step of one's own has no time in the plan.
    bpy.ops.object.footsteps_generate(count=1, start_over=False)
    assert bake(walker)[0][1] > frames[1]
