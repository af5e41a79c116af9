# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that stand for what records hold, and results kept under them (numpy only).

Every stage is a pure function of its inputs, so a result may be used again wherever the inputs are the
same to the last digit, however often they were read anew. Nothing has to be told that something changed.
"""

from __future__ import annotations

import enum
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any, Generic, TypeVar

import numpy as np

Result = TypeVar("Result")


class NoFingerprintError(TypeError):
    """A value is more than the data it holds, as a function or a part of Blender's file is."""


def fingerprint(*values: object) -> str:
    """A text that differs where any value does.

    Raises NoFingerprintError: for a value of another kind.

    Parameters
    ----------
    values
        Numbers, texts, None, arrays, and records, lists, mappings and sets of them. Values that offer
        ``as_fingerprint()`` give a value that stands for them.
    """
    digest = hashlib.blake2b(digest_size=16)
    for value in values:
        _add(digest, value)
    return digest.hexdigest()


def _add(digest: Any, value: object) -> None:  # noqa: ANN401 - hashlib names no type of its own
    """Put one value into a digest, with its kind, so that no two kinds are taken for each other."""
    if value is None or isinstance(value, bool | int | float | str | bytes | np.generic):
        digest.update(f"{type(value).__name__}{value!r};".encode())
    elif isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise NoFingerprintError("an array of objects has no fingerprint")
        digest.update(f"array{value.dtype.str}{value.shape};".encode())
        digest.update(np.ascontiguousarray(value))
    elif isinstance(value, enum.Enum):
        digest.update(f"enum{value!r};".encode())
    elif hasattr(value, "as_fingerprint"):
        _add(digest, value.as_fingerprint())
    elif is_dataclass(value) and not isinstance(value, type):
        digest.update(f"record{type(value).__qualname__};".encode())
        for entry in fields(value):
            _add(digest, getattr(value, entry.name))
    elif isinstance(value, Mapping):
        digest.update(f"mapping{len(value)};".encode())
        for key in sorted(value, key=repr):
            _add(digest, key)
            _add(digest, value[key])
    elif isinstance(value, Set):
        digest.update(f"set{len(value)};".encode())
        for text in sorted(repr(item) for item in value):
            digest.update(text.encode())
    elif isinstance(value, Sequence):
        digest.update(f"list{len(value)};".encode())
        for item in value:
            _add(digest, item)
    else:
        raise NoFingerprintError(f"{type(value).__qualname__} has no fingerprint")


class KeptResults(Generic[Result]):
    """Results under the fingerprints of what they were made from, the last used ones."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[str, Result] = OrderedDict()

    def get(self, key: str | None, make: Callable[[], Result]) -> Result:
        """The result under a fingerprint, made where it is not known; None stands for no fingerprint."""
        if key is None:
            return make()
        if key not in self._results:
            self._results[key] = _freeze(make())
            if len(self._results) > self._most:
                self._results.popitem(last=False)
        self._results.move_to_end(key)
        return self._results[key]

    def forget(self) -> None:
        """Keep nothing any more."""
        self._results.clear()


def _freeze(record: Result) -> Result:
    """The same record, whose arrays cannot be written any more, those of records inside of it neither."""
    if isinstance(record, np.ndarray):
        record.flags.writeable = False
    elif isinstance(record, Mapping):
        for value in record.values():
            _freeze(value)
    elif isinstance(record, list | tuple):
        for value in record:
            _freeze(value)
    elif is_dataclass(record) and not isinstance(record, type):
        for entry in fields(record):
            _freeze(getattr(record, entry.name))
    return record


def try_fingerprint(*values: object) -> str | None:
    """A `fingerprint`, None where a value has none: then nothing is used again."""
    try:
        return fingerprint(*values)
    except NoFingerprintError:
        return None
