# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warnings name their motion, and the same warning is told once."""

from __future__ import annotations

from semi_procedural_locomotion.core.motions.notes import collect_warnings, name_warning


def test_a_warning_is_led_by_its_motion_once():
    assert name_warning("Walk", "feet slide") == "Walk: feet slide"
    assert name_warning("Jump", "'Jump' is no walk cycle") == "'Jump' is no walk cycle"


def test_warnings_that_differ_in_numbers_alone_are_one():
    rows = [
        ("Walk", ["Feet stand +0.031 m from the ground", "Only 9 keys in a cycle"]),
        ("Run", ["Feet stand -1e-05 m from the ground"]),
        ("Strafe", ["Feet slide by 12% of the speed"]),
    ]
    assert collect_warnings(rows) == [
        "Walk: Feet stand +0.031 m from the ground (likewise Run)",
        "Walk: Only 9 keys in a cycle",
        "Strafe: Feet slide by 12% of the speed",
    ]


def test_many_motions_are_counted():
    rows = [(f"Clip {letter}", ["It limps"]) for letter in "ABCDEF"]
    assert collect_warnings(rows) == [
        "Clip A: It limps (likewise Clip B, Clip C, Clip D and 2 more)"
    ]


def test_two_warnings_of_one_kind_on_one_motion_are_one():
    assert collect_warnings([("Walk", ["dips 0.1 m", "dips 0.2 m"])]) == ["Walk: dips 0.1 m"]
    assert collect_warnings([]) == []
