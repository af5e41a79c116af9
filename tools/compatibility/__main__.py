# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m tools.compatibility run FOLDER -o OUT`` tries files, ``zoo FOLDER`` makes some to try.

``table OUT`` prints what was found as a table in Markdown.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from .courses import COURSES
from .pages import list_summary, summarize, write_page, write_table
from .running import (
    RunOptions,
    find_environment,
    find_files,
    find_python,
    read_trials,
    run_trials,
)
from .verdicts import read_truths


def run(options: argparse.Namespace) -> int:
    """Try the files of a folder and write what was found; 1 where not all are right."""
    folder, output = options.folder.resolve(), options.output.resolve()
    beside = folder / "truth.toml"
    table = options.truth or (beside if beside.is_file() else None)
    truths = {} if table is None else read_truths(table)
    grounds = ["flat"] if options.fast else options.grounds.split(",")
    choices = RunOptions(
        output=output,
        python=options.python or find_python(),
        grounds=grounds,
        jobs=options.jobs,
        timeout=options.timeout,
        resume=options.resume,
        has_pictures=not options.fast and not options.no_pictures,
    )
    files = find_files(folder, options.only)
    if not files:
        sys.stderr.write(f"{folder} has no character file that was asked for\n")
        return 2
    run_trials(folder, files, choices, lambda text: sys.stderr.write(f"{text}\n"))
    trials = list(read_trials(output))
    write_table(output / "compatibility.csv", trials, truths)
    write_page(output / "index.html", trials, truths)
    line = summarize(trials, truths)
    print(line)
    return 0 if line.startswith(f"{len(trials)} of ") else 1


def tell(options: argparse.Namespace) -> int:
    """Print the verdicts of what was tried into a folder, a line a character."""
    trials = list(read_trials(options.folder))
    truths = read_truths(options.truth) if options.truth else {}
    print("\n".join([*list_summary(trials, truths), "", summarize(trials, truths)]))
    return 0


def make(options: argparse.Namespace) -> int:
    """Let a Python that has bpy write characters to try."""
    command = [options.python or find_python(), "-m", "tools.compatibility.zoo", options.folder]
    command += ["--only", options.only]
    command += ["--from", options.source] if options.source else []
    command += ["--truth", options.truth] if options.truth else []
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(command, cwd=root, env=find_environment(), check=False).returncode


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.compatibility", description=__doc__)
    tasks = parser.add_subparsers(dest="task", required=True)
    one = tasks.add_parser("run", help="try every character file of a folder")
    one.add_argument("folder", type=Path)
    one.add_argument("-o", "--output", type=Path, required=True)
    one.add_argument("--only", action="append", default=[], metavar="PART")
    one.add_argument("--jobs", type=int, default=1)
    one.add_argument("--timeout", type=float, default=300.0, metavar="SECONDS")
    one.add_argument("--resume", action="store_true", help="leave out what was tried before")
    one.add_argument("--fast", action="store_true", help="flat ground alone, without pictures")
    one.add_argument("--no-pictures", action="store_true")
    one.add_argument("--grounds", default=",".join(COURSES))
    one.add_argument("--truth", type=Path, metavar="TOML")
    one.add_argument("--python", metavar="PROGRAM", help="a Python that has bpy")
    one.set_defaults(do=run)
    two = tasks.add_parser("zoo", help="write characters to try, with their truth")
    two.add_argument("folder", type=Path)
    two.add_argument("--from", dest="source", type=Path, metavar="FILES")
    two.add_argument("--truth", type=Path, metavar="TOML", help="of the files of --from")
    two.add_argument("--only", default="", metavar="PART")
    two.add_argument("--python", metavar="PROGRAM", help="a Python that has bpy")
    two.set_defaults(do=make)
    three = tasks.add_parser("table", help="print the verdicts of what was tried, as Markdown")
    three.add_argument("folder", type=Path)
    three.add_argument("--truth", type=Path, metavar="TOML")
    three.set_defaults(do=tell)
    options = parser.parse_args()
    for name in ("folder", "source", "truth"):
        path = getattr(options, name, None)
        setattr(options, name, path and path.absolute())
    return int(options.do(options))


if __name__ == "__main__":
    sys.exit(main())
