# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is planned of long walks of which little is asked for, and what is refused beforehand."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.core import plan
from semi_procedural_locomotion.errors import TravelError
from tests.scenes import add_person

pytestmark = pytest.mark.newest

LEG = 0.817
PATH = ((0.0, 0.0), (0.0, -30.0), (20.0, -40.0), (20.0, -90.0))


@pytest.fixture
def ready():
    """The project's person, set up, on a long way."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 60
    armature = add_person(is_set_up=True)
    setups.write_travel(armature, api.AlongPoints(PATH), "object")
    return armature


def see_walk(armature, frames):
    """World places of all joints as the scene shows them, shape (F, B, 3)."""
    seen = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        world = armature.matrix_world
        seen.append([world @ bone.head for bone in armature.pose.bones])
    return np.array(seen)


@pytest.mark.parametrize("frames", [(1, 60), (400, 460)])
def test_a_section_is_the_same_as_in_the_whole_walk_and_the_rest_is_not_planned(ready, frames):
    scene = bpy.context.scene
    whole = api.bake_set_up(ready, scene)
    shown = range(max(frames[0] - 5, 1), frames[1] + 10, 5)
    expected = see_walk(ready, shown)
    part = api.bake_set_up(ready, scene, frames)
    assert part.plan.grid.count < 0.65 * whole.plan.grid.count
    assert np.abs(see_walk(ready, shown) - expected).max() < 1e-5 * LEG


def test_a_plan_beyond_all_memory_is_refused_before_it_begins(ready, monkeypatch):
    def fail(*_):
        raise AssertionError("planned")

    monkeypatch.setattr(plan, "ride_world", fail)
    setups.write_travel(ready, api.StraightAhead(), "object")
    ready.locomotion.settings.grid_rate = 2000.0
    bpy.context.scene.frame_end = 100_000
    with pytest.raises(TravelError, match=r"would take about \d+ GB .* and \d+ minutes") as told:
        api.bake_set_up(ready, bpy.context.scene)
    assert "`grid_rate`" in told.value.job_text


def test_keys_far_from_a_travel_are_refused_by_their_frames(ready):
    ready.animation_data_clear()
    for frame, y in ((1, 0.0), (60, -2.0), (1_000_000, -2.0)):
        ready.location.y = y
        ready.keyframe_insert("location", frame=frame)
    ready.locomotion.travel.source = "OBJECT"
    with pytest.raises(TravelError, match="go from frame 1 to 1000000"):
        api.bake_set_up(ready, bpy.context.scene)
