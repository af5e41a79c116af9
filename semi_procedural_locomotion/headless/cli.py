# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: verbs, options and exit codes.

0 is all done, 1 is some unit failed (which and why is on stderr), 2 is wrong use; a signal that ends the
program adds 128 to its number, as shells do.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from ..errors import JobError, LocomotionError
from . import verbs
from .batch import Stopped, end_with_parent, stopped_by_signals
from .output import open_streams, stdout_kept_for_data, write_line
from .units import read_version

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
    demo.set_defaults(run=verbs.run_demo)

    inspect = subparsers.add_parser("inspect", help="tell what is found in a file; change nothing")
    inspect.add_argument("file", type=Path, metavar="FILE", help=".blend .glb .gltf .vrm .fbx .bvh")
    inspect.add_argument("--json", action="store_true", help="print JSON instead of text")
    inspect.add_argument(
        "-o", dest="output", type=Path, metavar="FILE", help="write to this file, not to stdout"
    )
    inspect.set_defaults(run=verbs.run_inspect)

    bake = subparsers.add_parser("bake", help="bake a job, or the set-up characters of a .blend")
    bake.add_argument("file", type=Path, metavar="FILE.blend|JOB.toml")
    bake.add_argument("-o", dest="output", type=Path, metavar="OUT.blend")
    bake.add_argument("--only", metavar="NAME", help="bake this armature only")
    bake.add_argument("--frames", type=_frames_from_text, metavar="A-B", help="frames to bake")
    bake.add_argument("--report", type=Path, metavar="R.json", help="write the numbers as JSON")
    bake.add_argument(
        "--character", type=int, metavar="N", help="bake only the Nth character of the job"
    )
    bake.set_defaults(run=verbs.run_bake)

    fix = subparsers.add_parser("fix", help="plant the feet of actions that travel already")
    fix.add_argument("file", type=Path, metavar="FILE", help=".blend .glb .gltf .vrm .fbx .bvh")
    fix.add_argument("-o", dest="output", type=Path, metavar="OUT.blend")
    fix.add_argument("--only", metavar="NAME", help="clean this armature only")
    fix.add_argument("--frames", type=_frames_from_text, metavar="A-B", help="frames to clean")
    fix.add_argument("--report", type=Path, metavar="R.json", help="write the numbers as JSON")
    fix.set_defaults(run=verbs.run_fix)

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
    batch.set_defaults(run=verbs.run_batch)

    verify = subparsers.add_parser(
        "verify", help="look whether the baked walks of a .blend are shown well"
    )
    verify.add_argument("file", type=Path, metavar="OUT.blend")
    verify.set_defaults(run=verbs.run_verify)

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
    report.set_defaults(run=verbs.run_report)
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
