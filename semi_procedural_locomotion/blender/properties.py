# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up data kept on armature objects."""

from __future__ import annotations


def register() -> None:
    """Add the properties to Blender's objects."""


def unregister() -> None:
    """Take them away."""
