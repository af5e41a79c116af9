# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How feet rise and strike on slopes and stairs otherwise than on the level (numpy only).

Going up, the rear foot is far below the hips while it pushes the body on: people raise its heel sooner,
so that the body need not sink for it, and strike with a flatter foot. Going down they strike with a
steeper one. How far a step leads up or down says whether heel or ball comes first (docs/method/prints.md,
Heels on slopes, Drops).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import LegPoses, blend_constants
from ..motions.tables import LIFT, OFF, STRIKE, MotionTables
from ..rig.crossing import list_partners
from ..rig.footpoints import compute_sole_points
from ..rig.structure import Leg, Rig
from ..times.grades import measure_grades
from ..times.planning import TimePlan
from ..times.source import SourcePoses
from .limits import HEELS
from .records import PrintPlan
from .states import carry_row


@dataclass(frozen=True)
class StepHeels:
    """The heel of one leg in each of its steps.

    Attributes
    ----------
    rises
        How much further it is raised while the foot pushes off, radians, shape (K - 1,).
    strikes
        Share of the toes' rise over the heel that is taken off as the foot strikes; below 0 adds to it,
        shape (K - 1,).
    """

    rises: FloatArray
    strikes: FloatArray

    def take(self, steps: np.ndarray) -> StepHeels:
        """Those of the steps (N,), shapes (N,)."""
        return StepHeels(self.rises[steps], self.strikes[steps])


def measure_drops(
    tables: MotionTables, prints: PrintPlan, ground: Ground
) -> tuple[FloatArray, ...]:
    """How far each step leads down below the foot that bears it, above 0, or up, below 0.

    That is the partner's, on its print nearest in time to the middle of the step; the foot's own last
    print where it has no partner. Along a slope no step leads up or down.

    Parameters
    ----------
    tables, prints
        The motions, and where feet stand, K prints of a leg.
    ground
        Carries prints that stand on something that moves.

    Returns
    -------
    tuple of arrays, shape (K - 1,)
        For each leg, shares of its length.
    """
    pairs = list_partners(tables.rig)
    partners = {leg: other for pair in pairs for leg, other in (pair, pair[::-1])}
    drops = []
    for index, (leg, row) in enumerate(zip(tables.small_rig.legs, prints.rows, strict=True)):
        other = prints.rows[partners.get(index, index)]
        middles = 0.5 * (row.times[1:] + row.times[:-1])
        bearing = np.searchsorted(0.5 * (other.times[1:] + other.times[:-1]), middles)
        borne, _, _ = carry_row(other, bearing, row.times[1:], ground)
        away = borne - row.positions[1:]
        over, high = np.sum(away * row.normals[1:], axis=1), away[:, 2]
        least = np.where(np.abs(over) < np.abs(high), over, high)
        drops.append(np.where(over * high > 0.0, least, 0.0) / leg.length)
    return tuple(drops)


def share_balls(drops: FloatArray) -> FloatArray:
    """How far people come down on the ball for steps that lead down by drops (N,), 0 to 1, (N,)."""
    return rot.step_cubic((drops - HEELS.heel) / (HEELS.ball - HEELS.heel))


def plan_heels(
    tables: MotionTables,
    times: TimePlan,
    prints: PrintPlan,
    ground: Ground,
    drops: Sequence[FloatArray],
) -> tuple[StepHeels, ...]:
    """The heels of all steps, a record for each leg; none where no step is on a slope or leads up.

    Parameters
    ----------
    tables, times
        The motions and the time plan.
    prints
        Where the feet stand, and the height of the ground that the body walks on.
    ground
        Carries prints that stand on something that moves.
    drops
        See `measure_drops`.
    """
    if len(tables.small_rig.legs) != HEELS.legs:
        return ()
    grades = np.arctan(measure_grades(tables, times.rides, prints.levels))
    flats = [share_balls(-drop) for drop in drops]
    if not np.any(np.abs(grades) > HEELS.least) and not np.any(np.concatenate(flats)):
        return ()
    heels = []
    for row, flat in zip(prints.rows, flats, strict=True):
        steps = np.arange(len(row.times) - 1)
        ahead, _, _ = carry_row(row, steps + 1, row.times[steps], ground)
        away = ahead - row.positions[steps]
        climbs = np.arctan2(away[:, 2], np.hypot(away[:, 0], away[:, 1]))
        met = times.grid.sample(grades, row.times[steps + 1])
        # A step along the slope, or none, does not climb.
        ups = np.maximum(np.minimum(met, climbs), 0.0)
        downs = np.maximum(np.minimum(-met, -climbs), 0.0)
        rises = HEELS.highest * np.tanh(HEELS.raised * ups / HEELS.highest)
        steeper = HEELS.steepest * np.tanh(HEELS.steeper * downs / HEELS.steepest)
        heels.append(StepHeels(rises, np.maximum(np.tanh(HEELS.flatter * ups), flat) - steeper))
    return tuple(heels)


def pose_heels(
    tables: MotionTables,
    source: SourcePoses,
    keys: Sequence[FloatArray],
    heels: Sequence[StepHeels],
) -> SourcePoses:
    """Blended poses whose feet are turned about their ankles, which stay where they are.

    Parameters
    ----------
    tables, source
        The motions, and their poses at N times.
    keys
        Lift, off, strike, land of the step of each leg, L arrays of shape (N, 4).
    heels
        Of the step of each leg at those times.
    """
    rig, legs = tables.small_rig, source.legs
    for index, (leg, own) in enumerate(zip(rig.legs, heels, strict=True)):
        if not np.any(own.rises) and not np.any(own.strikes):
            continue
        share = source.leg_times[:, index] - np.floor(source.leg_times[:, index])
        ways = blend_constants(source.weights, tables.leg_cycles.foot_directions[:, index])
        raised = own.rises * _shape_rise(share, keys[index])
        legs = _turn_feet(rig, leg, legs, ways, raised, True)
        soles = compute_sole_points(leg, legs.rotations, legs.positions)
        along = soles[:, 1] - soles[:, 0]
        pitches = np.arctan2(along[:, 2], np.hypot(along[:, 0], along[:, 1]))
        lowered = own.strikes * np.maximum(pitches, 0.0) * _shape_strike(share, keys[index])
        legs = _turn_feet(rig, leg, legs, ways, lowered, False)
    return source if legs is source.legs else replace(source, legs=legs)


def _shape_rise(share: FloatArray, keys: FloatArray) -> FloatArray:
    """How far the heel is raised at shares (N,) of steps: whole as the other foot strikes, (N,)."""
    lift, off, strike = (keys[:, key] for key in (LIFT, OFF, STRIKE))
    whole = lift + HEELS.whole * (off - lift)
    ends = off + HEELS.ends * (strike - off)
    rise = rot.step_cubic(share / np.maximum(whole, HEELS.shortest))
    return rise * (1.0 - rot.step_cubic((share - whole) / np.maximum(ends - whole, HEELS.shortest)))


def _shape_strike(share: FloatArray, keys: FloatArray) -> FloatArray:
    """How far the toes' rise is changed at shares (N,) of steps: in full at the strike, (N,)."""
    off, strike = keys[:, OFF], keys[:, STRIKE]
    flight = (share - off) / np.maximum(strike - off, HEELS.shortest)
    coming = rot.step_quintic((flight - HEELS.comes) / (1.0 - HEELS.comes))
    stood = (share - strike) / np.maximum(1.0 - strike, HEELS.shortest)
    return coming * (1.0 - rot.step_cubic(stood))


def _turn_feet(
    rig: Rig, leg: Leg, poses: LegPoses, ways: FloatArray, angles: FloatArray, keeps_toes: bool
) -> LegPoses:
    """Poses whose foot is turned, toes down, by angles (N,) about the left of its way (N, 3).

    Its toes may stay as they lie, bent by as much more.
    """
    rows = np.flatnonzero(np.abs(angles) > HEELS.least)
    if len(rows) == 0:
        return poses
    skeleton, left = rig.skeleton, np.stack([-ways[rows, 1], ways[rows, 0], 0.0 * rows], axis=1)
    turn = rot.quaternions_from_axis_angles(rot.normalize(left), angles[rows])
    rotations, positions, local = (
        np.array(part) for part in (poses.rotations, poses.positions, poses.locals)
    )
    ankles = poses.positions[rows, leg.ankle]
    toes: set[int] = set()
    turned = [leg.ankle]
    if keeps_toes and leg.toe is not None:
        turned.append(leg.toe)
        toes = {leg.toe, *skeleton.find_descendants(leg.toe)}
        away = poses.positions[rows, leg.toe] - ankles
        shift = rot.rotate(turn, away) - away
    for bone in {leg.ankle, *skeleton.find_descendants(leg.ankle)}:
        if bone in toes:
            positions[rows, bone] += shift
        else:
            away = poses.positions[rows, bone] - ankles
            positions[rows, bone] = ankles + rot.rotate(turn, away)
            rotations[rows, bone] = rot.multiply(turn, poses.rotations[rows, bone])
    for bone in turned:
        above = int(skeleton.parents[bone])
        frames = rot.IDENTITY if above < 0 else rotations[rows, above]
        local[rows, bone] = rot.multiply(rot.conjugate(frames), rotations[rows, bone])
    return replace(poses, rotations=rotations, positions=positions, locals=local)
