# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several changes of a file that happen together or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass


@dataclass(frozen=True)
class Write:
    """One change of a file.

    Attributes
    ----------
    name
        What is written.
    do
        Writes it.
    undo
        Puts back what was there before, also where ``do`` was left half done; None where the undoing
        of an earlier write does that.
    """

    name: str
    do: Callable[[], None]
    undo: Callable[[], None] | None = None


def commit_writes(writes: Sequence[Write], last: Callable[[], None] | None = None) -> None:
    """Do all writes in their order; where one fails, undo it and all before it.

    The undoing goes backwards, and on where a part of it fails. The exception is raised again.

    Parameters
    ----------
    writes
        The changes.
    last
        One that cannot be undone, and which is done or not as a whole. Nothing follows it that can fail.
    """
    with ExitStack() as undoing:
        for write in writes:
            if write.undo is not None:
                undoing.callback(write.undo)
            write.do()
        if last is not None:
            last()
        undoing.pop_all()
