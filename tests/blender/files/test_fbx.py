# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""FBX files that are not whole."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.files.kinds import check_fbx
from semi_procedural_locomotion.errors import FileError

PATH = Path("a.fbx")


def make_fbx(version, sizes=(40, 70)):
    """A file of empty sections."""
    content = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version)
    form = "<Q" if version >= 7500 else "<I"
    for size in sizes:
        end = struct.pack(form, len(content) + size)
        content += end + bytes(size - len(end))
    return content + bytes(25)


@pytest.mark.parametrize("version", [6100, 7400, 7500, 7700])
def test_whole_files_pass_and_cut_ones_end_early(version):
    content = make_fbx(version)
    assert not check_fbx(PATH, content)
    for size in (20, 25, 60, 100, len(content) - 25):
        with pytest.raises(FileError, match="ends early: take another copy"):
            check_fbx(PATH, content[:size])


def test_sections_that_end_before_they_begin_are_broken():
    content = bytearray(make_fbx(7400))
    content[27:31] = struct.pack("<I", 5)
    with pytest.raises(FileError, match="is broken"):
        check_fbx(PATH, bytes(content))


def test_text_is_told_and_others_are_no_fbx():
    assert check_fbx(PATH, b"\n; FBX 7.3.0 project file")
    with pytest.raises(FileError, match="no FBX file"):
        check_fbx(PATH, b"hello")
