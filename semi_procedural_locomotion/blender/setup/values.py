# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The values of set-up properties as plain dictionaries, and changes of their lists.

On library overrides Blender lets nobody clear a list, or move and remove entries, as far as these
come from the library: `clear` does nothing, the others raise. Lists are therefore unset and made
anew there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import bpy

from ..values.schema import does_fit

Values = dict[str, Any]


def read_values(group: bpy.types.PropertyGroup, names: Iterable[str] | None = None) -> Values:
    """All that files hold of a property group, or some of it, by the names of its properties.

    Groups inside are dictionaries and lists of groups lists of such, arrays lists, data-blocks
    themselves.
    """
    values: Values = {}
    chosen = None if names is None else set(names)
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name == "rna_type" or prop.is_skip_save or (chosen is not None and name not in chosen):
            continue
        value = getattr(group, name)
        if prop.type == "COLLECTION":
            values[name] = [read_values(entry) for entry in value]
        elif isinstance(value, bpy.types.PropertyGroup):
            values[name] = read_values(value)
        else:
            values[name] = list(value) if getattr(prop, "is_array", False) else value
    return values


def write_values(group: bpy.types.PropertyGroup, values: Values) -> None:
    """Set those properties of a group that differ from what `read_values` gave.

    Properties and values that this version does not know, as from a file of a newer one, are left
    out.
    """
    for name, value in values.items():
        prop = group.bl_rna.properties.get(name)
        if prop is None or not does_fit(prop, value):
            continue
        if prop.type == "COLLECTION":
            write_entries(group, name, value)
        elif isinstance(getattr(group, name), bpy.types.PropertyGroup):
            write_values(getattr(group, name), value)
        else:
            present = getattr(group, name)
            if (list(present) if getattr(prop, "is_array", False) else present) != value:
                setattr(group, name, value)


def write_entries(group: bpy.types.PropertyGroup, name: str, entries: Sequence[Values]) -> None:
    """Make the list of this name hold these entries; one that holds them already stays."""
    kept = getattr(group, name)
    if [read_values(entry) for entry in kept] == list(entries):
        return
    clear_entries(group, name)
    for values in entries:
        write_values(kept.add(), values)


def clear_entries(group: bpy.types.PropertyGroup, name: str) -> None:
    """Empty the list of this name."""
    group.property_unset(name)


def remove_entry(group: bpy.types.PropertyGroup, name: str, number: int) -> None:
    """Take an entry off the list of this name."""
    entries = getattr(group, name)
    if group.id_data.override_library is None:
        entries.remove(number)
        return
    kept = [read_values(entry) for entry in entries]
    del kept[number]
    write_entries(group, name, kept)


def move_entry(group: bpy.types.PropertyGroup, name: str, number: int, place: int) -> None:
    """Move an entry of the list of this name to another place."""
    entries = getattr(group, name)
    if group.id_data.override_library is None:
        entries.move(number, place)
        return
    kept = [read_values(entry) for entry in entries]
    kept.insert(place, kept.pop(number))
    write_entries(group, name, kept)


class KeptValues:
    """Some properties of a group as they are now, to be put back.

    Parameters
    ----------
    group
        The group.
    names
        Names of its properties.
    """

    def __init__(self, group: bpy.types.PropertyGroup, names: Iterable[str]) -> None:
        self._group = group
        self._values = read_values(group, names)

    def put_back(self) -> None:
        """Give the group these values again."""
        write_values(self._group, self._values)
