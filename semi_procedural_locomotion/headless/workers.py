# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Worker processes of a batch: started, watched, ended, and what they have left behind."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .output import name_partial
from .stopping import PARENT_VARIABLE
from .units import DONE, FAILED, Outcome, hash_file

# What a worker writes on stderr before the reason of a failure.
_REASON = re.compile(r"^semi_procedural_locomotion: (.+)$", re.MULTILINE)
# Seconds that a worker has to end by itself when it is asked to.
_GRACE = 10.0
# Signals that come from outside: somebody's, or the system's when memory runs out. Shells that
# stand between tell them with 128 added.
_OUTSIDE = [
    int(getattr(signal, name)) for name in ("SIGHUP", "SIGKILL", "SIGTERM") if hasattr(signal, name)
]
_KILLED = frozenset([-number for number in _OUTSIDE] + [128 + number for number in _OUTSIDE])
_LOG_NAME_LENGTH = 80


@dataclass(frozen=True)
class WorkerChoice:
    """How workers are started.

    Attributes
    ----------
    command
        Command line of a worker without the verb.
    environment
        Variables that workers get besides those of this process.
    logs
        Folder for what they say, and for the numbers that they tell.
    time_limit
        Seconds after which a unit fails; None for no limit.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    logs: Path
    time_limit: float | None = None


class Worker:
    """A process that bakes one unit."""

    def __init__(self, outcome: Outcome, choice: WorkerChoice) -> None:
        self.outcome = outcome
        self._limit = choice.time_limit
        self._is_late = False
        unit = outcome.unit
        outcome.attempts += 1
        outcome.log = choice.logs / name_log(unit.name)
        self._report = outcome.log.with_suffix(".json")
        # That of an earlier run tells nothing of this one.
        self._report.unlink(missing_ok=True)
        arguments = [
            *("bake", str(unit.job), "--character", str(unit.character)),
            *("-o", str(unit.output), "--report", str(self._report)),
        ]
        self._start, self._clock = time.monotonic(), time.time()
        with outcome.log.open("wb" if outcome.attempts == 1 else "ab") as messages:
            # Nothing is written to the pipe: it closes when this process is gone, and so the worker ends.
            self._process = subprocess.Popen(
                [*choice.command, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=messages,
                env={**os.environ, **choice.environment, PARENT_VARIABLE: "1"},
            )

    def has_ended(self) -> bool:
        """Whether the process is over; one that takes longer than it may is ended here."""
        if self._process.poll() is not None:
            return True
        if self._limit is not None and time.monotonic() - self._start > self._limit:
            self._is_late = True
            self.stop()
            return True
        return False

    def was_killed(self) -> bool:
        """Whether the process was ended from outside, and not by its time limit."""
        return not self._is_late and self._process.returncode in _KILLED

    def finish(self) -> None:
        """Write down how the process went."""
        outcome, process = self.outcome, self._process
        outcome.seconds = time.monotonic() - self._start
        if process.stdin is not None:
            process.stdin.close()
        if process.returncode == 0 and self._report.exists():
            report = json.loads(self._report.read_text(encoding="utf-8"))
            (entry,) = report["characters"]
            outcome.state, outcome.numbers = DONE, entry
            outcome.files = {name: self._hash(Path(name)) for name in report.get("files", ())}
            if outcome.unit.output is not None:
                outcome.made = hash_file(outcome.unit.output)
            return
        self._clean()
        outcome.state, outcome.error = FAILED, self._find_reason()

    def stop(self) -> None:
        """End the process before it is over."""
        self._process.terminate()
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._clean()

    def _find_reason(self) -> str:
        """Why the process failed: what it says itself, or its exit code and last words."""
        if self._is_late:
            return f"took longer than {self._limit:g} s and was ended (--time-limit)"
        log = self.outcome.log
        text = "" if log is None else log.read_text(encoding="utf-8", errors="replace")
        reasons = _REASON.findall(text)
        if reasons:
            return str(reasons[-1])
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        last = lines[-1] if lines else "no word"
        return f"ended with exit code {self._process.returncode}: {last}"

    def _hash(self, path: Path) -> str:
        """Hash of a file that was read; empty where it has changed since the process began."""
        try:
            return hash_file(path) if path.stat().st_mtime < self._clock else ""
        except OSError:
            return ""

    def _clean(self) -> None:
        """Remove what a process that was killed has left half written."""
        output = self.outcome.unit.output
        if output is not None:
            name_partial(output, self._process.pid).unlink(missing_ok=True)


def name_log(unit: str) -> str:
    """File name for what the worker of a unit says: its own, made fit, and never another's."""
    words = re.sub(r"[^A-Za-z0-9._#-]+", "-", unit)[-_LOG_NAME_LENGTH:].strip("-.")
    digest = hashlib.sha256(unit.encode(errors="surrogateescape")).hexdigest()
    return f"{words}-{digest[:8]}.log"
