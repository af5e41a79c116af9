# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs that never stand in their clip are told by name, and walk without a jump."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import AnalysisOptions, analyze_clip
from semi_procedural_locomotion.core.motions.records import MotionGroup, MotionSet
from semi_procedural_locomotion.core.motions.stance import make_stance
from semi_procedural_locomotion.core.motions.synchronising import synchronize_motions
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.notes import NoteKind
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip


@pytest.mark.parametrize("lift", [0.0, 0.9])
@pytest.mark.parametrize("gait", ["walk", "lateral walk"])
def test_legs_that_never_stand_are_told_and_do_not_jump(gait, lift):
    clip, rig, _ = make_clip(Recipe(gait=gait))
    hip, knee, ankle = rig.legs[0].joints
    rotations = clip.rotations.copy()
    rotations[:, [hip, knee, ankle]] = rotations[0, [hip, knee, ankle]]
    for bone, angle in ((hip, lift), (knee, -1.5 * lift)):
        bend = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), np.full(1, angle))
        rotations[:, bone] = rot.multiply(rotations[:, bone], bend)
    options = AnalysisOptions(kind="cycle", force=True)
    motion = analyze_clip(replace(clip, rotations=rotations), rig, options)
    told = (NoteKind.FOOT_NEVER_STANDS, NoteKind.FOOT_NEVER_LIFTS, NoteKind.FOOT_TOUCHES_SHORTLY)
    assert {note.leg for note in motion.notes if note.kind in told} == {rig.legs[0].name}
    motions = (make_stance(rig, motion), motion)
    offsets = synchronize_motions(list(motions))[0]
    travel = make_straight_travel(np.zeros(3), 0.0, motion.velocity, 0.0, 4.0)
    group = MotionGroup("walk", (0, 1))
    plan = make_plan(rig, MotionSet(motions, offsets, (group,)), travel, FlatGround())
    walked = solve_poses(plan, np.arange(120) / 30.0).positions
    names = plan.tables.small_rig.skeleton.names
    places = [names.index(rig.skeleton.names[leg.ankle]) for leg in rig.legs]
    ways = np.linalg.norm(np.diff(walked[:, places], axis=0), axis=-1)
    assert np.max(ways[:, 0]) < 1.5 * np.max(ways[:, 1])
