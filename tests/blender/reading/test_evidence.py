# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Evidence read from Blender, and the legs found in real files."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.reading.evidence import choose_actions, collect_evidence
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.core.rig.skeleton import compute_rest_poses
from semi_procedural_locomotion.errors import RigError
from tests.core.legged_bodies import list_legs

pytestmark = pytest.mark.newest


def both(hip_to_ankle, toe=None, prefix=""):
    """A left and a right leg; # stands for the side."""
    return [
        (
            f"{prefix} {word}".strip(),
            letter,
            tuple(name.replace("#", side) for name in hip_to_ankle),
            toe and toe.replace("#", side),
        )
        for word, letter, side in (("Left", "L", "l"), ("Right", "R", "r"))
    ]


def sided(legs, left, right):
    """The legs with other words for the sides in the bones' names."""
    words = {"L": left, "R": right}
    return [
        (name, side, tuple(b[:-1] + words[side] for b in bones), toe and toe[:-1] + words[side])
        for name, side, bones, toe in legs
    ]


KAYKIT = both(("upperleg.#", "lowerleg.#", "foot.#"), "toes.#")
HORSE = sided(
    both(("FrontUpLeg.#", "FrontLowLeg.#", "FrontFoot.#"), prefix="Front")
    + both(("BackUpLeg.#", "BackLowLeg.#", "BackFoot.#"), prefix="Back"),
    "L",
    "R",
)
FOX = [
    ("Front Left", "L", ("b_LeftUpperArm_09", "b_LeftForeArm_010", "b_LeftHand_011"), None),
    ("Front Right", "R", ("b_RightUpperArm_06", "b_RightForeArm_07", "b_RightHand_08"), None),
    (
        "Back Left",
        "L",
        ("b_LeftLeg01_015", "b_LeftLeg02_016", "b_LeftFoot01_017", "b_LeftFoot02_018"),
        None,
    ),
    (
        "Back Right",
        "R",
        ("b_RightLeg01_019", "b_RightLeg02_020", "b_RightFoot01_021", "b_RightFoot02_022"),
        None,
    ),
]
CMU = [
    (side, side[0], tuple(f"{side}{part}" for part in ("UpLeg", "Leg", "Foot")), f"{side}ToeBase")
    for side in ("Left", "Right")
]
# The foot of the right front leg is called FrontFoot2.R in the file.
SPIDER = [
    (
        f"{word} {number}",
        word[0],
        tuple(
            f"{part}Foot2.R"
            if (part, segment, word) == ("Front", "Foot", "Right")
            else f"{part}{segment}.{word[0]}"
            for segment in ("Leg", "Leg2", "Leg3", "Foot")
        ),
        None,
    )
    for number, part in enumerate(("Front", "MidFront", "MidBack", "Back"), start=1)
    for word in ("Left", "Right")
]

FILES = [
    ("fox/Fox.glb", FOX, "b_Hip_01", False),
    ("kaykit/Med_MovementBasic.glb", KAYKIT, "hips", False),
    ("kaykit/Rogue.glb", KAYKIT, "hips", False),
    ("spider/Spider.glb", SPIDER, "Body", True),
    ("horse/Horse.blend", HORSE, "Body", True),
    ("cmu/cmu_12_01_walk.bvh", CMU, "Hips", False),
]


def open_file(path):
    """The armature of a real file."""
    if path.suffix == ".blend":
        bpy.ops.wm.open_mainfile(filepath=str(path))
    else:
        import_file(path)
    found = [item for item in bpy.data.objects if item.type == "ARMATURE"]
    return max(found, key=lambda item: len(item.data.bones))


def describe_file(armature):
    """All that collecting evidence must leave alone."""
    scene = bpy.context.scene
    data = armature.animation_data
    counts = {
        prop.identifier: len(getattr(bpy.data, prop.identifier))
        for prop in bpy.data.bl_rna.properties
        if prop.type == "COLLECTION"
    }
    return (
        counts,
        scene.name,
        scene.frame_current,
        scene.frame_subframe,
        data and data.action and data.action.name,
        [(track.name, track.mute) for track in data.nla_tracks] if data else [],
        armature.data.pose_position,
        [(item.name, item.hide_viewport) for item in bpy.data.objects],
        [
            tuple(value for row in bone.matrix_basis for value in row)
            for bone in armature.pose.bones
        ],
    )


@pytest.mark.parametrize(("name", "legs", "body", "detached"), FILES, ids=[f[0] for f in FILES])
def test_legs_of_real_files(data_folder, name, legs, body, detached):
    armature = open_file(data_folder / name)
    bpy.context.scene.frame_set(3, subframe=0.25)
    before = describe_file(armature)
    evidence = collect_evidence(armature)
    assert describe_file(armature) == before
    findings = find_rig(evidence)
    assert findings.rig is not None, findings.refusal
    rig = findings.rig
    assert list_legs(rig) == legs
    assert [leg.partner for leg in rig.legs] == [index ^ 1 for index in range(len(legs))]
    assert all(leg.detached == detached for leg in rig.legs)
    assert rig.skeleton.names[rig.body] == body
    assert findings.confidence >= 0.75
    np.testing.assert_allclose(rig.forward, [0, -1], atol=0.02)
    # All three sole points of a foot lie on one level when the rest pose stands flat.
    rotations, positions = compute_rest_poses(rig.skeleton)
    for leg in rig.legs:
        points = [positions[s.bone] + rot.rotate(rotations[s.bone], s.offset) for s in leg.soles]
        heights = np.array(points)[:, 2]
        assert np.ptp(heights) < 0.03 * leg.length
        assert abs(heights.mean() - rig.ground_height) < 0.03 * leg.length
    shares = rig.foot_lengths / np.array([leg.length for leg in rig.legs])
    assert np.all(shares > 0.045)
    assert np.all(shares < 1.1)
    assert np.all((rig.ball_shares > 0.29) & (rig.ball_shares < 0.96))


@pytest.mark.parametrize("clip", ["Running_A", "Jump_Idle"])
def test_a_clip_on_the_toes_alone_does_not_make_a_leg_of_the_foot(data_folder, clip):
    armature = open_file(data_folder / "kaykit/Rogue.glb")
    found = find_rig(collect_evidence(armature, [bpy.data.actions[clip]])).rig
    ankles = [found.skeleton.names[leg.ankle] for leg in found.legs]
    assert ankles == ["foot.l", "foot.r"]


def test_evidence_is_read_at_most_five_times_two_hundred_samples(data_folder):
    armature = open_file(data_folder / "kaykit/Rogue.glb")
    evidence = collect_evidence(armature)
    assert 1 <= len(evidence.clips) <= 5
    assert all(2 <= len(clip.positions) <= 201 for clip in evidence.clips)
    assert "walk" in " ".join(clip.name.lower() for clip in evidence.clips)


def test_clips_hold_the_global_poses_of_blender(data_folder):
    armature = open_file(data_folder / "fox/Fox.glb")
    walk = bpy.data.actions["Walk"]
    evidence = collect_evidence(armature, [walk])
    (clip,) = evidence.clips
    armature.animation_data_create().action = walk
    if hasattr(armature.animation_data, "action_slot"):
        armature.animation_data.action_slot = walk.slots[0]
    first = float(walk.frame_range[0])
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    for sample in (0, 7, len(clip.positions) - 1):
        frame = first + sample * clip.interval * rate
        scene.frame_set(int(frame // 1), subframe=frame - frame // 1)
        heads = [
            armature.matrix_world @ armature.pose.bones[n].head for n in evidence.skeleton.names
        ]
        expected = np.array(heads)
        # The evidence is interpolated between whole frames.
        np.testing.assert_allclose(clip.positions[sample], expected, atol=0.02 * 50)


def test_vertices_are_skinned_by_their_groups_and_by_parent_bones():
    armature = make_post()
    evidence = collect_evidence(armature, [])
    tops = evidence.vertices[:, 2].round(5)
    # A skinned mesh from 0 to 2 in a space scaled by 2 and moved, and a box on the upper bone.
    assert sorted(set(tops)) == [0.0, 2.0, 4.0, 5.0]
    upper = evidence.skeleton.names.index("Upper")
    owners = evidence.vertex_bones[np.arange(len(tops)), evidence.vertex_weights.argmax(axis=1)]
    np.testing.assert_array_equal(owners[tops >= 4.0], upper)
    np.testing.assert_allclose(evidence.vertex_weights.sum(axis=1), 1.0)
    np.testing.assert_allclose(evidence.tails[upper], [0, 0, 4], atol=1e-5)


def make_post():
    """Two bones one above the other, a mesh with groups and a mesh on the upper bone's tail."""
    data = bpy.data.armatures.new("Post")
    armature = bpy.data.objects.new("Post", data)
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    lower = data.edit_bones.new("Lower")
    lower.head, lower.tail = (0, 0, 0), (0, 0, 1)
    upper = data.edit_bones.new("Upper")
    upper.head, upper.tail, upper.parent = (0, 0, 1), (0, 0, 2), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.scale = (2, 2, 2)
    armature.location = (5, 0, 3)
    skinned = make_mesh("Skinned", [(0, 0, 0), (0, 0, 1), (0, 0, 2)])
    skinned.parent = armature
    skinned.modifiers.new("Armature", "ARMATURE").object = armature
    for name, vertices in (("Lower", [0, 1]), ("Upper", [2])):
        skinned.vertex_groups.new(name=name).add(vertices, 1.0, "REPLACE")
    skinned.vertex_groups.new(name="Other").add([0], 1.0, "REPLACE")
    hanging = make_mesh("Hanging", [(0, 0.5, 0)])
    hanging.parent = armature
    hanging.parent_type = "BONE"
    hanging.parent_bone = "Upper"
    # A posed bone must not move what is read at rest.
    armature.pose.bones["Upper"].location = (0.3, 0, 0)
    bpy.context.view_layer.update()
    return armature


def make_mesh(name, points):
    """A mesh object of single vertices."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], [])
    item = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(item)
    return item


def test_ik_constraints_are_read_unless_muted():
    armature = make_post()
    limit = armature.pose.bones["Upper"].constraints.new("IK")
    limit.target, limit.subtarget, limit.chain_count = armature, "Lower", 2
    names = ("Lower", "Upper")
    evidence = collect_evidence(armature, [])
    assert evidence.skeleton.names == names
    assert evidence.ik_links == ((1, 0, 2),)
    limit.mute = True
    assert collect_evidence(armature, []).ik_links == ()


def test_a_body_without_legs_says_so():
    findings = find_rig(collect_evidence(make_post()))
    assert findings.rig is None
    assert findings.refusal.startswith("no walking legs found")


def test_an_object_that_is_no_armature():
    with pytest.raises(RigError, match="is not an armature"):
        collect_evidence(make_mesh("Cube", [(0, 0, 0)]))


def test_an_armature_without_bones():
    armature = bpy.data.objects.new("Empty", bpy.data.armatures.new("Empty"))
    bpy.context.collection.objects.link(armature)
    with pytest.raises(RigError, match="has no bones"):
        collect_evidence(armature)


def test_an_action_for_something_else_is_passed_over():
    armature = make_post()
    other = bpy.data.actions.new("Walk")
    assert collect_evidence(armature, [other]).clips == ()


def test_the_best_named_actions_tell_of_legs_whichever_is_asked_for(data_folder):
    armature = open_file(data_folder / "fox/Fox.glb")
    every = choose_actions(armature)
    assert {action.name for action in every} == {"Run", "Survey", "Walk"}
    for action in every:
        assert choose_actions(armature, [action]) == every
    assert choose_actions(armature, ignored=every) == []


def test_actions_that_another_armature_plays_are_left_out():
    armature, other = make_post(), make_post()
    played = {}
    for item, name in ((armature, "Step"), (other, "Walk")):
        played[name] = bpy.data.actions.new(name)
        item.animation_data_create().action = played[name]
        item.pose.bones["Upper"].keyframe_insert("location", frame=1)
    assert choose_actions(armature, [played["Step"]]) == [played["Step"]]
    assert choose_actions(armature, [played["Walk"]]) == [played["Walk"], played["Step"]]
