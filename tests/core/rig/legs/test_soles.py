# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sole points, ground heights and legs that a user names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.rig.legs import LegChoice, build_rig, find_rig
from semi_procedural_locomotion.errors import RigError
from semi_procedural_locomotion.notes import NoteKind
from tests.core.legged_bodies import (
    list_legs,
    list_sole_points,
    make_biped,
    make_quadruped,
    make_spider,
    turn_evidence,
    walk,
)

LENGTH = 0.8
LEFT = LegChoice(("thigh.L", "shin.L", "foot.L"), "toe.L")
RIGHT = LegChoice(("thigh.R", "shin.R", "foot.R"), "toe.R")


def test_39_box_foot_is_exact():
    maker, legs = make_biped()
    rig = find_rig(maker.evidence([walk(maker, legs)])).rig
    points = list_sole_points(rig)
    np.testing.assert_allclose(
        points[0], [[0.1, 0.06, 0], [0.1, -0.12, 0], [0.1, -0.19, 0]], atol=1e-6
    )
    np.testing.assert_allclose(points[1], points[0] * [-1, 1, 1], atol=1e-6)
    np.testing.assert_allclose(rig.foot_lengths, 0.25, atol=1e-6)
    np.testing.assert_allclose(rig.ball_shares, 0.18 / 0.25, atol=1e-6)
    assert rig.legs[0].sole_width == pytest.approx(0.08, abs=1e-6)
    for leg in rig.legs:
        assert leg.heel.bone == leg.ankle
        assert leg.ball.bone == leg.toe_tip.bone == leg.toe


def test_feet_that_differ_keep_their_own_soles():
    maker, legs = make_biped(foot=False)
    for side, x, tip in ((".L", 0.1, -0.17), (".R", -0.1, -0.33)):
        maker.box(f"foot{side}", (x - 0.04, -0.11, 0.0), (x + 0.04, 0.06, 0.12), steps=3)
        maker.box(f"toe{side}", (x - 0.04, tip, 0.0), (x + 0.04, -0.12, 0.05), steps=3)
    points = list_sole_points(find_rig(maker.evidence([walk(maker, legs)])).rig)
    np.testing.assert_allclose(points[0][2], [0.1, -0.17, 0.0], atol=1e-6)
    np.testing.assert_allclose(points[1][2], [-0.1, -0.33, 0.0], atol=1e-6)


def test_39_left_and_right_are_averaged():
    maker, legs = make_biped(foot=False)
    for side, x, tip in ((".L", 0.1, -0.17), (".R", -0.1, -0.21)):
        maker.box(f"foot{side}", (x - 0.04, -0.11, 0.0), (x + 0.04, 0.06, 0.12), steps=3)
        maker.box(f"toe{side}", (x - 0.04, tip, 0.0), (x + 0.04, -0.12, 0.05), steps=3)
    points = list_sole_points(find_rig(maker.evidence([walk(maker, legs)])).rig)
    np.testing.assert_allclose(points[0, 2], [0.1, -0.19, 0], atol=1e-6)
    np.testing.assert_allclose(points[1, 2], [-0.1, -0.19, 0], atol=1e-6)


def test_39_a_point_foot_is_clamped():
    maker, legs = make_spider()
    rig = find_rig(maker.evidence([walk(maker, legs, 0.3, 0.1)])).rig
    lengths = np.array([leg.length for leg in rig.legs])
    np.testing.assert_allclose(rig.foot_lengths, 0.05 * lengths, rtol=0.02)
    assert np.all(rig.ball_shares > 0.29)
    assert np.all(rig.ball_shares < 0.96)


def test_39_a_foot_without_toe_bone_bends_at_the_usual_place():
    maker, legs = make_quadruped()
    rig = find_rig(maker.evidence([walk(maker, legs, 0.25, 0.06)])).rig
    np.testing.assert_allclose(rig.ball_shares, 0.65, atol=1e-9)
    np.testing.assert_allclose(rig.foot_lengths, 0.13, atol=1e-3)
    assert all(leg.toe_tip.bone == leg.ankle for leg in rig.legs)


def test_38_39_without_a_mesh_soles_are_a_flagged_guess_on_the_authored_ground():
    maker, legs = make_biped()
    rig = find_rig(maker.evidence([walk(maker, legs)], mesh=False)).rig
    points = list_sole_points(rig)
    np.testing.assert_allclose(
        points[0], [[0.1, 0.036, 0], [0.1, -0.12, 0], [0.1, -0.192, 0]], atol=1e-6
    )
    assert all(NoteKind.SOLE_GUESSED in [note.kind for note in leg.doubts] for leg in rig.legs)
    assert rig.ground_height == 0.0


@pytest.mark.parametrize(("ahead", "on_toes"), [(0.12, False), (0.075, False), (0.05, True)])
def test_steep_feet_without_a_mesh_stand_on_their_toes_alone(ahead, on_toes):
    maker, legs = make_biped()
    for side in (".L", ".R"):
        maker.heads[f"toe{side}"][1] = -ahead
    rig = find_rig(maker.evidence([walk(maker, legs)], mesh=False)).rig
    for leg in rig.legs:
        assert leg.ball.bone == leg.toe_tip.bone == leg.toe
        assert leg.heel.bone == (leg.toe if on_toes else leg.ankle)
    points = list_sole_points(rig)[0]
    np.testing.assert_allclose(points[:, 2], 0.0, atol=1e-6)
    # Behind its ankle a foot has a heel, behind its toe joint one on its toes has hardly anything.
    assert points[0, 1] > (-ahead if on_toes else 0.0)
    assert bool(points[0, 1] < -0.5 * ahead) is on_toes


def test_38_the_ground_of_a_raised_body_is_where_its_soles_are():
    maker, legs = make_biped()
    evidence = turn_evidence(maker.evidence([walk(maker, legs)]), move=(0, 0, -1.0))
    findings = find_rig(evidence)
    assert findings.rig.ground_height == pytest.approx(-1.0, abs=1e-6)
    assert findings.clip_ground_height == pytest.approx(-1.0, abs=0.02)
    np.testing.assert_allclose(list_sole_points(findings.rig)[..., 2], -1.0, atol=1e-6)


def test_one_unweighted_foot_takes_its_sole_from_the_other():
    maker, legs = make_biped(foot=False)
    maker.box("foot.L", (0.06, -0.11, 0.0), (0.14, 0.06, 0.12), steps=3)
    maker.box("toe.L", (0.06, -0.19, 0.0), (0.14, -0.12, 0.05), steps=3)
    rig = build_rig(maker.evidence([walk(maker, legs)]), [LEFT, RIGHT])
    np.testing.assert_allclose(rig.foot_lengths, 0.25, atol=1e-6)


@pytest.mark.parametrize("moving", [True, False])
def test_named_legs_equal_found_ones(moving):
    maker, legs = make_biped()
    evidence = maker.evidence([walk(maker, legs)] if moving else [])
    found, named = find_rig(evidence).rig, build_rig(evidence, [RIGHT, LEFT])
    assert list_legs(named) == list_legs(found)
    assert named.body == found.body
    np.testing.assert_allclose(named.forward, found.forward, atol=1e-9)
    for leg, other in zip(named.legs, found.legs, strict=True):
        assert leg.partner == other.partner
        np.testing.assert_allclose(leg.hinge, other.hinge, atol=1e-9)
        np.testing.assert_allclose(leg.heel.offset, other.heel.offset, atol=1e-9)


def test_named_legs_of_a_quadruped_find_their_partners():
    maker, legs = make_quadruped()
    evidence = maker.evidence([walk(maker, legs, 0.25, 0.06)])
    choices = [LegChoice(joints) for _, _, joints, _ in list_legs(find_rig(evidence).rig)]
    rig = build_rig(evidence, choices[::-1])
    assert list_legs(rig) == list_legs(find_rig(evidence).rig)
    assert [leg.partner for leg in rig.legs] == [1, 0, 3, 2]


def test_names_forward_and_body_of_the_user_are_kept():
    maker, _ = make_biped()
    choices = [replace(LEFT, name="Good"), replace(RIGHT, name="Bad")]
    rig = build_rig(maker.evidence(), choices, forward=(0.0, 2.0), body="root")
    np.testing.assert_allclose(rig.forward, [0, 1])
    assert rig.skeleton.names[rig.body] == "root"
    # Facing the other way, the leg at positive x is the right one.
    assert [(leg.name, leg.side) for leg in rig.legs] == [("Bad", "L"), ("Good", "R")]


def test_three_legs():
    maker, legs = make_biped()
    for name, parent, head in (
        ("prop", "hips", (0.0, 0.3, 0.9)),
        ("prop_shin", "prop", (0.0, 0.3, 0.5)),
        ("prop_foot", "prop_shin", (0.0, 0.3, 0.1)),
    ):
        maker.bone(name, parent, head)
        maker.box(name, maker.heads[name] - [0.02, 0.02, 0.1], maker.heads[name] + 0.02)
    prop = LegChoice(("prop", "prop_shin", "prop_foot"))
    rig = build_rig(maker.evidence([walk(maker, legs)]), [prop, LEFT, RIGHT])
    assert [(leg.name, leg.partner) for leg in rig.legs] == [
        ("Left", 1),
        ("Right", 0),
        ("Middle", None),
    ]


def test_single_leg_faces_along_its_foot():
    maker, _ = make_biped()
    rig = build_rig(maker.evidence(), [LEFT])
    np.testing.assert_allclose(rig.forward, [0, -1], atol=1e-6)


def test_detached_ankles_may_be_named():
    maker, legs = make_biped(detached_parent="root")
    rig = build_rig(maker.evidence([walk(maker, legs)]), [LEFT, RIGHT])
    assert all(leg.detached for leg in rig.legs)


def test_frames_in_which_a_foot_is_off_its_shin_do_not_lengthen_the_leg():
    maker, legs = make_biped(detached_parent="root")
    evidence = maker.evidence([walk(maker, legs)])
    lengths = [leg.length for leg in build_rig(evidence, [LEFT, RIGHT]).legs]
    clip = evidence.clips[0]
    positions = clip.positions.copy()
    below = [evidence.skeleton.find_index(name) for name in ("foot.L", "toe.L")]
    raised = positions[:, below[0], 2] > np.quantile(positions[:, below[0], 2], 0.7)
    positions[np.ix_(raised, below)] += (0.0, 0.15, 0.0)
    loose = replace(evidence, clips=(replace(clip, positions=positions),))
    found = [leg.length for leg in build_rig(loose, [LEFT, RIGHT]).legs]
    np.testing.assert_allclose(found, lengths, rtol=2e-3)


BROKEN = [
    ([], {}, "no legs were named"),
    ([replace(LEFT, bones=("thigh.L",))], {}, "two bones or more"),
    ([replace(LEFT, bones=("thigh.L", "shinn.L", "foot.L"))], {}, "did you mean 'shin.L'"),
    ([replace(LEFT, bones=("xyz", "shin.L"))], {}, "no bone 'xyz'"),
    ([replace(LEFT, bones=("shin.L", "thigh.L", "foot.L"))], {}, "'thigh.L' is not below 'shin.L'"),
    ([replace(LEFT, toe="head")], {}, "toe 'head' is not below the ankle 'foot.L'"),
    ([replace(LEFT, toe="nose")], {}, "no bone 'nose'"),
    ([LEFT, LEFT], {}, "name every bone once"),
    ([LEFT, RIGHT], {"body": "pelvis"}, "no bone 'pelvis'"),
    ([LEFT, RIGHT], {"body": "head"}, "does not carry the hip"),
    ([LEFT, RIGHT], {"forward": (0.0, 0.0)}, "forward must be a horizontal direction"),
    ([LEFT, RIGHT], {"forward": (0.0, 1.0, 0.0)}, "forward must be a horizontal direction"),
]


@pytest.mark.parametrize(("choices", "options", "words"), BROKEN)
def test_broken_choices_are_named_with_the_cure(choices, options, words):
    maker, _ = make_biped()
    with pytest.raises(RigError, match=r"^[^\n]+$") as caught:
        build_rig(maker.evidence(), choices, **options)
    assert words in str(caught.value)


def test_hips_without_a_common_parent():
    maker, _ = make_biped()
    evidence = maker.evidence()
    names = evidence.skeleton.names
    parents = evidence.skeleton.parents.copy()
    translations = evidence.skeleton.rest_translations.copy()
    for bone in ("thigh.L", "thigh.R"):
        parents[names.index(bone)] = -1
        translations[names.index(bone)] = maker.heads[bone]
    loose = replace(evidence.skeleton, parents=parents, rest_translations=translations)
    with pytest.raises(RigError, match="no common parent"):
        build_rig(replace(evidence, skeleton=loose), [LEFT, RIGHT])


def test_legs_of_no_length():
    maker, _ = make_biped()
    for bone in ("shin.L", "foot.L"):
        maker.heads[bone] = maker.heads["thigh.L"]
    with pytest.raises(RigError, match="has no length"):
        build_rig(maker.evidence(mesh=False), [LEFT])
