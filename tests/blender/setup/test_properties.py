# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up data: registration, saving, overriding, and the rig written and read back."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest

import semi_procedural_locomotion
from semi_procedural_locomotion.blender.setup import properties
from semi_procedural_locomotion.blender.setup.properties import LOCOMOTION_PG_character
from semi_procedural_locomotion.blender.setup.rigs import fingerprint_rig, read_rig, write_rig
from semi_procedural_locomotion.blender.setup.settings_properties import (
    read_plan_settings,
    write_plan_settings,
)
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.core.rig.hulls import FootHull
from semi_procedural_locomotion.core.rig.structure import Leg, Rig, SolePoint
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.errors import RigError
from semi_procedural_locomotion.notes import NoteKind, make_note
from semi_procedural_locomotion.requests.settings.kinds import Choice, Flag
from semi_procedural_locomotion.requests.settings.steps import PLAN
from tests.blender.rigs import make_armature


def make_rig(armature):
    skeleton = read_skeleton(armature)
    scale = skeleton.object_scale
    point = [SolePoint(2, scale * np.array([0.1, 0.2, 0.3 * i])) for i in range(3)]
    leg = Leg(
        name="Left",
        side="L",
        joints=(0, 1, 2),
        toe=3,
        heel=point[0],
        ball=point[1],
        toe_tip=point[2],
        sole_width=0.1 * scale,
        length=2.0 * scale,
        hinge=np.array([0.0, 0.6, 0.8]),
        detached=True,
        control="Foot Control",
        confidence=0.4,
        doubts=(make_note(NoteKind.FOOT_DETACHED), make_note(NoteKind.SOLE_GUESSED)),
    )
    return Rig(
        skeleton=skeleton,
        legs=(leg,),
        forward=np.array([0.6, 0.8]),
        body=0,
        ground_height=-0.5 * scale,
        foot_lengths=np.array([0.3 * scale]),
        ball_shares=np.array([0.7]),
        doubts=(make_note(NoteKind.FEET_HOVER, lengths=0.4),),
    )


def assert_same_rig(a, b):
    assert a.body == b.body
    assert a.doubts == b.doubts
    assert np.allclose(a.forward, b.forward, atol=1e-6)
    assert np.isclose(a.ground_height, b.ground_height, rtol=1e-6)
    assert np.allclose(a.foot_lengths, b.foot_lengths, rtol=1e-6)
    for one, two in zip(a.legs, b.legs, strict=True):
        for name in ("name", "side", "joints", "toe", "partner", "detached", "control", "doubts"):
            assert getattr(one, name) == getattr(two, name)
        assert np.isclose(one.length, two.length, rtol=1e-6)
        assert np.allclose(one.hinge, two.hinge, atol=1e-6)
        for p, q in zip(one.soles, two.soles, strict=True):
            assert p.bone == q.bone
            assert np.allclose(p.offset, q.offset, rtol=1e-6)


def test_rigs_come_back_as_written_also_after_saving(tmp_path):
    armature = make_armature("Hero")
    rig = make_rig(armature)
    write_rig(armature, rig)
    write_rig(armature, rig)
    assert len(armature.locomotion.legs) == 1
    assert_same_rig(rig, read_rig(armature, rig.skeleton))
    path = str(tmp_path / "hero.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = bpy.data.objects["Hero"]
    assert_same_rig(rig, read_rig(again, read_skeleton(again)))


def test_files_from_before_undersides_were_kept_have_none():
    armature = make_armature("Hero")
    rig = make_rig(armature)
    write_rig(armature, replace(rig, underside=np.ones((2, 3))))
    armature.locomotion.property_unset("underside")
    assert read_rig(armature, rig.skeleton).underside.shape == (0, 3)


def test_doubts_of_older_files_are_read_in_their_words():
    armature = make_armature("Hero")
    rig = make_rig(armature)
    write_rig(armature, rig)
    data = armature.locomotion
    assert data.reasons == data.legs[0].reasons == ""
    data.notes, data.reasons = "", "the legs are small\nno walk"
    data.legs[0].notes, data.legs[0].reasons = "", "its toe is a guess"
    older = read_rig(armature, rig.skeleton)
    told = [(note.kind, note.values["text"]) for note in (*older.doubts, *older.legs[0].doubts)]
    assert told == [
        (NoteKind.OLDER_TEXT, text)
        for text in ("the legs are small", "no walk", "its toe is a guess")
    ]
    write_rig(armature, older)
    assert read_rig(armature, rig.skeleton).doubts == older.doubts


def make_hull(scale):
    """Two points, one of which rides on two bones."""
    return FootHull(
        bones=np.array([[2, 3], [3, 0]]),
        weights=np.array([[0.25, 0.75], [1.0, 0.0]]),
        offsets=scale * np.arange(12.0).reshape(2, 2, 3) / 7.0,
        places=scale * np.arange(6.0).reshape(2, 3) / 9.0,
        parts=np.array([0, 2]),
        frame=np.array([0.5, 0.5, -0.5, 0.5]),
        keeps_volume=np.array([True, False]),
        binds=np.tile([0.6, 0.0, -0.8, 0.0], (2, 2, 1)),
    )


def test_contact_hulls_come_back_after_saving_and_scale_with_the_object(tmp_path):
    armature = make_armature("Hero")
    rig = make_rig(armature)
    hull = make_hull(rig.skeleton.object_scale)
    leg = replace(rig.legs[0], hull=hull, girths=(0.3, 0.125))
    underside = np.arange(12.0).reshape(4, 3) / 7.0 - 0.5
    write_rig(armature, replace(rig, legs=(leg,), belly=0.25, underside=underside))
    path = str(tmp_path / "hero.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Hero"]
    armature.scale = 3.0 * armature.scale
    bpy.context.view_layer.update()
    again = read_rig(armature, read_skeleton(armature))
    back = again.legs[0].hull
    np.testing.assert_allclose(again.legs[0].girths, [0.9, 0.375], rtol=1e-6)
    assert again.belly == pytest.approx(0.75, rel=1e-6)
    np.testing.assert_allclose(again.underside, 3.0 * underside, rtol=1e-6)
    used = hull.weights > 0
    np.testing.assert_array_equal(back.bones[used], hull.bones[used])
    np.testing.assert_array_equal(back.parts, hull.parts)
    np.testing.assert_allclose(back.weights, hull.weights, rtol=1e-8)
    np.testing.assert_allclose(back.offsets, 3.0 * hull.offsets, rtol=1e-6)
    np.testing.assert_allclose(back.places, 3.0 * hull.places, rtol=1e-6)
    np.testing.assert_allclose(back.frame, hull.frame, rtol=1e-8)
    np.testing.assert_array_equal(back.keeps_volume, hull.keeps_volume)
    np.testing.assert_allclose(back.binds, hull.binds, rtol=1e-8)


def test_legs_without_a_kept_hull_or_with_bones_that_are_gone_take_their_soles():
    armature = make_armature("Hero")
    rig = make_rig(armature)
    write_rig(armature, rig)
    old = read_rig(armature, rig.skeleton)
    assert old.legs[0].hull is None
    assert old.hulls[0].places[:, 0].max() > 0.0
    hull = make_hull(rig.skeleton.object_scale)
    write_rig(armature, replace(rig, legs=(replace(rig.legs[0], hull=hull),)))
    name = rig.skeleton.names[3]
    text = armature.locomotion.legs[0].hull
    armature.locomotion.legs[0].hull = text.replace(f'"{name}"', '"Gone"')
    assert read_rig(armature, rig.skeleton).legs[0].hull is None


def test_scaling_the_object_scales_the_rig():
    armature = make_armature("Hero")
    rig = make_rig(armature)
    write_rig(armature, rig)
    armature.scale = (3.0,) * 3
    bpy.context.view_layer.update()
    larger = read_rig(armature, read_skeleton(armature))
    assert larger.leg_length == pytest.approx(3 * rig.leg_length, rel=1e-6)
    assert np.allclose(larger.legs[0].heel.offset, 3 * rig.legs[0].heel.offset, rtol=1e-6)
    assert fingerprint_rig(larger) == fingerprint_rig(read_rig(armature, rig.skeleton))


def test_fingerprints_see_legs_and_bones():
    armature = make_armature("Hero")
    rig = make_rig(armature)
    write_rig(armature, rig)
    before = fingerprint_rig(read_rig(armature, rig.skeleton))
    armature.locomotion.legs[0].heel.offset.x += 0.01
    assert fingerprint_rig(read_rig(armature, rig.skeleton)) != before


def test_missing_setups_and_bones_are_named():
    armature = make_armature("Hero")
    skeleton = read_skeleton(armature)
    with pytest.raises(RigError, match="'Hero' has no legs set up"):
        read_rig(armature, skeleton)
    write_rig(armature, make_rig(armature))
    armature.locomotion.legs[0].toe = "Gone"
    with pytest.raises(RigError, match="'Left' of 'Hero' names the bone 'Gone'"):
        read_rig(armature, skeleton)


def choose_other(setting, value):
    """Another value that a setting may have."""
    if isinstance(setting, Choice):
        return setting.options[-1].name
    if isinstance(setting, Flag):
        return not value
    above = 1.5 * (value or 0.5)
    return above if above <= setting.high else 0.75 * value


def test_settings_have_the_plans_defaults_and_come_back():
    settings = make_armature().locomotion.settings
    ours, plan = read_plan_settings(settings), PlanSettings()
    for name, value in vars(plan).items():
        assert getattr(ours, name) == pytest.approx(value), name
    others = {name: choose_other(PLAN[name], value) for name, value in vars(plan).items()}
    assert all(others[name] != value for name, value in vars(plan).items())
    chosen = PlanSettings(**others)
    write_plan_settings(settings, chosen)
    back = read_plan_settings(settings)
    for name, value in vars(chosen).items():
        assert getattr(back, name) == pytest.approx(value), name


def test_setups_of_linked_characters_stay_on_overrides(tmp_path):
    library = str(tmp_path / "library.blend")
    armature = make_armature("Hero")
    write_rig(armature, make_rig(armature))
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Hero"]
    local = wanted.objects[0].override_create(remap_local_usages=True)
    bpy.context.scene.collection.objects.link(local)
    local.locomotion.body = local.data.bones[1].name
    local.locomotion.settings.step_limit = 0.125
    entry = local.locomotion.motions.add()
    entry.group = "run"
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = next(item for item in bpy.data.objects if item.override_library)
    assert again.locomotion.body == again.data.bones[1].name
    assert again.locomotion.settings.step_limit == pytest.approx(0.125)
    assert [motion.group for motion in again.locomotion.motions] == ["run"]
    assert len(again.locomotion.legs) == 1


def iterate_properties(group):
    for prop in group.bl_rna.properties:
        if prop.identifier not in group.__annotations__:
            continue
        yield group, prop
        if prop.type in ("POINTER", "COLLECTION"):
            inner = getattr(properties, prop.fixed_type.identifier, None)
            yield from iterate_properties(inner) if inner else ()


def test_every_property_explains_itself_without_a_final_period():
    for group, prop in iterate_properties(LOCOMOTION_PG_character):
        label = f"{group.__name__}.{prop.identifier}"
        if prop.type != "POINTER":
            assert prop.description, label
        assert not prop.description.endswith("."), label
        assert prop.name == "" or prop.name[0].isupper() or prop.type == "POINTER", label
        if prop.identifier not in ("is_live", "auto_bake", "name"):
            assert prop.is_overridable, label


def test_registering_twice_is_refused_and_unregistering_leaves_nothing():
    with pytest.raises(RuntimeError, match="registered already"):
        semi_procedural_locomotion.register()
    semi_procedural_locomotion.unregister()
    try:
        assert not hasattr(bpy.types.Object, "locomotion")
        assert not LOCOMOTION_PG_character.is_registered
        semi_procedural_locomotion.unregister()
    finally:
        semi_procedural_locomotion.register()
    assert make_armature().locomotion.body == ""
