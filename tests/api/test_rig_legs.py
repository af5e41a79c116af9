# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set Up finds legs, body and forward of characters with controls, however their clips are keyed."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.characters import find_character
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender.reading.sampling import sample_action
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from tests.control_rigs import generate_rigify, key_fk_walk, key_ik_walk
from tests.stretchy_rigs import build_stretchy_rig

KEYED = {"ik": key_ik_walk, "fk": key_fk_walk, "rest": lambda rig: None}


def set_up(armature):
    """What is found by the operator."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    return read_character(armature).rig


def list_chains(found):
    names = found.skeleton.names
    return [tuple(names[joint] for joint in leg.joints) for leg in found.legs]


def check_legs(rig, found):
    """Each limb is one leg, with its partner at the same joints, and faces -Y."""
    names, chains = found.skeleton.names, list_chains(found)
    assert len(set(chains)) == len(chains) == len(rig.limbs)
    for limb in rig.limbs:
        hip = limb.joints[0] if limb.joints[0].startswith("DEF-") else f"thigh.{limb.joints[0][-1]}"
        (chain,) = [own for own in chains if own[0] == hip]
        # A paw or a hoof may be the ankle, and what is above it a segment of the leg.
        assert chain[chain.index(limb.joints[2]) :] in (limb.joints[2:3], limb.joints[2:4])
    for leg, chain in zip(found.legs, chains, strict=True):
        twin = found.legs[leg.partner]
        assert chains[leg.partner] == tuple(mirror_name(bone) for bone in chain)
        assert (leg.toe is None) == (twin.toe is None)
        assert leg.toe is None or names[twin.toe] == mirror_name(names[leg.toe])
        assert {leg.side, twin.side} == {"L", "R"}
    assert found.forward == pytest.approx((0.0, -1.0), abs=1e-3)
    assert names[found.body] == rig.torso
    assert found.confidence > 0.75


def mirror_name(bone):
    swaps = {"L": "R", "R": "L", "l": "r", "r": "l"}
    base, _, side = bone.rpartition(".")
    return f"{base}.{swaps[side]}" if side in swaps else bone


def test_legs_of_a_generated_person():
    rig = generate_rigify("basic_human")
    key_fk_walk(rig)
    check_legs(rig, set_up(rig.armature))


@pytest.mark.newest
@pytest.mark.parametrize(
    ("kind", "keyed"),
    [
        ("basic_quadruped", "ik"),
        ("basic_quadruped", "fk"),
        ("bird", "ik"),
        ("horse", "fk"),
        ("horse", "rest"),
        ("wolf", "rest"),
        ("human", "rest"),
    ],
)
def test_legs_of_more_generated_rigs(kind, keyed):
    rig = generate_rigify(kind)
    KEYED[keyed](rig)
    check_legs(rig, find_character(rig.armature).rig)


@pytest.mark.newest
@pytest.mark.parametrize("keyed", ["ik", "fk", "rest"])
@pytest.mark.parametrize("has_mesh", [True, False])
def test_legs_of_a_rig_whose_limbs_stretch(keyed, has_mesh):
    rig = build_stretchy_rig()
    KEYED[keyed](rig)
    if not has_mesh:
        bpy.data.objects.remove(rig.body)
        bpy.context.view_layer.update()
    check_legs(rig, set_up(rig.armature))


@pytest.mark.newest
def test_a_runner_of_which_one_half_is_modelled_is_set_up_as_it_is(data_folder):
    path = str(data_folder / "rigify" / "Runner.blend")
    bpy.ops.wm.open_mainfile(filepath=path, use_scripts=False)
    armature = bpy.data.objects["rig"]
    found = set_up(armature)
    parts = ("thigh", "shin", "foot")
    assert list_chains(found) == [tuple(f"DEF-{part}.{side}" for part in parts) for side in "LR"]
    assert found.forward == pytest.approx((0.0, -1.0), abs=0.02)
    ticked = {entry.action.name for entry in armature.locomotion.motions if entry.enabled}
    assert "Run-loop" in ticked
    assert not any("generated" in doubt for doubt in armature.locomotion.reasons.splitlines())

    metarig = bpy.data.objects["metarig"]
    metarig.hide_set(False)
    set_up(metarig)
    assert "'rig' was generated from this one" in metarig.locomotion.reasons


@pytest.mark.newest
def test_mechanism_bones_keep_the_poses_that_are_a_part_of_the_rig():
    rig = generate_rigify("basic_quadruped")
    action, armature = key_ik_walk(rig), rig.armature
    posed = armature.pose.bones["MCH-front_foot_parent.L"]
    assert abs(posed.rotation_quaternion.angle) > 1.0
    skeleton = find_character(armature).rig.skeleton
    clip = sample_action(armature, action, skeleton)
    _, positions = compute_global_poses(skeleton, clip.rotations, clip.translations, clip.scales)
    armature.animation_data.action = action
    if hasattr(action, "slots"):
        armature.animation_data.action_slot = action.slots[0]
    bone = skeleton.find_index("DEF-front_foot.L")
    for frame in (1, 7, 16):
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        place = shown.pose.bones["DEF-front_foot.L"].matrix.translation
        assert positions[frame - 1, bone] == pytest.approx(tuple(place), abs=1e-3)
