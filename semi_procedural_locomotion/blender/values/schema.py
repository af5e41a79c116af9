# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the extension keeps in files besides plain properties: its schema, and how it is read.

A file may come from anybody, so all of it is input from strangers. What does not fit its schema counts as
not there and is told once; in the file it stays as it is. Plain properties declare types and ranges to
Blender, which does not hold a file to them: `name_unfit` does.
"""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import bpy
import numpy as np

from ...core.keys.edits import KeyEdit
from ...core.keys.eulers import EULER_ORDERS
from ...core.keys.tables import FIELDS, KeyTable
from ..limits import VALUE
from .curve_records import CURVE_CHOICES, CurveRecord, decode_keys
from .curves import split_bone_path
from .custom_keys import (
    ANALYSIS_KEY,
    BAKE_KEY,
    CORRECTION_KEY,
    DRIVE_KEY,
    EXPECTATION_KEY,
    EXTRAPOLATION_KEY,
    FIX_KEY,
    FRAME_RATE_KEY,
    LINKED_ANALYSIS_KEY,
    LIVE_KEY,
    OVERRIDES_KEY,
    STAND_IN_KEY,
    TURNED_KEY,
    WRITTEN_KEY,
)

# Takes what a file holds, and gives it as the program uses it; raises one of `UNREADABLE` else.
Check = Callable[[Any], Any]

UNREADABLE = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError),
    *(RecursionError, MemoryError, zlib.error),
)
"""What taking apart a text or an array of any content may raise."""

_logger = logging.getLogger(__name__)
# Blender's last frame either way, its largest whole number, its slowest and fastest frame rate.
LAST_FRAME, _LARGEST, _RATES = 1_048_574, 2**31 - 1, (1e-6, 4e9)
# Blender's numbers of what keys may be, and its kinds of modifiers; the first of those is none.
_KINDS = {
    name: [item.value for item in bpy.types.Keyframe.bl_rna.properties[name].enum_items]
    for name in ("interpolation", "handle_left_type", "handle_right_type", "type", "easing")
}
_MODIFIERS = tuple(bpy.types.FModifier.bl_rna.properties["type"].enum_items.keys())[1:]
# What was told already: whose, what and why.
_told: set[tuple[str, str, str]] = set()


def find_kept(holder: bpy.types.ID | None, key: str, make: Check | None = None) -> Any:  # noqa: ANN401
    """What a data-block keeps under the name of a custom property.

    Parameters
    ----------
    holder
        The data-block.
    key
        One of `custom_keys`.
    make
        Makes what is wanted of it, and may refuse it like the schema by one of `UNREADABLE`.

    Returns
    -------
    object or None
        None where it keeps nothing, or what does not fit, which is told.
    """
    if holder is None or key not in holder:
        return None
    return read_kept(f"{holder.bl_rna.name} {holder.name!r}", key, holder[key], make)


def read_kept(owner: str, key: str, value: object, make: Check | None = None) -> Any:  # noqa: ANN401
    """What a file holds under a name of the schema; None where that does not fit, which is told.

    Parameters
    ----------
    owner
        Who keeps it, in words.
    key
        A name in the schema.
    value
        As the file holds it.
    make
        As of `find_kept`.
    """
    try:
        kept = SCHEMA[key](value)
        return kept if make is None else make(kept)
    except UNREADABLE as error:
        found = (owner, key, _word(error))
        if found not in _told:
            _told.add(found)
            _logger.warning("%s keeps %s that does not fit (%s): it is left out", *found)
        return None


def list_unfit(holder: bpy.types.ID) -> list[tuple[str, str]]:
    """What a data-block keeps that does not fit: names of the custom properties, and why."""
    found = []
    for key in (key for key in holder.keys() if key in SCHEMA):  # noqa: SIM118 - no mapping
        try:
            SCHEMA[key](holder[key])
        except UNREADABLE as error:
            found.append((key, _word(error)))
    return found


def name_unfit(group: bpy.types.PropertyGroup) -> str:
    """The first property of a group that is no number, or out of its range, in words; empty for none."""
    for prop in group.bl_rna.properties:
        if prop.is_skip_save or prop.identifier == "rna_type":
            continue
        value = getattr(group, prop.identifier)
        inner = ""
        if prop.type == "COLLECTION":
            inner = next((f"{i} > {n}" for i, e in enumerate(value, 1) if (n := name_unfit(e))), "")
        elif prop.type == "POINTER":
            inner = name_unfit(value) if isinstance(value, bpy.types.PropertyGroup) else ""
        elif not does_fit(prop, list(value) if getattr(prop, "is_array", False) else value):
            return str(prop.name)
        if inner:
            return f"{prop.name} {inner}" if prop.type == "COLLECTION" else f"{prop.name} > {inner}"
    return ""


def does_fit(prop: bpy.types.Property, value: object) -> bool:
    """Whether a value is one that a property declares; lists of arrays, tables and lists of groups."""
    if prop.type == "COLLECTION":
        return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
    if prop.type == "POINTER":
        kind = prop.fixed_type.identifier
        if issubclass(getattr(bpy.types, kind, bpy.types.PropertyGroup), bpy.types.ID):
            return value is None or isinstance(value, getattr(bpy.types, kind))
        return isinstance(value, dict)
    if prop.type == "ENUM":
        return value in prop.enum_items
    if prop.type == "STRING":
        return isinstance(value, str)
    values = value if prop.is_array else [value]
    if not isinstance(values, list) or len(values) != max(prop.array_length, 1):
        return False
    if prop.type == "BOOLEAN":
        return all(item in (0, 1) for item in values)
    whole = int if prop.type == "INT" else int | float
    return all(isinstance(v, whole) and prop.hard_min <= v <= prop.hard_max for v in values)


def _word(error: BaseException) -> str:
    """Why something does not fit, as one short printable line."""
    text = f"{type(error).__name__} {error}" if not isinstance(error, ValueError) else str(error)
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:120]


def _any(value: object) -> object:
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("no text")
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError("no bytes")
    return value


def _flag(value: object) -> bool:
    if value not in (0, 1):
        raise ValueError("neither true nor false")
    return bool(value)


def _real(value: object) -> float:
    if not isinstance(value, int | float):
        raise ValueError("no number")
    return float(value)


def _number(low: float = -VALUE.farthest, high: float = VALUE.farthest) -> Check:
    def check(value: object) -> float:
        if not low <= _real(value) <= high:
            raise ValueError(f"no number from {low:g} to {high:g}")
        return _real(value)

    return check


def _whole(low: int, high: int = _LARGEST) -> Check:
    def check(value: object) -> int:
        if not _number(low, high)(value).is_integer():
            raise ValueError("no whole number")
        return int(_real(value))

    return check


def _one_of(*choices: str) -> Check:
    def check(value: object) -> str:
        if value not in choices:
            raise ValueError(f"none of {', '.join(choices)}")
        return str(value)

    return check


def _maybe(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def _list(value: Any) -> Sequence[Any]:  # noqa: ANN401 - as files hold it
    plain = value.to_list() if hasattr(value, "to_list") else value
    if not isinstance(plain, list | tuple):
        raise ValueError("no list")
    return plain


def _many(check: Check) -> Check:
    return lambda value: tuple(check(item) for item in _list(value))


def _row(*checks: Check) -> Check:
    def check(value: object) -> tuple[Any, ...]:
        return tuple(one(item) for one, item in zip(checks, _list(value), strict=True))

    return check


def _numbers(value: object) -> np.ndarray:
    array = np.array(_list(value))
    if array.dtype.kind not in "biuf" or not np.all(np.abs(array) <= VALUE.farthest):
        raise ValueError("no array of numbers")
    return array.astype(np.float64)


def _items(value: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
    if not hasattr(value, "items"):
        raise ValueError("no table")
    return value.items()


def _named(check: Check) -> Check:
    return lambda value: {_text(name): check(item) for name, item in _items(value)}


def _record(needed: dict[str, Check], **optional: Check) -> Check:
    def check(value: object) -> dict[str, Any]:
        given = dict(_items(value))
        found = {}
        for name, one in (needed | optional).items():
            if name in given:
                try:
                    found[name] = one(given[name])
                except UNREADABLE as error:
                    raise ValueError(f"{name}: {_word(error)}") from error
            elif name in needed:
                raise ValueError(f"{name} is missing")
        return found

    return check


def _json(check: Check) -> Check:
    @lru_cache(maxsize=64)
    def read(text: str) -> Any:  # noqa: ANN401
        """Kept, since what a bake remembers is asked for at every turn."""
        return check(json.loads(text))

    return lambda value: read(_text(value))


def _as(decode: Check) -> Check:
    """A text that stays one, and can be decoded."""

    @lru_cache(maxsize=1024)
    def check(text: str) -> str:
        decode(_text(text))
        return text

    return check


def _channels(check: Check) -> Check:
    """Values by data path and index."""
    rows = _json(_many(_row(_text, _whole(0), check)))
    return lambda value: {(path, index): kept for path, index, kept in rows(value)}


_FRAME = _number(-LAST_FRAME, LAST_FRAME)


def _span(value: object) -> tuple[float, float]:
    first, last = _row(_FRAME, _FRAME)(value)
    if last < first:
        raise ValueError("it ends before it begins")
    return first, last


def _sections(value: object) -> tuple[tuple[float, float], ...]:
    spans = _many(_span)(value)
    if sum(last - first for first, last in spans) > 2 * LAST_FRAME:
        raise ValueError("more frames than a scene has")
    return spans


def _place(value: object) -> float:
    """A frame; whole ones stay whole numbers."""
    place = float(_FRAME(value))
    return int(place) if place.is_integer() else place


def check_keys(table: KeyTable) -> KeyTable:
    """Keys as they were read, which may be anything; ValueError where Blender has no such ones."""
    if any(len(getattr(table, name)) != len(table) for name in FIELDS):
        raise ValueError("keys without all of their values")
    # Blender takes keys beyond the frames of a scene.
    if not np.all(np.abs(table.frames) <= VALUE.farthest):
        raise ValueError("keys at no frames")
    for name, known in _KINDS.items():
        if not np.isin(getattr(table, name), known).all():
            raise ValueError(f"keys of no known {name}")
    return table


def _keys(text: str) -> None:
    check_keys(decode_keys(text))


def _curve(text: str) -> None:
    curve = CurveRecord.decode(text)
    _text(curve.group)
    check_keys(curve.keys)
    _record({name: _fitting(bpy.types.FCurve, name) for name in CURVE_CHOICES})(curve.choices)
    if curve.choices.keys() != set(CURVE_CHOICES):
        raise ValueError("a curve has no such properties")
    for number, (kind, values, points) in enumerate(curve.modifiers):
        _one_of(*_MODIFIERS)(kind)
        _record({"active": _flag})(values)
        _many(_row(*[_real] * 3))(points)
        if kind == "CYCLES" and number:
            raise ValueError("cycles come first")


def _base(text: str) -> None:
    curve, shown, is_bare = json.loads(text)
    _maybe(_as(_curve))(curve)
    _maybe(_as(_keys))(shown)
    _flag(is_bare)


def _fitting(group: type[bpy.types.bpy_struct], name: str) -> Check:
    prop = group.bl_rna.properties[name]

    def check(value: object) -> object:
        if not does_fit(prop, value):
            raise ValueError(f"no {prop.name}")
        return value

    return check


def _edit(value: object) -> KeyEdit:
    edit = KeyEdit(
        **_record(
            {
                "path": _text,
                "first": _place,
                "offsets": _numbers,
                "is_turn": _flag,
            },
            is_own=_flag,
        )(value)
    )
    if edit.is_turn != split_bone_path(edit.path)[1].startswith("rotation"):
        raise ValueError("turns of what is no rotation, or the other way round")
    return edit


def _skin(value: object) -> tuple[str, str, dict[str, str] | None]:
    """Name and fingerprint of a mesh, and what of it is marked, which earlier versions do not tell."""
    row = _list(value)
    name, mark = _row(_text, _text)(row[:2])
    return name, mark, _named(_text)(row[2]) if len(row) > 2 else None


def _words(value: object) -> np.ndarray:
    return _numbers([float(word) for word in _text(value).split()])


_CYCLE_TIMES = ("stance", "lift", "off", "post_lift", "pre_land", "strike", "land", "stride")
_REPORT = _json(_named(_real))
_COUNTS = _json(_many(_row(_text, _whole(0), _whole(0, 2 * LAST_FRAME))))

SCHEMA: dict[str, Check] = {
    FRAME_RATE_KEY: _number(*_RATES),
    ANALYSIS_KEY: _named(_any),
    LINKED_ANALYSIS_KEY: _named(_any),
    BAKE_KEY: _record(
        {
            "span": _span,
            "output_to": _one_of("object", "bone", "none"),
            "previous_slot": _text,
            "previous_is_source": _flag,
            "written": _channels(_text),
            "copied": _channels(_text),
            "values": _channels(_real),
        },
        sections=_json(_sections),
        markers=_json(_many(_row(_text, _whole(-LAST_FRAME, LAST_FRAME)))),
        start=_json(_maybe(_FRAME)),
        root_bone=_text,
        cleans=_flag,
        owner=_text,
        bases=_channels(_as(_base)),
        styles=_channels(_as(_keys)),
        modes=_json(_named(_one_of(*EULER_ORDERS))),
        order=_text,
        tolerance=_number(0.0),
        edits=_json(_many(_edit)),
        # Of earlier versions.
        taken=_channels(_as(_curve)),
        beside=_channels(_as(_keys)),
    ),
    WRITTEN_KEY: _record(
        {
            "curves": _COUNTS,
            "frames": _bytes,
            "values": _bytes,
        },
        laid=_record({"curves": _COUNTS, **dict.fromkeys(FIELDS, _bytes)}),
    ),
    EXPECTATION_KEY: _record(
        {
            "rests": _json(_named(_text)),
            "names": _json(_many(_text)),
            "legs": _json(_many(_text)),
            **dict.fromkeys(("frames", "parents", "leg_lengths", "leg_bones", "reaches"), _numbers),
            **dict.fromkeys(("rotations", "positions", "scales", "origins", "turns"), _numbers),
        },
        controls=_json(_many(_many(_text))),
    ),
    LIVE_KEY: _record(
        {"owner": _whole(-_LARGEST), "muted": _channels(_real), "values": _channels(_real)}
    ),
    FIX_KEY: _record({"before": _as(_REPORT), "after": _as(_REPORT)}),
    CORRECTION_KEY: _one_of("REPLACE", "COMBINE", "ADD", "SUBTRACT", "MULTIPLY"),
    EXTRAPOLATION_KEY: _one_of("NOTHING", "HOLD", "HOLD_FORWARD"),
    OVERRIDES_KEY: _json(_named(_named(_any))),
    TURNED_KEY: _text,
    DRIVE_KEY: _json(
        _many(_row(_whole(0), _number(), _row(*[_number()] * 3), _row(*[_number()] * 4)))
    ),
    STAND_IN_KEY: _record({"of": _any}, scene=_text, layer=_text, hidden=_json(_many(_text))),
    # Of property groups and analyses.
    "report": _REPORT,
    "skins": _json(_many(_skin)),
    "hull": _json(
        _record(
            {"names": _many(_text)}
            | dict.fromkeys(("bones", "weights", "offsets", "places", "parts", "frame"), _numbers),
            keeps_volume=_numbers,
            binds=_numbers,
        )
    ),
    "girths": _words,
    "underside": lambda value: _words(value).reshape(-1, 3),
    "way": _json(
        _record(
            {
                "shown": _row(_number(), _number()),
                "factor": _number(),
                "samples": _whole(0),
                "table": _text,
            }
        )
    ),
    "cycle": _record(
        {
            "speed": _number(),
            "direction": _row(_number(), _number()),
            "turn_rate": _number(),
            "period": _number(),
            "legs": _many(_record(dict.fromkeys(_CYCLE_TIMES, _number()))),
        },
        footbases=lambda value: _numbers(value.tolist()),
    ),
}
"""What may be kept under each name."""
