# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The room that a foot takes up over its print from its strike to its foot-off (numpy only).

A foot that rolls over its toes leans ahead of them, and a heel that comes down first is behind the flat
sole: what stands up beside a print is met by the foot as it rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.hulls import FootHull, hull_points_from_ground
from ..rig.structure import Leg, Rig
from .limits import RIMS
from .records import LegCycle, Motion


@dataclass(frozen=True)
class FootRims:
    """Outermost places of a foot while it stands, seen from its print.

    From the footbase towards the toe, to the left and above the ground, metres, shapes (P, 3): the
    farthest in each direction among all that are no higher than some level.

    Attributes
    ----------
    foot
        Of its outline.
    leg
        Of the skin about the bones above it, too; None where that does not count.
    """

    foot: FloatArray
    leg: FloatArray | None


def measure_rims(
    rig: Rig,
    motions: Sequence[Motion],
    rotations: Sequence[FloatArray],
    positions: Sequence[FloatArray],
) -> tuple[FootRims, ...]:
    """Outermost places of each foot and its leg while it stands in any of the walks.

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
        Of each leg.
    """
    found = []
    for index, (leg, hull) in enumerate(zip(rig.legs, rig.hulls, strict=True)):
        feet, shins = [hull.places], []
        for motion, turns, spots in zip(motions, rotations, positions, strict=True):
            cycle = motion.legs[index]
            if motion.is_cycle and cycle.steps:
                rows, origins = _list_prints(motion, cycle)
                ahead = cycle.foot_direction
                frame = rot.quaternions_from_yaws(np.arctan2(ahead[1], ahead[0]))
                seen = hull_points_from_ground(hull, turns[rows], spots[rows], frame, origins)
                feet.append(seen.reshape(-1, 3))
                skin = _place_skin(leg, spots[rows]) - origins[:, None]
                shins.append(rot.rotate(rot.conjugate(frame), skin).reshape(-1, 3))
        foot = _pick_outermost(np.concatenate(feet), leg.length)
        found.append(FootRims(foot, _add_skin(leg, hull, foot, shins)))
    return tuple(found)


def _add_skin(
    leg: Leg, hull: FootHull, foot: FloatArray, shins: Sequence[FloatArray]
) -> FloatArray | None:
    """Outermost places of a foot and of the skin of its leg; None where that does not count."""
    if not any(leg.girths) or np.ptp(hull.places[:, 0]) < RIMS.claw * leg.length:
        return None
    skin = np.concatenate([foot, *shins])
    low, high = (edge(foot[:, :2], axis=0) for edge in (np.min, np.max))
    away = np.maximum(low - skin[:, :2], skin[:, :2] - high).max(axis=1)
    return _pick_outermost(skin[away <= RIMS.beside * leg.length], leg.length)


def _place_skin(leg: Leg, positions: FloatArray) -> FloatArray:
    """Points on the skin about the bones of a leg whose joints are at (n, K, 3), metres, (n, P, 3)."""
    joints = positions[:, leg.joints]
    upper, lower = joints[:, :-1, None], joints[:, 1:, None]
    axes = upper + RIMS.along[:, None] * (lower - upper)
    sizes = rot.lengths(joints[:, 1:] - joints[:, :-1])
    girths = np.array(leg.girths or np.zeros(len(leg.joints) - 1))
    radii = np.minimum(girths, RIMS.stout * sizes)[..., None, None]
    points = axes[..., None, :] + radii[..., None] * _list_directions()
    return np.asarray(points.reshape(len(positions), -1, 3))


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
    reaches = places[:, :2] @ _list_directions()[:, :2].T
    chosen = set()
    for level in RIMS.levels:
        low = np.flatnonzero(places[:, 2] <= level * length)
        if len(low):
            chosen.update(low[reaches[low].argmax(axis=0)].tolist())
    return places[sorted(chosen)]


def _list_directions() -> FloatArray:
    """Level unit vectors between the axes of a foot, along which both corners reach as far, (D, 3)."""
    turns = 2.0 * np.pi * (np.arange(RIMS.directions) + 0.5) / RIMS.directions
    return rot.pack(np.cos(turns), np.sin(turns), 0.0 * turns)
