# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Units of a batch: one character of one job each, what it is made from, and how it went."""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import JobError
from ..jobs.reading import Job, read_job


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
class Unit:
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

    unit: Unit
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


def plan_units(jobs: Sequence[Path]) -> list[Unit]:
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
        units.append(Unit(name, where, number, output, job.files, inputs, problem))
    return units


def _hash_inputs(job: Job, number: int) -> str:
    """Hash of the program's version, of a job's words about a character, and of its files."""
    character = job.characters[number - 1]
    asked = (job.fps, job.frames, job.ground, job.leave_out, job.ground_choice, character)
    digest = hashlib.sha256(repr((read_version(), asked)).encode(errors="surrogateescape"))
    files = [character.file, *(source.file for source in job.ground if source.file is not None)]
    for file in files:
        digest.update(hash_file(file).encode())
    return digest.hexdigest()


def hash_file(path: Path) -> str:
    """Hash of a file's bytes.

    Raises OSError: it cannot be read.
    """
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
