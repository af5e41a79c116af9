# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Links, images and figures of the project's pages."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"```.*?```", re.DOTALL)
_HEADING = re.compile(r"^#+ (.+?)\s*$", re.MULTILINE)


@pytest.fixture(scope="module")
def pages(repository):
    """All pages by path, without their blocks of code."""
    paths = [*repository.glob("*.md"), *(repository / "docs").rglob("*.md")]
    return {path: _FENCE.sub("", path.read_text("utf-8")) for path in sorted(paths)}


def list_anchors(text):
    """Anchors that a public host gives to the headings of a page."""
    headings = [re.sub(r"\[(.+?)\]\(.*?\)", r"\1", title) for title in _HEADING.findall(text)]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def list_links(text):
    return [link for link in _LINK.findall(text) if not link.startswith(("http:", "https:"))]


def test_links_lead_to_files_and_headings(pages):
    links = [(path, link) for path, text in pages.items() for link in list_links(text)]
    assert len(links) > 100
    broken = []
    for path, link in links:
        place, _, anchor = link.partition("#")
        target = (path.parent / place).resolve() if place else path
        if not target.exists() or (anchor and anchor not in list_anchors(pages[target])):
            broken.append((path.name, link))
    assert broken == []


def test_every_page_of_the_method_is_in_its_index(repository, pages):
    folder = repository / "docs" / "method"
    linked = set(list_links(pages[folder / "README.md"]))
    assert {path.name for path in folder.glob("*.md")} - linked == {"README.md"}


def test_figures_are_made_by_their_tool_and_shown(repository, pages, tmp_path):
    subprocess.run(
        [sys.executable, repository / "tools" / "figures.py", tmp_path],
        env={**os.environ, "PYTHONPATH": str(repository)},
        cwd=repository,
        check=True,
    )
    made = {path.name for path in tmp_path.glob("*.svg")}
    kept = {path.name for path in (repository / "docs" / "method" / "images").iterdir()}
    shown = {
        link.rpartition("/")[2]
        for path, text in pages.items()
        for link in list_links(text)
        if path.parent.name == "method" and link.startswith("images/")
    }
    assert made == kept == shown
    for path in tmp_path.glob("*.svg"):
        root = ET.parse(path).getroot()
        assert root.tag.endswith("svg")
        assert len(root) > 3
