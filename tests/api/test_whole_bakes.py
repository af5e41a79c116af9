# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes of characters that fail in any of their writes: all of the file is as it was."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import bake_writing, sections
from semi_procedural_locomotion.api.setups import bake_set_up
from semi_procedural_locomotion.blender.footsteps.objects import list_footsteps
from semi_procedural_locomotion.blender.setup.values import read_values
from tests.blender.bake.test_rollback import fail_after_each, read_file
from tests.scenes import add_person

pytestmark = pytest.mark.newest


@pytest.fixture
def walker():
    """The project's person with a constraint on a leg, baked, with footsteps of which one is lost."""
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 30
    shin = armature.pose.bones[armature.locomotion.legs[0].bones[1].name]
    shin.constraints.new("LIMIT_ROTATION").influence = 0.75
    bpy.ops.anim.locomotion_bake()
    bpy.ops.object.footsteps_from_plan()
    list_footsteps(armature)[2].location.x += 5.0
    travel = armature.locomotion.travel
    travel.source, travel.use_native_speed, travel.speed = "POINTS", False, 1.0
    for place in ((0.0, 0.0), (0.0, -3.0)):
        travel.points.add().location = place
    armature.locomotion.settings.extend_scene = True
    bpy.context.view_layer.update()
    return armature


def read_all(armature):
    """Everything that a bake could change."""
    scene = bpy.context.scene
    steps = [
        (
            read_values(step.locomotion_footstep),
            tuple(step.color),
            [s.link for s in step.material_slots],
        )
        for step in list_footsteps(armature)
    ]
    influences = [c.influence for bone in armature.pose.bones for c in bone.constraints]
    return {
        **read_file(armature),
        "set-up": {k: v for k, v in read_values(armature.locomotion).items() if k != "transfer"},
        "scene": [scene.frame_end, sorted(item.name for item in bpy.data.materials)],
        "steps": steps,
        "influences": influences,
    }


def test_a_bake_that_fails_in_any_write_leaves_all_as_it_was(walker, monkeypatch):
    def bake():
        bake_set_up(walker, bpy.context.scene)

    names = fail_after_each(monkeypatch, bake_writing, bake, walker, read_all)
    first = ["scene", "footsteps", "expectation", "look"]
    assert names == [*first, "report", "sections", "motions"]
    assert bpy.context.scene.frame_end > 30


def test_a_section_whose_removal_fails_stays(walker, monkeypatch):
    bpy.ops.anim.locomotion_bake(frame_start=300, frame_end=320, travel="STRAIGHT")
    section = sections.list_sections(walker)[1]

    def remove():
        sections.remove_section(walker, section)

    names = fail_after_each(monkeypatch, sections.section_removal, remove, walker, read_all)
    assert names == [
        *("name", "slot name", "freed curves", "freed values", "keys", "markers", "record"),
        *("place", "selection"),
        *("expectation", "list", "last"),
    ]
