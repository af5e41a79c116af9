# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many jobs in several worker processes; a manifest tells how each character went.

A *unit* is one character of one job, baked by a process of its own, so that whatever happens to it
happens to it alone. Units are planned in `units`, processes are in `workers`, what is told in `manifest`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import JobError, LocomotionError
from .manifest import find_outcome, read_manifest, write_manifest
from .output import OutputKind, refuse_outputs, write_progress
from .stopping import Stopped
from .units import FAILED, INTERRUPTED, WAITING, Outcome, Unit
from .workers import Worker, WorkerChoice

# Seconds between looks at the workers.
_PATIENCE = 0.05
# A unit that was killed from outside is started this often.
_MOST_ATTEMPTS = 2


@dataclass(frozen=True)
class BatchChoice:
    """How a batch is run.

    Attributes
    ----------
    workers
        Processes at a time, 1 or more.
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
    units: Sequence[Unit],
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
    choice
        How they are run.

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
    outcomes = [find_outcome(unit, known.get(unit.name)) for unit in units]
    waiting = [outcome for outcome in outcomes if outcome.state == WAITING]
    running: list[Worker] = []
    # What an earlier run tells of other jobs is still true.
    named = {unit.name for unit in units}
    others = [line for name, line in known.items() if name not in named]

    def tell() -> None:
        write_manifest(choice.manifest, outcomes, others)

    _make_folder(choice.logs)
    tell()
    starting = WorkerChoice(command, environment, choice.logs, choice.time_limit)
    try:
        while waiting or running:
            while waiting and len(running) < choice.workers:
                running.append(Worker(waiting.pop(0), starting))
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

    Raises
    ------
    JobError
        It is a file, or may not be made.
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
