# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Limbs that carry, over all clips of a character (docs/method/legs.md, Legs over all clips)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.notes import NoteKind
from tests.core.legged_bodies import (
    FRAMES,
    LegPath,
    bend_leg,
    list_legs,
    make_biped,
    make_quadruped,
    make_spider,
    turn_evidence,
    walk,
)

PHASE = 2 * np.pi * np.linspace(0, 1, FRAMES)
HIPS = {"thigh.L", "thigh.R"}
FOUR = {"front_upper.L", "front_upper.R", "hind_thigh.L", "hind_thigh.R"}


def find_hips(evidence):
    """Names of the bones at which the found legs begin, and the findings."""
    found = find_rig(evidence)
    assert found.rig is not None, found.refusal
    return {joints[0] for _, _, joints, _ in list_legs(found.rig)}, found


def kinds_of(found):
    return [note.kind for note in found.doubts]


def make_ape(hand_height):
    """A person whose straight arms end so high above the ground, with fingers."""
    maker, legs = make_biped(arms=False)
    arms = []
    for side, x, phase in ((".L", 0.3, 0.5), (".R", -0.3, 0.0)):
        upper = maker.bone(f"arm{side}", "spine", (x, 0, 1.3))
        lower = maker.bone(f"forearm{side}", upper, (x, 0.02, 0.7))
        hand = maker.bone(f"hand{side}", lower, (x, 0, hand_height + 0.08))
        finger = maker.bone(f"finger{side}", hand, (x, 0, hand_height + 0.03))
        maker.tube(upper, lower)
        maker.tube(lower, hand)
        maker.box(finger, (x - 0.03, -0.03, hand_height), (x + 0.03, 0.03, hand_height + 0.06))
        arms.append(LegPath(upper, lower, hand, phase, bend=(0, 1, 0)))
    return maker, legs, arms


def swing_arms(maker, arms, angle=0.6):
    """Arms as pendulums, left against right."""
    moves = {}
    for arm, sign in zip(arms, (1, -1), strict=True):
        turn = sign * angle * np.sin(PHASE)
        reach = np.linalg.norm(maker.heads[arm.ankle] - maker.heads[arm.hip])
        way = np.stack([0 * turn, np.sin(turn), -np.cos(turn)], axis=1)
        moves.update(bend_leg(maker, arm, maker.heads[arm.hip] + reach * way))
    return moves


def rise(maker, arms, low):
    """A clip named as standing in which hands push off near the ground, as from a chair."""
    moves = {"spine": {"position": maker.heads["spine"] + np.outer(PHASE / 30, [0, 0, 1.0])}}
    away = np.sin(PHASE / 2)
    for arm in arms:
        target = maker.heads[arm.ankle] + np.stack([0 * away, 0.3 * away, low * away], axis=1)
        moves.update(bend_leg(maker, arm, target))
    return maker.clip("Standing", moves)


@pytest.mark.parametrize(("scale", "yaw"), [(1.0, 0.0), (0.01, 2.1), (80.0, -0.7)])
@pytest.mark.parametrize("hand_height", [0.04, 0.08, 0.12])
def test_hands_that_hang_low_are_no_legs_where_a_clip_walks(hand_height, scale, yaw):
    maker, legs, arms = make_ape(hand_height)
    idle = maker.clip("Idle", {})
    clips = [walk(maker, legs, extra=swing_arms(maker, arms)), rise(maker, arms, 0.02), idle]
    evidence = turn_evidence(maker.evidence(clips), scale, yaw)
    hips, found = find_hips(evidence)
    assert hips == HIPS
    assert found.confidence >= 0.75
    assert found.clip_used == "Walk"


@pytest.mark.parametrize("hand_height", [0.06, 0.09])
def test_hands_above_the_soles_are_asked_about_where_nothing_walks(hand_height):
    maker, _, _ = make_ape(hand_height)
    hips, found = find_hips(maker.evidence([maker.clip("Idle", {})]))
    assert hips == HIPS
    assert 0.5 <= found.confidence < 0.75
    assert kinds_of(found)[0] is NoteKind.LEGS_UNSURE
    assert any(
        "hand" in b or "finger" in b for n in found.doubts for b in n.values.get("bones", ())
    )


def test_knuckles_on_the_ground_at_rest_swing_in_the_walk():
    maker, legs, arms = make_ape(0.0)
    hips, found = find_hips(maker.evidence([walk(maker, legs, extra=swing_arms(maker, arms))]))
    assert hips == HIPS
    told = next(n for n in found.doubts if n.kind is NoteKind.REST_SHOWS_OTHER_LEGS)
    assert told.values["count"] == 4
    assert found.confidence <= 0.95


@pytest.mark.parametrize("dip", [-0.09, 0.0, 0.09])
@pytest.mark.parametrize("mesh", [True, False])
def test_front_paws_of_the_only_walk_are_legs_though_they_dip_or_hover(dip, mesh):
    maker, legs = make_quadruped()
    sunk = [
        LegPath(p.hip, p.knee, p.ankle, p.phase, p.bend, dip if "front" in p.hip else 0.0)
        for p in legs
    ]
    hips, found = find_hips(maker.evidence([walk(maker, sunk, stride=0.3, lift=0.06)], mesh=mesh))
    assert hips == FOUR
    assert found.confidence >= 0.75


def test_the_same_legs_come_out_whichever_clips_are_known():
    maker, legs = make_quadruped()
    clips = {
        "Walk": walk(maker, legs, stride=0.3, lift=0.06),
        "Run": walk(maker, legs, stride=0.5, lift=0.15, name="Run"),
        "Sneak": walk(maker, legs, stride=0.15, lift=0.04, name="Sneak"),
        "Idle": maker.clip("Idle", {}),
    }
    for count in range(len(clips) + 1):
        for names in itertools.combinations(clips, count):
            hips, _ = find_hips(maker.evidence([clips[name] for name in names]))
            assert hips == FOUR, names


def test_a_crawl_makes_no_legs_of_the_arms_of_who_walks_upright():
    maker, legs, arms = make_ape(0.5)
    lying = {"hips": {"position": maker.heads["hips"] + np.tile([0, 0, -0.5], (FRAMES, 1))}}
    sunk = [LegPath(p.hip, p.knee, p.ankle, p.phase) for p in (*legs, *arms)]
    moves = dict(lying)
    for path, phase in zip(sunk, (0.0, np.pi, np.pi, 0.0), strict=True):
        hip = maker.heads[path.hip] + [0, 0, -0.5]
        ahead = 0.1 * np.sin(PHASE + phase)
        place = hip * [1, 1, 0] + np.stack(
            [0 * ahead, ahead, 0.05 + 0.02 * np.cos(PHASE + phase)], 1
        )
        moves.update(bend_leg(maker, path, place, hip))
    crawl = maker.clip("Crawl", moves)
    hips, found = find_hips(maker.evidence([walk(maker, legs), crawl]))
    assert hips == HIPS
    assert found.clip_used == "Walk"
    alone, unsure = find_hips(maker.evidence([crawl]))
    assert alone == HIPS or unsure.confidence < 0.75


def test_confidence_is_never_whole_where_a_clip_shows_other_legs():
    maker, legs = make_quadruped()
    hind = [p for p in legs if "hind" in p.hip]
    up = {}
    for p in legs:
        if "front" in p.hip:
            target = maker.heads[p.ankle] + np.tile([0.0, -0.15, 0.4], (FRAMES, 1))
            up.update(bend_leg(maker, p, target))
    rearing = walk(maker, hind, stride=0.3, lift=0.06, name="Rear", extra=up)
    hips, found = find_hips(maker.evidence([walk(maker, legs, stride=0.3, lift=0.06), rearing]))
    assert hips == FOUR
    assert found.confidence <= 0.95
    told = next(n for n in found.doubts if n.kind is NoteKind.CLIP_SHOWS_OTHER_LEGS)
    assert (told.values["clip"], told.values["count"]) == ("Rear", 2)
    assert set(told.values["bones"]) == {"front_paw.L", "front_paw.R"}


def add_robe(maker):
    """Panels of a long robe around the hips, of two bones each, whose hem is on the ground."""
    for side, x in ((".L", 0.22), (".R", -0.22)):
        for place, y in (("a", -0.2), ("b", 0.2)):
            upper = maker.bone(f"{place}1{side}", "hips", (x, y, 0.9))
            lower = maker.bone(f"{place}2{side}", upper, (1.2 * x, 1.1 * y, 0.45))
            hem = maker.bone(f"{place}3{side}", lower, (1.3 * x, 1.2 * y, 0.05))
            maker.tube(upper, lower)
            maker.tube(lower, hem)
            low = maker.heads[hem] * [1, 1, 0]
            maker.box(hem, low - np.array([0.05, 0.05, 0.0]), low + np.array([0.05, 0.05, 0.06]))


def add_wings(maker):
    """Folded wings whose tips drag behind the heels."""
    for side, x in ((".L", 0.15), (".R", -0.15)):
        upper = maker.bone(f"w1{side}", "spine", (x, 0.12, 1.3))
        lower = maker.bone(f"w2{side}", upper, (1.5 * x, 0.3, 1.5))
        tip = maker.bone(f"w3{side}", lower, (1.5 * x, 0.45, 0.05))
        maker.tube(upper, lower)
        maker.tube(lower, tip)
        low = maker.heads[tip] * [1, 1, 0]
        maker.box(tip, low - np.array([0.03, 0.03, 0.0]), low + np.array([0.03, 0.03, 0.06]))


def add_shield(maker):
    """A shield in one hand that reaches the ground."""
    shield = maker.bone("held", "hand.L", maker.heads["hand.L"] - [0, 0.05, 0.1])
    low = maker.heads[shield] * [1, 1, 0]
    maker.box(shield, low - np.array([0.1, 0.02, 0.0]), low + np.array([0.1, 0.02, 0.9]), steps=3)


@pytest.mark.parametrize("add", [add_robe, add_wings, add_shield])
@pytest.mark.parametrize("twisted", [0.0, 0.25])
def test_what_is_dragged_along_is_no_leg(add, twisted):
    maker, legs = make_biped()
    add(maker)
    turn = twisted * np.sin(PHASE)
    axis = np.array([0.0, 0.0, 1.0])
    spine = {"rotation": rot.quaternions_from_axis_angles(np.tile(axis, (FRAMES, 1)), turn)}
    hips, found = find_hips(maker.evidence([walk(maker, legs, extra={"spine": spine})]))
    assert hips == HIPS
    assert found.confidence >= 0.75


def test_blows_with_legs_and_falls_do_not_doubt_who_walks():
    maker, legs = make_spider()
    raised = {}
    for leg in legs[0], legs[4]:  # the foremost pair
        target = np.tile(maker.heads[leg.ankle] + [0.0, -0.1, 0.5], (FRAMES, 1))
        raised.update(bend_leg(maker, leg, target))
    blow = maker.clip("Take 2", raised)
    _, found = find_hips(maker.evidence([walk(maker, legs, stride=0.3, name="Take 1"), blow]))
    assert len(found.rig.legs) == 8
    assert NoteKind.CLIP_SHOWS_OTHER_LEGS not in kinds_of(found)
    assert NoteKind.HIPS_LOW not in kinds_of(found)
    quadruped, legs = make_quadruped()
    angles = np.minimum(1.0, 2.0 * np.linspace(0, 1, FRAMES))[:, None] * np.pi / 2
    turn = rot.quaternions_from_axis_angles(np.tile([0.0, 1.0, 0.0], (FRAMES, 1)), angles[:, 0])
    moves = {}
    for name, parent in zip(quadruped.names, quadruped.parents, strict=True):
        if parent is not None:
            place = rot.rotate(turn, quadruped.heads[name]) + 0.1 * rot.UP
            moves[name] = {"rotation": turn, "position": place}
    fall = quadruped.clip("Take 2", moves)
    hips, found = find_hips(quadruped.evidence([walk(quadruped, legs, name="Take 1"), fall]))
    assert hips == FOUR
    assert NoteKind.CLIP_SHOWS_OTHER_LEGS not in kinds_of(found)
