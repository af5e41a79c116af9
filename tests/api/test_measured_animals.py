# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Made gaits of four and six legs beside measured animals, on the meshes that the scene shows.

Footfalls: M. Hildebrand, BioScience 39, 1989 (lateral sequence, phases, duty of walk, trot and gallop of
dogs and horses). Insects: P. Ramdya and others, Nature Communications 8, 2017 (three feet
down at least, from hind to fore on each side).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import bake_set_up
from semi_procedural_locomotion.api.cycles import CycleChoice, make_cycles
from semi_procedural_locomotion.blender.setup.rigs import find_leg_length
from semi_procedural_locomotion.core.gaits.fitting import GaitStyle
from semi_procedural_locomotion.demo.characters import CHARACTER_SHAPES, create_character
from tests.meters import find_stands, level_heights, see_feet
from tests.scenes import select_only

pytestmark = pytest.mark.newest

# Frames a second, for contacts to about a hundredth of a cycle.
RATE = 100


@dataclass(frozen=True)
class Footfalls:
    """Contacts of a baked gait over three cycles; legs are left and right, from fore to hind.

    Attributes
    ----------
    stands
        Frames in which each foot stands, shape (L, F) of bool.
    strikes
        Phase of each foot's strike, cycles, shape (L,).
    """

    stands: np.ndarray
    strikes: np.ndarray

    @property
    def duties(self) -> np.ndarray:
        """Share of the time that each foot stands, shape (L,)."""
        return self.stands.mean(axis=1)

    def measure_lag(self, leg: int, after: int) -> float:
        """By how much of a cycle a foot strikes after another, 0 to 1."""
        return float((self.strikes[leg] - self.strikes[after]) % 1.0)


def see_footfalls(kind, gait) -> Footfalls:
    """Footfalls of a demo character's made gait that is baked straight ahead on level ground."""
    scene = bpy.context.scene
    scene.render.fps = RATE
    armature = create_character(CHARACTER_SHAPES[kind](), scene.collection)
    select_only(armature)
    made = make_cycles(armature, [CycleChoice(gait, GaitStyle())])
    period = made.findings[0].motion.period * RATE
    first, last = 1 + round(period), 1 + round(4 * period)
    scene.frame_end = last
    bake_set_up(armature, scene, (1, last))
    legs = armature.locomotion.legs
    feet = [[leg.bones[-1].name, *([leg.toe] if leg.toe else [])] for leg in legs]
    seen = see_feet(armature, feet, range(first, last + 1), level_heights)
    stands = np.array(find_stands(seen, find_leg_length(armature), RATE))
    strikes = []
    for row in stands:
        angles = 2 * np.pi * (np.flatnonzero(row[1:] & ~row[:-1]) + 1) / period
        strikes.append(np.angle(np.mean(np.exp(1j * angles))) / (2 * np.pi) % 1.0)
    return Footfalls(stands, np.array(strikes))


def test_a_dog_walks_in_lateral_sequence():
    seen = see_footfalls("quadruped", "walk")
    left, right, hind_left, hind_right = range(4)
    for fore, hind in ((left, hind_left), (right, hind_right)):
        assert 0.15 <= seen.measure_lag(fore, hind) <= 0.26
    for one, other in ((left, right), (hind_left, hind_right)):
        assert seen.measure_lag(one, other) == pytest.approx(0.5, abs=0.02)
    assert seen.duties.min() >= 0.6
    assert seen.duties.max() <= 0.75
    assert seen.stands.sum(axis=0).min() >= 2


def test_a_dog_trots_by_diagonals():
    seen = see_footfalls("quadruped", "trot")
    left, right, hind_left, hind_right = range(4)
    for fore, hind in ((left, hind_right), (right, hind_left)):
        lag = seen.measure_lag(fore, hind)
        assert min(lag, 1.0 - lag) <= 0.05
    assert seen.measure_lag(left, right) == pytest.approx(0.5, abs=0.02)


def test_a_dog_gallops_with_flights():
    seen = see_footfalls("quadruped", "gallop")
    left, right, hind_left, hind_right = range(4)
    for one, other in ((right, left), (hind_right, hind_left)):
        assert 0.1 <= seen.measure_lag(one, other) <= 0.25
    assert seen.duties.max() < 0.4
    assert (seen.stands.sum(axis=0) == 0).mean() > 0.02


@pytest.mark.parametrize("gait", ["tripod", "walk", "ripple"])
def test_an_insect_has_three_feet_down_and_steps_from_hind_to_fore(gait):
    seen = see_footfalls("hexapod", gait)
    assert seen.stands.sum(axis=0).min() >= 3
    for fore, middle, hind in ((0, 2, 4), (1, 3, 5)):
        first, second = seen.measure_lag(middle, hind), seen.measure_lag(fore, middle)
        # Swings run forward along a side, and neighbours are never in the air together.
        assert 0.25 <= first <= 0.6
        assert 0.25 <= second <= 0.6
        for one, other in ((fore, middle), (middle, hind)):
            assert (seen.stands[one] | seen.stands[other]).all()
    if gait == "tripod":
        for one, other in ((0, 3), (0, 4), (1, 2), (1, 5)):
            lag = seen.measure_lag(one, other)
            assert min(lag, 1.0 - lag) <= 0.05
