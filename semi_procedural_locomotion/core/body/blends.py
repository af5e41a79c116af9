# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the body goes over from a pose, or to one: no longer than its legs allow (numpy only).

The feet step off by themselves. A body that is held back by a long blend would leave them behind, so its
share of the blend is shortened until every leg is in reach (docs/method/body.md, Hand-over).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..swings.hand_over import FootHold, follow_body
from .hand_over import BesideWalk, place_bones
from .limits import HAND_OVER, HIPS


def fit_blends(
    tables: MotionTables,
    beside: BesideWalk,
    holds: Sequence[FootHold],
    times: FloatArray,
    hips: FloatArray,
    ankles: FloatArray,
) -> tuple[tuple[float, float], tuple[FootHold, ...]]:
    """Seconds over which the body goes over at the start and the end, and the feet, timed by it.

    Parameters
    ----------
    tables
        The motions.
    beside
        That animation.
    holds
        Its feet.
    times
        Seconds, shape (N,).
    hips, ankles
        Of the walk before it is mixed, its feet as they are held and stepped off, metres, shapes
        (N, L, 3).
    """
    lengths = np.array([leg.length for leg in tables.small_rig.legs])
    inside = (times >= beside.span[0]) & (times <= beside.span[1])
    own = rot.lengths(ankles - hips)[inside] / lengths
    fitted = [0.0, 0.0]
    for is_last, asked in enumerate(beside.blends):
        if asked <= 0.0 or not inside.any():
            continue
        passed = beside.span[1] - times if is_last else times - beside.span[0]
        rows = np.flatnonzero((passed >= 0.0) & (passed <= asked))
        # Feet that go over as the body does are in its reach all along.
        legs = [h.leg for h in holds if h.is_last == bool(is_last) and not h.follows]
        if not len(rows) or not legs:
            fitted[is_last] = asked
            continue
        under = _place_hips(tables, beside, times[rows])[:, legs]
        reach = _Reach(under, hips[rows][:, legs], ankles[rows][:, legs], lengths[legs])
        at_pose = reach.measure(np.zeros(len(rows)))[np.argmin(passed[rows])]
        bounds = (
            np.minimum(own[:, legs].min(axis=0), at_pose),
            np.maximum(np.maximum(reach.measure(np.ones(len(rows))), HIPS.stretch), at_pose),
        )
        shortest = min(asked, HAND_OVER.shortest * tables.cycles.slowest_period)
        fitted[is_last] = _fit(reach, passed[rows], bounds, (shortest, asked))
    spans = (
        (beside.span[0], beside.span[0] + fitted[0]),
        (beside.span[1] - fitted[1], beside.span[1]),
    )
    return (fitted[0], fitted[1]), follow_body(holds, spans)


class _Reach:
    """Hips of the pose and of the walk, and ankles (n, L, 3), of legs that are so long (L,)."""

    def __init__(
        self, under: FloatArray, own: FloatArray, ankles: FloatArray, lengths: FloatArray
    ) -> None:
        self.under, self.own, self.ankles, self.lengths = under, own, ankles, lengths

    def measure(self, weights: FloatArray) -> FloatArray:
        """Distances from hip to ankle over the legs' lengths with shares (n,) of the walk, (n, L)."""
        hips = self.under + (self.own - self.under) * weights[:, None, None]
        return rot.lengths(self.ankles - hips) / self.lengths


def _fit(
    reach: _Reach,
    passed: FloatArray,
    bounds: tuple[FloatArray, FloatArray],
    limits: tuple[float, float],
) -> float:
    """The longest blend within limits that keeps legs within bounds, or all but the least beyond."""
    blends = np.linspace(limits[1], limits[0], HAND_OVER.tries)
    beyond = np.zeros(len(blends))
    for row, blend in enumerate(blends):
        at = reach.measure(rot.step_cubic(passed / blend))
        folded = float((bounds[0] - at).max()) - HAND_OVER.folded
        beyond[row] = max(folded, float((at - bounds[1]).max()) - HAND_OVER.missed)
    # Where none is good, a shorter one that is hardly better is not worth its quicker hips.
    allowed = max(0.0, float(beyond.min()) + HAND_OVER.same)
    return float(blends[np.argmax(beyond <= allowed)])


def _place_hips(tables: MotionTables, beside: BesideWalk, times: FloatArray) -> FloatArray:
    """Hip joints of the animation beside a walk at times (N,), metres, (N, L, 3)."""
    positions = place_bones(tables, beside, times)[1]
    return positions[:, [leg.joints[0] for leg in tables.small_rig.legs]]
