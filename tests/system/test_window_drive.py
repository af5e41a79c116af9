# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character is steered by keys in a real window on a screen of its own."""

from __future__ import annotations

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
