# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single components of properties, read and written by their data path."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import bpy

from .bake_record import ChannelKey

_CUSTOM = re.compile(r'\["(?:[^"\\]|\\.)*"\]$')
_COLLECTIONS = ("pose.bones", ".constraints")


def read_component(armature: bpy.types.Object, key: ChannelKey) -> float | None:
    """One component of a property, None where its owner is gone or it holds no number."""
    path, index = key
    _, _, value = _find_property(armature, path)
    if isinstance(value, int | float):
        return float(value)
    try:
        return None if value is None else float(value[index])
    except (TypeError, ValueError, IndexError):  # a text, a pointer, or fewer components by now
        return None


def write_component(armature: bpy.types.Object, key: ChannelKey, value: float) -> None:
    """Set one component of a property, if it still exists and may be set. Whole numbers stay whole."""
    path, index = key
    owner, name, present = _find_property(armature, path)
    if read_component(armature, key) is None:
        return
    single = present if isinstance(present, int | float) else present[index]
    # A file may name any property and any number.
    with suppress(AttributeError, ValueError, OverflowError):
        fitting = type(single)(round(value) if isinstance(single, int) else value)
        if not isinstance(present, int | float):
            present[index] = fitting
        elif name.startswith("["):
            owner[_unquote(name)] = fitting
        else:
            setattr(owner, name, fitting)


def is_whole(armature: bpy.types.Object, path: str) -> bool:
    """Whether a property holds whole numbers or choices."""
    _, _, value = _find_property(armature, path)
    return isinstance(value, int) or (hasattr(value, "__len__") and isinstance(value[0], int))


def _unquote(name: str) -> str:
    """Name of a custom property out of ``["name"]``."""
    return str(bpy.utils.unescape_identifier(name[2:-2]))


def _find_property(armature: bpy.types.Object, path: str) -> tuple[Any, str, Any]:
    """Owner, name and value of what is at the end of a data path; no value where it is gone.

    The name of a custom property is ``["name"]``.
    """
    custom = _CUSTOM.search(path)
    # In `pose.bones["x"]` the quotes hold the name of a bone.
    if custom is not None and not path[: custom.start()].endswith(_COLLECTIONS):
        owner_path, name = path[: custom.start()], custom.group()
    else:
        owner_path, _, name = path.rpartition(".")
    try:
        owner = armature.path_resolve(owner_path) if owner_path else armature
    except ValueError:  # its bone or constraint is gone
        return None, name, None
    if name.startswith("["):
        return owner, name, owner.get(_unquote(name))
    return owner, name, getattr(owner, name, None)
