# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of a thigh and a shin stand on the ends of their shins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import LegChoice, build_rig, find_rig, fit_evidence
from semi_procedural_locomotion.core.rig.skeleton import (
    BoneEnd,
    compute_global_poses,
    compute_rest_poses,
)
from semi_procedural_locomotion.core.rig.standing import note_standing
from tests.core.legged_bodies import (
    list_sole_points,
    make_biped,
    make_spider,
    make_stilts,
    turn_evidence,
    walk,
)


def _find_ends(rig):
    """Rest places of the ankles, (L, 3)."""
    _, heads = compute_rest_poses(rig.skeleton)
    return heads[[leg.ankle for leg in rig.legs]]


def _expect_ends(maker, rig):
    """Where the shins of the rig's legs end at rest, (L, 3)."""
    return np.array(
        [maker.heads[rig.name_joints(leg)[-1].replace("shin", "end")] for leg in rig.legs]
    )


def _sort_parents_first(maker):
    """Put bones that were added late before those that hang from them."""
    order = []
    while len(order) < len(maker.names):
        for name, parent in zip(maker.names, maker.parents, strict=True):
            if name not in order and (parent is None or parent in order):
                order.append(name)
    maker.parents = [maker.parents[maker.names.index(name)] for name in order]
    maker.names = order


@pytest.mark.parametrize("mesh", [True, False])
@pytest.mark.parametrize(("pairs", "wide"), [(1, False), (2, False), (3, True), (4, True)])
def test_the_end_of_the_shin_is_the_ankle(pairs, wide, mesh):
    maker, legs = make_stilts(pairs, wide)
    findings = find_rig(maker.evidence([walk(maker, legs, stride=0.3)], mesh=mesh))
    rig = findings.rig
    assert len(rig.legs) == 2 * pairs
    assert findings.confidence >= 0.75
    for leg in rig.legs:
        thigh, shin = rig.name_joints(leg)
        assert (thigh[:5], shin[:4], thigh[5:]) == ("thigh", "shin", shin[4:])
        assert len(leg.joints) == 3
        heads = [maker.heads[name] for name in (thigh, shin, shin.replace("shin", "end"))]
        assert leg.length == pytest.approx(
            np.linalg.norm(np.diff(heads, axis=0), axis=1).sum(), 0.02
        )
    np.testing.assert_allclose(_find_ends(rig), _expect_ends(maker, rig), atol=0.022)
    soles = list_sole_points(rig)
    np.testing.assert_allclose(soles.mean(axis=1), _expect_ends(maker, rig), atol=0.022)
    np.testing.assert_allclose(soles[..., 2], 0.0, atol=1e-6)
    np.testing.assert_allclose(rig.forward, [0, -1], atol=0.05)
    assert rig.ground_height == 0.0


@pytest.mark.parametrize("mesh", [True, False])
@pytest.mark.parametrize(
    ("scale", "yaw", "axes"),
    [
        (0.01, 0.0, rot.IDENTITY),
        (100.0, 1.1, np.array([0.5, 0.5, 0.5, 0.5])),
        (1.0, 2.5, np.array([0.0, 0.6, 0.8, 0.0])),
    ],
)
def test_ends_are_found_in_any_size_and_direction(mesh, scale, yaw, axes):
    maker, legs = make_stilts(3, wide=True)
    evidence = maker.evidence([walk(maker, legs, stride=0.3)], mesh=mesh)
    rig = find_rig(turn_evidence(evidence, scale, yaw, axes=axes)).rig
    there = scale * rot.rotate(rot.quaternions_from_yaws(yaw), _expect_ends(maker, rig))
    np.testing.assert_allclose(_find_ends(rig), there, atol=0.022 * scale)


@pytest.mark.parametrize("names", [("thigh0.L", "shin0.L"), ("thigh0.R", "shin0.R")])
def test_named_legs_stand_on_the_ends_of_their_shins(names):
    maker, legs = make_stilts()
    evidence = maker.evidence([walk(maker, legs)])
    found = find_rig(evidence).rig
    rig = build_rig(evidence, [LegChoice(names)])
    (leg,) = rig.legs
    assert rig.name_joints(leg) == names
    assert leg.length == pytest.approx(found.leg_length)
    assert [end.bone for end in rig.skeleton.ends] == [names[1]]


@pytest.mark.parametrize("mesh", [True, False])
def test_more_bones_above_a_shin_without_a_foot(mesh):
    maker, legs = make_stilts(4, wide=True)
    for number in range(4):
        for side, sign in ((".L", 1.0), (".R", -1.0)):
            coxa, thigh = f"coxa{number}{side}", f"thigh{number}{side}"
            place = maker.heads[thigh] * [0.3, 1.0, 1.0]
            maker.bone(coxa, "hips", place, maker.heads[thigh])
            maker.box(coxa, place - 0.02, maker.heads[thigh] + 0.02)
            index = maker.names.index(thigh)
            maker.parents[index] = coxa
            assert sign * place[0] > 0
    _sort_parents_first(maker)
    evidence = maker.evidence([walk(maker, legs, stride=0.3)], mesh=mesh)
    found = find_rig(evidence).rig
    choices = [LegChoice(found.name_joints(leg)) for leg in found.legs]
    for rig in (found, build_rig(evidence, choices)):
        assert len(rig.legs) == 8
        np.testing.assert_allclose(_find_ends(rig), _expect_ends(maker, rig), atol=0.022)
        assert all(len(leg.joints) == len(rig.name_joints(leg)) + 1 for leg in rig.legs)


def test_named_legs_that_end_in_feet_have_no_ends():
    maker, legs = make_biped()
    evidence = maker.evidence([walk(maker, legs)])
    rig = build_rig(evidence, [LegChoice((f"thigh{side}", f"foot{side}")) for side in (".L", ".R")])
    assert rig.skeleton.ends == ()


def test_a_shoe_on_the_shin_is_stood_on():
    maker, legs = make_stilts(shoes=True)
    rig = find_rig(maker.evidence([walk(maker, legs)])).rig
    soles = list_sole_points(rig)
    np.testing.assert_allclose(soles[..., 2], 0.0, atol=1e-6)
    np.testing.assert_allclose(soles[:, 0, 1], 0.06, atol=0.01)
    np.testing.assert_allclose(soles[:, 2, 1], -0.18, atol=0.01)
    ends = _find_ends(rig)
    np.testing.assert_allclose(ends[:, 2], 0.0, atol=0.01)
    assert np.all((ends[:, 1] > -0.18) & (ends[:, 1] < 0.06))


@pytest.mark.parametrize("maker_legs", [make_biped(), make_spider()])
def test_legs_with_feet_have_no_ends(maker_legs):
    maker, legs = maker_legs
    rig = find_rig(maker.evidence([walk(maker, legs)])).rig
    assert rig.skeleton.ends == ()
    assert rig.skeleton.is_own.all()
    assert [rig.name_joints(leg) for leg in rig.legs] == [
        tuple(rig.skeleton.names[joint] for joint in leg.joints) for leg in rig.legs
    ]


def test_no_end_takes_the_name_of_a_bone():
    maker, legs = make_stilts()
    maker.bone("shin0.L end", "root", (0, 0.5, 1.2), deform=False)
    rig = find_rig(maker.evidence([walk(maker, legs)])).rig
    assert len(set(rig.skeleton.names)) == len(rig.skeleton.names)
    assert {end.name for end in rig.skeleton.ends} == {"shin0.L end end", "shin0.R end"}


def test_a_body_on_stilts_does_not_lie():
    maker, legs = make_stilts(3, wide=True)
    evidence = maker.evidence([walk(maker, legs, stride=0.3)])
    findings = find_rig(evidence)
    seen = fit_evidence(evidence, findings.rig.skeleton)
    assert note_standing(seen, findings.rig.legs, findings) == ()


def test_ends_go_with_their_bones():
    maker, legs = make_stilts()
    clip = walk(maker, legs)
    evidence = maker.evidence([clip])
    end = BoneEnd("tip", "shin0.L", (0.1, -0.2, -0.4))
    longer = fit_evidence(evidence, evidence.skeleton.add_ends([end]))
    assert fit_evidence(longer, longer.skeleton) is longer
    shin = evidence.skeleton.find_index("shin0.L")
    (seen,) = longer.clips
    away = rot.rotate(clip.rotations[:, shin], np.array(end.offset))
    np.testing.assert_allclose(seen.positions[:, -1], clip.positions[:, shin] + away, atol=1e-12)
    np.testing.assert_array_equal(seen.rotations[:, -1], clip.rotations[:, shin])
    skeleton = longer.skeleton
    assert skeleton.own_names == evidence.skeleton.names
    moved = skeleton.rest_rotations[None].copy()
    moved[:, shin] = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), 0.5)
    turns, places = compute_global_poses(skeleton, moved, skeleton.rest_translations[None])
    there = places[0, shin] + rot.rotate(turns[0, shin], np.array(end.offset))
    np.testing.assert_allclose(places[0, -1], there, atol=1e-12)


def test_selected_bones_keep_their_own_ends_alone():
    maker, _ = make_stilts()
    ends = [BoneEnd(f"tip{side}", f"shin0{side}", (0.0, 0.0, -0.4)) for side in (".L", ".R")]
    skeleton = replace(maker.evidence().skeleton, object_scale=2.0).add_ends(ends)
    small, bones = skeleton.select([skeleton.find_index("tip.R")])
    assert small.ends == (ends[1],)
    assert small.names == ("root", "hips", "thigh0.R", "shin0.R", "tip.R")
    np.testing.assert_array_equal(small.is_own, [True] * 4 + [False])
    np.testing.assert_allclose(skeleton.rest_translations[bones[-1]], [0.0, 0.0, -0.8])


def test_skin_that_is_all_at_the_knee_is_no_end():
    """As an empty of a vertex where a shin begins: nothing tells where it goes."""
    maker, legs = make_stilts()
    evidence = maker.evidence([walk(maker, legs, stride=0.3)])
    index = {name: bone for bone, name in enumerate(evidence.skeleton.names)}
    vertices = evidence.vertices.copy()
    for side in ("L", "R"):
        own = evidence.vertex_bones[:, 0] == index[f"shin0.{side}"]
        vertices[own] = maker.heads[f"shin0.{side}"]
    with np.errstate(all="raise"):
        rig = build_rig(
            replace(evidence, vertices=vertices),
            [LegChoice((f"thigh0.{s}", f"shin0.{s}")) for s in ("L", "R")],
        )
    assert not rig.skeleton.ends


@pytest.mark.parametrize(
    ("words", "has_ends"), [(("thigh", "shin"), True), (("arm", "wheel"), False)]
)
def test_wheels_on_arms_stand_on_no_ends(words, has_ends):
    maker, legs = make_stilts(2)
    evidence = maker.evidence([walk(maker, legs, stride=0.3)])
    names = tuple(
        name.replace("thigh", words[0]).replace("shin", words[1])
        for name in evidence.skeleton.names
    )
    found = find_rig(replace(evidence, skeleton=replace(evidence.skeleton, names=names)))
    ends = () if found.rig is None else found.rig.skeleton.ends
    assert bool(ends) is has_ends
