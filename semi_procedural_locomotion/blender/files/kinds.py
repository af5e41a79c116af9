# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of files: which can be read, and what a file holds whatever its name says."""

from __future__ import annotations

from pathlib import Path

from ...errors import FileError
from ...jobs.kinds import name_way

IMPORTED = (".glb", ".gltf", ".fbx", ".bvh")
"""Suffixes of files that come into a scene by one of Blender's importers."""

READ_AGAIN = "export it again from its program"
"""The cure of files that are broken."""

FBX_MAGIC = b"Kaydara FBX Binary"
GLB_MAGIC = b"glTF"

# How many bytes tell what a file is.
_HEAD_SIZE = 512
_HEADS: tuple[tuple[bytes, str], ...] = (
    (b"version https://git-lfs", "a pointer of Git LFS"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (GLB_MAGIC, "a glTF file (.glb)"),
    (FBX_MAGIC, "an FBX file (.fbx)"),
    (b"BLENDER", "a Blender file (.blend)"),
)
_HELD = {GLB_MAGIC: {".glb", ".gltf"}, FBX_MAGIC: {".fbx"}, b"BLENDER": {".blend"}}
_CURES = {
    "a pointer of Git LFS": "fetch the file itself (git lfs pull)",
    "a web page": "download the file itself",
    "a ZIP archive": "unpack it and name the file inside",
    "a 7z archive": "unpack it and name the file inside",
    "a RAR archive": "unpack it and name the file inside",
}


def refuse_kind(path: Path) -> FileError:
    """The error of a file whose suffix is none that can be read, with what to do instead."""
    cure = name_way(path) or f"use one of .blend, {', '.join(IMPORTED)}"
    return FileError(f"{path} is of an unknown kind: {cure}")


def read_content(path: Path) -> bytes:
    """All bytes of a file that may be read.

    Raises
    ------
    FileError
        It is missing, empty or out of reach, or holds something else than its name says.
    """
    if not path.is_file():
        raise FileError(f"{path} does not exist: check the path")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}): check its rights") from error
    check_content(path, content)
    return content


def check_content(path: Path, content: bytes) -> None:
    """Raise FileError where the first bytes of a file show that it is empty or something else."""
    head = content[:_HEAD_SIZE].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head.strip(b"\0"):
        raise FileError(f"{path} is empty: {READ_AGAIN}")
    for magic, what in _HEADS:
        if not head.lower().startswith(magic.lower()):
            continue
        if path.suffix.lower() in _HELD.get(magic, ()):
            return
        cure = _CURES.get(what, "rename it so, or name the right file")
        raise FileError(f"{path} is {what}: {cure}")
