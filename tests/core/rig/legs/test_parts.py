# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names, trees, twins and skinning by themselves, and invalid evidence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.core.rig.legs.names import (
    is_never_leg,
    is_rigify,
    is_twist_name,
    rank_action_name,
    split_side,
    weigh_leg_names,
)
from semi_procedural_locomotion.core.rig.legs.skin import bind_points, pose_heights, pose_points
from semi_procedural_locomotion.core.rig.legs.trees import Tree
from semi_procedural_locomotion.core.rig.legs.twins import find_twins
from tests.core.legged_bodies import BodyMaker, make_biped, walk


@pytest.mark.parametrize(
    ("name", "side", "stem"),
    [
        ("thigh.L", "L", "thigh#"),
        ("upperleg.r", "R", "upperleg#"),
        ("mixamorig:LeftUpLeg", "L", "#UpLeg"),
        ("b_RightLeg01_019", "R", "b_#Leg01"),
        ("b_LeftLeg01_015", "L", "b_#Leg01"),
        ("LThumb", "L", "#Thumb"),
        ("foot_R_end", "R", "foot#"),
        ("lThigh", "L", "#Thigh"),
        ("rThighBend", "R", "#ThighBend"),
        ("thighL_01", "L", "thigh#"),
        ("Thigh_L01", "L", "Thigh_#"),
        ("leg_lft", "L", "leg_#"),
        ("Thigh Rt", "R", "Thigh #"),
        ("FL_leg", "L", "F#_leg"),
        ("leg.rr", "R", "leg.r#"),
        ("lfoot", "L", "#foot"),
        ("shinr", "R", "shin#"),
        ("左足", "L", "#足"),
        ("Bip01 L Thigh", "L", "Bip01#Thigh"),
        ("CC_Base_L_Thigh", "L", "CC_Base#Thigh"),
        ("DEF-thigh.L.001", "L", "DEF-thigh#"),
        ("Spine", "", "Spine"),
        ("Roll", "", "Roll"),
        ("Ring1", "", "Ring1"),
        ("lower_lid", "", "lower_lid"),
        ("Brightness", "", "Brightness"),
    ],
)
def test_sides_in_names(name, side, stem):
    assert split_side(name) == (side, stem)


@pytest.mark.parametrize(
    ("name", "rank"),
    [("Armature|Walk", 2), ("Idle", 1), ("Death", -3), ("Running_Strafe_Left", -1), ("foo", 0)],
)
def test_ranks_of_action_names(name, rank):
    assert rank_action_name(name) == rank


def test_words_in_bone_names():
    assert is_never_leg("dorsal_fin.L")
    assert not is_never_leg("finger.L")
    assert all(
        map(is_never_leg, ("SkirtFront_01", "スカート_0_7", "cat_ears", "DressHem", "hairTail"))
    )
    assert not any(map(is_never_leg, ("左足", "SwingLeg", "Forearm.L", "FrontLeg")))
    assert is_twist_name("DEF-thigh.L.001", "DEF-thigh.L")
    assert is_twist_name("shin_twist.L", "shin.L")
    assert not is_twist_name("shin.L", "thigh.L")
    assert weigh_leg_names(["thigh.L"]) == 1.1
    assert weigh_leg_names(["hand.L", "finger.L"]) == 0.6
    assert weigh_leg_names(["bone"]) == 1.0
    assert weigh_leg_names(["左足", "左ひざ"]) == 1.1
    assert weigh_leg_names(["左腕"]) == 0.6
    assert is_rigify(tuple(f"{kind}-b{i}" for kind in ("DEF", "ORG", "MCH") for i in range(6)))
    assert not is_rigify(("DEF-a", "ORG-a", "MCH-a"))


def test_tree_of_any_order():
    tree = Tree([2, -1, 1, 2])
    assert tree.find_ancestors(0) == [0, 2, 1]
    assert list(tree.find_subtree(2)) == [0, 2, 3]
    assert tree.find_common_ancestor(0, 3) == 2
    assert tree.find_path_down(0, 1) == [2, 0]
    assert tree.order.index(2) < tree.order.index(0)
    assert Tree([-1, -1]).find_common_ancestor(0, 1) == -1


def test_tree_with_a_cycle():
    with pytest.raises(ValueError, match="cycle"):
        Tree([1, 0])


def test_twins_by_structure():
    # 0 root; 1, 2 hips; 3, 4 their knees; 5 a tail of another length
    tree = Tree([-1, 0, 0, 1, 2, 0])
    heads = np.array(
        [[0, 0, 1], [0.1, 0, 1], [-0.1, 0, 1], [0.1, 0, 0.5], [-0.1, 0, 0.5], [0, 0.4, 1.0]]
    )
    twins = find_twins(tree, heads)
    expected = np.zeros((6, 6), bool)
    for a, b in ((1, 2), (3, 4)):
        expected[a, b] = expected[b, a] = True
    np.testing.assert_array_equal(twins, expected)


def test_skinned_points_follow_their_bones():
    generator = np.random.default_rng(2)
    bones, frames, count = 3, 4, 7
    axes = rot.matrices_from_quaternions(
        rot.normalize_quaternions(generator.normal(size=(bones, 4)))
    )
    heads = generator.normal(size=(bones, 3))
    points = generator.normal(size=(count, 3))
    influences = np.tile([0, 1, 2, 0], (count, 1))
    weights = np.column_stack([generator.uniform(size=(count, 3)), np.zeros(count)])
    skin = bind_points(points, influences, weights, axes, heads)
    rest = pose_points(skin, axes[None], heads[None])
    np.testing.assert_allclose(rest[0], points, atol=1e-12)
    # A rigid motion of all bones moves the points with them.
    turns = rot.matrices_from_quaternions(
        rot.normalize_quaternions(generator.normal(size=(frames, 4)))
    )
    shift = generator.normal(size=(frames, 3))
    posed_axes = np.einsum("fij,bjk->fbik", turns, axes)
    posed_heads = np.einsum("fij,bj->fbi", turns, heads) + shift[:, None]
    expected = np.einsum("fij,pj->fpi", turns, points) + shift[:, None]
    posed = pose_points(skin, posed_axes, posed_heads)
    np.testing.assert_allclose(posed, expected, atol=1e-12)
    heights = pose_heights(skin, posed_axes, posed_heads)
    np.testing.assert_allclose(heights, expected[..., 2], atol=1e-12)


def test_evidence_of_wrong_shape():
    maker, legs = make_biped()
    evidence = maker.evidence([walk(maker, legs)])
    with pytest.raises(ValueError, match="tails must have shape"):
        replace(evidence, tails=evidence.tails[1:])
    with pytest.raises(ValueError, match="vertex_bones must have shape"):
        replace(evidence, vertex_bones=evidence.vertex_bones[:, :2])
    clip = evidence.clips[0]
    with pytest.raises(ValueError, match="axis_scales must have shape"):
        replace(clip, axis_scales=clip.axis_scales[1:])
    with pytest.raises(ValueError, match="positive interval"):
        replace(clip, interval=0.0)
    small = replace(
        clip,
        rotations=clip.rotations[:, 1:],
        positions=clip.positions[:, 1:],
        axis_scales=clip.axis_scales[:, 1:],
    )
    with pytest.raises(ValueError, match="must hold"):
        replace(evidence, clips=(small,))


def test_wheels_on_suspension_arms_are_no_legs():
    maker = BodyMaker()
    maker.bone("chassis", None, (0.0, 0.0, 0.8), (0.0, 0.5, 0.8))
    maker.box("chassis", (-0.6, -1.2, 0.6), (0.6, 1.2, 1.2), 4)
    for side, x in ((".L", 0.7), (".R", -0.7)):
        for end, y in (("front", -1.0), ("rear", 1.0)):
            strut = maker.bone(f"{end}_strut{side}", "chassis", (x, y, 0.8), (x, y, 0.3))
            wheel = maker.bone(f"{end}_wheel{side}", strut, (x, y, 0.3), (x, y - 0.3, 0.3))
            maker.tube(strut, wheel)
            maker.box(wheel, (x - 0.1, y - 0.3, 0.0), (x + 0.1, y + 0.3, 0.6), 4)
    turns = np.linspace(0.0, 2.0 * np.pi, 17)
    spin = rot.quaternions_from_axis_angles(np.tile([1.0, 0.0, 0.0], (17, 1)), turns)
    wheels = {name: {"rotation": spin} for name in maker.names if "wheel" in name}
    for clips in ([], [maker.clip("Drive", wheels, 17)]):
        found = find_rig(maker.evidence(clips))
        assert found.rig is None or found.confidence < 0.5
