# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep bodies are in the ground: legs and trunk as shown, all of them as planned (numpy only).

A walk moves legs and trunk alone: what hangs from them goes along, and may go into a slope or a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..body.outline import BodyOutline
from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import pose_body
from ..motions.tables import MotionTables
from ..rig.skeleton import compute_global_poses
from ..rig.structure import Leg, Rig
from ..walk import SolvedWalk, WalkPlan
from .heights import measure_beside, measure_heights
from .limits import CUTS, SHOWN_BODY
from .shown import ShownWalk

# What stands for bones of feet and of no leg, in place of the number of a leg.
_FOOT, _NONE = -2, -1


def measure_body_depths(rig: Rig, shown: ShownWalk, ground: Ground) -> FloatArray:
    """Depth in the ground of each leg between hip and ankle, and of the trunk, metres, (N, L + 1).

    Legs are as thick as their mesh, the trunk hangs as low; lines where no mesh is known. How deep
    something is in an edge is the shortest way out of it, up or to the side.
    """
    floors = np.stack(
        [shown.bones.place_hull(rig, i)[..., 2].min(axis=1) for i in range(len(rig.legs))], axis=1
    )
    columns = []
    for index, leg in enumerate(rig.legs):
        points = place_leg_skin(leg, shown.bones.place_joints(rig, leg.joints))
        columns.append(_measure_depths(points, shown.times, ground, rig, floors[:, index]))
    hips = shown.bones.place_joints(rig, [leg.joints[0] for leg in rig.legs])
    along = np.array(SHOWN_BODY.along)[:, None]
    trunk = hips[:, :, None] + along * (np.roll(hips, -1, axis=1) - hips)[:, :, None]
    trunk = trunk.reshape(len(hips), -1, 3) - rig.belly * rot.UP
    columns.append(_measure_depths(trunk, shown.times, ground, rig, floors.min(axis=1)))
    return np.stack(columns, axis=1)


def place_leg_skin(leg: Leg, joints: FloatArray) -> FloatArray:
    """Places on the skin about the bones of a leg, metres, shape (N, P, 3).

    Above and below the bone, and on its sides. What is nearer to the ankle than a limb is thick is skin
    of the foot, which is measured by its own hull.

    Parameters
    ----------
    leg
        The leg, whose girths are those of its mesh; bare bones where it has none.
    joints
        Hip .. ankle, world, metres, shape (N, K, 3).
    """
    ways = np.diff(joints, axis=1)
    sizes = rot.lengths(ways)
    along = np.array(SHOWN_BODY.along)
    axes = joints[:, :-1, None] + along[:, None] * ways[:, :, None]
    girths = np.array(leg.girths or np.zeros(len(leg.joints) - 1))
    radii = np.minimum(girths, SHOWN_BODY.stout * sizes)
    radii = np.minimum(radii[..., None], rot.lengths(joints[:, None, None, -1] - axes))
    steady = np.broadcast_to(np.array([1.0, 0.0, 0.0]), ways.shape)
    level = rot.cross(ways, np.broadcast_to(rot.UP, ways.shape))
    upright = rot.lengths(level) < SHOWN_BODY.upright * sizes
    level = rot.normalize(np.where(upright[..., None], steady, level))
    other = rot.normalize(rot.cross(ways, level))
    around = np.stack([level, -level, other, -other], axis=2)
    points = axes[:, :, :, None] + radii[..., None, None] * around[:, :, None]
    return np.asarray(points.reshape(len(joints), -1, 3))


def _measure_depths(
    points: FloatArray, times: FloatArray, ground: Ground, rig: Rig, floors: FloatArray
) -> FloatArray:
    """Depth of the deepest of points (N, P, 3) at each time, metres, (N,).

    Floors (N,) are the world z, metres, that the feet are at.
    """
    depths = np.zeros(points.shape[:2])
    near = np.ones(depths.shape, dtype=bool)
    if not ground.moving_surfaces():
        near = points[..., 2] < ground.height_limits()[1]
    rows, columns = np.nonzero(near)
    if len(rows) == 0:
        return depths.max(axis=1)
    asked, when, level = points[rows, columns], times[rows], floors[rows]
    heights, _ = measure_heights(asked, when, ground, rig.leg_length, level)
    deep = np.flatnonzero(heights < 0.0)
    found = np.zeros(len(rows))
    found[deep] = shorten_depths(
        asked[deep], -heights[deep], when[deep], ground, rig.leg_length, level[deep]
    )
    depths[rows, columns] = found
    return np.asarray(depths.max(axis=1))


def shorten_depths(
    points: FloatArray,
    depths: FloatArray,
    times: FloatArray,
    ground: Ground,
    length: float,
    floors: FloatArray,
) -> FloatArray:
    """Depths by the shortest way out of the ground, straight up or straight to a side, metres, (n,).

    Parameters
    ----------
    points
        World, metres, shape (n, 3).
    depths
        How far they are below the ground, metres, shape (n,).
    times
        Seconds, shape (n,).
    ground, length
        What they are in, and L in metres.
    floors
        World z that their feet are at, metres, shape (n,).
    """
    shortest = depths.copy()
    for way in sorted(SHOWN_BODY.ways_out, reverse=True):
        rows = np.flatnonzero(shortest > way * length)
        if len(rows) == 0:
            continue
        aside = way * length, SHOWN_BODY.sides
        heights = measure_beside(points[rows], aside, times[rows], ground, length, floors[rows])
        free = (np.nan_to_num(heights, nan=1.0) >= 0.0).any(axis=1)
        shortest[rows[free]] = way * length
    return shortest


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
