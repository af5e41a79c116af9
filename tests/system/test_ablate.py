# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A part that is left out changes the walk that it was made for, and nothing after that."""

from __future__ import annotations

from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.newest

if bpy.app.binary_path:
    pytest.skip("needs the bpy wheel", allow_module_level=True)

from benchmarks.ablate_entries import CASES, ENTRIES
from benchmarks.ablate_scenes import SCENES
from benchmarks.ablate_switches import Entry
from benchmarks.ablate_walks import run_character
from benchmarks.stages import PARTS


def test_all_scenes_of_cases_can_be_made():
    assert {scene for scenes in CASES.values() for scene in scenes} <= SCENES.keys()


def test_a_kerb_is_cut_without_its_rows_and_cleared_again_with_them():
    from semi_procedural_locomotion import register, unregister

    register()
    try:
        rooms = next(entry for entry in ENTRIES if entry.name == "change: room")
        tries = {"kerb": [rooms, Entry("nothing", "biped/kerb", ())]}
        biped = next(part for part in PARTS if part.name == "biped")
        found = {name: out for _, name, out in run_character(biped, Path(), tries)}
    finally:
        unregister()
    assert found[""].numbers["deep"] < 0.005
    assert found["change: room"].numbers["deep"] > 0.03
    assert not found["change: room"].is_same
    assert found["nothing"].is_same
    assert found["nothing"].numbers == found[""].numbers
