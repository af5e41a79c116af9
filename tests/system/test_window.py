# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set Up, Bake Walk, Esc and undo in a real window on a screen of its own."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def test_a_user_sets_up_cancels_bakes_and_undoes(play_session):
    seen = play_session("window_session.py")
    assert seen.pop("text")
    assert seen == {
        "legs": 2,
        "cancelled": True,
        "baked": True,
        "idle": True,
        "undone": True,
        "redone": True,
    }
