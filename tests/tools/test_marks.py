# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Blender runs which tests: the newest wheel all of them."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from tests import conftest

NEWEST = ((5, 0, 1), "")
OTHERS = [((4, 2, 23), ""), ((4, 5, 15), ""), ((5, 2, 0), "/usr/bin/blender")]


class Item:
    """A test of a file, with some marks."""

    def __init__(self, path, *marks):
        self.marks, self.path = marks, conftest.REPOSITORY / "tests" / path

    def get_closest_marker(self, name):
        return name if name in self.marks else None


def choose_run(monkeypatch, version, program, items):
    """Which tests a Blender runs, and which it leaves out."""
    app = SimpleNamespace(version=version, binary_path=program)
    monkeypatch.setitem(sys.modules, "bpy", SimpleNamespace(app=app))
    run, left = list(items), []
    hook = SimpleNamespace(pytest_deselected=lambda items: left.extend(items))
    conftest.pytest_collection_modifyitems(SimpleNamespace(hook=hook), run)
    return run, left


@pytest.mark.parametrize("blender", [NEWEST, *OTHERS])
@pytest.mark.parametrize("folder", ["api", "demo", "ui", "blender", "system"])
def test_others_than_the_newest_wheel_enter_the_layers_above_once_a_file(
    monkeypatch, blender, folder
):
    first, second = (
        [Item(f"{folder}/test_{name}.py") for _ in range(3)] for name in ("one", "two")
    )
    marked = [Item(f"{folder}/test_three.py", "newest") for _ in range(2)]
    items = [*first, *second, *marked]
    run, left = choose_run(monkeypatch, *blender, items)
    whole = [*first, *second] if folder in ("blender", "system") else [first[0], second[0]]
    assert run == (items if blender == NEWEST else whole)
    assert left == [item for item in items if item not in run]
