# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones at the ends of legs: digits beside a toe, and pasterns that fold in the swing."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import find_rig
from tests.core.legged_bodies import (
    DUTY,
    FRAMES,
    BodyMaker,
    LegPath,
    bend_leg,
    list_legs,
    make_biped,
    step_path,
    turn_evidence,
    walk,
)

PASTERN = 0.15


def make_toes_with_digits(count, phalanges):
    """A person whose toe slips a little in its foot, beside digits that no vertex follows."""
    maker, legs = make_biped()
    extra = {}
    for side, leg in zip((".L", ".R"), legs, strict=True):
        ankle, toe = maker.heads[leg.ankle], maker.heads[f"toe{side}"]
        for digit in range(count):
            parent, head = leg.ankle, toe + np.array([0.02 * (digit - 0.5 * count), -0.01, 0.0])
            for phalanx in range(phalanges):
                tail = head + np.array([0.0, -0.04, -0.005])
                parent = maker.bone(f"digit{digit}_{phalanx}{side}", parent, head, tail)
                head = tail
        slips = 0.012 * np.sin(np.linspace(0.0, np.pi, FRAMES)) ** 16
        path = step_path(ankle, leg.phase, 0.2, 0.05) + (toe - ankle)
        extra[f"toe{side}"] = {"position": path + slips[:, None] * np.array([0.0, 1.0, 0.0])}
    return maker, maker.evidence([walk(maker, legs, 0.2, 0.05, extra=extra)])


@pytest.mark.parametrize(("count", "phalanges"), [(5, 1), (3, 1), (3, 2)])
@pytest.mark.parametrize(("scale", "yaw"), [(1.0, 0.0), (100.0, 2.0)])
def test_digits_without_weights_are_no_part_of_a_leg(count, phalanges, scale, yaw):
    _, evidence = make_toes_with_digits(count, phalanges)
    found = list_legs(find_rig(turn_evidence(evidence, scale, yaw)).rig)
    assert found == [
        ("Left", "L", ("thigh.L", "shin.L", "foot.L"), "toe.L"),
        ("Right", "R", ("thigh.R", "shin.R", "foot.R"), "toe.R"),
    ]


def fold_pasterns(maker, legs, stride):
    """A trot whose pasterns are upright in stance and fold back in the swing, below their stance."""
    moves = {}
    for leg in legs:
        path = step_path(maker.heads[leg.ankle], leg.phase, stride, -0.8 * PASTERN)
        moves.update(bend_leg(maker, leg, path))
        share = (np.arange(FRAMES) / (FRAMES - 1) + leg.phase) % 1.0
        swing = np.clip((share - DUTY) / (1.0 - DUTY), 0.0, 1.0)
        folds = np.radians(100.0) * np.sin(np.pi * swing) ** 2
        turn = rot.quaternions_from_axis_angles(np.array([-1.0, 0.0, 0.0]), folds)
        moves[leg.ankle]["rotation"] = turn
    return maker.clip("trot", moves)


@pytest.mark.parametrize(("scale", "yaw"), [(1.0, 0.0), (0.01, -1.2)])
def test_hoofs_stand_where_their_ends_are_low(scale, yaw):
    maker = BodyMaker()
    maker.bone("pelvis", None, (0, 0.5, 0.95))
    maker.bone("chest", "pelvis", (0, -0.4, 0.95))
    maker.box("pelvis", (-0.15, 0.0, 0.8), (0.15, 0.6, 1.1), steps=5)
    maker.box("chest", (-0.15, -0.6, 0.8), (0.15, 0.0, 1.1), steps=5)
    legs = []
    for side, x in ((".L", 0.12), (".R", -0.12)):
        for name, top, y in (("B", "pelvis", 0.5), ("F", "chest", -0.4)):
            upper = maker.bone(f"{name}1{side}", top, (x, y, 0.8))
            lower = maker.bone(f"{name}2{side}", upper, (x, y - 0.12, 0.48))
            end = (x, y, 0.0)
            pastern = maker.bone(f"{name}3{side}", lower, (x, y, PASTERN), end)
            maker.tube(upper, lower)
            maker.tube(lower, pastern)
            maker.box(pastern, (x - 0.03, y - 0.03, 0.0), (x + 0.03, y + 0.03, PASTERN), steps=3)
            phase = 0.5 * ((side == ".L") == (name == "F"))
            legs.append(LegPath(upper, lower, pastern, phase))
    evidence = maker.evidence([fold_pasterns(maker, legs, 0.5)])
    rig = find_rig(turn_evidence(evidence, scale, yaw)).rig
    assert {leg.name for leg in rig.legs} == {
        f"{end} {side}" for end in ("Front", "Back") for side in ("Left", "Right")
    }
    names = [rig.skeleton.names[leg.joints[-1]] for leg in rig.legs]
    assert names == ["F3.L", "F3.R", "B3.L", "B3.R"]
    forward = [np.sin(yaw), -np.cos(yaw)]
    np.testing.assert_allclose(rig.forward, forward, atol=0.02)


@pytest.mark.parametrize(("scale", "yaw"), [(1.0, 0.0), (10.0, 2.5)])
def test_the_travel_decides_where_it_and_spurs_behind_the_ankles_are_even(scale, yaw):
    maker, legs = make_biped(names=("b0", "b1", "b2", "b3"), sides=("_1", "_2"), arms=False)
    for leg in legs:
        maker.heads[leg.ankle.replace("b2", "b3")] += np.array([0.0, 0.28, 0.0])
    rig = find_rig(turn_evidence(maker.evidence([walk(maker, legs)]), scale, yaw)).rig
    np.testing.assert_allclose(rig.forward, [np.sin(yaw), -np.cos(yaw)], atol=0.02)
