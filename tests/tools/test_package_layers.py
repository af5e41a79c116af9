# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the package is laid out: what imports what, and what things are called."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter

import pytest

PACKAGE = "semi_procedural_locomotion"
# A folder with more entries than this is a heap.
MOST_ENTRIES = 22
BLENDER_MODULES = ("bpy", "mathutils", "bmesh", "gpu")


def test_importing_the_package_does_not_import_blender(repository):
    script = (
        "import pkgutil, sys, semi_procedural_locomotion as package\n"
        "import semi_procedural_locomotion.core as core\n"
        "from semi_procedural_locomotion import errors, jobs\n"
        "from semi_procedural_locomotion.headless import cli\n"
        "names = [m.name for m in pkgutil.walk_packages(core.__path__, core.__name__ + '.')]\n"
        "for name in names: __import__(name)\n"
        "assert len(names) > 5, names\n"
        f"print([name for name in {BLENDER_MODULES} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=repository, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_source_files_name_their_licence(repository):
    sources = [
        path
        for folder in ("semi_procedural_locomotion", "tests", "tools")
        for path in sorted((repository / folder).rglob("*.py"))
    ]
    assert len(sources) > 20
    missing = [
        str(path.relative_to(repository))
        for path in [repository / "__init__.py", *sources]
        if "SPDX-License-Identifier: GPL-3.0-or-later" not in path.read_text().split('"""')[0]
    ]
    assert missing == []


@pytest.mark.parametrize("name", ["utils", "helpers", "misc", "common"])
def test_no_module_without_a_topic(repository, name):
    assert not list((repository / "semi_procedural_locomotion").rglob(f"{name}.py"))


def list_modules(repository):
    modules = sorted((repository / PACKAGE).rglob("*.py"))
    assert len(modules) > 200
    return modules


def test_no_two_classes_share_a_name(repository):
    names = Counter(
        node.name
        for path in list_modules(repository)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    )
    assert len(names) > 100
    assert [name for name, count in names.items() if count > 1] == []


def test_no_module_repeats_its_folders_word(repository):
    repeating = [
        str(path.relative_to(repository))
        for path in list_modules(repository)
        if {word.rstrip("s") for word in path.stem.split("_")}
        & {word.rstrip("s") for word in path.parent.name.split("_")}
    ]
    assert repeating == []


def test_core_is_no_heap(repository):
    entries = [
        entry.name
        for entry in (repository / PACKAGE / "core").iterdir()
        if entry.suffix == ".py" or (entry / "__init__.py").is_file()
    ]
    assert "plan.py" in entries
    assert len(entries) <= MOST_ENTRIES


def test_tests_mirror_the_package(repository):
    tests = repository / "tests"
    layers = {path.parent.name for path in (repository / PACKAGE).glob("*/__init__.py")}
    folders = {
        path.parent.relative_to(tests)
        for path in tests.rglob("test_*.py")
        if path.relative_to(tests).parts[0] in layers
    }
    assert {folder.parts[0] for folder in folders} == layers
    package = repository / PACKAGE
    assert [str(f) for f in sorted(folders) if not (package / f / "__init__.py").is_file()] == []
