# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of characters of other proportions whose bones have the same names."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Vector

from semi_procedural_locomotion.blender.reading.evidence import choose_actions
from semi_procedural_locomotion.blender.reading.relatives import note_foreign
from semi_procedural_locomotion.blender.reading.sampling import find_actions
from semi_procedural_locomotion.notes import NoteKind
from tests.blender.rigs import make_armature


def play(armature, name, height=0.0):
    """A new action that an armature plays, which holds its first bone so high."""
    action = bpy.data.actions.new(name)
    armature.animation_data_create().action = action
    first = armature.pose.bones[0]
    first.location = first.bone.matrix_local.to_3x3().inverted() @ Vector((0.0, 0.0, height))
    for bone in armature.pose.bones:
        bone.keyframe_insert("location", frame=1)
    return action


def make_two(seed):
    """Two armatures with bones of the same names; with the same seed of the same proportions."""
    return make_armature("Rig", seed=0), make_armature("Rig", seed=seed)


def push_down(armature):
    """Put the action that an armature plays into a strip of its NLA."""
    data = armature.animation_data
    data.nla_tracks.new().strips.new("Strip", 1, data.action)
    data.action = None


@pytest.mark.parametrize("in_strip", [False, True])
def test_actions_of_other_proportions_are_no_evidence_and_told(in_strip):
    one, two = make_two(seed=1)
    step, walk = play(one, "Step"), play(two, "Walk")
    if in_strip:
        push_down(two)
    assert find_actions(one) == choose_actions(one) == [step]
    assert find_actions(two) == [walk]
    (note,) = note_foreign(one)
    assert (note.kind, note.values["actions"]) == (NoteKind.ACTIONS_OF_OTHERS, ("Walk",))
    assert set(choose_actions(one, [walk])) == {step, walk}  # whoever names it gets it


def test_a_library_of_clips_serves_all_characters_of_its_proportions():
    one, two = make_two(seed=0)
    step, walk = play(one, "Step"), play(two, "Walk")
    assert find_actions(one) == find_actions(two) == [step, walk]
    assert note_foreign(one) == ()


def test_who_has_no_action_of_its_own_keeps_those_of_others():
    one, two = make_two(seed=1)
    walk = play(two, "Walk")
    assert find_actions(one) == [walk]
    assert [note.kind for note in note_foreign(one)] == [NoteKind.ACTIONS_OF_OTHERS]


def test_actions_that_nobody_plays_are_told_by_their_height():
    one, two = make_two(seed=1)
    high, low = play(one, "High", height=100.0), play(one, "Low")
    two.animation_data_create()
    step = play(one, "Step")
    assert [a for a in (high, low, step) if a in find_actions(one)] == [low, step]
