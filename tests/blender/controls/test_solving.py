# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks of rigs under constraints, solved onto their controls and seen as the rig shows them."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.baking import BakeRequest, prepare_bake
from semi_procedural_locomotion.api.characters import make_motion_set
from semi_procedural_locomotion.api.progress import run_steps
from semi_procedural_locomotion.api.set_up_work import find_ticked_motions, read_character
from semi_procedural_locomotion.blender.bake.options import BakeOptions
from semi_procedural_locomotion.blender.controls.solving import solve_controls
from semi_procedural_locomotion.blender.controls.tasks import WalkOnControls
from semi_procedural_locomotion.requests.plans import PlanRequest
from tests.blender.controls.people import DEFORMING, make_person_on_controls, map_person
from tests.scenes import add_mesh

LAST = 60


def plan(armature):
    """A planned walk up a ramp, and the names of the bones that its motions key."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    add_mesh(
        "Ramp",
        [(-3, 3, 0), (3, 3, 0), (3, -1, 0), (-3, -1, 0), (3, -9, 0.8), (-3, -9, 0.8)],
        [(0, 3, 2, 1), (3, 5, 4, 2)],
    )
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    character = read_character(armature)
    motions = make_motion_set(character, run_steps(find_ticked_motions(character)))
    request = BakeRequest(PlanRequest(frames=(1, LAST)), BakeOptions(output="deforming"))
    walk = run_steps(prepare_bake(character, motions, request, scene)).walk
    keyed = frozenset[str]().union(*(motion.keyed for motion in motions.motions))
    return character, walk, keyed


@pytest.mark.parametrize("fk", [False, True])
def test_feet_are_shown_where_they_are_planned(fk):
    armature = make_person_on_controls(fk=fk)
    character, walk, keyed = plan(armature)
    controls = map_person(armature, tuple(leg.name for leg in character.rig.legs))
    frames = np.arange(1.0, LAST + 1.0)
    task = WalkOnControls(armature, controls, character.rig, walk.poses, frames, keyed)
    solved = run_steps(solve_controls(task))
    assert solved.residuals.feet.max() < 0.003
    assert solved.residuals.knees.max() < 0.01
    names = np.array(character.rig.skeleton.names)
    poses = solved.poses
    written = set(names[poses.rotated | poses.moved | poses.scaled])
    assert {"torso", "ik.foot.L", "ik.foot.R"} <= written
    assert written.isdisjoint({*DEFORMING, "hips"})
    assert poses.properties['["fk"]', 0].values.max() == 0.0
