# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How high bodies are carried: within reach of all legs, and clear of the ground (numpy only)."""

from __future__ import annotations

from dataclasses import replace

from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..swings.feet import FootTargets
from ..times.planning import TimePlan
from ..times.source import SourcePoses
from .airborne.records import Flights
from .carriage import BodyTrack
from .hips import track_hips
from .leaning import lean_over_crouches
from .undersides import raise_underside


def carry_hips(
    body: BodyTrack,
    tables: MotionTables,
    walk: tuple[SourcePoses, StepStates, FootTargets],
    placed: tuple[FloatArray, FloatArray],
    times: TimePlan,
    flights: Flights,
    ground: Ground,
) -> BodyTrack:
    """A body with the height of its hips and what it leans for them.

    Parameters
    ----------
    body
        As it is carried without, on its grid of G times.
    tables
        The motions.
    walk
        Blended poses, steps and feet at these times.
    placed
        World positions of the hip joints, metres, shape (G, L, 3), and world rotations of the body,
        shape (G, 4).
    times
        The time plan.
    flights
        When the body flies.
    ground
        What it walks on.
    """
    hips, turns = placed
    walked, supports = (tables, *walk), body.supports
    offsets, crouches = track_hips(*walked, hips, body.grid, supports, flights)
    leans = lean_over_crouches(tables, times, body.leans, crouches)
    held = replace(body, hip_offsets=offsets, leans=leans)
    if not flights.whole:
        offsets, leans = raise_underside(tables, walk, hips, held, turns, ground)
    return replace(held, hip_offsets=offsets, leans=leans)
