# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that slow down on stairs and steep ground, where their timing is the program's to choose."""

from __future__ import annotations

from dataclasses import replace

import bpy

from ..blender.values.scene_state import get_frame_rate
from ..core.ground.interface import Ground
from ..core.ground.terrain import FlatGround
from ..core.motions.plainness import find_plain_walk
from ..core.motions.records import MotionSet
from ..core.times.climbs import slow_travel, speeds_from_pace
from ..core.travel.carried import CarriedTravel
from ..core.travel.speeds import SpeedCurve
from ..core.travel.way import Travel
from ..requests.plans import PlanRequest
from ..requests.travels import SpeedKeys, StraightAhead, Way
from .characters import Character
from .kept_walks import recall_pace
from .travels import find_closing, find_ramp, find_speed, make_travel
from .walk_grounds import find_ground


def slow_on_climbs(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    travel: Travel,
    scene: bpy.types.Scene,
    span: tuple[int, int],
) -> tuple[Travel, Ground]:
    """The travel of a request, slower where its ground climbs, and its ground.

    What an animator timed keeps its time: animations, footsteps, keyed speeds. So do walks that ride.

    Parameters
    ----------
    character, motions
        Who walks, and how.
    request
        What is asked for.
    travel
        That of the request at full speed.
    scene
        Gives the clock.
    span
        First and last frame for which the travel was made.

    Returns
    -------
    travel
        The same one where nothing is too steep.
    ground
        What is walked on.

    Raises
    ------
    GroundError
        None of the chosen objects is a visible mesh.
    """
    ground = find_ground(character, request, travel)
    slower = _slow(character, motions, request, travel, ground, scene, span)
    return (travel, ground) if slower is None else (slower, find_ground(character, request, slower))


def _slow(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    travel: Travel,
    ground: Ground,
    scene: bpy.types.Scene,
    span: tuple[int, int],
) -> Travel | None:
    """The slower travel; None where it is as quick as asked for. See `slow_on_climbs`."""
    asked = request.travel
    if not isinstance(asked, StraightAhead | Way) or not asked.slow_climbs:
        return None
    rides = isinstance(travel, CarriedTravel) or bool(ground.moving_surfaces())
    if rides or isinstance(ground, FlatGround) or travel.shown is not None:
        return None
    walk = motions.motions[find_plain_walk(motions.motions, character.rig)]
    speed = find_speed(character, asked, scene)
    if isinstance(speed, SpeedCurve):
        return None
    if speed is None:
        speed = walk.speed
    ramp = find_ramp(asked, walk)
    pace = recall_pace(character.rig, motions, travel, ground, request.settings, speed, ramp)
    if pace is None:
        return None
    if isinstance(asked, Way) and asked.rounds != 0.0:
        return slow_travel(travel, pace)
    # The end of these is a time: they stop there, wherever they have come by then.
    late = 0.5 * ramp if asked.start == "stand" else 0.0
    rate = get_frame_rate(scene)
    curve = speeds_from_pace(pace, speed, span[0] / rate + late)
    keys = SpeedKeys(tuple(curve.times.tolist()), tuple(curve.speeds.tolist()))
    slower = replace(asked, speed=keys, use_speed_keys=False)
    first, last = span
    if isinstance(asked, StraightAhead) and asked.stop == "stand":
        # These speeds are no animator's: feet close before the end as where nothing slows it.
        last -= round(find_closing(walk, (last - first) / rate) * rate)
    return make_travel(character, motions, slower, scene, first, last)
