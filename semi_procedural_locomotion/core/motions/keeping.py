# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions as bytes for files, the same to the last digit when they are read back (numpy only)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from ...notes import Note, note_from_dict
from ..contacts.edits import ContactTimes
from .properties import KeyedProperty
from .records import LegCycle, Motion

_RECORDS = {record.__name__: record for record in (Motion, LegCycle, ContactTimes, KeyedProperty)}
_LENGTH = 8


def bytes_from_motion(motion: Motion) -> bytes:
    """A motion as compressed bytes: plain data as JSON, and its arrays behind."""
    arrays: list[np.ndarray] = []
    text = json.dumps(_encode(motion, arrays)).encode()
    body = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    return zlib.compress(len(text).to_bytes(_LENGTH, "little") + text + body, 1)


def motion_from_bytes(data: bytes) -> Motion | None:
    """The inverse of `bytes_from_motion`; None for what this version does not understand."""
    try:
        whole = zlib.decompress(data)
        end = _LENGTH + int.from_bytes(whole[:_LENGTH], "little")
        found = _decode(json.loads(whole[_LENGTH:end]), whole[end:])
    except (zlib.error, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, Motion) else None


def _encode(value: object, arrays: list[np.ndarray]) -> Any:  # noqa: ANN401 - what JSON can hold
    """A value as plain data; arrays are put aside, and what they are noted."""
    if isinstance(value, np.ndarray):
        start = sum(array.nbytes for array in arrays)
        arrays.append(value)
        return {"array": [value.dtype.str, list(value.shape), start]}
    if isinstance(value, np.generic):
        return {"number": [value.dtype.str, value.item()]}
    if isinstance(value, Note):
        return {"note": value.as_dict()}
    if type(value).__name__ in _RECORDS:
        entries = {f.name: _encode(getattr(value, f.name), arrays) for f in fields(value)}  # type: ignore[arg-type]
        return {"record": type(value).__name__, "fields": entries}
    if isinstance(value, Mapping):
        return {"mapping": [[_encode(k, arrays), _encode(v, arrays)] for k, v in value.items()]}
    if isinstance(value, frozenset):
        return {"set": sorted(value)}
    if isinstance(value, tuple):
        return {"tuple": [_encode(item, arrays) for item in value]}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"a motion cannot be kept with a {type(value).__name__}")


def _decode(value: Any, body: bytes) -> Any:  # noqa: ANN401 - what was encoded
    """The inverse of `_encode`."""
    if not isinstance(value, dict):
        return value
    if "array" in value:
        kind, shape, start = value["array"]
        count = int(np.prod(shape))
        return np.frombuffer(body, np.dtype(kind), count, start).reshape(shape).copy()
    if "number" in value:
        kind, number = value["number"]
        return np.dtype(kind).type(number)
    if "note" in value:
        note = note_from_dict(value["note"])
        if note is None:
            raise ValueError("a note of another version")
        return note
    if "record" in value:
        entries = {name: _decode(item, body) for name, item in value["fields"].items()}
        return _RECORDS[value["record"]](**entries)
    if "mapping" in value:
        return {_decode(k, body): _decode(v, body) for k, v in value["mapping"]}
    if "set" in value:
        return frozenset(value["set"])
    return tuple(_decode(item, body) for item in value["tuple"])
