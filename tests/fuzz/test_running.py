# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The long run of the fuzz tells what it finds, and memory that grows."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

pytest.importorskip("hypothesis")

from hypothesis import strategies as st

from tests.fuzz import checks, running


@pytest.mark.parametrize(
    ("sizes", "grows"),
    [
        ([300.0] * 40, False),
        ([200.0 + 10 * min(n, 8) for n in range(40)], False),
        ([300.0 + 3 * n for n in range(40)], True),
        ([300.0, 900.0], False),
    ],
)
def test_memory_that_grows_is_told(sizes, grows):
    assert bool(running.judge_growth(sizes)) == grows


def test_a_failure_is_told_with_its_case_and_the_run_goes_on(monkeypatch, capsys):
    tried = []

    def check(case):
        tried.append(case)
        assert case < 5, "too large"

    clock = itertools.count(0.0, 1.0)
    monkeypatch.setattr(running, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(running, "ROUND", {"numbers": 30, "others": 5})
    families = {"numbers": (st.integers(0, 9), check), "others": (st.just(1), tried.append)}
    monkeypatch.setattr(running, "_list_families", lambda: families)
    assert running.main(["1", "--seed", "3"]) == 1
    out = capsys.readouterr().out
    assert "too large" in out
    assert "case=5" in out
    assert out.count("FOUND in numbers") == 1
    assert 1 in tried


def test_numbers_that_are_none_are_found():
    with pytest.raises(AssertionError, match=r"report\[a\]\[1\] is NaN"):
        checks.require_finite({"a": (1.0, float("nan"))}, "report")
