# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks that turn back, as Blender shows them: feet that turn in steps and stay on the ground."""

from __future__ import annotations

import itertools

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.api.setups import bake_set_up, set_up, write_travel
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_character, write_gaits
from semi_procedural_locomotion.demo.quadruped import make_quadruped_shape
from semi_procedural_locomotion.notes import NoteKind
from semi_procedural_locomotion.requests.travels import AlongPoints, AsObject

pytestmark = pytest.mark.newest

SHAPES = [make_biped_shape, make_quadruped_shape]


def walk_in(make_shape):
    scene, shape = bpy.context.scene, make_shape()
    armature = create_character(shape, scene.collection)
    for action in write_gaits(armature, shape, ["walk", "rest"]):
        action.use_fake_user = True
    scene.render.fps = 30
    bpy.context.view_layer.update()
    set_up(armature)
    return armature


def see_turns(armature, names, frames):
    """Turn of each foot from frame to frame, degrees, (F - 1, L), and depth of the lowest vertex."""
    scene, turns, lows = bpy.context.scene, [], []
    mesh = next(child for child in armature.children if child.type == "MESH")
    for frame in frames:
        for quarter in range(4):
            scene.frame_set(frame, subframe=0.25 * quarter)
            graph = bpy.context.evaluated_depsgraph_get()
            shown = mesh.evaluated_get(graph)
            points = np.empty(3 * len(shown.data.vertices))
            shown.data.vertices.foreach_get("co", points)
            matrix = np.array(shown.matrix_world)
            lows.append((points.reshape(-1, 3) @ matrix[2, :3] + matrix[2, 3]).min())
            if quarter == 0:
                seen = armature.evaluated_get(graph)
                turns.append(
                    [(seen.matrix_world @ seen.pose.bones[n].matrix).to_quaternion() for n in names]
                )
    apart = [
        [a.rotation_difference(b).angle for a, b in zip(one, two, strict=True)]
        for one, two in itertools.pairwise(turns)
    ]
    folded = np.degrees(apart)
    return np.minimum(folded, 360.0 - folded), -min(lows)


@pytest.mark.parametrize("make_shape", SHAPES)
def test_feet_turn_back_in_steps_and_stay_on_the_ground(make_shape):
    armature = walk_in(make_shape)
    write_travel(armature, AlongPoints(points=((0, 0), (0, -2.5), (0.4, 0))), "object")
    result = bake_set_up(armature, bpy.context.scene)
    plan = result.plan
    names = [plan.tables.rig.skeleton.names[leg.ankle] for leg in plan.tables.rig.legs]
    rates = np.abs(np.gradient(plan.times.yaws, plan.grid.interval))
    turning = plan.grid.times[rates > 0.2] * 30.0
    inside = range(int(turning[0]) - 10, int(turning[-1]) + 10)
    assert len(inside) > 45
    turns, depth = see_turns(armature, names, inside)
    calm, _ = see_turns(armature, names, range(inside[0] - 20, inside[0]))
    assert turns.max() < calm.max() + 10.0
    assert depth < 0.004 * plan.tables.rig.leg_length
    assert NoteKind.FEET_TURN_FAST not in {note.kind for note in result.notes}


def test_a_body_that_is_keyed_to_turn_at_once_is_told_of():
    armature = walk_in(make_biped_shape)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 70
    for frame, place, turn in ((1, 0.0, 0.0), (35, -1.4, 0.0), (37, -1.4, 2.6), (70, 0.0, 2.6)):
        armature.location.y, armature.rotation_euler.z = place, turn
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)
    write_travel(armature, AsObject(), "object")
    result = bake_set_up(armature, scene)
    found = {note.kind: note for note in result.notes}
    assert found[NoteKind.TRAVEL_TURNS_FAST].frame in (35, 36)
    plan = result.plan
    apart = np.degrees(np.abs(plan.times.foot_yaws - plan.times.yaws))
    assert 40.0 < apart.max() < 90.0
