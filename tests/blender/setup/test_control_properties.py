# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls kept on armatures: read back, edited by hand, with bones that are gone, on overrides."""

from __future__ import annotations

from dataclasses import replace

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.bake.inputs import fingerprint_inputs, fingerprint_motions
from semi_procedural_locomotion.blender.setup.controls import (
    clear_controls,
    read_controls,
    write_controls,
)
from semi_procedural_locomotion.blender.setup.rigs import write_rig
from semi_procedural_locomotion.blender.setup.values import read_values
from semi_procedural_locomotion.core.rig.controls.mapping import (
    BoneControl,
    ControlMap,
    LegControls,
    SwitchValue,
)
from semi_procedural_locomotion.notes import NoteKind, make_note
from tests.blender.rigs import make_armature
from tests.blender.setup.test_override_records import override_hero, save_and_load, save_library
from tests.blender.setup.test_properties import make_rig

SWITCH = SwitchValue(('pose.bones["Hero.1.0"]["IK_FK"]', 0), 0.0, 1.0)
OTHER = SwitchValue(('pose.bones["Hero.1.1"].location', 2), 0.25, -1.0)
LEFT = LegControls(
    "Left",
    foot="Hero.1.0",
    ankle="Hero.3.0",
    toe="Hero.1.1",
    rolls=("Hero.1.2", "Hero.1.3"),
    pole="Hero.2.0",
    pole_turns=True,
    chain=("Hero.2.1", "Hero.2.2", "Hero.2.3", "Hero.1.1"),
    switches=(SWITCH,),
    confidence=0.875,
    doubts=(make_note(NoteKind.CONTROLS_OUTDATED, "Left"),),
)
FOUND = ControlMap(
    body="Hero.3.0",
    root="Hero.3.1",
    legs=(LEFT,),
    turned=(BoneControl("Hero.0.0", "Hero.3.2"), BoneControl("Hero.0.1", "Hero.3.3")),
    switches=(OTHER,),
    confidence=0.875,
    doubts=(make_note(NoteKind.CONTROL_GONE, bone="Neck"),),
)


@pytest.fixture
def hero():
    """An armature with one leg and bones enough to be its controls."""
    armature = make_armature("Hero", chains=4)
    armature.pose.bones["Hero.1.0"]["IK_FK"] = 0.5
    write_rig(armature, make_rig(armature))
    return armature


def test_controls_come_back_as_written_also_after_saving(hero, tmp_path):
    assert read_controls(hero) is None
    write_controls(hero, FOUND)
    write_controls(hero, FOUND)
    assert read_controls(hero) == FOUND
    path = str(tmp_path / "hero.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert read_controls(bpy.data.objects["Hero"]) == FOUND
    clear_controls(bpy.data.objects["Hero"])
    assert read_controls(bpy.data.objects["Hero"]) is None


def edit(armature):
    """Change one control, one roll, one switch and one control of the upper body by hand."""
    data = armature.locomotion.controls
    data.root.bone, data.turned[1].control.bone = "", "Hero.2.3"
    leg = data.legs[0]
    leg.pole.bone, leg.rolls[1].bone, leg.switches[0].fk = "Hero.3.0", "", 0.75


def test_edits_by_hand_outlive_the_next_probing_unless_asked(hero):
    write_controls(hero, FOUND)
    edit(hero)
    edited = read_controls(hero)
    assert edited.root == ""
    assert edited.turned[1] == BoneControl("Hero.0.1", "Hero.2.3")
    (leg,) = edited.legs
    assert (leg.pole, leg.rolls, leg.switches[0].fk) == ("Hero.3.0", ("Hero.1.2",), 0.75)
    # What the user has chosen is sure, and settles what was doubted of the leg.
    assert (leg.confidence, leg.doubts) == (1.0, ())
    other = replace(LEFT, foot="Hero.3.3", pole="Hero.0.2", pole_turns=False, toe="")
    again = replace(FOUND, root="Hero.0.3", body="Hero.0.2", legs=(other,))
    write_controls(hero, again)
    kept = read_controls(hero)
    assert (kept.body, kept.root, kept.turned) == ("Hero.0.2", "", edited.turned)
    assert (kept.legs[0].foot, kept.legs[0].toe) == ("Hero.3.3", "")
    assert (kept.legs[0].pole, kept.legs[0].pole_turns) == ("Hero.3.0", True)
    assert (kept.legs[0].rolls, kept.legs[0].switches) == (leg.rolls, leg.switches)
    write_controls(hero, again, keeps_edits=False)
    assert read_controls(hero) == again


def test_an_edited_leg_or_body_is_sure_beside_what_is_not(hero):
    weak = replace(LEFT, confidence=0.5)
    write_controls(hero, replace(FOUND, legs=(weak,), confidence=0.25))
    assert read_controls(hero).confidence == 0.25
    hero.locomotion.controls.body.bone = "Hero.3.3"
    assert read_controls(hero).confidence == 0.5
    assert not read_controls(hero).is_verified
    hero.locomotion.controls.legs[0].foot.bone = "Hero.3.2"
    assert read_controls(hero).is_verified


def test_bones_and_switches_that_are_gone_are_doubted(hero):
    write_controls(hero, FOUND)
    bpy.context.view_layer.objects.active = hero
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("Hero.1.0", "Hero.2.1", "Hero.3.0"):
        hero.data.edit_bones.remove(hero.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    found = read_controls(hero)
    (leg,) = found.legs
    assert (found.body, leg.foot, leg.chain, leg.switches) == ("", "", (), ())
    assert not found.is_verified
    assert make_note(NoteKind.CONTROL_GONE, bone="Hero.3.0") in found.doubts
    told = {(note.kind, *note.values.values()) for note in leg.doubts}
    assert {
        (NoteKind.CONTROL_GONE, "Hero.1.0"),
        (NoteKind.CONTROL_GONE, "Hero.2.1"),
        (NoteKind.CONTROL_CHAIN_BROKEN, ("Hero.0.0",)),
        (NoteKind.CONTROL_SWITCH_GONE, SWITCH.key[0]),
    } <= told


def test_controls_of_a_leg_whose_bones_were_changed_are_outdated(hero):
    write_controls(hero, FOUND)
    hero.locomotion.legs[0].toe = ""
    (leg,) = read_controls(hero).legs
    assert leg == LegControls("Left", doubts=(make_note(NoteKind.CONTROLS_OUTDATED, "Left"),))
    hero.locomotion.legs[0].toe = "Hero.0.3"
    hero.locomotion.legs[0].name = "Port"
    assert read_controls(hero).legs[0].foot == LEFT.foot


def test_fingerprints_see_the_map_and_what_is_written_on(hero):
    scene = bpy.context.scene
    write_controls(hero, FOUND)
    motions, first = fingerprint_motions(hero, scene), fingerprint_inputs(hero, scene)
    hero.locomotion.controls.legs[0].foot.bone = "Hero.3.3"
    second = fingerprint_inputs(hero, scene)
    hero.locomotion.settings.output = "DEFORMING"
    assert len({first, second, fingerprint_inputs(hero, scene)}) == 3
    assert fingerprint_motions(hero, scene) == motions
    hero.locomotion.controls.active_turned = 1
    hero.locomotion.settings.output = "AUTOMATIC"
    assert fingerprint_inputs(hero, scene) == second


def find_controls_of_walker(armature):
    """A map that names bones of the project's person."""
    legs = [
        LegControls(leg.name, foot=leg.bones[2].name, rolls=(leg.toe,), confidence=1.0)
        for leg in armature.locomotion.legs
    ]
    turned = (BoneControl("chest", "chest"),)
    return ControlMap("hips", "root", legs=tuple(legs), turned=turned, confidence=1.0)


@pytest.mark.newest
def test_overrides_keep_their_own_controls(tmp_path):
    library, shot = str(tmp_path / "library.blend"), str(tmp_path / "shot.blend")
    save_library(library, True)
    armature = override_hero(library)
    found = find_controls_of_walker(armature)
    write_controls(armature, found)
    armature.locomotion.controls.legs[1].foot.bone = "root"
    kept = read_controls(armature)
    before, saved, loaded = save_and_load(shot)
    assert before == saved == loaded
    again = next(o for o in bpy.data.objects if o.type == "ARMATURE" and o.override_library)
    assert read_controls(again) == kept
    clear_controls(again)
    assert not read_values(again.locomotion.controls)["legs"]
