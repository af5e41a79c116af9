# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks measured by where feet and body are, without asking the plan when feet stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.showing.poses import sample_shown_poses
from ..core.maths.rotations import FloatArray
from ..core.plan import solve_poses
from ..core.report.hand_over_measures import join_blend_feet, measure_blend_feet
from ..core.report.limits import NUMBERS
from ..core.report.metrics import WalkReport, measure_walk
from ..core.report.record import WalkRecord
from ..core.report.recording import record_walk
from ..core.report.shown import PosedBones, list_shown_bones
from ..core.report.shown_measures import ShownReport, measure_shown
from ..core.report.shown_recording import record_shown
from ..core.report.sizes import find_sizes
from ..core.walk import SolvedWalk, WalkPlan
from .limits import REPORT


def measure_solved(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray) -> ShownReport:
    """The numbers of a walk that is shown just as it was solved, at scene frames (N,)."""
    names = plan.tables.small_rig.skeleton.names
    sizes = np.repeat(find_sizes(plan, walk.poses, even=True)[..., None], 3, axis=2)
    bones = PosedBones.from_poses(names, walk.rotations, walk.positions, sizes)
    return measure_shown(plan.tables.rig, record_shown(plan, walk, frames, bones), plan.ground)


def measure_section(
    plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray, blends: tuple[int, int]
) -> WalkReport:
    """The numbers of a solved walk where it is mixed with nothing else, and of its feet where it is.

    Parameters
    ----------
    plan, walk
        The walk, solved at N frames.
    frames
        Those scene frames, shape (N,).
    blends
        Frames at the ends over which it goes over from other animation.
    """
    inside = slice(blends[0], len(frames) - blends[1])
    if plan.beside is None or len(frames[inside]) < REPORT.fewest_frames:
        report = _measure_plan(plan, walk, frames)
    else:
        between = solve_poses(plan, walk.times[inside])
        report = _measure_plan(plan, between, frames[inside])
    if plan.beside is None:
        return report
    return join_blend_feet(report, measure_blend_feet(plan, walk, frames), frames)


def _measure_plan(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray) -> WalkReport:
    """The numbers of a solved walk at scene frames (N,)."""
    record = record_walk(plan, walk, frames)
    report = measure_walk(plan.tables.small_rig, record, plan.ground)
    return report.add_shown(measure_solved(plan, walk, frames))


@dataclass(frozen=True)
class EvaluatedWalk:
    """A walk as Blender shows it.

    Attributes
    ----------
    record
        In terms of the plan's small rig.
    report
        Its numbers.
    differences
        Shown minus planned for each bone of each leg, world, shares of the leg, L arrays (N, K, 3).
    """

    record: WalkRecord
    report: WalkReport
    differences: tuple[FloatArray, ...]


def measure_evaluated(
    armature: bpy.types.Object,
    plan: WalkPlan,
    planned: SolvedWalk,
    frames: np.ndarray,
    scene: bpy.types.Scene,
    *,
    on_controls: bool,
) -> EvaluatedWalk:
    """Measure a walk as Blender shows it; of the plan come the steps and the ground.

    Parameters
    ----------
    armature
        The character's object.
    plan, planned
        The walk's plan, solved at N frames.
    frames
        Those scene frames, shape (N,).
    scene
        Where it plays; neither stepped nor changed.
    on_controls
        Whether controls bring its feet to where they shall be.
    """
    rig, small = plan.tables.rig, plan.tables.small_rig
    names = tuple(dict.fromkeys((*small.skeleton.names, *list_shown_bones(rig))))
    shown = sample_shown_poses(armature, names, np.asarray(frames, dtype=np.float64), scene)
    own = slice(0, len(small.skeleton))
    positions = shown.positions[:, own]
    # The character's origin rides on the body, whatever bone or object carries it.
    moved = positions[:, small.body] - planned.positions[:, small.body]
    expected = record_walk(plan, planned, frames)
    record = replace(
        expected,
        rotations=shown.rotations[:, own],
        positions=positions,
        roots=expected.roots + moved,
        missed=NUMBERS.missed_on_controls if on_controls else NUMBERS.missed,
    )
    at_rest = dict(zip(rig.skeleton.names, rig.skeleton.rest_sizes, strict=True))
    sizes = shown.scales / np.array([at_rest[name] for name in names])[:, None]
    bones = PosedBones.from_poses(names, shown.rotations, shown.positions, sizes)
    seen = measure_shown(rig, record_shown(plan, planned, frames, bones), plan.ground)
    apart = (positions - planned.positions) / small.leg_length
    return EvaluatedWalk(
        record=record,
        report=measure_walk(small, record, plan.ground).add_shown(seen),
        differences=tuple(apart[:, list(leg.bones)] for leg in small.legs),
    )
