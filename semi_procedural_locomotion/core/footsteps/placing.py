# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles of footsteps put on the ground: single ones where they are, runs on footholds (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..ground.layers import split_layers
from ..maths.rotations import FloatArray
from ..prints.choice import choose_alone
from ..prints.soles import SolePlaces, limit_way, make_foothold_rules, make_sole_shape
from ..rig.structure import Rig
from ..settings import PlanSettings
from ..times.levels import LevelRules, track_ground_level
from ..times.limits import LEVELS
from .layout import LaidStep, StepGait
from .limits import PATTERNS


@dataclass(frozen=True)
class StoodStep:
    """A sole on the ground.

    Attributes
    ----------
    position, frame
        Heel end (3,) and rotation (4,) as of `StoodSoles`, world, metres.
    surface
        What it stands on, -1 for nothing.
    """

    position: FloatArray
    frame: FloatArray
    surface: int


def stand_sole(
    ground: Ground,
    rig: Rig,
    leg: int,
    middle: FloatArray,
    heading: float,
    time: float,
    settings: PlanSettings,
) -> tuple[FloatArray, FloatArray] | None:
    """Put a sole on the ground that is seen from above, on its tread, within the length of a sole.

    Parameters
    ----------
    ground
        What to stand on.
    rig, leg
        Whose sole, and which.
    middle
        Middle of the sole, world, metres, shape (3,); its height tells on which of several levels.
    heading
        Direction from heel to toe, radians from +X.
    time
        Seconds of the scene's clock.

    Returns
    -------
    position, frame
        Heel end (3,) and rotation (4,) as of `StoodSoles`; None where there is no ground.
    """
    near, stand = PATTERNS.near * rig.leg_length, LEVELS.standing_room * rig.leg_length
    level = _find_level(ground, middle, time, near, stand)
    if level is None:
        return None
    rules = make_foothold_rules(rig, settings)
    shape = make_sole_shape(rig, leg)
    rules = replace(rules, reach=near, most_way=shape.length, most_rise=rules.tolerance)
    places = _place_steps(rig, [LaidStep(leg, middle, heading)], leg)
    places = replace(places, times=np.array([time]), levels=np.array([level]))
    stood = choose_alone(ground, shape, rules, places)
    return (stood.positions[0], stood.frames[0]) if stood.found[0] else None


def stand_run(
    ground: Ground,
    rig: Rig,
    gait: StepGait,
    steps: Sequence[LaidStep],
    times: FloatArray,
    settings: PlanSettings,
) -> list[StoodStep]:
    """Put a run of steps on footholds, as a plan does with its prints.

    Parameters
    ----------
    ground
        What to stand on.
    rig, gait
        Whose steps, and how its walk sets the feet.
    steps
        The run in its order; the height of the first tells on which of several levels it begins.
    times
        Seconds of the scene's clock at which each stands, shape (N,).
    settings
        Limits of steps and slopes, and whether footholds are looked for.

    Returns
    -------
    list of StoodStep
        One for each step, level where there is no ground.
    """
    rules = make_foothold_rules(rig, settings)
    middles = np.array([step.middle for step in steps])
    level_rules = LevelRules(rules.reach, LEVELS.standing_room * rig.leg_length)
    levels = track_ground_level(ground, middles, times, level_rules)
    off, strike = gait.contacts[:, 1], gait.contacts[:, 2]
    swept = np.maximum(off, 1.0 - strike) * gait.stride
    found: dict[int, StoodStep] = {}
    for leg in sorted({step.leg for step in steps}):
        own = [number for number, step in enumerate(steps) if step.leg == leg]
        places = _place_steps(rig, [steps[number] for number in own], leg)
        places = replace(places, times=times[own], levels=levels[own])
        shape = make_sole_shape(rig, leg)
        near = replace(rules, most_way=limit_way(shape, float(swept[leg])))
        stood = choose_alone(ground, shape, near, places)
        rows = zip(own, stood.positions, stood.frames, stood.surfaces, strict=True)
        for number, position, frame, surface in rows:
            found[number] = StoodStep(position, frame, int(surface))
    return [found[number] for number in range(len(steps))]


def _place_steps(rig: Rig, steps: Sequence[LaidStep], leg: int) -> SolePlaces:
    """Soles of steps of one leg, at no time and on no level yet."""
    headings = np.array([step.heading for step in steps])
    ahead = np.stack([np.cos(headings), np.sin(headings)], axis=1)
    middles = np.array([step.middle[:2] for step in steps])
    heels = middles - 0.5 * float(rig.foot_lengths[leg]) * ahead
    return SolePlaces(heels, headings, np.zeros(len(steps)), np.zeros(len(steps)))


def _find_level(
    ground: Ground, middle: FloatArray, time: float, near: float, stand: float
) -> float | None:
    """Height of the ground under or a little above a point, else of the next above; None for none."""
    (storeys,) = split_layers(ground.cast_all(middle[None], np.array([time])), 1)
    if len(storeys.heights) == 0:
        return None
    under = np.flatnonzero(storeys.heights <= middle[2] + near)
    first = int(under[0]) if len(under) else len(storeys.heights) - 1
    height = float(storeys.heights[first])
    chosen = storeys.find_reachable(height, near, stand, bool(storeys.insides[first]))
    return height if chosen is None else float(storeys.heights[chosen])
