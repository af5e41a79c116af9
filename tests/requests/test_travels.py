# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources of travel: fields of their own, refused out of range."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import get_args

import numpy as np
import pytest

from semi_procedural_locomotion.errors import SettingError
from semi_procedural_locomotion.requests.plans import PlanRequest
from semi_procedural_locomotion.requests.settings.travels import STRAIGHT, TRAVEL
from semi_procedural_locomotion.requests.travels import (
    KINDS,
    AlongCurve,
    AlongFootsteps,
    AlongPoints,
    AsBone,
    AsObject,
    SpeedKeys,
    StraightAhead,
    TravelSource,
    find_kind,
)


def test_every_source_has_a_kind_with_names_of_its_own():
    assert {kind.record for kind in KINDS} == set(get_args(TravelSource))
    for name in ("key", "identifier", "label", "description"):
        assert len({getattr(kind, name) for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        assert find_kind(kind.record()) is kind


def test_sources_have_their_own_fields_alone():
    names = {kind.key: {field.name for field in fields(kind.record)} for kind in KINDS}
    assert names["animation"] == set()
    assert names["bone"] == {"bone"}
    assert names["footsteps"] == {"speed", "use_speed_keys"}
    assert names["straight"] == {
        *(*names["footsteps"], *STRAIGHT, "ease", "keep_clear", "slow_climbs"),
        *("jump_gaps", "longest_jump"),
    }
    assert names["curve"] == {*TRAVEL, "use_speed_keys", "curve"}
    assert names["path"] == {*TRAVEL, "use_speed_keys", "points", "space"}
    with pytest.raises(TypeError, match="rounds"):
        StraightAhead(rounds=2.0)


def test_defaults_are_those_of_the_table():
    path = AlongPoints()
    assert {name: getattr(path, name) for name in TRAVEL} == {
        name: setting.default for name, setting in TRAVEL.items()
    }


def test_walks_straight_ahead_are_pieces_of_longer_ones():
    assert (StraightAhead().start, StraightAhead().stop) == ("moving", "moving")


def test_records_are_frozen_and_compare_by_value():
    assert AlongCurve("Ring", speed=1.0) == AlongCurve("Ring", speed=1.0)
    assert AlongFootsteps() != StraightAhead()
    with pytest.raises(FrozenInstanceError):
        AsBone("root").bone = "hips"
    assert hash(AsObject()) == hash(AsObject())


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"speed": -1.0}, "speed must be a number from 0 to 100000 metres a second, got -1.0"),
        ({"speed": float("nan")}, "speed must be a number"),
        ({"speed": "fast"}, "got 'fast'"),
        ({"ease": 1e9}, "ease must be a number from 0 to 3600 seconds"),
        ({"rounds": 1001}, "rounds must be a number from 0 to 1000, got 1001"),
        ({"rounds": None}, "got None"),
        ({"heading": "left"}, 'heading must be "along" or "kept"'),
        ({"start": True}, 'start must be "stand" or "moving", got True'),
        ({"points": ((0, 0), (1,))}, r"points\[1\] must be x and y, got \(1,\)"),
        ({"points": (3,)}, r"points\[0\] must be x and y, got 3"),
        ({"points": ((0, float("inf")),)}, r"points\[0\] must be a number from -1000000 to"),
    ],
)
def test_values_out_of_range_are_refused(values, words):
    with pytest.raises(SettingError, match=words):
        AlongPoints(**values)


def test_points_may_be_rows_of_numpy():
    assert len(AlongPoints(tuple(np.zeros((3, 2)))).points) == 3


@pytest.mark.parametrize(
    ("times", "speeds", "words"),
    [
        ((), (), "rising times"),
        ((0.0, 0.0), (1.0, 1.0), "rising times"),
        ((0.0, 1.0), (1.0,), "a speed at each"),
        ((0.0, "b"), (1.0, 1.0), "time must be a number"),
        ((0.0, 1.0), (1.0, None), "speed must be a number"),
        ((0.0, 1.0), (1.0, float("inf")), "speed must be a number"),
    ],
)
def test_keys_of_speeds_rise(times, speeds, words):
    with pytest.raises(SettingError, match=words):
        SpeedKeys(times, speeds)


def test_a_speed_may_have_keys():
    keys = SpeedKeys((0.0, 2.0), (1.0, 0.0))
    assert StraightAhead(speed=keys).speed is keys


@pytest.mark.parametrize("frames", [(1, 2.5), (1, float("inf")), ("a", 3), (1, 2**40)])
def test_frames_of_plans_are_whole_and_known_to_blender(frames):
    with pytest.raises(SettingError, match=r"frame_.* must be a whole number from -1048574 to"):
        PlanRequest(frames=frames)
    assert PlanRequest(frames=(1, 10)).frames == (1, 10)
    with pytest.raises(SettingError, match="frames must be a first and a last frame, got"):
        PlanRequest(frames=(1, 2, 3))
