# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character is steered by keys in a real window on a screen of its own."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")


def test_a_user_steers_over_stairs_cancels_bakes_and_undoes(play_session):
    seen = play_session("drive_session.py")
    assert seen["driving"]
    assert seen["hidden"]
    assert seen["moved"] > 0.2
    assert seen["esc"]
    assert seen["failed"]
    assert seen["source"] == "OBJECT"
    assert seen["baked"]
    assert seen["way"] > 2.0
    assert seen["undone"]


def test_ten_seconds_are_steered_over_the_stairs_of_the_demo(play_session):
    """However slowly the window is drawn: turns, side steps, a crouch, a run and a stop, up and down."""
    seen = play_session("demo_drive_session.py")
    assert seen["driven"] >= 11.0
    across, along, up = seen["travelled"]
    assert across < 1.5
    assert along > 6.0
    assert up == pytest.approx(0.96, abs=0.01)
    assert seen["crouched"] == 1.0
    assert seen["frames"][1] - seen["frames"][0] >= 24 * 11
    assert seen["steps"] > 15
    assert len(seen["off"]) > 15
    assert np.median(seen["off"]) < 0.5
    assert seen["told"]["shown_slip_worst"] < 0.02
