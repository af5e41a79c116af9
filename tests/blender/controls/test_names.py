# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of known rigs."""

from __future__ import annotations

import pytest

from semi_procedural_locomotion.blender.controls.names import Role, is_helper_name, rank_name


@pytest.mark.parametrize(
    ("role", "better", "worse"),
    [
        (Role.FOOT, "foot_ik.L", "foot_spin.L"),
        (Role.FOOT, "front_foot_ik.L", "front_foot_offset.L"),
        (Role.FOOT, "hind_foot_ik.R", "root"),
        (Role.FOOT, "c_foot_ik.l", "c_foot_fk.l"),
        (Role.FOOT, "Ctrl_Foot_IK_Left", "Ctrl_Foot_Left"),
        (Role.FOOT, "IK-MSTR-Foot.L", "STR-Foot.L"),
        (Role.FOOT, "ik_foot_l", "foot_l"),
        (Role.POLE, "thigh_ik_target.L", "thigh_ik.L"),
        (Role.POLE, "c_leg_pole.l", "c_leg.l"),
        (Role.CHAIN, "thigh_fk.L", "thigh_parent.L"),
        (Role.CHAIN, "FK-Thigh.L", "STR-Thigh.L"),
        (Role.BODY, "torso", "hips"),
        (Role.BODY, "c_root_master.x", "c_root.x"),
        (Role.ROOT, "root", "torso"),
        (Role.ROOT, "c_traj", "c_pos"),
    ],
)
def test_names_of_known_rigs_rank_before_others(role, better, worse):
    assert rank_name(better, role) < rank_name(worse, role)


def test_helpers_are_known_by_their_names():
    assert is_helper_name("MCH-thigh_ik.L")
    assert is_helper_name("ORG-spine")
    assert not is_helper_name("root")
    assert not is_helper_name("Default")
