# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of settings: what they take, and what they say of what they do not take."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from semi_procedural_locomotion.errors import SettingError
from semi_procedural_locomotion.requests.settings.bakes import BAKE, OUTPUT
from semi_procedural_locomotion.requests.settings.kinds import check_values, show_value
from semi_procedural_locomotion.requests.settings.steps import PLAN


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lean", 0),
        ("lean", 1.0),
        ("lean", np.float32(0.3)),
        ("lean", np.float64(0.3)),
        ("lean", Fraction(1, 3)),
        ("hug", None),
        ("max_slope", float(np.float32(PLAN["max_slope"].high))),
        ("sole_tolerance", float(np.float32(PLAN["sole_tolerance"].low))),
        ("lock_feet", False),
    ],
)
def test_values_in_range_pass(name, value):
    assert PLAN[name].find_fault(value) == ""
    check_values(PLAN, {name: value})


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("lean", 50, "lean must be a number from 0 to 1 as a share, got 50"),
        ("lean", None, "lean must be a number from 0 to 1 as a share, got None"),
        ("lean", True, "got True"),
        ("lean", 1.0 + 1e-6, "got 1.000001"),
        ("max_stride", -5, "max_stride must be a number from 0 to 20 lengths of the leg, got -5"),
        ("arc_height", "a", "arc_height must be a number .* got 'a'"),
        ("sole_tolerance", 0, "sole_tolerance must be a number from 0.001 to 20 lengths"),
        ("max_slope", float("nan"), "from 0 to 1.553 radians, got nan"),
        ("grid_rate", float("inf"), "from 48 to 2000 samples a second, got inf"),
        ("max_cycle", 10**400, r"cycles of the slowest walk, got 1000000.*\.\.\."),
        ("max_climb", [0.3], r"got \[0.3\]"),
        ("max_climb", np.array([0.3, 0.4]), r"got array\(\[0.3, 0.4\]\)"),
        ("max_climb", 1j, "got 1j"),
        ("lock_feet", 1, "lock_feet must be true or false, got 1"),
    ],
)
def test_other_values_are_refused_with_name_range_and_unit(name, value, words):
    with pytest.raises(SettingError, match=words) as caught:
        check_values(PLAN, {name: value})
    assert str(caught.value).startswith(name)
    assert len(str(caught.value)) < 160


def test_numbers_of_thousands_of_digits_are_refused():
    assert PLAN["max_cycle"].find_fault(10**5000).endswith("got a number of thousands of digits")


@pytest.mark.parametrize("value", [0, 4, 4.0, np.int32(4), 1048574])
def test_whole_numbers_pass(value):
    assert BAKE["blend_in"].find_fault(value) == ""


@pytest.mark.parametrize("value", [-1, 1.5, 1048575, float("inf"), float("nan"), "4", None, False])
def test_other_counts_are_refused(value):
    fault = BAKE["blend_in"].find_fault(value)
    assert fault.startswith("must be a whole number from 0 to 1048574 frames, got ")


def test_texts_and_choices():
    assert BAKE["action_name"].find_fault("Shot") == BAKE["action_name"].find_fault(None) == ""
    assert BAKE["action_name"].find_fault("") == "must be a text that is not empty, got ''"
    assert OUTPUT.find_fault("bone") == ""
    assert OUTPUT.find_fault("BONE") == 'must be "object" or "bone" or "none", got \'BONE\''
    assert OUTPUT.find_fault(np.array(["bone"])).startswith('must be "object"')


def test_names_that_are_no_settings_are_left_alone():
    check_values(PLAN, {"leg_bones": object(), "lean": 0.5})


def test_values_are_shown_in_one_short_line():
    assert show_value("two\nlines") == r"'two\nlines'"
    assert show_value(np.zeros((2, 2))) == "array([[0., 0.], [0., 0.]])"
    assert show_value("long " * 50).endswith("...")
