# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts are no longer than legs reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.contacts.find import LegContact
from semi_procedural_locomotion.core.contacts.planting import cut_to_reach

ROWS = 200
WAY = np.array([2.0, 0.0])
STANDING = LegContact(
    steps=True,
    reason=None,
    stance=0.4,
    strike=0.0,
    land=0.1,
    lift=0.7,
    off=0.8,
    duty=0.8,
    points="HBT",
    velocity=WAY,
    skate=0.0,
    second_share=0.0,
    floor=0.0,
    dip=0.0,
    lift_height=0.2,
)


def cut(contact=STANDING, reach=1.0, start=0.0):
    """A foot below its hip, 0.9 high, that is carried back evenly; phases begin at a strike."""
    times = np.arange(ROWS) / ROWS - start - contact.duty / 2.0
    bases = np.zeros((1, ROWS, 3))
    bases[0, :, 0] = -WAY[0] * times
    hips = np.zeros((ROWS, 1, 3))
    hips[..., 2] = 1.0
    ankles = np.swapaxes(bases, 0, 1) + np.array([0.0, 0.0, 0.1])
    (found,) = cut_to_reach([contact], hips, ankles, bases, np.array([reach]), WAY, 1.0)
    return found


def test_a_foot_that_its_leg_does_not_hold_leaves_and_lands_nearer():
    # 0.2 below its height the hip is 0.7 over the ankle: 0.71 aside of it the leg of 1 is stretched.
    most = np.sqrt(1.0 - 0.7**2) / WAY[0]
    found = cut()
    assert found.duty == pytest.approx(2.0 * most, abs=2.0 / ROWS)
    assert found.strike == pytest.approx(0.4 - most, abs=1.0 / ROWS)
    assert found.off == pytest.approx(0.4 + most, abs=1.0 / ROWS)
    assert found.strike <= found.land < found.stance < found.lift <= found.off


def test_feet_within_reach_are_left_as_they_are():
    assert cut(reach=1.3) is STANDING
    lame = replace(STANDING, steps=False)
    assert cut(lame) is lame


def test_a_stance_that_no_leg_holds_is_left_as_it_is():
    assert cut(reach=0.5) is STANDING


def test_where_a_foot_goes_along_in_its_clip_it_leaves_first():
    # Carried back until it is behind the hip, then along with the body: planted it is left behind.
    phases = np.arange(ROWS) / ROWS
    bases = np.zeros((1, ROWS, 3))
    bases[0, :, 0] = WAY[0] * (np.maximum(0.5 - phases, 0.0) - 0.25)
    hips, ankles = np.zeros((ROWS, 1, 3)), np.swapaxes(bases, 0, 1) + np.array([0.0, 0.0, 0.1])
    hips[..., 2] = 1.0
    (found,) = cut_to_reach([STANDING], hips, ankles, bases, np.array([1.0]), WAY, 1.0)
    assert found.strike == 0.0
    assert 0.5 < found.off < 0.65
