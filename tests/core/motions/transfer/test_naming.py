# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that are the same by name."""

import pytest

from semi_procedural_locomotion.core.motions.transfer.naming import (
    find_prefix,
    match_names,
    tells_nothing,
)

BODY = ("Hips", "Spine", "Head", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg")


@pytest.mark.parametrize(
    "write",
    [
        lambda name: f"mixamorig:{name}",
        lambda name: f"mixamorig1:{name}",
        lambda name: f"Armature|{name}",
        lambda name: f"a:b:{name}",
        lambda name: f"CC_Base_{name}",
        lambda name: f"Bip01 {name}",
        str.lower,
        lambda name: f"rig:{name.upper()}",
        lambda name: name.replace("Left", "left_").replace("Right", "right."),
    ],
)
def test_prefix_and_case_are_no_other_bone(write):
    theirs = [write(name) for name in BODY]
    for one, other in ((theirs, BODY), (BODY, theirs)):
        match = match_names(one, other)
        assert match.pairs == dict(zip(one, other, strict=True))
        assert match.missing == ()
        assert match.share == 1.0


def test_bones_that_differ_in_case_alone_stay_apart():
    match = match_names(("Hand", "hand", "HAND"), ("Hand", "hand"))
    assert match.pairs == {"Hand": "Hand", "hand": "hand"}
    assert match.missing == ("HAND",)
    assert match_names(("HAND",), ("Hand", "hand")).pairs == {}


def test_equal_names_are_the_same_before_all_others():
    match = match_names(("a:Hips", "Hips"), ("Hips", "a:Hips"))
    assert match.pairs == {"a:Hips": "a:Hips", "Hips": "Hips"}


def test_missing_bones_are_named_in_their_order():
    match = match_names(("m:Hips", "m:Tail2", "m:Spine", "m:Tail1"), ("hips", "spine"))
    assert match.missing == ("m:Tail2", "m:Tail1")
    assert match.share == 0.5
    assert match.prefixes == ("m:", "")


def test_words_that_begin_alike_are_no_prefix():
    assert find_prefix(("Spine1", "Spine2", "Spine3", "Spine4")) == ""
    assert find_prefix(("leg_a", "leg_b")) == ""
    assert find_prefix(("x:a", "x:b", "x:c", "weapon")) == "x:"


@pytest.mark.parametrize(
    ("name", "nothing"),
    [
        ("Armature|mixamo.com|Layer0", True),
        ("Take 001", True),
        ("Armature|Take 001|BaseLayer", True),
        ("ArmatureAction", True),
        ("Armature|Walk", False),
        ("Walk", False),
        ("Take off", False),
    ],
)
def test_names_that_programs_give_tell_nothing(name, nothing):
    assert tells_nothing(name) is nothing
