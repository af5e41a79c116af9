# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of analysis kept in the file with the actions they are of.

They are plain numbers, texts and arrays in custom properties of the action, one entry for each rig
and slot, for one action may serve many rigs. Actions linked from other files cannot be written;
theirs are kept on the armature object. Each entry carries a fingerprint of the curves and of the
rig, so that stale ones are known.

The motions that a walk was baked from are kept beside them, as bytes under a fingerprint of all that they
were made from: the first bake after a file is opened need not sample and analyse them again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.rig.structure import Rig
from .. import versions
from ..values.curves import fingerprint_curves
from ..values.custom_keys import ANALYSIS_KEY, LINKED_ANALYSIS_KEY
from ..values.scene_state import read_key_rate
from ..values.schema import find_kept, read_kept
from .rigs import fingerprint_rig

# Marks how lists and arrays of more than one dimension are kept.
_LIST, _SHAPE, _VALUES, _NONE = "__list__", "__shape__", "__values__", "__none__"
_FINGERPRINT, _DATA = "fingerprint", "data"
_MOTION, _MOTION_KEY = _MOTION_PARTS = "motion", "motion_key"
# Parts of the program that analyses come from.
_CODE = ("core", "blender/reading", "blender/values", "requests")


def store_analysis(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    rig: Rig,
    data: Mapping[str, Any],
    slot: str | None = None,
    keys: str | None = None,
) -> None:
    """Keep the result of an analysis, in place of an older one of the same rig and slot.

    Parameters
    ----------
    armature
        The character's object; holds results of linked actions.
    action
        What was analysed.
    rig
        The rig it was analysed for.
    data
        Nested mappings and lists of numbers, texts, None and numpy arrays.
    slot
        Identifier of the slot; None for the one meant for the object.
    keys
        What `fingerprint_curves` gave of the curves that were analysed, where that is known.
    """
    slot = _resolve_slot(armature, action, slot)
    holder, name = _find_holder(armature, action)
    if find_kept(holder, name) is None:
        holder[name] = {}
    key = _make_key(action, rig, slot)
    holder[name][key] = {
        "slot": slot,
        "frame_rate": read_key_rate(action),
        _FINGERPRINT: _fingerprint(action, slot, rig, keys),
        _DATA: _encode(dict(data)),
    }


def read_analysis(
    armature: bpy.types.Object, action: bpy.types.Action, rig: Rig, slot: str | None = None
) -> dict[str, Any] | None:
    """The kept result of an analysis.

    Parameters
    ----------
    armature, action, rig, slot
        As for `store_analysis`.

    Returns
    -------
    dict or None
        As it was stored, arrays as float64 or int64; None where there is none, or where the
        curves, the legs or the frame rate have changed since.
    """
    slot = _resolve_slot(armature, action, slot)
    entry = _find_entry(armature, action, rig, slot)
    if entry is None or entry.get(_FINGERPRINT) != _fingerprint(action, slot, rig):
        return None
    return read_kept(action.name, ANALYSIS_KEY, entry.get(_DATA), _decode)


def store_motion(
    armature: bpy.types.Object, action: bpy.types.Action, rig: Rig, key: str, motion: bytes
) -> None:
    """Keep an analysed motion beside the result of its analysis; nothing where there is no result.

    Parameters
    ----------
    armature, action, rig
        As for `store_analysis`.
    key
        Fingerprint of all that the motion was made from.
    motion
        See `core.motions.keeping`.
    """
    entry = _find_entry(armature, action, rig)
    if entry is not None and entry.get(_MOTION_KEY) != _mark(key):
        _put(entry, _MOTION_KEY, _mark(key))
        _put(entry, _MOTION, motion)


def read_motion(
    armature: bpy.types.Object, action: bpy.types.Action, rig: Rig, key: str
) -> bytes | None:
    """A motion that was kept under a fingerprint by this very program; None where there is none."""
    entry = _find_entry(armature, action, rig)
    if entry is None or entry.get(_MOTION_KEY) != _mark(key):
        return None
    found = entry.get(_MOTION)
    return found if isinstance(found, bytes) else None


class KeptMotions:
    """Motions that are kept of actions before others are kept in their place.

    Parameters
    ----------
    armature, rig
        As for `store_analysis`.
    actions
        The actions.
    """

    def __init__(
        self, armature: bpy.types.Object, actions: Iterable[bpy.types.Action], rig: Rig
    ) -> None:
        self._armature, self._rig = armature, rig
        self._kept: list[tuple[bpy.types.Action, dict[str, Any]]] = []
        for action in actions:
            entry = _find_entry(armature, action, rig)
            if entry is not None:
                self._kept.append((action, {name: entry.get(name) for name in _MOTION_PARTS}))

    def put_back(self) -> None:
        """Keep these motions again, and none where there was none."""
        for action, parts in self._kept:
            entry = _find_entry(self._armature, action, self._rig)
            for name, value in parts.items():
                _put(entry, name, value)


def _put(entry: Any, name: str, value: str | bytes | None) -> None:  # noqa: ANN401
    """Keep a part of an entry, or none of that name; bytes over others would end at their first zero."""
    if name in entry:
        del entry[name]
    if value is not None:
        entry[name] = value


def _find_entry(
    armature: bpy.types.Object, action: bpy.types.Action, rig: Rig, slot: str | None = None
) -> Any:  # noqa: ANN401
    """What is kept of an action for a rig; None where nothing is."""
    holder, name = _find_holder(armature, action)
    slot = _resolve_slot(armature, action, slot)
    entry = (find_kept(holder, name) or {}).get(_make_key(action, rig, slot))
    return entry if hasattr(entry, "keys") else None


def _mark(key: str) -> str:
    """A fingerprint together with that of the code that analyses."""
    return f"{key} {_hash_code()}"


@lru_cache(maxsize=1)
def _hash_code() -> str:
    """A text that changes with any module that an analysis may come from."""
    root = Path(__file__).resolve().parents[2]
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(p for part in _CODE for p in (root / part).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _find_holder(armature: bpy.types.Object, action: bpy.types.Action) -> tuple[bpy.types.ID, str]:
    """The data-block that keeps results of an action, and the property's name."""
    if action.library is not None:
        return armature, LINKED_ANALYSIS_KEY
    return action, ANALYSIS_KEY


def _resolve_slot(armature: bpy.types.Object, action: bpy.types.Action, slot: str | None) -> str:
    """The slot given, or the one meant for the object."""
    if slot is not None:
        return slot
    return versions.find_slot(action, armature) or versions.NO_SLOT


def _make_key(action: bpy.types.Action, rig: Rig, slot: str) -> str:
    """Name of an entry; short, because names of custom properties are."""
    return _hash(action.name_full) + _hash(fingerprint_rig(rig)) + _hash(slot)


def _hash(text: str) -> str:
    """Ten characters that stand for a text."""
    return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()


def _fingerprint(action: bpy.types.Action, slot: str, rig: Rig, keys: str | None = None) -> str:
    """What the result of an analysis depends on, as a short text."""
    curves = keys or fingerprint_curves(versions.get_curves(action, slot))
    frame_range = (action.use_frame_range, action.frame_start, action.frame_end)
    return _hash(repr((curves, fingerprint_rig(rig), f"{read_key_rate(action):.6g}", frame_range)))


def _encode(value: Any) -> Any:  # noqa: ANN401 - whatever a caller stores
    """A value as custom properties can hold it."""
    if isinstance(value, Mapping):
        return {str(key): _encode(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        kind = np.int32 if value.dtype.kind in "iub" else np.float64
        flat = np.ascontiguousarray(value, dtype=kind).ravel()
        return {_SHAPE: [int(n) for n in value.shape] or [0], _VALUES: flat.tolist() or [0]}
    if isinstance(value, list | tuple):
        return {_LIST: len(value)} | {str(i): _encode(item) for i, item in enumerate(value)}
    if isinstance(value, np.generic):
        return value.item()
    return _NONE if value is None else value


def _decode(value: Any) -> Any:  # noqa: ANN401 - whatever a caller stored
    """Inverse of `_encode`."""
    if not hasattr(value, "keys"):
        return None if isinstance(value, str) and value == _NONE else value
    if _LIST in value:
        return [_decode(value[str(i)]) for i in range(value[_LIST])]
    if _SHAPE in value:
        shape = [int(n) for n in value[_SHAPE]]
        flat = np.array(value[_VALUES])
        return flat.astype(np.int64 if flat.dtype.kind == "i" else np.float64)[
            : int(np.prod(shape))
        ].reshape(shape)
    return {key: _decode(value[key]) for key in value.keys()}  # noqa: SIM118 - no mapping
