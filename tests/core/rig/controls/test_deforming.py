# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Deforming bones of a control rig make an ordinary character."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.controls.deforming import reduce_rig
from semi_procedural_locomotion.core.rig.skeleton import Skeleton
from semi_procedural_locomotion.core.rig.structure import Leg, Rig, SolePoint
from semi_procedural_locomotion.core.rig.upper_body import find_body_parts

# Name, parent, head, direction. Names of helpers begin with "help"; those of controls with "ctl".
BONES = [
    ("root", "", (0, 0, 0), (0, 1, 0)),
    ("ctl.hips", "root", (0, 0, 1.0), (0, 0, 1)),
    ("help.hips", "ctl.hips", (0, 0, 1.0), (0, 0, 1)),
    ("hips", "root", (0, 0, 1.0), (0, 0, 1)),
    ("spine", "hips", (0, 0, 1.1), (0, 0.05, 1)),
    ("chest", "spine", (0, 0, 1.3), (0, -0.1, 1)),
    ("help.chest", "help.hips", (0, 0, 1.3), (0, -0.1, 1)),
    ("neck", "chest", (0, 0, 1.5), (0, 0, 1)),
    ("head", "neck", (0, 0, 1.6), (0, 0, 1)),
    *(
        bone
        for side, x in (("L", 1), ("R", -1))
        for bone in (
            (f"thigh.{side}", "help.hips", (0.1 * x, 0, 0.95), (0, 0, -1)),
            (f"shin.{side}", f"thigh.{side}", (0.1 * x, 0, 0.5), (0, 0.1, -1)),
            (f"foot.{side}", f"shin.{side}", (0.1 * x, 0.05, 0.1), (0, -1, 0)),
            (f"arm.{side}", "help.chest", (0.2 * x, 0, 1.45), (0, 0, -1)),
            (f"arm.001.{side}", f"arm.{side}", (0.2 * x, 0, 1.3), (0, 0, -1)),
            (f"fore.{side}", f"arm.001.{side}", (0.2 * x, 0, 1.15), (0, -0.1, -1)),
            (f"hand.{side}", f"fore.{side}", (0.2 * x, -0.03, 0.85), (0, 0, -1)),
        )
    ),
]


def make_rig(bones):
    """A rig of named bones, with legs of thigh, shin and foot."""
    names = tuple(bone[0] for bone in bones)
    parents = np.array([names.index(bone[1]) if bone[1] else -1 for bone in bones])
    heads = np.array([bone[2] for bone in bones], dtype=float)
    axes = rot.normalize(np.array([bone[3] for bone in bones], dtype=float))
    turns = rot.quaternions_from_arcs(np.tile([0.0, 1.0, 0.0], (len(bones), 1)), axes)
    back = np.where((parents >= 0)[:, None], rot.conjugate(turns[parents]), rot.IDENTITY)
    origins = np.where((parents >= 0)[:, None], heads[parents], 0.0)
    skeleton = Skeleton(
        names, parents, rot.multiply(back, turns), rot.rotate(back, heads - origins)
    )
    legs = []
    for side in "LR":
        joints = tuple(names.index(f"{name}.{side}") for name in ("thigh", "shin", "foot"))
        sole = [SolePoint(joints[-1], np.array([0.0, y, -0.1])) for y in (-0.05, 0.1, 0.2)]
        legs.append(
            Leg(side, side, joints, None, *sole, 0.1, 0.86, np.array([1.0, 0, 0]), detached=False)
        )
    return Rig(
        skeleton,
        tuple(legs),
        np.array([0.0, -1.0]),
        names.index("ctl.hips"),
        0.0,
        np.full(2, 0.25),
        np.full(2, 0.6),
    )


def list_deforming(rig):
    return {
        number
        for number, name in enumerate(rig.skeleton.names)
        if not name.startswith(("ctl", "help", "root"))
    }


def test_helpers_stand_for_the_bones_that_lie_where_they_lie():
    rig = make_rig(BONES)
    reduced = reduce_rig(rig, list_deforming(rig), {})
    names = reduced.skeleton.names
    above = {
        name: names[parent] if parent >= 0 else ""
        for name, parent in zip(names, reduced.skeleton.parents, strict=True)
    }
    assert above["thigh.L"] == "hips"
    assert above["arm.R"] == "chest"
    assert above["hips"] == ""
    assert not any(name.startswith(("ctl", "help", "root")) for name in names)
    # The lower half of an arm is left out, and the forearm hangs from the upper one.
    assert "arm.001.L" not in names
    assert above["fore.L"] == "arm.L"
    assert names[reduced.body] == "hips"


def test_rests_are_those_of_the_whole_rig():
    rig = make_rig(BONES)
    reduced = reduce_rig(rig, list_deforming(rig), {})
    chosen = [rig.skeleton.find_index(name) for name in reduced.skeleton.names]
    for whole, part in zip(rig.skeleton.rest_poses, reduced.skeleton.rest_poses, strict=True):
        np.testing.assert_allclose(part, whole[chosen], atol=1e-12)


def test_upper_body_is_found_among_deforming_bones():
    rig = make_rig(BONES)
    reduced = reduce_rig(rig, list_deforming(rig), {})
    parts = find_body_parts(reduced)
    names = reduced.skeleton.names
    assert [names[bone] for bone in parts.spine] == ["spine", "chest"]
    assert parts.head is not None
    assert names[parts.head] == "head"
    arms = [
        [names[b] for b in (arm.upper, arm.fore, arm.hand) if b is not None] for arm in parts.arms
    ]
    assert arms == [["arm.L", "fore.L", "hand.L"], ["arm.R", "fore.R", "hand.R"]]


@pytest.mark.parametrize("copies", [True, False])
def test_flat_limbs_hang_together_by_what_they_copy(copies):
    """All deforming bones of the arms are children of the chest; their controls are a chain."""
    bones = []
    for name, parent, head, axis in BONES:
        if name.startswith(("arm", "fore", "hand")):
            up = "help.chest" if name.startswith("arm.") and "001" not in name else f"ctl.{parent}"
            bones.append((f"ctl.{name}", up, head, axis))
            bones.append((name, "chest", head, axis))
        else:
            bones.append((name, parent, head, axis))
    rig = make_rig(bones)
    names = rig.skeleton.names
    copied = {
        names.index(name.removeprefix("ctl.")): names.index(name)
        for name in names
        if name.startswith("ctl.") and copies and name != "ctl.hips"
    }
    reduced = reduce_rig(rig, list_deforming(rig), copied)
    found = reduced.skeleton.names
    above = found[reduced.skeleton.parents[found.index("hand.L")]]
    assert above == ("fore.L" if copies else "chest")
