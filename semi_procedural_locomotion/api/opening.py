# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files opened and saved without a window."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..blender.reading.importing import import_file
from ..errors import FileError


def open_empty() -> None:
    """Start with an empty file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def open_blend(path: Path) -> None:
    """Open a .blend file without its window layout and scripts."""
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else "it is broken"
        # Blender says twice that it failed, before it says why.
        _, _, reason = f" failed: {reason}".rpartition(" failed: ")
        raise FileError(f"{path.name} cannot be opened: {reason}") from error


def open_file(path: Path) -> bool:
    """Open a .blend, or bring another file into an empty one; whether it was imported."""
    if path.suffix.lower() == ".blend":
        open_blend(path)
        return False
    open_empty()
    import_file(path)
    return True


def save_file(output: Path) -> None:
    """Save the open file elsewhere."""
    try:
        bpy.ops.wm.save_as_mainfile(
            filepath=str(output), copy=True, check_existing=False, compress=True
        )
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else "unknown reason"
        raise FileError(f"{output} cannot be written: {reason}") from error
