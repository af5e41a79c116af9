# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ending early: signals that ask for it, and a parent process that is gone."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from .output import remove_unfinished

# Set for workers, whose stdin is a pipe that their parent keeps open as long as it lives.
PARENT_VARIABLE = "SEMI_PROCEDURAL_LOCOMOTION_WATCHES_STDIN"
_STDIN = 0
_ORPHANED = 1
# What shells add to the number of a signal for the exit code of what it ended.
_SIGNAL_BASE = 128
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Stopped(BaseException):
    """A signal asks the program to end; no Exception, so that nothing goes on in spite of it.

    Attributes
    ----------
    number
        Number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by {signal.Signals(number).name}")
        self.number = number

    @property
    def exit_code(self) -> int:
        """Exit code of a program that a signal ends."""
        return _SIGNAL_BASE + self.number


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raise `Stopped` at the first signal that asks to end; those that follow do not disturb the end.

    Outside the main thread, where signals cannot be handled, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    # None stands for a handler that was not set by Python.
    former = {number: signal.getsignal(number) for number in numbers}

    def stop(number: int, _frame: FrameType | None) -> None:
        for other in numbers:
            signal.signal(other, signal.SIG_IGN)
        raise Stopped(number)

    # What was ignored from the start, as by nohup, stays so.
    for number in numbers:
        if former[number] != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def end_with_parent() -> None:
    """End this process when its parent is gone, where it was started as a worker.

    What is half written is removed.
    """
    if os.environ.pop(PARENT_VARIABLE, ""):
        threading.Thread(target=_wait_for_end, daemon=True).start()


def _wait_for_end() -> None:
    """Wait until the parent's end of the pipe is closed, then end the process."""
    while os.read(_STDIN, 1):
        pass
    remove_unfinished()
    os._exit(_ORPHANED)
