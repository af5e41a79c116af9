# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Live and the overlay in a real window on a screen of its own."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def test_a_walk_is_shown_live_and_follows_changes(play_session):
    assert play_session("live_session.py") == {
        "moves": True,
        "plans while playing": 0,
        "plans after a setting": 1,
        "ground followed": -1.0,
        "undo followed": 0.0,
        "given back": True,
        "watched": 0,
    }
