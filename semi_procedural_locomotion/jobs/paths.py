# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths that people write, which no disk may be able to have."""

from __future__ import annotations

from pathlib import Path


def resolve_path(folder: Path, text: str) -> Path | None:
    """The absolute path that a text names, a ``~`` as the user's own folder.

    Parameters
    ----------
    folder
        What it is relative to.
    text
        As it was written.

    Returns
    -------
    Path or None
        None where there can be no such path: of signs that no name has, of an unknown user, of links
        that lead to themselves.
    """
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
