# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading of one TOML table, key by key, with errors that name the key and the cure (no bpy)."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ..errors import JobError
from ..requests.settings.kinds import Count, Number, Setting, show_value

# What Blender itself opens, so that it can save a .blend.
_BY_BLENDER = {
    ".abc": "Alembic",
    ".dae": "Collada, before 5.0",
    ".obj": "OBJ",
    ".ply": "PLY",
    ".stl": "STL",
    ".usd": "USD",
    ".usda": "USD",
    ".usdc": "USD",
    ".usdz": "USD",
}
_PACKED = (".zip", ".7z", ".rar", ".gz", ".xz", ".bz2", ".zst", ".tar", ".tgz", ".unitypackage")


def name_way(path: Path) -> str:
    """Find what to do with a file of a kind that is not read; empty where nothing is known of it."""
    suffix = path.suffix.lower()
    if suffix in _BY_BLENDER:
        return f"open it in Blender (File > Import > {_BY_BLENDER[suffix]}) and save a .blend"
    return "unpack it and name the file inside" if suffix in _PACKED else ""


def _resolve_path(folder: Path, text: str) -> Path | None:
    """The absolute path that a text names, a ``~`` as the user's own folder."""
    try:
        return (folder / Path(text).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def is_file(path: Path) -> bool:
    """Whether a path leads to a file; a name that is too long for its disk does not."""
    try:
        return path.is_file()
    except OSError:
        return False


class Table:
    """A table whose keys are taken one by one; what is left over at the end is an error.

    Parameters
    ----------
    place
        How messages call it, such as ``walk.toml: character[0].travel``.
    """

    def __init__(self, values: Mapping[str, object], place: str, folder: Path) -> None:
        self.place = place
        self._values = values
        self._folder = folder
        self._known: set[str] = set()

    def error(self, key: str, text: str) -> JobError:
        """Make an error about a key, in one line whatever the texts of a job hold."""
        shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
        return JobError(f"{self._name(key)} {''.join(shown)}")

    def finish(self) -> None:
        """Refuse keys that nobody asked for, with the nearest known key as a suggestion."""
        for key in self._values:
            if key not in self._known:
                near = difflib.get_close_matches(key, sorted(self._known), n=1)
                cure = f'did you mean "{near[0]}"?' if near else "remove it"
                raise self.error(key, f"is not a key of a job; {cure}")

    def peek(self, key: str) -> object | None:
        """Value of a key as it is, without taking it."""
        return self._values.get(key)

    def one_of(self, *keys: str) -> str | None:
        """Tell which of several exclusive keys is given, or None; more than one is an error."""
        self._known.update(keys)
        given = [key for key in keys if key in self._values]
        if len(given) > 1:
            raise self.error(given[1], f"cannot stand beside `{given[0]}`; keep one of them")
        return given[0] if given else None

    def flag(self, key: str) -> bool:
        """Value of an optional true or false; False where it is absent."""
        value = self._take(key)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def text(self, key: str, choices: Sequence[str] = ()) -> str | None:
        """Value of an optional text that is not empty, one of ``choices`` where these are given."""
        value = self._take(key)
        if value is None:
            return None
        instead = " or ".join(f'"{choice}"' for choice in choices) or "a text that is not empty"
        if not isinstance(value, str) or not value or (choices and value not in choices):
            raise self._wrong(key, instead)
        return value

    def required_text(self, key: str) -> str:
        """Value of a text that must be there."""
        value = self.text(key)
        if value is None:
            raise self.error(key, "is missing; name it")
        return value

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Value of an optional list of texts."""
        values = self._list(key, "a list of texts")
        if values is None:
            return None
        texts = tuple(value for value in values if isinstance(value, str) and value)
        if len(texts) != len(values):
            raise self._wrong(key, "a list of texts")
        return texts

    def number(self, key: str, above: float | None = None, instead: str = "") -> float | None:
        """Value of an optional finite number, larger than ``above`` where that is given."""
        value = self._take(key)
        if value is None:
            return None
        number = _finite_number(value)
        if number is None or (above is not None and number <= above):
            limit = "" if above is None else f" above {above:g}"
            raise self._wrong(key, instead or f"a number{limit}")
        return number

    def required_number(self, key: str) -> float:
        """Value of a finite number that must be there."""
        number = self.number(key)
        if number is None:
            raise self.error(key, "is missing; give a number")
        return number

    def setting(self, setting: Setting) -> Any:  # noqa: ANN401 - by the kind of setting
        """Value of an optional setting of the table of settings, which its name is the key of."""
        value = self._take(setting.name)
        if value is None:
            return None
        fault = setting.find_fault(value)
        if fault:
            raise self.error(setting.name, fault)
        if isinstance(setting, Count):
            return int(cast("int", value))
        return float(cast("float", value)) if isinstance(setting, Number) else value

    def settings(self, settings: Mapping[str, Setting]) -> dict[str, Any]:
        """Values of the settings that are given, by their names."""
        values = {name: self.setting(setting) for name, setting in settings.items()}
        return {name: value for name, value in values.items() if value is not None}

    def numbers(self, key: str, count: int) -> tuple[float, ...] | None:
        """Value of an optional list of ``count`` finite numbers."""
        value = self._take(key)
        if value is None:
            return None
        numbers = _number_list(value, count)
        if numbers is None:
            raise self._wrong(key, f"a list of {count} numbers")
        return numbers

    def number_lists(self, key: str, count: int) -> tuple[tuple[float, ...], ...]:
        """Value of a list of lists of ``count`` finite numbers; empty where it is absent."""
        rows = []
        for index, value in enumerate(self._list(key, "a list of points") or ()):
            row = _number_list(value, count)
            if row is None:
                raise self.error(
                    f"{key}[{index}]", f"must be {count} numbers, got {show_value(value)}"
                )
            rows.append(row)
        return tuple(rows)

    def integers(self, key: str, count: int) -> tuple[int, ...] | None:
        """Value of an optional list of ``count`` whole numbers."""
        values = self._list(key, f"a list of {count} whole numbers")
        if values is None:
            return None
        numbers = tuple(v for v in values if isinstance(v, int) and not isinstance(v, bool))
        if len(numbers) != count or len(values) != count:
            raise self._wrong(key, f"a list of {count} whole numbers")
        return numbers

    def path(self, key: str, suffixes: Sequence[str] = (), must_exist: bool = True) -> Path | None:
        """Value of an optional file name, as an absolute path."""
        text = self.text(key)
        if text is None:
            return None
        path = _resolve_path(self._folder, text)
        if path is None:
            raise self.error(
                key, f"is no path that a disk can have: {show_value(text)}; correct it"
            )
        if suffixes and path.suffix.lower() not in suffixes:
            way = name_way(path)
            cure = f"; {way}" if way else ""
            raise self.error(key, f'must end in {", ".join(suffixes)}, got "{text}"{cure}')
        if must_exist and not is_file(path):
            raise self.error(key, f"names a file that does not exist: {path}; correct the path")
        return path

    def table(self, key: str) -> Table | None:
        """Value of an optional table."""
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self._wrong(key, "a table")
        return Table(value, self._name(key), self._folder)

    def tables(self, key: str, instead: str = "a list of tables") -> tuple[Table, ...] | None:
        """Value of an optional list of tables."""
        values = self._list(key, instead)
        if values is None:
            return None
        found = []
        for index, value in enumerate(values):
            if not isinstance(value, Mapping):
                raise self._wrong(key, instead)
            found.append(Table(value, f"{self._name(key)}[{index}]", self._folder))
        return tuple(found)

    def strings_or_tables(self, key: str, table_key: str) -> tuple[str | Table, ...]:
        """Value of an optional list whose entries are texts or tables; empty where absent."""
        found: list[str | Table] = []
        for index, value in enumerate(self._list(key, "a list") or ()):
            if isinstance(value, str) and value:
                found.append(value)
            elif isinstance(value, Mapping):
                found.append(Table(value, f"{self._name(key)}[{index}]", self._folder))
            else:
                raise self.error(
                    f"{key}[{index}]",
                    f"must be a name or {{{table_key} = ...}}, got {show_value(value)}",
                )
        return tuple(found)

    def _take(self, key: str) -> object | None:
        """Value of a key, which is known from now on."""
        self._known.add(key)
        return self._values.get(key)

    def _list(self, key: str, instead: str) -> list[object] | None:
        """Value of an optional list."""
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, list):
            raise self._wrong(key, instead)
        return value

    def _wrong(self, key: str, expected: str) -> JobError:
        """Make an error about a value of the wrong kind."""
        return self.error(key, f"must be {expected}, got {show_value(self._values.get(key))}")

    def _name(self, key: str) -> str:
        """Full name of a key, the file first."""
        separator = "." if ": " in self.place else ": "
        # Quoted keys may be anything, and a message is one line.
        return f"{self.place}{separator}{key if key.isprintable() and key else show_value(key)}"


def _finite_number(value: object) -> float | None:
    """Turn an int or float into a float; None for anything else, for infinity and for NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number of hundreds of digits
        return None


def _number_list(value: object, count: int) -> tuple[float, ...] | None:
    """Turn a list of ``count`` numbers into floats; None for anything else."""
    if not isinstance(value, list) or len(value) != count:
        return None
    numbers = tuple(number for v in value if (number := _finite_number(v)) is not None)
    return numbers if len(numbers) == count else None
