# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks straight ahead that stop: all feet have closed before the scene ends, as it shows them."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_character,
    write_gaits,
)
from semi_procedural_locomotion.requests.travels import StraightAhead


def add_stairs(start, length):
    """Level ground and five treads that begin ``start`` metres ahead of a character that faces -Y."""
    corners = [(-20.0, 0.0), (start, 0.0)]
    for tread in range(5):
        way = start + 0.42 * length * tread
        corners += [
            (way, 0.19 * length * (tread + 1)),
            (way + 0.42 * length, 0.19 * length * (tread + 1)),
        ]
    corners.append((40.0, 0.95 * length))
    points = [(side, -way, height) for way, height in corners for side in (10.0, -10.0)]
    faces = [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(len(corners) - 1)]
    mesh = bpy.data.meshes.new("Stairs")
    mesh.from_pydata(points, [], faces)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Stairs", mesh))


def set_up(name):
    """A character of the demo that is set up, and walks straight ahead to a stop."""
    shape = CHARACTER_SHAPES[name]()
    armature = create_character(shape, bpy.context.scene.collection)
    write_gaits(armature, shape, ["walk", "rest"])
    choices = [api.MotionChoice(action) for action in bpy.data.actions]
    character, _ = api.set_up(armature, choices)
    api.setups.write_travel(armature, StraightAhead(stop="stand"), "object")
    return armature, character.rig


def see_toes(armature, rig, frames):
    """Places of the heads of all toes, shape (F, L, 3)."""
    toes = [rig.skeleton.names[leg.toe or leg.ankle] for leg in rig.legs]
    seen = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        place = armature.matrix_world
        seen.append([(place @ armature.pose.bones[toe].head)[:] for toe in toes])
    return np.array(seen)


@pytest.mark.parametrize(
    ("name", "frames"), [("biped", 100), ("biped", 109), ("quadruped", 117), ("hexapod", 109)]
)
def test_a_walk_that_stops_has_closed_its_feet_in_the_last_frame(name, frames):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    armature, rig = set_up(name)
    api.setups.bake_set_up(armature, scene)
    seen = see_toes(armature, rig, (frames - 3, frames - 1, frames))
    assert np.abs(np.diff(seen, axis=0)).max() < 1e-3 * rig.leg_length
    assert np.ptp(seen[-1, :, 2]) < 0.02 * rig.leg_length


def test_a_walk_that_slows_on_stairs_has_closed_its_feet_as_well():
    scene, frames = bpy.context.scene, 191
    scene.frame_start, scene.frame_end = 1, frames
    armature, rig = set_up("quadruped")
    add_stairs(0.8, rig.leg_length)
    api.setups.bake_set_up(armature, scene)
    seen = see_toes(armature, rig, (frames - 3, frames - 1, frames))
    assert np.abs(np.diff(seen, axis=0)).max() < 1e-3 * rig.leg_length
