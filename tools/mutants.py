# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""``bash tools/run mutants``: small changes of formulas that the tests must notice.

Each change of `mutants.toml` is made in a copy of the tree, and the tests that concern it are run
there, then all of tests/core. A change with which they all pass is a *survivor*: a formula that no
test holds. The working tree is never touched.
"""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("mutants.toml")
ALL_TESTS = ("tests/core",)
# What the tests without bpy read.
COPIED = ("semi_procedural_locomotion", "tests", "benchmarks", "pyproject.toml")
# A change may make a loop endless.
MOST_SECONDS = 1800
_PASSED, _FAILED = 0, 1


class MutantError(Exception):
    """The changes cannot be tried; the message says why."""


@dataclass(frozen=True)
class Mutant:
    """One small change.

    Attributes
    ----------
    name
        What is changed, in words.
    file
        Where, from the root of the repository.
    text
        What is replaced; it occurs exactly once in the file.
    change
        What takes its place.
    tests
        Paths of tests that are likely to notice, tried before all others.
    """

    name: str
    file: str
    text: str
    change: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What came of one change.

    Attributes
    ----------
    noticed_by
        The first test that failed, or what else told of it; None for a survivor.
    """

    mutant: Mutant
    noticed_by: str | None


def read_mutants(path: Path = LIST) -> list[Mutant]:
    """The changes of a list, in its order."""
    modules = tomllib.loads(path.read_text(encoding="utf-8"))["module"]
    return [
        Mutant(
            name=change["name"],
            file=f"semi_procedural_locomotion/{module['file']}",
            text=change["text"],
            change=change["change"],
            tests=tuple(f"tests/core/{test}" for test in module["tests"]),
        )
        for module in modules
        for change in module["change"]
    ]


def check_mutants(root: Path, mutants: Sequence[Mutant]) -> list[str]:
    """What is wrong with changes, one line each; empty where all can be tried."""
    wrong = []
    for mutant in mutants:
        path = root / mutant.file
        count = path.read_text(encoding="utf-8").count(mutant.text) if path.is_file() else 0
        if count != 1:
            place = f"{count} times in {mutant.file}" if path.is_file() else f"no {mutant.file}"
            wrong.append(f"{mutant.name}: its text must occur once, it is there {place}")
        if mutant.text == mutant.change:
            wrong.append(f"{mutant.name}: it changes nothing")
        wrong += [
            f"{mutant.name}: there is no {test}"
            for test in mutant.tests
            if not (root / test).exists()
        ]
    names = [mutant.name for mutant in mutants]
    wrong += [f"{name}: named twice" for name in sorted({n for n in names if names.count(n) > 1})]
    return wrong


def try_mutants(
    root: Path,
    mutants: Sequence[Mutant],
    python: str,
    workers: int | None = None,
    tell: Callable[[str], None] = print,
) -> list[Outcome]:
    """Try changes, several at once, each in a copy of the tree.

    Raises MutantError: a text does not occur exactly once, the tests fail without any change, or a
    change breaks a module so that no test could run.

    Parameters
    ----------
    python
        A Python with pytest and numpy.
    workers
        How many at once; as many as there are cores where None.
    tell
        Gets a line for each change as it is done.

    Returns
    -------
    list of Outcome
        In the order of the changes.
    """
    wrong = check_mutants(root, mutants)
    if wrong:
        raise MutantError("\n".join(wrong))
    if not mutants:
        raise MutantError("no change is chosen")
    count = max(1, min(workers or os.cpu_count() or 1, len(mutants)))
    free: queue.Queue[Path] = queue.Queue()
    outcomes: dict[str, Outcome] = {}
    with ExitStack() as stack:
        for _ in range(count):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mutants-")))
            _copy_tree(root, folder)
            free.put(folder)
        unchanged = _run_tests(free.queue[0], python, ALL_TESTS)
        if unchanged.returncode != _PASSED:
            raise MutantError(f"the tests fail without any change:\n{unchanged.stdout[-2000:]}")
        pool = stack.enter_context(ThreadPoolExecutor(count))
        jobs = [pool.submit(_try_in_free_copy, mutant, python, free) for mutant in mutants]
        try:
            for job in as_completed(jobs):
                outcome = job.result()
                outcomes[outcome.mutant.name] = outcome
                tell(_describe(outcome))
        finally:
            for job in jobs:
                job.cancel()
    return [outcomes[mutant.name] for mutant in mutants]


def summarize(outcomes: Sequence[Outcome]) -> str:
    """The survivors with what was changed, and a last line with the numbers."""
    survivors = [outcome.mutant for outcome in outcomes if outcome.noticed_by is None]
    lines = []
    for mutant in survivors:
        lines += [f"survived: {mutant.name}", f"  in {mutant.file}"]
        lines += [f"  - {line.strip()}" for line in mutant.text.splitlines()]
        lines += [f"  + {line.strip()}" for line in mutant.change.splitlines()]
    lines.append(f"mutants: {len(outcomes) - len(survivors)} noticed, {len(survivors)} survived")
    return "\n".join(lines)


def _try_in_free_copy(mutant: Mutant, python: str, free: queue.Queue[Path]) -> Outcome:
    """Try one change in a copy that no other change is in."""
    folder = free.get()
    path = folder / mutant.file
    before = path.read_text(encoding="utf-8")
    try:
        path.write_text(before.replace(mutant.text, mutant.change), encoding="utf-8")
        return Outcome(mutant, _find_noticing_test(mutant, folder, python))
    finally:
        path.write_text(before, encoding="utf-8")
        free.put(folder)


def _find_noticing_test(mutant: Mutant, folder: Path, python: str) -> str | None:
    """The first test that fails, first among those that concern the change, then among all."""
    for tests in _list_rounds(mutant):
        try:
            done = _run_tests(folder, python, tests)
        except subprocess.TimeoutExpired:
            return "a test that does not end"
        if done.returncode == _FAILED:
            failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
            return failed[0].split()[1] if failed else "a test"
        if done.returncode != _PASSED:
            raise MutantError(f"{mutant.name}: no test could run:\n{done.stdout[-2000:]}")
    return None


def _list_rounds(mutant: Mutant) -> Iterator[tuple[str, ...]]:
    """Paths of tests, one round after the other."""
    if mutant.tests:
        yield mutant.tests
    yield ALL_TESTS


def _run_tests(folder: Path, python: str, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run tests in a copy up to the first failure."""
    # Compiled modules are told apart by seconds, and changes follow one another faster.
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    variables["OPENBLAS_NUM_THREADS"] = "1"
    return subprocess.run(
        [python, "-m", "pytest", "-x", "-q", "--no-header", "-rf", "--color=no", *tests],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=MOST_SECONDS,
        check=False,
    )


def _copy_tree(root: Path, folder: Path) -> None:
    """Copy what the tests read."""
    skipped = shutil.ignore_patterns("__pycache__")
    for name in COPIED:
        source = root / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=skipped)
        else:
            shutil.copy2(source, folder / name)


def _describe(outcome: Outcome) -> str:
    """One line about a change."""
    if outcome.noticed_by is None:
        return f"SURVIVED  {outcome.mutant.name}"
    return f"noticed   {outcome.mutant.name}  ({outcome.noticed_by})"
