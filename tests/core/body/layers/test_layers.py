# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers over a walk: what they show, where they fade, and that feet stand all the same."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import terrain_shapes
from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.body.layers.laying import keep_ankles, lay_over_body
from semi_procedural_locomotion.core.body.layers.masks import (
    find_leg_bones,
    find_upper_body,
    find_whole_body,
    make_shares,
)
from semi_procedural_locomotion.core.body.layers.reading import find_rows, weigh_layer
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.layers import Layer, LayerClip
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import facing_of, make_walker, native_walk

FRAMES = np.arange(90) / 30.0
SIDE = np.array([1.0, 0.0, 0.0])


def make_clip(rig, bones, angles, drops=None, stepped=False):
    """Bones turned about the side axis by angles (S,) from rest, the first of them dropped (S,)."""
    skeleton = rig.skeleton
    rows = len(angles)
    rotations = np.tile(skeleton.rest_rotations, (rows, 1, 1))
    translations = np.tile(skeleton.rest_translations, (rows, 1, 1))
    turns = rot.quaternions_from_axis_angles(SIDE, np.asarray(angles, dtype=float))
    for bone in bones:
        rotations[:, bone] = rot.multiply(rotations[:, bone], turns)
    if drops is not None:
        translations[:, bones[0], 2] -= drops
    steps = np.full(len(skeleton), stepped)
    return LayerClip(rotations, translations, 1.0 / 30.0, steps)


def make_layer(clip, shares, weight=1.0, **options):
    return Layer("wave", clip, shares, np.zeros(1), np.full(1, weight), **options)


def walk_with(rig, motions, *layers, ground=None, speed=1.0):
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity * speed, 0.0, 3.0)
    plan = make_plan(
        rig, replace(motions, layers=layers), travel, ground or FlatGround(), PlanSettings()
    )
    return plan, solve_poses(plan, FRAMES)


def name_bones(rig, *names):
    return [rig.skeleton.find_index(name) for name in names]


def test_a_soft_mask_begins_along_its_chain():
    rig, _ = make_walker()
    upper = find_upper_body(rig)
    shares = make_shares(rig, upper, 1)
    parents = rig.skeleton.parents
    first = [b for b in upper if int(parents[b]) == rig.body]
    second = [b for b in upper if int(parents[b]) in first]
    assert first
    assert second
    np.testing.assert_array_equal(shares[first], 0.5)
    np.testing.assert_array_equal(shares[second], 1.0)
    assert shares[rig.body] == 0.0
    # Legs are the walk's, whatever a mask says.
    everything = make_shares(rig, range(len(rig.skeleton)), 0)
    np.testing.assert_array_equal(everything, np.where(find_leg_bones(rig), 0.0, 1.0))
    assert not set(find_whole_body(rig)) & set(np.flatnonzero(find_leg_bones(rig)))


def test_the_clip_takes_the_place_of_the_walk_and_feet_do_not_notice():
    rig, motions = make_walker()
    upper = find_upper_body(rig)
    clip = make_clip(rig, upper, 0.3 * np.sin(np.linspace(0, 2 * np.pi, 31)))
    _, plain = walk_with(rig, motions)
    _, laid = walk_with(rig, motions, make_layer(clip, make_shares(rig, upper, 0)))
    np.testing.assert_allclose(laid.positions, plain.positions, atol=1e-12)
    rows = np.arange(90) % 30
    assert (
        rot.angles_between(laid.poses.rotations[:, upper], clip.rotations[rows][:, upper]).max()
        < 1e-7
    )
    others = sorted(set(range(len(rig.skeleton))) - set(upper))
    np.testing.assert_allclose(
        laid.poses.rotations[:, others], plain.poses.rotations[:, others], atol=1e-12
    )
    assert laid.poses.rotated[upper].all()
    assert laid.poses.owned[upper].all()


def test_half_the_weight_is_half_the_way():
    rig, motions = make_walker()
    upper = find_upper_body(rig)
    clip = make_clip(rig, upper, np.full(11, 0.8))
    _, plain = walk_with(rig, motions)
    _, full = walk_with(rig, motions, make_layer(clip, make_shares(rig, upper, 0)))
    _, half = walk_with(rig, motions, make_layer(clip, make_shares(rig, upper, 0), 0.5))
    bone = upper[-1]
    whole = rot.angles_between(plain.poses.rotations[:, bone], full.poses.rotations[:, bone])
    part = rot.angles_between(plain.poses.rotations[:, bone], half.poses.rotations[:, bone])
    np.testing.assert_allclose(part, whole / 2, atol=1e-9)


def test_an_added_clip_changes_the_walk_by_what_it_changes_itself():
    rig, motions = make_walker()
    upper = find_upper_body(rig)
    bone = upper[0]
    angles = 0.4 + np.linspace(0.0, 0.6, 31)
    clip = make_clip(rig, [bone], angles)
    _, plain = walk_with(rig, motions)
    layer = make_layer(clip, make_shares(rig, [bone], 0), additive=True, repeats=False)
    _, laid = walk_with(rig, motions, layer)
    turned = rot.angles_between(plain.poses.rotations[:, bone], laid.poses.rotations[:, bone])
    np.testing.assert_allclose(turned[:31], angles - 0.4, atol=1e-9)


@pytest.mark.parametrize("legs", [2, 4])
@pytest.mark.parametrize("terrain", [None, "bumps"])
def test_a_body_that_crouches_keeps_its_feet_where_they_stand(legs, terrain):
    rig, motions = make_walker(legs=legs)
    drop = 0.12 * rig.leg_length
    ground = None
    if terrain:
        walk = native_walk(motions)
        heading = facing_of(walk) - np.pi / 2
        shape = terrain_shapes.make_bumps(rig.leg_length, walk.stride, heading)
        ground = MeshGround(shape.vertices, shape.triangles)
    # Down from the second row on, and before the walk begins.
    clip = make_clip(rig, [rig.body], np.zeros(121), drop * (np.arange(121) > 0))
    layer = make_layer(
        clip, make_shares(rig, [rig.body], 0), additive=True, repeats=False, start=-0.1
    )
    _, plain = walk_with(rig, motions, ground=ground)
    plan, laid = walk_with(rig, motions, layer, ground=ground)
    small = plan.tables.small_rig
    lower = plain.positions[:, small.body, 2] - laid.positions[:, small.body, 2]
    if ground is None:
        aside = plain.positions[:, small.body, :2] - laid.positions[:, small.body, :2]
        assert np.abs(aside).max() < 1e-9
        np.testing.assert_allclose(lower, drop, atol=0.1 * drop)
    else:
        # Where straight legs pulled the body down already, bent ones need it less.
        assert lower.max() < 1.3 * drop
        assert lower.mean() > 0.1 * drop
    # Heels give with the crouch; what they roll on stays.
    apart = rot.lengths(laid.targets.footbases - plain.targets.footbases)
    # Feet on their way are turned flat and let down for legs that are bent by the crouch.
    stands = np.isin(laid.states.roll_share, (0.0, 1.0))
    assert np.mean(stands) > 0.3
    assert apart[stands].max() < 0.02 * rig.leg_length
    assert apart.max() < 0.2 * rig.leg_length
    report = measure_walk(small, record_walk(plan, laid), plan.ground)
    assert report.slide_worst < 0.004
    assert report.sink_worst < 0.004
    assert report.targets_missed == 0


@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_toes_stay_with_their_ankles_where_a_layer_moves_the_body(turn):
    """Or feet that make room under a low body would turn about a place beside their toes."""
    rig, motions = make_walker()
    drop = 0.2 * rig.leg_length
    clip = make_clip(rig, [rig.body], turn * (np.arange(31) > 0), drop * (np.arange(31) > 0))
    layer = make_layer(
        clip, make_shares(rig, [rig.body], 0), additive=True, repeats=False, start=-0.1
    )
    plan, _ = walk_with(rig, motions, layer)
    tables, times = plan.tables, np.linspace(0.2, 0.8, 7)
    source = solve_poses(plan, times).source
    laid = lay_over_body(tables, source, times)
    kept = keep_ankles(tables, source, laid)
    small = tables.small_rig
    hip = small.legs[0].joints[0]
    np.testing.assert_array_equal(kept.legs.positions[:, hip], laid.positions[:, hip])
    assert np.abs(laid.positions[:, hip, 2] - source.legs.positions[:, hip, 2]).min() > 0.1 * drop
    for leg in small.legs:
        foot = small.skeleton.find_descendants(leg.ankle)
        assert len(foot) == 2
        for name in ("positions", "rotations"):
            own, new = getattr(source.legs, name), getattr(kept.legs, name)
            np.testing.assert_array_equal(new[:, foot], own[:, foot])
        soles = [
            compute_sole_points(leg, legs.rotations, legs.positions)
            for legs in (source.legs, kept.legs)
        ]
        np.testing.assert_array_equal(soles[0], soles[1])


def test_a_step_key_is_a_step():
    rig, motions = make_walker()
    bone = find_upper_body(rig)[-1]
    angles = np.repeat([0.0, 0.5], [15, 16])
    clip = make_clip(rig, [bone], angles, stepped=True)
    layer = make_layer(clip, make_shares(rig, [bone], 0), rate=0.5)
    _, laid = walk_with(rig, motions, layer)
    turned = rot.angles_between(laid.poses.rotations[:, bone], clip.rotations[0, bone])
    np.testing.assert_allclose(turned, np.where(np.arange(90) % 60 < 30, 0.0, 0.5), atol=1e-7)


def test_a_clip_that_does_not_repeat_comes_and_goes():
    rig, _ = make_walker()
    clip = make_clip(rig, [rig.body], np.zeros(31))
    layer = make_layer(
        clip, make_shares(rig, [rig.body], 0), repeats=False, start=2.0, rate=0.5, fade=0.5
    )
    times = np.array([0.0, 2.0, 2.25, 2.5, 3.0, 3.75, 4.0, 5.0])
    np.testing.assert_allclose(
        weigh_layer(layer, times), [0.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.0], atol=1e-12
    )
    np.testing.assert_allclose(
        find_rows(layer, times, np.zeros(8)), [0.0, 0.0, 3.75, 7.5, 15.0, 26.25, 30.0, 30.0]
    )
    hard = replace(layer, fade=0.0)
    np.testing.assert_array_equal(weigh_layer(hard, times), [0, 1, 1, 1, 1, 1, 1, 0])


def test_a_clip_in_step_goes_with_the_cycles():
    rig, _motions = make_walker()
    clip = make_clip(rig, [rig.body], np.zeros(31))
    layer = make_layer(clip, make_shares(rig, [rig.body], 0), in_step=True)
    phases = np.array([0.0, 0.5, 1.25, 7.9])
    np.testing.assert_allclose(find_rows(layer, phases * 9, phases), [0.0, 15.0, 7.5, 27.0])


def test_any_frame_with_layers_is_the_same_on_its_own():
    rig, motions = make_walker()
    whole = find_whole_body(rig)
    clip = make_clip(rig, whole, 0.2 * np.sin(np.linspace(0, 2 * np.pi, 31)))
    layer = make_layer(clip, make_shares(rig, whole, 2), 0.7)
    plan, laid = walk_with(rig, motions, layer)
    some = np.array([50, 7, 33])
    alone = solve_poses(plan, FRAMES[some])
    np.testing.assert_allclose(alone.poses.rotations, laid.poses.rotations[some], atol=1e-9)
    np.testing.assert_allclose(alone.poses.translations, laid.poses.translations[some], atol=1e-9)
