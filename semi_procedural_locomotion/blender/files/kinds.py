# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of files: which can be read, and what a file holds whatever its name says."""

from __future__ import annotations

import gzip
import re
import struct
import zlib
from pathlib import Path
from typing import BinaryIO

from ...errors import FileError
from ...jobs.tables import name_way

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

    Raises FileError: it is missing, empty or out of reach, or holds something else than its name says.
    """
    _refuse_folder(path)
    if not path.is_file():
        raise FileError(f"{path} does not exist: check the path")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}): check its rights") from error
    check_content(path, content)
    return content


def _refuse_folder(path: Path) -> None:
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


# Text FBX files begin with a comment or their first section.
_TEXT = (b";", b"FBXHeaderExtension")
_VERSION = struct.Struct("<I")
# Behind the magic there are 4 bytes, then the version, then the sections.
_VERSION_PLACE = len(FBX_MAGIC) + 5
# Each section begins with the place of its end, which is 0 behind the last one.
_END, _LONG_END = struct.Struct("<I"), struct.Struct("<Q")
_LONG_VERSION = 7500


def check_fbx(path: Path, content: bytes) -> bool:
    """Whether an FBX file is one of text.

    Raises FileError: it is no FBX file, or its end is missing.

    Parameters
    ----------
    content
        Its bytes.
    """
    if content.lstrip().startswith(_TEXT):
        return True
    if not content.startswith(FBX_MAGIC):
        raise FileError(f"{path} is broken or no FBX file: {READ_AGAIN}")
    early = FileError(f"{path} ends early: take another copy, or {READ_AGAIN}")
    place = _VERSION_PLACE + _VERSION.size
    if len(content) < place:
        raise early
    (version,) = _VERSION.unpack_from(content, _VERSION_PLACE)
    form = _LONG_END if version >= _LONG_VERSION else _END
    while place + form.size <= len(content):
        (end,) = form.unpack_from(content, place)
        if end == 0:
            return False
        if end > len(content):
            raise early
        if end <= place:
            raise FileError(f"{path} is broken: take another copy, or {READ_AGAIN}")
        place = end
    raise early


# Compressed by Blender 3.0 and later, and by those before.
_ZSTD_MAGIC, _GZIP_MAGIC = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"
_HEADER_SIZE = 32
# Compressed files end in a table of their frames' sizes: two words of its own, an entry for each
# frame, and how many there are, a byte of flags and the magic word.
_TABLE_MAGIC, _SEEK_MAGIC = 0x184D2A5E, 0x8F92EAB1
_TABLE_HEAD, _TABLE_FOOT = struct.Struct("<II"), struct.Struct("<IBI")
_HAS_CHECKSUMS = 0x80
# The last block of files that are not compressed, of 24 bytes up to 4.5 and of 32 from 5.0 on, whose
# header has no dash or underscore here.
_LAST_BLOCK, _LAST_SIZES, _OLD_SIGNS = b"ENDB", (24, 32), b"-_"
# "BLENDER-v405" up to 4.5; "BLENDER17-01v0500" from 5.0 on.
_HEADER = re.compile(rb"BLENDER(?:[-_][vV](\d)(\d\d)|\d\d-\d\d[vV](\d\d)(\d\d))")


def check_blend(path: Path) -> tuple[int, int] | None:
    """Version of the Blender that wrote a .blend, None where compression hides it.

    Raises FileError: it is missing, empty, or no .blend file.
    """
    _refuse_folder(path)
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_SIZE)
    except FileNotFoundError as error:
        raise FileError(f"{path} does not exist: check the path") from error
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}): check its rights") from error
    if head.startswith(_ZSTD_MAGIC):
        return None
    if head.startswith(_GZIP_MAGIC):
        try:
            with gzip.open(path) as packed:
                head = packed.read(_HEADER_SIZE)
        except (OSError, EOFError, zlib.error) as error:
            raise FileError(f"{path} is broken: take another copy of it") from error
    check_content(path, head)
    found = _HEADER.match(head)
    if found is None:
        raise FileError(f"{path} is no Blender file: {TAKE_AGAIN}")
    major, minor = (int(part) for part in found.groups() if part is not None)
    return major, minor


def is_whole(path: Path) -> bool:
    """Whether all of a .blend of Blender 3.0 or later is there, by its end and the sizes in it.

    A disk that is full cuts the end off, or leaves a gap in a compressed file, of which Blender
    says nothing when it saves. A file that cannot be read is not whole.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_SIZE)
            size = file.seek(0, 2)
            if head.startswith(_ZSTD_MAGIC):
                return _has_all_frames(file, size)
            last = _LAST_SIZES[0 if head[7:8] in _OLD_SIGNS else 1]
            file.seek(max(size - last, 0))
            return _HEADER.match(head) is not None and file.read().startswith(_LAST_BLOCK)
    except OSError:
        return False


def _has_all_frames(file: BinaryIO, size: int) -> bool:
    """Whether the frames of a compressed file and their table are as long as the table says."""
    if size < _TABLE_FOOT.size:
        return False
    file.seek(size - _TABLE_FOOT.size)
    count, flags, magic = _TABLE_FOOT.unpack(file.read(_TABLE_FOOT.size))
    entry = struct.Struct("<III" if flags & _HAS_CHECKSUMS else "<II")
    table = count * entry.size + _TABLE_FOOT.size
    start = size - table - _TABLE_HEAD.size
    if magic != _SEEK_MAGIC or start < 0:
        return False
    file.seek(start)
    head = _TABLE_HEAD.unpack(file.read(_TABLE_HEAD.size))
    frames = entry.iter_unpack(file.read(count * entry.size))
    return head == (_TABLE_MAGIC, table) and sum(frame[0] for frame in frames) == start
