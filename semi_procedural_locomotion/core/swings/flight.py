# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a foot from one print to the next: the motion's own swing, fitted to both (numpy only).

The footbase of the blended pose, placed in the world, describes an arc from where that pose
lifts to where it strikes; an affine map takes those two ends to the two prints
(docs/method/swings.md, The motion's arc).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import ASIDES, FLIGHT, HEADINGS


@dataclass(frozen=True)
class SwingWay:
    """Footbases in flight relative to the line between two prints.

    Attributes
    ----------
    progress
        0 at the print behind, 1 at the print ahead; may overshoot both, shape (...).
    deviation
        Horizontal offset from the line, metres, shape (..., 2).
    height
        Lift over the line, metres, not negative, shape (...).
    """

    progress: FloatArray
    deviation: FloatArray
    height: FloatArray


def tie_to_prints(places: FloatArray, prints: FloatArray, headings: FloatArray) -> FloatArray:
    """Places (..., 3) from prints on, x and y along and across these; heights as they are.

    Parameters
    ----------
    places
        World x and y, height over the leg's own ground, metres, shape (..., 3).
    prints, headings
        Where the prints are at the time of the places, metres and radians, shapes (..., 3) and (...).
    """
    away = rot.pack(
        places[..., 0] - prints[..., 0], places[..., 1] - prints[..., 1], places[..., 2]
    )
    return rot.rotate(rot.quaternions_from_yaws(-headings), away)


def untie_from_prints(tied: FloatArray, prints: FloatArray, headings: FloatArray) -> FloatArray:
    """Places (..., 3) that were tied to prints, where these are now; see `tie_to_prints`."""
    away = rot.rotate(rot.quaternions_from_yaws(headings), tied)
    return rot.pack(prints[..., 0] + away[..., 0], prints[..., 1] + away[..., 1], away[..., 2])


def fit_swing(
    source: FloatArray,
    lifted: FloatArray,
    struck: FloatArray,
    behind: FloatArray,
    ahead: FloatArray,
    flight: FloatArray,
) -> SwingWay:
    """Map a source swing onto two prints.

    Parameters
    ----------
    source
        Footbase of the blended pose placed along the travel: world x and y, height over the leg's
        own ground, metres, shape (..., 3).
    lifted, struck
        The same at the ends of the flight, shape (..., 3).
    behind, ahead
        Prints, world, metres, shape (..., 3).
    flight
        Share of the flight that has passed, 0 to 1, shape (...).
    """
    blend = rot.step_quintic(flight)[..., None]
    step = ahead[..., :2] - behind[..., :2]
    step_square = np.maximum(np.sum(step * step, axis=-1), rot.TINY)
    spread = (
        source[..., :2]
        + (behind[..., :2] - lifted[..., :2]) * (1.0 - blend)
        + (ahead[..., :2] - struck[..., :2]) * blend
    )
    progress = np.sum((spread - behind[..., :2]) * step, axis=-1) / step_square
    deviation = spread - (behind[..., :2] + progress[..., None] * step)
    height = (
        source[..., 2] - lifted[..., 2] * (1.0 - blend[..., 0]) - struck[..., 2] * blend[..., 0]
    )

    own = struck[..., :2] - lifted[..., :2]
    own_square = np.maximum(np.sum(own * own, axis=-1), rot.TINY)
    moved = source[..., :2] - lifted[..., :2]
    scaled = np.sum(moved * own, axis=-1) / own_square
    side = (moved[..., 1] * own[..., 0] - moved[..., 0] * own[..., 1]) / np.sqrt(own_square)
    normal = np.stack([-step[..., 1], step[..., 0]], axis=-1) / np.sqrt(step_square)[..., None]
    share = np.clip(
        (np.sqrt(own_square / step_square) - FLIGHT.scaled_from) / FLIGHT.scaled_over, 0.0, 1.0
    )
    cosine = np.sum(own * step, axis=-1) / np.sqrt(own_square * step_square)
    share = rot.step_cubic(share) * np.clip(
        (cosine - FLIGHT.same_from) / FLIGHT.same_over, 0.0, 1.0
    )
    return SwingWay(
        progress=scaled * share + progress * (1.0 - share),
        deviation=normal * (side * share)[..., None] + deviation * (1.0 - share)[..., None],
        height=np.maximum(height, 0.0),
    )


def hold_over_prints(
    way: SwingWay, behind: FloatArray, ahead: FloatArray, length: float
) -> SwingWay:
    """A swing that draws back behind its print and overshoots the next by no more than it is high.

    Feet that slide in their clip go on sliding where they leave the ground, and before they meet it: what
    is still seen as standing would slip (docs/method/swings.md, Low over the prints).

    Parameters
    ----------
    way
        As `fit_swing` has it.
    behind, ahead
        Prints, world, metres, shape (..., 3).
    length
        Of a leg, metres.
    """
    inside = np.clip(way.progress, 0.0, 1.0)
    step = ahead[..., :2] - behind[..., :2]
    beyond = (way.progress - inside) * np.hypot(step[..., 0], step[..., 1])
    room = np.maximum(way.height - FLIGHT.low * length, 0.0)
    # The smaller of both, rounded where they cross: 1 far below the room, room / beyond far above it.
    kept = room / np.maximum((room**4 + beyond**4) ** 0.25, rot.TINY)
    return SwingWay(inside + kept * (way.progress - inside), way.deviation, way.height)


def shape_arc(
    behind: FloatArray, ahead: FloatArray, flight: FloatArray, height: FloatArray
) -> SwingWay:
    """A straight way from print to print under a parabola, instead of the motion's own swing.

    Parameters
    ----------
    behind, ahead, flight
        As for `fit_swing`.
    height
        Of the parabola's middle over the higher print, metres, shape (...).
    """
    progress = rot.step_cubic(flight)
    middle = height + 0.5 * np.abs(ahead[..., 2] - behind[..., 2])
    # A step of no height is none: a foot that stays where it is does not hop.
    middle = np.where(height > 0, middle, 0.0)
    return SwingWay(
        progress=progress,
        deviation=np.zeros((*progress.shape, 2)),
        height=4.0 * progress * (1.0 - progress) * middle,
    )


def shape_bump(flight: FloatArray, rise: FloatArray, fall: FloatArray) -> FloatArray:
    """Smooth trapezoid over the flight, 0 at both ends: quintic rise and fall over these shares."""
    return rot.step_quintic(flight / rise) * rot.step_quintic((1.0 - flight) / fall)


def shape_aside(flight: FloatArray) -> FloatArray:
    """Share (N,) of its move aside that a swing has at shares of its flight (N,)."""
    ends = np.array(ASIDES.ends)
    return shape_bump(flight, ends, ends)


def turn_evenly(flight: FloatArray) -> FloatArray:
    """Share (N,) of a turn that is done at shares of a flight (N,): even but for both its ends."""
    ends = HEADINGS.even_ends

    def ramp(share: FloatArray) -> FloatArray:
        """Integral of a cubic step over a share from 0 to 1."""
        share = np.clip(share, 0.0, 1.0)
        return share * share * share * (1.0 - 0.5 * share)

    even = np.clip(flight - ends, 0.0, 1.0 - 2.0 * ends)
    begun, ended = ramp(flight / ends), 0.5 - ramp((1.0 - flight) / ends)
    return np.asarray((ends * (begun + ended) + even) / (1.0 - ends))


def measure_slope_rises(
    frames: FloatArray, progress: FloatArray, steps: FloatArray, deviations: FloatArray
) -> FloatArray:
    """Rise of the ground's slope under a swing beside, before and beyond the line between prints.

    Parameters
    ----------
    frames
        Frames of the foot, whose z axes are normal to the slope, shape (..., 4).
    progress
        Along the line; below 0 the foot is still behind its print, above 1 beyond the next, (...).
    steps
        From print to print, metres, shape (..., 3).
    deviations
        Offsets from the line, x and y, metres, shape (..., 2).

    Returns
    -------
    array, shape (...)
        Metres; 0 on level ground.
    """
    normals = rot.rotate(frames, rot.UP)
    beyond = progress - np.clip(progress, 0.0, 1.0)
    away_x = beyond * steps[..., 0] + deviations[..., 0]
    away_y = beyond * steps[..., 1] + deviations[..., 1]
    return -(normals[..., 0] * away_x + normals[..., 1] * away_y) / normals[..., 2]
