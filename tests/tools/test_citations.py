# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What comments and docstrings cite is in the repository, and under the heading that they name."""

import re

import pytest

_FOLDERS = ("semi_procedural_locomotion", "tests", "tools", "benchmarks")
# A page, and after a comma the heading that is meant; comments and docstrings may break within it.
_CITATION = re.compile(r"docs/[\w/]+\.md(,\s(?:\s*#)?\s*[A-Z][^\n]*(?:\n[^\n]*)?)?")
# Documents that are in no repository, by the names and numbers with which they might be cited.
_ELSEWHERE = re.compile(
    r"\b(plan|motion|rig|field|gait)[ _]stud(y|ies)\b|\b(method|models|field|design|house)\.md\b"
    r"|\bgait_norms\b|\b(method|design) [A-E]?\d|\bthe design('s)?\b|\bmethod\.md part\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^#+ (.+?)\s*$", re.MULTILINE)


@pytest.fixture(scope="module")
def sources(repository):
    """All sources by path but this one."""
    paths = [path for folder in _FOLDERS for path in (repository / folder).rglob("*.py")]
    return {
        path: path.read_text("utf-8") for path in sorted(paths) if path.name != "test_citations.py"
    }


@pytest.fixture(scope="module")
def headings(repository):
    """Headings of all pages, by the path of the page."""
    return {
        page.relative_to(repository).as_posix(): _HEADING.findall(page.read_text("utf-8"))
        for page in (repository / "docs").rglob("*.md")
    }


def list_citations(text):
    """Pages that are cited, and what follows them."""
    for match in _CITATION.finditer(text):
        page = match.group().partition(",")[0]
        yield page, re.sub(r"\s*\n\s*#?\s*", " ", match.group()[len(page) :]).removeprefix(", ")


def find_heading(rest, titles):
    """The longest of some titles with which a text begins, as whole words; None for none."""
    fitting = [t for t in titles if re.match(re.escape(t) + r"(?!\w)", rest)]
    return max(fitting, key=len, default=None)


def test_citations_lead_to_headings(sources, headings):
    cited = [(path, *c) for path, text in sources.items() for c in list_citations(text)]
    assert len(cited) > 60
    assert [(path.name, page) for path, page, _ in cited if page not in headings] == []
    lost = [
        (path.name, page, rest[:50])
        for path, page, rest in cited
        if rest or page.startswith("docs/method/")
        if find_heading(rest, headings[page]) is None
    ]
    assert lost == []


def test_nothing_is_cited_that_is_elsewhere(sources, repository):
    pages = [*repository.glob("*.md"), *(repository / "docs").rglob("*.md")]
    texts = {**sources, **{page: page.read_text("utf-8") for page in pages}}
    found = [
        (path.name, match.group())
        for path, text in texts.items()
        for match in _ELSEWHERE.finditer(re.sub(r"\s*\n\s*#?\s*", " ", text))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"""Soles (docs/method/legs.md, Soles)."""', ("docs/method/legs.md", "Soles")),
        ("# far (docs/method/rig.md,\n# Soft reach).", ("docs/method/rig.md", "Soft reach")),
        ("see docs/method/rig.md, Two\n    bones and more", ("docs/method/rig.md", "Two bones")),
        ("as docs/grounds.md. Run it", ("docs/grounds.md", None)),
        ("(docs/method/rig.md, Two bonesetters)", ("docs/method/rig.md", None)),
    ],
)
def test_citations_are_read_over_line_breaks(text, expected, headings):
    [(page, rest)] = list_citations(text)
    assert (page, find_heading(rest, headings[page])) == expected
