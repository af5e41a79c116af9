# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes whose action before is in another slot by now: of files from Blender 4.2, and renamed by hand."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.removal import remove_bake
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.blender.values.bake_record import read_record
from semi_procedural_locomotion.blender.values.custom_keys import BAKE_KEY
from tests.blender.rigs import make_armature

from .test_laying import FIRST, LAST, SECOND, assert_as_before, bake, sample

pytestmark = pytest.mark.skipif(
    bpy.app.version < (4, 4, 0), reason="actions have slots from Blender 4.4 on"
)


@pytest.fixture
def keyed():
    """A character that is keyed by hand."""
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    armature = make_armature("Hero", chains=2, length=3)
    for frame in (1, 40, 75):
        for owner in (armature, *armature.pose.bones):
            owner.location.x = frame / 30
            owner.keyframe_insert("location", frame=frame)
    return armature


@pytest.mark.parametrize(
    ("noted", "name"), [("", "Legacy Slot"), ("OBHero", "Legacy Slot"), ("OBHero", "By Hand")]
)
def test_the_animation_under_a_bake_is_found_in_its_slot(keyed, noted, name):
    source, _ = versions.get_assigned_action(keyed)
    before = sample(keyed)
    bake(keyed, FIRST)
    source.slots[0].name_display = name
    find_bake(keyed)[BAKE_KEY]["previous_slot"] = noted
    assert read_record(find_bake(keyed)).previous_slot == f"OB{name}"
    bake(keyed, SECOND, seed=1)
    assert_as_before(sample(keyed), before, FIRST, SECOND)
    remove_bake(keyed)
    assert versions.get_assigned_action(keyed) == (source, f"OB{name}")
    assert np.array_equal(sample(keyed), before)


def test_an_action_that_played_in_no_slot_plays_in_none(keyed):
    source, _ = versions.get_assigned_action(keyed)
    versions.assign_action(keyed, source, versions.NO_SLOT)
    before = sample(keyed)
    bake(keyed, FIRST)
    assert read_record(find_bake(keyed)).previous_slot == versions.NO_SLOT
    remove_bake(keyed)
    assert np.array_equal(sample(keyed), before)
