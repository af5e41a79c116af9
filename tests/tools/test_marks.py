# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Blender runs which tests: marks leave work out, and no test out of all of them."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from tests import conftest

WHEELS = {"4.2": (4, 2, 23), "4.5": (4, 5, 15), "5.0": (5, 0, 1)}


class Item:
    """A test with some marks, and those that it is given."""

    def __init__(self, *marks):
        self.marks, self.given, self.nodeid = marks, [], "test_a.py::test"

    def get_closest_marker(self, name):
        return name if name in self.marks else None

    def add_marker(self, mark):
        self.given.append(mark.name)


def is_run(monkeypatch, marks, version, program="", has_newer=False):
    """Whether a Blender runs a test with some marks."""
    app = SimpleNamespace(version=version, binary_path=program)
    monkeypatch.setitem(sys.modules, "bpy", SimpleNamespace(app=app))
    monkeypatch.setenv("SPL_NEWER_BLENDER", "1" if has_newer else "")
    item = Item(*marks)
    conftest.pytest_collection_modifyitems([item])
    return item.given != ["skip"]


@pytest.mark.parametrize(
    ("marks", "with_program", "without"),
    [
        ((), {"4.2", "4.5", "5.0", "program"}, {"4.2", "4.5", "5.0"}),
        (("outermost",), {"4.2", "program"}, {"4.2", "5.0"}),
        (("newest",), {"5.0"}, {"5.0"}),
        (("newest", "outermost"), {"5.0"}, {"5.0"}),
    ],
)
def test_each_test_is_run_where_its_marks_say(monkeypatch, marks, with_program, without):
    run = {n for n, v in WHEELS.items() if is_run(monkeypatch, marks, v, has_newer=True)}
    if is_run(monkeypatch, marks, (5, 2, 0), program="/usr/bin/blender"):
        run.add("program")
    assert run == with_program
    assert {n for n, v in WHEELS.items() if is_run(monkeypatch, marks, v)} == without


def test_the_outermost_two_deal_out_parameters_and_share_the_first_and_the_last(monkeypatch):
    run = {}
    for player, version, program in (
        ("4.2", (4, 2, 23), ""),
        ("5.2", (5, 2, 0), "/usr/bin/blender"),
    ):
        items = [Item("outermost") for _ in range(6)]
        plain = [Item() for _ in range(6)]
        for number, (item, other) in enumerate(zip(items, plain, strict=True)):
            item.callspec = other.callspec = None
            item.nodeid, other.nodeid = f"test_a.py::test[{number}]", f"test_b.py::test[{number}]"
        app = SimpleNamespace(version=version, binary_path=program)
        monkeypatch.setitem(sys.modules, "bpy", SimpleNamespace(app=app))
        monkeypatch.setenv("SPL_NEWER_BLENDER", "1")
        monkeypatch.setenv("SPL_OLDER_BLENDER", "1")
        conftest.pytest_collection_modifyitems([*items, *plain])
        run[player] = [number for number, item in enumerate(items) if not item.given]
        assert not any(item.given for item in plain)
    assert run == {"4.2": [0, 2, 4, 5], "5.2": [0, 1, 3, 5]}
