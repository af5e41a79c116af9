# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that tests append from files are those that would be made."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from tests import scenes
from tests.scenes import add_person, recall


def describe():
    """Objects with their bones and places, and actions with their users, of the file."""
    return (
        [(o.name, o.type, tuple(o.location), o.parent and o.parent.name) for o in bpy.data.objects],
        [[(bone.name, tuple(bone.head_local)) for bone in own.bones] for own in bpy.data.armatures],
        [(a.name, tuple(a.frame_range), a.use_fake_user) for a in bpy.data.actions],
    )


@pytest.mark.parametrize("is_set_up", [False, True])
def test_an_appended_person_is_as_one_that_is_made(monkeypatch, is_set_up):
    appended = add_person(is_set_up)
    found = describe(), [leg.name for leg in appended.locomotion.legs]
    assert len(bpy.data.libraries) == 0 or appended.library is None
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    monkeypatch.setattr(scenes, "recall", lambda name, make: make())
    made = add_person(is_set_up)
    assert (describe(), [leg.name for leg in made.locomotion.legs]) == found


def test_what_is_made_of_another_character_leaves_that_one_alone():
    def add_hat():
        armature = add_person()
        armature.name = "Hat"
        return armature

    for _ in range(2):
        assert recall("person with a hat", add_hat).name == "Hat"
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert add_person().name == "Walker"
    second = add_person()
    assert second.name != "Walker"
    assert len(bpy.data.armatures) == 2
