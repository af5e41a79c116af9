# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bone by which a body is seen, and controls that a body leaves behind."""

from __future__ import annotations

import numpy as np

from semi_procedural_locomotion.core.rig.controls.correcting import find_left_behind
from semi_procedural_locomotion.core.rig.controls.hips import find_hip_bone, find_hip_movers
from semi_procedural_locomotion.core.rig.controls.responses import compute_responses

STEP = 0.05
# Left and right hip, root, chest, pelvis.
HEADS = np.array(
    [(0.1, 0.0, 1.0), (-0.1, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.4), (0.0, 0.0, 1.05)]
)


def respond(moved):
    """Responses of controls that shift joints up, by numbers of the joints, one control each."""
    before = np.tile(np.eye(4), (len(HEADS), 1, 1))
    before[:, :3, 3] = HEADS
    count = len(moved)
    after = np.tile(before, (count, 4, 1, 1, 1))
    own = np.tile(np.eye(4), (count, 1, 1))
    own_after = np.tile(np.eye(4), (count, 4, 1, 1))
    own_after[:, :2, 2, 3] = STEP
    for control, joints in enumerate(moved):
        after[control, :2, list(joints), 2, 3] += STEP
    names = tuple(f"control {number}" for number in range(count))
    return compute_responses(names, STEP, own, own_after, before, after)


def test_the_body_is_seen_by_the_bone_that_goes_with_the_hips():
    # Root, torso, hips alone, chest alone.
    responses = respond([(0, 1, 2, 3, 4), (0, 1, 3, 4), (0, 1, 4), (3,)])
    assert find_hip_movers(responses, [0, 1]) == [0, 1, 2]
    assert find_hip_bone(responses, [0, 1], HEADS, body=1) == 4


def test_no_bone_is_taken_that_stays_when_the_body_goes():
    assert find_hip_bone(respond([(0, 1, 2, 3, 4), (0, 1)]), [0, 1], HEADS, body=1) == -1


def test_controls_that_stay_are_left_behind():
    before = np.tile(np.eye(4), (3, 3, 1, 1))
    after = before.copy()
    after[:, 1, 2, 3] = 0.2
    wanted = before[:, 0].copy()
    wanted[:, 2, 3] = 0.2
    assert set(find_left_behind({0: wanted, 1: wanted}, before, after)) == {0}
