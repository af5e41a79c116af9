# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything a user may choose about a plan, with its unit and its default (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True)
class PlanSettings:
    """Choices for one walk. Lengths given as shares are shares of the leg length L.

    Attributes
    ----------
    grid_rate
        Samples a second of the planning grid.
    slowdown_exponent
        How stride and step rate share a walk below native speed: cycle time grows with speed to
        minus this power; 0.5 shares evenly, 0 keeps the rate, 1 keeps the stride.
    max_stride
        Longest stride of a whole cycle, share of L; 0 leaves it to the motions.
    max_cycle
        Longest time of a cycle while travelling, in cycles of the slowest walk, 1.25 or more.
    max_turn_per_cycle
        Largest turn in one cycle, radians; the step rate rises to keep it.
    max_side_stride
        Longest sideways stride of a mostly sideways walk, share of L.
    max_climb
        Largest rise or fall of the ground in one step, share of L; steps on steeper ground are shorter
        and quicker.
    park_distance, park_angle
        A step shorter than this share of L and turning less than this (radians) is not taken.
    step_limit
        How far above or below the ground of the body a foothold may lie, share of L.
    max_slope
        Steepest slope that a sole lies on, radians.
    sole_tolerance
        How far below the sole ground still counts as support, share of L.
    search_footholds
        Whether footprints may be moved to where the sole has support.
    swing_margin
        Clearance that a swinging foot keeps over obstacles, share of L.
    toe_clearance
        Least height of the sole in the middle of the swing, share of L; 0 keeps the motion's own.
    lean
        Share of the ground's slope by which a two-legged body leans into it.
    lean_back
        How strongly the spine of a two-legged body leans back on steps longer than the motion's own, 1
        for a good deal; 0 keeps the motion's own body, as for the two below.
    shoulder_turn
        How strongly its shoulders turn against feet that are farther apart than in the motion.
    arm_spread
        How strongly its arms spread on steps longer than the motion's own.
    simple_arc
        True takes swinging feet straight from print to print on a parabola instead of on the motion's
        own way.
    arc_height
        Height of that parabola over the higher of both prints for a full step, share of L.
    hug
        Share of the slope under the feet by which a body of four and more legs pitches; None stands
        for 1 with four and more legs and 0 with two.
    support_smoothing
        Width of the smoothing of the support height, share of the slowest walk's cycle.
    lock_feet
        False turns every correction off: the blended motion is only placed along the travel.
    """

    grid_rate: float = 120.0
    slowdown_exponent: float = 0.5
    max_stride: float = 0.0
    max_cycle: float = 2.2
    max_turn_per_cycle: float = float(np.radians(120.0))
    max_side_stride: float = 0.6
    max_climb: float = 0.25
    park_distance: float = 0.08
    park_angle: float = float(np.radians(25.0))
    step_limit: float = 0.7
    max_slope: float = float(np.radians(45.0))
    sole_tolerance: float = 0.03
    search_footholds: bool = True
    swing_margin: float = 0.02
    toe_clearance: float = 0.016
    lean: float = 0.0
    lean_back: float = 0.0
    shoulder_turn: float = 0.0
    arm_spread: float = 0.0
    simple_arc: bool = False
    arc_height: float = 0.12
    hug: float | None = None
    support_smoothing: float = 0.15
    lock_feet: bool = True

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, float) and not (np.isfinite(value) and value >= 0):
                raise ValueError(f"{entry.name} must be a number of 0 or more, got {value}")
        if self.grid_rate < 48:
            raise ValueError(
                f"grid_rate must be at least 48 samples a second, got {self.grid_rate}"
            )
