# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One, three, five and very many legs are found, and tails beside them are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import LegChoice, build_rig, find_rig
from semi_procedural_locomotion.notes import NoteKind
from tests.core.legged_bodies import (
    BodyMaker,
    LegPath,
    add_middle_leg,
    add_trunk,
    list_legs,
    make_biped,
    make_centipede,
    make_pogo,
    make_radial,
    turn_evidence,
    walk,
)


def _hide_names(evidence):
    """The same body with names that tell nothing, in another order."""
    names = [f"Bone.{(7 * i) % 997:03d}" for i in range(len(evidence.skeleton))]
    return replace(evidence, skeleton=replace(evidence.skeleton, names=tuple(names)))


@pytest.mark.parametrize("mesh", [True, False])
@pytest.mark.parametrize("arms", [True, False])
def test_one_leg_that_hops(mesh, arms):
    maker, legs = make_pogo(arms)
    findings = find_rig(maker.evidence([walk(maker, legs, name="Hop")], mesh=mesh))
    (leg,) = findings.rig.legs
    assert (leg.name, leg.side, leg.partner) == ("Leg", "", None)
    assert 0.5 <= findings.confidence < 1.0
    assert NoteKind.LEG_SINGLE in [note.kind for note in findings.doubts]
    np.testing.assert_allclose(findings.rig.forward, [0, -1], atol=0.05)


@pytest.mark.parametrize("mesh", [True, False])
@pytest.mark.parametrize("arms", [True, False])
@pytest.mark.parametrize("foot", [("foot", "toe"), ("foot",), ()])
def test_an_only_leg_may_be_most_of_its_body(foot, arms, mesh):
    maker = BodyMaker()
    maker.bone("root", None, (0, 0, 0), deform=False)
    maker.bone("hips", "root", (0, 0, 0.9), (0, 0, 1.3))
    maker.box("hips", (-0.15, -0.15, 0.9), (0.15, 0.15, 1.3))
    for side, out in ((".L", 0.2), (".R", -0.2)) if arms else ():
        maker.bone(f"arm{side}", "hips", (out, 0, 1.2), (out, 0, 0.9))
        maker.box(f"arm{side}", (out - 0.02, -0.02, 0.9), (out + 0.02, 0.02, 1.2))
    joints = {
        "thigh": (0, 0, 0.9),
        "shin": (0, -0.06, 0.5),
        "foot": (0, 0, 0.1),
        "toe": (0, -0.12, 0),
    }
    for (name, place), end in zip(
        joints.items(), [*list(joints.values())[1:], (0, -0.2, 0)], strict=True
    ):
        maker.heads[name] = np.array(place, dtype=float)
        if name in ("thigh", "shin", *foot):
            maker.bone(name, maker.names[-1] if name != "thigh" else "hips", place, end)
            low = np.minimum(place, end) - [0.03, 0.03, 0.0]
            maker.box(name, low, np.maximum(place, end) - [-0.03, -0.03, 0.0], steps=3)
    clip = walk(maker, [LegPath("thigh", "shin", "foot", 0.0)], name="Hop")
    findings = find_rig(maker.evidence([clip], mesh=mesh))
    (leg,) = findings.rig.legs
    assert findings.rig.name_joints(leg) == ("thigh", "shin", *foot[:1])
    assert (leg.toe is not None) == (len(foot) == 2)
    assert NoteKind.OTHERS_TOUCH_GROUND not in [note.kind for note in findings.doubts]


@pytest.mark.parametrize(("scale", "yaw"), [(0.01, 0.0), (100.0, 1.1), (1.0, 2.5)])
def test_one_leg_in_any_size_and_direction_without_names(scale, yaw):
    maker, legs = make_pogo()
    evidence = maker.evidence([walk(maker, legs, name="Take")])
    findings = find_rig(_hide_names(turn_evidence(evidence, scale, yaw)))
    assert len(findings.rig.legs) == 1
    forward = rot.rotate(rot.quaternions_from_yaws(yaw), np.array([0.0, -1.0, 0.0]))
    np.testing.assert_allclose(findings.rig.forward, forward[:2], atol=0.05)


@pytest.mark.parametrize("mesh", [True, False])
@pytest.mark.parametrize("y", [-0.3, 0.3])
def test_a_leg_in_front_or_behind_of_two(mesh, y):
    maker, legs = make_biped(arms=False)
    legs.append(add_middle_leg(maker, y, phase=0.25))
    findings = find_rig(maker.evidence([walk(maker, legs)], mesh=mesh))
    assert [(leg.name, leg.partner) for leg in findings.rig.legs] == [
        ("Left", 1),
        ("Right", 0),
        ("Middle", None),
    ]
    assert list_legs(findings.rig)[2][2:] == (("thigh", "shin", "foot"), "toe")
    assert 0.75 <= findings.confidence < 1.0


@pytest.mark.parametrize("start", [-90.0, 90.0])
@pytest.mark.parametrize("count", [3, 5])
def test_legs_at_equal_angles(count, start):
    maker, legs = make_radial(count, start)
    evidence = maker.evidence([walk(maker, legs, stride=0.3)])
    for seen in (evidence, _hide_names(evidence)):
        rig = find_rig(seen).rig
        assert len(rig.legs) == count
        assert len({leg.name for leg in rig.legs}) == count
        assert [leg.partner is None for leg in rig.legs] == [False] * (count - 1) + [True]


@pytest.mark.parametrize("mesh", [True, False])
def test_twelve_pairs_are_ordered_and_named(mesh):
    maker, legs = make_centipede(12)
    findings = find_rig(maker.evidence([walk(maker, legs, stride=0.2)], mesh=mesh))
    names = [f"{side} {number}" for number in range(1, 13) for side in ("Left", "Right")]
    assert [leg.name for leg in findings.rig.legs] == names
    assert [leg.partner for leg in findings.rig.legs] == [index ^ 1 for index in range(24)]
    assert [joints[0] for _, _, joints, _ in list_legs(findings.rig)] == [
        f"upper{number}{side}" for number in range(12) for side in (".L", ".R")
    ]


@pytest.mark.parametrize("sway", [0.0, 0.3])
@pytest.mark.parametrize("lift", [0.0, 0.05])
def test_a_tail_on_the_ground_is_no_leg_in_the_middle(sway, lift):
    maker, legs = make_biped(arms=False)
    maker.bone("behind", "hips", (0, 0.1, 0.85))
    maker.bone("behind1", "behind", (0, 0.3, 0.4))
    maker.bone("behind2", "behind1", (0, 0.5, 0.03))
    maker.tube("behind", "behind1")
    maker.tube("behind1", "behind2")
    maker.box("behind2", (-0.02, 0.5, 0.0), (0.02, 0.6, 0.05))
    phase = 2 * np.pi * np.arange(25) / 24
    way = np.stack([sway * np.sin(phase), 0 * phase, lift * np.cos(phase) ** 2], axis=-1)
    drag = {"behind2": {"position": maker.heads["behind2"] + way}}
    rig = find_rig(maker.evidence([walk(maker, legs, extra=drag)])).rig
    assert [leg.name for leg in rig.legs] == ["Left", "Right"]


def test_a_head_let_down_to_the_ground_is_no_leg():
    maker, legs = make_biped(arms=False)
    maker.bone("first", "hips", (0, -0.1, 0.45))
    maker.bone("second", "first", (0, -0.55, 0.5))
    maker.bone("third", "second", (0, -0.95, 0.1))
    maker.tube("first", "second")
    maker.tube("second", "third")
    maker.box("third", (-0.05, -1.0, 0.0), (0.05, -0.9, 0.1), steps=3)
    pecking = [*legs, LegPath("first", "second", "third", 0.25, bend=(0, 0, 1))]
    rig = find_rig(maker.evidence([walk(maker, pecking)])).rig
    assert [leg.name for leg in rig.legs] == ["Left", "Right"]


def test_two_that_walk_beside_a_clip_on_one_leg_stay_two():
    maker, legs = make_biped()
    kick = walk(maker, [legs[0], replace(legs[1], sink=-0.4)], name="Kick")
    for clips in ([kick], [walk(maker, legs), kick]):
        findings = find_rig(maker.evidence(clips))
        assert findings.rig is None or len(findings.rig.legs) == 2


def test_refusals_list_what_reaches_the_ground():
    maker, _ = make_pogo(arms=False)
    findings = find_rig(maker.evidence())
    assert findings.rig is None
    assert "thigh > shin > foot > toe (stands at rest)" in findings.refusal


def _make_uneven():
    """A body whose left leg is set wider, higher and further ahead than its right one."""
    maker = BodyMaker()
    add_trunk(maker, 0.95, 1.7)
    for letter, shift in (("a", (0.3, -0.15, 0.1)), ("b", (-0.1, 0.0, 0.0))):
        for bone, parent, place in (
            ("hip", "hips", (0.0, 0.0, 0.9)),
            ("knee", f"hip_{letter}", (0.0, -0.02, 0.5)),
            ("foot", f"knee_{letter}", (0.0, 0.0, 0.1)),
        ):
            scale = np.array([1.0, 1.0, 0.0 if bone == "foot" else 1.0])
            maker.bone(f"{bone}_{letter}", parent, np.array(place) + scale * shift)
        foot = maker.heads[f"foot_{letter}"]
        maker.tube(f"hip_{letter}", f"knee_{letter}")
        maker.tube(f"knee_{letter}", f"foot_{letter}")
        maker.box(f"foot_{letter}", foot - [0.04, 0.18, 0.1], foot + np.array([0.04, 0.06, 0.0]))
    legs = [LegPath("hip_a", "knee_a", "foot_a", 0.0), LegPath("hip_b", "knee_b", "foot_b", 0.5)]
    return maker, legs


def test_two_named_legs_that_do_not_mirror_are_left_and_right():
    maker, legs = _make_uneven()
    evidence = maker.evidence([walk(maker, legs, stride=0.3)])
    choices = [LegChoice((leg.hip, leg.knee, leg.ankle)) for leg in reversed(legs)]
    rig = build_rig(evidence, choices)
    assert [(leg.name, leg.side, leg.partner) for leg in rig.legs] == [
        ("Left", "L", 1),
        ("Right", "R", 0),
    ]
    assert [joints[0] for _, _, joints, _ in list_legs(rig)] == ["hip_a", "hip_b"]
    assert rig.forward[1] < -0.7


@pytest.mark.parametrize("arms", [True, False])
@pytest.mark.parametrize("slim", [True, False])
@pytest.mark.parametrize("peg", [".L", ".R"])
def test_a_peg_beside_a_foot_is_a_leg(peg, slim, arms):
    maker, legs = make_biped(arms=arms)
    shin, foot, toe = (f"{name}{peg}" for name in ("shin", "foot", "toe"))
    maker.heads[foot] = np.array([maker.heads[foot][0], 0.0, 0.0])
    maker.tails[shin] = maker.heads[foot]
    kept = [i for i, name in enumerate(maker.names) if name not in (foot, toe)]
    maker.names = [maker.names[i] for i in kept]
    maker.parents = [maker.parents[i] for i in kept]
    maker.boxes = [(bone, box) for bone, box in maker.boxes if bone not in (foot, toe, shin)]
    end = maker.heads[foot]
    maker.box(shin, end - [0.03, 0.03, 0.0], end - [-0.03, -0.03, -0.45], steps=3)
    if slim:  # a leg may be half of its body
        trunk = ("hips", "spine", "head")
        maker.boxes = [(b, box[:: len(box) // 8] if b in trunk else box) for b, box in maker.boxes]
    findings = find_rig(_hide_names(maker.evidence([walk(maker, legs)])))
    rig = findings.rig
    assert [leg.name for leg in rig.legs] == ["Left", "Right"]
    assert [leg.partner for leg in rig.legs] == [1, 0]
    hidden = dict(zip(rig.skeleton.names, maker.names, strict=False))
    found = {tuple(hidden[name] for name in rig.name_joints(leg)) for leg in rig.legs}
    other = ".R" if peg == ".L" else ".L"
    assert found == {
        (f"thigh{peg}", f"shin{peg}"),
        (f"thigh{other}", f"shin{other}", f"foot{other}"),
    }
    assert findings.confidence >= 0.5
