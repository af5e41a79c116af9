# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a solved walk to the record that the measures read (numpy only)."""

from __future__ import annotations

import numpy as np

from semi_procedural_locomotion.core.body.airborne.limits import GIVE
from semi_procedural_locomotion.core.body.airborne.records import find_jumped
from semi_procedural_locomotion.core.body.layers.laying import is_body_laid
from semi_procedural_locomotion.core.body.layers.reading import weigh_layer
from semi_procedural_locomotion.core.body.limits import LAYER
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.maths.smoothing import find_sliding_maximum
from semi_procedural_locomotion.core.motions.tables import LAND, LIFT, OFF, STRIKE
from semi_procedural_locomotion.core.plan import solve_poses
from semi_procedural_locomotion.core.walk import SolvedWalk, WalkPlan

from .limits import UNDISTURBED
from .metrics import WalkReport, measure_walk
from .record import WalkRecord, WalkSteps


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
            floating=_find_floating(plan, states.steps + ahead),
        ),
        source_rotations=walk.source_rotations,
        source_positions=walk.source_positions,
        frames=frames,
        undisturbed=find_undisturbed(plan, walk),
        jumped=_find_jumped(plan, walk.poses.times),
    )


def measure_plan(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray | None = None) -> WalkReport:
    """The numbers of a solved walk; parameters are those of `record_walk`."""
    return measure_walk(plan.tables.small_rig, record_walk(plan, walk, frames), plan.ground)


def _find_jumped(plan: WalkPlan, times: FloatArray) -> np.ndarray | None:
    """Times (N,) in which the body pushes off, flies or lands; None for none."""
    if not plan.travel.jumps:
        return None
    return find_jumped(times, plan.travel.jumps, GIVE.pushing, GIVE.settling)


def _find_floating(plan: WalkPlan, indices: np.ndarray) -> np.ndarray | None:
    """Whether prints (N, L) of these indices in their rows are in the air; None where none is."""
    floats = np.zeros(indices.shape, dtype=bool)
    for leg, row in enumerate(plan.prints.rows):
        floats[:, leg] = row.in_air[np.minimum(indices[:, leg], len(row.times) - 1)]
    return floats if np.any(floats) else None


def find_undisturbed(plan: WalkPlan, walk: SolvedWalk) -> np.ndarray:
    """Frames on level ground, straight on and at the native speed of a single walk, (N,) of bool."""
    tables, states, times = plan.tables, walk.states, walk.poses.times
    main = np.argmax(walk.source.weights, axis=1)
    whole = walk.source.weights[np.arange(len(times)), main] > UNDISTURBED.whole_weight
    native = tables.cycles.velocities[main]
    velocities = plan.times.grid.sample(plan.times.velocities, times)
    _, _, turns = plan.times.rides.measure_velocities()
    turn_rates = plan.times.grid.sample(turns, times)
    native_turns = np.array([m.turn_rate for m in tables.motion_set.motions])[main]
    speed = np.hypot(native[:, 0], native[:, 1])
    steady = np.hypot(*(velocities - native).T) < UNDISTURBED.same_speed * np.maximum(speed, 1e-9)
    straight = np.abs(turn_rates - native_turns) < UNDISTURBED.same_turn
    heights = np.concatenate([states.behind[..., 2], states.ahead[..., 2]], axis=1)
    level = np.ptp(heights, axis=1) < UNDISTURBED.level * tables.rig.leg_length
    frames = np.concatenate([states.frames_behind, states.frames_ahead], axis=1)
    upright = (rot.rotate(frames, rot.UP)[..., 2] > UNDISTURBED.upright).all(axis=1)
    for layer in tables.motion_set.layers:
        if is_body_laid(tables, layer):
            whole &= weigh_layer(layer, times) < LAYER.moves
    calm = whole & tables.cycles.is_cycle[main] & steady & straight & level & upright
    margin = int(np.ceil(UNDISTURBED.margin * tables.cycles.slowest_period / (times[1] - times[0])))
    return find_sliding_maximum(~calm * 1.0, margin) < 0.5


def measure_span(plan: WalkPlan, span: tuple[int, int], rate: float) -> WalkReport:
    """The numbers of a plan from a first to a last scene frame, at so many frames a second."""
    frames = np.arange(span[0], span[1] + 1)
    return measure_plan(plan, solve_poses(plan, frames / rate), frames)


def count_missed(plan: WalkPlan, span: tuple[int, int]) -> int:
    """Times, over frames of the current scene and legs, that an ankle misses where it shall be."""
    import bpy

    render = bpy.context.scene.render
    return int(measure_span(plan, span, render.fps / render.fps_base).targets_missed or 0)
