# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: verbs, options and exit codes.

0 is all done, 1 is some unit failed (which and why is on stderr), 2 is wrong use; a signal that ends the
program adds 128 to its number, as shells do.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import BakeError, JobError, LocomotionError
from ..jobs.reading import CHARACTER_SUFFIXES, Job, read_job
from ..jobs.tables import is_file, name_way
from . import batch
from .batch import Stopped, end_with_parent, plan_units, read_version, stopped_by_signals
from .output import (
    Output,
    OutputKind,
    open_streams,
    refuse_outputs,
    stdout_kept_for_data,
    text_from_data,
    whole_file,
    whole_folder,
    write_line,
    write_progress,
)
from .tables import (
    page_from_report,
    table_from_batch,
    table_from_report,
    text_from_fixes,
    text_from_inspection,
)

Writer = Callable[[str], None]


def _run_demo(options: argparse.Namespace, write: Writer) -> None:
    """Make the demo in a folder and write its numbers."""
    folder: Path = options.output.absolute()

    from ..demo.making import make_demo
    from .session import ensure_registered

    ensure_registered()
    with whole_folder(folder) as temporary:
        report = make_demo(temporary, progress=write_progress)
        (temporary / "report.json").write_text(text_from_data(report), encoding="utf-8")
    write(table_from_report(report))
    write(f"\nWritten to {folder}\n")


def _run_inspect(options: argparse.Namespace, write: Writer) -> None:
    """Tell what is found in a file."""
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


def _run_bake(options: argparse.Namespace, write: Writer) -> None:
    """Bake a job or a .blend file with set-up characters, save, and write the numbers."""
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


def _run_fix(options: argparse.Namespace, write: Writer) -> None:
    """Plant the feet of the characters of a file, save, and write the numbers."""
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


def _run_batch(options: argparse.Namespace, write: Writer) -> None:
    """Bake many jobs in several processes and write how they went."""
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


def _run_verify(options: argparse.Namespace, write: Writer) -> None:
    """Look whether the baked walks of a .blend file are shown well."""
    path = _check_file(options.file, (".blend",))

    from .. import api
    from .session import ensure_registered

    ensure_registered()
    faults = api.verify_file(path, progress=write_progress)
    if faults:
        raise BakeError("\n".join(faults))
    write("all baked walks are shown well\n")


def _run_report(options: argparse.Namespace, write: Writer) -> None:
    """Measure the baked walks of a .blend file."""
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


PROGRAM = "semi_procedural_locomotion"
DONE, FAILED, WRONG_USE = 0, 1, 2


def main(argv: Sequence[str]) -> int:
    """Run one verb.

    Parameters
    ----------
    argv
        The verb and its options, without the program's name.

    Returns
    -------
    exit code
        0 all done, 1 some unit failed, 2 wrong use, 128 and more ended by a signal.
    """
    open_streams()
    parser = _make_parser()
    try:
        options = parser.parse_args(list(argv))
    except SystemExit as stop:  # argparse has written its message already
        return WRONG_USE if stop.code else DONE
    if find_spec("bpy") is None:
        return _fail(
            "Blender's modules are missing; install the bpy package, or run this in Blender",
            FAILED,
        )
    end_with_parent()
    try:
        with stopped_by_signals():
            return _run_verb(options)
    except Stopped as stop:
        return _fail("; ".join([str(stop), *getattr(stop, "__notes__", ())]), stop.exit_code)


def _run_verb(options: argparse.Namespace) -> int:
    """Run the verb that the options name; its exit code."""
    with stdout_kept_for_data() as write:
        try:
            run: Callable[[argparse.Namespace, Callable[[str], None]], None] = options.run
            run(options, write)
        except JobError as error:
            return _fail(str(error), WRONG_USE)
        except LocomotionError as error:
            for hint in error.job_hints:
                write_line(f"note: {hint}")
            return _fail(error.job_text, FAILED)
    return DONE


def _make_parser() -> argparse.ArgumentParser:
    """Make the parser of all verbs; each sets ``run``, which takes the options and a writer."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description="Adapt walk cycles to any travel and any ground."
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {read_version()}")
    subparsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    demo = subparsers.add_parser("demo", help="make a character and ground, and bake its walk")
    demo.add_argument(
        "-o", dest="output", type=Path, default=Path("demo"), metavar="DIR", help="folder to fill"
    )
    demo.set_defaults(run=_run_demo)

    inspect = subparsers.add_parser("inspect", help="tell what is found in a file; change nothing")
    inspect.add_argument("file", type=Path, metavar="FILE", help=".blend .glb .gltf .vrm .fbx .bvh")
    inspect.add_argument("--json", action="store_true", help="print JSON instead of text")
    inspect.add_argument(
        "-o", dest="output", type=Path, metavar="FILE", help="write to this file, not to stdout"
    )
    inspect.set_defaults(run=_run_inspect)

    bake = subparsers.add_parser("bake", help="bake a job, or the set-up characters of a .blend")
    bake.add_argument("file", type=Path, metavar="FILE.blend|JOB.toml")
    bake.add_argument("-o", dest="output", type=Path, metavar="OUT.blend")
    bake.add_argument("--only", metavar="NAME", help="bake this armature only")
    bake.add_argument("--frames", type=_frames_from_text, metavar="A-B", help="frames to bake")
    bake.add_argument("--report", type=Path, metavar="R.json", help="write the numbers as JSON")
    bake.add_argument(
        "--character", type=int, metavar="N", help="bake only the Nth character of the job"
    )
    bake.set_defaults(run=_run_bake)

    fix = subparsers.add_parser("fix", help="plant the feet of actions that travel already")
    fix.add_argument("file", type=Path, metavar="FILE", help=".blend .glb .gltf .vrm .fbx .bvh")
    fix.add_argument("-o", dest="output", type=Path, metavar="OUT.blend")
    fix.add_argument("--only", metavar="NAME", help="clean this armature only")
    fix.add_argument("--frames", type=_frames_from_text, metavar="A-B", help="frames to clean")
    fix.add_argument("--report", type=Path, metavar="R.json", help="write the numbers as JSON")
    fix.set_defaults(run=_run_fix)

    batch = subparsers.add_parser("batch", help="bake many jobs in several processes")
    batch.add_argument("jobs", type=Path, nargs="+", metavar="JOB.toml")
    batch.add_argument(
        "--workers", type=_count_from_text, metavar="N", help="processes (one per processor)"
    )
    batch.add_argument(
        "--resume", action="store_true", help="leave out what is done and whose inputs are the same"
    )
    batch.add_argument(
        "--manifest",
        type=Path,
        default=Path("batch.jsonl"),
        metavar="FILE",
        help="a line of JSON for each character (batch.jsonl)",
    )
    batch.add_argument(
        "--logs", type=Path, metavar="DIR", help="what each process says (beside the manifest)"
    )
    batch.add_argument(
        "--time-limit", type=_seconds_from_text, metavar="SECONDS", help="for each character (none)"
    )
    batch.set_defaults(run=_run_batch)

    verify = subparsers.add_parser(
        "verify", help="look whether the baked walks of a .blend are shown well"
    )
    verify.add_argument("file", type=Path, metavar="OUT.blend")
    verify.set_defaults(run=_run_verify)

    report = subparsers.add_parser("report", help="measure the baked walks of a .blend")
    report.add_argument("file", type=Path, metavar="OUT.blend")
    report.add_argument(
        "-o",
        dest="output",
        type=Path,
        metavar="DIR",
        help="folder for report.json, plots and index.html",
    )
    report.add_argument(
        "--plan",
        action="store_true",
        help="for development: tell the numbers of the plan in report.json, too",
    )
    report.set_defaults(run=_run_report)
    return parser


def _frames_from_text(text: str) -> tuple[int, int]:
    """Read A-B, also with negative frames."""
    match = re.fullmatch(r"(-?\d+)-(-?\d+)", text)
    if match is None or int(match[2]) <= int(match[1]):
        raise argparse.ArgumentTypeError(f"must be FIRST-LAST such as 1-240, got '{text}'")
    return int(match[1]), int(match[2])


def _count_from_text(text: str) -> int:
    """Read a whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, got '{text}'")
    return int(text)


def _seconds_from_text(text: str) -> float:
    """Read a number of seconds above 0."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, got '{text}'")
    return seconds


def _fail(message: str, code: int) -> int:
    """Write a one-line message to stderr and pass the exit code on."""
    write_line(f"{PROGRAM}: {message}")
    return code
