# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A few walks held against the numbers that are kept of them, and the ways they are compared with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.newest

if bpy.app.binary_path:
    pytest.skip("needs the bpy wheel", allow_module_level=True)

from benchmarks import golden, golden_records, ordinary, seen, stages


@pytest.fixture
def registered():
    from semi_procedural_locomotion import register, unregister

    register()
    yield
    unregister()


def test_no_number_of_the_small_suite_is_worse(registered):
    data = Path(os.environ.get("SPL_TEST_DATA", "../shared/data"))
    found = dict(golden.run_cases(data, golden.list_cases(None, stages.GROUNDS, True)))
    kept = golden_records.read_stored()
    changes = golden_records.compare(kept, found)
    assert len(found.keys() & kept.keys()) >= 3
    # A change that is meant is kept by `python -m benchmarks.golden write --small`.
    assert [str(change) for change in changes if change.is_worse] == []


def test_feet_on_controls_show_the_clip_on_flat_ground(registered):
    """What the program is compared with changes nothing where there is nothing to change."""
    actor = stages.open_actor(next(p for p in stages.PARTS if p.name == "biped"), Path())
    course, count = stages.make_ground("flat", actor), 30
    plain = ordinary.move_clip(actor, course, count)
    ordinary.add_tips(actor)
    item = stages.add_ground(course, stages.find_way(actor))
    ankles = ordinary.read_ankles(actor, count)
    held = ordinary.step_with_controls(actor, course, item, ankles)
    assert held.missed == 0
    gaps = held.sight.points - plain.sight.points
    assert abs(gaps).max() < 0.002 * actor.length
    pace = seen.measure_pace(plain.feet, plain.sight.bones, actor.joints)
    way = plain.sight.bones[-1, 0, 0, 0] - plain.sight.bones[0, 0, 0, 0]
    speed = actor.found["walk"]["speed"] / actor.found["fps"]
    assert way == pytest.approx(speed * (count - 1), rel=0.03)
    assert pace.surges[0] > 0.9
