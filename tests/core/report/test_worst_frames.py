# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The frame and the foot of each worst number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.report.series import WalkSeries
from semi_procedural_locomotion.core.report.worst_frames import (
    find_worst_places,
    note_differences,
)
from semi_procedural_locomotion.notes import NoteKind

FRAMES = np.arange(101, 111)
NAMES = ("Left", "Right")


@pytest.fixture
def series():
    """Ten frames of two feet that stand; frame 104 of the right one is worst in all."""
    table = np.zeros((10, 2))
    table[3, 1] = 0.5
    return WalkSeries(
        times=FRAMES / 24,
        heights=np.zeros((10, 2, 3)),
        lowest=np.zeros((10, 2)),
        contacts=np.ones((10, 2), bool),
        slides=table,
        depths=table,
        reaches=0.4 + table,
        misses=table,
        foot_turns=table[:-1],
        knee_speeds=table[:-1],
    )


def test_every_number_names_its_frame_and_foot(series):
    worst = find_worst_places(series, FRAMES, NAMES)
    assert set(worst) == {"reach", "foot_turn", "knee_speed", "slide", "miss", "sink"}
    assert {(place.frame, place.leg) for place in worst.values()} == {(104, "Right")}
    assert worst["slide"].value == 0.5
    assert worst["reach"].value == pytest.approx(0.9)


def test_depth_is_a_sink_in_contact_and_a_swing_else(series):
    flying = series.contacts.copy()
    flying[3, 1] = False
    worst = find_worst_places(replace(series, contacts=flying), FRAMES, NAMES)
    assert "sink" not in worst
    assert (worst["swing_depth"].frame, worst["swing_depth"].leg) == (104, "Right")


def test_float_is_over_known_ground_only(series):
    lowest = np.full((10, 2), np.nan)
    lowest[5, 0] = 0.2
    worst = find_worst_places(replace(series, lowest=lowest), FRAMES, NAMES)
    assert (worst["float"].frame, worst["float"].leg, worst["float"].value) == (106, "Left", 0.2)


def test_what_is_not_known_is_left_out(series):
    bare = replace(series, contacts=None, slides=None, misses=None)
    worst = find_worst_places(bare, FRAMES, NAMES)
    assert set(worst) == {"reach", "foot_turn", "knee_speed", "swing_depth"}


def make_differences():
    return [np.zeros((10, 3, 3)), np.zeros((10, 3, 3))]


def test_equal_keys_need_no_note():
    assert note_differences(make_differences(), FRAMES, NAMES) == []


def test_an_even_offset_is_off_the_plan_but_no_pop():
    differences = make_differences()
    differences[0][:, 1, 2] = 0.05
    (note,) = note_differences(differences, FRAMES, NAMES)
    assert (note.kind, note.leg, note.frame) == (NoteKind.KEYS_OFF_PLAN, "Left", 101)
    assert note.values["share"] == pytest.approx(0.05)


def test_a_pop_is_named_with_its_frames_and_foot():
    differences = make_differences()
    differences[1][4, 2, 0] = -0.04
    off, *pops = note_differences(differences, FRAMES, NAMES)
    assert (off.kind, off.leg, off.frame) == (NoteKind.KEYS_OFF_PLAN, "Right", 105)
    assert {(pop.kind, pop.leg) for pop in pops} == {(NoteKind.FOOT_POPS, "Right")}
    assert [(pop.frame, pop.values["next"]) for pop in pops] == [(104, 105), (105, 106)]
