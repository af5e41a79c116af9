# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of what must earn its place is true, switches are put back, and tables tell all rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from inspect import signature
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

from benchmarks.ablate_entries import CASES, CORE, ENTRIES, TESTS
from benchmarks.ablate_pages import write_table
from benchmarks.ablate_switches import answer, put, skip_stage, switched_off
from semi_procedural_locomotion.core import plan
from semi_procedural_locomotion.core.plan import STAGES
from semi_procedural_locomotion.core.prints import choice
from semi_procedural_locomotion.core.prints import limits as print_limits
from semi_procedural_locomotion.core.trajectory import limits as change_limits

# Without these there is no walk; what they decide is tried pass by pass.
_NEEDED = {
    *("rides", "levels", "times", "prints", "keys", "source", "states", "body", "swings", "feet"),
    *("legs", "poses"),
}
# Fields of records of costs that are no weights.
_BOUNDS = {"near", "most_stray", "least_fold", "gain"}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_what_an_entry_replaces_is_there_and_is_put_back(entry):
    found = [off.find() for off in entry.offs]
    before = [getattr(owner, name) for owner, name in found]
    with switched_off(entry.offs):
        during = [getattr(owner, name) for owner, name in found]
    assert all(a is not b for a, b in zip(before, during, strict=True))
    assert all(getattr(o, n) is b for (o, n), b in zip(found, before, strict=True))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_what_stands_in_for_a_function_takes_its_arguments(entry):
    found = [off.find() for off in entry.offs]
    before = [getattr(owner, name) for owner, name in found]
    with switched_off(entry.offs):
        during = [getattr(owner, name) for owner, name in found]
    for old, new in zip(before, during, strict=True):
        if not isinstance(old, FunctionType):
            continue
        parameters = signature(old).parameters.values()
        needed = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        signature(new).bind(*[p for p in needed if p.default is p.empty])


def test_every_stage_and_every_cost_has_an_entry():
    names = {entry.name for entry in ENTRIES}
    assert {f"stage {stage.name}" for stage in STAGES if stage.name not in _NEEDED} <= names
    assert {stage.name for stage in STAGES} >= _NEEDED
    put_to = {(off.module, off.name) for entry in ENTRIES for off in entry.offs}
    records = ("prints", "COSTS", print_limits), ("trajectory", "WEIGHTS", change_limits)
    for module, record, limits in records:
        for field in fields(getattr(limits, record)):
            if field.name not in _BOUNDS:
                assert (f"{module}.limits", f"{record}.{field.name}") in put_to


def test_names_are_there_once_and_cases_are_known():
    assert max(Counter(entry.name for entry in ENTRIES).values()) == 1
    cases = {f"{character}/{scene}" for character, scenes in CASES.items() for scene in scenes}
    assert {entry.case for entry in ENTRIES} <= cases
    assert set(CORE) <= cases
    assert all(len(scenes) >= 3 for scenes in CASES.values())


def test_switches_are_put_back_after_a_mistake():
    before = choice.weigh_walls, print_limits.COSTS.move, plan.STAGES
    offs = (
        answer("prints.choice", "weigh_walls", lambda *_: []),
        put("prints.limits", "COSTS.move", 0.0),
        skip_stage("asides"),
    )
    with pytest.raises(RuntimeError), switched_off(offs):
        assert choice.weigh_walls() == []
        assert print_limits.COSTS.move == 0.0
        (skipped,) = (stage for stage in plan.STAGES if stage.name == "asides")
        assert skipped.plan is None
        raise RuntimeError
    assert (choice.weigh_walls, print_limits.COSTS.move, plan.STAGES) == before


def test_what_is_gone_is_told():
    with pytest.raises(AttributeError), switched_off([put("prints.limits", "COSTS.gone", 0.0)]):
        pass
    with pytest.raises(AttributeError, match="no stage"), switched_off([skip_stage("gone")]):
        pass


def test_methods_are_replaced_on_their_class():
    from semi_procedural_locomotion.core.times.rides import Rides

    before = Rides.spread_turns
    with switched_off([answer("times.rides", "Rides.spread_turns", lambda own, _: own)]):
        assert Rides.spread_turns("rides", None) == "rides"
    assert Rides.spread_turns is before


def test_the_table_tells_each_row_that_changes():
    whole = {"slip": 0.001, "turn": 400.0, "pitch": None}
    found = {
        "a/flat": {
            "": (whole, False, ""),
            "walls": ({"slip": 0.004, "turn": 300.0, "pitch": None}, False, ""),
            "nods": (whole, True, ""),
            "rims": ({"slip": 0.0011, "turn": 401.0, "pitch": None}, False, ""),
        },
        "a/stairs": {"": (whole, False, ""), "walls": ({}, False, "ValueError: no")},
    }
    entries = [("walls", "a/stairs"), ("nods", "a/flat"), ("rims", "a/flat"), ("others", "a/flat")]
    text = write_table(entries, found, {}, "a tree", "b/flat")
    assert (
        "| walls | a/stairs | a/stairs: no walk (ValueError: no)<br>a/flat: slip 0.001 -> 0.004 "
        "| a/flat: turn 400 -> 300 |" in text
    )
    # Another walk, and no row beyond its tolerance.
    assert "| rims | a/flat | - | - |" in text
    effects, idle = text.split("## No effect anywhere")
    assert "| nods |" not in effects
    assert "| nods | a/flat | a/flat |" in idle
    assert "others" not in text
    assert "| a/flat | 0.001 | 400 |  |" in idle
    told = write_table(entries, found, {"nods": "test_x.py::test_nods"}, "a tree", "b/flat")
    assert "| nods | a/flat | fails: test_nods | - |" in told


@pytest.mark.parametrize("test", sorted(set(TESTS.values())))
def test_tests_that_justify_entries_are_there(test):
    path, _, name = test.partition("::")
    assert f"def {name}(" in (Path("tests/core") / path).read_text(encoding="utf-8")


def test_tests_are_named_for_entries():
    assert TESTS.keys() <= {entry.name for entry in ENTRIES}


def test_what_is_left_out_is_nothing_of_the_right_shape():
    """Neutral results stand for those of the functions that they replace."""
    entry = next(entry for entry in ENTRIES if entry.name == "choice of prints")
    (off,) = entry.offs

    class Prints:
        turns = np.zeros(4)
        fits = None

    ways, _ = off.make(None)(Prints, None)
    assert ways.tolist() == [[0.0, 0.0]] * 4
