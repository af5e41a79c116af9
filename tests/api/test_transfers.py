# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of one armature as actions of another, seen in the evaluated scene."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.cycles import CycleChoice, make_cycles
from semi_procedural_locomotion.api.transfers import transfer_actions
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.curves import fingerprint_curves
from semi_procedural_locomotion.demo.characters import create_biped, create_character
from semi_procedural_locomotion.demo.quadruped import make_quadruped_shape
from semi_procedural_locomotion.errors import RigError

from ..control_rigs import generate_rigify
from ..meters import level_heights, see_feet
from ..scenes import add_person

FEET = (("foot.L", "toe.L"), ("foot.R", "toe.R"))


def read_keys(armature, action):
    return fingerprint_curves(versions.get_curves(action, versions.find_slot(action, armature)))


def play(armature, action):
    versions.assign_action(armature, action, versions.find_slot(action, armature))


def add_stranger(scale=0.5, yaw=0.8):
    """A person of another size that faces elsewhere, whose bones are called otherwise."""
    armature = create_biped(bpy.context.scene.collection)
    for number, bone in enumerate(armature.data.bones):
        bone.name = f"b{number:02d}"
    armature.scale = (scale,) * 3
    armature.rotation_euler.z = yaw
    bpy.context.view_layer.update()
    return armature


def find_walk():
    return next(action for action in bpy.data.actions if action.name.endswith("Walk"))


def see_contacts(armature, feet, action, length):
    """Which frames of a cycle each foot stands in, by its evaluated mesh."""
    play(armature, action)
    first, last = (round(frame) for frame in action.frame_range)
    seen = see_feet(armature, feet, range(first, last + 1), level_heights)
    lows = np.array([foot.lows for foot in seen])
    return seen, lows < 0.01 * length


def test_a_stranger_walks_as_the_source_does():
    source, target = add_person(), add_stranger()
    walk = find_walk()
    kept = read_keys(source, walk)
    names = {bone.name: f"b{i:02d}" for i, bone in enumerate(source.data.bones)}
    made = transfer_actions(target, source, [walk])
    (action,), (finding,) = made.actions, made.findings
    assert read_keys(source, walk) == kept
    assert target.animation_data is None or target.animation_data.action is None
    assert [(m.action, m.enabled) for m in target.locomotion.motions] == [(action, True)]
    old, old_stands = see_contacts(source, FEET, walk, 0.85)
    feet = [tuple(names[bone] for bone in foot) for foot in FEET]
    new, new_stands = see_contacts(target, feet, action, 0.425)
    assert np.count_nonzero(old_stands != new_stands) <= 2
    assert old_stands.any(axis=1).all()
    for ours, theirs in zip(new, old, strict=True):
        assert np.abs(ours.lows - 0.5 * theirs.lows).max() < 0.005 * 0.425
    assert finding.motion is not None
    # The action is read by a slower clock than the person's own gait has keys: 1 %.
    assert finding.motion.period == pytest.approx(1.0, rel=0.01)


def test_the_action_in_use_stays_and_a_second_transfer_writes_again():
    source, target = add_person(), add_stranger(1.0, 0.0)
    target.keyframe_insert("location", frame=1)
    own = target.animation_data.action
    walk = find_walk()
    first = transfer_actions(target, source, [walk]).actions[0]
    assert target.animation_data.action == own
    assert transfer_actions(target, source, [walk]).actions[0] == first
    curve = versions.get_curves(first, versions.find_slot(first, target))[0]
    curve.keyframe_points[3].co.y += 0.1
    third = transfer_actions(target, source, [walk]).actions[0]
    assert third != first
    ticked = {entry.action: entry.enabled for entry in target.locomotion.motions}
    assert ticked == {first: False, third: True}


def test_another_number_of_legs_is_refused_and_nothing_changes():
    source = add_person()
    target = create_character(make_quadruped_shape(), bpy.context.scene.collection)
    actions = set(bpy.data.actions)
    with pytest.raises(RigError, match="choose a source with as many legs"):
        transfer_actions(target, source, [find_walk()])
    assert set(bpy.data.actions) == actions
    assert not len(target.locomotion.legs)


def test_legs_that_something_else_moves_are_refused_and_nothing_changes():
    source, target = add_person(), add_stranger(1.0, 0.0)
    held = bpy.data.objects.new("Held", None)
    bpy.context.scene.collection.objects.link(held)
    foot = next(i for i, bone in enumerate(source.data.bones) if bone.name == "foot.L")
    constraint = target.pose.bones[foot].constraints.new("COPY_LOCATION")
    constraint.target = held
    actions = set(bpy.data.actions)
    with pytest.raises(RigError, match="is moved by controls"):
        transfer_actions(target, source, [find_walk()])
    with pytest.raises(RigError, match="is moved by controls"):
        make_cycles(target, [CycleChoice("walk")])
    assert set(bpy.data.actions) == actions
    assert not len(target.locomotion.legs)


def test_the_operator_takes_what_the_panel_has():
    source, target = add_person(), add_stranger(1.0, 0.0)
    bpy.context.view_layer.objects.active = target
    target.select_set(True)
    source.select_set(False)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    with pytest.raises(RuntimeError, match="choose one in the Transfer panel"):
        bpy.ops.anim.locomotion_transfer()
    transfer = target.locomotion.transfer
    transfer.source = source
    ticks = {entry.action.name: entry.enabled for entry in transfer.offered}
    assert [name for name, ticked in ticks.items() if ticked] == [find_walk().name]
    assert bpy.ops.anim.locomotion_transfer() == {"FINISHED"}
    entry = target.locomotion.motions[target.locomotion.active_motion]
    assert entry.action.name == f"{target.name} {find_walk().name}"
    assert entry.found_kind == "cycle"


@pytest.mark.newest
def test_a_generated_human_gets_the_walk_on_its_controls():
    # Eight frames a cycle: a rig with controls takes long to evaluate.
    bpy.context.scene.render.fps = 8
    source = add_person()
    rig = generate_rigify("human")
    armature = rig.armature
    walk = find_walk()
    action = transfer_actions(armature, source, [walk]).actions[0]
    curves = versions.get_curves(action, versions.find_slot(action, armature))
    keyed = {curve.data_path.split('"')[1] for curve in curves}
    assert not any(name.startswith(("DEF-", "ORG-", "MCH-")) for name in keyed)
    assert {"torso", "foot_ik.L", "foot_ik.R", "upper_arm_fk.L", "upper_arm_fk.R"} <= keyed
    assert not any(curve.data_path.endswith("influence") for curve in curves)
    play(armature, action)
    feet = see_feet(armature, rig.feet, range(1, 10), level_heights)
    lows = np.array([foot.lows for foot in feet]) / rig.leg_length
    assert np.abs(lows.min(axis=0)).max() < 0.005
    # Its feet come off the ground no lower than those that they are taken from.
    play(source, walk)
    given = see_feet(source, FEET, range(1, 10), level_heights)
    lifts = np.array([foot.lows.max() for foot in given]) / 0.85
    assert (lifts > 0.015).all()
    assert (lows.max(axis=1) > lifts).all()
    # The controls that were found are kept, and a made walk goes to them as well.
    assert armature.locomotion.controls.is_probed
    made = make_cycles(armature, [CycleChoice("walk")])
    motion = made.findings[0].motion
    assert motion is not None
    assert motion.speed > 0.5 * rig.leg_length
    paths = versions.get_curves(made.actions[0], versions.find_slot(made.actions[0], armature))
    assert not any(curve.data_path.startswith('pose.bones["DEF-') for curve in paths)
