# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key times that the user sets instead of those found."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.contacts.edits import ContactEdit, ContactTimes, find_fault
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.analysis import AnalysisOptions, analyze_clip
from semi_procedural_locomotion.core.motions.changes import reverse_motion
from semi_procedural_locomotion.core.motions.records import MotionSet
from semi_procedural_locomotion.core.motions.synchronising import synchronize_motions
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.errors import AnalysisError
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip


@pytest.fixture(scope="module")
def walk():
    """A clip and its rig."""
    clip, rig, _ = make_clip(Recipe())
    return clip, rig


def edit(walk, **times):
    clip, rig = walk
    edits = {leg: ContactEdit(**vars(given)) for leg, given in times.items()}
    return analyze_clip(clip, rig, AnalysisOptions(key_times=edits))


def shift(times, strike=0.0, stance=0.0, off=0.0):
    return ContactTimes(
        (times.stance + stance) % 1.0, (times.strike + strike) % 1.0, (times.off + off) % 1.0
    )


def test_edited_times_are_those_of_the_motion(walk):
    found = edit(walk)
    name = walk[1].legs[0].name
    asked = shift(found.legs[0].contact_times, strike=0.05, stance=0.02, off=-0.06)
    edited = edit(walk, **{name: asked})
    leg = edited.legs[0]
    for key in ("stance", "strike", "off"):
        assert getattr(leg.contact_times, key) == pytest.approx(getattr(asked, key), abs=1e-9)
        before = getattr(found.legs[0].contact_times, key)
        assert getattr(leg.found_times, key) == pytest.approx(before, abs=1e-9)
    assert leg.strike <= leg.land <= 1.0
    assert 0.0 <= leg.lift <= leg.off
    assert edited.legs[1].contact_times == found.legs[1].contact_times
    assert edited.legs[1].found_times is None
    np.testing.assert_array_equal(edited.velocity, found.velocity)


def test_edited_times_reach_the_steps_of_a_plan(walk):
    _, rig = walk
    found = edit(walk)
    asked = shift(found.legs[0].contact_times, off=-0.1)
    edited = edit(walk, **{rig.legs[0].name: asked})
    offs = []
    for motion in (found, edited):
        offsets, _, _ = synchronize_motions([motion])
        ahead = motion.velocity
        travel = make_straight_travel(np.zeros(3), 0.0, ahead, 0.0, 6.0)
        plan = make_plan(rig, MotionSet((motion,), offsets, ()), travel, FlatGround(0.0))
        keys = plan.step_keys[0]
        offs.append(keys[len(keys) // 2, 1])
    assert offs[0] - offs[1] == pytest.approx(0.1, abs=0.02)


def test_a_reversed_motion_mirrors_them(walk):
    found = edit(walk)
    asked = shift(found.legs[0].contact_times, off=-0.05)
    motion = edit(walk, **{walk[1].legs[0].name: asked})
    back = reverse_motion(motion)
    mirrored = asked.reverse()
    for key in ("stance", "strike", "off"):
        one, two = getattr(back.legs[0].contact_times, key), getattr(mirrored, key)
        assert abs((one - two + 0.5) % 1.0 - 0.5) < 1e-9
    again = reverse_motion(back).legs[0].found_times
    for key in ("stance", "strike", "off"):
        assert getattr(again, key) == pytest.approx(getattr(found.legs[0].contact_times, key))


@pytest.mark.parametrize(
    ("times", "word"),
    [
        (ContactTimes(0.3, 0.5, 0.5), "stands from strike 0.500 to foot-off 0.500"),
        (ContactTimes(0.3, 0.1, 0.12), "move Foot-Off behind Strike"),
        (ContactTimes(0.3, 0.1, 0.09), "move Strike behind Foot-Off"),
        (ContactTimes(0.7, 0.1, 0.6), "not between strike 0.100 and foot-off 0.600"),
        (ContactTimes(0.1, 0.1, 0.6), "move Stance between them"),
        (ContactTimes(0.6, 0.1, 0.6), "move Stance between them"),
    ],
)
def test_impossible_times_are_refused_in_words(walk, times, word):
    assert word in find_fault(times)
    with pytest.raises(AnalysisError, match=f"{walk[1].legs[0].name}.*{word}"):
        edit(walk, **{walk[1].legs[0].name: times})


@pytest.mark.parametrize(
    "times",
    [ContactTimes(0.3, 0.1, 0.6), ContactTimes(0.05, 0.8, 0.3), ContactTimes(0.9, 0.8, 0.3)],
)
def test_contacts_may_run_over_the_end(times):
    assert find_fault(times) == ""


def test_a_leg_that_is_none_is_named(walk):
    with pytest.raises(AnalysisError, match="'Tail', which is no leg: name one of"):
        edit(walk, Tail=ContactTimes(0.3, 0.1, 0.6))


def test_times_that_are_not_set_stay_as_found(walk):
    clip, rig = walk
    found = edit(walk).legs[0].contact_times
    edits = {rig.legs[0].name: ContactEdit(off=found.off - 0.05)}
    times = analyze_clip(clip, rig, AnalysisOptions(key_times=edits)).legs[0].contact_times
    assert times.off == pytest.approx(found.off - 0.05)
    assert times.strike == pytest.approx(found.strike, abs=1e-12)
    assert times.stance == found.stance
