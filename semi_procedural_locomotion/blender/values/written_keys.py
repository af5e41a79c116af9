# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys that a bake has written, kept on its action by what its bones were called then.

What an animator has keyed or changed since is found against them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import fields

import bpy
import numpy as np

from ...core.keys.tables import KeyTable, make_column
from .custom_keys import WRITTEN_KEY

ChannelKey = tuple[str, int]

# Frames of curves are alike and pack well; values are not and stay as they are.
_LEVEL = 1
_COLUMNS = tuple(field.name for field in fields(KeyTable))


def keep_written(
    action: bpy.types.Action,
    keys: Mapping[ChannelKey, np.ndarray],
    laid: Mapping[ChannelKey, KeyTable],
) -> None:
    """Keep on a bake action what was written.

    Parameters
    ----------
    action
        The action.
    keys
        Frames and values of its walks, float32, shape (K, 2), by curve.
    laid
        By curve, the keys beside walks, and those in them that are no plain straight ones.
    """
    tables = [np.asarray(table, dtype="<f4").reshape(-1, 2) for table in keys.values()]
    joined = np.concatenate(tables) if tables else np.empty((0, 2), dtype="<f4")
    columns = {
        name: _pack(*[getattr(table, name).ravel() for table in laid.values()]) for name in _COLUMNS
    }
    action[WRITTEN_KEY] = {
        "curves": _count(dict(zip(keys, tables, strict=True))),
        "frames": _pack(joined[:, 0]),
        "values": _pack(joined[:, 1]),
        "laid": {"curves": _count(laid), **columns},
    }


def read_written(action: bpy.types.Action) -> dict[ChannelKey, np.ndarray]:
    """Frames and values of a bake's walks; those of earlier versions have keys beside them, too.

    Empty for bakes of version 0.1.0, which do not tell.
    """
    if WRITTEN_KEY not in action:
        return {}
    kept = action[WRITTEN_KEY]
    columns = [np.frombuffer(zlib.decompress(kept[n]), "<f4") for n in ("frames", "values")]
    return _split(kept["curves"], np.stack(columns, axis=1))


def read_laid(action: bpy.types.Action) -> dict[ChannelKey, KeyTable]:
    """The keys that a bake has written beside its walks, and those in them that are no plain ones.

    Empty for bakes of earlier versions.
    """
    kept = action.get(WRITTEN_KEY, {}).get("laid")
    if kept is None:
        return {}
    columns = {}
    for name in _COLUMNS:
        empty = make_column(name, np.empty(0))
        flat = np.frombuffer(zlib.decompress(kept[name]), empty.dtype)
        columns[name] = _split(kept["curves"], make_column(name, flat))
    first = columns[_COLUMNS[0]]
    return {key: KeyTable(*(columns[name][key] for name in _COLUMNS)) for key in first}


def _pack(*columns: np.ndarray) -> bytes:
    """Columns one after the other, as few bytes."""
    return zlib.compress(np.concatenate([*columns]).tobytes() if columns else b"", _LEVEL)


def _count(tables: Mapping[ChannelKey, KeyTable | np.ndarray]) -> str:
    """How many keys each curve has, as text."""
    return json.dumps([[path, index, len(table)] for (path, index), table in tables.items()])


def _split(counted: str, joined: np.ndarray) -> dict[ChannelKey, np.ndarray]:
    """Rows of each curve."""
    counts = json.loads(counted)
    ends = np.cumsum([count for _, _, count in counts])[:-1]
    tables = np.split(joined, ends) if counts else []
    return {(path, i): table for (path, i, _), table in zip(counts, tables, strict=True)}
