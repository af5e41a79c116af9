# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that is far from where the walk starts, or steeper than soles lie on, is told."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import terrain_shapes
from benchmarks.mesh_grounds import MeshGround
from benchmarks.terrain_shapes import make_flat
from semi_procedural_locomotion.core.ground.terrain import FlatGround, MovingGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.ground_notes import note_far_ground, note_steep_ground
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import Travel, make_straight_travel
from semi_procedural_locomotion.notes import NoteKind
from tests.core.walkers import facing_of, make_walker, native_walk


@pytest.mark.parametrize(
    ("lengths", "told"),
    [(0.0, False), (-2.5, False), (2.5, False), (-3.5, True), (3.5, True), (-50.0, True)],
)
def test_only_far_ground_is_told(lengths, told):
    rig, motions = make_walker()
    ahead = native_walk(motions).velocity
    travel = make_straight_travel(np.array([0.0, 0.0, 2.0]), 0.0, ahead, 0.0, 2.0)
    ground = FlatGround(2.0 + lengths * rig.leg_length)
    notes = note_far_ground(NotedSpan(make_plan(rig, motions, travel, ground), 0.5, 2.0, 24.0))
    assert len(notes) == told
    if told:
        assert notes[0].kind is NoteKind.GROUND_FAR
        assert notes[0].values["height"] == pytest.approx(lengths * rig.leg_length)
        assert notes[0].values["lengths"] == pytest.approx(lengths)


@pytest.mark.parametrize("height", [-5.0, 5.0])
def test_a_lift_that_goes_far_with_one_who_stands_on_it_is_not_told(height):
    rig, motions = make_walker()

    def rise(times):
        share = np.clip((times - 1.0) / 3.0, 0.0, 1.0)
        return np.outer(share, [0.0, 0.0, height]), 0.0 * times

    lift = MovingGround(MeshGround(*make_flat(9.0, 3.0)), rise)
    times = np.linspace(0.0, 6.0, 61)
    stand = Travel(times, rise(times)[0], np.zeros(61))
    plan = make_plan(rig, motions, stand, lift)
    assert note_far_ground(NotedSpan(plan, 0.5, 2.0, 24.0)) == []
    below = replace(plan, travel=replace(stand, positions=stand.positions - [0.0, 0.0, 9.0]))
    (note,) = note_far_ground(NotedSpan(below, 0.5, 2.0, 24.0))
    assert note.kind is NoteKind.GROUND_FAR


def note_slopes(make_ground, legs=2, limit=45.0, seconds=8.0):
    """Walk straight on over a ground that is made for a leg, a stride and a heading."""
    rig, motions = make_walker(("walk" if legs == 2 else "trot",), legs)
    walk = native_walk(motions)
    ground = make_ground(rig.leg_length, walk.stride, facing_of(walk) - np.pi / 2)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, seconds)
    settings = PlanSettings(max_slope=np.radians(limit))
    plan = make_plan(rig, motions, travel, ground, settings)
    return plan, note_steep_ground(NotedSpan(plan, 0.0, seconds, 24.0))


def mesh_ground(shape):
    return MeshGround(shape.vertices, shape.triangles)


@pytest.mark.parametrize(
    ("degrees", "limit", "told", "legs"),
    [
        (35, 45, False, 2),
        (45, 45, False, 2),
        (46, 45, True, 2),
        (60, 45, True, 2),
        (60, 45, True, 4),
        (60, 65, False, 2),
        (20, 15, True, 2),
    ],
)
def test_slopes_beyond_the_limit_are_told_with_their_place(degrees, limit, told, legs):
    def make_ground(*sizes):
        return mesh_ground(terrain_shapes.make_ramp(*sizes, slope=np.radians(degrees)))

    plan, notes = note_slopes(make_ground, legs, limit)
    assert [note.kind for note in notes] == [NoteKind.GROUND_STEEP] * told
    if not told:
        return
    (note,) = notes
    assert (note.values["slope"], note.values["limit"]) == (degrees, limit)
    # The ramp begins 1.6 strides ahead, goes up for two, is level for two, and goes down for two.
    walk = native_walk(plan.tables.motion_set)
    unit = walk.velocity[:2] / walk.speed / walk.stride
    foot = float(plan.tables.rig.foot_lengths.max()) / walk.stride
    first = note.place[:2] @ unit
    assert 1.6 - foot < first < 3.6
    assert note.frame == pytest.approx(24.0 * first * walk.period, abs=18.0 * walk.period)
    ways = np.concatenate([row.positions[row.times <= 8.0, :2] @ unit for row in plan.prints.rows])
    whole = ((ways > 1.6) & (ways < 3.6 - foot)) | ((ways > 5.6) & (ways < 7.6 - foot))
    touching = ((ways > 1.6 - foot) & (ways < 3.6)) | ((ways > 5.6 - foot) & (ways < 7.6))
    assert whole.sum() <= note.values["steps"] <= touching.sum()


@pytest.mark.parametrize("degrees", [35, 50, 70])
def test_slopes_across_the_way_are_told(degrees):
    def make_ground(length, stride, heading):
        across = np.array([np.cos(heading), np.sin(heading)])
        corners = 20.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        heights = np.tan(np.radians(degrees)) * (corners @ across)
        return MeshGround(np.column_stack([corners, heights]), np.array([[0, 1, 2], [0, 2, 3]]))

    plan, notes = note_slopes(make_ground, seconds=3.0)
    assert [note.values["slope"] for note in notes] == [degrees] * (degrees > 45)
    if notes:
        times = np.concatenate([row.times[~row.parked] for row in plan.prints.rows])
        assert notes[0].values["steps"] == np.sum((times >= 0.0) & (times <= 3.0))


@pytest.mark.parametrize("legs", [2, 4])
@pytest.mark.parametrize(
    "name",
    [
        "flat",
        "stairs",
        "side_slope",
        "bumps",
        "blocks",
        "gap",
        "platform",
        "stepping_stones",
        "bridge",
    ],
)
def test_stairs_kerbs_and_bumps_are_no_steep_ground(name, legs):
    make = getattr(terrain_shapes, f"make_{name}")
    assert note_slopes(lambda *sizes: mesh_ground(make(*sizes)), legs)[1] == []


def make_rough_grid(length, height):
    """Rubble: corners of a grid at heights by chance, up to a share of the leg."""
    axis = np.linspace(-12.0, 12.0, 241) * length
    x, y = np.meshgrid(axis, axis, indexing="ij")
    z = np.random.default_rng(3).uniform(0.0, height * length, x.shape)
    first = (np.arange(240)[:, None] * 241 + np.arange(240)).ravel()
    faces = np.stack([first, first + 241, first + 242, first, first + 242, first + 1], axis=1)
    return MeshGround(np.stack([x, y, z], axis=-1).reshape(-1, 3), faces.reshape(-1, 3))


def test_rubble_with_steep_faces_smaller_than_a_sole_is_not_told():
    assert note_slopes(lambda length, *_: make_rough_grid(length, 0.15), seconds=4.0)[1] == []


@pytest.mark.parametrize(("degrees", "told"), [(35, False), (60, True)])
def test_steep_ground_that_moves_is_told_where_it_is(degrees, told):
    def make_ground(*sizes):
        # At 8 s the ramp stands where it was made, and 2 m beside that at the start.
        ramp = terrain_shapes.make_ramp(*sizes, slope=np.radians(degrees))
        return MovingGround(
            mesh_ground(ramp),
            lambda times: (np.outer(times - 8.0, [0.25, 0.0, 0.0]), 0.0 * times),
        )

    _, notes = note_slopes(make_ground)
    assert [note.values["slope"] for note in notes] == [degrees] * told
