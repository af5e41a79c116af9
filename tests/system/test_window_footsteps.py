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
