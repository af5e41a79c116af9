# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of files that are not read themselves, and the way to what they hold."""

from __future__ import annotations

from pathlib import Path

# What Blender itself opens, so that it can save a .blend.
_BY_BLENDER = {
    ".abc": "Alembic",
    ".dae": "Collada, before 5.0",
    ".obj": "OBJ",
    ".ply": "PLY",
    ".stl": "STL",
    ".usd": "USD",
    ".usda": "USD",
    ".usdc": "USD",
    ".usdz": "USD",
}
_PACKED = (".zip", ".7z", ".rar", ".gz", ".xz", ".bz2", ".zst", ".tar", ".tgz", ".unitypackage")


def name_way(path: Path) -> str:
    """What to do with a file of a kind that is not read; empty where nothing is known of it."""
    suffix = path.suffix.lower()
    if suffix in _BY_BLENDER:
        return f"open it in Blender (File > Import > {_BY_BLENDER[suffix]}) and save a .blend"
    return "unpack it and name the file inside" if suffix in _PACKED else ""
