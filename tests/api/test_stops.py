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


@pytest.mark.parametrize("name", ["biped", "quadruped", "hexapod"])
@pytest.mark.parametrize("frames", [100, 109, 117])
def test_a_walk_that_stops_has_closed_its_feet_in_the_last_frame(name, frames):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    shape = CHARACTER_SHAPES[name]()
    armature = create_character(shape, scene.collection)
    write_gaits(armature, shape, ["walk", "rest"])
    choices = [api.MotionChoice(action) for action in bpy.data.actions]
    character, _ = api.set_up(armature, choices)
    api.setups.write_travel(armature, StraightAhead(stop="stand"), "object")
    api.setups.bake_set_up(armature, scene)
    length = character.rig.leg_length
    toes = [character.rig.skeleton.names[leg.toe or leg.ankle] for leg in character.rig.legs]
    seen = []
    for frame in (frames - 3, frames - 1, frames):
        scene.frame_set(frame)
        place = armature.matrix_world
        seen.append([(place @ armature.pose.bones[toe].head)[:] for toe in toes])
    seen = np.array(seen)
    assert np.abs(np.diff(seen, axis=0)).max() < 1e-3 * length
    assert np.ptp(seen[-1, :, 2]) < 0.02 * length
