# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many jobs in several worker processes; a manifest tells how each character went.

A *unit* is one character of one job, baked by a process of its own, so that whatever happens to it
happens to it alone. Units are planned in `units`, processes are in `workers`, what is told in `manifest`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
import threading
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

from ..blender.files.kinds import is_whole
from ..errors import JobError, LocomotionError
from ..jobs.reading import Job, read_job
from .output import (
    OutputKind,
    name_partial,
    refuse_outputs,
    remove_unfinished,
    whole_file,
    write_progress,
)


def read_version() -> str:
    """The version in the extension's manifest, which lies beside the package."""
    manifest = Path(__file__).resolve().parents[2] / "blender_manifest.toml"
    try:
        return str(tomllib.loads(manifest.read_text(encoding="utf-8"))["version"])
    except OSError:
        return "of unknown version"


WAITING, DONE, FAILED, INTERRUPTED = "waiting", "done", "failed", "interrupted"
_CHUNK = 1 << 20


@dataclass(frozen=True)
class _Unit:
    """One character to bake.

    Attributes
    ----------
    name
        The job file as it was named, followed by ``#2`` for the second of several characters.
    character
        Number of the character in the job, from 1.
    output
        The .blend file to write; None where that is not known.
    reads
        Files that the job names.
    inputs
        Hash of the job's words, these files and the program's version; empty where that cannot be read.
    error
        Why the unit cannot even start; empty where it can.
    """

    name: str
    job: Path
    character: int = 1
    output: Path | None = None
    reads: tuple[Path, ...] = ()
    inputs: str = ""
    error: str = ""


@dataclass
class Outcome:
    """Record of how a unit went; a line of the manifest.

    Attributes
    ----------
    unit
        The unit.
    state
        ``"waiting"``, ``"done"``, ``"failed"`` or ``"interrupted"``.
    numbers
        Its numbers as in report.json.
    files
        Hash of every file that it was made from, also of those that no job names, such as linked files;
        an empty one where the file has changed meanwhile.
    made
        Hash of its output; empty where there is none.
    log
        File of what its process said; None where it was not started.
    kept
        Whether it was done before and did not need to be done again.
    """

    unit: _Unit
    state: str = WAITING
    seconds: float = 0.0
    numbers: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    made: str = ""
    error: str = ""
    attempts: int = 0
    log: Path | None = None
    kept: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The line of the manifest."""
        output = self.unit.output
        return {
            "unit": self.unit.name,
            "state": self.state,
            "seconds": round(self.seconds, 2),
            "attempts": self.attempts,
            "output": None if output is None else str(output),
            "log": None if self.log is None else str(self.log),
            "inputs": self.unit.inputs,
            "files": dict(self.files),
            "made": self.made,
            "numbers": dict(self.numbers),
            "warnings": list(self.numbers.get("warnings", ())),
            "error": self.error,
        }


def plan_units(jobs: Sequence[Path]) -> list[_Unit]:
    """Units of job files, in their order.

    Raises JobError: two units would write the same file.

    Parameters
    ----------
    jobs
        Job files. One that cannot be read becomes a unit that has failed already.
    """
    units = [unit for path in jobs for unit in _plan_job(path)]
    writers: dict[str, str] = {}
    for unit in units:
        if unit.output is None:
            continue
        place = os.path.normcase(os.path.realpath(unit.output))
        if place in writers:
            raise JobError(
                f"{unit.name} and {writers[place]} both write {unit.output}; "
                "give one of them another output"
            )
        writers[place] = unit.name
    return units


def _plan_job(path: Path) -> list[_Unit]:
    """Units of one job file."""
    where = path.absolute()
    try:
        job = read_job(where)
    except JobError as error:
        return [_Unit(str(path), where, error=str(error))]
    if job.output is None:
        return [_Unit(str(path), where, error="no output is named; add `output` to the job")]
    several = len(job.characters) > 1
    units = []
    for number in range(1, len(job.characters) + 1):
        output = job.output
        if several:
            output = output.with_name(f"{output.stem}-{number}{output.suffix}")
        inputs = problem = ""
        try:
            inputs = _hash_inputs(job, number)
        except OSError as error:
            problem = f"{error.filename}: cannot be read ({error.strerror})"
        name = f"{path}#{number}" if several else str(path)
        units.append(_Unit(name, where, number, output, job.files, inputs, problem))
    return units


def _hash_inputs(job: Job, number: int) -> str:
    """Hash of the program's version, of a job's words about a character, and of its files."""
    character = job.characters[number - 1]
    asked = (job.fps, job.frames, job.ground, job.leave_out, job.ground_choice, character)
    digest = hashlib.sha256(repr((read_version(), asked)).encode(errors="surrogateescape"))
    files = [character.file, *(source.file for source in job.ground if source.file is not None)]
    for file in files:
        digest.update(_hash_file(file).encode())
    return digest.hexdigest()


def _hash_file(path: Path) -> str:
    """Hash of a file's bytes."""
    state = path.stat()
    return _hash_content(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=1024)
def _hash_content(path: Path, _size: int, _changed: int) -> str:
    """Hash of a file that is so large and was changed then: many units are made from one file."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def read_manifest(path: Path) -> dict[str, Mapping[str, Any]]:
    """Lines of a manifest by unit; none where there is no file.

    Raises JobError: the file is no manifest.
    """
    if not path.exists():
        return {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        entries = [json.loads(line) for line in lines if line.strip()]
        return {str(entry["unit"]): entry for entry in entries}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise JobError(
            f"{path}: is no manifest of a batch; name another, or run without --resume"
        ) from error


def _write_manifest(
    path: Path, outcomes: Sequence[Outcome], others: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Write the manifest whole."""
    lines = [*(outcome.as_dict() for outcome in outcomes), *others]
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def _find_outcome(unit: _Unit, kept: Mapping[str, Any] | None) -> Outcome:
    """Find how a unit stands before anything runs: failed already, done before, or waiting."""
    if unit.error:
        return Outcome(unit, FAILED, error=unit.error)
    if kept is None or unit.output is None:
        return Outcome(unit)
    try:
        files: Mapping[str, str] = kept.get("files") or {}
        made = str(kept["made"])
        same = (
            kept.get("state") == DONE
            and kept.get("inputs") == unit.inputs
            and kept.get("output") == str(unit.output)
            and is_whole(unit.output)
            and _is_unchanged(str(unit.output), made)
            and all(_is_unchanged(name, digest) for name, digest in files.items())
        )
        if not same:
            return Outcome(unit)
        log = Path(kept["log"]) if kept.get("log") else None
        return Outcome(
            unit,
            DONE,
            float(kept["seconds"]),
            kept["numbers"],
            files,
            made,
            attempts=int(kept.get("attempts", 1)),
            log=log,
            kept=True,
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        # A line that was changed by hand tells nothing.
        return Outcome(unit)


def _is_unchanged(name: str, digest: str) -> bool:
    """Whether a file is there and has its former content."""
    try:
        return _hash_file(Path(name)) == digest
    except OSError:
        return False


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
class _WorkerChoice:
    """Record of how workers are started.

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


class _Worker:
    """A process that bakes one unit."""

    def __init__(self, outcome: Outcome, choice: _WorkerChoice) -> None:
        self.outcome = outcome
        self._limit = choice.time_limit
        self._is_late = False
        unit = outcome.unit
        outcome.attempts += 1
        outcome.log = choice.logs / _name_log(unit.name)
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
                outcome.made = _hash_file(outcome.unit.output)
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
            return _hash_file(path) if path.stat().st_mtime < self._clock else ""
        except OSError:
            return ""

    def _clean(self) -> None:
        """Remove what a process that was killed has left half written."""
        output = self.outcome.unit.output
        if output is not None:
            name_partial(output, self._process.pid).unlink(missing_ok=True)


def _name_log(unit: str) -> str:
    """File name for what the worker of a unit says: its own, made fit, and never another's."""
    words = re.sub(r"[^A-Za-z0-9._#-]+", "-", unit)[-_LOG_NAME_LENGTH:].strip("-.")
    digest = hashlib.sha256(unit.encode(errors="surrogateescape")).hexdigest()
    return f"{words}-{digest[:8]}.log"


# Seconds between looks at the workers.
_PATIENCE = 0.05
# A unit that was killed from outside is started this often.
_MOST_ATTEMPTS = 2


@dataclass(frozen=True)
class BatchChoice:
    """Record of how a batch is run.

    Attributes
    ----------
    manifest
        Absolute path of the file that tells how the units went.
    logs
        Folder for what workers say.
    resume
        Keep what an earlier run has done according to the manifest, where nothing that it was made
        from has changed and the output is still there, and whole.
    time_limit
        Seconds after which a unit fails; None for no limit.
    """

    workers: int
    manifest: Path
    logs: Path
    resume: bool = False
    time_limit: float | None = None


def run_units(
    units: Sequence[_Unit],
    command: Sequence[str],
    environment: dict[str, str],
    choice: BatchChoice,
) -> list[Outcome]:
    """Bake all units, several at a time.

    Parameters
    ----------
    units
        From `plan_units`.
    command
        Command line of a worker without the verb.
    environment
        Variables that workers get besides those of this process.

    Returns
    -------
    list of Outcome
        One for each unit, in their order.

    Raises
    ------
    FileError
        The manifest cannot be written.
    JobError
        The manifest to resume from is none, an output would take the place of a file that is read or
        of one of another kind, or there can be no folder for the logs; nothing is written then.
    Stopped
        A signal asks to end: all workers are ended, and the manifest tells it.
    """
    scenes = [(OutputKind.JOB_SCENE, unit.output) for unit in units]
    refuse_outputs(
        [(OutputKind.MANIFEST, choice.manifest), *scenes],
        [path for unit in units for path in (unit.job, *unit.reads)],
    )
    known = read_manifest(choice.manifest) if choice.resume else {}
    outcomes = [_find_outcome(unit, known.get(unit.name)) for unit in units]
    waiting = [outcome for outcome in outcomes if outcome.state == WAITING]
    running: list[_Worker] = []
    # What an earlier run tells of other jobs is still true.
    named = {unit.name for unit in units}
    others = [line for name, line in known.items() if name not in named]

    def tell() -> None:
        _write_manifest(choice.manifest, outcomes, others)

    _make_folder(choice.logs)
    tell()
    starting = _WorkerChoice(command, environment, choice.logs, choice.time_limit)
    try:
        while waiting or running:
            while waiting and len(running) < choice.workers:
                running.append(_Worker(waiting.pop(0), starting))
            time.sleep(_PATIENCE)
            for worker in [worker for worker in running if worker.has_ended()]:
                running.remove(worker)
                worker.finish()
                outcome = worker.outcome
                if worker.was_killed() and outcome.attempts < _MOST_ATTEMPTS:
                    outcome.state, outcome.error = WAITING, ""
                    waiting.append(outcome)
                    write_progress(_share(outcomes), f"{outcome.unit.name} was killed: once more")
                    continue
                tell()
                words = f"{outcome.unit.name} {outcome.state} in {outcome.seconds:.1f} s"
                write_progress(_share(outcomes), words)
    except (Stopped, KeyboardInterrupt) as stop:
        for worker in running:
            worker.outcome.state, worker.outcome.error = INTERRUPTED, str(stop) or "interrupted"
        stop.add_note(f"{choice.manifest} tells what is done; --resume goes on from there")
        raise
    finally:
        for worker in running:
            worker.stop()
        if running:
            tell()
    return outcomes


def _make_folder(folder: Path) -> None:
    """Make the folder of the logs.

    Raises JobError: it is a file, or may not be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JobError(
            f"{folder}: is no folder and cannot be made one ({error.strerror}); name another with "
            "--logs"
        ) from error


def _share(outcomes: Sequence[Outcome]) -> float:
    """Share of the units that have ended."""
    return sum(outcome.state != WAITING for outcome in outcomes) / len(outcomes)


def count_workers(asked: int | None) -> int:
    """Processes at a time: as asked for, or one for each processor."""
    return asked if asked is not None else max(os.cpu_count() or 1, 1)


def raise_failures(outcomes: Sequence[Outcome]) -> None:
    """Raise LocomotionError that names every failed unit and its reason, where there is one."""
    failed = [outcome for outcome in outcomes if outcome.state == FAILED]
    if failed:
        reasons = "; ".join(f"{o.unit.name}: {o.error}" for o in failed)
        raise LocomotionError(f"{len(failed)} of {len(outcomes)} units failed: {reasons}")
