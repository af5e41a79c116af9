# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that go with objects of the scene: what is parented to a carrier walks in its space."""

from __future__ import annotations

import bpy

from ..blender.travel.carriers import sample_carrier, sample_parent_carrier
from ..core.motions.records import MotionSet
from ..core.times.limits import GRID
from ..core.travel.carried import Carrier, carry_travel
from ..core.travel.way import Travel


def carry_travel_with(
    travel: Travel, item: bpy.types.Object, motions: MotionSet, scene: bpy.types.Scene
) -> Travel:
    """A travel that goes with an object, from the place on that this has when the travel starts.

    Parameters
    ----------
    travel
        In the world as it is at the travel's start.
    item
        What carries it.
    motions
        Of the character: they tell how long before and after the travel steps are planned.
    scene
        Gives the clock.

    Returns
    -------
    Travel
        The same one where the object stands still.
    """
    start, end = _find_span(travel, motions)
    return _carry(travel, sample_carrier(item, scene, travel.start, start, end))


def carry_travel_with_parent(
    travel: Travel, armature: bpy.types.Object, motions: MotionSet, scene: bpy.types.Scene
) -> Travel:
    """A travel that goes with what carries a character's object; see `carry_travel_with`."""
    start, end = _find_span(travel, motions)
    return _carry(travel, sample_parent_carrier(armature, scene, travel.start, start, end))


def _find_span(travel: Travel, motions: MotionSet) -> tuple[float, float]:
    """Seconds from which and until which the plan of a travel looks."""
    longest = max((motion.period for motion in motions.motions if motion.is_cycle), default=0.0)
    margin = (GRID.padding + 1.0) * longest
    return travel.start - margin, travel.end + margin


def _carry(travel: Travel, carrier: Carrier | None) -> Travel:
    return travel if carrier is None else carry_travel(travel, carrier)
