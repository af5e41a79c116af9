# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes that cannot be, told in words, and bakes over earlier bakes."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_character,
    write_gaits,
)
from semi_procedural_locomotion.errors import AnalysisError, LocomotionError, RigError
from tests.scenes import recall

pytestmark = [pytest.mark.usefixtures("empty_scene"), pytest.mark.newest]


def make_ready(kind):
    """A set-up character of the project with one walk."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 48

    def make():
        shape = CHARACTER_SHAPES[kind]()
        armature = create_character(shape, scene.collection)
        bpy.context.view_layer.update()
        write_gaits(armature, shape, ["walk"])
        api.set_up(armature)
        return armature

    return recall(f"{kind} with one walk that is set up", make)


def add_slope(rise):
    """A tilted plane under the character, rising along y."""
    mesh = bpy.data.meshes.new("Slope")
    corners = [(-9, -9, -9 * rise), (9, -9, -9 * rise), (9, 9, 9 * rise), (-9, 9, 9 * rise)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Slope", mesh))
    bpy.context.view_layer.update()


def read_keys(armature):
    """All keys of the action that an armature plays."""
    action, slot = versions.get_assigned_action(armature)
    return {
        (curve.data_path, curve.array_index): np.array([key.co for key in curve.keyframe_points])
        for curve in versions.get_curves(action, slot)
    }


def test_ground_that_slides_in_too_fast_is_refused_by_name_and_frames():
    armature = make_ready("biped")
    add_slope(0.0)
    slope = bpy.data.objects["Slope"]
    slope.name = "Tray"
    for frame, side in ((12, 90.0), (20, 0.0)):
        slope.location = (side, 0.0, 0.05)
        slope.keyframe_insert("location", frame=frame)
    add_slope(0.0)
    with pytest.raises(
        LocomotionError, match=r"frames 1[0-9] to 20: 'Tray' goes by below the walk"
    ):
        api.bake_set_up(armature, bpy.context.scene)


def test_a_bake_over_a_tilted_bake_is_the_same():
    armature = make_ready("quadruped")
    add_slope(0.3)
    api.bake_set_up(armature, bpy.context.scene)
    first = read_keys(armature)
    bpy.context.scene.frame_set(30)
    api.bake_set_up(armature, bpy.context.scene)
    again = read_keys(armature)
    assert first.keys() == again.keys()
    worst = max(float(np.abs(first[key] - again[key]).max()) for key in first)
    assert worst < 1e-5


@pytest.mark.parametrize(("start", "end"), [(60, 20), (60, 60)])
def test_a_range_without_length_is_refused(start, end):
    armature = make_ready("biped")
    settings = armature.locomotion.settings
    settings.use_range, settings.frame_start, settings.frame_end = True, start, end
    with pytest.raises(LocomotionError, match=f"from frame {start} to {end} has no length"):
        api.bake_set_up(armature, bpy.context.scene)
    assert not api.setups.is_baked(armature)


@pytest.mark.parametrize("count", [0, 1])
def test_a_path_without_two_points_is_refused(count):
    armature = make_ready("biped")
    armature.locomotion.travel.source = "POINTS"
    for _ in range(count):
        armature.locomotion.travel.points.add()
    with pytest.raises(LocomotionError, match="two different points"):
        api.bake_set_up(armature, bpy.context.scene)


@pytest.mark.parametrize(
    ("group", "source", "words"),
    [
        ("travel", "CURVE", "no curve chosen"),
        ("ground", "OBJECTS", "no ground is chosen"),
        ("ground", "COLLECTION", "no ground is chosen"),
    ],
)
def test_choices_left_open_are_named(group, source, words):
    armature = make_ready("biped")
    getattr(armature.locomotion, group).source = source
    with pytest.raises(LocomotionError, match=words):
        api.bake_set_up(armature, bpy.context.scene)


def test_a_mirrored_armature_is_named_with_its_signs():
    armature = make_ready("biped")
    armature.scale = (-1, 1, 1)
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match=r"mirrored \(-1, 1, 1\)"):
        api.set_up(armature)


def test_a_driven_constraint_on_a_leg_is_told():
    armature = make_ready("biped")
    names = [entry.name for entry in armature.locomotion.legs[0].bones]
    constraint = armature.pose.bones[names[0]].constraints.new("LIMIT_ROTATION")
    assert not any(constraint.name in text for text in bake_and_list(armature))
    constraint.driver_add("influence").driver.expression = "1.0"
    bpy.context.view_layer.update()
    words = bake_and_list(armature)
    assert any(repr(constraint.name) in text and repr(names[0]) in text for text in words)


def bake_and_list(armature):
    """Warnings of a bake."""
    return api.bake_set_up(armature, bpy.context.scene).warnings


@pytest.mark.parametrize("names", [("Take 3",), ("Sit_Idle", "Idle", "2H_Melee_Idle")])
def test_set_up_stands_in_one_rest(names):
    armature = make_ready("biped")
    still = write_gaits(armature, CHARACTER_SHAPES["biped"](), ["rest"])[0]
    for name in names:
        still.copy().name = name
    bpy.data.actions.remove(still)
    api.set_up(armature)
    rests = [entry for entry in armature.locomotion.motions if entry.found_kind == "rest"]
    assert [entry.action.name for entry in rests if entry.enabled] == [min(names, key=len)]
    assert {entry.kind for entry in rests} == {"AUTO"}


def add_jump(armature, name):
    """An action that makes a character hop on the spot."""
    action = bpy.data.actions.new(name)
    _, bag = versions.ensure_channelbag(action, armature)
    body = armature.locomotion.body
    curve = versions.add_curve(bag, f'pose.bones["{body}"].location', 1, body)
    for frame, height in ((1, 0.0), (13, 0.4), (25, 0.0)):
        curve.keyframe_points.insert(frame, height)
    return action


def test_jobs_insist_on_cycles():
    armature = make_ready("biped")
    action = write_gaits(armature, CHARACTER_SHAPES["biped"](), ["walk"])[0]
    api.set_up(armature, [api.MotionChoice(action, insists=True)])
    (entry,) = armature.locomotion.motions
    assert (entry.kind, entry.found_kind, entry.enabled) == ("CYCLE", "cycle", True)


def test_ticked_motions_that_are_no_walks_are_all_named():
    armature = make_ready("biped")
    for name in ("Hop", "Jump"):
        armature.locomotion.motions.add().action = add_jump(armature, name)
    with pytest.raises(AnalysisError) as caught:
        api.bake_set_up(armature, bpy.context.scene)
    text = str(caught.value)
    assert text.startswith("2 motions cannot be used: 'Hop' is no walk cycle")
    assert "'Jump' is no walk cycle" in text
    assert text.endswith("set its Kind to Cycle")
    assert caught.value.job_text.endswith('give it `kind = "cycle"` in `motions`')
    choices = [api.MotionChoice(bpy.data.actions[name]) for name in ("Hop", "Jump")]
    for refused in (
        lambda: api.set_up(armature, choices),
        lambda: api.analyze_actions(api.find_character(armature), choices),
    ):
        with pytest.raises(AnalysisError, match=r"^2 motions cannot be used: 'Hop'.*'Jump'"):
            refused()
    armature.locomotion.motions[-1].enabled = False
    with pytest.raises(AnalysisError, match=r"^'Hop' is no walk cycle"):
        api.bake_set_up(armature, bpy.context.scene)
