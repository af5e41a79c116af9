# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every tier of tests shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
