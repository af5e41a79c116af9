# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones of a clip and of a character that are the same by their names (no numpy needed).

Programs put things before the names of bones (``mixamorig:``, ``Armature|``, ``Bip01 ``) and write
them in other letters. Such names are one; all others are not (docs/method/transfer.md, Names).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .limits import NAMING

_NAMESPACE = re.compile(r"^.*[:|]")
# What exporters call an action that nobody named.
_NO_NAME = re.compile(
    r"mixamo\.com|^(?:unreal )?take[ _.]?\d*$|^(?:base)?layer[ _.]?\d*$|^(?:armature)?action[_.]?\d*$|"
    r"^anim(?:ation)?[ _.]?\d*$|^(?:scene|default|none|untitled)[_.]?\d*$",
    re.IGNORECASE,
)
_NO_LETTER = re.compile(r"[^a-z0-9]")

_Reader = Callable[[str], str]


@dataclass(frozen=True)
class NameMatch:
    """Which bones of a clip are which of a character.

    Attributes
    ----------
    pairs
        From a clip's bone to the character's.
    missing
        Bones of the clip that the character does not have, in their order.
    prefixes
        What stands before the names of the clip and of the character where they differ in that, else
        two empty texts.
    other_case
        How many names differ in capitals and marks alone.
    """

    pairs: dict[str, str]
    missing: tuple[str, ...]
    prefixes: tuple[str, str] = ("", "")
    other_case: int = 0

    @property
    def share(self) -> float:
        """Share of the clip's bones that the character has, 0 to 1."""
        count = len(self.pairs) + len(self.missing)
        return len(self.pairs) / count if count else 0.0


def match_names(theirs: Sequence[str], ours: Sequence[str]) -> NameMatch:
    """Bones of a clip and of a character that are the same.

    Equal names are the same first of all; then those without namespaces; then those without what
    all names of a skeleton begin with; then those that differ in capitals and marks alone. A name
    that several bones would have so stands for none of them.

    Parameters
    ----------
    theirs, ours
        Names of the clip's bones and of the character's.

    Returns
    -------
    NameMatch
    """
    pairs: dict[str, str] = {}
    other_case = 0
    prefixes = find_prefix(theirs), find_prefix(ours)
    readers: tuple[tuple[_Reader, _Reader], ...] = (
        (_read_whole, _read_whole),
        (_drop_namespace, _drop_namespace),
        (_make_dropper(prefixes[0]), _make_dropper(prefixes[1])),
        (_make_dropper(prefixes[0], _drop_marks), _make_dropper(prefixes[1], _drop_marks)),
    )
    for number, (read_theirs, read_ours) in enumerate(readers):
        taken = set(pairs.values())
        left = _index(read_ours, (name for name in ours if name not in taken))
        wanted = _index(read_theirs, (name for name in theirs if name not in pairs))
        found = {name: left[key] for key, name in wanted.items() if key in left}
        other_case += len(found) if number == len(readers) - 1 else 0
        pairs |= found
    missing = tuple(name for name in theirs if name not in pairs)
    differ = prefixes[0] != prefixes[1] and any(one != other for one, other in pairs.items())
    return NameMatch(pairs, missing, prefixes if differ else ("", ""), other_case)


def find_prefix(names: Sequence[str]) -> str:
    """What nearly all names of a skeleton begin with: a namespace, or the same letters."""
    spaces = [match[0] for name in names if (match := _NAMESPACE.match(name)) is not None]
    usual = max(set(spaces), key=spaces.count, default="")
    if usual and spaces.count(usual) >= NAMING.most * len(names):
        return usual
    shared = _find_beginning(names) if len(names) >= NAMING.fewest else ""
    # The beginning of words that are alike by chance is no prefix: it ends with a mark.
    return shared[: max((shared.rfind(mark) for mark in "_-. "), default=-1) + 1]


def _find_beginning(names: Sequence[str]) -> str:
    """The letters that all names begin with."""
    first, last = min(names), max(names)
    alike = (one == other for one, other in zip(first, last, strict=False))
    return first[: sum(itertools.takewhile(bool, alike))]


def tells_nothing(action: str) -> bool:
    """Whether the name of an action is one that programs give by themselves.

    ``Armature|mixamo.com|Layer0`` and ``Take 001`` are such names, ``Armature|Walk`` is not.
    """
    parts = [part for part in action.split("|") if part]
    # The first part is the armature's name where there are several.
    return all(_NO_NAME.search(part) for part in parts[1:] or parts)


def _read_whole(name: str) -> str:
    """A name as it is."""
    return name


def _make_dropper(prefix: str, then: _Reader = _read_whole) -> _Reader:
    """Reads a name without a prefix, or else without its namespace."""

    def drop(name: str) -> str:
        begins = bool(prefix) and name.startswith(prefix)
        return then(name.removeprefix(prefix) if begins else _drop_namespace(name))

    return drop


def _drop_namespace(name: str) -> str:
    """A name without what stands before its last colon or bar."""
    return _NAMESPACE.sub("", name) or name


def _drop_marks(name: str) -> str:
    """A name in small letters without marks."""
    return _NO_LETTER.sub("", name.lower()) or name


def _index(read: _Reader, names: Iterable[str]) -> dict[str, str]:
    """Names by how they are read; those that are read alike are left out."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(read(name), []).append(name)
    return {key: group[0] for key, group in found.items() if len(group) == 1}
