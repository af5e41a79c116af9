# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks measured by where feet and body are, without asking the plan when feet stand."""

from __future__ import annotations

import bpy
import numpy as np

from ..blender.showing.poses import sample_shown_poses
from ..core.plan import SolvedWalk, WalkPlan
from ..core.report.shown import PosedBones, list_shown_bones
from ..core.report.shown_measures import ShownReport, measure_shown
from ..core.report.shown_recording import record_shown


def measure_solved(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray) -> ShownReport:
    """The numbers of a walk that is shown just as it was solved, at scene frames (N,)."""
    names = plan.tables.small_rig.skeleton.names
    bones = PosedBones.from_poses(names, walk.rotations, walk.positions)
    return measure_shown(plan.tables.rig, record_shown(plan, walk, frames, bones), plan.ground)


def measure_evaluated(
    armature: bpy.types.Object,
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
    scene: bpy.types.Scene,
) -> ShownReport:
    """The numbers of a walk as Blender shows it.

    Parameters
    ----------
    armature
        The character's object.
    plan, walk
        The walk's plan, solved at N frames.
    frames
        Those scene frames, shape (N,).
    scene
        Where it plays; neither stepped nor changed.
    """
    rig = plan.tables.rig
    names = list_shown_bones(rig)
    shown = sample_shown_poses(armature, names, np.asarray(frames, dtype=np.float64), scene)
    sizes = shown.scales / rig.skeleton.object_scale
    bones = PosedBones.from_poses(names, shown.rotations, shown.positions, sizes)
    return measure_shown(rig, record_shown(plan, walk, frames, bones), plan.ground)
