# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Limbs whose bones hang from others than those that they go with walk whole, seen in the scene."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.api.set_up_work import read_character
from tests.api.test_shown_agreement import make_ground
from tests.meters import find_stands, measure_sink, measure_slip, mesh_heights, see_feet
from tools.compatibility.strangers import list_strangers
from tools.compatibility.striding import make_stranger

pytestmark = [pytest.mark.newest, pytest.mark.usefixtures("empty_scene")]

JOINTS = [
    ("hips", "thigh.{}"),
    ("thigh.{}", "shin.{}"),
    ("shin.{}", "foot.{}"),
    ("foot.{}", "toe.{}"),
]
ARMS = [("chest", "upper_arm.{}"), ("upper_arm.{}", "forearm.{}"), ("hips", "chest")]


def set_up(name):
    """A stranger that is set up, and its character."""
    (stranger,) = [one for one in list_strangers() if one.name == name]
    armature = make_stranger(stranger)
    bpy.context.scene.frame_end = 72
    bpy.context.view_layer.update()
    character, _ = api.set_up(armature)
    return armature, character


def measure_gaps(armature):
    """How far each joint is from its place on the bone above at the most, metres."""
    pairs = [(a.format(s), b.format(s)) for a, b in [*JOINTS, *ARMS] for s in "LR"]
    rest = {bone.name: np.array(bone.matrix_local) for bone in armature.data.bones}
    places = {b: np.linalg.inv(rest[a]) @ rest[b][:, 3] for a, b in pairs}
    most = 0.0
    for frame in range(1, bpy.context.scene.frame_end + 1):
        bpy.context.scene.frame_set(frame)
        shown = {bone.name: np.array(bone.matrix) for bone in armature.pose.bones}
        gaps = [np.linalg.norm(shown[b][:, 3] - shown[a] @ places[b]) for a, b in pairs]
        most = max(most, float(max(gaps)))
    return most


@pytest.mark.parametrize("name", ["root_limbs", "side_by_side", "split_legs"])
def test_limbs_stay_whole_on_stairs(name):
    armature, character = set_up(name)
    assert len(character.rig.legs) == 2
    length = character.rig.leg_length
    make_ground("stairs", armature, length, (0.0, -1.0))
    setups.bake_set_up(armature, bpy.context.scene)
    feet = [[f"foot.{side}", f"toe.{side}"] for side in "LR"]
    heights = mesh_heights(bpy.context.scene.objects["Ground"])
    seen = see_feet(armature, feet, range(1, bpy.context.scene.frame_end + 1), heights)
    stands = find_stands(seen, length, bpy.context.scene.render.fps)
    assert min(own.mean() for own in stands) > 0.2
    assert measure_slip(seen, stands, 0.004 * length) < 0.005 * length
    assert measure_sink(seen) < 0.006 * length
    assert measure_gaps(armature) < 0.002 * length
    # What is kept in the file gives the same bones again.
    kept = read_character(armature).rig.skeleton
    assert kept.leaders == character.rig.skeleton.leaders
    np.testing.assert_allclose(kept.rest_poses[1], character.rig.skeleton.rest_poses[1], atol=1e-5)
