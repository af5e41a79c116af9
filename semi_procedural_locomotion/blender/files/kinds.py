# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of files: which can be read, and what a file holds whatever its name says."""

from __future__ import annotations

from pathlib import Path

from ...errors import FileError
from ...jobs.kinds import name_way

IMPORTED = (".glb", ".gltf", ".vrm", ".fbx", ".bvh")
"""Suffixes of files that come into a scene by one of Blender's importers."""

READ_AGAIN = "export it again from its program"
"""The cure of files that are broken."""

TAKE_AGAIN = "take another copy, or save it again in Blender"
"""The cure of .blend files that are broken."""

FBX_MAGIC = b"Kaydara FBX Binary"
GLB_MAGIC = b"glTF"

# How many bytes tell what a file is.
_HEAD_SIZE = 512
# And how many of a text are searched for words.
_TEXT_SIZE = 65536
_UNPACK = "unpack it and name the file inside"
_DOWNLOAD = "download the file itself"
_XML, _JSON = "an XML file, as servers send instead of a file", "JSON, as servers send for errors"
_HEADS: tuple[tuple[bytes, str], ...] = (
    (b"version https://git-lfs", "a pointer of Git LFS"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x1f\x8b", "packed by gzip"),
    (b"\xfd7zXZ\0", "packed by xz"),
    (b"BZh", "packed by bzip2"),
    (b"\x28\xb5\x2f\xfd", "packed by Zstandard"),
    (GLB_MAGIC, "a glTF file (.glb)"),
    (FBX_MAGIC, "an FBX file (.fbx)"),
    (b"BLENDER", "a Blender file (.blend)"),
    (b"HIERARCHY", "a BVH file (.bvh)"),
    (b"<?xml", _XML),
    (b"{", _JSON),
)
GLTF_SUFFIXES = {".glb", ".gltf", ".vrm"}
_HELD = {
    GLB_MAGIC: GLTF_SUFFIXES,
    FBX_MAGIC: {".fbx"},
    b"BLENDER": {".blend"},
    b"HIERARCHY": {".bvh"},
    b"{": GLTF_SUFFIXES,
}
# What text says that others begin alike.
_SPOKEN = (
    (_XML, b"<html", "a web page"),
    (_XML, b"<collada", "a Collada file (.dae)"),
    (_JSON, b'"asset"', "a glTF file (.gltf)"),
)
_CURES = {
    "a pointer of Git LFS": "fetch the file itself (git lfs pull)",
    "a web page": _DOWNLOAD,
    _XML: _DOWNLOAD,
    _JSON: _DOWNLOAD,
    "a ZIP archive": _UNPACK,
    "a 7z archive": _UNPACK,
    "a RAR archive": _UNPACK,
    "packed by gzip": _UNPACK,
    "packed by xz": _UNPACK,
    "packed by bzip2": _UNPACK,
    "packed by Zstandard": "unpack it, or rename it .blend if Blender saved it",
    "a Collada file (.dae)": name_way(Path("any.dae")),
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
    refuse_folder(path)
    if not path.is_file():
        raise FileError(f"{path} does not exist: check the path")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}): check its rights") from error
    check_content(path, content)
    return content


def refuse_folder(path: Path) -> None:
    """Raise FileError where a path is a folder."""
    if path.is_dir():
        raise FileError(f"{path} is a folder: name a file in it")


def check_content(path: Path, content: bytes) -> None:
    """Raise FileError where the first bytes of a file show that it is empty or something else."""
    head = content[:_HEAD_SIZE].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head.strip(b"\0"):
        cure = TAKE_AGAIN if path.suffix.lower() == ".blend" else READ_AGAIN
        raise FileError(f"{path} is empty: {cure}")
    for magic, what in _HEADS:
        if not head.lower().startswith(magic.lower()):
            continue
        if path.suffix.lower() in _HELD.get(magic, ()):
            return
        start = content[:_TEXT_SIZE].lower()
        said = (kind for group, word, kind in _SPOKEN if group == what and word in start)
        what = next(said, what)
        cure = _CURES.get(what, "rename it so, or name the right file")
        raise FileError(f"{path} is {what}: {cure}")
