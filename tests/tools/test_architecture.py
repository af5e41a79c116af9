# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the architecture, and those of the method, name modules and records that there are."""

import re

import pytest

_PACKAGE = "semi_procedural_locomotion"
_PATH = re.compile(r"`((?:[a-z_]+/)*[a-z_]+(?:\.py|/)|docs/[\w/]+\.md)`")
_ROW = re.compile(r"^\| (.+?) \| (.+?) \|", re.MULTILINE)


@pytest.fixture(scope="module")
def page(repository):
    return (repository / "docs" / "architecture.md").read_text("utf-8")


def cut_section(page, title):
    """A section of the page, up to the next of its rank."""
    return re.split(r"^## ", page.partition(f"## {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def test_every_path_exists(repository, page):
    named = _PATH.findall(page)
    assert len(named) > 80
    roots = (repository, repository / _PACKAGE)
    assert [p for p in named if not any((root / p).exists() for root in roots)] == []


def test_paths_in_the_method_exist(repository):
    pages = sorted((repository / "docs" / "method").glob("*.md"))
    named = [(p.name, path) for p in pages for path in _PATH.findall(p.read_text("utf-8"))]
    assert len(named) > 50
    roots = (repository, repository / _PACKAGE)
    assert [n for n in named if not any((root / n[1]).exists() for root in roots)] == []


def test_questions_lead_to_modules(page):
    rows = [row for row in _ROW.findall(cut_section(page, "Where is it decided?")) if "?" in row[0]]
    assert len(rows) >= 50
    assert [question for question, answer in rows if not _PATH.search(answer)] == []
    assert len({question for question, _ in rows}) == len(rows)


def test_labels_lead_to_modules_and_are_those_of_panels(repository, page):
    section = cut_section(page, "Where is it decided?").partition("### By the label of a panel")[2]
    rows = _ROW.findall(section.partition("###")[0])[2:]
    named = [label for labels, _ in rows for label in labels.split(", ")]
    sources = [path.read_text("utf-8") for path in (repository / _PACKAGE).rglob("*.py")]
    known = {n for text in sources for n in re.findall(r'(?:name|label)="([^"]+)"', text)}
    assert len(named) > 30
    assert [label for label in named if label not in known] == []
    assert [labels for labels, answer in rows if not _PATH.search(answer)] == []


def test_every_stage_of_the_core_is_there(repository, page):
    core = repository / _PACKAGE / "core"
    folders = sorted(path.parent.name for path in core.glob("*/__init__.py"))
    assert len(folders) > 10
    assert [name for name in folders if f"`core/{name}/" not in page] == []


def test_records_that_flow_are_defined(repository, page):
    sources = [path.read_text("utf-8") for path in (repository / _PACKAGE).rglob("*.py")]
    defined = {name for text in sources for name in re.findall(r"^class (\w+)", text, re.MULTILINE)}
    rows = _ROW.findall(cut_section(page, "What flows"))
    named = [name for record, _ in rows for name in re.findall(r"`(\w+)`", record)]
    assert len(named) > 12
    assert [name for name in named if name not in defined] == []


def test_words_are_in_order_and_told_once(page):
    words = [word for word, _ in _ROW.findall(cut_section(page, "Words"))[1:]]
    words = [word for word in words if not word.startswith("-")]
    assert len(words) > 60
    assert words == sorted(set(words), key=str.casefold)


def test_stages_are_listed_in_their_order(repository, page):
    plan = (repository / _PACKAGE / "core" / "plan.py").read_text("utf-8")
    stages = re.findall(r'^    Stage\("([\w ]+)"', plan, re.MULTILINE)
    assert len(stages) > 10
    assert ", ".join(stages) in re.sub(r"\s+", " ", page)
