# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Long bodies whose fore and hind ends go up and down by themselves (numpy only).

Where hind legs still stand below a flight of stairs, fore legs climb it: at one height for all of them
the ones are folded or the others stretched (docs/method/body.md, Nods).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.bounded import keep_under, smooth_between
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..swings.feet import FootTargets
from ..times.source import SourcePoses
from .hips import find_calmness, find_fold_floors, find_hip_wishes
from .leaning import lean_about
from .limits import HIPS, NODS


@dataclass(frozen=True)
class BodyEnds:
    """Legs that carry each end of a long body, (L,) of bool; those between the ends carry both.

    ``middle`` is where the middle of all hips is, from the hind end (0) to the fore end (1), ``apart``
    how far the ends are from each other, metres.
    """

    fore: np.ndarray
    hind: np.ndarray
    middle: float
    apart: float

    def share_out(self, along: FloatArray) -> FloatArray:
        """How far the fore and the hind end rise, as little as can be, for points to rise by 1, (P, 2).

        ``along`` is how far ahead of the middle of all hips they are, metres, (P,). No end is lowered.
        """
        shares = self.middle + along / self.apart
        gains = np.maximum(np.stack([shares, 1.0 - shares], axis=1), 0.0)
        return np.asarray(gains / np.sum(gains * gains, axis=1, keepdims=True))


def track_ends(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    targets: FootTargets,
    hips: FloatArray,
    grid: TimeGrid,
    offsets: FloatArray,
) -> tuple[FloatArray, FloatArray | None]:
    """How a long body moves up and down and tilts so that each end is as its own legs want it.

    Parameters
    ----------
    tables
        The motions.
    source, states, targets
        Blended poses, steps and feet at the G times of the grid.
    hips
        World positions of the hip joints there, metres, shape (G, L, 3).
    grid
        Those times.
    offsets
        Height changes that a body at one height for all its legs has there, metres, shape (G,).

    Returns
    -------
    offsets
        Of the middle of all hips, metres upwards, shape (G,), never above what the legs can reach.
    leans
        Towards world x and y beyond the slope under the feet, radians, shape (G, 2); None where a body
        is not long, or stands on the level, and its offsets are those given.
    """
    forward = np.array([*tables.rig.forward, 0.0])
    ahead = rot.rotate(rot.quaternions_from_yaws(source.yaws), forward)
    ends = find_body_ends(hips, ahead, tables.rig.leg_length)
    if ends is None:
        return offsets, None
    shares = _find_uneven(tables, states, grid)
    if not np.any(shares):
        return offsets, None
    wishes = find_hip_wishes(tables, source, states, targets, hips)
    folds = find_fold_floors(tables, source, targets, hips, grid.interval)
    lowest, calmness = -HIPS.most_drop * tables.rig.leg_length, find_calmness(tables)
    heights = []
    for legs in (ends.fore, ends.hind):
        raw, ceiling = wishes.combine(lowest, legs)
        floors = folds[:, legs].max(axis=1)
        heights.append(smooth_between(raw, floors, ceiling, grid.interval, calmness))
    fore, hind = heights
    away = NODS.most * ends.apart * np.tanh((fore - hind) / (NODS.most * ends.apart))
    nodding = np.minimum(hind + ends.middle * away, fore - (1.0 - ends.middle) * away)
    offsets, away = offsets + shares * (nodding - offsets), shares * away
    leans = -np.arctan(away / ends.apart)[:, None] * ahead[:, :2]
    # A body that turns about its middle draws in its ends.
    still = np.broadcast_to(rot.IDENTITY, (*hips.shape[:2], 4))
    _, nodded = lean_about(leans, hips.mean(axis=1), still, hips)
    _, ceiling = find_hip_wishes(tables, source, states, targets, nodded).combine(lowest)
    return keep_under(offsets, ceiling, grid.interval, calmness.radius), leans


def _find_uneven(tables: MotionTables, states: StepStates, grid: TimeGrid) -> FloatArray:
    """How far a body nods for the heights of its prints, 0 to 1, (G,): not at all on the level."""
    heights = np.concatenate([states.behind[..., 2], states.ahead[..., 2]], axis=1)
    apart = np.ptp(heights, axis=1) / tables.rig.leg_length
    shares = rot.step_quintic((apart - NODS.level) / NODS.entering)
    reach = max(round(NODS.around * tables.cycles.slowest_period / grid.interval), 1)
    return blur_hann(find_sliding_maximum(shares, reach), reach)


def find_body_ends(hips: FloatArray, ahead: FloatArray, length: float) -> BodyEnds | None:
    """The ends of a body that faces ahead (G, 3); None where it has few legs or they stand abreast."""
    if hips.shape[1] < NODS.legs:
        return None
    away = hips - hips.mean(axis=1, keepdims=True)
    along = rot.dot(away, ahead[:, None]).mean(axis=0)
    apart = float(np.ptp(along))
    if apart < NODS.apart * length:
        return None
    shares = (along - along.min()) / apart
    fore, hind = shares > 1.0 - NODS.end, shares < NODS.end
    return BodyEnds(fore, hind, float(shares.mean()), apart)
