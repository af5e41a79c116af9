# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thresholds of finding and moving controls, each with its unit and reason (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SolvingLimits:
    """How near controls bring the deforming bones (docs/method/controls.md, Correcting)."""

    straight: float = 0.002
    """Share of L. A knee nearer to the line from hip to ankle tells nothing of the side to which it
    bends: single precision moves it by as much."""

    bent: float = 0.02
    """Share of L from which on a knee's side is followed in full. A knee at this distance turned wrong
    by 10 degrees is off by 0.3 % of the leg."""

    sideways: float = float(np.radians(120.0))
    """Radians up to which knees are turned about the leg in full. Those that are on the other side of the
    line altogether are left: an IK's knee bends to one side, and a motion's may be overstretched."""

    near: float = 0.003
    """Share of L. Feet that are nearer to where they shall be are there."""

    seen: float = 0.05
    """Share of L by which a knee that the rig places otherwise is off to be told: as far as a knee of a
    walk moves in a frame."""

    flipped: float = 0.25
    """Share of L by which a knee that the rig places otherwise goes farther off, or nearer, in one frame:
    an IK without a pole has let it go over to another side. Knees of runs move less in a frame."""

    left_behind: float = 0.5
    """Share of its way with the body below which a control was left behind: by constraints it goes
    along wholly or hardly at all."""

    gained: float = 0.8
    """A pass that leaves more than this share of what was missing is the last one."""

    quick_passes: int = 2
    """The same while something is changed live, where the next change may come at once."""

    passes: int = 5
    """Passes at the most. Two do on plain rigs; stretch and space switches take up to four."""


@dataclass(frozen=True)
class FittingLimits:
    """How controls that move a foot in part are fitted (docs/method/controls.md, Fitting)."""

    turn: float = 0.02
    """Radians by which a control is turned to see what comes of it: enough to stand out from single
    precision, and little enough for legs to answer in proportion."""

    shift: float = 0.01
    """Share of L by which a control is shifted, for the same reason."""

    knee: float = 0.05
    """Weight of knees against feet: of all that brings the foot to its place, what leaves the knee."""

    damping: float = 0.02
    """Share of the strongest effect below which one is not used: a leg that is stretched out would
    ask for wide ways of its controls to gain a hair."""

    most_steps: float = 30.0
    """Steps that a control goes at once at the most, 0.6 rad or 0.3 L."""

    passes: int = 3
    """Times that what is left is taken away with the same effects."""


FITTING = FittingLimits()
SOLVING = SolvingLimits()


@dataclass(frozen=True)
class ProbeLimits:
    """Small moves of controls and what follows them (docs/method/controls.md, Moves and shares)."""

    step: float = 0.05
    """Share of the leg by which a control is shifted: far above rounding, and every knee reaches it."""

    turn: float = 0.1
    """Radians by which a control is turned: limits of rolls leave room for it."""

    bend: float = 0.12
    """Share of the leg by which feet are lifted before knees are watched: a straight knee swings
    nowhere."""

    telling: float = 0.2
    """Share of a step, or of a turn, which a joint must be meant to go for its going along to tell."""

    noise: float = 1e-3
    """Steps, or turns, that single precision may make of nothing."""

    rigid: float = 0.9
    """Share from which on a joint is one piece with its control. Stretch and soft limits of production
    rigs leave more than 0.97."""

    partly: float = 0.5
    """Share from which on a control moves a joint in part, which is told."""

    still: float = 0.12
    """Steps, or turns, below which a joint has stayed: the rounding of IK and the give of a hip that
    follows its foot lie below."""

    stretched: float = 0.3
    """Steps by which a segment may change its length where IK moves it: a tweak that pulls the bone
    apart changes it by the whole step."""

    felt: float = 0.05
    """Swing of a knee, as a share of the usual turn, from which on a pole has swung it."""

    rolled: float = 0.2
    """Share of a turn from which on a foot is rolled by it."""

    pivot: float = 0.06
    """Share of the leg between ankle and axis, below which the foot is turned at the ankle."""

    reach: float = 0.8
    """Share of the leg between ankle and axis, above which it is no roll of the foot."""

    aligned: float = 0.8
    """Cosine from which on a turn is about the line from hip to ankle, or about the knee's hinge."""

    whole_body: float = 0.7
    """Share of the upper body that the body's control takes along at least; arms on IK stay behind."""

    most_candidates: int = 240
    """Bones that are moved at the most, the likeliest first: a limb has 30 to 60 that matter."""

    least_candidates: int = 100
    """As many are moved in the largest rigs."""

    most_bones: int = 200_000
    """Bones times candidates at the most: each move evaluates all bones, 10 microseconds for each."""

    later_poses: tuple[float, ...] = (0.25, 0.5, 0.75)
    """Shares of the motion at whose poses legs are looked at again that answer nothing in its first: a
    leg that is stretched beyond its reach there, with its foot ahead, is not with it below the hip."""

    most_states: int = 10
    """Settings of switches that are tried at the most; limbs have up to 6 switches."""


PROBE = ProbeLimits()


@dataclass(frozen=True)
class DeformingLimits:
    """Which bones of a control rig lie on one another (docs/method/controls.md, The deforming rig)."""

    same_place: float = 1e-3
    """Share of the leg between two bones that are copies of one another: copies are exact."""

    same_line: float = 0.9995
    """Cosine between bones that go on straight, within 2 degrees."""


DEFORMING = DeformingLimits()
