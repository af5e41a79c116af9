# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that jump over gaps in their ground, where their timing is the program's to choose."""

from __future__ import annotations

import bpy

from ..core.ground.interface import Ground
from ..core.ground.terrain import FlatGround
from ..core.motions.packing import pack_motions
from ..core.motions.records import MotionSet
from ..core.times.gaps import find_gaps, jump_gaps
from ..core.travel.carried import CarriedTravel
from ..core.travel.speeds import SpeedCurve
from ..core.travel.way import Travel
from ..requests.plans import PlanRequest
from ..requests.travels import LineTravel
from .characters import Character
from .travels import find_speed
from .walk_grounds import find_ground


def jump_over_gaps(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    travel: Travel,
    ground: Ground,
    scene: bpy.types.Scene,
) -> tuple[Travel, Ground]:
    """The travel of a request, which jumps over gaps where it asks for that, and its ground.

    What an animator timed keeps its time, and so do walks that ride: they do not jump.

    Parameters
    ----------
    character, motions
        Who walks, and how.
    request
        What is asked for.
    travel, ground
        As they are without jumps.
    scene
        Gives the clock.
    """
    asked = request.travel
    if not isinstance(asked, LineTravel) or not asked.jump_gaps:
        return travel, ground
    speed = find_speed(character, asked, scene)
    is_timed = isinstance(speed, SpeedCurve) or travel.shown is not None
    rides = isinstance(travel, CarriedTravel) or bool(ground.moving_surfaces())
    if is_timed or rides or isinstance(ground, FlatGround):
        return travel, ground
    tables = pack_motions(character.rig, motions)
    widest = asked.longest_jump * tables.rig.leg_length
    gaps = find_gaps(tables, travel, ground, request.settings, widest)
    jumping = jump_gaps(tables, travel, gaps)
    return jumping, find_ground(character, request, jumping)
