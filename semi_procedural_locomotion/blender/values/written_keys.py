# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys that a bake has written, kept on its action by what its bones were called then.

What an animator has keyed or changed since is found against them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import bpy
import numpy as np

from ...core.keys.tables import COLUMNS, FIELDS, KeyTable, make_column
from .custom_keys import WRITTEN_KEY
from .schema import check_keys, find_kept

ChannelKey = tuple[str, int]
# Data path and index of a curve, and how many keys of it are kept.
_Count = tuple[str, int, int]

# Frames of curves are alike and pack well; values are not and stay as they are.
_LEVEL = 1


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
        name: _pack(*[getattr(table, name).ravel() for table in laid.values()]) for name in FIELDS
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
    return find_kept(action, WRITTEN_KEY, _unpack_written) or {}


def _unpack_written(kept: Mapping[str, Any]) -> dict[ChannelKey, np.ndarray]:
    """Rows by curve as `keep_written` has packed them."""
    counts = kept["curves"]
    columns = [_unpack(kept[name], counts, np.float32, 1) for name in ("frames", "values")]
    return _split(counts, np.stack(columns, axis=1))


def read_laid(action: bpy.types.Action) -> dict[ChannelKey, KeyTable]:
    """The keys that a bake has written beside its walks, and those in them that are no plain ones.

    Empty for bakes of earlier versions.
    """
    return find_kept(action, WRITTEN_KEY, _unpack_laid) or {}


def _unpack_laid(written: Mapping[str, Any]) -> dict[ChannelKey, KeyTable]:
    """Tables by curve as `keep_written` has packed them."""
    if "laid" not in written:
        return {}
    kept = written["laid"]
    counts = kept["curves"]
    columns = [
        _split(counts, make_column(name, _unpack(kept[name], counts, kind, size)))
        for name, kind, size in COLUMNS
    ]
    return {key: check_keys(KeyTable(*(c[key] for c in columns))) for key in columns[0]}


def _pack(*columns: np.ndarray) -> bytes:
    """Columns one after the other, as few bytes."""
    return zlib.compress(np.concatenate([*columns]).tobytes() if columns else b"", _LEVEL)


def _unpack(
    packed: bytes, counts: Sequence[_Count], kind: type[np.generic], size: int
) -> np.ndarray:
    """Inverse of `_pack` of columns that have so many numbers a key, flat."""
    number = size * sum(count for _, _, count in counts)
    # Text that is packed well may be any number of times as long; 0 would be no limit.
    most = number * np.dtype(kind).itemsize + 1
    return np.frombuffer(zlib.decompressobj().decompress(packed, most), kind, number)


def _count(tables: Mapping[ChannelKey, KeyTable | np.ndarray]) -> str:
    """How many keys each curve has, as text."""
    return json.dumps([[path, index, len(table)] for (path, index), table in tables.items()])


def _split(counts: Sequence[_Count], joined: np.ndarray) -> dict[ChannelKey, np.ndarray]:
    """Rows of each curve."""
    ends = np.cumsum([count for _, _, count in counts])[:-1]
    tables = np.split(joined, ends) if counts else []
    return {(path, i): table for (path, i, _), table in zip(counts, tables, strict=True)}
