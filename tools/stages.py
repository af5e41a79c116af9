# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The stages of ``tools/run test``, and how they are run and counted."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from environments import (
    ENVIRONMENTS,
    REPOSITORY,
    Environment,
    SetupError,
    environment_for_blender,
    environment_without_bpy,
    make_environment,
    run_quietly,
    say,
)

PACKAGE = "semi_procedural_locomotion"
OLDEST_BLENDER = (4, 2)
# Where every wheel leaves a file for the tests of newer Blenders.
SAVED_FILES = ENVIRONMENTS / "saved-files"
_SAVING_SCRIPT = REPOSITORY / "tests" / "system" / "version_session.py"
# Most machines have two cores or more, and a bpy wheel uses about one.
STAGES_AT_ONCE = 2
_PYTEST = ("-m", "pytest", "-q", "--no-header", "-rfEs", "--color=no")
_TESTS_WITHOUT_BPY = (
    *("tests/core", "tests/notes", "tests/requests", "tests/jobs"),
    *("tests/headless", "tests/tools", "tests/fuzz"),
)
_TESTS_WITH_BPY = ("tests/blender", "tests/api", "tests/ui", "tests/demo", "tests/system")
# Two stages share the cores: threads of numpy's products would take turns with each other's.
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped)")


@dataclass(frozen=True)
class Stage:
    """One command of the test run.

    Attributes
    ----------
    name
        What it is called.
    after
        Names of stages that are begun before it, and have to end first.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    after: Sequence[str] = ()


@dataclass(frozen=True)
class Result:
    """How a stage ended.

    Attributes
    ----------
    output
        What it printed.
    """

    stage: Stage
    exit_code: int
    output: str
    seconds: float

    def count(self, *words: str) -> int:
        """Number of tests that its closing line gives for some words."""
        for line in reversed(self.output.splitlines()):
            if re.search(r" in \d+(\.\d+)?s", line):
                return sum(int(n) for n, word in _COUNT.findall(line) if word in words)
        return 0


def check_stages() -> list[Stage]:
    """Stages that need no Blender, the tests last; their environment is made here."""
    environment = environment_without_bpy()
    make_environment(environment)
    python = str(environment.python)
    return [
        Stage(
            "ruff format",
            [environment.program("ruff"), "format", "--check", "--output-format=concise", "."],
        ),
        Stage("ruff", [environment.program("ruff"), "check", "--output-format=concise", "."]),
        Stage("import-linter", [environment.program("lint-imports"), "--no-logo", "--no-cache"]),
        Stage("mypy", [environment.program("mypy")]),
        Stage("codespell", [environment.program("codespell")]),
        Stage("tests without bpy", [python, *_PYTEST, *_TESTS_WITHOUT_BPY]),
    ]


def saving_stages(environments: Sequence[Environment]) -> list[Stage]:
    """Make a baked walk with each bpy wheel, for `SAVED_FILES`, which is emptied here."""
    shutil.rmtree(SAVED_FILES, ignore_errors=True)
    SAVED_FILES.mkdir(parents=True)
    stages = []
    for environment in environments:
        name = environment.name
        command = [str(environment.python), str(_SAVING_SCRIPT)]
        command += [str(SAVED_FILES / f"{name}.{suffix}") for suffix in ("blend", "json")]
        stages.append(Stage(f"file of {name}", command, _folder_variables(name)))
    return stages


def wheel_stage(environment: Environment) -> Stage:
    """Tests with one bpy wheel."""
    command = [str(environment.python), *_PYTEST, *_TESTS_WITH_BPY]
    return Stage(f"tests with {environment.name}", command, _folder_variables(environment.name))


def blender_stage() -> Stage | None:
    """Tests inside the Blender that BLENDER names or that is on PATH; None where none is usable.

    Raises SetupError: bLENDER names something that does not run.
    """
    named = os.environ.get("BLENDER")
    program = named or shutil.which("blender")
    if not program:
        say("no Blender found: set BLENDER to its path to run the tests inside it too")
        return None
    if not shutil.which(program):
        raise SetupError(f"BLENDER={program} is not a program; correct or unset it")
    shown = run_quietly([program, "--version"])
    match = re.search(r"Blender (\d+)\.(\d+)", shown.stdout)
    if shown.returncode or match is None:
        raise SetupError(f"BLENDER={program} does not run: {shown.stderr.strip()[-200:]}")
    version = (int(match[1]), int(match[2]))
    if version < OLDEST_BLENDER:
        say(f"{program} is Blender {match[1]}.{match[2]}, too old for the extension: left out")
        return None
    environment = environment_for_blender()
    make_environment(environment)
    arguments = ["--factory-startup", "--python-exit-code", "1"]
    folders = _folder_variables("blender")
    library = _pytest_for_blender(program, environment)
    if library is not None:
        arguments.append("--python-use-system-env")
        folders["PYTHONPATH"] = library
    command = [str(environment.python), *_PYTEST, *_TESTS_WITH_BPY]
    command += ["--blender-executable", program, "--", *arguments]
    return Stage(f"tests in Blender {match[1]}.{match[2]}", command, folders)


def run_stages(stages: Iterable[Stage]) -> list[Result]:
    """Run stages, two at a time, and print each one's output in order."""
    begun: dict[str, Future[Result]] = {}
    results = []
    with ThreadPoolExecutor(STAGES_AT_ONCE) as pool:
        for stage in stages:
            begun[stage.name] = pool.submit(_run, stage, [begun[name] for name in stage.after])
        for future in begun.values():
            result = future.result()
            results.append(result)
            print(f"\n== {result.stage.name}\n{result.output.strip()}", flush=True)
            if result.exit_code:
                print(f"== {result.stage.name}: exit code {result.exit_code}", flush=True)
    return results


def summary_from_results(results: Sequence[Result]) -> str:
    """Table of the stages and, as the last line, the number of tests.

    A stage that fails without a failed test, such as a check of the code, counts as one.
    """
    width = max(len(result.stage.name) for result in results)
    lines = [
        f"{r.stage.name.ljust(width)}  {'FAILED' if r.exit_code else 'passed'}  {r.seconds:6.1f} s"
        for r in results
    ]
    passed = sum(result.count("passed") for result in results)
    skipped = sum(result.count("skipped") for result in results)
    failed = sum(
        max(result.count("failed", "error", "errors"), 1 if result.exit_code else 0)
        for result in results
    )
    lines.append(f"tests: {passed} passed, {failed} failed, {skipped} skipped")
    return "\n".join(lines)


def _run(stage: Stage, first: Iterable[Future[Result]]) -> Result:
    """Run one stage when others have ended, which were begun before it."""
    wait(first)
    start = time.monotonic()
    done = run_quietly(stage.command, {**_ONE_THREAD, **stage.environment})
    output = done.stdout + ("\n" + done.stderr if done.returncode else "")
    return Result(stage, done.returncode, output, time.monotonic() - start)


def _folder_variables(name: str) -> dict[str, str]:
    """Variables that keep Blender's user files apart from the user's, and name the saved files."""
    folder = ENVIRONMENTS / "user-files" / name
    folder.mkdir(parents=True, exist_ok=True)
    return {"BLENDER_USER_RESOURCES": str(folder), "SPL_SAVED_FILES": str(SAVED_FILES)}


def _pytest_for_blender(program: str, environment: Environment) -> str | None:
    """Folder with pytest for Blender's Python; None where that has its own.

    Raises SetupError: blender does not run, or pip cannot install pytest for its Python.
    """
    probe = (
        "import sys, json, importlib.util as u;"
        "print('PROBE', json.dumps([*sys.version_info[:2], u.find_spec('pytest') is not None]))"
    )
    shown = run_quietly([program, "-b", "--factory-startup", "--python-expr", probe])
    match = re.search(r"^PROBE (.*)$", shown.stdout, re.MULTILINE)
    if match is None:
        raise SetupError(f"{program} -b does not run: {shown.stderr.strip()[-200:]}")
    major, minor, has_pytest = json.loads(match[1])
    if has_pytest:
        return None
    folder = ENVIRONMENTS / f"blender-pytest-{major}.{minor}"
    if not (folder / "pytest").is_dir():
        say(f"installing pytest for Blender's Python {major}.{minor}")
        pip = [str(environment.python), "-m", "pip", "install", "--quiet", "--target", str(folder)]
        pip += ["--python-version", f"{major}.{minor}", "--only-binary=:all:"]
        pip.append(environment.requirements[0])
        done = run_quietly(pip)
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            raise SetupError(f"pip could not install pytest: {done.stderr.strip()[-200:]}")
    return str(folder)
