# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks along curves and paths: rounds, ease, headings, keyed speeds, in panels, calls and jobs."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from benchmarks.terrain_shapes import make_height_grid
from semi_procedural_locomotion.api import bake_job
from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.api.setups import bake_set_up, write_travel
from semi_procedural_locomotion.blender.bake.inputs import fingerprint_inputs
from semi_procedural_locomotion.blender.travel.reading import key_travel_speed
from semi_procedural_locomotion.demo.stage import create_terrain
from semi_procedural_locomotion.errors import TravelError
from semi_procedural_locomotion.jobs.reading import read_job
from semi_procedural_locomotion.requests.travels import AlongCurve, AlongPoints, StraightAhead
from tests.scenes import add_person

pytestmark = pytest.mark.newest

# Bars of the numbers for a walk over hills; lengths are shares of the leg.
STUDY = {
    "feet_slide_worst": 0.005,
    "feet_sink_worst": 0.006,
    "shown_float_p99": 0.015,
    "shown_swing_depth_worst": 0.018,
    "shown_knee_speed_ratio": 2.5,
}


@pytest.fixture
def walker():
    """A set-up person without any ground."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 150
    return armature


def draw_ring(radius, height=0.0):
    """A closed Bezier curve about the origin, which begins at (radius, 0)."""
    data = bpy.data.curves.new("Ring", "CURVE")
    data.dimensions, data.resolution_u = "3D", 24
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(3)
    for number, point in enumerate(spline.bezier_points):
        angle = 0.5 * np.pi * number
        point.co = (radius * np.cos(angle), radius * np.sin(angle), height * (number % 2))
        point.handle_left_type = point.handle_right_type = "AUTO"
    spline.use_cyclic_u = True
    ring = bpy.data.objects.new("Ring", data)
    bpy.context.scene.collection.objects.link(ring)
    return ring


def make_hill(size, rise):
    """A round hill beside the middle, so that a way about the middle goes up and down."""
    places = np.linspace(-size, size, 81)
    x, y = np.meshgrid(places, places, indexing="ij")
    heights = rise * np.exp(-((x - 0.4 * size) ** 2 + y**2) / (0.3 * size) ** 2)
    grid = make_height_grid(heights, float(places[1] - places[0]), (-size, -size))
    return create_terrain(grid, "Hill", bpy.context.scene.collection)


def walk_ring(armature, **changed):
    """Bake a walk about the ring."""
    request = AlongCurve("Ring", **changed)
    write_travel(armature, request, "object")
    return bake_set_up(armature, bpy.context.scene)


def read_places(armature, frames):
    """Places (N, 3) and turns about up (N,) of the baked object."""
    places, turns = [], []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        places.append(armature.matrix_world.translation[:])
        turns.append(armature.matrix_world.to_euler().z)
    return np.array(places), np.unwrap(turns)


def test_two_eased_rounds_over_a_hill_reach_the_study(walker):
    draw_ring(3.0, height=2.0)
    make_hill(8.0, 1.2)
    result = walk_ring(walker, rounds=2.0, ease=2.0)
    first, last = result.frames
    places, turns = read_places(walker, range(first, last + 1))
    assert abs(turns[-1] - turns[0]) == pytest.approx(4 * np.pi, abs=0.3)
    # It goes over the hill twice, whatever the height of the curve.
    assert np.ptp(places[:, 2]) == pytest.approx(1.1, abs=0.3)
    speeds = np.hypot(*np.diff(places[:, :2], axis=0).T) * 24.0
    assert speeds[:6].max() < 0.1 * speeds.max()
    assert speeds[-6:].max() < 0.1 * speeds.max()
    over = {
        key: value
        for key, limit in STUDY.items()
        if (value := result.report.list_numbers()[key]) > limit + 1e-3
    }
    assert not over, result.report


def test_no_rounds_go_on_until_the_scene_ends(walker):
    draw_ring(1.0)
    bpy.context.scene.frame_end = 400
    result = walk_ring(walker, rounds=0.0)
    assert result.frames == (1, 400)
    places, turns = read_places(walker, range(1, 401, 10))
    assert abs(turns[-1] - turns[0]) > 4 * np.pi
    assert np.allclose(np.hypot(*places[:, :2].T), 1.0, atol=0.05)


def test_a_kept_heading_walks_the_way_sideways_and_backwards(walker):
    draw_ring(3.0)
    result = walk_ring(walker, heading="kept")
    places, turns = read_places(walker, range(result.frames[0], result.frames[1], 20))
    assert np.allclose(turns, 0.0, atol=1e-3)
    assert np.ptp(places[:, 0]) == pytest.approx(6.0, abs=0.3)


def test_keyed_speeds_are_walked_at_their_frames_and_stay_keyed(walker):
    scene = bpy.context.scene
    write_travel(walker, AlongPoints(((0.0, 0.0), (0.0, -8.0)), speed=1.0), "object")
    keys = [(1, 1.2), (60, 1.2), (72, 0.0), (120, 0.0), (132, 0.6)]
    key_travel_speed(walker, keys)
    result = bake_set_up(walker, scene)
    frames = np.arange(result.frames[0], result.frames[1] + 1)
    places, _ = read_places(walker, frames)
    speeds = np.gradient(places[:, 1], frames / 24.0)
    assert -np.interp([50, 96, 180], frames, speeds) == pytest.approx([1.2, 0.0, 0.6], abs=0.06)
    assert places[-1, 1] == pytest.approx(-8.0, abs=0.01)
    # The keys are in force in the bake's own action: shown, measured, and walked again.
    scene.frame_set(180)
    assert walker.locomotion.travel.speed == pytest.approx(0.6)
    again = bake_set_up(walker, scene)
    assert again.frames == result.frames
    key_travel_speed(walker, [(1, 1.2), (2, 1.2)])
    faster = bake_set_up(walker, scene)
    assert faster.frames[1] < result.frames[1] - 60
    assert measure_baked(walker, scene).report.shown_slip_worst < 0.005


def test_going_to_another_frame_changes_no_input_of_a_keyed_speed(walker):
    scene = bpy.context.scene
    walker.locomotion.travel.use_native_speed = False
    key_travel_speed(walker, [(1, 1.0), (100, 2.0)])
    scene.frame_set(1)
    before = fingerprint_inputs(walker, scene)
    scene.frame_set(50)
    assert fingerprint_inputs(walker, scene) == before
    key_travel_speed(walker, [(1, 1.0), (100, 2.5)])
    assert fingerprint_inputs(walker, scene) != before


def test_straight_on_follows_keyed_speeds_and_stops_for_none(walker):
    scene = bpy.context.scene
    write_travel(walker, StraightAhead(speed=1.0), "object")
    key_travel_speed(walker, [(1, 1.0), (48, 1.0), (60, 0.0)])
    bake_set_up(walker, scene)
    places, _ = read_places(walker, (1, 48, 100, 150))
    assert places[0, 1] - places[1, 1] == pytest.approx(47 / 24, abs=0.02)
    assert places[2, 1] == pytest.approx(places[3, 1], abs=1e-3)
    key_travel_speed(walker, [(1, 0.0)])
    bpy.ops.anim.locomotion_bake_remove()
    walker.animation_data_clear()
    with pytest.raises(TravelError, match="must be above 0 m/s"):
        bake_set_up(walker, scene)


def test_a_call_sets_rounds_ease_and_heading(walker):
    draw_ring(1.5)
    bpy.context.view_layer.objects.active = walker
    bpy.ops.anim.locomotion_bake(travel="CURVE", curve="Ring", rounds=2.0, ease=3.0, heading="KEPT")
    long = read_places(walker, (1, 30, 90))[1]
    assert np.allclose(long, 0.0, atol=1e-3)
    places, _ = read_places(walker, range(1, 40))
    # Three seconds from standing to full speed.
    speeds = np.hypot(*np.diff(places[:, :2], axis=0).T) * 24.0
    assert 0.2 < speeds[-1] < 0.9
    # The set-up stays as it was.
    assert walker.locomotion.travel.source == "STRAIGHT"
    assert walker.locomotion.travel.rounds == 1.0


def test_a_job_walks_a_curve_with_all_choices(walker, tmp_path):
    draw_ring(1.5)
    walker.animation_data_clear()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hero.blend"))
    job = tmp_path / "hero.toml"
    job.write_text(
        '[[character]]\nblend = "hero.blend"\n[character.travel]\ncurve = "Ring"\nrounds = 1.5\n'
        'ease = 2\nheading = "kept"\nspeed = [[1, 0.5], [40, 1.5]]\nstop = "moving"\n',
        encoding="utf-8",
    )
    bake_job(read_job(job), tmp_path / "out.blend")
    armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    travel = armature.locomotion.travel
    assert (travel.rounds, travel.ease, travel.heading) == (1.5, 2.0, "KEPT")
    assert not travel.use_native_speed
    last = bpy.context.scene.frame_end
    places, turns = read_places(armature, (1, last))
    assert np.allclose(turns, 0.0, atol=1e-3)
    assert np.allclose(places[-1, :2], [-1.5, 0.0], atol=0.1)
    bpy.context.scene.frame_set(40)
    assert travel.speed == pytest.approx(1.5)
