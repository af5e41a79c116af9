# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages have short sentences, and name the records of numbers that there are."""

import ast
import re

import pytest

_LONGEST_MEAN = 18.0
_GENERATED = ("ablation",)
# What is no sentence: code, formulas, tables, headings, pictures.
_BLOCKS = re.compile(r"```.*?```|\$\$.*?\$\$", re.DOTALL)
_ITEM = re.compile(r"\s*([-*]|\d+\.) ")
_FIELD = re.compile(r"`([A-Z][A-Z_]+)\.([a-z_]+)`")
_RECORD = re.compile(r"`([A-Z][A-Z_]{2,})`")
# Constants that are no records of numbers.
_OTHERS = {"STAGES"}


def list_pages(repository):
    """All pages that are written by hand, at least in part."""
    paths = [*repository.glob("*.md"), *(repository / "docs").rglob("*.md")]
    return [path for path in sorted(paths) if not path.name.startswith(_GENERATED)]


def list_sentences(text):
    """Sentences of a page, each as its words."""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", _BLOCKS.sub("", text)):
        words = _ITEM.sub("", block.strip(), count=1)
        if not words or words[0] in "|#!":
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
        words = re.sub(r"`[^`]*`", "Code", words)
        for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z*(])", words):
            if len(sentence.split()) > 1:
                yield sentence.split()


def test_sentences_are_short(repository):
    pages = list_pages(repository)
    assert len(pages) > 40
    means = {}
    for path in pages:
        lengths = [len(words) for words in list_sentences(path.read_text("utf-8"))]
        means[path.name] = sum(lengths) / len(lengths)
    assert {name: mean for name, mean in means.items() if mean > _LONGEST_MEAN} == {}


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("One thought here. Two\nthoughts are there.", [3, 4]),
        ("# A heading\n\n- An item of five words\n- and one more\n\n| a | table |", [5, 3]),
        ("Text with `code.of(it)` and [a link](to.md#it):\n\n```\nno words at all\n```", [6]),
        ("Before it.\n\n$$ a = b $$\n\nafter it", [2, 2]),
    ],
)
def test_words_are_counted(text, lengths):
    assert [len(words) for words in list_sentences(text)] == lengths


def test_records_named_by_the_method_have_these_fields(repository):
    fields = {}
    for path in (repository / "semi_procedural_locomotion").rglob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body
        known = {
            node.name: {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
            for node in body
            if isinstance(node, ast.ClassDef)
        }
        for node in body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                made = getattr(node.value.func, "id", None)
                for target in node.targets:
                    if made in known:
                        fields.setdefault(target.id, set()).update(known[made])
    text = "\n".join(
        path.read_text("utf-8")
        for path in list_pages(repository)
        if path.parent.name in ("method", "docs")
    )
    named = _FIELD.findall(text)
    assert len(named) > 30
    assert [pair for pair in named if pair[1] not in fields.get(pair[0], ())] == []
    notes = (repository / "semi_procedural_locomotion" / "notes" / "kinds.py").read_text("utf-8")
    lone = set(_RECORD.findall(text)) - _OTHERS
    assert len(lone) > 50
    lost = [name for name in sorted(lone - set(fields)) if not re.search(rf"\b{name}\b", notes)]
    assert [name for name in lost if not _is_elsewhere(repository, name)] == []


def _is_elsewhere(repository, name):
    """Whether code or scripts of the project know a name, such as an environment variable."""
    folders = ("semi_procedural_locomotion", "tests", "tools")
    return any(
        re.search(rf"\b{name}\b", path.read_text("utf-8"))
        for folder in folders
        for path in (repository / folder).rglob("*.py")
        if path.name != "test_plain_words.py"
    )
