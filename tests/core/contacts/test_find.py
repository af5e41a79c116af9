# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts, key times and velocity against known truth (docs/method/contacts.md, What it reaches)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.contacts.find import KeyTimes, extend_key_times, find_contacts
from semi_procedural_locomotion.core.contacts.foot_signals import find_floors
from semi_procedural_locomotion.core.maths.periodic import (
    find_best_segment,
    integrate_periodic,
    sample_periodic,
    smooth_periodic,
)
from semi_procedural_locomotion.notes import NoteKind
from tests.core.synthetic import Recipe, draw_recipe, make_feet, sample_cycle, turn_vectors

WALK = Recipe()
RUN = Recipe(duty=0.35, speed=3.0, period=0.7, lift=0.2, keys=24)
GALLOP = Recipe(gait="gallop", duty=0.28, speed=6.0, period=0.6, lift=0.25)
TURN = replace(WALK, turn_rate=1.05)
RAISED = replace(WALK, ground=0.10)


def study(recipe, **options):
    feet = make_feet(recipe)
    length = recipe.hip_height * recipe.scale
    return feet, find_contacts(sample_cycle(feet), recipe.period, length, recipe.keys, **options)


def phase_gap(a, b):
    return abs((a - b + 0.5) % 1.0 - 0.5)


def direction_gap(a, b):
    turn = np.arctan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])
    return abs(np.degrees(turn))


def assert_times(found, truth, outer, inner):
    for leg, true in zip(found.legs, truth, strict=True):
        assert leg.steps, leg.reason
        assert phase_gap(leg.strike, true.strike) < outer
        assert phase_gap(leg.off, true.off) < outer
        assert phase_gap(leg.lift, true.lift) < inner
        assert phase_gap(leg.land, true.land) < inner
        assert leg.duty == pytest.approx(true.duty, abs=2 * outer)


@pytest.mark.parametrize("recipe", [WALK, RUN, GALLOP, TURN, RAISED], ids="ABCDE")
def test_clean_clips_give_their_truth(recipe):
    feet, found = study(recipe)
    assert_times(found, feet.truth, 0.01, 0.02)
    speed = np.hypot(*feet.velocity)
    assert np.hypot(*found.velocity) == pytest.approx(speed, rel=0.005)
    assert direction_gap(found.velocity, feet.velocity) < 0.5
    assert found.turn_rate == pytest.approx(recipe.turn_rate, abs=0.01)
    assert found.uniform
    assert found.ground_height == pytest.approx(recipe.ground, abs=0.004)
    assert all(leg.points == "HBT" for leg in found.legs)


@pytest.mark.parametrize(
    "recipe",
    [
        replace(WALK, keys=13),
        replace(WALK, keys=17.4),
        replace(WALK, noise=0.003),
        replace(WALK, noise=0.005, seed=7),
        replace(RUN, noise=0.003, keys=60),
        replace(WALK, seam=0.02),
    ],
    ids=["13 keys", "17.4 keys", "3 mm", "5 mm", "run 3 mm", "seam"],
)
def test_coarse_and_noisy_clips_stay_near_their_truth(recipe):
    feet, found = study(recipe)
    # Between two keys nothing is known; the heel lifts so softly that 5 mm of noise hide 0.04 cycles.
    assert_times(found, feet.truth, max(0.03, 0.5 / recipe.keys), 0.05)
    assert np.hypot(*found.velocity) == pytest.approx(np.hypot(*feet.velocity), rel=0.03)
    assert direction_gap(found.velocity, feet.velocity) < 4.0


@pytest.mark.parametrize(
    "recipe",
    [
        replace(WALK, style="flat"),
        replace(WALK, duty=0.75),
        replace(WALK, style="tiptoe"),
        replace(WALK, heading=2.0),
        replace(WALK, arc=0.015, sink=0.01),
        Recipe(gait="tripod"),
        Recipe(gait="ripple"),
        Recipe(gait="hop", duty=0.4, speed=2.0),
    ],
)
def test_other_styles_and_gaits(recipe):
    feet, found = study(recipe)
    for leg, true in zip(found.legs, feet.truth, strict=True):
        assert phase_gap(leg.strike, true.strike) < 0.02
        assert phase_gap(leg.off, true.off) < 0.02
    np.testing.assert_allclose(found.velocity, feet.velocity, atol=0.01 * recipe.speed)


def test_key_times_are_in_order():
    for recipe in (WALK, RUN, GALLOP, replace(WALK, style="flat"), replace(WALK, keys=13)):
        for leg in study(recipe)[1].legs:
            land, stance, lift, off = (
                (phase - leg.strike) % 1.0 for phase in (leg.land, leg.stance, leg.lift, leg.off)
            )
            assert 0 <= land <= stance + 1e-9
            assert stance <= lift + 1e-9
            assert lift <= off + 1e-9
            assert off == pytest.approx(leg.duty)


def describe(found):
    return np.array([(g.strike, g.land, g.lift, g.off, g.stance, g.duty) for g in found.legs])


@pytest.mark.parametrize("recipe", [WALK, GALLOP, TURN])
@pytest.mark.parametrize("scale", [0.01, 300.0])
def test_scale_does_not_matter(recipe, scale):
    _, found = study(recipe)
    _, scaled = study(replace(recipe, scale=scale))
    np.testing.assert_allclose(describe(scaled), describe(found), atol=1e-6)
    np.testing.assert_allclose(
        scaled.velocity, found.velocity * scale, rtol=1e-6, atol=1e-6 * scale
    )


@pytest.mark.parametrize("recipe", [WALK, GALLOP])
def test_yaw_does_not_matter(recipe):
    points = sample_cycle(make_feet(recipe))
    turned = points.copy()
    turned[..., :2] = turn_vectors(points[..., :2], 0.7)
    found = find_contacts(points, recipe.period, 0.9, recipe.keys)
    other = find_contacts(turned, recipe.period, 0.9, recipe.keys)
    np.testing.assert_allclose(describe(other), describe(found), atol=1e-6)
    np.testing.assert_allclose(other.velocity, turn_vectors(found.velocity, 0.7), atol=1e-6)


@pytest.mark.parametrize("recipe", [WALK, GALLOP])
def test_start_of_the_clip_does_not_matter(recipe):
    points = sample_cycle(make_feet(recipe))
    found = describe(find_contacts(points, recipe.period, 0.9, recipe.keys))
    for shift in (1, 29, 95):
        moved = np.roll(points, shift, axis=0)
        other = describe(find_contacts(moved, recipe.period, 0.9, recipe.keys))
        phases = (found[:, :5] + shift / 96 - other[:, :5] + 0.5) % 1.0 - 0.5
        np.testing.assert_allclose(phases, 0.0, atol=1e-6)
    feet, later = study(replace(recipe, start=0.37))
    for leg, true in zip(later.legs, feet.truth, strict=True):
        assert phase_gap(leg.off, true.off - 0.37) < 0.012


def test_mirrored_feet_give_mirrored_contacts():
    recipe = replace(GALLOP, heading=0.4)
    points = sample_cycle(make_feet(recipe))
    swap = [1, 0, 3, 2]
    mirrored = (points * np.array([-1.0, 1.0, 1.0]))[:, swap]
    found = find_contacts(points, recipe.period, 0.9, recipe.keys)
    other = find_contacts(mirrored, recipe.period, 0.9, recipe.keys)
    np.testing.assert_allclose(describe(other)[swap], describe(found), atol=1e-6)
    np.testing.assert_allclose(other.velocity, found.velocity * (-1, 1), atol=1e-6)


def test_reversed_clips_give_mirrored_times():
    points = sample_cycle(make_feet(RUN))
    found = find_contacts(points, RUN.period, 0.9, RUN.keys)
    other = find_contacts(points[-np.arange(96) % 96], RUN.period, 0.9, RUN.keys)
    for there, back in zip(found.legs, other.legs, strict=True):
        assert phase_gap(back.strike, -there.off) < 1e-6
        assert phase_gap(back.land, -there.lift) < 1e-6
        assert phase_gap(back.stance, -there.stance) < 1e-6
    np.testing.assert_allclose(other.velocity, -found.velocity, atol=1e-6)


def make_eased():
    """A walk whose planted feet speed up and slow down like half a sine; mean speed 1.4."""
    recipe = Recipe(style="flat", duty=0.5, keys=96)
    feet = make_feet(recipe)
    points = sample_cycle(feet)
    half = 0.5 * recipe.duty * recipe.period * recipe.speed
    for leg, true in enumerate(feet.truth):
        since = (np.arange(96) / 96 - true.strike) % 1.0
        share = np.minimum(since / recipe.duty, 1.0)
        swing = np.maximum(0.0, (since - recipe.duty) / (1 - recipe.duty))
        place = np.where(share < 1, half * np.cos(np.pi * share), -half * np.cos(np.pi * swing))
        offset = points[:, leg, :, 1] - points[:, leg, :, 1].mean(axis=1, keepdims=True)
        points[:, leg, :, 1] = place[:, None] + offset
    return recipe, points


def test_eased_feet_give_a_mean_speed_and_a_range():
    recipe, points = make_eased()
    found = find_contacts(points, recipe.period, 0.9, recipe.keys)
    assert not found.uniform
    low, high = found.speed_range
    assert low < high
    assert low <= np.hypot(*found.velocity) <= high
    assert np.hypot(*found.velocity) == pytest.approx(recipe.speed, rel=0.15)
    for leg in found.legs:
        assert leg.duty == pytest.approx(recipe.duty, abs=0.06)


def test_even_feet_give_one_speed():
    _, found = study(WALK)
    assert found.speed_range[0] == found.speed_range[1]
    assert found.still_share < 0.02


def test_a_foot_that_never_steps_is_told_so():
    points = sample_cycle(make_feet(WALK))
    held = np.repeat(points[:1, :1], 96, axis=0) + np.array([0.6, 0.0, 0.3])
    carried = np.concatenate([points, held], axis=1)
    found = find_contacts(carried, WALK.period, 0.9, WALK.keys)
    assert [leg.steps for leg in found.legs] == [True, True, False]
    assert found.legs[2].reason in (NoteKind.FOOT_NEVER_STANDS, NoteKind.FOOT_NEVER_LIFTS)
    assert np.hypot(*found.velocity) == pytest.approx(1.4, rel=0.01)


def test_a_foot_that_touches_twice_is_told_so():
    points = sample_cycle(make_feet(Recipe(style="flat", duty=0.4)))
    again = points.copy()
    again[:, 0] = points[(2 * np.arange(96)) % 96, 0]
    # Twice the tempo and half the stride: the same speed, two contacts in a cycle.
    again[:, 0, :, 1] *= 0.5
    found = find_contacts(again, 1.0, 0.9, 30)
    assert found.legs[0].second_share > 0.5
    assert found.legs[1].second_share < 0.05


def test_a_sole_point_placed_too_high_still_counts():
    points = sample_cycle(make_feet(Recipe(style="flat")))
    points[:, 0, :2, 2] += 0.03
    found = find_contacts(points, 1.0, 0.9, 30)
    assert found.legs[0].points == "HBT"
    assert found.legs[0].duty == pytest.approx(0.6, abs=0.03)


def test_random_family_meets_the_bars():
    rng = np.random.default_rng(2026)
    off, strike, speeds, directions = [], [], [], []
    for _ in range(40):
        recipe = draw_recipe(rng)
        feet, found = study(recipe)
        for leg, true in zip(found.legs, feet.truth, strict=True):
            off.append(phase_gap(leg.off, true.off) if leg.steps else 0.5)
            strike.append(phase_gap(leg.strike, true.strike) if leg.steps else 0.5)
        speeds.append(abs(np.hypot(*found.velocity) / np.hypot(*feet.velocity) - 1.0))
        directions.append(direction_gap(found.velocity, feet.velocity))
    assert np.mean(off) < 0.012
    assert np.mean(strike) < 0.012
    assert np.percentile(speeds, 95) < 0.04
    assert np.percentile(directions, 95) < 3.0


def test_bad_input_is_refused():
    points = sample_cycle(make_feet(WALK))
    with pytest.raises(ValueError, match="shape"):
        find_contacts(points[:, :, :2], 1.0, 0.9)
    with pytest.raises(ValueError, match="period"):
        find_contacts(points, 0.0, 0.9)


def test_floor_is_where_a_point_dwells():
    phases = np.arange(96) / 96
    heights = np.where(phases < 0.5, 0.02, 0.02 + 0.1 * np.sin(2 * np.pi * (phases - 0.5)) ** 2)
    heights[90:93] -= 0.03
    floor = find_floors(heights[:, None], np.ptp(heights[:, None], axis=0))
    assert floor[0] == pytest.approx(0.02, abs=0.004)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([-1, 2, 3, -1, -4], (1, 2, 5)),
        ([2, -1, -5, -1, 3], (4, 2, 5)),
        ([3, -1, 2, -9, -9], (0, 3, 4)),
        ([1, 1, 1], (0, 3, 3)),
        ([-2, -1, -3], (1, 0, 0)),
    ],
)
def test_best_segment_of_a_circle(scores, expected):
    assert find_best_segment(np.array(scores, dtype=float)) == expected


def test_best_segment_equals_brute_force():
    rng = np.random.default_rng(1)
    for _ in range(50):
        scores = rng.normal(-0.2, 1.0, 17)
        sums = [
            np.sum(np.roll(scores, -start)[:length])
            for start in range(17)
            for length in range(1, 17)
        ]
        assert find_best_segment(scores)[2] == pytest.approx(max(sums))


def test_periodic_tools():
    phases = np.arange(64) / 64
    wave = np.sin(2 * np.pi * 3 * phases)
    np.testing.assert_allclose(
        integrate_periodic(2 * np.pi * 3 * np.cos(2 * np.pi * 3 * phases) + 5.0, 6),
        wave,
        atol=1e-12,
    )
    damped = np.exp(-0.5 * (2 * np.pi * 3 * 0.02) ** 2)
    np.testing.assert_allclose(smooth_periodic(wave, 0.02), damped * wave, atol=1e-12)
    np.testing.assert_allclose(smooth_periodic(wave, 0.0), wave)
    np.testing.assert_allclose(sample_periodic(wave, phases + 1.0), wave, atol=1e-12)
    halfway = sample_periodic(wave, [63.5 / 64])
    np.testing.assert_allclose(halfway, [0.5 * (wave[63] + wave[0])])


def make_slamming():
    """A flat walk whose feet slide back too fast for the first quarter of each stance."""
    recipe = Recipe(style="flat", duty=0.6, keys=96)
    feet = make_feet(recipe)
    points = sample_cycle(feet)
    for leg, true in enumerate(feet.truth):
        since = (np.arange(96) / 96 - true.strike) % 1.0
        early = np.clip(1.0 - since / 0.15, 0.0, 1.0) * (since < 0.6)
        late = np.where(since >= 0.6, np.clip((since - 0.6) / 0.4, 0.0, 1.0) ** 2, 0.0)
        points[:, leg, :, 1] += 0.15 * (early + late)[:, None]
    return recipe, points


def test_feet_that_slam_are_held_from_where_they_touch():
    recipe, points = make_slamming()
    found = find_contacts(points, recipe.period, 0.9, recipe.keys)
    assert found.uniform
    assert found.speed_range[0] < found.speed_range[1]
    assert np.hypot(*found.velocity) == pytest.approx(recipe.speed, rel=0.02)
    for leg, strike in zip(found.legs, (0.0, 0.5), strict=True):
        assert phase_gap(leg.strike, strike) < 0.03


@pytest.mark.parametrize("shift", [0, 37, 90])
def test_contacts_reach_out_while_feet_are_carried(shift):
    times = KeyTimes(20.0 + shift, 22.0 + shift, 28.0 + shift, 30.0 + shift, np.ones(3, dtype=bool))
    places = (np.arange(96) - shift) % 96
    carried = np.minimum(places - 15.5, 40.25 - places)
    longer = extend_key_times(times, carried)
    assert longer.strike == pytest.approx(15.5 + shift)
    assert longer.off == pytest.approx(40.25 + shift)
    assert (longer.land, longer.lift) == (times.land, times.lift)
    unmoved = extend_key_times(times, np.full(96, -1.0))
    assert (unmoved.strike, unmoved.off) == (times.strike, times.off)
    whole = extend_key_times(times, np.ones(96))
    assert (whole.strike, whole.off) == (times.strike, times.off)
