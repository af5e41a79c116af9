# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which motions are ticked without the user: by what they do, whatever they are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.api import MotionFinding, tick_motions
from semi_procedural_locomotion.api.motion_choosing import choose_motions
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip, rest_motion_from_clip
from semi_procedural_locomotion.core.motions.plainness import find_plain_walk
from semi_procedural_locomotion.notes import NoteKind, make_note
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import cut_clip, make_clip, pad_clip

WALK = Recipe()
RIG = make_clip(WALK)[1]
RUN = Recipe(duty=0.35, speed=3.5, period=0.7, lift=0.2)


def cycle(name, recipe=WALK, *kinds, posture=0.95):
    clip, rig, _ = make_clip(recipe)
    motion = analyze_clip(clip, rig)
    notes = tuple(make_note(kind, "Left", **dict.fromkeys(kind.carries, 0.1)) for kind in kinds)
    measured = {"posture": posture, "flight": 0.2 if recipe.duty < 0.5 else 0.0}
    quality = {**motion.quality, **measured}
    return MotionFinding(name, "cycle", replace(motion, notes=notes, quality=quality))


def rest(name, lean=0.0, nod=0.0):
    """Standing, its spine turned by a lean, and nodding by an angle after the first sample."""
    clip, rig, _ = make_clip(replace(WALK, hip_height=0.88))
    still = pad_clip(cut_clip(clip, 0, 1), 0, 10)
    rotations = still.rotations.copy()
    axis = np.array([1.0, 0.0, 0.0])
    angles = np.full(len(rotations), lean)
    angles[1:] += nod
    rotations[:] = rot.multiply(rotations, rot.quaternions_from_axis_angles(axis, angles)[:, None])
    return MotionFinding(
        name, "rest", rest_motion_from_clip(replace(still, rotations=rotations), rig)
    )


def names_of(findings):
    return {f.action for f, used in zip(findings, tick_motions(findings, RIG), strict=True) if used}


@pytest.mark.parametrize("walk", ["Take 001", "Anim_03", "Walk_Gun"])
def test_the_walk_with_the_fewest_doubts_is_ticked_whatever_its_name(walk):
    doubtful = cycle("Walk", WALK, NoteKind.LEGS_UNEVEN, NoteKind.SPEED_UNEVEN)
    assert names_of([doubtful, cycle(walk)]) == {walk}
    assert names_of([cycle(walk), cycle("Run", RUN)]) == {walk, "Run"}


def test_names_break_ties_alone():
    assert names_of([cycle("Walk_Gun"), cycle("Walk")]) == {"Walk"}


def test_an_upright_walk_comes_before_one_that_stoops():
    upright, stooping = cycle("B", WALK, NoteKind.SPEED_UNEVEN), cycle("A", posture=0.7)
    assert names_of([stooping, upright]) == {"B"}
    assert names_of([stooping]) == {"A"}


def test_a_crawl_is_not_blended_with_walks():
    slow = replace(WALK, speed=0.5 * WALK.speed)
    walk, crawl, sneak = (
        cycle(n, r, posture=p)
        for n, r, p in (("A", WALK, 0.95), ("B", slow, 0.4), ("C", slow, 0.8))
    )
    assert names_of([walk, crawl]) == {"A"}
    assert names_of([walk, sneak]) == {"A", "C"}
    assert names_of([crawl]) == {"B"}


def test_a_doubtful_walk_is_taken_where_only_runs_are_sure():
    doubtful = cycle("Take 7", WALK, NoteKind.CONTACT_SHORT)
    run, fast = cycle("Take 8", RUN), cycle("Take 9", replace(RUN, speed=5.0))
    assert names_of([doubtful, run]) == {"Take 7", "Take 8"}
    jump = cycle("Take 6", replace(RUN, speed=5.0), NoteKind.MAYBE_JUMP)
    assert names_of([jump, run, cycle("Take 5")]) == {"Take 8", "Take 5"}
    assert names_of([fast, run]) == {"Take 9", "Take 8"}
    assert names_of([jump]) == {"Take 6"}


def test_the_calm_rest_that_is_like_the_walk_is_ticked():
    walk = cycle("1")
    findings = [walk, rest("2", lean=0.5), rest("3", nod=0.5), rest("4")]
    assert names_of(findings) == {"1", "4"}
    assert names_of(findings[:3]) == {"1", "3"}
    assert names_of([walk, rest("5"), rest("Idle")]) == {"1", "Idle"}


def test_poses_unlike_all_walks_are_not_stood_in_unless_they_are_idles_by_name():
    walk = cycle("1")
    assert names_of([walk, rest("2", lean=1.2)]) == {"1"}
    assert names_of([walk, rest("Idle", lean=1.2)]) == {"1", "Idle"}


def hang(finding, height):
    """The same with its feet and their ground higher."""
    ground = finding.motion.ground_height + height
    return replace(finding, motion=replace(finding.motion, ground_height=ground))


def test_the_plainest_walk_is_first_and_not_the_slowest():
    sneak = cycle("Sneak", replace(WALK, speed=0.6 * WALK.speed))
    slips = cycle("A", WALK, NoteKind.LEGS_UNEVEN)
    findings = [sneak, slips, cycle("Walk"), cycle("Run", RUN)]
    motions = [finding.motion for finding in findings]
    assert findings[find_plain_walk(motions, RIG)].action == "Walk"
    told = {
        finding.action: notes
        for finding, (_, notes) in zip(findings, choose_motions(findings, RIG), strict=True)
    }
    assert [note.kind for note in told["Walk"]] == [NoteKind.PLAIN_WALK]
    (note,) = told["A"]
    assert note.kind is NoteKind.WALK_UNUSED
    assert (note.values["case"], note.values["other"]) == ("like", "Walk")
    assert "less doubtful" in note.values["reason"]
    assert told["Run"] == told["Sneak"] == ()


def test_feet_that_stay_above_the_ground_of_the_others_do_not_walk():
    fall = hang(cycle("Falling", replace(WALK, speed=0.5 * WALK.speed)), 0.4)
    findings = [fall, cycle("Walk"), rest("Idle")]
    assert names_of(findings) == {"Walk", "Idle"}
    (note,) = choose_motions(findings, RIG)[0][1]
    assert note.values["case"] == "hangs"
    assert note.values["height"] == pytest.approx(0.4, abs=0.01)
    # A clip that was made at another height alone is no fall.
    assert names_of([fall]) == {"Falling"}
