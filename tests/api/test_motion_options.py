# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user decides about motions: their speed, their groups and the weights of these."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.api.planning import plan_walk
from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.inputs import fingerprint_inputs
from semi_procedural_locomotion.blender.setup.motion_groups import key_group_weight
from semi_procedural_locomotion.core.report.graphs import read_motion_graph
from tests.scenes import add_person

WALK, REST = "Walker Walk", "Walker Rest"


@pytest.fixture
def ready():
    """The project's person with a walk and a rest, set up, selected and active."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 40
    return armature


def get_entry(armature, name=WALK):
    """The entry of an action in the list of motions."""
    return next(e for e in armature.locomotion.motions if e.action.name == name)


def measure_way(armature):
    """Metres from the first to the last frame of the baked walk."""
    first, last = armature.animation_data.action.frame_range
    places = []
    for frame in (first, last):
        bpy.context.scene.frame_set(int(frame))
        places.append(armature.matrix_world.translation.copy())
    bpy.context.scene.frame_set(1)
    return (places[1] - places[0]).length


def test_a_speed_by_hand_is_the_native_speed_of_bake_and_analysis(ready):
    entry = get_entry(ready)
    measured, direction = entry.speed, entry.direction
    bpy.ops.anim.locomotion_bake()
    natural = measure_way(ready)
    bpy.ops.anim.locomotion_bake_remove()
    entry.own_speed = 0.8 * measured
    findings = api.setups.read_findings(read_character(ready))
    walk = next(f.motion for f in findings if f.action == WALK)
    assert walk.speed == pytest.approx(0.8 * measured, rel=1e-6)
    bpy.ops.anim.locomotion_bake()
    assert measure_way(ready) == pytest.approx(0.8 * natural, rel=1e-3)
    bpy.ops.anim.locomotion_analyze()
    assert entry.speed == pytest.approx(measured)
    assert entry.direction == pytest.approx(direction, abs=1e-6)
    entry.own_speed = 0.0
    bpy.ops.anim.locomotion_bake()
    assert measure_way(ready) == pytest.approx(natural, rel=1e-3)


def test_set_up_takes_speeds_of_named_actions(ready):
    back = bpy.data.actions[WALK].copy()
    back.name = "Back"
    bpy.ops.anim.locomotion_setup(
        actions=[{"name": WALK}],
        reversed_actions=[{"name": "Back"}],
        speeds=[{"name": WALK, "speed": 2.0}, {"name": "Back", "speed": 0.5}],
    )
    assert get_entry(ready).own_speed == pytest.approx(2.0)
    findings = api.setups.read_findings(read_character(ready))
    speeds = {f.action: f.motion.speed for f in findings}
    assert speeds == {WALK: pytest.approx(2.0), "Back": pytest.approx(0.5)}
    walk, back = (next(f.motion for f in findings if f.action == n) for n in (WALK, "Back"))
    assert walk.velocity @ back.velocity == pytest.approx(-1.0)
    with pytest.raises(RuntimeError, match="'Back' has a speed but is not among the actions"):
        bpy.ops.anim.locomotion_setup(
            actions=[{"name": WALK}], speeds=[{"name": "Back", "speed": 0.5}]
        )


@pytest.fixture
def grouped(ready):
    """The same with a second walk in a group of its own, both groups listed."""
    tired = bpy.data.actions[WALK].copy()
    tired.name = "Tired"
    bpy.ops.anim.locomotion_analyze(actions=[{"name": "Tired"}])
    get_entry(ready, "Tired").group = "tired"
    for _ in range(2):
        bpy.ops.anim.locomotion_list(target="GROUPS", change="ADD")
    assert [group.name for group in ready.locomotion.groups] == ["walk", "tired"]
    return ready


def read_shares(armature, frames, name="Tired"):
    """Share of a motion's group at frames, as planned now."""
    character = read_character(armature)
    motions = api.make_motion_set(character, setups.read_findings(character))
    scene = bpy.context.scene
    plan, _ = plan_walk(character, motions, setups.make_request(armature).plan, scene)
    graph = read_motion_graph(plan, np.array(frames) / scene.render.fps)
    assert np.allclose(graph.weights.sum(axis=1), 1.0, atol=1e-12)
    return graph.group_weights[:, graph.motions.index(name)]


def find_weight_paths(armature):
    """Data paths of keyed weights."""
    action, slot = versions.get_assigned_action(armature)
    paths = [c.data_path for c in versions.get_curves(action, slot)]
    return sorted(path for path in paths if path.startswith("locomotion"))


def test_groups_share_the_walk_by_their_weights(grouped):
    assert read_shares(grouped, [10.0]) == pytest.approx(0.5)
    walk, tired = grouped.locomotion.groups
    walk.weight, tired.weight = 1.5, 0.5
    assert read_shares(grouped, [10.0]) == pytest.approx(0.25)
    bpy.ops.anim.locomotion_list(target="GROUPS", change="REMOVE")
    assert read_shares(grouped, [10.0]) == pytest.approx(1.0 / 2.5)


def test_groups_without_any_weight_are_told(grouped):
    for group in grouped.locomotion.groups:
        group.weight = 0.0
    bpy.ops.anim.locomotion_bake()
    assert (
        "all Groups of the ticked motions weigh 0 from frame" in grouped.locomotion.report.warnings
    )
    grouped.locomotion.groups[0].weight = 0.25
    bpy.ops.anim.locomotion_bake()
    assert "weigh 0" not in grouped.locomotion.report.warnings


def test_keyed_weights_are_read_over_time_and_survive_the_bake(grouped):
    walk, tired = grouped.locomotion.groups
    for frame, weight in ((10, 0.0), (30, 1.0)):
        tired.weight, walk.weight = weight, 1.0 - weight
        for group in (walk, tired):
            group.keyframe_insert("weight", frame=frame)
    frames = [2.0, 20.0, 38.0]
    shares = read_shares(grouped, frames)
    assert shares == pytest.approx([0.0, 0.5, 1.0], abs=2e-3)
    fingerprint = fingerprint_inputs(grouped, bpy.context.scene)
    bpy.context.scene.frame_set(25)
    assert fingerprint_inputs(grouped, bpy.context.scene) == fingerprint
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_bake()
    assert len(find_weight_paths(grouped)) == 2
    assert read_shares(grouped, frames) == pytest.approx(shares, abs=1e-9)
    action, slot = versions.get_assigned_action(grouped)
    for curve in versions.get_curves(action, slot):
        if curve.data_path.startswith("locomotion"):
            curve.keyframe_points[0].co.x = 29.0
            curve.update()
    assert fingerprint_inputs(grouped, bpy.context.scene) != fingerprint
    assert read_shares(grouped, frames)[1] < 0.05
    bpy.ops.anim.locomotion_bake()
    assert measure_baked(grouped, bpy.context.scene).as_dict()["shown_off_plan"] < 1e-4


def test_keys_of_weights_follow_where_the_list_changes(grouped):
    key_group_weight(grouped, "tired", [(1.0, 0.0), (40.0, 1.0)])
    data = grouped.locomotion
    data.active_group = 1
    assert find_weight_paths(grouped) == ["locomotion.groups[1].weight"]
    before = read_shares(grouped, [20.0])
    bpy.ops.anim.locomotion_list(target="GROUPS", change="UP")
    assert [group.name for group in data.groups] == ["tired", "walk"]
    assert find_weight_paths(grouped) == ["locomotion.groups[0].weight"]
    assert read_shares(grouped, [20.0]) == pytest.approx(before)
    data.active_group = 1
    bpy.ops.anim.locomotion_list(target="GROUPS", change="REMOVE")
    assert find_weight_paths(grouped) == ["locomotion.groups[0].weight"]
    data.active_group = 0
    bpy.ops.anim.locomotion_list(target="GROUPS", change="REMOVE")
    assert find_weight_paths(grouped) == []


def test_keys_of_weights_never_go_to_a_clip(grouped):
    clip = bpy.data.actions[WALK]
    versions.assign_action(grouped, clip, versions.find_slot(clip, grouped))
    key_group_weight(grouped, "walk", [(1.0, 0.0), (40.0, 1.0)])
    action, _ = versions.get_assigned_action(grouped)
    assert action.name == "Walker Set-Up"
    assert not any(
        c.data_path.startswith("locomotion")
        for c in versions.get_curves(clip, versions.find_slot(clip, grouped))
    )


def test_a_way_of_less_than_a_frame_is_refused_in_words(ready):
    travel = ready.locomotion.travel
    travel.source, travel.start, travel.stop = "POINTS", "MOVING", "MOVING"
    for y in (0.0, -5e-8):
        travel.points.add().location = (0.0, y)
    with pytest.raises(RuntimeError, match="less than a frame: make it longer"):
        bpy.ops.anim.locomotion_bake()
    assert versions.get_assigned_action(ready)[0] is None
