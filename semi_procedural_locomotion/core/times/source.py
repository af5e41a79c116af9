# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blended poses along the travel, before any correction (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..motions.posing import LegPoses, blend_constants, compute_leg_footbases, pose_legs
from ..motions.tables import MotionTables
from .planning import TimePlan


@dataclass(frozen=True)
class SourcePoses(Columns):
    """Blended poses at N times, before any correction.

    Attributes
    ----------
    weights, cycle_weights
        Shapes (N, M).
    walk_share
        Shape (N,).
    positions, yaws
        The travel, shapes (N, 3) and (N,).
    foot_yaws
        Heading that the feet follow, shape (N,).
    leg_times
        Whole and share, shape (N, L).
    legs
        Poses of the bones that carry the legs, in character space.
    """

    weights: FloatArray
    cycle_weights: FloatArray
    walk_share: FloatArray
    positions: FloatArray
    yaws: FloatArray
    foot_yaws: FloatArray
    phases: FloatArray
    leg_times: FloatArray
    legs: LegPoses


def pose_source(
    tables: MotionTables,
    plan: TimePlan,
    step_keys: tuple[FloatArray, ...],
    first_steps: tuple[int, ...],
    times: FloatArray,
    carried: FloatArray | None = None,
) -> SourcePoses:
    """Blended poses at any times.

    Parameters
    ----------
    step_keys
        Key times of the steps, L arrays of shape (K - 1, 4).
    first_steps
        Step number of each leg's first print.
    times
        Seconds, shape (N,).
    carried
        Seconds to which moving ground carries the body on from there, shape (N,); None for none.
    """
    grid = plan.grid
    leg_times = grid.sample(plan.leg_times, times)
    phases = grid.sample(plan.phases, times)
    weights = grid.sample(plan.weights, times)
    keys = np.stack(
        [
            step_keys[leg][
                np.clip(
                    np.floor(leg_times[:, leg]).astype(np.intp) - first_steps[leg],
                    0,
                    len(step_keys[leg]) - 1,
                )
            ]
            for leg in range(leg_times.shape[1])
        ],
        axis=1,
    )
    positions, yaws = plan.rides.place(times, carried)
    return SourcePoses(
        weights=weights,
        cycle_weights=grid.sample(plan.cycle_weights, times),
        walk_share=grid.sample(plan.walk_share, times),
        positions=positions,
        yaws=yaws,
        foot_yaws=plan.rides.turn_feet(times, carried),
        phases=phases,
        leg_times=leg_times,
        legs=pose_legs(tables, weights, phases, leg_times, keys),
    )


@dataclass(frozen=True)
class PlacedFeet(Columns):
    """Feet of one leg in the source poses, N times.

    Attributes
    ----------
    placed
        Footbases: world x and y along the travel, height over the leg's own ground, metres, (N, 3).
    local
        Footbases in character space, metres, shape (N, 3).
    angles
        Direction of the foot at stance in character space, radians from +X, shape (N,).
    twists
        Turn of the foot about up against that, radians, shape (N,).
    """

    placed: FloatArray
    local: FloatArray
    angles: FloatArray
    twists: FloatArray


def place_footbases(tables: MotionTables, source: SourcePoses, leg: int) -> PlacedFeet:
    """Footbases of the source poses along the travel."""
    local, angles, twists = compute_leg_footbases(tables, leg, source.legs, source.weights)
    turned = rot.rotate(rot.quaternions_from_yaws(source.foot_yaws), local)
    ground = blend_constants(source.weights, tables.leg_cycles.sole_heights[:, leg])
    placed = rot.pack(
        turned[..., 0] + source.positions[:, 0],
        turned[..., 1] + source.positions[:, 1],
        local[..., 2] - ground,
    )
    return PlacedFeet(placed, local, angles, twists)
