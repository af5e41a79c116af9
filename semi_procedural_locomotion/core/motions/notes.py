# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warnings about motions in words that name the motion (numpy only)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
# So many more motions are named beside the first; the rest is counted.
_MOST_NAMES = 3


def name_warning(name: str, text: str) -> str:
    """A warning led by the name of its motion, unless it names it already."""
    return text if not name or repr(name) in text else f"{name}: {text}"


def collect_warnings(rows: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Warnings of several motions, each once.

    Parameters
    ----------
    rows
        Name and warnings of each motion.

    Returns
    -------
    list of str
        In the order of their first motion. The same warning on several motions is one line with the
        numbers of the first of them, and the names of the others.
    """
    first: dict[str, tuple[str, str]] = {}
    others: dict[str, list[str]] = {}
    for name, warnings in rows:
        for text in warnings:
            kind = _NUMBER.sub("#", text)
            if kind not in first:
                first[kind] = (name, text)
                others[kind] = []
            elif name != first[kind][0] and name not in others[kind]:
                others[kind].append(name)
    return [
        name_warning(name, text) + _name_others(others[kind])
        for kind, (name, text) in first.items()
    ]


def _name_others(names: Sequence[str]) -> str:
    """Who else has the same warning, in brackets; empty for nobody."""
    if not names:
        return ""
    shown = ", ".join(names[:_MOST_NAMES])
    left = len(names) - _MOST_NAMES
    return f" (likewise {shown}{f' and {left} more' if left > 0 else ''})"
