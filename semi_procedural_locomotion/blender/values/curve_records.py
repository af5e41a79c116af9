# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole curves as plain values: keys, choices, modifiers and group, to compare, keep and write again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields, replace
from typing import Any

import bpy
import numpy as np

from .. import versions
from .curve_modifiers import KeptModifier, read_modifiers, write_modifiers
from .key_tables import (
    KeyTable,
    hash_keys,
    join_key_tables,
    make_column,
    read_key_table,
    write_key_table,
)

_CHOICES = ("extrapolation", "auto_smoothing", "color_mode", "color", "lock", "mute", "hide")
# How hashes of whole curves begin; bakes of version 0.1.0 kept those of their keys alone.
_WHOLE = "c"


@dataclass(frozen=True)
class CurveRecord:
    """One curve as it was.

    Attributes
    ----------
    group
        Name of its channel group; empty without one.
    keys
        Its keys.
    choices
        Its other properties by name.
    modifiers
        Type, properties by name and envelope points of each of its modifiers.
    """

    group: str
    keys: KeyTable
    choices: dict[str, Any]
    modifiers: tuple[KeptModifier, ...]

    @classmethod
    def read(cls, curve: bpy.types.FCurve) -> CurveRecord:
        """Note a curve."""
        choices = {name: getattr(curve, name) for name in _CHOICES}
        choices["color"] = tuple(choices["color"])
        group = "" if curve.group is None else curve.group.name
        return cls(group, read_key_table(curve), choices, read_modifiers(curve))

    def write(
        self,
        bag: bpy.types.ActionChannelbag,
        path: str,
        index: int,
        target: bpy.types.FCurve | None = None,
    ) -> bpy.types.FCurve:
        """Make a curve of a slot what this one is; None for a new one."""
        if target is None:
            target = versions.add_curve(bag, path, index, self.group)
        for name, value in self.choices.items():
            setattr(target, name, value)
        write_modifiers(target, self.modifiers)
        # Last, for other changes make Blender compute handles anew.
        write_key_table(target, self.keys)
        return target

    def add_keys(self, keys: KeyTable) -> CurveRecord:
        """The curve with more keys, which come in place of those at the same frames."""
        others = self.keys.select(~np.isin(self.keys.frames, keys.frames))
        return replace(self, keys=join_key_tables(others, keys))

    def encode(self) -> str:
        """The curve as text."""
        return json.dumps([self.group, _list_columns(self.keys), self.choices, self.modifiers])

    @classmethod
    def decode(cls, text: str) -> CurveRecord:
        """Inverse of `encode`."""
        group, keys, choices, modifiers = json.loads(text)
        kept = tuple((kind, values, points) for kind, values, points in modifiers)
        return cls(group, _join_columns(keys), choices, kept)


def encode_keys(table: KeyTable) -> str:
    """Keys as text."""
    return json.dumps(_list_columns(table))


def decode_keys(text: str) -> KeyTable:
    """Inverse of `encode_keys`."""
    return _join_columns(json.loads(text))


def _list_columns(table: KeyTable) -> list[list[float]]:
    """Keys as plain numbers."""
    return [getattr(table, field.name).ravel().tolist() for field in fields(table)]


def _join_columns(columns: list[list[float]]) -> KeyTable:
    """Inverse of `_list_columns`."""
    # Records of earlier versions have no swings of eased keys.
    columns = columns + [[0.0] * len(columns[-1])] * (len(fields(KeyTable)) - len(columns))
    named = zip(fields(KeyTable), columns, strict=True)
    return KeyTable(*(make_column(field.name, np.array(values)) for field, values in named))


def hash_curve(curve: bpy.types.FCurve) -> str:
    """A short text that changes when anything of a curve does but its colour and selection."""
    record = CurveRecord.read(curve)
    shown = [record.choices[name] for name in ("extrapolation", "auto_smoothing", "mute", "lock")]
    modifiers = [
        (k, {n: v for n, v in values.items() if n != "active"}, p)
        for k, values, p in record.modifiers
    ]
    digest = hashlib.blake2b(repr((record.group, shown, modifiers)).encode(), digest_size=8)
    # As earlier versions have hashed them.
    for field in fields(record.keys)[:8]:
        digest.update(getattr(record.keys, field.name).tobytes())
    return _WHOLE + digest.hexdigest()


def is_curve_as_hashed(curve: bpy.types.FCurve, kept: str) -> bool:
    """Whether a curve is that which a hash was made of, by `hash_curve` or of its keys alone."""
    return kept == (
        hash_curve(curve)
        if kept.startswith(_WHOLE) and len(kept) == 17
        else hash_keys(read_key_table(curve))
    )
