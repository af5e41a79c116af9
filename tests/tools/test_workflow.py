# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a public host runs agrees with what tools/run knows."""

from __future__ import annotations

import re
import sys

import pytest


@pytest.fixture(scope="module")
def workflow(repository):
    return (repository / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tasks(repository):
    """Import the tasks, which lie in no package."""
    sys.path.insert(0, str(repository / "tools"))
    import tasks

    yield tasks
    sys.path.remove(str(repository / "tools"))


def test_matrix_holds_all_wheels(workflow, tasks):
    import environments

    (listed,) = re.findall(r"^ +bpy: \[(.*)\]$", workflow, re.MULTILINE)
    (versions,) = environments.BPY_VERSIONS.values()
    assert tuple(re.findall(r'"([\d.]+)"', listed)) == versions


def test_cached_wheels_are_those_that_are_tested(workflow, tasks):
    import environments

    (versions,) = environments.BPY_VERSIONS.values()
    named = re.findall(r"path: \.venvs/bpy-([\d.]+)$", workflow, re.MULTILINE)
    assert named == [versions[-1]]


def test_only_known_parts_are_asked_for(workflow, tasks, monkeypatch):
    monkeypatch.setattr("sys.version_info", (3, 11, 0, "final", 0))
    parts = re.findall(r"tools/run test --only ([\w.]+)$", workflow, re.MULTILINE)
    assert set(parts) == {"checks", "blender"}
    assert tasks.choose_versions("checks") == tasks.choose_versions("blender") == ()
    assert tasks.choose_versions("4.2") == tasks.choose_versions("4.2.23") == ("4.2.23",)
    assert tasks.choose_versions("4") == ("4.2.23", "4.5.15")
    assert tasks.choose_versions(None) == ("4.2.23", "4.5.15", "5.0.1")
    for part in ("4.20", "wheels"):
        with pytest.raises(tasks.SetupError, match=r"name one of checks, blender, 4\.2"):
            tasks.choose_versions(part)


def test_hooks_run_what_the_checks_run(repository):
    hooks = (repository / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    programs = set(re.findall(r"entry: \.venvs/core/bin/(\S+)", hooks))
    assert programs == {"ruff", "lint-imports", "mypy", "codespell", "python"}
    wanted = {"ruff format", "ruff", "import-linter", "mypy", "codespell"}
    assert wanted <= set(re.findall(r"^        name: (.*)$", hooks, re.MULTILINE))
    source = (repository / "tools" / "stages.py").read_text(encoding="utf-8")
    assert wanted <= set(re.findall(r'Stage\(\s*"([^"]+)"', source))
