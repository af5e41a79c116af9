# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of .blend files, which tell the Blender that wrote them."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

from ...errors import FileError
from .kinds import TAKE_AGAIN, check_content, refuse_folder

# Compressed by Blender 3.0 and later, and by those before.
_ZSTD_MAGIC, _GZIP_MAGIC = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"
_HEADER_SIZE = 32
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
