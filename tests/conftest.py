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
_NEWEST_WHEEL = (5, 0, 0)
# Their tests reach Blender by the layer `blender` and by what Blender calls alike in all versions.
_LAYERS_ABOVE = ("api", "demo", "ui")


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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to the newest wheel, which runs all tests, what hangs on no version of Blender.

    Others run what meets Blender itself, and the first test of each file of the layers above.
    """
    blender = sys.modules.get("bpy")
    if blender is None or (blender.app.version >= _NEWEST_WHEEL and not blender.app.binary_path):
        return
    begun: set[Path] = set()
    kept, left = [], []
    for item in items:
        is_above = item.path.relative_to(REPOSITORY / "tests").parts[0] in _LAYERS_ABOVE
        is_left = item.get_closest_marker("newest") or (is_above and item.path in begun)
        begun.add(item.path)
        (left if is_left else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


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
