# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages and pages name controls by the labels that the panels show."""

from __future__ import annotations

import ast
import re

import pytest

# Titles of two words or more inside of a sentence, such as "press Set Up Again".
_TITLE = re.compile(
    r"(?:^|[ (])[a-z]+,? ([A-Z][a-z]+(?:-[A-Z][a-z]+)?(?: (?:from|per|[A-Z][A-Za-z]+))* [A-Z][A-Za-z]+)"
)
# Control names in pages are set in italics or bold.
_MARKED = re.compile(r"\*\*?([A-Z][a-z]+(?: [A-Za-z]+){1,4})\*\*?")
# Blender's own, and the steps of the method.
_FOREIGN = {
    "Object Mode",
    "Pose Mode",
    "Edit Mode",
    "Library Override",
    "Child Of",
    "Inverse Kinematics",
    "Limit Rotation",
    "Copy Data Path",
    "Manual Frame Range",
    "Frame Rate",
    "Frame Time",
    "Scale FPS",
    "Install from Disk",
    "Key times",
}


def list_texts(node):
    """Texts of a module without its docstrings, those with values as patterns of them."""
    docs = {
        id(item.value)
        for item in ast.walk(node)
        if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
    }
    for item in ast.walk(node):
        if isinstance(item, ast.JoinedStr):
            yield "".join(p.value if isinstance(p, ast.Constant) else "x" for p in item.values)
        elif (
            isinstance(item, ast.Constant) and isinstance(item.value, str) and id(item) not in docs
        ):
            yield item.value


@pytest.fixture(scope="module")
def texts(repository):
    """All texts of the program, by the file that they stand in."""
    folder = repository / "semi_procedural_locomotion"
    return {
        path.relative_to(folder).as_posix(): set(list_texts(ast.parse(path.read_text("utf-8"))))
        for path in sorted(folder.rglob("*.py"))
    }


def test_messages_name_controls_as_they_are_labelled(texts):
    labels = set().union(*texts.values()) | _FOREIGN
    named = [
        (path, title)
        for path, found in texts.items()
        for text in found
        if ": " in text or "; " in text
        for title in _TITLE.findall(text)
    ]
    assert len(named) > 10
    assert [pair for pair in named if pair[1] not in labels] == []


def test_pages_name_controls_as_they_are_labelled(texts, repository):
    labels = set().union(*texts.values()) | _FOREIGN
    pages = [repository / "README.md", *sorted((repository / "docs").glob("*.md"))]
    named = [
        (page.name, title) for page in pages for title in _MARKED.findall(page.read_text("utf-8"))
    ]
    assert len(named) > 50
    assert [pair for pair in named if pair[1] not in labels] == []
