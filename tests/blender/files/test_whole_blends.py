# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Saved .blend files that are whole, and those that lack something."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.files.kinds import is_whole


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A file of several compressed frames, and the same without compression."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for _ in range(2):
        bpy.ops.mesh.primitive_uv_sphere_add(segments=128, ring_count=128)
    folder = tmp_path_factory.mktemp("blends")
    paths = {compress: folder / f"{compress}.blend" for compress in (True, False)}
    for compress, path in paths.items():
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, compress=compress)
    return {compress: path.read_bytes() for compress, path in paths.items()}


@pytest.mark.parametrize("compress", [True, False])
def test_what_blender_saves_is_whole(saved, compress, tmp_path):
    path = tmp_path / "a.blend"
    path.write_bytes(saved[compress])
    assert is_whole(path)
    for cut in (1, 8, 24, 100, 5000, len(saved[compress]) // 2):
        path.write_bytes(saved[compress][:-cut])
        assert not is_whole(path), cut
    path.write_bytes(b"")
    assert not is_whole(path)
    assert not is_whole(tmp_path / "none.blend")


def test_a_gap_within_is_noticed(saved, tmp_path):
    path = tmp_path / "a.blend"
    content = saved[True]
    middle = len(content) // 2
    path.write_bytes(content[:middle] + content[middle + 300 :])
    assert not is_whole(path)
