# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator Fix Feet, with the choices of the character and of the call."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.reports import list_baked
from semi_procedural_locomotion.blender.setup.fix_records import is_cleaned, read_before
from semi_procedural_locomotion.notes.units import Units
from semi_procedural_locomotion.ui.panels.parts import list_report_rows
from tests.scenes import add_person

pytestmark = pytest.mark.newest


def test_the_operator_cleans_and_remove_bake_gives_back():
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 40
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    action = armature.animation_data.action
    for key in list(action.keys()):
        del action[key]
    armature.locomotion.fix.use_range = True
    armature.locomotion.fix.frame_start, armature.locomotion.fix.frame_end = 5, 30
    armature.locomotion.legs[0].plants = False
    assert bpy.ops.anim.locomotion_fix_feet(plant=0.5) == {"FINISHED"}
    assert is_cleaned(armature)
    fixed = armature.animation_data.action
    assert fixed.name == f"{action.name} Fixed"
    assert all(5 <= marker.frame <= 30 for marker in fixed.pose_markers)
    assert len(fixed.pose_markers) >= 4
    before = {label: text for label, text, _ in list_report_rows(read_before(armature), Units())}
    assert not before["Feet Slide"].startswith("0 mm")
    assert "Feet Slide" in {
        row[0] for row in list_report_rows(armature.locomotion.report.values, Units())
    }
    # It is no walk that a plan could be made for.
    assert list_baked([armature]) == []
    with pytest.raises(
        RuntimeError, match="whose feet were fixed, and a walk would come in its place"
    ):
        bpy.ops.anim.locomotion_bake()
    assert armature.animation_data.action == fixed
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert armature.animation_data.action == action
    assert armature.locomotion.report.values == ""
