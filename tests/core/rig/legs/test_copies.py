# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of a limb (FK, IK, mechanism, stretching halves) are one leg, of one kind on both sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from semi_procedural_locomotion.core.rig.legs import find_rig
from tests.core.legged_bodies import (
    BIPED_NAMES,
    BodyMaker,
    LegPath,
    add_leg,
    add_trunk,
    list_legs,
    make_quadruped,
    make_spider,
    walk,
)

KINDS = {
    "fk still": (("{}", True, True), ("{}_fk", False, False)),
    "all follow": (("DEF_{}", True, True), ("IK_{}", True, False), ("MCH_{}", True, False)),
    "four": (
        ("IK_{}", True, False),
        ("FK_{}", False, False),
        ("DEF_{}", True, True),
        ("MCH_{}", True, False),
    ),
    "both weighted": (("{}", True, True), ("a_{}", False, True)),
}


def _make_copies(kinds):
    """A body whose legs are there once for each kind: name, whether it moves, whether it has a mesh."""
    maker = BodyMaker()
    add_trunk(maker, 0.95, 1.7)
    legs = []
    for form, moves, weighted in kinds:
        names = [form.format(name) for name in BIPED_NAMES]
        for side, x, phase in ((".L", 0.1, 0.0), (".R", -0.1, 0.5)):
            boxes = len(maker.boxes)
            chain = add_leg(maker, side, x, 0.0, "hips", names)
            if not weighted:
                del maker.boxes[boxes:]
            if moves:
                legs.append(LegPath(*chain, phase))
    return maker, legs


@pytest.mark.parametrize("mesh", [True, False])
@pytest.mark.parametrize("clips", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_each_limb_counts_once(kind, clips, mesh):
    maker, legs = _make_copies(KINDS[kind])
    findings = find_rig(maker.evidence([walk(maker, legs)] if clips else [], mesh=mesh))
    left, right = (joints for _, _, joints, _ in list_legs(findings.rig))
    assert [name.removesuffix(".L") for name in left] == [name.removesuffix(".R") for name in right]
    if clips or kind != "both weighted":
        assert left in {
            ("thigh.L", "shin.L", "foot.L"),
            ("DEF_thigh.L", "DEF_shin.L", "DEF_foot.L"),
        }


@pytest.mark.parametrize(("kind", "mesh"), [*((kind, True) for kind in KINDS), ("fk still", False)])
def test_copies_without_names_are_of_one_kind(kind, mesh):
    maker, legs = _make_copies(KINDS[kind])
    evidence = maker.evidence([walk(maker, legs)], mesh=mesh)
    given = {f"B{(37 * i) % 499:03d}": name for i, name in enumerate(maker.names)}
    evidence = replace(evidence, skeleton=replace(evidence.skeleton, names=tuple(given)))
    left, right = (joints for _, _, joints, _ in list_legs(find_rig(evidence).rig))
    assert [given[n].removesuffix(".L") for n in left] == [
        given[n].removesuffix(".R") for n in right
    ]


@pytest.mark.parametrize("mesh", [True, False])
@pytest.mark.parametrize("clips", [True, False])
def test_halves_along_a_leg_are_no_second_leg(clips, mesh):
    maker, legs = _make_copies((("{}", True, True),))
    for side, x in ((".L", 0.1), (".R", -0.1)):
        parent = "hips"
        for name, height, y in (
            ("thigh_twist", 0.9, 0.0),
            ("thigh_stretch", 0.7, -0.01),
            ("leg_stretch", 0.5, -0.02),
            ("leg_twist", 0.3, -0.01),
        ):
            parent = maker.bone(name + side, parent, (x, y, height))
            maker.box(parent, (x - 0.03, y - 0.03, height - 0.2), (x + 0.03, y + 0.03, height))
    evidence = maker.evidence([walk(maker, legs)] if clips else [], mesh=mesh)
    assert [joints for _, _, joints, _ in list_legs(find_rig(evidence).rig)] == [
        ("thigh.L", "shin.L", "foot.L"),
        ("thigh.R", "shin.R", "foot.R"),
    ]


@pytest.mark.parametrize(("make", "count"), [(make_quadruped, 4), (make_spider, 8)])
def test_legs_that_are_near_are_not_taken_for_copies(make, count):
    maker, legs = make()
    for clips in ([], [walk(maker, legs, stride=0.2)]):
        assert len(find_rig(maker.evidence(clips)).rig.legs) == count
