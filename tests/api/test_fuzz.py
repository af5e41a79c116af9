# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A short run of the fuzz in Blender, the same each time; `tools/run fuzz` goes on from here."""

from __future__ import annotations

import pytest

pytest.importorskip("bpy")
pytest.importorskip("hypothesis")

from hypothesis import given, settings

from tests.fuzz import strategies
from tests.fuzz.operations import check_operations
from tests.fuzz.scenes import check_scene
from tests.fuzz.test_cases import SHORT

pytestmark = pytest.mark.newest


@settings(max_examples=5, **SHORT)
@given(strategies.scenes())
def test_scenes(case):
    check_scene(case)


@settings(max_examples=2, **SHORT)
@given(strategies.operations())
def test_operations(case):
    check_operations(case)
