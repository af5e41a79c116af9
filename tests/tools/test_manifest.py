# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifest keeps the rules of the extension platform and agrees with the changelog."""

from __future__ import annotations

import re
import tomllib

import pytest

PERMISSIONS = {"files", "network", "clipboard", "camera", "microphone"}
# Longest tagline and reason that Blender's validator accepts.
LONGEST_TEXT = 64


@pytest.fixture(scope="module")
def manifest(repository):
    with (repository / "blender_manifest.toml").open("rb") as file:
        return tomllib.load(file)


def test_identity(manifest):
    assert manifest["schema_version"] == "1.0.0"
    assert manifest["id"] == "semi_procedural_locomotion"
    assert manifest["type"] == "add-on"
    assert "blender" not in manifest["name"].lower()
    assert manifest["license"] == ["SPDX:GPL-3.0-or-later"]
    assert manifest["blender_version_min"] == "4.2.0"
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])


def test_texts_are_short_and_end_in_a_letter(manifest):
    for text in (manifest["tagline"], *manifest["permissions"].values()):
        assert len(text) <= LONGEST_TEXT
        assert text[-1].isalnum()


def test_only_the_permissions_that_are_used(manifest):
    assert set(manifest["permissions"]) == {"files"} <= PERMISSIONS


def test_changelog_starts_with_this_version(manifest, repository):
    changelog = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[([^\]]+)\]", changelog, re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert versions[1] == manifest["version"]


def test_version_is_written_once(manifest, repository):
    version = f'"{manifest["version"]}"'
    sources = (repository / "semi_procedural_locomotion").rglob("*.py")
    assert [path for path in sources if version in path.read_text(encoding="utf-8")] == []
