# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thresholds stand in frozen records, each with its reason, and each is used."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "semi_procedural_locomotion"
ENDINGS = ("Limits", "Costs", "Shares")


def find_records() -> list[tuple[Path, ast.ClassDef]]:
    """Modules and classes of all records of thresholds."""
    return [
        (path, node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith(ENDINGS)
    ]


RECORDS = find_records()


def read_fields(record: ast.ClassDef) -> dict[str, str | None]:
    """Fields of a record with the words below each."""
    fields: dict[str, str | None] = {}
    for number, node in enumerate(record.body):
        if not isinstance(node, ast.AnnAssign):
            continue
        assert isinstance(node.target, ast.Name)
        assert node.value is not None, f"{record.name}.{node.target.id} has no value"
        below = record.body[number + 1] if number + 1 < len(record.body) else None
        told = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        fields[node.target.id] = str(below.value.value) if told else None
    return fields


def test_stages_have_records():
    """The search finds what it is for."""
    folders = {path.relative_to(PACKAGE).parts[:-1] for path, _ in RECORDS}
    folders |= {folder[:-1] for folder in folders if folder[-1] == "limits"}
    assert {("core", "contacts"), ("core", "motions"), ("blender",), ("api",)} <= folders


@pytest.mark.parametrize(("path", "record"), RECORDS, ids=[node.name for _, node in RECORDS])
def test_record_is_frozen_and_says_why(path: Path, record: ast.ClassDef):
    decorators = [ast.unparse(node) for node in record.decorator_list]
    assert decorators == ["dataclass(frozen=True)"], record.name
    # One page explains the record, or each of its fields names its own.
    words = " ".join(
        (ast.get_docstring(record) or "", *(told or "" for told in read_fields(record).values()))
    )
    assert "docs/method/" in words, f"{path}: {record.name} names no page of the method"


@pytest.mark.parametrize("record", [node for _, node in RECORDS], ids=lambda node: node.name)
def test_each_field_has_words(record: ast.ClassDef):
    fields = read_fields(record)
    assert fields
    assert [name for name, told in fields.items() if not told] == []


def test_each_field_is_used():
    code = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    used = set(re.findall(r"\.(\w+)", code))
    dead = [
        f"{record.name}.{name}"
        for _, record in RECORDS
        for name in read_fields(record)
        if name not in used
    ]
    assert dead == []


def test_no_two_records_share_a_name():
    names = [record.name for _, record in RECORDS]
    assert sorted(set(names)) == sorted(names)
