# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a solved walk to the record that the measures read (numpy only)."""

from __future__ import annotations

import numpy as np

from .plan import SolvedWalk, WalkPlan
from .posing import LAND, LIFT, OFF, STRIKE
from .walk_record import WalkRecord, WalkSteps


def record_walk(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray | None = None) -> WalkRecord:
    """Record a solved walk in terms of the plan's small rig (`MotionTables.small_rig`).

    Parameters
    ----------
    plan
        The walk's plan.
    walk
        Its poses at two or more equally spaced times.
    frames
        Scene frames of those times, shape (N,).
    """
    states, keys = walk.states, walk.states.key_times
    ahead = states.flight >= 0.5
    return WalkRecord(
        times=walk.poses.times,
        rotations=walk.rotations,
        positions=walk.positions,
        roots=walk.poses.positions,
        steps=WalkSteps(
            leg_times=walk.source.leg_times,
            lifts=keys[..., LIFT],
            offs=keys[..., OFF],
            strikes=keys[..., STRIKE],
            lands=keys[..., LAND],
            print_positions=np.where(ahead[..., None], states.ahead, states.behind),
            print_frames=np.where(ahead[..., None], states.frames_ahead, states.frames_behind),
            parked=states.standing,
            targets=walk.targets.ankles if plan.settings.lock_feet else None,
        ),
        source_rotations=walk.source_rotations,
        source_positions=walk.source_positions,
        frames=frames,
    )
