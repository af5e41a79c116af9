# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers and ends of .blend files: the Blender that wrote them, and whether they are whole."""

from __future__ import annotations

import gzip
import re
import struct
import zlib
from pathlib import Path
from typing import BinaryIO

from ...errors import FileError
from .kinds import TAKE_AGAIN, check_content, refuse_folder

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

    Raises
    ------
    FileError
        It is missing, empty, or no .blend file.
    """
    refuse_folder(path)
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
