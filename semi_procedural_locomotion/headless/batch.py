# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many jobs in several worker processes; a manifest tells how each character went.

A *unit* is one character of one job, baked by a process of its own, so that whatever happens to it
happens to it alone. The manifest has a JSON object per line and unit, in the order of the jobs, and
is written anew, whole, whenever a unit ends.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import JobError, LocomotionError
from ..jobs.reading import Job, read_job
from .output import name_partial, whole_file, write_progress

WAITING, DONE, FAILED = "waiting", "done", "failed"
# Seconds between looks at the workers.
_PATIENCE = 0.05
# What a worker writes on stderr before the reason of a failure.
_REASON = re.compile(r"^semi_procedural_locomotion: (.+)$", re.MULTILINE)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Unit:
    """One character to bake.

    Attributes
    ----------
    name
        The job file as it was named, followed by ``#2`` for the second of several characters.
    job
        Absolute path of the job file.
    character
        Number of the character in the job, from 1.
    output
        The .blend file to write; None where that is not known.
    inputs
        Hash of everything that the result depends on; empty where that cannot be read.
    error
        Why the unit cannot even start; empty where it can.
    """

    name: str
    job: Path
    character: int = 1
    output: Path | None = None
    inputs: str = ""
    error: str = ""


@dataclass
class Outcome:
    """How a unit went; a line of the manifest.

    Attributes
    ----------
    unit
        The unit.
    state
        ``"waiting"``, ``"done"`` or ``"failed"``.
    seconds
        How long it took.
    numbers
        Its numbers as in report.json.
    error
        Why it failed, in one line.
    kept
        Whether it was done before and did not need to be done again.
    """

    unit: Unit
    state: str = WAITING
    seconds: float = 0.0
    numbers: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    kept: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The line of the manifest."""
        output = self.unit.output
        return {
            "unit": self.unit.name,
            "state": self.state,
            "seconds": round(self.seconds, 2),
            "output": None if output is None else str(output),
            "inputs": self.unit.inputs,
            "numbers": dict(self.numbers),
            "error": self.error,
        }


def plan_units(jobs: Sequence[Path]) -> list[Unit]:
    """Units of job files, in their order.

    Parameters
    ----------
    jobs
        Job files. One that cannot be read becomes a unit that has failed already.

    Raises
    ------
    JobError
        Two units would write the same file.
    """
    units = [unit for path in jobs for unit in _plan_job(path)]
    writers: dict[Path, str] = {}
    for unit in units:
        if unit.output is None:
            continue
        if unit.output in writers:
            raise JobError(
                f"{unit.name} and {writers[unit.output]} both write {unit.output}; "
                "give one of them another output"
            )
        writers[unit.output] = unit.name
    return units


def _plan_job(path: Path) -> list[Unit]:
    """Units of one job file."""
    where = path.absolute()
    try:
        job = read_job(where)
    except JobError as error:
        return [Unit(str(path), where, error=str(error))]
    if job.output is None:
        return [Unit(str(path), where, error="no output is named; add `output` to the job")]
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
        units.append(Unit(name, where, number, output, inputs, problem))
    return units


def _hash_inputs(job: Job, number: int) -> str:
    """Hash of what a character of a job is made from: the job's words and the files it names."""
    character = job.characters[number - 1]
    asked = (job.fps, job.frames, job.ground, job.leave_out, job.ground_choice, character)
    digest = hashlib.sha256(repr(asked).encode())
    files = [character.file, *(source.file for source in job.ground if source.file is not None)]
    for file in files:
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()


def run_units(
    units: Sequence[Unit],
    command: Sequence[str],
    environment: Mapping[str, str],
    workers: int,
    manifest: Path,
    resume: bool,
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
    workers
        Processes at a time, 1 or more.
    manifest
        File that tells how the units went; replaced whole whenever one ends.
    resume
        Keep what an earlier run has done according to the manifest, where the inputs are the same
        and the output still exists.

    Returns
    -------
    list of Outcome
        One for each unit, in their order.

    Raises
    ------
    FileError
        The manifest cannot be written.
    JobError
        The manifest to resume from is none.
    """
    known = _read_manifest(manifest) if resume else {}
    outcomes = [_find_outcome(unit, known.get(unit.name)) for unit in units]
    waiting = [outcome for outcome in outcomes if outcome.state == WAITING]
    running: list[_Worker] = []
    _write_manifest(manifest, outcomes)
    with tempfile.TemporaryDirectory() as folder:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    running.append(_Worker(waiting.pop(0), command, environment, Path(folder)))
                time.sleep(_PATIENCE)
                ended = [worker for worker in running if worker.has_ended()]
                for worker in ended:
                    running.remove(worker)
                    worker.finish()
                    _write_manifest(manifest, outcomes)
                    _tell(outcomes, worker.outcome)
        finally:
            for worker in running:
                worker.stop()
    return outcomes


class _Worker:
    """A process that bakes one unit."""

    def __init__(
        self,
        outcome: Outcome,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
    ) -> None:
        self.outcome = outcome
        unit = outcome.unit
        stem = hashlib.sha256(unit.name.encode()).hexdigest()
        self._report, self._messages = folder / f"{stem}.json", folder / f"{stem}.txt"
        arguments = [
            *("bake", str(unit.job), "--character", str(unit.character)),
            *("-o", str(unit.output), "--report", str(self._report)),
        ]
        self._start = time.monotonic()
        with self._messages.open("wb") as messages:
            self._process = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=messages,
                env={**os.environ, **environment},
            )

    def has_ended(self) -> bool:
        """Whether the process is over."""
        return self._process.poll() is not None

    def finish(self) -> None:
        """Write down how the process went."""
        outcome = self.outcome
        outcome.seconds = time.monotonic() - self._start
        if self._process.returncode == 0 and self._report.exists():
            report = json.loads(self._report.read_text(encoding="utf-8"))
            (entry,) = report["characters"]
            outcome.state, outcome.numbers = DONE, entry
            return
        self._clean()
        outcome.state = FAILED
        text = self._messages.read_text(encoding="utf-8", errors="replace")
        reasons = _REASON.findall(text)
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        ending = f"ended with exit code {self._process.returncode}"
        outcome.error = reasons[-1] if reasons else f"{ending}: {lines[-1] if lines else 'no word'}"

    def stop(self) -> None:
        """End the process before it is over."""
        self._process.terminate()
        self._process.wait()
        self._clean()

    def _clean(self) -> None:
        """Remove what a process that was killed has left half written."""
        output = self.outcome.unit.output
        if output is not None:
            name_partial(output, self._process.pid).unlink(missing_ok=True)


def _find_outcome(unit: Unit, kept: Mapping[str, Any] | None) -> Outcome:
    """How a unit stands before anything runs."""
    if unit.error:
        return Outcome(unit, FAILED, error=unit.error)
    if (
        kept is not None
        and unit.output is not None
        and kept.get("state") == DONE
        and kept.get("inputs") == unit.inputs
        and kept.get("output") == str(unit.output)
        and unit.output.is_file()
    ):
        return Outcome(unit, DONE, float(kept["seconds"]), kept["numbers"], kept=True)
    return Outcome(unit)


def _read_manifest(path: Path) -> dict[str, Mapping[str, Any]]:
    """Lines of a manifest by unit; none where there is no file."""
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


def _write_manifest(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the manifest whole."""
    text = "".join(
        json.dumps(outcome.as_dict(), ensure_ascii=False, allow_nan=False) + "\n"
        for outcome in outcomes
    )
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _tell(outcomes: Sequence[Outcome], outcome: Outcome) -> None:
    """A progress line about a unit that has ended."""
    over = sum(o.state != WAITING for o in outcomes)
    words = f"{outcome.unit.name} {outcome.state} in {outcome.seconds:.1f} s"
    write_progress(over / len(outcomes), words)


def count_workers(asked: int | None) -> int:
    """Processes at a time: as asked for, or one for each processor."""
    return asked if asked is not None else max(os.cpu_count() or 1, 1)


def raise_failures(outcomes: Sequence[Outcome]) -> None:
    """Raise LocomotionError that names every failed unit and its reason, where there is one."""
    failed = [outcome for outcome in outcomes if outcome.state == FAILED]
    if failed:
        reasons = "; ".join(f"{o.unit.name}: {o.error}" for o in failed)
        raise LocomotionError(f"{len(failed)} of {len(outcomes)} units failed: {reasons}")
