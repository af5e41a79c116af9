# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmarks' meter on walks whose truth is known, and numbers held against kept ones."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks import golden_pages, golden_records
from benchmarks.bars import BARS, count_beyond
from benchmarks.seen import measure_pace, measure_shown
from tools.compatibility.courses import make_course

_FPS, _PERIOD, _FRAMES, _STRIDE = 24.0, 24, 96, 0.8
_LENGTH = 1.0


def make_walk(skate=0.0, sink=0.0, lag=None):
    """Feet (four vertices each) that stand for 0.6 of a cycle, legs of two bones, hips that go on evenly.

    Planted feet go on by ``skate`` of the walk's speed and stand ``sink`` deep; ``lag`` stops the hips
    for that frame.
    """
    frames = np.arange(_FRAMES)
    hips = frames * _STRIDE / _PERIOD
    if lag is not None:
        hips[lag] = hips[lag - 1]
    corners = np.array([[-0.1, -0.05, 0], [-0.1, 0.05, 0], [0.15, -0.05, 0], [0.15, 0.05, 0]])
    feet, bones = {}, np.zeros((_FRAMES, 6, 2, 3))
    for leg, name in enumerate(("left", "right")):
        cycles = frames / _PERIOD + 0.5 * leg
        number, share = np.floor(cycles), cycles % 1.0
        flight = np.clip((share - 0.6) / 0.4, 0.0, 1.0)
        planted = np.minimum(share, 0.6) / 0.6
        x = (number - 0.5 * leg + flight) * _STRIDE + 0.3 * _STRIDE
        x += skate * 0.6 * _STRIDE * planted * (flight == 0.0)
        z = np.where(flight > 0.0, 0.15 * np.sin(np.pi * flight), -sink)
        ankle = np.stack([x, np.full(_FRAMES, 0.1 - 0.2 * leg), z], axis=1)
        feet[name] = ankle[:, None] + corners
        hip = np.stack([hips, ankle[:, 1], np.full(_FRAMES, 0.9)], axis=1)
        knee = 0.5 * (hip + ankle) + [0.1, 0.0, 0.0]
        for bone, place in enumerate((hip, knee, ankle)):
            bones[:, 3 * leg + bone, 0] = place
    return feet, bones, [np.array([0, 1, 2]), np.array([3, 4, 5])]


def measure(walk, source=None):
    """Numbers of a walk on flat ground."""
    feet, bones, joints = walk
    clip = measure_pace(*(source or make_walk()))
    above = make_course("flat", _LENGTH).measure_clearances
    return measure_shown(feet, bones, joints, above, clip, _LENGTH, _FPS)


def test_a_sound_walk_is_within_every_bar():
    numbers = measure(make_walk())
    assert count_beyond(numbers, "flat", numbers) == 0
    assert numbers["way"] == pytest.approx(1.0)
    assert numbers["jerk"] == pytest.approx(1.0)


def test_feet_that_skate_slip_by_their_way():
    numbers = measure(make_walk(skate=0.2))
    # The first and last frame of a contact do not count, and half of its bearing points lie behind.
    assert 0.06 < numbers["slip"] < 0.2 * 0.6 * _STRIDE
    assert numbers["near"] == pytest.approx(0.2, abs=0.02)


def test_feet_that_skate_too_fast_for_a_contact_are_told_by_their_speed():
    numbers = measure(make_walk(skate=0.8))
    assert numbers["near"] > 0.7


def test_depth_is_told_where_feet_stand():
    numbers = measure(make_walk(sink=0.03))
    assert numbers["sunk"] == pytest.approx(0.03)
    assert numbers["float"] == 0.0


def test_hips_that_stop_for_a_frame_surge_and_jerk():
    numbers = measure(make_walk(lag=40))
    assert numbers["surge"] == pytest.approx(1.0, abs=0.05)


def test_bars_of_stairs_and_slopes_differ():
    knee = next(bar for bar in BARS if bar.key == "knee")
    assert [knee.find(g) for g in ("flat", "ramp", "stairs")] == [1.15, 1.8, 2.0]


def test_changes_beyond_their_tolerance_are_told_with_their_direction():
    before = {"a": {"slip": 0.01, "knee": 2.0, "missed": 0, "near": None}, "gone": {"slip": 0.0}}
    after = {"a": {"slip": 0.02, "knee": 1.5, "missed": 1, "near": None}, "new": {"slip": 1.0}}
    changes = golden_records.compare(before, after)
    assert [(c.key, c.is_worse) for c in changes] == [("slip", True), ("knee", False)]


def test_a_number_that_is_no_longer_known_is_worse():
    changes = golden_records.compare({"a": {"near": 0.1}}, {"a": {"near": None}})
    assert [c.is_worse for c in changes] == [True]


def test_kept_numbers_stay_where_only_some_cases_are_written(tmp_path):
    path = tmp_path / "golden.json"
    golden_records.write_stored({"a": {"slip": 0.123456}, "b": {"slip": None}}, path)
    golden_records.write_stored({"b": {"slip": 0.5}}, path)
    assert golden_records.read_stored(path) == {"a": {"slip": 0.1235}, "b": {"slip": 0.5}}


def test_a_page_shows_both_trees(tmp_path):
    for label, slip in (("old", 0.001), ("new", 0.1)):
        (tmp_path / label).mkdir()
        entry = {"case": "a/flat/native", "numbers": {"slip": slip}, "series": {"hips": [0, slip]}}
        (tmp_path / label / "a.json").write_text(json.dumps(entry), encoding="utf-8")
    text = golden_pages.write_page(tmp_path, "old", "new").read_text(encoding="utf-8")
    assert "slip 0.001 -&gt; 0.1 (worse)" in text
    assert text.count("<polyline") == 2
    assert "old/a_flat_native.png" in text


def test_every_number_has_a_tolerance():
    told = set().union(*golden_records.read_stored().values())
    # The ablation alone tells how near feet come to each other, and what else is in the ground.
    assert told | {"crowd", "cut"} == set(golden_records.TOLERANCES)
    assert {bar.key for bar in BARS} < told
