# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tails, heads, arms and shins that are in the ground, all over the body's outside (numpy only).

A walk moves legs and trunk alone: what hangs from them goes along, and may go into a slope or a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..body.outline import BodyOutline
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import pose_body
from ..motions.tables import MotionTables
from ..rig.skeleton import compute_global_poses
from ..walk import SolvedWalk, WalkPlan
from .body_depths import shorten_depths
from .heights import measure_heights
from .limits import CUTS


@dataclass(frozen=True)
class BodyCut:
    """A bone whose skin is in the ground beyond what it is in its motions.

    Attributes
    ----------
    bone
        Which.
    leg
        Index of the leg that it belongs to, between hip and ankle; -1 for none.
    depth
        The shortest way out at the worst, metres.
    row
        Pose of the worst.
    rows
        How many poses it is noticed in.
    """

    bone: int
    leg: int
    depth: float
    row: int
    rows: int


def measure_body_cuts(plan: WalkPlan, walk: SolvedWalk, outline: BodyOutline) -> list[BodyCut]:
    """Bones other than those of feet that are in the ground, the deepest first.

    Parameters
    ----------
    plan, walk
        The walk, solved at N times.
    outline
        Places all over the body.
    """
    tables, ground = plan.tables, plan.ground
    skeleton, length = tables.rig.skeleton, tables.rig.leg_length
    legs = _find_legs(tables)
    outline = _thin_out(outline, legs[outline.bones] != _FOOT)
    own = _measure_own_depths(tables, outline)
    times, rows = walk.poses.times, np.arange(len(walk.poses.times))
    points, _ = outline.place(skeleton, walk.poses, rows)
    levels = plan.grid.sample(plan.levels, times)
    top = np.inf if ground.moving_surfaces() else ground.height_limits()[1]
    # What is farther above the body's level than a step is a wall, which is told by itself.
    reach = plan.settings.step_limit * length
    rows, columns = np.nonzero(points[..., 2] < np.minimum(top, levels + reach)[:, None])
    asked = points[rows, columns]
    heights, _ = measure_heights(asked, times[rows], ground, length, levels[rows])
    depths = -np.nan_to_num(heights, nan=1.0) - own[columns]
    is_wall = asked[:, 2] - np.nan_to_num(heights) > levels[rows] + reach
    deep = np.flatnonzero((depths > CUTS.noticed * length) & ~is_wall)
    # Of each bone the deepest place in each pose.
    bones = outline.bones[columns[deep]]
    order = np.lexsort((-depths[deep], bones, rows[deep]))
    _, first = np.unique(np.stack([rows[deep], bones], axis=1)[order], axis=0, return_index=True)
    deep, bones = deep[order[first]], bones[order[first]]
    rows = rows[deep]
    found = shorten_depths(asked[deep], depths[deep], times[rows], ground, length, levels[rows])
    cuts = []
    for bone in np.unique(bones):
        noticed = np.flatnonzero((bones == bone) & (found > CUTS.noticed * length))
        if len(noticed):
            worst = noticed[found[noticed].argmax()]
            depth, row = float(found[worst]), int(rows[worst])
            cuts.append(BodyCut(int(bone), int(legs[bone]), depth, row, len(noticed)))
    return sorted(cuts, key=lambda cut: -cut.depth)


def _thin_out(outline: BodyOutline, kept: np.ndarray) -> BodyOutline:
    """Those places that are kept (P,), of each bone a few all over it."""
    rows = np.flatnonzero(kept)
    bones = outline.bones[rows]
    chosen = []
    for bone in np.unique(bones):
        own = rows[bones == bone]
        chosen.append(own[:: max(1, len(own) // CUTS.places)])
    rows = np.concatenate(chosen) if chosen else rows
    return BodyOutline(outline.bones[rows], outline.offsets[rows])


def note_body_cuts(plan: WalkPlan, cuts: Sequence[BodyCut], frames: np.ndarray) -> list[Note]:
    """A note of each leg that cuts the ground, and one of the worst of all other bones.

    Parameters
    ----------
    plan
        The walk.
    cuts
        What is in the ground, the deepest first.
    frames
        Scene frames of the poses, shape (N,).
    """
    names = plan.tables.rig.skeleton.names
    legs = {index: leg.name for index, leg in enumerate(plan.tables.rig.legs)}
    worst: dict[int, BodyCut] = {}
    for cut in cuts:
        worst.setdefault(cut.leg, cut)
    return [
        make_note(
            NoteKind.BODY_CUTS_GROUND,
            legs.get(leg),
            frames[cut.row],
            bone="" if leg in legs else names[cut.bone],
            length=cut.depth,
            share=cut.depth / plan.tables.rig.leg_length,
        )
        for leg, cut in sorted(worst.items())
    ]


# What stands for bones of feet and of no leg, in place of the number of a leg.
_FOOT, _NONE = -2, -1


def _find_legs(tables: MotionTables) -> np.ndarray:
    """Leg of each bone between hip and ankle, (B,); `_FOOT` below the ankles, `_NONE` elsewhere."""
    skeleton = tables.rig.skeleton
    legs = np.full(len(skeleton.names), _NONE)
    for index, leg in enumerate(tables.rig.legs):
        hip = leg.joints[0]
        legs[[hip, *skeleton.find_descendants(hip)]] = index
    for leg in tables.rig.legs:
        feet = [leg.ankle] if leg.toe is None else [leg.ankle, leg.toe]
        for bone in feet:
            legs[[bone, *skeleton.find_descendants(bone)]] = _FOOT
    return legs


def _measure_own_depths(tables: MotionTables, outline: BodyOutline) -> FloatArray:
    """How far places of the body are in the ground of the slowest walk by itself, metres, (P,)."""
    walk, skeleton = tables.cycles.slowest, tables.rig.skeleton
    phases = np.arange(CUTS.phases) / CUTS.phases
    weights = np.zeros((CUTS.phases, len(tables.motion_set.motions)))
    weights[:, walk] = 1.0
    rotations, positions = compute_global_poses(skeleton, *pose_body(tables, weights, phases))
    away = rot.rotate(rotations[:, outline.bones], outline.offsets)
    heights = (positions[:, outline.bones] + away)[..., 2].min(axis=0)
    return np.asarray(np.maximum(tables.cycles.ground_heights[walk] - heights, 0.0))
