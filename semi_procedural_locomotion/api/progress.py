# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work cut into steps, so that a window can redraw and hear Esc between them.

Steps are a generator: it yields the share done and a text before each piece of work, and returns
the result. Nothing in the file changes while the steps run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

Result = TypeVar("Result")
Progress = Callable[[float, str], None]
Steps = Generator[tuple[float, str], None, Result]


def run_steps(steps: Steps[Result], progress: Progress | None = None) -> Result:
    """Run all steps and give their result.

    Parameters
    ----------
    steps
        The work, not begun.
    progress
        Called with the share done and a text before each step.
    """
    while True:
        try:
            share, text = next(steps)
        except StopIteration as end:
            return end.value
        if progress is not None:
            progress(share, text)


def scale_steps(steps: Steps[Result], start: float, end: float) -> Steps[Result]:
    """The same steps as a part of longer work, from one share of it to another."""
    while True:
        try:
            share, text = next(steps)
        except StopIteration as stop:
            return stop.value
        yield start + (end - start) * share, text


def chain_steps(parts: Sequence[Steps[Result]]) -> Steps[list[Result]]:
    """Several pieces of work one after the other, each an equal share; gives all results."""
    results = []
    for number, part in enumerate(parts):
        start, end = number / len(parts), (number + 1) / len(parts)
        results.append((yield from scale_steps(part, start, end)))
    return results
