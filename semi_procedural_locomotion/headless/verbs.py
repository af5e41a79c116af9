# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each verb does: check the options, call the api, write the result."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import BakeError, JobError, LocomotionError
from ..jobs.reading import CHARACTER_SUFFIXES, Job, read_job
from ..jobs.tables import is_file, name_way
from . import batch
from .output import (
    Output,
    OutputKind,
    refuse_outputs,
    text_from_data,
    whole_file,
    whole_folder,
    write_progress,
)
from .tables import (
    page_from_report,
    table_from_batch,
    table_from_report,
    text_from_fixes,
    text_from_inspection,
)
from .units import plan_units

Writer = Callable[[str], None]


def run_demo(options: argparse.Namespace, write: Writer) -> None:
    """Make the demo in a folder and write its numbers.

    Raises LocomotionError: the demo could not be made or written.
    """
    folder: Path = options.output.absolute()

    from ..demo.making import make_demo
    from .session import ensure_registered

    ensure_registered()
    with whole_folder(folder) as temporary:
        report = make_demo(temporary, progress=write_progress)
        (temporary / "report.json").write_text(text_from_data(report), encoding="utf-8")
    write(table_from_report(report))
    write(f"\nWritten to {folder}\n")


def run_inspect(options: argparse.Namespace, write: Writer) -> None:
    """Tell what is found in a file.

    Raises
    ------
    JobError
        The file does not exist or is of a kind that cannot be read.
    LocomotionError
        The file is broken or has nothing to inspect.
    """
    path = _check_file(options.file, CHARACTER_SUFFIXES)
    kind = OutputKind.FINDINGS_AS_JSON if options.json else OutputKind.FINDINGS
    refuse_outputs([(kind, options.output)], [path])

    from .. import api
    from .session import ensure_registered

    ensure_registered()
    try:
        findings = api.inspect_file(path, progress=write_progress)
    except LocomotionError as error:
        if options.json:
            # Programs read what was refused, and why, where they read what was found.
            refused = {
                "file": path.name,
                "taken": None,
                "armatures": [],
                "refused": [error.job_text],
            }
            _write_findings(options, text_from_data(refused), write)
        raise
    text = text_from_data(findings) if options.json else text_from_inspection(findings)
    _write_findings(options, text, write)


def _write_findings(options: argparse.Namespace, text: str, write: Writer) -> None:
    """Write what was found to where the options say."""
    if options.output is None:
        write(text)
        return
    with whole_file(options.output.absolute()) as temporary:
        temporary.write_text(text, encoding="utf-8")


def run_bake(options: argparse.Namespace, write: Writer) -> None:
    """Bake a job or a .blend file with set-up characters, save, and write the numbers.

    Raises
    ------
    JobError
        The job or the options are wrong.
    LocomotionError
        A character could not be baked; then no file is written.
    """
    path = _check_file(options.file, (".blend", ".toml"))
    job = _choose_character(read_job(path), options) if path.suffix.lower() == ".toml" else None
    if job is None and options.character is not None:
        raise JobError("--character counts the characters of a job; use --only with a .blend")
    output = _output_path(options.output or (job.output if job else None))
    outputs = [(OutputKind.SCENE, output), (OutputKind.REPORT, options.report)]
    refuse_outputs(outputs, [path, *(job.files if job else ())])

    from .. import api
    from .session import ensure_registered

    ensure_registered()
    with contextlib.ExitStack() as files:
        blend = files.enter_context(whole_file(output))
        if options.report is not None:
            numbers = files.enter_context(whole_file(options.report.absolute()))
        only, frames = options.only, options.frames
        if job is not None:
            report = api.bake_job(job, blend, only=only, frames=frames, progress=write_progress)
        else:
            report = api.bake_blend(path, blend, only=only, frames=frames, progress=write_progress)
        _refuse_read(outputs, report)
        if options.report is not None:
            numbers.write_text(text_from_data(report), encoding="utf-8")
    write(table_from_report(report))
    write(f"\nWritten to {output}\n")


def _refuse_read(outputs: Sequence[Output], report: Mapping[str, Any]) -> None:
    """Refuse to write over what was read without being named, as linked files."""
    refuse_outputs(outputs, [Path(name) for name in report.get("files", ())])


def _choose_character(job: Job, options: argparse.Namespace) -> Job:
    """The job, or of its characters only the one that the options number."""
    number: int | None = options.character
    if number is None:
        return job
    if not 1 <= number <= len(job.characters):
        raise JobError(f"--character must be 1 to {len(job.characters)}, got {number}")
    return replace(job, characters=(job.characters[number - 1],))


def run_fix(options: argparse.Namespace, write: Writer) -> None:
    """Plant the feet of the characters of a file, save, and write the numbers.

    Raises
    ------
    JobError
        The options are wrong.
    LocomotionError
        Nothing could be cleaned; then no file is written.
    """
    path = _check_file(options.file, CHARACTER_SUFFIXES)
    output = _output_path(options.output)
    outputs = [(OutputKind.SCENE, output), (OutputKind.REPORT, options.report)]
    refuse_outputs(outputs, [path])

    from .. import api
    from .session import ensure_registered

    ensure_registered()
    with contextlib.ExitStack() as files:
        blend = files.enter_context(whole_file(output))
        if options.report is not None:
            numbers = files.enter_context(whole_file(options.report.absolute()))
        report = api.fix_file(
            path, blend, only=options.only, frames=options.frames, progress=write_progress
        )
        _refuse_read(outputs, report)
        if options.report is not None:
            numbers.write_text(text_from_data(report), encoding="utf-8")
    write(text_from_fixes(report))
    write(f"\nWritten to {output}\n")


def run_batch(options: argparse.Namespace, write: Writer) -> None:
    """Bake many jobs in several processes and write how they went.

    Raises
    ------
    JobError
        The options are wrong.
    LocomotionError
        Some unit failed; the others are done.
    """
    units = plan_units(options.jobs)

    from .session import find_worker_command

    command, environment = find_worker_command()
    manifest = options.manifest.absolute()
    logs = options.logs or manifest.with_name(f"{manifest.stem}-logs")
    choice = batch.BatchChoice(
        batch.count_workers(options.workers),
        manifest,
        logs.absolute(),
        options.resume,
        options.time_limit,
    )
    outcomes = batch.run_units(units, command, environment, choice)
    write(table_from_batch([{**o.as_dict(), "kept": o.kept} for o in outcomes]))
    write(f"\nManifest in {manifest}\n")
    batch.raise_failures(outcomes)


def run_verify(options: argparse.Namespace, write: Writer) -> None:
    """Look whether the baked walks of a .blend file are shown well.

    Raises LocomotionError: the file cannot be read or holds no baked walk, or something spoils one.
    """
    path = _check_file(options.file, (".blend",))

    from .. import api
    from .session import ensure_registered

    ensure_registered()
    faults = api.verify_file(path, progress=write_progress)
    if faults:
        raise BakeError("\n".join(faults))
    write("all baked walks are shown well\n")


def run_report(options: argparse.Namespace, write: Writer) -> None:
    """Measure the baked walks of a .blend file.

    Raises LocomotionError: the file cannot be read or holds no baked walk.
    """
    path = _check_file(options.file, (".blend",))

    from .. import api
    from .session import ensure_registered

    ensure_registered()
    with contextlib.ExitStack() as files:
        folder: Path | None = None
        if options.output is not None:
            folder = files.enter_context(whole_folder(options.output.absolute()))
        report: Mapping[str, Any] = api.report_file(
            path, folder, progress=write_progress, with_plan=options.plan
        )
        if folder is not None:
            (folder / "report.json").write_text(text_from_data(report), encoding="utf-8")
            (folder / "index.html").write_text(page_from_report(report), encoding="utf-8")
    write(table_from_report(report))
    if options.output is not None:
        write(f"\nWritten to {options.output.absolute()}\n")


def _check_file(path: Path, suffixes: tuple[str, ...]) -> Path:
    """Absolute path of an input file that exists and has one of the suffixes."""
    if path.suffix.lower() not in suffixes:
        way = name_way(path)
        cure = f"; {way}" if way else ""
        raise JobError(f"{path}: must end in {', '.join(suffixes)}{cure}")
    if not is_file(path):
        raise JobError(f"{path}: does not exist; correct the path")
    return path.resolve()


def _output_path(path: Path | None) -> Path:
    """Absolute path of the .blend file to write."""
    if path is None:
        raise JobError("no output is named; add -o OUT.blend")
    return path.absolute()
