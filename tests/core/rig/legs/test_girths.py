# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thickness of legs and the underside of the trunk."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import find_rig
from tests.core.legged_bodies import FRAMES, make_biped, make_quadruped, turn_evidence, walk


def find(maker, legs, mesh=True, **turned):
    return find_rig(turn_evidence(maker.evidence([walk(maker, legs)], mesh=mesh), **turned)).rig


def test_legs_are_as_thick_as_the_tubes_about_them():
    rig = find(*make_biped())
    for leg in rig.legs:
        assert len(leg.girths) == len(leg.joints) - 1
        # Tubes of these bodies have corners 0.03 to each side of their bones.
        np.testing.assert_allclose(leg.girths, 0.03 * np.sqrt(2.0), rtol=0.35)


def test_twins_are_as_thick_as_one_another_at_any_scale():
    body = make_quadruped()
    plain, large = find(*body), find(*body, scale=100.0, yaw=0.7)
    for one, two in zip(plain.legs, large.legs, strict=True):
        np.testing.assert_allclose(two.girths, 100.0 * np.array(one.girths), rtol=1e-9)
        np.testing.assert_allclose(one.girths, plain.legs[one.partner].girths, rtol=1e-9)
    assert large.belly == pytest.approx(100.0 * plain.belly, rel=1e-9)


def test_the_belly_hangs_as_low_as_the_trunk_between_the_hips():
    # Hips and shoulders at 0.7, the trunk's underside at 0.65.
    assert find(*make_quadruped()).belly == pytest.approx(0.05, abs=1e-9)


def test_the_underside_is_seen_from_the_middle_of_the_hips():
    plain, large = find(*make_quadruped()), find(*make_quadruped(), scale=100.0, yaw=0.7)
    ahead, left, up = plain.underside.T
    # Hips at y 0.5, shoulders at -0.4, all at 0.7; the trunk from 0.55 to -0.5, its underside at 0.65.
    belly = np.abs(up + 0.05) < 1e-9
    assert ahead[belly].min() == pytest.approx(-0.5, abs=1e-9)
    assert ahead[belly].max() == pytest.approx(0.55, abs=1e-9)
    assert np.ptp(left[belly]) > 0.15
    assert up.min() == pytest.approx(-0.05, abs=1e-9)
    np.testing.assert_allclose(large.underside, 100.0 * plain.underside, atol=1e-5)


def test_the_underside_is_at_its_lowest_in_the_walk():
    maker, legs = make_quadruped()
    maker.bone("paunch", "spine", (0, 0.0, 0.6))
    maker.box("paunch", (-0.1, -0.1, 0.55), (0.1, 0.1, 0.65), steps=4)
    share = np.arange(FRAMES) / (FRAMES - 1)
    swings = np.array([0.0, 0.0, 0.6]) - 0.05 * (1.0 - np.cos(2 * np.pi * share))[:, None] * rot.UP
    clip = walk(maker, legs, extra={"paunch": {"position": swings}})
    rig = find_rig(turn_evidence(maker.evidence([clip]))).rig
    # 0.15 below the hips at rest, and 0.1 lower where it swings.
    assert rig.underside[:, 2].min() == pytest.approx(-0.25, abs=1e-9)
    assert rig.belly < 0.16


def test_tails_beyond_the_hips_are_no_underside():
    maker, legs = make_quadruped()
    plain = find(maker, legs).underside
    maker.bone("tail", "pelvis", (0, 0.55, 0.7))
    maker.box("tail", (-0.02, 1.5, 0.2), (0.02, 2.5, 0.3), steps=4)
    np.testing.assert_allclose(find(maker, legs).underside, plain, atol=1e-9)


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_a_marker_on_the_ground_is_no_belly(scale):
    maker, legs = make_biped()
    plain = find(maker, legs, scale=scale).belly
    maker.box("root", (-0.15, -0.1, -0.03), (0.15, 0.1, 0.03), steps=4)
    rig = find(maker, legs, scale=scale)
    assert rig.belly == pytest.approx(plain, abs=1e-9 * scale)
    assert rig.underside[:, 2].min() > -2.0 * plain - 0.2 * scale


def test_without_a_mesh_nothing_is_thick():
    rig = find(*make_biped(), mesh=False)
    assert rig.belly == 0.0
    assert rig.underside.shape == (0, 3)
    assert all(set(leg.girths) == {0.0} for leg in rig.legs)
