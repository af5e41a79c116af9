# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travel handed from carrier to carrier: what is shown stays, what goes is gone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.carriers import (
    CarriedBody,
    RigidMotion,
    even_out,
    find_headings,
    find_traveller,
    hand_travel,
)
from semi_procedural_locomotion.errors import SettingError
from semi_procedural_locomotion.requests.plans import RootMotionRequest

TIMES = np.linspace(0.0, 1.0, 25)
CARRIERS = ("object", "root", "body")
PAIRS = list(itertools.permutations(CARRIERS, 2))


def make_motion(rest, far=1.0, turn=0.7, sway=0.05):
    """A motion ahead and aside that turns, sways, bobs and nods."""
    rest = np.array(rest, dtype=float)
    places = np.stack([far * TIMES, far * TIMES**2, 0.0 * TIMES], -1)
    places += sway * np.sin(TIMES[:, None] * [12.0, 9.0, 20.0])
    nod = rot.quaternions_from_axis_angles(np.tile([1.0, 0.0, 0.0], (25, 1)), sway * TIMES)
    turns = rot.multiply(rot.quaternions_from_yaws(turn * TIMES), nod)
    return RigidMotion(rest, rest + places, turns)


@pytest.fixture
def carried():
    """All three travel, the body with the root bone."""
    root = make_motion([0.1, 0.2, 0.0], far=2.0)
    return CarriedBody(
        make_motion([0.5, 0.0, 0.3]),
        root,
        root.after(make_motion([0.1, 0.3, 0.9], far=0.5, turn=0.2)),
        TIMES,
    )


@pytest.mark.parametrize("use_even", [False, True])
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_goes_of_the_source_is_gone(carried, source, target, use_even):
    request = RootMotionRequest(source=source, target=target, use_even=use_even)
    handed = hand_travel(carried, request, source)
    assert handed.others is None
    left = {"object": handed.object, "root": handed.root, "body": handed.root}[source]
    if (source, target) != ("body", "root") and not (use_even and source == "root"):
        assert np.allclose(left.places[:, :2], left.rest[:2], atol=1e-12)
        assert np.allclose(find_headings(left.rotations), 0.0, atol=1e-12)
    if source != "object" and target == "root":
        assert handed.object is carried.object


def test_a_root_bone_under_the_body_is_upright_and_stays_on_the_ground(carried):
    request = RootMotionRequest(source="body", target="root", use_even=False)
    root = hand_travel(carried, request, "body").root
    assert np.array_equal(root.places[:, 2], carried.root.places[:, 2])
    assert np.allclose(root.rotations[:, 1:3], 0.0)
    under = carried.body.places - root.places
    # The head of the root bone keeps its place under the hips, seen along its heading.
    seen = rot.rotate(rot.conjugate(root.rotations), under)[:, :2]
    assert np.allclose(seen, [0.0, 0.1], atol=1e-12)


def test_object_and_root_bone_exchange_a_travel_without_a_rest(carried):
    still = CarriedBody(
        RigidMotion(np.zeros(3), np.zeros((25, 3)), np.tile(rot.IDENTITY, (25, 1))),
        carried.root,
        carried.body,
        TIMES,
    )
    request = RootMotionRequest(
        source="root", target="object", use_even=False, use_height=True, turn="all"
    )
    there = hand_travel(still, request, "root")
    assert np.allclose(there.root.places, there.root.rest)
    back = RootMotionRequest(
        source="object", target="root", use_even=False, use_height=True, turn="all"
    )
    again = hand_travel(CarriedBody(there.object, there.root, carried.body, TIMES), back, "object")
    assert np.allclose(again.root.places, carried.root.places)
    assert np.allclose(again.root.matrices, carried.root.matrices)


@pytest.mark.parametrize("source", CARRIERS)
def test_in_place_evenly_leaves_the_sway_and_closes_the_cycle(carried, source):
    request = RootMotionRequest(source=source, target="none")
    handed = hand_travel(carried, request, source)
    motion = carried.get(source)
    shown = motion if source == "object" else handed.others.after(motion)
    left = handed.object if source == "object" else shown
    assert np.allclose(left.places[0, :2], left.places[-1, :2], atol=0.02)
    assert np.ptp(left.places[:, :2], axis=0).min() > 0.02
    assert np.allclose(left.places[:, :2].mean(axis=0), motion.rest[:2], atol=1e-9)


@pytest.mark.parametrize("turn", [0.0, 1e-9, 0.3, -2.0, 4.0])
def test_the_even_motion_meets_both_ends_of_an_arc(turn):
    motion = make_motion([0.0, 0.0, 1.0], far=3.0, turn=turn)
    places, turns = even_out(motion.places, motion.rotations, TIMES, with_turn=True)
    step = find_headings(turns)
    assert (
        step[-1] - step[0]
        == pytest.approx(rot.wrap_angles(find_headings(motion.rotations)[-1]), abs=1e-9)
        or abs(turn) > np.pi
    )
    ways = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert np.ptp(ways) < 1e-9
    # What is left is the same at both ends, so that a cycle still closes.
    left = rot.rotate(rot.conjugate(turns), motion.places - places)
    assert np.allclose(left[0], left[-1], atol=1e-9)


def test_uneven_times_are_gone_through_at_one_speed():
    shares = np.array([0.0, 0.01, 0.5, 0.9, 1.0])
    places = np.stack([shares, 2.0 * shares, 0.0 * shares], -1)
    even, _ = even_out(places, np.tile(rot.IDENTITY, (5, 1)), shares, with_turn=True)
    assert np.allclose(even, places)


def test_a_walk_around_a_whole_circle_keeps_its_arc():
    angles = 2.0 * np.pi * TIMES
    places = np.stack([np.sin(angles), 1.0 - np.cos(angles), 0.0 * angles], -1)
    even, turns = even_out(places, rot.quaternions_from_yaws(angles), TIMES, with_turn=True)
    assert np.allclose(even, places, atol=1e-9)
    assert np.allclose(rot.angles_between(turns, rot.quaternions_from_yaws(angles)), 0.0, atol=1e-6)


def test_the_first_that_travels_is_found():
    still = RigidMotion(np.zeros(3), np.zeros((25, 3)), np.tile(rot.IDENTITY, (25, 1)))
    sway = make_motion([0.0, 0.0, 1.0], far=0.0, turn=0.0, sway=0.002)
    go = make_motion([0.0, 0.0, 1.0])
    request = RootMotionRequest(target="root")
    assert find_traveller(CarriedBody(still, None, go, TIMES), request, 1.0) == "body"
    assert find_traveller(CarriedBody(go, still, go, TIMES), request, 1.0) == "object"
    assert find_traveller(CarriedBody(still, go, sway, TIMES), request, 1.0) is None


@pytest.mark.parametrize(
    "values",
    [
        {"source": "root", "target": "root"},
        {"use_ground": False, "turn": "none"},
        {"turn": "sideways"},
        {"root_bone": ""},
    ],
)
def test_requests_refuse_what_makes_no_sense(values):
    with pytest.raises(SettingError):
        RootMotionRequest(**values)
