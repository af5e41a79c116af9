# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender session that a verb runs in."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy


def ensure_registered() -> None:
    """Register the package, where no entry has registered it already."""
    if not hasattr(bpy.types.Object, "locomotion"):
        from .. import register

        register()


def find_worker_command() -> tuple[list[str], dict[str, str]]:
    """Command line that starts the program in another process of the kind that this one is.

    Returns
    -------
    command
        To be followed by a verb and its options.
    environment
        Variables to be added to the environment.
    """
    folder = Path(__file__).resolve().parent
    if bpy.app.binary_path:
        start = [bpy.app.binary_path, "-b", "--factory-startup", "--python", str(folder / "run.py")]
        return [*start, "--"], {}
    package = folder.parent
    return [sys.executable, "-m", package.name], {"PYTHONPATH": str(package.parent)}
