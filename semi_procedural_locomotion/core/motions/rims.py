# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The room that a foot takes up over its print from its strike to its foot-off (numpy only).

A foot that rolls over its toes leans ahead of them, and a heel that comes down first is behind the flat
sole: what stands up beside a print is met by the foot as it rolls.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.hulls import hull_points_from_ground
from ..rig.structure import Rig
from .limits import RIMS
from .records import LegCycle, Motion


def measure_rims(
    rig: Rig,
    motions: Sequence[Motion],
    rotations: Sequence[FloatArray],
    positions: Sequence[FloatArray],
) -> tuple[FloatArray, ...]:
    """Outermost places of each foot while it stands in any of the walks.

    Parameters
    ----------
    rig
        The bones that carry the legs, K of them.
    motions
        All motions; those that are no cycles are left out.
    rotations, positions
        Poses of the bones in character space at the rows of each motion, M arrays of shapes (S, K, 4)
        and (S, K, 3), metres.

    Returns
    -------
    tuple
        For each leg places from the footbase towards the toe, to the left and above the ground, metres,
        shape (P, 3): those of the flat foot first, then the farthest in each direction among all that
        are no higher than some level.
    """
    found = []
    for leg, hull in enumerate(rig.hulls):
        places = [hull.places]
        for motion, turns, spots in zip(motions, rotations, positions, strict=True):
            cycle = motion.legs[leg]
            if motion.is_cycle and cycle.steps:
                rows, origins = _list_prints(motion, cycle)
                ahead = cycle.foot_direction
                frame = rot.quaternions_from_yaws(np.arctan2(ahead[1], ahead[0]))
                seen = hull_points_from_ground(hull, turns[rows], spots[rows], frame, origins)
                places.append(seen.reshape(-1, 3))
        found.append(_pick_outermost(np.concatenate(places), rig.legs[leg].length))
    return tuple(found)


def _list_prints(motion: Motion, cycle: LegCycle) -> tuple[np.ndarray, FloatArray]:
    """Rows of a motion's tables in and next to a contact, and where its print is then, (n,), (n, 3)."""
    count = len(cycle.footbases)
    after = (np.arange(count) / count - cycle.stance) % 1.0
    near = RIMS.flight * (cycle.strike - cycle.off)
    leaving, coming = after <= cycle.off + near, after >= cycle.strike - near
    prints = cycle.footbases.copy()
    prints[:, 2] = cycle.ground_height
    away = motion.period * motion.velocity
    for side, edge in ((leaving, cycle.off), (coming, cycle.strike)):
        # In flight the print goes back below the body.
        flies = side & ((after > cycle.off) & (after < cycle.strike))
        ends = np.flatnonzero(side & ~flies)
        if len(ends):
            end = ends[np.abs(after[ends] - edge).argmin()]
            gone = (after[flies] - after[end])[:, None] * away
            prints[flies, :2] = cycle.footbases[end, :2] - gone
    rows = np.flatnonzero(leaving | coming)
    return rows, prints[rows]


def _pick_outermost(places: FloatArray, length: float) -> FloatArray:
    """Those of places (N, 3) that reach farthest in some direction, of all up to some level, (P, 3)."""
    # Between the axes of a foot, along which both its corners reach as far.
    turns = 2.0 * np.pi * (np.arange(RIMS.directions) + 0.5) / RIMS.directions
    reaches = places[:, :2] @ np.array([np.cos(turns), np.sin(turns)])
    chosen = set()
    for level in RIMS.levels:
        low = np.flatnonzero(places[:, 2] <= level * length)
        if len(low):
            chosen.update(low[reaches[low].argmax(axis=0)].tolist())
    return places[sorted(chosen)]
