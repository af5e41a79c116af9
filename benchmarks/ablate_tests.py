# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests at fronts run without an entry of `ablate_entries`: what no row of a walk tells.

The module is a pytest plugin as well: it leaves out the entry that `ABLATE_WITHOUT` names in the
environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from functools import cache

import pytest

from .ablate_entries import ENTRIES
from .ablate_switches import switched_off

_NAME = "ABLATE_WITHOUT"
_stack = ExitStack()


def fails_without(name: str, test: str) -> bool:
    """Whether a test, which passes with everything, fails without the entry of that name.

    Raises
    ------
    RuntimeError
        The test fails with everything, too, or cannot be run.
    """
    if _run(test, "") != pytest.ExitCode.OK:
        raise RuntimeError(f"{test} does not pass with everything")
    code = _run(test, name)
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"{test} cannot be run without {name!r}")
    return code == pytest.ExitCode.TESTS_FAILED


@cache
def _run(test: str, name: str) -> int:
    """Run a test without the entry of that name in a process of its own; pytest's exit code."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", __name__, f"tests/core/{test}"]
    environment = os.environ | {_NAME: name}
    return subprocess.run(
        command, env=environment, stdout=subprocess.DEVNULL, check=False
    ).returncode


def pytest_collection_finish() -> None:
    """Leave the entry out once all modules are imported."""
    for entry in ENTRIES:
        if entry.name == os.environ[_NAME]:
            _stack.enter_context(switched_off(entry.offs))


def pytest_sessionfinish() -> None:
    """Put everything back."""
    _stack.close()
