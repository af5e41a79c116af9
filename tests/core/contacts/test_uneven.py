# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tips that droop and stances that are uneven (docs/method/contacts.md, Floors, Least slip)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.contacts.find import find_contacts
from semi_procedural_locomotion.core.contacts.planting import plant_contacts
from tests.core.synthetic import Recipe, make_feet, sample_cycle

WALK = Recipe()
QUADRUPED = Recipe(gait="lateral walk")
RUN = Recipe(duty=0.35, speed=3.0, period=0.7, lift=0.2, keys=24)
LENGTH = WALK.hip_height


def phase_gap(a, b):
    return abs((a - b + 0.5) % 1.0 - 0.5)


def measure_times(feet, leg, count=96):
    """Stance (bool), its share and the swing's, 0 to 1, at each of ``count`` phases."""
    truth = feet.truth[leg]
    since = (np.arange(count) / count - truth.strike) % 1.0
    swing = np.clip((since - truth.duty) / (1.0 - truth.duty), 0.0, 1.0)
    return since < truth.duty, np.clip(since / truth.duty, 0.0, 1.0), swing


def droop_tips(feet, depth, legs):
    """Points of feet whose toe tips hang below the ground for most of the swing."""
    points = sample_cycle(feet)
    for leg in legs:
        stance, _, swing = measure_times(feet, leg)
        hang = np.where(stance, 0.0, np.sin(np.pi * np.clip(1.4 * swing, 0.0, 1.0)))
        points[:, leg, 2, 2] -= hang * (depth * feet.recipe.scale + points[:, leg, 2, 2])
        points[:, leg, 1, 2] -= 0.3 * hang * depth * feet.recipe.scale
    return points


def study(feet, points):
    recipe = feet.recipe
    return find_contacts(points, recipe.period, LENGTH * recipe.scale, recipe.keys)


@pytest.mark.parametrize("depth", [0.05, 0.1, 0.2, 0.3])
@pytest.mark.parametrize("recipe", [WALK, QUADRUPED, RUN], ids=["walk", "quadruped", "run"])
def test_tips_that_droop_in_the_swing_make_no_contact(recipe, depth):
    feet = make_feet(recipe)
    found = study(feet, droop_tips(feet, depth * LENGTH, range(recipe.legs)))
    np.testing.assert_allclose(found.velocity, feet.velocity, atol=0.01 * recipe.speed)
    for leg, true in zip(found.legs, feet.truth, strict=True):
        assert phase_gap(leg.strike, true.strike) < 0.02
        assert phase_gap(leg.off, true.off) < 0.02


@pytest.mark.parametrize("scale", [0.01, 100.0])
@pytest.mark.parametrize("heading", [0.0, 2.0, np.pi])
def test_tips_droop_in_all_sizes_and_ways(scale, heading):
    feet = make_feet(replace(QUADRUPED, scale=scale, heading=heading))
    found = study(feet, droop_tips(feet, 0.2 * LENGTH, [0, 2]))
    np.testing.assert_allclose(found.velocity, feet.velocity, atol=0.014 * scale)
    assert [leg.duty for leg in found.legs] == pytest.approx([0.6] * 4, abs=0.08)


def test_clips_with_drooping_tips_keep_their_way_when_reversed():
    feet = make_feet(QUADRUPED)
    points = droop_tips(feet, 0.2 * LENGTH, range(4))
    found = study(feet, points[-np.arange(96) % 96])
    np.testing.assert_allclose(found.velocity, -feet.velocity, atol=0.014)


@pytest.mark.parametrize("depth", [0.05, 0.1, 0.2])
def test_tips_deep_in_the_ground_do_not_hide_the_stance(depth):
    """A foot whose tip sinks away while it stands: heel and ball bear."""
    feet = make_feet(replace(QUADRUPED, style="flat"))
    points = droop_tips(feet, depth * LENGTH, range(4))
    for leg in range(4):
        stance, share, _ = measure_times(feet, leg)
        points[:, leg, 2, 2] -= np.where(stance, 2.0 * depth * np.sin(np.pi * share) ** 2, 0.0)
    found = study(feet, points)
    np.testing.assert_allclose(found.velocity, feet.velocity, atol=0.014)
    planted = plant_contacts(points, found.legs, found.velocity, 1.0, LENGTH, extend=True)
    for leg, held, true in zip(found.legs, planted, feet.truth, strict=True):
        assert leg.floor == pytest.approx(0.0, abs=0.01)
        assert leg.duty == pytest.approx(true.duty, abs=0.03)
        assert held.duty == pytest.approx(true.duty, abs=0.06)


def ease(feet, peaks):
    """Feet whose speed in stance rises and falls like a sine, to peaks in shares of the speed."""
    points = sample_cycle(feet)
    recipe = feet.recipe
    for leg, peak in enumerate(peaks):
        stance, share, swing = measure_times(feet, leg)
        half = peak * recipe.speed * feet.truth[leg].duty * recipe.period / np.pi
        place = np.where(stance, half * np.cos(np.pi * share), -half * np.cos(np.pi * swing))
        offset = points[:, leg, :, 1] - points[:, leg, :, 1].mean(axis=1, keepdims=True)
        points[:, leg, :, 1] = place[:, None] + offset
    return points


@pytest.mark.parametrize("push", [1.2, 1.6])
def test_hind_feet_that_push_do_not_carry_the_speed_away(push):
    feet = make_feet(replace(QUADRUPED, style="flat", duty=0.5, keys=48))
    even = study(feet, ease(feet, (1.5, 1.5, 1.5, 1.5)))
    uneven = study(feet, ease(feet, (1.5, 1.5, 1.5 * push, 1.5 * push)))
    grown = np.hypot(*uneven.velocity) / np.hypot(*even.velocity)
    assert 1.0 < grown < 0.5 * (1.0 + push)
    low, high = uneven.speed_range
    assert low < np.hypot(*uneven.velocity) < high
    assert high > 1.1 * low


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("push", [2.0, 2.5])
@pytest.mark.parametrize("fast", [(0, 1), (2, 3)])
def test_legs_that_stride_twice_as_far_tell_less_than_those_that_go_evenly(scale, push, fast):
    """Any speed lets feet slip of which two go twice as far as the others; long slips count less."""
    feet = make_feet(replace(QUADRUPED, style="flat", duty=0.5, keys=48, scale=scale))
    even = study(feet, ease(feet, (1.5, 1.5, 1.5, 1.5)))
    uneven = study(feet, ease(feet, [1.5 * push if leg in fast else 1.5 for leg in range(4)]))
    assert np.hypot(*even.velocity) < np.hypot(*uneven.velocity) < 1.2 * np.hypot(*even.velocity)
    low, high = uneven.speed_range
    assert low < np.hypot(*uneven.velocity) < high
    assert high > 0.9 * push * low


def slam(feet, share, factor):
    """Feet that are ``factor`` times as fast in the first ``share`` of their stance."""
    points = sample_cycle(feet)
    for leg, true in enumerate(feet.truth):
        stance, along, swing = measure_times(feet, leg)
        extra = (factor - 1.0) * share * true.duty * feet.recipe.speed * feet.recipe.period
        early = np.clip(1.0 - along / share, 0.0, 1.0) * stance
        late = np.where(stance, 0.0, swing**2)
        points[:, leg, :, 1] += extra * (early + late)[:, None]
    return points


@pytest.mark.parametrize("factor", [1.5, 2.5])
def test_slams_hardly_change_the_speed_of_planted_feet(factor):
    feet = make_feet(Recipe(style="flat", keys=48))
    found = study(feet, slam(feet, 0.25, factor))
    assert np.hypot(*found.velocity) == pytest.approx(1.4, rel=0.02)
    assert np.hypot(*found.planted_velocity) == pytest.approx(1.4, rel=0.06)


def test_even_feet_have_one_speed_planted_or_not():
    feet = make_feet(WALK)
    found = study(feet, sample_cycle(feet))
    np.testing.assert_array_equal(found.planted_velocity, found.velocity)


def flick_off(feet, share, factor):
    """Feet that are pulled off in the last ``share`` of their stance.

    Their tips slip back up to ``factor`` times as fast as the ground. Left and right also go at 0.93
    and 1.07 of the speed, so that no velocity suits all of them.
    """
    points = sample_cycle(feet)
    recipe = feet.recipe
    for leg, true in enumerate(feet.truth):
        stance, along, swing = measure_times(feet, leg)
        middle = points[:, leg, :, 1].mean(axis=1, keepdims=True)
        points[:, leg, :, 1] += (0.93, 1.07)[leg % 2] * middle - middle
        late = np.clip((along - 1.0 + share) / share, 0.0, 1.0) ** 2
        speed = recipe.speed * recipe.scale
        way = 0.5 * (factor - 1.0) * share * true.duty * speed * recipe.period
        back = way * np.where(stance, late, (1.0 - swing) ** 2)
        points[:, leg, :, 1] -= back[:, None] * np.array([0.0, 0.7, 1.0])
        up = way * np.where(stance, late, 1.0 - swing)
        points[:, leg, :, 2] += up[:, None] * np.array([1.2, 0.5, 0.0])
    return points


@pytest.mark.parametrize("scale", [0.01, 100.0])
@pytest.mark.parametrize(("share", "factor"), [(0.6, 12), (0.8, 8), (0.8, 12)])
@pytest.mark.parametrize("recipe", [WALK, QUADRUPED, RUN], ids=["walk", "quadruped", "run"])
def test_tips_that_flick_back_while_the_foot_is_pulled_off_tell_no_speed(
    recipe, factor, share, scale
):
    feet = make_feet(replace(recipe, style="flat", keys=48, scale=scale))
    found = study(feet, flick_off(feet, share, factor))
    assert np.hypot(*found.planted_velocity) == pytest.approx(recipe.speed * scale, rel=0.03)


def test_feet_that_go_like_a_sine_tell_their_mean_and_hardly_more():
    feet = make_feet(replace(QUADRUPED, style="flat", duty=0.5, keys=48))
    found = study(feet, ease(feet, (1.5, 1.5, 1.5, 1.5)))
    mean = 1.5 * feet.recipe.speed * 2.0 / np.pi
    assert mean < np.hypot(*found.velocity) < 1.07 * mean
