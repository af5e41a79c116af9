# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is stored of cycles with their actions, as panel and overlay read it."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.api.stored_motions import KEY_TIMES, read_stored_motions
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.ui.overlay.cycles import find_cycles
from tests.scenes import add_person

WALK = "Walker Walk"


def test_stored_cycles_are_those_of_the_bake_also_after_another_session(tmp_path):
    armature = add_person(is_set_up=True)
    findings = setups.read_findings(read_character(armature))
    motion = next(f.motion for f in findings if f.action == WALK)
    path = str(tmp_path / "walker.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Walker"]
    rig, stored = read_stored_motions(armature)
    assert list(stored) == [WALK]
    walk = stored[WALK]
    assert walk.speed == pytest.approx(motion.speed, abs=1e-4)
    assert walk.stride == pytest.approx(motion.stride, abs=1e-3)
    for leg, cycle in zip(walk.legs, motion.legs, strict=True):
        np.testing.assert_allclose(leg.footbases, cycle.footbases, atol=1e-6)
        times = [leg.key_times[name] for name in KEY_TIMES]
        np.testing.assert_allclose(times, [getattr(cycle, name) for name in KEY_TIMES], atol=1e-4)
        assert 0.55 < leg.duty < 0.7
    assert 0.02 < walk.lift / rig.leg_length < 0.3


def test_cycles_that_changed_are_not_told_until_they_are_analyzed_again():
    armature = add_person(is_set_up=True)
    assert find_cycles(armature).motions[WALK] is not None
    action = bpy.data.actions[WALK]
    curve = versions.get_curves(action, versions.find_slot(action, armature))[0]
    curve.keyframe_points[0].co.y += 0.001
    assert read_stored_motions(armature)[1][WALK] is None
    bpy.ops.anim.locomotion_analyze()
    assert read_stored_motions(armature)[1][WALK] is not None
    assert find_cycles(armature).motions[WALK] is not None
