# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jumps along footsteps as the scene shows them: over a gap of 1.2 m, and down from a wall of 1 m."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.footsteps.objects import list_footsteps
from tests.blender.footsteps.test_objects import add_box
from tests.meters import find_stands, measure_slip, see_feet
from tests.ui.footsteps.test_operators import select, walker  # noqa: F401

pytestmark = pytest.mark.newest
_FEET = (("foot.L", "toe.L"), ("foot.R", "toe.R"))


def find_heights(points):
    """Heights (N,) over blocks that end at y = -2, with the next from -3.2 to -5.7 and a floor below.

    What is in the sides of blocks by less than 5 mm is beside them.
    """
    y, beside = points[:, 1], 0.005
    is_gap = (y < -2.0 + beside) & (y > -3.2 - beside)
    ground = np.where(is_gap, -1.5, np.where(y < -5.7 + beside, -1.0, 0.0))
    return points[:, 2] - ground


def add_blocks():
    """The ground that `find_heights` knows."""
    add_box("Near", (4.0, 4.0, 1.5), (0.0, 0.0, -0.75))
    add_box("Far", (4.0, 2.5, 1.5), (0.0, -4.45, -0.75))
    add_box("Floor", (4.0, 9.0, 1.0), (0.0, -10.2, -1.5))


def place(leg, y, z=0.0, jump=False):
    """A footstep."""
    x = 0.06 if leg == "Left" else -0.06
    assert bpy.ops.view3d.footsteps_place(location=(x, y, z), leg=leg, jump=jump) == {"FINISHED"}


@pytest.fixture
def jumper(walker):  # noqa: F811
    """The person with footsteps over the gap and down from the wall, baked."""
    add_blocks()
    for leg, y in (("Left", -0.6), ("Right", -1.2), ("Left", -1.8), ("Right", -1.8)):
        place(leg, y)
    place("Left", -3.45, jump=True)
    place("Right", -3.45, jump=True)
    place("Left", -4.1)
    place("Right", -4.8)
    place("Left", -5.52)
    place("Right", -6.4, -1.0, jump=True)
    place("Left", -7.0, -1.0)
    walker.locomotion.travel.source = "FOOTSTEPS"
    bpy.context.scene.frame_end = 230
    select(walker)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    return walker


def find_flights(feet):
    """First and last row of each time in which nothing touches the ground for long."""
    lowest = np.min([-foot.depths.max(axis=1) for foot in feet], axis=0)
    rows = np.flatnonzero(np.diff(np.concatenate([[0], lowest > 0.03, [0]])))
    return [(a, b) for a, b in rows.reshape(-1, 2) if b - a > 4]


def test_a_character_jumps_and_lands_where_it_is_to(jumper):
    frames = range(1, 225)
    feet = see_feet(jumper, _FEET, frames, find_heights)
    first, second = find_flights(feet)
    hips, carrier = [], []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        hips.append(jumper.matrix_world @ jumper.pose.bones["hips"].head)
        carrier.append(jumper.matrix_world.translation.z)
    hips = np.array(hips)
    # The object goes down with the body, not in one frame.
    assert min(carrier) == pytest.approx(-1.0, abs=0.01)
    assert np.abs(np.diff(carrier)).max() < 0.25
    for begin, end in (first, second):
        falls = np.diff(hips[begin + 1 : end - 1], 2, axis=0) * 24.0**2
        assert np.median(falls[:, 2]) == pytest.approx(-9.81, abs=0.5)
        assert np.abs(np.median(falls[:, :2], axis=0)).max() < 0.2
        # Knees give way after.
        assert hips[end : end + 8, 2].min() < hips[end - 1, 2] - 0.05
    # Sunk by no more than a sole, and where feet stand they do not slip.
    assert max(foot.depths.max() for foot in feet) < 0.01
    assert measure_slip(feet, find_stands(feet, 0.8, 24.0), 0.004) < 0.02
    steps = list_footsteps(jumper)
    starts = [step.locomotion_footstep.start for step in steps]
    assert starts[4] == pytest.approx(starts[5], abs=0.01)
    assert starts[4] == pytest.approx(frames[first[1]], abs=1.5)
    assert starts[9] == pytest.approx(frames[second[1]], abs=1.5)
    assert not any(step.locomotion_footstep.is_lost for step in steps)
    assert not jumper.locomotion.report.warnings


def test_a_walk_straight_ahead_jumps_gaps_by_choice(walker):  # noqa: F811
    add_blocks()
    travel = walker.locomotion.travel
    travel.source, travel.straight_start, travel.jump_gaps = "STRAIGHT", "STAND", True
    bpy.context.scene.frame_end = 150
    select(walker)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not walker.locomotion.report.warnings
    feet = see_feet(walker, _FEET, range(1, 151), find_heights)
    assert len(find_flights(feet)) == 2
    assert max(foot.depths.max() for foot in feet) < 0.01
    # A gap that is wider than the longest jump is told as ever.
    bpy.ops.anim.locomotion_bake(longest_jump=1.0)
    assert "no ground" in walker.locomotion.report.warnings


def test_footsteps_on_ground_that_moves_are_jumped_to(walker):  # noqa: F811
    float_ = add_box("Float", (4.0, 12.0, 1.0), (0.0, 0.0, -0.5))
    float_.location.y = -4.0
    float_.keyframe_insert("location", frame=1)
    float_.location.x = 1.5
    float_.keyframe_insert("location", frame=150)
    bpy.context.scene.frame_set(1)
    for leg, y in (("Left", -0.6), ("Right", -1.2), ("Left", -1.8)):
        place(leg, y)
    place("Right", -3.0, jump=True)
    place("Left", -3.0, jump=True)
    walker.locomotion.travel.source = "FOOTSTEPS"
    bpy.context.scene.frame_end = 130
    select(walker)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not walker.locomotion.report.warnings
    feet = see_feet(walker, _FEET, range(40, 100), lambda points: points[:, 2])
    assert len(find_flights(feet)) == 1
    starts = [step.locomotion_footstep.start for step in list_footsteps(walker)]
    assert starts[3] == pytest.approx(starts[4], abs=0.01)


def test_a_trench_is_flown_over_and_what_is_not_is_told(walker):  # noqa: F811
    """Whose far side is level with the near one, whatever moves elsewhere."""
    add_box("Near", (4.0, 4.0, 2.0), (0.0, -1.0, -1.0))
    add_box("Far", (4.0, 7.0, 2.0), (0.0, -7.7, -1.0))
    add_box("Trench", (4.0, 3.0, 1.0), (0.0, -3.6, -1.0))
    bird = add_box("Bird", (0.3, 0.3, 0.3), (20.0, 20.0, 5.0))
    bird.keyframe_insert("location", frame=1)
    bird.location.x -= 9.0
    bird.keyframe_insert("location", frame=90)
    travel = walker.locomotion.travel
    travel.source, travel.jump_gaps = "STRAIGHT", True
    bpy.context.scene.frame_end = 110
    select(walker)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not walker.locomotion.report.warnings
    feet = see_feet(
        walker,
        _FEET,
        range(1, 111),
        lambda points: points[:, 2] + 0.5 * (np.abs(points[:, 1] + 3.6) < 0.6),
    )
    assert len(find_flights(feet)) == 1
    low = [foot.depths.max(axis=1) for foot in feet]
    assert np.max(low) < 0.01
    bpy.ops.anim.locomotion_bake(longest_jump=0.5)
    assert "not jumped, for no ground lies within Longest Jump" in walker.locomotion.report.warnings
    travel.use_native_speed, travel.speed = False, 1.2
    walker.keyframe_insert("locomotion.travel.speed", frame=1)
    bpy.ops.anim.locomotion_bake()
    assert "not jumped, for its speed is keyed" in walker.locomotion.report.warnings


def test_jumps_are_turned_on_and_off_and_copied(walker):  # noqa: F811
    bpy.ops.object.footsteps_generate(count=6)
    steps = list_footsteps(walker)
    select(*steps[2:4])
    assert bpy.ops.object.footsteps_jump() == {"FINISHED"}
    assert [step.locomotion_footstep.is_jump for step in steps] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    bpy.ops.object.footsteps_copy()
    select(walker)
    bpy.ops.object.footsteps_paste()
    assert all(step.locomotion_footstep.is_jump for step in list_footsteps(walker)[6:])
    select(*steps[2:4])
    bpy.ops.object.footsteps_jump(step=True)
    assert not any(step.locomotion_footstep.is_jump for step in steps)


def test_jumps_of_a_corrected_plan_are_told_to_be_idle(walker):  # noqa: F811
    walker.locomotion.travel.source = "STRAIGHT"
    bpy.context.scene.frame_end = 60
    bpy.ops.object.footsteps_from_plan()
    step = list_footsteps(walker)[2]
    select(step)
    bpy.ops.object.footsteps_jump()
    select(walker)
    bpy.ops.anim.locomotion_bake()
    assert f"{step.name!r} shall be jumped to, and only" in walker.locomotion.report.warnings
    step.locomotion_footstep.is_jump = False
    bpy.ops.anim.locomotion_bake()
    assert "jump" not in walker.locomotion.report.warnings
