# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""FBX files: whether one is whole, before Blender's importers see it."""

from __future__ import annotations

import struct
from pathlib import Path

from ...errors import FileError
from .kinds import FBX_MAGIC, READ_AGAIN

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

    Parameters
    ----------
    path
        The file.
    content
        Its bytes.

    Raises
    ------
    FileError
        It is no FBX file, or its end is missing.
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
