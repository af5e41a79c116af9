# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Importing the package and its numpy layers does not import Blender's modules."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
