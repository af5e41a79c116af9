# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files are dropped into a real window on a screen of its own."""

from __future__ import annotations

import pytest

pytest.importorskip("bpy")


def test_dropped_files_of_each_format_become_characters_that_are_set_up(play_session):
    seen = play_session("drop_session.py")
    assert list(seen) == [".glb", ".gltf", ".fbx", ".bvh"]
    assert [found["legs"] for found in seen.values()] == [2, 4, 6, 2]
    assert [found["meshes"] for found in seen.values()] == [1, 1, 1, 0]
    assert all(len(found["motions"]) == 1 for found in seen.values())
