# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles that the user sets: used, kept and given back."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from semi_procedural_locomotion.ui.overlay import shown as overlay

pytestmark = pytest.mark.newest


@pytest.fixture
def ready():
    """The project's person with a walk, set up, selected and active."""
    scene = bpy.context.scene
    armature = create_biped(scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk"])
    scene.frame_start, scene.frame_end = 1, 30
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.anim.locomotion_setup()
    bpy.ops.ed.undo_push(message="set up")
    return armature


def edit(armature, leg=0):
    """Move the heel of a leg back and make its sole wider."""
    entry = armature.locomotion.legs[leg]
    entry.heel.offset.y -= 0.03
    entry.sole_width = 0.15
    return entry


def test_set_up_marks_nothing_as_edited(ready):
    assert not any(leg.has_edited_sole for leg in ready.locomotion.legs)


def test_an_edit_is_used_and_given_back(ready):
    before = read_character(ready).rig
    entry = edit(ready)
    assert entry.heel.is_edited
    assert entry.has_edited_width
    assert not entry.ball.is_edited
    edited = read_character(ready).rig
    assert edited.legs[0].sole_width == pytest.approx(0.15)
    assert not np.allclose(edited.legs[0].heel.offset, before.legs[0].heel.offset)
    assert abs(edited.foot_lengths[0] - before.foot_lengths[0]) > 1e-3
    assert edited.foot_lengths[1] == before.foot_lengths[1]
    assert bpy.ops.anim.locomotion_sole_reset("EXEC_DEFAULT", True) == {"FINISHED"}
    again = read_character(ready).rig
    assert np.array_equal(again.legs[0].heel.offset, before.legs[0].heel.offset)
    assert again.foot_lengths[0] == before.foot_lengths[0]
    with pytest.raises(RuntimeError, match="No sole of the character is edited"):
        bpy.ops.anim.locomotion_sole_reset()


def test_reset_is_of_the_active_leg_or_all_and_one_undo_step(ready):
    name = ready.name
    edit(ready, 0)
    edit(ready, 1)
    bpy.ops.ed.undo_push(message="edit")
    ready.locomotion.active_leg = 1
    bpy.ops.anim.locomotion_sole_reset("EXEC_DEFAULT", True)
    assert [leg.has_edited_sole for leg in ready.locomotion.legs] == [True, False]
    bpy.ops.ed.undo()
    ready = bpy.data.objects[name]
    assert [leg.has_edited_sole for leg in ready.locomotion.legs] == [True, True]
    bpy.ops.anim.locomotion_sole_reset(use_all=True)
    assert not any(leg.has_edited_sole for leg in ready.locomotion.legs)


def read_rest_points(armature, leg):
    """Points of a sole at rest from the ankle, in the object's axes and units, shape (3, 3)."""
    entry, bones = armature.locomotion.legs[leg], armature.data.bones
    places = []
    for point in (entry.heel, entry.ball, entry.toe_tip):
        places.append(bones[point.bone].matrix_local @ point.offset)
    return np.array(places) - np.array(bones[entry.bones[-1].name].head_local)


def test_mirroring_a_leg_mirrors_its_edited_sole_in_one_undo_step(ready):
    ready.rotation_euler.z, ready.scale = 0.7, (2.0,) * 3
    bpy.context.view_layer.update()
    entry = edit(ready)
    entry.toe_tip.offset.x += 0.02
    ready.locomotion.legs[1].ball.offset.x += 0.05
    ready.locomotion.active_leg = 0
    bpy.ops.ed.undo_push(message="edits")
    bpy.ops.anim.locomotion_leg_mirror("EXEC_DEFAULT", True)
    own, other = ready.locomotion.legs
    assert [leg.has_edited_sole for leg in (own, other)] == [True, True]
    assert (other.heel.is_edited, other.ball.is_edited) == (True, False)
    assert other.sole_width == pytest.approx(0.15)
    expected = read_rest_points(ready, 0) * (-1.0, 1.0, 1.0)
    assert np.allclose(read_rest_points(ready, 1), expected, atol=1e-5)
    ready.locomotion.legs[0].reset_sole()
    bpy.ops.anim.locomotion_leg_mirror()
    assert not any(leg.has_edited_sole for leg in ready.locomotion.legs)
    bpy.ops.ed.undo()
    legs = bpy.context.view_layer.objects.active.locomotion.legs
    assert (legs[1].heel.is_edited, legs[1].ball.is_edited) == (False, True)


def test_edits_outlive_set_up_measuring_turning_and_loading(ready, tmp_path):
    entry = edit(ready)
    offset, found = tuple(entry.heel.offset), tuple(entry.heel.found_offset)

    def assert_kept(armature):
        leg = next(e for e in armature.locomotion.legs if e.bones[-1].name == "foot.L")
        assert tuple(leg.heel.offset) == pytest.approx(offset, abs=1e-7)
        assert leg.sole_width == pytest.approx(0.15)
        assert leg.heel.is_edited
        assert leg.has_edited_width
        assert not leg.ball.is_edited
        return leg

    bpy.ops.anim.locomotion_setup()
    assert tuple(assert_kept(ready).heel.found_offset) == pytest.approx(found, abs=1e-6)
    bpy.ops.anim.locomotion_legs_measure()
    assert_kept(ready)
    bpy.ops.anim.locomotion_forward(angle=pi)
    assert_kept(ready)
    bpy.ops.anim.locomotion_forward(angle=pi)
    bpy.ops.anim.locomotion_bake()
    assert_kept(ready)
    path = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert_kept(next(o for o in bpy.context.scene.objects if o.type == "ARMATURE"))


def test_scaling_the_object_scales_an_edit(ready):
    edit(ready)
    before = read_character(ready).rig
    ready.scale = (3.0, 3.0, 3.0)
    bpy.context.view_layer.update()
    larger = read_character(ready).rig
    assert larger.legs[0].sole_width == pytest.approx(3.0 * before.legs[0].sole_width)
    assert larger.foot_lengths[0] == pytest.approx(3.0 * before.foot_lengths[0])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda leg: setattr(leg.heel, "bone", "Gone"), "names the bone 'Gone'.*Reset Sole"),
        (
            lambda leg: (
                setattr(leg.heel, "bone", leg.toe_tip.bone),
                setattr(leg.heel, "offset", leg.toe_tip.offset),
            ),
            "sole of leg 'Left' has no length",
        ),
    ],
)
def test_impossible_soles_are_refused_in_words(ready, change, words):
    change(ready.locomotion.legs[0])
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_sole_reset()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}


def test_soles_of_older_files_count_as_measured(ready):
    entry = ready.locomotion.legs[0]
    before = read_character(ready).rig
    for point in (entry.heel, entry.ball, entry.toe_tip):
        point.found_bone, point.found_offset = "", (0.0, 0.0, 0.0)
    entry.found_width = 0.0
    assert not entry.has_edited_sole
    again = read_character(ready).rig
    assert np.array_equal(again.legs[0].heel.offset, before.legs[0].heel.offset)
    assert again.legs[0].sole_width == before.legs[0].sole_width


def test_the_sole_is_drawn_while_asked_for(ready):
    options = bpy.context.window_manager.locomotion_overlay
    options.show_own_sole = options.show_forward = True
    assert len(overlay._mark_handles) == len(overlay._MARKS)
    options.show_forward = False
    assert len(overlay._mark_handles) == len(overlay._MARKS)
    options.show_own_sole = False
    assert not overlay._mark_handles
