# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs whose joints have limits (numpy only).

The solver without limits keeps the clip's own bend and is exact, so its pose is taken wherever it
keeps the limits. Elsewhere the joints are brought within them, and then the ankle back to its place
(docs/method/solvers.md, Legs).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..ik import LegSolution
from ..limits import SOLVING
from .chains import ANGLES, JointRanges, make_limits, read_chain, read_coordinates
from .solving import solve_limited

AUTOMATIC, HINGE = "automatic", "hinge"


class LegJoints(NamedTuple):
    """What a leg's bones hang from and turn against.

    Attributes
    ----------
    parents
        World axes of the bone above the hip, shape (N, 4).
    rests
        Rest axes of the bones hip .. shin in those of the ones above, shape (K - 1, 4).
    limits
        What they may do; None for anything.
    hinge
        Axis about which the first inner joint bends, in the axes of the hip bone, shape (3,).
    """

    parents: FloatArray
    rests: FloatArray
    limits: JointRanges | None
    hinge: FloatArray

    def find_limits(self) -> JointRanges:
        """What the bones may do, inner joints being hinges where that is an axis of their bones.

        Otherwise a knee that must bend no further would bend sideways.
        """
        limits = self.limits or make_limits(len(self.rests))
        free = limits.free.copy()
        axis = rot.normalize(self.hinge)
        for bone in range(1, len(self.rests)):
            axis = rot.rotate(rot.conjugate(self.rests[bone]), axis)
            along = np.abs(axis)
            if along.max() >= SOLVING.along and free[bone, ANGLES][along.argmax()]:
                free[bone, ANGLES] &= along == along.max()
        return JointRanges(free, limits.lower, limits.upper)


def keep_limits(
    points: FloatArray,
    rotations: FloatArray,
    solution: LegSolution,
    joints: LegJoints,
    method: str = AUTOMATIC,
) -> LegSolution:
    """A solved leg brought within the limits of its joints.

    Parameters
    ----------
    points, rotations
        The clip's pose that was solved: joints hip .. ankle (N, K, 3), metres, and world axes of the
        bones hip .. shin (N, K - 1, 4).
    solution
        What was solved from it without limits.
    joints
        The leg's joints.
    method
        ``"automatic"`` solves rows that break a limit by damped least squares, ``"hinge"`` none; a name
        of `METHODS` solves all rows by that, from the clip's pose.

    Returns
    -------
    LegSolution
        Limits give way as far as the clip itself goes beyond them, so that its own pose is kept; joints
        that are locked stay as the clip has them.
    """
    if method == HINGE or (method == AUTOMATIC and joints.limits is None):
        return solution
    limits = joints.find_limits()
    own = read_coordinates(rotations, joints.parents, joints.rests)
    solved = _near(read_coordinates(solution.rotations, joints.parents, joints.rests), own)
    allowed = limits.widen(own)
    rows = np.arange(len(points))
    if method == AUTOMATIC:
        # What is locked here alone may change a little: hinges are not exactly axes of bones.
        held = (joints.limits or limits).widen(own)
        rows = np.flatnonzero(held.measure_excess(solved) > SOLVING.tolerated)
    if not len(rows):
        return solution
    chain, _ = read_chain(points[rows], rotations[rows], joints.parents[rows], joints.rests)
    start = (solved if method == AUTOMATIC else own)[rows]
    free = np.where(allowed.free, start, own[rows])
    # The place to reach is that of the softened leg, which no target pulls straight.
    found = solve_limited(
        chain,
        allowed.select(rows),
        free,
        solution.positions[rows, -1],
        "damped" if method == AUTOMATIC else method,
    )
    asked = solution.unreached[rows]
    turned, placed = solution.rotations.copy(), solution.positions.copy()
    unreached = solution.unreached.copy()
    turned[rows], placed[rows] = found.rotations, found.positions
    unreached[rows] = asked + found.missed
    return LegSolution(turned, placed, unreached)


def _near(coordinates: FloatArray, reference: FloatArray) -> FloatArray:
    """Coordinates whose angles are within half a turn of others."""
    near = coordinates.copy()
    apart = coordinates[..., ANGLES] - reference[..., ANGLES]
    near[..., ANGLES] = reference[..., ANGLES] + rot.wrap_angles(apart)
    return near
