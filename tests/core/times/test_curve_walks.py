# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters whose walks all go on a curve are led straight on, and the walk tells so."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.analysis import analyze_clip, rest_motion_from_clip
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.pace_notes import note_pace
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.travel.way import Travel
from semi_procedural_locomotion.notes import NoteKind
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip, make_rig
from tests.core.walkers import make_set

TURN = 0.48  # radians a second, on a radius of 2.5 m at 1.2 m/s


def make_turner(rates, scale=1.0, rest=True, travelling=True):
    """A rig with one walk for each rate of turn, with a pose to stand in or without."""
    recipe = Recipe(speed=1.2, scale=scale)
    rig = make_rig(recipe)
    motions = []
    for rate in rates:
        clip, _, _ = make_clip(replace(recipe, turn_rate=rate), travelling, f"{rate}")
        motions.append(analyze_clip(clip, rig))
    if rest:
        motions.insert(0, rest_motion_from_clip(make_clip(recipe)[0], rig))
    return rig, make_set(motions)


def plan_round(rig, motions, turn=0.0, seconds=4.0):
    """A plan at the walks' own speed that turns at a rate in radians a second."""
    walk = next(m for m in motions.motions if m.is_cycle)
    times = np.linspace(0.0, seconds, 241)
    yaws = turn * times
    heading = np.arctan2(walk.velocity[1], walk.velocity[0])
    ways = np.stack([np.cos(yaws + heading), np.sin(yaws + heading), 0.0 * yaws], axis=1)
    steps = 0.5 * (ways[1:] + ways[:-1]) * walk.speed * np.diff(times)[:, None]
    places = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    return make_plan(rig, motions, Travel(times, places, yaws), FlatGround(), None)


@pytest.mark.parametrize("rest", [True, False])
@pytest.mark.parametrize("rate", [0.12, TURN, -1.2])
@pytest.mark.parametrize("travelling", [True, False])
def test_a_lone_walk_on_a_curve_goes_straight_on_at_its_own_pace(rate, rest, travelling):
    rig, motions = make_turner([rate], rest=rest, travelling=travelling)
    plan = plan_round(rig, motions)
    middle = slice(plan.times.grid.count // 3, 2 * plan.times.grid.count // 3)
    rates = np.gradient(plan.times.phases, plan.times.grid.interval)[middle]
    np.testing.assert_allclose(rates, 1.0 / motions.motions[-1].period, rtol=0.03)
    assert plan.times.walk_share[middle].min() > 0.99
    (note,) = note_pace(NotedSpan(plan, 0.5, 3.5, 30.0))
    assert note.kind is NoteKind.CURVE_WALK_ASTRAY
    assert note.values["turn"] == pytest.approx(np.degrees(rate), rel=0.05)
    assert note.values["radius"] == pytest.approx(1.2 / abs(rate), rel=0.05)


def test_a_lone_walk_on_a_curve_is_told_nothing_of_where_the_travel_turns_as_it_does():
    rig, motions = make_turner([TURN], scale=0.1)
    assert note_pace(NotedSpan(plan_round(rig, motions, TURN), 0.5, 3.5, 30.0)) == []
    (note,) = note_pace(NotedSpan(plan_round(rig, motions, -TURN), 0.5, 3.5, 30.0))
    assert note.kind is NoteKind.CURVE_WALK_ASTRAY


def test_walks_on_two_curves_share_a_straight_way_and_each_has_its_own_curve():
    rig, motions = make_turner([TURN, -TURN])
    shares = [
        plan_round(rig, motions, turn).times.weights[200:280, 1:].mean(axis=0)
        for turn in (0.0, TURN, -TURN)
    ]
    np.testing.assert_allclose(shares, [(0.5, 0.5), (1.0, 0.0), (0.0, 1.0)], atol=0.05)


def test_a_walk_that_goes_straight_plays_alone_where_the_travel_does():
    rig, motions = make_turner([0.0, TURN])
    plan = plan_round(rig, motions)
    np.testing.assert_allclose(plan.times.weights[200:280, 1].mean(), 1.0, atol=0.01)
    assert note_pace(NotedSpan(plan, 0.5, 3.5, 30.0)) == []
