# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notes are told once, in order of severity, led by their motions, and kept in files."""

import json

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.api.notes import (
    gather_motion_notes,
    keep_notes,
    plain_notes,
    read_notes,
    sort_notes,
    tell_doubts,
    tell_note,
    tell_notes,
)
from semi_procedural_locomotion.api.wording import Reader
from semi_procedural_locomotion.notes import NoteKind, make_note

TWICE = make_note(NoteKind.CONTACT_TWICE, "Left")
SLIDES = make_note(NoteKind.FOOT_SLIDES, "Left", 12, share=0.0234, length=0.02)
QUICK = make_note(NoteKind.STEPS_QUICKENED, frame=4, last=9, share=0.1)


def dip(depth, leg="Left"):
    return make_note(NoteKind.FOOT_DIPS, leg, depth=depth)


def test_the_gravest_come_first_and_each_is_told_once():
    assert sort_notes([QUICK, TWICE, SLIDES, TWICE]) == (SLIDES, TWICE, QUICK)
    other = make_note(NoteKind.FOOT_SINKS, "Left", 3, share=0.1, length=0.1)
    assert sort_notes([other, SLIDES]) == (other, SLIDES)


def test_a_note_is_led_by_its_motion_once():
    (note,) = gather_motion_notes([("Walk", [TWICE])])
    assert tell_note(note).startswith("Walk: Left foot touches the ground twice")
    told = {"reason": "'Jump' is no walk cycle", "cure": "see the panel", "job_cure": "see the job"}
    (note,) = gather_motion_notes([("Jump", [make_note(NoteKind.NO_LOCOMOTION, **told)])])
    assert tell_note(note) == "'Jump' is no walk cycle: see the panel"
    assert tell_note(note, Reader.JOB) == "'Jump' is no walk cycle: see the job"


def test_notes_that_differ_in_numbers_alone_are_one():
    rows = [("Walk", [dip(0.1)]), ("Run", [dip(0.2), TWICE]), ("Trot", [dip(0.3, "Right")])]
    walk, run, trot = gather_motion_notes(rows)
    assert tell_note(walk).startswith("Walk: Left foot dips 0.1 m")
    assert tell_note(walk).endswith(" (likewise Run)")
    assert run.values == {"motion": "Run"}
    assert trot.values == {"motion": "Trot", "depth": 0.3}


def test_a_cure_that_several_doubts_have_is_told_once():
    low, short = make_note(NoteKind.HIPS_LOW), make_note(NoteKind.LEGS_SHORT)
    told = tell_doubts([low, short, make_note(NoteKind.SOLE_GUESSED)], Reader.JOB)
    assert sum("name its `legs`" in text for text in told) == 1
    assert told[0] == "the hips are low above the ground"
    assert told[1].endswith("name its `legs` if they are wrong")
    assert told[2].endswith("correct them in Blender")


def test_of_many_motions_a_few_are_named():
    rows = [(name, [dip(0.1)]) for name in ("A", "B", "C", "D", "E", "F")]
    (note,) = gather_motion_notes(rows)
    assert tell_note(note).endswith(" (likewise B, C, D and 2 more)")


def test_two_notes_of_one_kind_on_one_motion_are_one():
    assert len(gather_motion_notes([("Walk", [dip(0.1), dip(0.2)])])) == 1
    assert gather_motion_notes([]) == []


def test_plain_notes_are_json_with_severity():
    moved = make_note(NoteKind.FOOTSTEP_IN_WALL, "Left", place=np.ones(3), footstep="Step", more=0)
    first, second = json.loads(json.dumps(plain_notes([SLIDES, moved])))
    assert first == {
        "kind": "foot_slides",
        "severity": "walk",
        "leg": "Left",
        "frame": 12,
        "place": None,
        "values": {"length": 0.02, "share": 0.0234},
    }
    assert second["place"] == [1.0, 1.0, 1.0]


@pytest.fixture
def report():
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    return armature.locomotion.report


def test_kept_notes_are_read_again(report):
    keep_notes(report, (SLIDES, QUICK))
    assert report.warnings.splitlines() == tell_notes([SLIDES, QUICK])
    assert read_notes(report) == (SLIDES, QUICK)
    keep_notes(report, ())
    assert (report.warnings, report.notes, read_notes(report)) == ("", "", ())


@pytest.mark.parametrize(
    "kept", ["", json.dumps([SLIDES.as_dict(), {"kind": "foot_sings", "values": {}}])]
)
def test_texts_stand_in_for_notes_that_this_version_cannot_read(report, kept):
    report.notes, report.warnings = kept, "the foot slides\nit sings"
    assert tell_notes(read_notes(report)) == ["the foot slides", "it sings"]
