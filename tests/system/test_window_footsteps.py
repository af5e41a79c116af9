# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps placed, removed, undone and walked on in a real window on a screen of its own."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def test_a_user_clicks_steps_up_the_stairs_and_bakes(play_session):
    seen = play_session("footstep_session.py")
    assert seen["placed"] == 8
    assert all(abs(a - b) < 1e-3 for a, b in zip(seen["heights"], seen["treads"], strict=True))
    assert seen["off_target"] < 0.03
    assert seen["sides"][::2] == seen["sides"][:1] * 4
    assert seen["sides"][1::2] == seen["sides"][1:2] * 4
    assert seen["after_backspace"] == 7
    assert seen["after_undo"] == 8
    assert seen["dragged"]
    assert seen["after_keep"] == 9
    assert seen["ended"]
    assert seen["undone_one_by_one"] == [8, 7, 8]
    assert seen["edited"] == 7
    assert seen["undone"]
    assert seen["lost"] == 0
    assert seen["misses"] < 0.02


# Bars of the numbers for level ground; lengths are shares of the leg. A walk along
# clicked footsteps is not at native speed, which is what the knees' 1.15 is for.
STUDY = {
    "feet_slide_worst": 0.005,
    "feet_sink_worst": 0.006,
    "shown_float_p99": 0.015,
    "shown_swing_depth_worst": 0.018,
    "shown_knee_speed_ratio": 1.15,
}


def test_a_person_without_a_clip_walks_ten_clicked_steps(play_session):
    seen = play_session("made_walk_session.py")
    assert seen["made"] == ["FINISHED"]
    # The sole is shown before the first click, and only shown.
    apart = [a - b for a, b in zip(seen["hovered"], seen["hovered_at"], strict=True)]
    assert max(map(abs, apart)) < 0.03
    assert seen["placed_by_hovering"] == 0
    assert seen["scenes"] == 1
    assert seen["placed"] == 10
    assert seen["after_two_x"] == 10
    assert seen["ended"]
    # Moving the character by hand takes its footsteps along, undo and Esc bring both back.
    assert seen["moved"] > 0.3
    for end in ("LEFTMOUSE", "ESC"):
        assert seen[f"moving until {end}"]
        assert seen[f"off after {end}"] < 1e-3
    assert seen["undone together"]
    assert seen["back after ESC"]
    assert seen["lost"] == 0
    over = {key: seen["report"][key] for key, most in STUDY.items() if seen["report"][key] > most}
    assert not over, seen["warnings"]
