# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is planned for the swings of a leg (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

from ..body.airborne.steps import Hops
from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class LegSwings:
    """What a leg's steps need besides their prints, K steps.

    Attributes
    ----------
    lifted, struck
        Footbase of the placed source pose at foot-off from the print behind, and at strike from the
        print ahead, see `flight.tie_to_prints`, metres, shape (K, 3).
    twists
        Turn of the foot about up against its stance at foot-off and at strike, radians, shape (K, 2).
    least_lifts
        Share of the motion's own lift that the step's length asks for, 0 to 1, shape (K,).
    clearances
        Least height of the sole in the middle of the swing, metres, shape (K,).
    evenness
        How evenly the foot turns over its flight, 0 for an eased turn to 1, shape (K,).
    arcs
        Heights of simple arcs over the higher print, metres, shape (K,); None follows the motion.
    bumps
        Heights that are added in the middle, metres, shape (K,); None for none.
    hops
        How far jumps lift the foot; None where there are none.
    """

    lifted: FloatArray
    struck: FloatArray
    twists: FloatArray
    least_lifts: FloatArray
    clearances: FloatArray
    evenness: FloatArray
    arcs: FloatArray | None = None
    bumps: FloatArray | None = None
    hops: Hops | None = None
