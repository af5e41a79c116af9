# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single components of properties, read and written by their data path."""

from __future__ import annotations

from typing import Any

import bpy

from .bake_record import ChannelKey


def read_component(armature: bpy.types.Object, key: ChannelKey) -> float | None:
    """One component of a property, None where its owner is gone."""
    path, index = key
    owner, name = _find_owner(armature, path)
    if owner is None:
        return None
    value = getattr(owner, name)
    return float(value) if isinstance(value, int | float) else float(value[index])


def write_component(armature: bpy.types.Object, key: ChannelKey, value: float) -> None:
    """Set one component of a property, if it still exists."""
    path, index = key
    owner, name = _find_owner(armature, path)
    if owner is None:
        return
    if isinstance(getattr(owner, name), int | float):
        setattr(owner, name, value)
    else:
        getattr(owner, name)[index] = value


def _find_owner(armature: bpy.types.Object, path: str) -> tuple[Any, str]:
    """What has the property at the end of a data path, None where it is gone, and its name."""
    owner_path, _, name = path.rpartition(".")
    try:
        return (armature.path_resolve(owner_path) if owner_path else armature), name
    except ValueError:  # its bone or constraint is gone
        return None, name
