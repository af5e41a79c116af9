# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights, phase and key times of a walk as plain arrays."""

import json

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.graphs import EVENTS, read_motion_graph
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import make_walker, native_walk


@pytest.fixture(scope="module")
def walk():
    rig, motions = make_walker(("walk", "run"))
    travel = make_straight_travel(np.zeros(3), 0.0, native_walk(motions).velocity, 0.0, 4.0)
    return make_plan(rig, motions, travel, FlatGround())


def test_the_graph_is_what_the_plan_has(walk):
    times = np.arange(1.0, 3.0, 1.0 / 24.0)
    graph = read_motion_graph(walk, times)
    native = native_walk(walk.tables.motion_set)
    assert graph.motions == tuple(m.name for m in walk.tables.motion_set.motions)
    assert graph.groups == ("walk",) * 3
    assert len(graph.legs) == 2
    np.testing.assert_allclose(graph.weights, np.tile([0.0, 1.0, 0.0], (48, 1)), atol=1e-9)
    np.testing.assert_allclose(graph.group_weights, 1.0, atol=1e-12)
    np.testing.assert_allclose(graph.rates * native.period, 1.0, rtol=1e-6)
    np.testing.assert_allclose(graph.strides, native.stride, rtol=1e-5)
    np.testing.assert_allclose(graph.speeds, native.speed, rtol=1e-6)
    np.testing.assert_allclose(graph.turn_rates, 0.0, atol=1e-9)
    np.testing.assert_allclose(np.diff(graph.phases), 1.0 / 24.0 / native.period, rtol=1e-6)
    solved = solve_poses(walk, times)
    np.testing.assert_array_equal(graph.contacts, solved.states.in_contact)


def test_events_come_in_the_order_of_each_step_at_its_key_times(walk):
    graph = read_motion_graph(walk, np.array([0.5, 3.5]))
    native = native_walk(walk.tables.motion_set)
    assert np.all(np.diff(graph.event_times) >= 0)
    assert EVENTS == ("lift", "off", "strike", "land")
    for leg, cycle in enumerate(native.legs):
        own = graph.event_legs == leg
        kinds, times = graph.event_kinds[own], graph.event_times[own]
        np.testing.assert_array_equal(np.diff(kinds) % 4, 1)
        off, strike = times[kinds == 1], times[kinds == 2]
        strike = strike[strike > off[0]][: len(off)]
        expected = (cycle.strike - cycle.off) * native.period
        np.testing.assert_allclose(strike - off[: len(strike)], expected, rtol=1e-6)
        np.testing.assert_allclose(np.diff(off), native.period, rtol=1e-6)


def test_events_do_not_depend_on_the_times_asked_for(walk):
    coarse = read_motion_graph(walk, np.array([0.5, 3.5]))
    fine = read_motion_graph(walk, np.linspace(0.5, 3.5, 50))
    np.testing.assert_array_equal(coarse.event_times, fine.event_times)


def test_the_graph_goes_into_json(walk):
    entry = read_motion_graph(walk, np.array([1.0, 2.0])).as_dict()
    again = json.loads(json.dumps(entry))
    assert again["weights"] == entry["weights"]
    assert set(again) >= {"times", "weights", "phases", "key_times", "event_times", "contacts"}


@pytest.mark.parametrize("times", [np.zeros((2, 2)), np.array([1.0, 1.0]), np.zeros(0)])
def test_times_are_checked(walk, times):
    with pytest.raises(ValueError, match="increasing"):
        read_motion_graph(walk, times)
