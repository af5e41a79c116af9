# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The version in the extension's manifest."""

from __future__ import annotations

import tomllib
from pathlib import Path


def read_version() -> str:
    """The version in the extension's manifest, which lies beside the package."""
    manifest = Path(__file__).resolve().parents[2] / "blender_manifest.toml"
    try:
        return str(tomllib.loads(manifest.read_text(encoding="utf-8"))["version"])
    except OSError:
        return "of unknown version"
