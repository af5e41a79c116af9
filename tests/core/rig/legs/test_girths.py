# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thickness of legs and the underside of the trunk."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.rig.legs import find_rig
from tests.core.legged_bodies import make_biped, make_quadruped, turn_evidence, walk


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


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_a_marker_on_the_ground_is_no_belly(scale):
    maker, legs = make_biped()
    plain = find(maker, legs, scale=scale).belly
    maker.box("root", (-0.15, -0.1, -0.03), (0.15, 0.1, 0.03), steps=4)
    assert find(maker, legs, scale=scale).belly == pytest.approx(plain, abs=1e-9 * scale)


def test_without_a_mesh_nothing_is_thick():
    rig = find(*make_biped(), mesh=False)
    assert rig.belly == 0.0
    assert all(set(leg.girths) == {0.0} for leg in rig.legs)
