# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the paths of feet tell: gaits from jumps, pauses and rolls; contacts that partners lend."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.contacts.find import find_contacts
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.motions.cycles import extract_cycle
from semi_procedural_locomotion.core.motions.judging import find_objections
from semi_procedural_locomotion.core.motions.stepping import (
    lend_contacts,
    measure_own_way,
    measure_stepping,
    study_feet,
)
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.errors import AnalysisError
from semi_procedural_locomotion.notes import NoteKind
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip

WALK = Recipe()
BOUND = Recipe(gait="bound", duty=0.4, speed=2.0, period=0.8, lift=0.2)


def study(clip, rig):
    cycle = extract_cycle(clip, rig)
    points = np.stack(
        [compute_sole_points(leg, cycle.global_rotations, cycle.positions) for leg in rig.legs],
        axis=1,
    )
    found = find_contacts(points, cycle.period, rig.leg_length, cycle.keys)
    return found, measure_stepping(rig, cycle, points, found)


def leap(clip, height):
    """The clip while the body rises with its feet in the middle half of the cycle."""
    shares = clip.times / clip.times[-1]
    translations = clip.translations.copy()
    inside = np.clip(2.0 * shares - 0.5, 0.0, 1.0)
    translations[:, 0, 2] += height * np.sin(np.pi * inside) ** 2
    return replace(clip, translations=translations)


def pause(clip, sample, count):
    """The clip held at a sample."""
    index = np.insert(np.arange(len(clip.times)), sample, [sample] * count)
    return replace(
        clip,
        times=np.arange(len(index)) * clip.key_interval,
        rotations=clip.rotations[index],
        translations=clip.translations[index],
        scales=clip.scales[index],
    )


def turn_over(clip):
    """The clip while the body turns over once about its side axis."""
    angles = 2.0 * np.pi * clip.times / clip.times[-1]
    rotations = clip.rotations.copy()
    turns = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), angles)
    rotations[:, 0] = rot.multiply(turns, rotations[:, 0])
    return replace(clip, rotations=rotations)


@pytest.mark.parametrize(
    ("recipe", "alternates"),
    [
        (WALK, True),
        (replace(WALK, heading=np.pi), True),
        (replace(WALK, limp=0.2), True),
        (Recipe(gait="trot", duty=0.5), True),
        (Recipe(duty=0.35, speed=3.0, period=0.7, lift=0.2, scale=100.0), True),
        (Recipe(gait="gallop", duty=0.28, speed=6.0, period=0.6, lift=0.25), False),
        (BOUND, False),
        (Recipe(gait="jump", duty=0.4, speed=2.5, period=0.7, lift=0.3), False),
        (Recipe(gait="hop", duty=0.4, speed=1.5, period=0.6, lift=0.2), False),
    ],
)
def test_gaits_are_cycles_whether_feet_take_turns_or_not(recipe, alternates):
    clip, rig, _ = make_clip(recipe)
    motion = analyze_clip(clip, rig)
    assert motion.speed == pytest.approx(recipe.speed * recipe.scale, rel=0.05)
    assert NoteKind.CONTACT_LENT not in [note.kind for note in motion.notes]
    _, signs = study(clip, rig)
    assert signs.alternates is alternates
    assert signs.pause == 0.0
    assert signs.tilt < 0.1


def test_a_gallop_with_a_jump_is_no_gait():
    clip, rig, _ = make_clip(Recipe(gait="gallop", duty=0.28, speed=6.0, period=0.6, lift=0.25))
    flat = study(clip, rig)[1]
    raised = study(leap(clip, 0.7), rig)[1]
    assert flat.rise < 0.2 < 0.6 < raised.rise
    assert flat.flight < 0.25 < raised.flight
    with pytest.raises(AnalysisError, match="it is a jump"):
        analyze_clip(leap(clip, 0.7), rig)


def test_feet_that_stand_still_and_leave_together_jump():
    clip, rig, _ = make_clip(replace(BOUND, gait="jump", duty=0.6))
    with pytest.raises(AnalysisError, match="all feet stand still together for"):
        analyze_clip(pause(clip, 9, 6), rig)


def test_a_walk_that_pauses_at_every_step_walks():
    clip, rig, _ = make_clip(WALK)
    stopping = pause(pause(clip, 18, 4), 3, 4)
    signs = study(stopping, rig)[1]
    assert signs.pause > 0.0
    assert signs.alternates
    assert analyze_clip(stopping, rig).is_cycle


def test_a_body_that_turns_over_is_told_by_its_lean():
    clip, rig, _ = make_clip(WALK)
    assert study(clip, rig)[1].tilt < 0.1
    assert study(turn_over(clip), rig)[1].tilt > np.radians(150.0)
    with pytest.raises(AnalysisError, match="the body turns over"):
        analyze_clip(turn_over(clip), rig)


@pytest.mark.parametrize("leg", [0, 1, 2, 3])
def test_feet_without_a_contact_step_as_their_partners_do(leg):
    clip, rig, _ = make_clip(Recipe(gait="lateral walk"))
    found, signs = study(clip, rig)
    legs = list(found.legs)
    legs[leg] = replace(
        legs[leg], steps=False, reason=NoteKind.FOOT_NEVER_STANDS, duty=0.0, stance=0.0, strike=0.0
    )
    lent, borrowed = lend_contacts(rig, replace(found, legs=tuple(legs)), signs)
    assert borrowed == {leg: rig.legs[leg].partner}
    for name in ("stance", "strike", "land", "lift", "off"):
        gap = getattr(lent.legs[leg], name) - getattr(found.legs[leg], name)
        assert abs((gap + 0.5) % 1.0 - 0.5) < 0.02, name
    assert lent.legs[leg].steps
    assert lent.legs[leg].reason is None


def test_feet_that_go_other_ways_lend_nothing():
    clip, rig, _ = make_clip(WALK)
    rotations = clip.rotations.copy()
    for bone in rig.legs[0].bones:
        rotations[:, bone] = rotations[0, bone]
    found, signs = study(replace(clip, rotations=rotations), rig)
    assert not signs.is_alike
    assert lend_contacts(rig, found, signs) == (found, {})


@pytest.mark.parametrize("scale", [0.01, 100.0])
@pytest.mark.parametrize("leg", [0, 1])
def test_what_one_foot_tells_of_the_way_aside_its_partner_takes_back(leg, scale):
    """A walk of which one foot is read, as turned to its own side, goes straight ahead."""
    clip, rig, _ = make_clip(replace(WALK, scale=scale))
    found, signs = study(clip, rig)
    legs = list(found.legs)
    legs[leg] = replace(legs[leg], steps=False, reason=NoteKind.FOOT_NEVER_STANDS, duty=0.0)
    forward = np.asarray(rig.forward)
    speed = float(found.velocity @ forward)
    askew = found.velocity + 0.6 * speed * np.array([-forward[1], forward[0]])
    legs[1 - leg] = replace(legs[1 - leg], velocity=askew)
    told = replace(found, legs=tuple(legs), velocity=askew, planted_velocity=askew)
    lent, _ = lend_contacts(rig, told, signs)
    for velocity in (lent.velocity, lent.planted_velocity, *(one.velocity for one in lent.legs)):
        np.testing.assert_allclose(velocity, speed * forward, atol=1e-3 * speed)


@pytest.mark.parametrize(
    "recipe",
    [WALK, replace(WALK, scale=100.0), replace(WALK, noise=0.003), Recipe(gait="lateral walk")],
    ids=["walk", "large", "noisy", "quadruped"],
)
def test_feet_that_swing_below_where_they_seem_to_stand_are_in_the_air(recipe):
    """As in the middle of a jump: drawn up feet move evenly for a while and dangle between."""
    clip, rig, _ = make_clip(recipe)
    cycle = extract_cycle(clip, rig)
    points, found = study_feet(rig, cycle)
    assert measure_stepping(rig, cycle, points, found).hang < 0.2
    aloft = replace(
        found, legs=tuple(replace(leg, strike=(leg.strike + 0.5) % 1.0) for leg in found.legs)
    )
    signs = measure_stepping(rig, cycle, points, aloft)
    assert signs.hang > 0.4
    (objection,) = find_objections(rig, cycle, found, signs)
    assert objection.endswith("they are in the air")


@pytest.mark.parametrize("slow", [0, 1])
def test_feet_that_go_unlike_ways_at_unlike_speeds_do_not_step_alike(slow):
    """As in attacks: each foot takes a step of its own."""
    clip, rig, _ = make_clip(WALK)
    found, signs = study(clip, rig)
    cycle = extract_cycle(clip, rig)
    apart = replace(signs, pairs=tuple(replace(pair, unlike=1.0) for pair in signs.pairs))
    legs = list(found.legs)
    legs[slow] = replace(legs[slow], velocity=0.5 * legs[slow].velocity)
    uneven = replace(found, legs=tuple(legs))
    assert not find_objections(rig, cycle, found, apart)
    assert not find_objections(rig, cycle, uneven, signs)
    assert find_objections(rig, cycle, uneven, apart) == ["left and right feet do not step alike"]


def test_a_body_that_flinches_on_legs_that_do_not_move_is_no_walk():
    clip, rig, _ = make_clip(WALK)
    shares = clip.times / clip.times[-1]
    bow = 0.25 * np.sin(np.pi * shares) ** 2
    still = np.repeat(clip.rotations[:1], len(shares), axis=0)
    axis = np.array([1.0, 0.0, 0.0])
    still[:, 0] = rot.multiply(rot.quaternions_from_axis_angles(axis, bow), still[:, 0])
    hit = replace(
        clip, rotations=still, translations=np.repeat(clip.translations[:1], len(shares), axis=0)
    )
    with pytest.raises(AnalysisError, match="hardly move against it"):
        analyze_clip(hit, rig)
    assert measure_own_way(rig, extract_cycle(clip, rig)) > 0.9
