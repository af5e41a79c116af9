# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small changes that the tests must notice: their list, and how they are tried."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest


@pytest.fixture(scope="module")
def mutants(repository):
    """Import the module of tools/, which is no package."""
    sys.path.insert(0, str(repository / "tools"))
    import mutants

    yield mutants
    sys.path.remove(str(repository / "tools"))


@pytest.fixture
def tree(mutants, monkeypatch, tmp_path):
    """A tree of one formula with a test that holds its sign and not its factor."""
    module = tmp_path / "formulas.py"
    module.write_text("def slope(rise):\n    return 2.0 * rise\n")
    (tmp_path / "tests").mkdir()
    test = "from formulas import slope\n\n\ndef test_sign():\n    assert slope(1.0) > 0\n"
    (tmp_path / "tests" / "test_formulas.py").write_text(test)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    monkeypatch.setattr(mutants, "COPIED", ("formulas.py", "tests", "pyproject.toml"))
    monkeypatch.setattr(mutants, "ALL_TESTS", ("tests",))
    return tmp_path


def make_mutant(mutants, change, text="2.0 * rise", tests=("tests/test_formulas.py",)):
    return mutants.Mutant(f"slope is {change}", "formulas.py", text, change, tests)


def test_the_list_can_be_tried(mutants, repository):
    listed = mutants.read_mutants()
    assert len(listed) > 50
    assert mutants.check_mutants(repository, listed) == []


def test_a_change_of_sign_is_noticed_and_one_of_the_factor_survives(mutants, tree):
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    chosen = [make_mutant(mutants, change) for change in ("-2.0 * rise", "3.0 * rise")]
    told = []
    outcomes = mutants.try_mutants(tree, chosen, sys.executable, workers=2, tell=told.append)
    assert [outcome.mutant for outcome in outcomes] == chosen
    assert outcomes[0].noticed_by == "tests/test_formulas.py::test_sign"
    assert outcomes[1].noticed_by is None
    assert len(told) == 2
    summary = mutants.summarize(outcomes)
    assert "survived: slope is 3.0 * rise" in summary
    assert summary.endswith("mutants: 1 noticed, 1 survived")
    assert {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ({"text": "5.0 * rise"}, "0 times in formulas.py"),
        ({"text": "rise"}, "2 times in formulas.py"),
        ({"file": "lost.py"}, "no lost.py"),
        ({"change": "2.0 * rise"}, "changes nothing"),
        ({"tests": ("tests/lost.py",)}, "there is no tests/lost.py"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused_before_any_is_tried(mutants, tree, broken, words):
    mutant = replace(make_mutant(mutants, "rise"), **broken)
    with pytest.raises(mutants.MutantError, match=words):
        mutants.try_mutants(tree, [make_mutant(mutants, "0.0"), mutant], sys.executable)


def test_tests_that_fail_by_themselves_and_broken_modules_are_no_success(mutants, tree):
    broken = make_mutant(mutants, "2.0 *")
    with pytest.raises(mutants.MutantError, match="no test could run"):
        mutants.try_mutants(tree, [broken], sys.executable)
    (tree / "tests" / "test_more.py").write_text("def test_never():\n    assert False\n")
    with pytest.raises(mutants.MutantError, match="fail without any change"):
        mutants.try_mutants(tree, [make_mutant(mutants, "0.0")], sys.executable)
