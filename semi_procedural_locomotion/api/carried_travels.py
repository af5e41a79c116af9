# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that go with objects of the scene: what is parented to a carrier walks in its space."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..blender.travel.carriers import is_carried, sample_carrier, sample_parent_carrier
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
    return carry_travel_by(travel, sample_carrier(item, scene, travel.start, start, end))


def carry_travel_with_parent(
    travel: Travel, armature: bpy.types.Object, motions: MotionSet, scene: bpy.types.Scene
) -> Travel:
    """A travel that goes with what carries a character's object; see `carry_travel_with`."""
    start, end = _find_span(travel, motions)
    return carry_travel_by(travel, sample_parent_carrier(armature, scene, travel.start, start, end))


def find_steps_carrier(
    armature: bpy.types.Object,
    steps: Sequence[bpy.types.Object],
    motions: MotionSet,
    scene: bpy.types.Scene,
    start: float,
    end: float,
) -> Carrier | None:
    """What carries a walk along footsteps: what carries the character, else the steps' one parent.

    Parameters
    ----------
    armature, motions
        The character.
    steps
        Its footsteps.
    scene
        Gives the clock.
    start, end
        Seconds between which it walks; at the start the carrier's space is the world.

    Returns
    -------
    Carrier or None
        None where neither moves, or where the steps have different parents.
    """
    item = _choose_carried(armature, steps)
    if item is None:
        return None
    margin = _find_margin(motions)
    return sample_parent_carrier(item, scene, start, start - margin, end + margin)


def are_steps_carried(armature: bpy.types.Object, steps: Sequence[bpy.types.Object]) -> bool:
    """Whether a walk along footsteps may go with something; see `find_steps_carrier`."""
    return _choose_carried(armature, steps) is not None


def _choose_carried(
    armature: bpy.types.Object, steps: Sequence[bpy.types.Object]
) -> bpy.types.Object | None:
    """The character, or a footstep that stands for all, if something carries it."""
    if is_carried(armature):
        return armature
    together = bool(steps) and len({step.parent for step in steps}) == 1
    return steps[0] if together and is_carried(steps[0]) else None


def _find_margin(motions: MotionSet) -> float:
    """Seconds before and after a travel at which its plan looks."""
    longest = max((motion.period for motion in motions.motions if motion.is_cycle), default=0.0)
    return (GRID.padding + 1.0) * longest


def _find_span(travel: Travel, motions: MotionSet) -> tuple[float, float]:
    """Seconds from which and until which the plan of a travel looks."""
    margin = _find_margin(motions)
    return travel.start - margin, travel.end + margin


def carry_travel_by(travel: Travel, carrier: Carrier | None) -> Travel:
    """A travel with a carrier; the same one where there is none."""
    return travel if carrier is None else carry_travel(travel, carrier)
