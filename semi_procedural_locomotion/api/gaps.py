# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that jump over gaps in their ground, where their timing is the program's to choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np

from ..blender.values.scene_state import get_frame_rate
from ..core.ground.interface import Ground
from ..core.ground.terrain import FlatGround
from ..core.motions.packing import pack_motions
from ..core.motions.records import MotionSet
from ..core.times.gaps import Gap, Hindrance, find_gaps, jump_gaps, lead_on
from ..core.travel.carried import CarriedTravel
from ..core.travel.speeds import SpeedCurve
from ..core.travel.way import Travel, measure_travel
from ..notes import Note, NoteKind, make_note
from ..requests.plans import PlanRequest
from ..requests.travels import LineTravel, StraightAhead
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

    What an animator timed keeps its time, and so do walks that ride: they do not jump. The travel's
    notes tell why gaps are not jumped.

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
    if not isinstance(asked, LineTravel) or not asked.jump_gaps or isinstance(ground, FlatGround):
        return travel, ground
    tables = pack_motions(character.rig, motions)
    widest, way, below = asked.longest_jump * tables.rig.leg_length, travel, ground
    if isinstance(asked, StraightAhead) and not isinstance(travel, CarriedTravel):
        # What lies beyond the last frame tells whether it is a gap that the walk comes to before.
        beyond = widest + 2.0 * float(tables.cycles.strides[tables.cycles.slowest])
        way = lead_on(travel, beyond, float(tables.cycles.slowest_speed))
        below = find_ground(character, request, way)
    gaps = find_gaps(tables, way, below, request.settings, widest)
    distances, _ = measure_travel(travel)
    gaps = [gap for gap in gaps if gap.first <= distances[-1]]
    if isinstance(find_speed(character, asked, scene), SpeedCurve):
        gaps = [replace(gap, hindrance=Hindrance.TIMED) for gap in gaps]
    elif isinstance(travel, CarriedTravel):
        gaps = [replace(gap, hindrance=Hindrance.RIDES) for gap in gaps]
    goes_on = isinstance(asked, StraightAhead) and asked.stop != "stand"
    jumping, left = jump_gaps(tables, way if goes_on else travel, gaps)
    if not jumping.jumps:
        jumping = travel
    notes = (*jumping.notes, *_note_gaps(travel, left, get_frame_rate(scene)))
    jumping = replace(jumping, notes=notes) if left else jumping
    return jumping, find_ground(character, request, jumping) if jumping.jumps else ground


def _note_gaps(travel: Travel, gaps: Sequence[Gap], rate: float) -> list[Note]:
    """A note of the first gap that each hindrance leaves."""
    notes, stations = [], measure_travel(travel)
    for hindrance in Hindrance:
        met = [gap for gap in gaps if gap.hindrance is hindrance]
        if met:
            time = float(np.interp(met[0].first, *stations))
            (place,), _ = travel.evaluate(np.array([time]))
            notes.append(
                make_note(
                    NoteKind.GAP_NOT_JUMPED,
                    frame=time * rate,
                    place=place,
                    more=len(met) - 1,
                    case=hindrance.name.lower(),
                )
            )
    return notes
