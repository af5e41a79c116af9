# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames and values of the keys that a bake has written, kept on its action.

What an animator has keyed or changed since is found against them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import bpy
import numpy as np

from .bake_record import ChannelKey, find_key_spans, find_renamed
from .custom_keys import WRITTEN_KEY
from .key_tables import sign_keys_outside
from .renames import rename_keys
from .schema import find_kept

# Frames of curves are alike and pack well; values are not and stay as they are.
_LEVEL = 1


def keep_written(
    action: bpy.types.Action,
    keys: Mapping[ChannelKey, np.ndarray],
    curves: Iterable[bpy.types.FCurve],
    sections: Sequence[tuple[float, float]],
) -> None:
    """Keep on a bake action what was written, and what its curves were given beside walks.

    Parameters
    ----------
    action
        The action.
    keys
        Frames and values that were written, float32, shape (K, 2), by curve.
    curves
        Its curves, as they were written.
    sections
        First and last frame of each walk on it.
    """
    tables = [np.asarray(table, dtype="<f4").reshape(-1, 2) for table in keys.values()]
    joined = np.concatenate(tables) if tables else np.empty((0, 2), dtype="<f4")
    counts = [[path, index, len(table)] for (path, index), table in zip(keys, tables, strict=True)]
    action[WRITTEN_KEY] = {
        "curves": json.dumps(counts),
        "frames": zlib.compress(joined[:, 0].tobytes(), _LEVEL),
        "values": zlib.compress(joined[:, 1].tobytes(), _LEVEL),
        "beside": {
            _name_curve(key): sign_keys_outside(curve, *find_key_spans(key, sections))
            for curve in curves
            if (key := (curve.data_path, curve.array_index)) in keys
        },
    }


def has_left_keys(curve: bpy.types.FCurve, sections: Sequence[tuple[float, float]]) -> bool:
    """Whether a curve of a bake has beside its walks all that it was given, and nothing else."""
    key = curve.data_path, curve.array_index
    kept = (find_kept(curve.id_data, WRITTEN_KEY) or {}).get("beside", {}).get(_name_curve(key))
    return kept is not None and kept == sign_keys_outside(curve, *find_key_spans(key, sections))


def _name_curve(key: ChannelKey) -> str:
    """A name for a curve that is short enough for a property."""
    return hashlib.blake2b(repr(key).encode(), digest_size=12).hexdigest()


def read_written(action: bpy.types.Action) -> dict[ChannelKey, np.ndarray]:
    """What a bake has written; empty for bakes of earlier versions, which do not tell."""
    written = find_kept(action, WRITTEN_KEY, _unpack) or {}
    renamed = find_renamed(action) if written else {}
    return rename_keys(written, renamed) if renamed else written


def _unpack(kept: Mapping[str, Any]) -> dict[ChannelKey, np.ndarray]:
    """Tables by curve as `keep_written` has packed them."""
    counts = kept["curves"]
    ends = np.cumsum([count for _, _, count in counts])
    size = 4 * int(ends[-1]) if counts else 0
    # Text that is packed well may be any number of times as long.
    columns = [zlib.decompressobj().decompress(kept[n], size + 1) for n in ("frames", "values")]
    joined = np.stack([np.frombuffer(column, "<f4", size // 4) for column in columns], axis=1)
    tables = np.split(joined, ends[:-1]) if counts else []
    return {(path, i): table for (path, i, _), table in zip(counts, tables, strict=True)}
