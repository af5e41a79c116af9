# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of sections: each has its own frames and travel, and is baked again and removed alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import bake_sections, list_sections
from semi_procedural_locomotion.api.files import bake_job
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.blender.setup.values import clear_entries
from semi_procedural_locomotion.blender.values.bake_record import read_record
from semi_procedural_locomotion.jobs.reading import parse_job
from semi_procedural_locomotion.ui.panels import sections as section_panels
from tests.api.test_sections import sample_heads, shot
from tests.scenes import add_person
from tests.ui.panels.test_tab import draw

__all__ = ["shot"]

pytestmark = pytest.mark.newest


def bake_first(armature):
    """A walk ahead; what is shown."""
    bpy.ops.anim.locomotion_bake(frame_start=10, frame_end=30)
    return sample_heads(armature)


def bake_two(armature):
    """A walk ahead, and one along points, apart from each other; what is shown."""
    bake_first(armature)
    travel = armature.locomotion.travel
    travel.source = "POINTS"
    for place in ((1.0, 0.0), (2.0, 0.0)):
        travel.points.add().location = place
    bpy.ops.anim.locomotion_bake(frame_start=50, frame_end=70)
    return sample_heads(armature)


def test_sections_keep_their_own_frames_and_travel(shot, tmp_path):
    both = bake_two(shot)
    first, second = list_sections(shot)
    assert (first.name, first.frames) == ("Walk", (10, 30))
    assert (second.name, second.frames) == ("Walk 2", (50, 70))
    # What the panels show now is of no matter to a section that is baked again.
    shot.locomotion.travel.source = "OBJECT"
    shot.locomotion.sections[1].name = "Up the Street"
    assert bpy.ops.anim.locomotion_section_bake(frame=15) == {"FINISHED"}
    assert bpy.ops.anim.locomotion_section_bake(frame=50) == {"FINISHED"}
    assert np.allclose(sample_heads(shot), both, atol=1e-5)
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    shot = bpy.data.objects["Walker"]
    assert [s.name for s in list_sections(shot)] == ["Walk", "Up the Street"]
    assert len(bake_sections(shot, bpy.context.scene)) == 2
    assert np.allclose(sample_heads(shot), both, atol=1e-5)
    assert shot.locomotion.travel.source == "OBJECT"
    assert bpy.ops.anim.locomotion_section_show(frame=60) == {"FINISHED"}
    assert shot.locomotion.travel.source == "POINTS"
    settings = shot.locomotion.settings
    assert (settings.use_range, settings.frame_start, settings.frame_end) == (True, 50, 70)


def test_a_section_is_removed_alone(shot):
    by_hand = sample_heads(shot)
    alone = bake_first(shot)
    bpy.ops.anim.locomotion_bake_remove()
    both = bake_two(shot)
    # A key of the animator between them.
    bpy.context.scene.frame_set(40)
    shot.pose.bones[-1].location.x += 0.2
    shot.pose.bones[-1].keyframe_insert("location", index=0, frame=40)
    assert bpy.ops.anim.locomotion_section_remove(frame=60) == {"FINISHED"}
    assert [s.frames for s in list_sections(shot)] == [(10, 30)]
    left = sample_heads(shot)
    assert np.allclose(left[9:30], both[9:30], atol=1e-5)
    others = np.arange(len(shot.pose.bones)) != len(shot.pose.bones) - 1
    assert np.allclose(left[30:, others], alone[30:, others], atol=1e-5)
    with pytest.raises(RuntimeError, match="no section of a walk at frame 60"):
        bpy.ops.anim.locomotion_section_remove(frame=60)
    # What was changed beside it is the animator's, and the last one takes the bake with it.
    assert bpy.ops.anim.locomotion_section_remove(frame=10) == {"FINISHED"}
    assert find_bake(shot) is None
    bare = sample_heads(shot)
    assert np.allclose(bare[:, others], by_hand[:, others], atol=1e-6)
    assert np.abs(bare[39] - by_hand[39]).max() > 0.1
    assert list_sections(shot) == []


def test_a_whole_walk_leaves_sections_that_it_does_not_reach(shot):
    bpy.context.scene.frame_end = 40
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_bake(frame_start=60, frame_end=80)
    both = sample_heads(shot)
    assert [s.frames for s in list_sections(shot)] == [(1, 40), (60, 80)]
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_bake()
    assert [s.frames for s in list_sections(shot)] == [(1, 40), (60, 80)]
    assert np.allclose(sample_heads(shot)[:80], both[:80], atol=1e-5)
    assert bpy.ops.anim.locomotion_section_bake(frame=1) == {"FINISHED"}
    assert np.allclose(sample_heads(shot)[:80], both[:80], atol=1e-5)
    assert bpy.ops.anim.locomotion_section_remove(frame=1) == {"FINISHED"}
    assert read_record(find_bake(shot)).start is None
    assert np.allclose(sample_heads(shot)[59:80], both[59:80], atol=1e-5)


def test_the_panel_lists_sections_and_edits_of_any_version(shot):
    assert draw(section_panels.LOCOMOTION_PT_sections) is None
    bake_two(shot)
    drawn = draw(section_panels.LOCOMOTION_PT_sections)
    assert "10 to 30" in drawn
    assert "50 to 70" in drawn
    assert draw(section_panels.LOCOMOTION_PT_edits) is None
    # As a file of an earlier version has it: what it walked, but no travel.
    clear_entries(shot.locomotion, "sections")
    assert [s.name for s in list_sections(shot)] == ["10 to 30", "50 to 70"]
    assert "10 to 30" in draw(section_panels.LOCOMOTION_PT_sections)
    with pytest.raises(RuntimeError, match="kept no travel"):
        bpy.ops.anim.locomotion_section_show(frame=10)
    assert bpy.ops.anim.locomotion_section_bake(frame=60) == {"FINISHED"}
    assert [s.name for s in list_sections(shot)] == ["10 to 30", "Walk"]
    bone = shot.pose.bones["hips"]
    bone.keyframe_insert("location", frame=60)
    bone.location.z += 0.1
    bone.keyframe_insert("location", frame=60)
    bpy.ops.anim.locomotion_section_bake(frame=60)
    drawn = draw(section_panels.LOCOMOTION_PT_edits)
    assert "hips Location" in drawn
    assert "60" in drawn
    assert bpy.ops.anim.locomotion_edit_remove(path="", frame=50) == {"FINISHED"}
    assert draw(section_panels.LOCOMOTION_PT_edits) is None


def test_jobs_bake_sections_one_by_one(tmp_path):
    add_person()
    path, output = tmp_path / "hero.blend", tmp_path / "out.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    sections = [
        {"frames": [50, 70], "name": "Away", "travel": {"path": [[1, 0], [2, 0]]}},
        {"frames": [1, 30], "blend_out": 4},
    ]
    character = {"file": "hero.blend", "section": sections}
    job = parse_job({"character": [character]}, tmp_path / "job.toml")
    report = bake_job(job, output)
    assert [entry["section"] for entry in report["characters"]] == ["Walk", "Away"]
    bpy.ops.wm.open_mainfile(filepath=str(output))
    walker = bpy.data.objects["Walker"]
    assert [s.frames for s in list_sections(walker)] == [(1, 30), (50, 70)]
    assert walker.locomotion.sections[0].blend_out == 4
    assert walker.locomotion.sections[1].travel.source == "POINTS"
    alone = replace(job, characters=(replace(job.characters[0], sections=()),))
    assert "section" not in bake_job(alone, output)["characters"][0]
