# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What must earn its place, left out one at a time: what of walks gets worse, and what better.

Run from the project's root: ``bash tools/run ablate``.

- ``--only WORD`` tries the entries with the word in their names, more than once for several words.
- ``--weights`` tries each weight at half and at double of what it is instead.
- ``--all`` tries each entry on all cases, else on its own and on those of the core.
- ``-o FILE`` writes the table, else it is printed. ``--title TEXT`` says which tree it is of.
- ``--keep FOLDER`` keeps what was measured of a tree, and goes on from what is there already.
- ``--workers N`` processes go at once (2), each with one character.

What is tried stands in `ablate_entries`, where in `ablate_scenes`, what is measured in `seen` and
`seen_motion`. Characters of other people are read from the folder that SPL_TEST_DATA names (default
../shared/data) and left out where they are absent.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import bpy  # noqa: F401  first, for Blender's own modules to be found

import semi_procedural_locomotion

from .ablate_entries import CASES, CORE, ENTRIES, TESTS, WEIGHTS
from .ablate_pages import Tried, write_table
from .ablate_switches import Entry
from .ablate_tests import fails_without
from .ablate_walks import run_character
from .stages import CAPTURE, PARTS


def list_entries(options: argparse.Namespace) -> list[Entry]:
    """What is tried: parts, or weights, those with one of some words in their names."""
    entries = WEIGHTS if options.weights else ENTRIES
    words = options.only
    return [e for e in entries if not words or any(word in e.name for word in words)]


def choose_tries(options: argparse.Namespace, character: str) -> dict[str, list[Entry]]:
    """Entries that are tried on each scene of a character, by the scene.

    A scene without any is walked with everything, unless single entries are asked for.
    """
    found: dict[str, list[Entry]] = {}
    for scene in CASES[character]:
        case = f"{character}/{scene}"
        entries = [
            entry
            for entry in list_entries(options)
            if options.all or case in CORE or case == entry.case
        ]
        if entries or not options.only:
            found[scene] = entries
    return found


def measure_one(character: str, options: argparse.Namespace) -> None:
    """Measure the tries of one character in this process, a line of JSON for each."""
    semi_procedural_locomotion.register()
    data = Path(os.environ.get("SPL_TEST_DATA", "../shared/data"))
    part = next(part for part in (*PARTS, CAPTURE) if part.name == character)
    tries = choose_tries(options, character)
    known = read_lines(options.numbers)
    for scene in list(tries):
        there = {entry for case, entry, *_ in known if case == f"{character}/{scene}"}
        tries[scene] = [entry for entry in tries[scene] if entry.name not in there]
        if "" in there and not tries[scene]:
            del tries[scene]
    with options.numbers.open("a", encoding="utf-8") as file:
        for scene, name, outcome in run_character(part, data, tries):
            line = [f"{character}/{scene}", name, outcome.numbers, outcome.is_same, outcome.error]
            file.write(json.dumps(line) + "\n")
            file.flush()


def read_lines(path: Path) -> list[list[Any]]:
    """What a file keeps: case, entry, rows, whether its keys are those with everything, why it failed."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def measure_all(options: argparse.Namespace) -> Tried:
    """Measure all characters, each in a process of its own; what came of it by case and entry."""
    given = [word for only in options.only for word in ("--only", only)]
    given += ["--all"] if options.all else []
    given += ["--weights"] if options.weights else []
    # The longest first, so that none is left alone at the end.
    counts = {
        name: sum(1 + len(own) for own in choose_tries(options, name).values()) for name in CASES
    }
    chosen = sorted((name for name in CASES if counts[name]), key=lambda name: -counts[name])
    found: Tried = {}
    with tempfile.TemporaryDirectory() as passing:
        folder = options.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)

        def run(name: str) -> Path:
            path = folder / f"{name}.jsonl"
            command = [sys.executable, "-m", "benchmarks.ablate", *given, "--character", name]
            started = time.monotonic()
            # Importers print what they read.
            subprocess.run(
                [*command, "--numbers", str(path)], check=True, stdout=subprocess.DEVNULL
            )
            sys.stderr.write(f"{name}: {counts[name]} walks, {time.monotonic() - started:.0f} s\n")
            return path

        with ThreadPoolExecutor(options.workers) as pool:
            for path in pool.map(run, chosen):
                for case, entry, numbers, is_same, error in read_lines(path):
                    found.setdefault(case, {})[entry] = (numbers, is_same, error)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.ablate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], metavar="WORD")
    parser.add_argument("--weights", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE")
    parser.add_argument("--title", default="this tree")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--character", choices=tuple(CASES), help=argparse.SUPPRESS)
    parser.add_argument("--numbers", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.character is not None:
        measure_one(options.character, options)
        return 0
    found = measure_all(options)
    entries = list_entries(options)
    named = [(entry.name, entry.case) for entry in entries]
    given = ((e.name, TESTS[e.name]) for e in entries if e.name in TESTS)
    shown = {name: test for name, test in given if fails_without(name, test)}
    where = "all cases" if options.all else ", ".join(CORE)
    table = write_table(named, found, shown, options.title, where)
    if options.output is None:
        print(table)
    else:
        options.output.write_text(table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
