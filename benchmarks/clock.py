# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times that can be compared on a machine that does other work too.

Things to compare take turns in one process, and of each the shortest turn counts. Times are those of
the processor, not of the clock on the wall. Numbers for a reader are given against a fixed kernel of
numpy as well, which takes its turn like all others.
"""

from __future__ import annotations

import functools
import gc
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

Work = Callable[[], object]

KERNEL_FRAMES, KERNEL_BONES = 1000, 50
"""Of the fixed kernel: so many poses of so many bones are turned and blended once."""


def run_kernel() -> None:
    """Products and blends of quaternions, as much as a character of 50 bones has in 1,000 frames."""
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 4, KERNEL_BONES, KERNEL_FRAMES))
    for _ in range(4):
        a[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
        a[1:] = a[0] * b[1:] + b[0] * a[1:]
        a /= np.sqrt((a * a).sum(axis=0))


def compare(works: Mapping[str, Work], rounds: int = 5) -> dict[str, float]:
    """Seconds of the processor that each of several works takes, the shortest of some turns each."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            gc.collect()
            began = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - began)
    return best


def time_once(work: Work) -> float:
    """Seconds of the processor that a work takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def read_memory(*, resets_peak: bool = False) -> float:
    """MB that this process holds now where the peak is reset, else at the most since; Linux alone."""
    if resets_peak:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)" if resets_peak else r"VmHWM:\s+(\d+)", status)
    return int(found[1]) / 1024.0 if found else float("nan")


class Stopwatch:
    """How long stages of a work take, without what other stages take inside of them.

    A stage is a function, named by its module and its name there; while `running` it is told from the
    rest.
    """

    def __init__(self, stages: Mapping[str, tuple[tuple[Any, str], ...]]) -> None:
        self._stages = stages
        self._open: list[list[float]] = []
        self.seconds: dict[str, float] = dict.fromkeys(stages, 0.0)
        self.calls: dict[str, int] = dict.fromkeys(stages, 0)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what the stages take meanwhile."""
        kept = []
        for stage, places in self._stages.items():
            for owner, name in places:
                kept.append((owner, name, getattr(owner, name)))
                setattr(owner, name, self._wrap(stage, getattr(owner, name)))
        try:
            yield
        finally:
            for owner, name, function in kept:
                setattr(owner, name, function)

    def _wrap(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def timed(*args: object, **kwargs: object) -> object:
            self._open.append([0.0])
            began = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                taken = time.process_time() - began
                (inside,) = self._open.pop()
                self.seconds[stage] += taken - inside
                self.calls[stage] += 1
                if self._open:
                    self._open[-1][0] += taken

        return timed
