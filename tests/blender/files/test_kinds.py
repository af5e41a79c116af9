# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What files are, whatever their names say."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.files.kinds import (
    check_blend,
    check_content,
    read_content,
    refuse_kind,
)
from semi_procedural_locomotion.errors import FileError


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\0" * 64, "is empty"),
        (b"version https://git-lfs.github.com/spec/v1\n", r"Git LFS: fetch .*\(git lfs pull\)"),
        (b"\n<!DOCTYPE html><html>", "is a web page: download"),
        (b"PK\x03\x04rest", "ZIP archive: unpack"),
        (b"glTF\x02\0\0\0", r"is a glTF file \(.glb\): rename"),
        (b"BLENDER-v405", r"is a Blender file \(.blend\): rename"),
        (b"HIERARCHY\nROOT", r"is a BVH file \(.bvh\): rename"),
        (gzip.compress(b"Kaydara"), "packed by gzip: unpack"),
        (lzma.compress(b"Kaydara"), "packed by xz: unpack"),
        (bz2.compress(b"Kaydara"), "packed by bzip2: unpack"),
        (b"\x28\xb5\x2f\xfdrest", "packed by Zstandard: unpack it, or rename it .blend"),
        (b'<?xml version="1.0"?><Error/>', "an XML file, as servers send .*: download"),
        (b'<?xml version="1.0"?>\n<html><body/></html>', "is a web page: download"),
        (b'<?xml version="1.0"?>\n<COLLADA version="1.4.1">', r"Collada file \(.dae\): open it"),
        (b'{"message": "Not Found"}', "JSON, as servers send for errors: download"),
        (b'{"asset": {"version": "2.0"}}', r"is a glTF file \(.gltf\): rename"),
    ],
)
def test_content_of_another_kind_is_named(content, message):
    with pytest.raises(FileError, match=message):
        check_content(Path("a.fbx"), content)


def test_folders_are_no_files(tmp_path):
    for name, check in (("a.glb", read_content), ("a.blend", check_blend)):
        (tmp_path / name).mkdir()
        with pytest.raises(FileError, match="is a folder: name a file in it"):
            check(tmp_path / name)


def test_content_of_its_kind_passes():
    check_content(Path("a.gltf"), b'{"asset": {"version": "2.0"}}')
    check_content(Path("a.vrm"), b"glTF\x02\0\0\0")
    check_content(Path("a.bvh"), b"HIERARCHY")
    check_content(Path("a.fbx"), b"Kaydara FBX Binary  \0\x1a\0")
    check_content(Path("a.fbx"), b"; FBX 7.4.0 project file")
    check_content(Path("a.GLTF"), b"glTF\x02\0\0\0")


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("a.obj", "open it in Blender .* and save a .blend"),
        ("a.USDZ", "open it in Blender .* and save a .blend"),
        ("a.zip", "unpack it"),
        ("a.max", "use one of .blend, .glb, .gltf, .vrm, .fbx, .bvh"),
    ],
)
def test_kinds_that_are_not_read_name_a_way(name, cure):
    with pytest.raises(FileError, match=f"unknown kind: {cure}"):
        raise refuse_kind(Path(name))


@pytest.mark.parametrize(
    ("content", "version"),
    [
        (b"BLENDER-v279REND", (2, 79)),
        (b"BLENDER_V405REND", (4, 5)),
        (b"BLENDER17-01v0501", (5, 1)),
        (gzip.compress(b"BLENDER-v282" + bytes(64)), (2, 82)),
        (b"\x28\xb5\x2f\xfdrest", None),
    ],
)
def test_headers_of_blend_files_tell_their_blender(tmp_path, content, version):
    path = tmp_path / "a.blend"
    path.write_bytes(content)
    assert check_blend(path) == version


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "does not exist"),
        (b"", "is empty: take another copy, or save it again in Blender"),
        (b"hello", "is no Blender file"),
        (b"PK\x03\x04", "ZIP archive"),
        (gzip.compress(b"BLENDER-v282" + bytes(64))[:12], "is broken|is empty"),
    ],
)
def test_files_that_are_no_blend_are_named(tmp_path, content, message):
    path = tmp_path / "a.blend"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError, match=message):
        check_blend(path)
