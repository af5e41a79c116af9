# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``bash tools/run`` does; it needs nothing but Python's standard library."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import mutants
import stages
from environments import (
    REPOSITORY,
    Environment,
    SetupError,
    bpy_versions,
    ensure_system_libraries,
    environment_for_blender,
    environment_without_bpy,
    extension_builder,
    make_bpy_environments,
    make_environment,
    say,
)


def main() -> int:
    """Run the task that the command line names and return the exit code."""
    parser = argparse.ArgumentParser(prog="bash tools/run", description=__doc__)
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    demo = tasks.add_parser("demo", help="make a character and ground, bake its walk")
    demo.add_argument("-o", dest="output", default="demo", metavar="DIR", help="folder to fill")
    test = tasks.add_parser("test", help="pass all checks and tests")
    test.add_argument(
        "--only",
        metavar="PART",
        help="'checks' (of the code, and tests without bpy), 'blender', or a wheel such as 4.2",
    )
    tasks.add_parser("libraries", help="install the system libraries that Blender loads, as root")
    tasks.add_parser("environments", help="make what all tests run in, where it is missing")
    tasks.add_parser("build", help="make and validate the extension's zip in dist/")
    changes = tasks.add_parser("mutants", help="try small changes that the tests must notice")
    changes.add_argument(
        "words", nargs="*", metavar="WORD", help="only changes with one of these in name or file"
    )
    fuzz = tasks.add_parser("fuzz", help="try random cases until the time is over")
    fuzz.add_argument("minutes", type=float, metavar="MINUTES", help="how long")
    fuzz.add_argument("--seed", type=int, default=0, metavar="N", help="which cases (0)")
    fuzz.add_argument("--only", default="", metavar="KIND", help="the one kind of cases to try")
    ablate = tasks.add_parser("ablate", help="leave parts of the planner out, one at a time")
    ablate.add_argument("--only", action="append", default=[], metavar="WORD", help="of which")
    ablate.add_argument("--weights", action="store_true", help="weights at half and at double")
    ablate.add_argument("--all", action="store_true", help="on all cases")
    ablate.add_argument("-o", dest="output", metavar="FILE", help="where the table goes")
    ablate.add_argument("--title", help="which tree the table is of")
    ablate.add_argument("--keep", metavar="DIR", help="keep numbers there, and go on from them")
    ablate.add_argument("--workers", type=int, default=2, metavar="N", help="at once (2)")
    options = parser.parse_args()
    try:
        if options.task == "demo":
            return run_demo(options.output)
        if options.task == "fuzz":
            return run_fuzz(options.minutes, options.seed, options.only)
        if options.task == "ablate":
            return run_ablation(options)
        if options.task == "mutants":
            return run_mutants(options.words)
        if options.task == "test":
            return run_tests(options.only)
        if options.task == "build":
            return build_extension()
        ensure_system_libraries()
        return 0 if options.task == "libraries" else make_environments()
    except SetupError as error:
        say(str(error))
        return 1
    except subprocess.CalledProcessError as error:
        say(f"failed: {' '.join(map(str, error.cmd))}")
        return 1


def run_demo(folder: str) -> int:
    """Make the demo with the newest bpy wheel."""
    environment = _newest_environment()
    module = [str(environment.python), "-m", stages.PACKAGE, "demo"]
    return subprocess.run(
        [*module, "-o", str(Path(folder).absolute())],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode


def run_tests(only: str | None = None) -> int:
    """Pass all checks and tests, or one part of them; non-zero where one fails.

    Raises SetupError: there is no such part, or no Blender where it alone is asked for.

    Parameters
    ----------
    only
        ``"checks"``, ``"blender"``, or the beginning of the versions of wheels; None for all.
        A Blender alone finds the files that wheels have saved before.
    """
    versions = choose_versions(only)
    checks = stages.check_stages() if only in (None, "checks") else []
    in_blender = stages.blender_stage() if only in (None, "blender") else None
    if in_blender is None and only == "blender":
        raise SetupError("there is no Blender to run the tests in")
    saving, wheels = [], []
    if versions:
        environments = make_bpy_environments(versions)
        saving = stages.saving_stages(environments)
        wheels = [stages.wheel_stage(e) for e in environments]
    # The longest first, so that none is left alone at the end: what marks give most tests to.
    tests = [*wheels[-1:], *([in_blender] if in_blender else []), *wheels[:-1]]
    saved = [stage.name for stage in saving]
    tests = [replace(stage, after=saved) for stage in tests]
    results = stages.run_stages([*saving, *checks[:-1], *tests[:-1], *checks[-1:], *tests[-1:]])
    print("\n" + stages.summary_from_results(results), flush=True)
    return 1 if any(result.exit_code for result in results) else 0


def make_environments() -> int:
    """Make the environments of all tests."""
    make_environment(environment_without_bpy())
    make_environment(environment_for_blender())
    make_bpy_environments(bpy_versions())
    return 0


def run_fuzz(minutes: float, seed: int, only: str = "") -> int:
    """Try random cases with the newest bpy wheel; non-zero where one fails.

    Parameters
    ----------
    seed
        Which cases; the same number gives the same ones.
    only
        The one kind of cases; empty for all.
    """
    environment = _newest_environment()
    module = [str(environment.python), "-m", "tests.fuzz.running", str(minutes)]
    # What hangs on the order of sets shall be the same each time.
    variables = {**os.environ, "PYTHONHASHSEED": "0"}
    return subprocess.run(
        [*module, "--seed", str(seed), "--only", only],
        cwd=REPOSITORY,
        env=variables,
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode


def run_ablation(options: argparse.Namespace) -> int:
    """Leave parts of the planner out with the newest bpy wheel, as `benchmarks.ablate` is told to."""
    environment = _newest_environment()
    command = [str(environment.python), "-m", "benchmarks.ablate"]
    command += [word for only in options.only for word in ("--only", only)]
    command += ["--all"] if options.all else []
    command += ["--weights"] if options.weights else []
    command += ["-o", str(Path(options.output).absolute())] if options.output else []
    command += ["--keep", str(Path(options.keep).absolute())] if options.keep else []
    command += ["--title", options.title] if options.title else []
    command += ["--workers", str(options.workers)]
    return subprocess.run(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, check=False).returncode


def run_mutants(words: Sequence[str] = ()) -> int:
    """Try small changes of formulas; non-zero where one is not noticed by any test.

    Raises SetupError: the changes cannot be tried.

    Parameters
    ----------
    words
        Only changes with one of these in their name or file are tried; all where there are none.
    """
    environment = environment_without_bpy()
    make_environment(environment)
    chosen = [
        mutant
        for mutant in mutants.read_mutants()
        if not words or any(word in mutant.name or word in mutant.file for word in words)
    ]
    try:
        outcomes = mutants.try_mutants(REPOSITORY, chosen, str(environment.python))
    except mutants.MutantError as error:
        raise SetupError(str(error)) from error
    print("\n" + mutants.summarize(outcomes), flush=True)
    return 1 if any(outcome.noticed_by is None for outcome in outcomes) else 0


def choose_versions(only: str | None) -> tuple[str, ...]:
    """Versions of the bpy wheel for one part of the tests; all where it is None.

    Raises SetupError: no part has this name.
    """
    if only in ("checks", "blender"):
        return ()
    versions = bpy_versions()
    chosen = tuple(v for v in versions if only is None or f"{v}.".startswith(f"{only}."))
    if not chosen:
        known = ", ".join(("checks", "blender", *filter(None, versions)))
        raise SetupError(f"no part of the tests is named {only!r}: name one of {known}")
    return chosen


def build_extension() -> int:
    """Build the extension with the newest bpy wheel's own builder, and validate it."""
    environment = _newest_environment()
    builder, tags = extension_builder(environment)
    folder = REPOSITORY / "dist"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.zip"):
        old.unlink()
    command = [str(environment.python), str(builder)]
    sources = ["--source-dir", str(REPOSITORY), "--output-dir", str(folder)]
    built = subprocess.run([*command, "build", *sources], check=False)
    if built.returncode:
        return built.returncode
    for archive in folder.glob("*.zip"):
        validated = subprocess.run(
            [*command, "validate", str(archive), "--valid-tags", str(tags)], check=False
        )
        if validated.returncode:
            return validated.returncode
        print(archive)
    return 0


def _newest_environment() -> Environment:
    """Environment of the newest bpy wheel, made where it is missing."""
    return make_bpy_environments(bpy_versions()[-1:])[0]


if __name__ == "__main__":
    sys.exit(main())
