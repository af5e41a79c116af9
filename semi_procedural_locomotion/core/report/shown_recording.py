# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From what the scene shows of a walk to the record that its measures read (numpy only)."""

from __future__ import annotations

import numpy as np

from ..body.airborne.limits import GIVE
from ..body.airborne.records import find_jumped
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, STRIKE, MotionTables
from ..walk import SolvedWalk, WalkPlan
from .limits import SHOWN_BODY
from .shown import FootPoints, PosedBones, ShownWalk


def record_shown(
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
    bones: PosedBones,
    travel: FloatArray | None = None,
    feet: tuple[FootPoints | None, ...] | None = None,
) -> ShownWalk:
    """A shown walk beside the clips that its plan was made of.

    Parameters
    ----------
    plan, walk
        The plan, solved at the shown frames; of its steps nothing is used.
    frames
        Scene frames, shape (N,).
    bones
        What the scene shows at them.
    travel
        Where the character should be, metres, shape (N, 3); None takes the plan's word.
    feet
        Places of each foot as its meshes are shown, see `ShownWalk`.
    """
    names = plan.tables.small_rig.skeleton.names
    jumps = plan.travel.jumps
    flying, rides = find_flying_motions(plan.tables), plan.times.rides
    return ShownWalk(
        frames=np.asarray(frames),
        times=walk.poses.times,
        bones=bones,
        travel=walk.poses.positions if travel is None else travel,
        source=PosedBones.from_poses(names, walk.source_rotations, walk.source_positions),
        spaces=None if rides.in_world else rides.find_spaces(walk.poses.times),
        carriers=None if rides.in_world else rides.find_numbers(walk.poses.times),
        has_flight=np.asarray(walk.source.weights[:, flying] > SHOWN_BODY.plays).any(axis=1)
        | find_jumped(walk.poses.times, jumps),
        jumped=find_jumped(walk.poses.times, jumps, GIVE.pushing, GIVE.settling) if jumps else None,
        feet=feet,
    )


def find_flying_motions(tables: MotionTables) -> np.ndarray:
    """Which motions have no foot on the ground at some time, as runs and jumps have, (M,) of bool."""
    cycles = tables.leg_cycles
    phases = np.arange(SHOWN_BODY.phases) / SHOWN_BODY.phases
    share = (phases - cycles.own_stances[..., None]) % 1.0
    off, strike = (cycles.key_times[..., key, None] for key in (OFF, STRIKE))
    stands = ((share <= off) | (share >= strike)).any(axis=1)
    return np.asarray(tables.cycles.is_cycle & ~stands.all(axis=1))
