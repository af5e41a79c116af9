# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every tier of tests shares."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

_EXIT_STATUS = pytest.StashKey[int]()

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    """Folder of this checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Folder of real characters and terrains, which the repository does not hold.

    Named by SPL_TEST_DATA, or ``../shared/data`` beside the checkout; tests that need it are
    skipped where it is absent.
    """
    folder = Path(os.environ.get("SPL_TEST_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no test data: set SPL_TEST_DATA to its folder ({folder} does not exist)")
    return folder.resolve()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out of the other wheels, and of programs, what the versions of Blender share.

    The newest wheel lies between others where SPL_NEWER_BLENDER tells of a program that is tested too.
    Then the oldest wheel and the program, which is told by SPL_OLDER_BLENDER, deal out between them the
    parameters of what is tested in both: versions do not differ by parameters.
    """
    blender = sys.modules.get("bpy")
    if blender is None:
        return
    is_program = bool(blender.app.binary_path)
    is_newest = blender.app.version >= (5, 0, 0) and not is_program
    is_oldest = blender.app.version < (4, 3, 0)
    has_newer = bool(os.environ.get("SPL_NEWER_BLENDER"))
    is_between = (has_newer or not is_newest) and not is_oldest and not is_program
    deals = has_newer if is_oldest else is_program and bool(os.environ.get("SPL_OLDER_BLENDER"))
    left_out = _deal_parameters(items, int(is_program)) if deals else set()
    for item in items:
        if item.get_closest_marker("newest"):
            if not is_newest:
                item.add_marker(pytest.mark.skip(reason="run with the newest wheel alone"))
        elif is_between and item.get_closest_marker("outermost"):
            item.add_marker(
                pytest.mark.skip(reason="run in the oldest and the newest Blender alone")
            )
        elif item.nodeid in left_out and item.get_closest_marker("outermost"):
            item.add_marker(pytest.mark.skip(reason="dealt to the other outermost Blender"))


def _deal_parameters(items: list[pytest.Item], player: int) -> set[str]:
    """Tests with parameters that the other of two players has; both have each test's first and last."""
    sets: dict[str, list[str]] = {}
    for item in items:
        if hasattr(item, "callspec"):
            sets.setdefault(item.nodeid.partition("[")[0], []).append(item.nodeid)
    return {
        node
        for nodes in sets.values()
        for number, node in enumerate(nodes[1:-1], start=1)
        if number % 2 != player
    }


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remember how the session ended."""
    session.config.stash[_EXIT_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End a process that holds Blender as a module without taking it apart.

    The wheel of Blender 4.2 crashes when Python frees what hundreds of tests have made in it. That
    programs which use the package end cleanly is tested in processes of their own.
    """
    blender = sys.modules.get("bpy")
    if blender is None or blender.app.binary_path or _EXIT_STATUS not in config.stash:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(config.stash[_EXIT_STATUS])
