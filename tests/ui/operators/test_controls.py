# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls found, chosen, mirrored, selected and drawn, on a person whose feet draw the legs by IK."""

from __future__ import annotations

from dataclasses import replace

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.characters import MotionChoice
from semi_procedural_locomotion.api.control_editing import override_controls
from semi_procedural_locomotion.api.controls import (
    choose_controls,
    describe_output,
    list_keyed,
    probe_and_keep,
    refuse_contradictions,
)
from semi_procedural_locomotion.api.leg_editing import measure_legs
from semi_procedural_locomotion.api.motion_entries import DecidedMotion
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender.setup.controls import read_controls, write_controls
from semi_procedural_locomotion.core.rig.controls.choices import ControlsChoice, LegControlsChoice
from semi_procedural_locomotion.core.rig.controls.mapping import (
    BoneControl,
    ControlMap,
    LegControls,
    SwitchValue,
)
from semi_procedural_locomotion.core.rig.legs import LegChoice
from semi_procedural_locomotion.demo.characters import create_biped
from semi_procedural_locomotion.errors import AnalysisError, BakeError, RigError
from semi_procedural_locomotion.ui.panels import controls as controls_panel
from semi_procedural_locomotion.ui.panels import walk as walk_panels
from tests.blender.rigs import make_walker_under_ik
from tests.ui.panels.test_tab import draw

pytestmark = pytest.mark.newest

DEFORMING = "Walks go onto the deforming bones"


@pytest.fixture
def person():
    """The project's person without motions, set up with its own bones as controls."""
    armature = create_biped(bpy.context.scene.collection)
    choose(armature)
    legs = [LegChoice((f"thigh.{s}", f"shin.{s}", f"foot.{s}"), f"toe.{s}") for s in "LR"]
    measure_legs(armature, legs)
    own = [
        LegControls(leg.name, foot=leg.bones[2].name, rolls=(leg.toe,), confidence=1.0)
        for leg in armature.locomotion.legs
    ]
    turned = (BoneControl("chest", "chest"),)
    write_controls(
        armature, ControlMap("hips", "root", legs=tuple(own), turned=turned, confidence=1.0)
    )
    return armature


def choose(armature):
    """Make an armature the active and only selected object."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()


def list_selected():
    return {bone.name for bone in bpy.context.selected_pose_bones or ()}


def test_set_up_probes_and_hands_keep_what_they_choose():
    walker = make_walker_under_ik(bpy.context.scene)
    choose(walker)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    found = read_controls(walker)
    assert [leg.foot for leg in found.legs] == ["foot.L", "foot.R"]
    assert found.is_verified
    assert describe_output(found, "automatic") == (
        f"Walks go onto the controls ({len(found.bones)} bones)",
        True,
    )
    character = read_character(walker)
    assert choose_controls(character, "automatic") == choose_controls(character, "both") == found
    assert choose_controls(character, "deforming") is None
    walker.locomotion.controls.legs[1].foot.bone = "hand.R"
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert read_controls(walker).legs[1].foot == "hand.R"
    assert bpy.ops.anim.locomotion_controls_mirror(leg=1) == {"FINISHED"}
    assert read_controls(walker).legs[0].foot == "hand.L"
    assert bpy.ops.anim.locomotion_controls_probe() == {"FINISHED"}
    assert read_controls(walker).legs[0].foot == "hand.L"
    assert bpy.ops.anim.locomotion_controls_probe(use_reset=True) == {"FINISHED"}
    again = read_controls(walker)
    assert again.bones == found.bones == probe_and_keep(walker).bones
    assert again.confidence == pytest.approx(found.confidence, abs=1e-3)
    assert bpy.ops.anim.locomotion_bake(frame_start=1, frame_end=12) == {"FINISHED"}
    keyed = set(list_keyed(walker))
    assert {"hips", "foot.L", "foot.R"} <= keyed < set(again.bones)
    assert bpy.ops.anim.locomotion_controls_select() == {"FINISHED"}
    assert list_selected() == keyed
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.anim.locomotion_controls_clear() == {"FINISHED"}
    assert read_controls(walker) is None
    assert not bpy.ops.anim.locomotion_controls_select.poll()


def test_controls_that_are_missing_are_named_with_the_cure(person):
    character = read_character(person)
    person.locomotion.controls.legs[1].foot.bone = ""
    if len(person.locomotion.controls.legs[1].chain):
        person.locomotion.controls.legs[1].chain[0].bone = ""
    lacking = read_controls(person)
    assert choose_controls(character, "automatic") is None
    with pytest.raises(BakeError, match="no control that moves the Right foot: choose one in the"):
        choose_controls(character, "controls")
    assert describe_output(lacking, "automatic") == (
        f"{DEFORMING}: no control found that moves the Right foot",
        False,
    )
    write_controls(person, replace(lacking, body="", legs=(), doubts=()), keeps_edits=False)
    with pytest.raises(BakeError, match="moves the body and the Left foot and the Right foot"):
        choose_controls(character, "both")
    bpy.ops.anim.locomotion_controls_clear()
    assert choose_controls(character, "automatic") is None
    with pytest.raises(BakeError, match="no controls to write on: press Probe"):
        choose_controls(character, "controls")


def test_what_is_keyed_is_selected_and_what_is_hidden_is_told(person, capfd):
    names = set(read_controls(person).bones)
    assert bpy.ops.anim.locomotion_controls_select() == {"FINISHED"}
    assert person.mode == "POSE"
    assert list_selected() == names
    foot = person.pose.bones["foot.L"]
    (foot if "hide" in foot.bl_rna.properties else foot.bone).hide = True
    bpy.ops.anim.locomotion_controls_select()
    assert list_selected() == names - {"foot.L"}
    assert "hidden: foot.L" in "".join(capfd.readouterr())
    bpy.ops.object.mode_set(mode="OBJECT")


def test_lists_of_a_leg_are_edited(person):
    edit = bpy.ops.anim.locomotion_controls_list
    leg = person.locomotion.controls.legs[0]
    before = len(leg.rolls)
    assert edit(entry=0, target="ROLLS") == {"FINISHED"}
    leg.rolls[before].bone = "toe.L"
    assert read_controls(person).legs[0].rolls[-1] == "toe.L"
    assert edit(entry=0, target="ROLLS", number=before) == {"FINISHED"}
    assert len(leg.rolls) == before
    assert edit(entry=0, target="SWITCHES") == {"FINISHED"}
    # A row without a path is no switch yet.
    assert read_controls(person).legs[0].switches == ()
    assert edit(entry=7, target="CHAIN") == {"CANCELLED"}


def test_named_controls_take_the_place_of_those_found(person):
    person["Left IK"] = 1.0
    switch = SwitchValue(('["Left IK"]', 0), 1.0, 0.0)
    left = LegControlsChoice("Left", foot="hand.L", toe="toe.L", switches=(switch,))
    override_controls(person, ControlsChoice(root="root", legs=(left,), turned={"chest": "head"}))
    found = read_controls(person)
    assert (found.root, found.legs[0].foot, found.legs[0].toe) == ("root", "hand.L", "toe.L")
    assert found.legs[0].switches == (switch,)
    assert found.legs[1].foot == "foot.R"
    assert ("chest", "head") in [(one.bone, one.control) for one in found.turned]


WRONG = (
    (ControlsChoice(body="hipps"), "no bone 'hipps' as the control of the body: .*'hips'"),
    (ControlsChoice(legs=(LegControlsChoice("Front"),)), "no leg 'Front' .*: it has Left, Right"),
    (
        ControlsChoice(legs=(LegControlsChoice("Left", pole="knee.L"),)),
        "no bone 'knee.L' as the control of pole of leg 'Left': ",
    ),
    (
        ControlsChoice(legs=(LegControlsChoice("Left", chain=("hips", "chest")),)),
        "chain of leg 'Left' has 2 controls: name one for each of thigh.L, shin.L, foot.L",
    ),
    (
        ControlsChoice(
            legs=(LegControlsChoice("Left", switches=(SwitchValue(('["IK"]', 0), 0.0, 1.0),)),)
        ),
        r'no property \["IK"\] as a switch of leg .Left.: take the path',
    ),
)


def test_names_that_are_none_are_refused_with_the_cure(person):
    before = read_controls(person)
    for choice, error in WRONG:
        with pytest.raises(RigError, match=error):
            override_controls(person, choice)
    assert read_controls(person) == before


def test_controls_that_contradict_each_other_are_refused_by_name():
    left = LegControls("Left", foot="foot.L", switches=(SwitchValue(('["IK"]', 0), 1.0, 1.0),))
    right = LegControls("Right", foot="foot.R")
    for body, legs, words in (
        ("hips", (left, right), r'switch \["IK"\] of leg .Left. is 1 for IK and for FK'),
        ("hips", (right, replace(right, leg="Left")), "'foot.R' is .* the Right and the Left foot"),
        ("foot.R", (right,), "'foot.R' is the control of the body and of the Right foot"),
    ):
        with pytest.raises(BakeError, match=words):
            refuse_contradictions(ControlMap(body, legs=legs))
    refuse_contradictions(ControlMap("hips", legs=(right,)))


def test_the_panel_tells_what_walks_go_onto_and_why_not(person):
    texts = draw(controls_panel.LOCOMOTION_PT_controls)
    assert {"Probe", "Select Controls", "Body", "Root", "Foot", "Pole", "Rolls"} <= set(texts)
    assert "Walks go onto the controls" in " ".join(texts)
    assert "Walks go onto the controls" in " ".join(draw(walk_panels.LOCOMOTION_PT_bake))
    data = person.locomotion.controls
    data.legs[0].pole.bone, data.legs[0].foot.bone = "knee", ""
    drawn = " ".join(draw(controls_panel.LOCOMOTION_PT_controls))
    assert "no bone 'knee' any more" in drawn
    person.locomotion.legs[1].toe = ""
    drawn = " ".join(draw(controls_panel.LOCOMOTION_PT_controls))
    assert "the bones of leg Right were changed" in drawn
    bpy.ops.anim.locomotion_controls_clear()
    assert "controls were not looked for" in " ".join(draw(controls_panel.LOCOMOTION_PT_controls))
    person.locomotion.settings.output = "BOTH"
    assert "Nothing to write on" in " ".join(draw(walk_panels.LOCOMOTION_PT_bake))


def test_a_clip_that_a_switch_holds_off_is_refused_with_the_switch(person):
    action = bpy.data.actions.new("Stays")
    person["Left IK"] = 0.0
    switch = SwitchValue(('["Left IK"]', 0), 1.0, 0.0)
    bone = person.pose.bones["hand.L"]
    person.animation_data_create().action = action
    bone.keyframe_insert("location", frame=1)
    bone.keyframe_insert("location", frame=9)
    left = LegControlsChoice("Left", foot="hand.L", switches=(switch,))
    override_controls(person, ControlsChoice(legs=(left,)))
    decided = DecidedMotion(MotionChoice(action), kind="CYCLE")
    told = "Left IK.* is 0, so that the Left leg is not moved by 'hand.L': set it to 1"
    with pytest.raises(AnalysisError, match=told):
        decided.analyze(read_character(person))
