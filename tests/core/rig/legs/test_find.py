# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of synthetic bodies, in numbered cases (docs/method/legs.md, Legs)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import BodyEvidence, LegChoice, build_rig, find_rig
from semi_procedural_locomotion.core.rig.legs.evidence import reorder_evidence
from semi_procedural_locomotion.core.rig.skeleton import Skeleton
from semi_procedural_locomotion.notes import NoteKind
from tests.core.legged_bodies import (
    FRAMES,
    BodyMaker,
    LegPath,
    add_trunk,
    bend_leg,
    list_legs,
    make_biped,
    make_quadruped,
    make_spider,
    step_path,
    turn_evidence,
    walk,
)

BIPED = [
    ("Left", "L", ("thigh.L", "shin.L", "foot.L"), "toe.L"),
    ("Right", "R", ("thigh.R", "shin.R", "foot.R"), "toe.R"),
]
QUADRUPED = [
    ("Front Left", "L", ("front_upper.L", "front_lower.L", "front_paw.L"), None),
    ("Front Right", "R", ("front_upper.R", "front_lower.R", "front_paw.R"), None),
    ("Back Left", "L", ("hind_thigh.L", "hind_shin.L", "hind_hock.L", "hind_paw.L"), None),
    ("Back Right", "R", ("hind_thigh.R", "hind_shin.R", "hind_hock.R", "hind_paw.R"), None),
]


def kinds_of(found):
    return [note.kind for note in found.doubts]


def expect_legs(evidence, expected, confidence=0.75):
    """The rig found, after comparing its legs, partners and confidence."""
    findings = find_rig(evidence)
    assert findings.rig is not None, findings.refusal
    assert list_legs(findings.rig) == expected
    for index, leg in enumerate(findings.rig.legs):
        assert leg.partner == index ^ 1
    assert findings.confidence >= confidence, findings.doubts
    return findings


@pytest.mark.parametrize("mesh", [True, False])
@pytest.mark.parametrize("moving", [True, False])
def test_01_attached_biped(mesh, moving):
    maker, legs = make_biped()
    clips = [walk(maker, legs)] if moving else []
    findings = expect_legs(maker.evidence(clips, mesh=mesh), BIPED)
    rig = findings.rig
    assert findings.clip_used == ("Walk" if moving else None)
    assert rig.skeleton.names[rig.body] == "hips"
    np.testing.assert_allclose(rig.forward, [0, -1], atol=1e-9)
    assert rig.ground_height == 0.0
    assert not any(leg.detached for leg in rig.legs)
    expected = np.hypot(0.4, 0.02) * 2
    np.testing.assert_allclose([leg.length for leg in rig.legs], expected, rtol=1e-9)


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("quarter", [-1, 1])
def test_02_scale_axes_yaw_and_place(scale, quarter):
    maker, legs = make_biped()
    axes = rot.quaternions_from_axis_angles([1.0, 0.0, 0.0], quarter * np.pi / 2)
    yaw = np.radians(37.0)
    body = maker.evidence([walk(maker, legs)])
    plain = find_rig(body)
    # The used-bone limit counts weights, so the mesh keeps its vertices at any scale.
    turned = turn_evidence(body, scale, yaw, (3.0 * scale, -2.0 * scale, 0.0), axes)
    findings = expect_legs(turned, BIPED)
    np.testing.assert_allclose(findings.rig.forward, [np.sin(yaw), -np.cos(yaw)], atol=1e-9)
    assert findings.confidence == pytest.approx(plain.confidence)
    np.testing.assert_allclose(findings.rig.foot_lengths, scale * plain.rig.foot_lengths)
    for leg, before in zip(findings.rig.legs, plain.rig.legs, strict=True):
        back = rot.rotate(rot.conjugate(axes), before.hinge)
        np.testing.assert_allclose(leg.hinge, back, atol=1e-6)
        back = scale * rot.rotate(rot.conjugate(axes), before.heel.offset)
        np.testing.assert_allclose(leg.heel.offset, back, atol=1e-6 * scale)


@pytest.mark.parametrize("parent", ["root", None])
def test_03_04_detached_feet_with_a_baked_walk(parent):
    maker, legs = make_biped(detached_parent=parent)
    rig = expect_legs(maker.evidence([walk(maker, legs)]), BIPED).rig
    assert all(leg.detached for leg in rig.legs)
    assert not any(leg.doubts for leg in rig.legs)  # the walk shows that they go with their shins
    assert rig.confidence == 1.0
    assert rig.skeleton.names[rig.body] == "hips"


def test_05_detached_feet_at_rest_only():
    maker, _ = make_biped(detached_parent="root")
    rig = expect_legs(maker.evidence(), BIPED).rig
    assert all(leg.detached for leg in rig.legs)
    assert all(kinds_of(leg) == [NoteKind.FOOT_DETACHED] for leg in rig.legs)
    assert rig.confidence < 0.87  # 0.88 with feet below their shins


def test_05_detached_feet_that_only_twitch_are_assigned_at_rest():
    maker, legs = make_biped(detached_parent="root")
    wobble = 0.02 * np.sin(np.linspace(0, 2 * np.pi, FRAMES))[:, None] * np.array([1.0, 0.4, 0.0])
    moves = {leg.ankle: {"position": maker.heads[leg.ankle] + wobble} for leg in legs}
    rig = expect_legs(maker.evidence([maker.clip("Idle", moves)]), BIPED).rig
    assert all(leg.detached for leg in rig.legs)


def test_06_07_unweighted_foot_becomes_a_helper_ankle():
    maker, legs = make_biped(names=("thigh", "shin", "foot", "toe"), detached_parent="root")
    weighted = {"hips", "spine", "head", "thigh.L", "thigh.R", "shin.L", "shin.R"}
    evidence = maker.evidence([walk(maker, legs)], skin_of=weighted)
    rig = find_rig(evidence).rig
    assert [joints for _, _, joints, _ in list_legs(rig)] == [leg[2] for leg in BIPED]
    assert all(NoteKind.ANKLE_WITHOUT_WEIGHTS in kinds_of(leg) for leg in rig.legs)
    assert rig.confidence < 0.9


def test_08_ik_constraint_links_the_foot():
    maker, _ = make_biped(detached_parent="root")
    maker.ik_links = [("shin.L", "foot.L", 2), ("shin.R", "foot.R", 2)]
    # So far aside that the distance at rest would not tell.
    for bone in ("foot.L", "toe.L"):
        maker.heads[bone] = maker.heads[bone] + [0.15, 0.0, 0.0]
    for bone in ("foot.R", "toe.R"):
        maker.heads[bone] = maker.heads[bone] + [-0.15, 0.0, 0.0]
    expect_legs(maker.evidence(mesh=False), BIPED)


@pytest.mark.parametrize("mesh", [True, False])
def test_10_11_quadruped_with_clavicles_and_digitigrade_hind_legs(mesh):
    maker, legs = make_quadruped()
    evidence = maker.evidence([walk(maker, legs, 0.25, 0.06)], mesh=mesh)
    rig = expect_legs(evidence, QUADRUPED).rig
    assert rig.skeleton.names[rig.body] == "pelvis"
    left = np.array([1.0, 0.0, 0.0])
    assert rig.legs[0].hinge @ left < -0.99  # the elbow points backward
    assert rig.legs[2].hinge @ left > 0.99  # the knee points forward


def test_13_rest_along_x_without_a_mesh():
    maker, legs = make_biped()
    standing = walk(maker, legs)
    lying = rot.quaternions_from_axis_angles([0.0, 1.0, 0.0], np.pi / 2)
    evidence = maker.evidence([standing], mesh=False)
    skeleton = evidence.skeleton
    root = (skeleton.parents < 0)[:, None]
    flat = replace(
        skeleton,
        rest_rotations=np.where(root, lying, skeleton.rest_rotations),
        rest_translations=np.where(
            root, rot.rotate(lying, skeleton.rest_translations), skeleton.rest_translations
        ),
    )
    evidence = replace(evidence, skeleton=flat, tails=rot.rotate(lying, evidence.tails))
    findings = expect_legs(evidence, BIPED)
    assert findings.rig.ground_height == 0.0
    np.testing.assert_allclose(findings.rig.forward, [0, -1], atol=1e-6)


def test_15_rest_faces_elsewhere_than_the_clip():
    maker, legs = make_biped()
    evidence = maker.evidence([walk(maker, legs)])
    turned = turn_evidence(evidence, yaw=np.pi / 2)
    findings = expect_legs(replace(turned, clips=evidence.clips), BIPED)
    np.testing.assert_allclose(findings.rig.forward, [0, -1], atol=1e-6)
    assert findings.yaw_offset == pytest.approx(-np.pi / 2, abs=1e-6)


def send_round(evidence, radius):
    """The walk in place on a circle, metres to the left; it faces as at rest where it begins."""
    (clip,) = evidence.clips
    speed = 0.4 / 0.6  # a stride of `walk` while the foot stands, in cycles of a second
    turns = speed / radius * clip.interval * np.arange(len(clip.positions))
    yaws = rot.quaternions_from_yaws(turns)[:, None]
    centre = np.array([radius, 0.0, 0.0])
    sent = replace(
        clip,
        rotations=rot.multiply(yaws, clip.rotations),
        positions=rot.rotate(yaws, clip.positions - centre) + centre,
    )
    return replace(evidence, clips=(sent,))


@pytest.mark.parametrize("yaw", [0.0, 2.1])
@pytest.mark.parametrize("scale", [0.01, 1.0])
@pytest.mark.parametrize("radius", [5.0, 2.0, 0.8, -2.0])
def test_15_a_walk_on_a_curve_faces_as_the_rest_pose(radius, scale, yaw):
    maker, legs = make_biped()
    evidence = send_round(maker.evidence([walk(maker, legs, frames=49)]), radius)
    findings = expect_legs(turn_evidence(evidence, scale=scale, yaw=yaw), BIPED)
    np.testing.assert_allclose(findings.rig.forward, [np.sin(yaw), -np.cos(yaw)], atol=1e-6)
    assert findings.yaw_offset == 0.0
    assert NoteKind.CLIP_FACES_ELSEWHERE not in kinds_of(findings)


def test_15_a_forward_that_is_given_is_that_of_the_rest_pose_on_a_curve_too():
    maker, legs = make_biped()
    evidence = send_round(maker.evidence([walk(maker, legs, frames=49)]), 2.0)
    chosen = [LegChoice(tuple(bones)) for _, _, bones, _ in BIPED]
    rig = build_rig(evidence, chosen, forward=(0.6, -0.8))
    np.testing.assert_allclose(rig.forward, (0.6, -0.8), atol=1e-9)


def test_15_who_goes_along_faces_as_at_rest_wherever_the_clip_goes():
    maker, legs = make_biped()
    evidence = maker.evidence([walk(maker, legs)])
    turned = turn_evidence(evidence, yaw=np.pi / 2)
    findings = expect_legs(replace(turned, clips=send_round(evidence, 5.0).clips), BIPED)
    assert NoteKind.CLIP_FACES_ELSEWHERE not in kinds_of(findings)
    np.testing.assert_allclose(findings.rig.forward, [1, 0], atol=0.06)


def turn_round(maker, legs, names):
    """Walks of one body, those that are named going backwards."""
    clips = []
    for name in ("Gait1", "Gait2", "Gait3"):
        clip = walk(maker, legs, name=name)
        back = slice(None, None, -1 if name in names else 1)
        clips.append(replace(clip, rotations=clip.rotations[back], positions=clip.positions[back]))
    return maker.evidence(clips)


def test_15_walks_that_go_the_other_way_are_told_and_do_not_decide():
    maker, legs = make_biped(foot=False)
    evidence = turn_round(maker, legs, {"Gait1"})
    findings = find_rig(evidence)
    np.testing.assert_allclose(findings.rig.forward, [0, -1], atol=1e-6)
    told = {n.kind: n.values.get("clips") for n in findings.doubts}
    assert told[NoteKind.FORWARD_CONTRADICTED] == ("Gait1",)
    assert NoteKind.FORWARD_CONTRADICTED not in kinds_of(find_rig(turn_round(maker, legs, set())))


def test_16_eight_legs_with_knees_above_the_hips():
    maker, legs = make_spider()
    expected = [
        (f"{word} {n + 1}", side[1], (f"upper{n}{side}", f"lower{n}{side}", f"foot{n}{side}"), None)
        for n in range(4)
        for word, side in (("Left", ".L"), ("Right", ".R"))
    ]
    expect_legs(maker.evidence([walk(maker, legs, 0.3, 0.1)]), expected)


def test_18_tail_on_and_below_the_ground():
    maker, legs = make_biped()
    parent = "hips"
    for index, height in enumerate((0.6, 0.3, 0.0, -0.08)):
        bone = maker.bone(f"tail{index}", parent, (0, 0.15 + 0.2 * index, height))
        maker.box(bone, maker.heads[bone] - 0.03, maker.heads[bone] + 0.03)
        parent = bone
    findings = expect_legs(maker.evidence([walk(maker, legs)]), BIPED)
    assert abs(findings.clip_ground_height) < 0.02


def test_18_a_sword_below_the_ground_is_not_stood_on():
    maker, legs = make_biped()
    maker.box("hand.R", (-0.3, -0.02, -0.3), (-0.26, 0.02, 0.9), steps=4)
    findings = expect_legs(maker.evidence([walk(maker, legs)]), BIPED)
    assert findings.clip_used == "Walk"
    assert abs(findings.clip_ground_height) < 0.02


def test_20_dinosaur_arms_named_front_leg_are_no_legs():
    maker, legs = make_biped(names=("BackLeg", "BackShin", "BackFoot", "BackToe"), arms=False)
    for side, x in ((".L", 0.15), (".R", -0.15)):
        upper = maker.bone(f"FrontLeg{side}", "spine", (x, -0.2, 1.2))
        lower = maker.bone(f"FrontShin{side}", upper, (x, -0.25, 1.0))
        hand = maker.bone(f"FrontFoot{side}", lower, (x, -0.35, 0.95))
        maker.tube(upper, lower)
        maker.tube(lower, hand)
        maker.box(hand, maker.heads[hand] - 0.03, maker.heads[hand] + 0.03)
    findings = find_rig(maker.evidence([walk(maker, legs)]))
    assert [joints[0] for _, _, joints, _ in list_legs(findings.rig)] == ["BackLeg.L", "BackLeg.R"]


def test_22_the_walk_decides_among_clips_without_usable_names():
    maker, legs = make_biped()
    crawl_moves = {"hips": {"rotation": np.tile([np.sqrt(0.5), np.sqrt(0.5), 0, 0], (FRAMES, 1))}}
    crawl_moves["hips"]["position"] = np.tile([0.0, 0.0, 0.2], (FRAMES, 1))
    crawl = maker.clip("clip a", crawl_moves)
    findings = expect_legs(maker.evidence([crawl, walk(maker, legs, name="clip b")]), BIPED)
    assert findings.clip_used == "clip b"


def test_23_mirrored_side_names_lose_against_feet_and_travel():
    maker, legs = make_biped(sides=(".R", ".L"))
    findings = find_rig(maker.evidence([walk(maker, legs)]))
    np.testing.assert_allclose(findings.rig.forward, [0, -1], atol=1e-6)
    assert [(side, joints[0]) for _, side, joints, _ in list_legs(findings.rig)] == [
        ("L", "thigh.R"),
        ("R", "thigh.L"),
    ]
    assert NoteKind.SIDES_SWAPPED in kinds_of(findings)


@pytest.mark.parametrize("sides", [("_a", "_b"), (".L", ".L.001")])
def test_24_sides_without_usable_names(sides):
    maker, legs = make_biped(sides=sides)
    findings = find_rig(maker.evidence([walk(maker, legs)]))
    assert [(side, joints[0]) for _, side, joints, _ in list_legs(findings.rig)] == [
        ("L", f"thigh{sides[0]}"),
        ("R", f"thigh{sides[1]}"),
    ]


def test_25_twist_parts_are_no_joints():
    maker = BodyMaker()
    maker.bone("hips", None, (0, 0, 0.95))
    maker.box("hips", (-0.1, -0.1, 0.9), (0.1, 0.1, 1.6), steps=6)
    legs = []
    for side, x, phase in ((".L", 0.1, 0.0), (".R", -0.1, 0.5)):
        points = {
            f"thigh{side}": (x, 0, 0.9),
            f"thigh{side}.001": (x, -0.01, 0.7),
            f"shin{side}": (x, -0.02, 0.5),
            f"shin_twist{side}": (x, -0.01, 0.3),
            f"foot{side}": (x, 0, 0.1),
            f"toe{side}": (x, -0.12, 0.02),
        }
        parent = "hips"
        for bone, head in points.items():
            maker.bone(bone, parent, head)
            maker.box(bone, maker.heads[bone] - 0.02, maker.heads[bone] + 0.02)
            parent = bone
        legs.append(LegPath(f"thigh{side}", f"shin{side}", f"foot{side}", phase))
    expect_legs(maker.evidence([walk(maker, legs)]), BIPED)


def test_26_zero_length_hip_joint_on_the_plane():
    maker = BodyMaker()
    maker.bone("hips", None, (0, 0, 0.95))
    maker.box("hips", (-0.1, -0.1, 0.9), (0.1, 0.1, 1.6), steps=6)
    legs = []
    for side, x, phase in ((".L", 0.1, 0.0), (".R", -0.1, 0.5)):
        points = {
            f"joint{side}": (0, 0, 0.95),
            f"thigh{side}": (x, 0, 0.9),
            f"shin{side}": (x, -0.02, 0.5),
            f"foot{side}": (x, 0, 0.1),
            f"toe{side}": (x, -0.12, 0.02),
        }
        parent = "hips"
        for bone, head in points.items():
            parent = maker.bone(bone, parent, head)
        legs.append(LegPath(f"thigh{side}", f"shin{side}", f"foot{side}", phase))
    expect_legs(maker.evidence([walk(maker, legs)], mesh=False), BIPED)


def test_27_control_bones_on_the_ground_are_ignored():
    maker, legs = make_biped()
    for side, x in ((".L", 0.1), (".R", -0.1)):
        maker.bone(f"foot_ik{side}", "root", (x, 0, 0.1))
        maker.bone(f"roll{side}", f"foot_ik{side}", (x, 0.05, 0.0))
        maker.bone(f"pole{side}", "root", (x, -1.0, 0.5))
    extra = {}
    for side, leg in zip((".L", ".R"), legs, strict=True):
        path = step_path(maker.heads[leg.ankle], leg.phase, 0.4, 0.1)
        extra[f"foot_ik{side}"] = {"position": path}
    rig = expect_legs(maker.evidence([walk(maker, legs, extra=extra)]), BIPED).rig
    assert not any(leg.detached for leg in rig.legs)


def test_27_control_bones_without_a_mesh_are_known_by_name():
    maker, legs = make_biped()
    for side, x in ((".L", 0.1), (".R", -0.1)):
        maker.bone(f"footIK{side}", "root", (x, 0, 0.1))
        maker.bone(f"control_roll{side}", f"footIK{side}", (x, 0.05, 0.0))
    extra = {}
    for side, leg in zip((".L", ".R"), legs, strict=True):
        path = step_path(maker.heads[leg.ankle], leg.phase, 0.4, 0.1)
        extra[f"footIK{side}"] = {"position": path}
    evidence = maker.evidence([walk(maker, legs, extra=extra)], mesh=False)
    assert not any(leg.detached for leg in expect_legs(evidence, BIPED).rig.legs)


def test_28_end_leaves_are_no_joints():
    maker, legs = make_biped()
    for side, x in ((".L", 0.1), (".R", -0.1)):
        maker.bone(f"toe{side}_end", f"toe{side}", (x, -0.2, 0.01))
        maker.bone(f"hand{side}_end", f"hand{side}", (3 * x, 0.0, 0.8))
    expect_legs(maker.evidence([walk(maker, legs)]), BIPED)


def test_29_paw_with_four_toes_ends_at_the_paw():
    maker, legs = make_biped(names=("thigh", "shin", "paw", "pad"), foot=False)
    for side, x in ((".L", 0.1), (".R", -0.1)):
        maker.box(f"paw{side}", (x - 0.04, -0.11, 0.0), (x + 0.04, 0.06, 0.12), steps=3)
        maker.box(f"pad{side}", (x - 0.05, -0.13, 0.0), (x + 0.05, -0.11, 0.04))
        for toe in range(4):
            place = x + 0.03 * (toe - 1.5)
            bone = maker.bone(f"toe{toe}{side}", f"pad{side}", (place, -0.15, 0.01))
            maker.box(bone, (place - 0.01, -0.2, 0.0), (place + 0.01, -0.15, 0.02))
    findings = find_rig(maker.evidence([walk(maker, legs)]))
    assert list_legs(findings.rig) == [
        ("Left", "L", ("thigh.L", "shin.L", "paw.L"), "pad.L"),
        ("Right", "R", ("thigh.R", "shin.R", "paw.R"), "pad.R"),
    ]
    tip = findings.rig.foot_lengths[0]
    assert tip == pytest.approx(0.26, abs=0.01)


def test_29_sideways_heel_pivot_is_no_toe():
    maker, legs = make_biped()
    for side, x in ((".L", 0.1), (".R", -0.1)):
        bone = maker.bone(f"heel{side}.002", f"foot{side}", (x - 0.03, 0.05, 0.0))
        maker.box(bone, (x - 0.03, 0.03, 0.0), (x + 0.03, 0.06, 0.02))
    expect_legs(maker.evidence([walk(maker, legs)]), BIPED)


def test_30_a_hovering_pair_in_phase_is_refused():
    maker, legs = make_biped(names=("upper", "lower", "end", "tip"))
    legs = [replace(leg, phase=0.0) for leg in legs]
    evidence = turn_evidence(maker.evidence([walk(maker, legs)]), move=(0.0, 0.0, 0.5))
    findings = find_rig(evidence)
    assert findings.rig is not None
    assert findings.confidence < 0.5
    assert NoteKind.FEET_IN_PHASE in kinds_of(findings)
    (hover,) = [note for note in findings.doubts if note.kind is NoteKind.FEET_HOVER]
    assert hover.values["lengths"] > 0.25


def make_worm():
    maker = BodyMaker()
    parent = None
    for index in range(6):
        bone = maker.bone(f"link{index}", parent, (0, 0.3 * index, 0.1))
        maker.box(bone, (-0.1, 0.3 * index, 0.0), (0.1, 0.3 * index + 0.3, 0.2), steps=3)
        parent = bone
    return maker


def make_fish():
    maker = make_worm()
    for side, x in ((".L", 0.1), (".R", -0.1)):
        fin = maker.bone(f"fin{side}", "link2", (x, 0.6, 0.05))
        tip = maker.bone(f"fin_tip{side}", fin, (3 * x, 0.7, 0.0))
        maker.tube(fin, tip, 0.01)
        maker.box(tip, maker.heads[tip] - 0.01, maker.heads[tip] + 0.01)
    return maker


@pytest.mark.parametrize("make", [make_worm, make_fish])
def test_31_legless_bodies_give_no_rig_but_words(make):
    findings = find_rig(make().evidence())
    assert findings.rig is None
    assert findings.confidence == 0.0
    assert findings.refusal.startswith("no walking legs found: ")


def test_flattened_bones_are_told_as_such():
    evidence = make_worm().evidence()
    alone = np.full_like(evidence.skeleton.parents, -1)
    flat = replace(evidence, skeleton=replace(evidence.skeleton, parents=alone))
    refusal = find_rig(flat).refusal
    assert refusal.startswith("no walking legs found: its bones hang from no bone and not from one")
    assert refusal.endswith("or export the rig with its hierarchy")


def test_32_too_few_bones():
    maker = BodyMaker()
    maker.bone("only", None, (0, 0, 0))
    findings = find_rig(maker.evidence())
    assert findings.rig is None
    assert "only 1 bone" in findings.refusal


def test_32_no_bones():
    skeleton = Skeleton((), np.zeros(0, np.intp), np.zeros((0, 4)), np.zeros((0, 3)))
    evidence = BodyEvidence(skeleton, np.zeros((0, 3)), np.zeros(0, bool))
    assert find_rig(evidence).rig is None


def test_32_mesh_without_weights_counts_as_no_mesh():
    maker, legs = make_biped()
    evidence = maker.evidence([walk(maker, legs)])
    bare = replace(evidence, vertex_weights=np.zeros_like(evidence.vertex_weights))
    rig = expect_legs(bare, BIPED).rig
    assert all(NoteKind.SOLE_GUESSED in kinds_of(leg) for leg in rig.legs)


def test_35_one_foot_a_quarter_leg_lower_than_the_other():
    maker, legs = make_biped()
    legs = [legs[0], replace(legs[1], sink=-0.19)]
    evidence = maker.evidence([walk(maker, legs, stride=0.5)])
    expect_legs(replace(evidence, clips=evidence.clips), BIPED, confidence=0.5)
    findings = find_rig(evidence)
    assert findings.clip_used == "Walk"


def test_root_motion_does_not_turn_swinging_arms_into_legs_or_feet_into_doubt():
    maker, legs = make_biped()
    evidence = maker.evidence([walk(maker, legs)])
    (clip,) = evidence.clips
    speed = 0.4 / 0.6
    way = speed * np.arange(FRAMES)[:, None, None] / (FRAMES - 1) * np.array([0.0, -1.0, 0.0])
    moving = replace(clip, positions=clip.positions + way)
    for yaw in (0.0, 2.1):
        findings = expect_legs(turn_evidence(replace(evidence, clips=(moving,)), yaw=yaw), BIPED)
        assert findings.confidence == 1.0, findings.doubts


def test_36_penetrating_hind_paws_keep_the_front_legs():
    maker, legs = make_quadruped()
    legs = [replace(leg, sink=0.06) if "hind" in leg.hip else leg for leg in legs]
    expect_legs(maker.evidence([walk(maker, legs, 0.25, 0.06)]), QUADRUPED)


def test_43_the_order_of_bones_does_not_matter():
    maker, legs = make_quadruped()
    evidence = maker.evidence([walk(maker, legs, 0.25, 0.06)])
    plain = find_rig(evidence)
    generator = np.random.default_rng(5)
    for _ in range(3):
        order, placed, waiting = [], {-1}, list(range(len(evidence.skeleton)))
        while waiting:
            ready = [b for b in waiting if int(evidence.skeleton.parents[b]) in placed]
            bone = int(generator.choice(ready))
            order.append(bone)
            placed.add(bone)
            waiting.remove(bone)
        shuffled = find_rig(reorder_evidence(evidence, np.array(order)))
        assert list_legs(shuffled.rig) == list_legs(plain.rig)
        assert shuffled.confidence == plain.confidence
        for leg, before in zip(shuffled.rig.legs, plain.rig.legs, strict=True):
            np.testing.assert_array_equal(leg.heel.offset, before.heel.offset)
            np.testing.assert_array_equal(leg.hinge, before.hinge)


def test_arms_of_a_runner_that_nearly_touch_the_ground_are_no_legs():
    """19: long arms that come within 0.05 L of the ground while they swing."""
    maker, legs = make_biped(arms=False)
    arms = []
    for side, x, phase in ((".L", 0.25, 0.5), (".R", -0.25, 0.0)):
        upper = maker.bone(f"arm{side}", "spine", (x, 0, 1.2))
        lower = maker.bone(f"forearm{side}", upper, (x, 0.02, 0.65))
        hand = maker.bone(f"hand{side}", lower, (x, 0, 0.1))
        maker.tube(upper, lower)
        maker.tube(lower, hand)
        maker.box(hand, maker.heads[hand] - 0.03, maker.heads[hand] + 0.03)
        arms.append(LegPath(upper, lower, hand, phase, bend=(0, 1, 0)))
    swings = {}
    angle = 0.7 * np.sin(2 * np.pi * np.linspace(0, 1, FRAMES))
    for arm, sign in zip(arms, (1, -1), strict=True):
        way = np.stack([0 * angle, np.sin(sign * angle), -np.cos(angle)], axis=1)
        swings.update(bend_leg(maker, arm, maker.heads[arm.hip] + 1.09 * way))
    expect_legs(maker.evidence([walk(maker, legs, extra=swings)]), BIPED)


def make_short_legged(arms_low=True):
    """A big body on thighs so short and light that they look like feet of the hanging arms."""
    maker = BodyMaker()
    add_trunk(maker, 0.3, 1.7)
    legs = []
    for side, x, phase in ((".L", 0.1, 0.0), (".R", -0.1, 0.5)):
        out = 2.5 * x
        maker.bone(f"arm{side}", "spine", (out, 0, 0.95))
        maker.bone(f"forearm{side}", f"arm{side}", (1.1 * out, 0, 0.7))
        maker.bone(f"hand{side}", f"forearm{side}", (1.1 * out, 0, 0.42 if arms_low else 0.9))
        for bone in ("arm", "forearm"):
            lower = {"arm": "forearm", "forearm": "hand"}[bone]
            maker.tube(f"{bone}{side}", f"{lower}{side}")
        centre = maker.heads[f"hand{side}"]
        maker.box(f"hand{side}", centre - 0.06, centre + 0.06, steps=3)
        thigh = maker.bone(f"thigh{side}", "hips", (x, 0, 0.28))
        shin = maker.bone(f"shin{side}", thigh, (x, -0.02, 0.17))
        foot = maker.bone(f"foot{side}", "root", (x, 0, 0.05))
        maker.tube(thigh, shin)
        maker.tube(shin, foot)
        maker.box(foot, (x - 0.04, -0.16, 0.0), (x + 0.04, 0.06, 0.08), steps=3)
        legs.append(LegPath(thigh, shin, foot, phase))
    return maker, legs


@pytest.mark.parametrize("arms_low", [True, False])
@pytest.mark.parametrize("moving", [True, False])
def test_thighs_lower_than_hands_are_no_feet_of_arms(arms_low, moving):
    maker, legs = make_short_legged(arms_low)
    clips = [walk(maker, legs, stride=0.12, lift=0.03)] if moving else []
    expected = [(name, side, joints, None) for name, side, joints, _ in BIPED]
    expect_legs(maker.evidence(clips), expected)
