# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the planner switched off from outside, for the time of a walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from semi_procedural_locomotion.core.walk import Stage

_CORE = "semi_procedural_locomotion.core"


@dataclass(frozen=True)
class Off:
    """One thing that is replaced.

    Attributes
    ----------
    module
        Where it is looked up by those who use it, below the package's core.
    name
        Of the attribute there; with a dot that of a field of a record, or of a method of a class.
    make
        From what stands there to what shall stand there.
    """

    module: str
    name: str
    make: Callable[[Any], Any]

    def find(self) -> tuple[Any, str]:
        """The owner of the attribute, and the attribute's own name.

        Raises
        ------
        AttributeError, ImportError
            There is no such thing any more.
        """
        owner: Any = import_module(f"{_CORE}.{self.module}")
        *path, last = self.name.split(".")
        for part in path:
            owner = getattr(owner, part)
        getattr(owner, last)
        return owner, last


@dataclass(frozen=True)
class Entry:
    """Something that must earn its place.

    Attributes
    ----------
    name
        What it is called in the table.
    case
        The case that it was made for, character and scene.
    offs
        What is replaced to be without it.
    """

    name: str
    case: str
    offs: tuple[Off, ...]


def answer(module: str, name: str, function: Callable[..., Any]) -> Off:
    """A function whose place another one takes."""
    return Off(module, name, lambda _: function)


def around(module: str, name: str, make: Callable[[Callable], Callable]) -> Off:
    """A function that is called in another way."""
    return Off(module, name, make)


def put(module: str, name: str, value: object) -> Off:
    """A field of a record that holds another value."""
    return Off(module, name, lambda _: value)


def skip_stage(name: str, poses: bool = True) -> Off:
    """A stage that decides nothing; with ``poses`` it does not change the poses either."""

    def skip(stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
        if name not in [stage.name for stage in stages]:
            raise AttributeError(f"no stage is called {name!r}")
        without = {"plan": None, "pose": None} if poses else {"plan": None}
        return tuple(replace(s, **without) if s.name == name else s for s in stages)

    return Off("plan", "STAGES", skip)


@contextmanager
def switched_off(offs: Sequence[Off]) -> Iterator[None]:
    """Everything replaced, and put back in the end."""
    with ExitStack() as stack:
        for off in offs:
            owner, name = off.find()
            before = getattr(owner, name)
            # Records are frozen, so that nothing in the package writes to them.
            _set(owner, name, off.make(before))
            stack.callback(_set, owner, name, before)
        yield


def _set(owner: object, name: str, value: object) -> None:
    """Set an attribute of a module, a class or a frozen record."""
    if isinstance(owner, type):
        setattr(owner, name, value)
    else:
        object.__setattr__(owner, name, value)
