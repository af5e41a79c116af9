# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that go over from the animation beside a walk, and to it, while their feet stay (numpy only).

Body and limbs are mixed, feet are not: they are held and stepped off by `swings.hand_over`, and the legs
are bent to them once more (docs/method/body.md, Hand-over).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import LegPoses
from ..motions.tables import MotionTables
from ..pose import PoseArray
from ..rig.hulls import hull_points_from_poses
from ..rig.skeleton import Skeleton, compute_global_poses
from ..swings.feet import FootTargets
from ..swings.hand_over import FootHold, FootPose
from .legs import SolvedLegs, solve_legs, write_legs
from .limits import HAND_OVER


@dataclass(frozen=True)
class BesideWalk:
    """The animation beside a walk, as it is shown while the walk goes over from it and to it.

    Attributes
    ----------
    times
        Seconds, increasing, shape (F,); the first and last frame of the walk among them as far as it
        goes over there.
    positions, orientations
        World place and rotation of the character, as in `PoseArray`, shapes (F, 3) and (F, 4).
    rotations, translations, scales
        Local poses of all bones, as in `PoseArray`, shapes (F, B, 4), (F, B, 3), (F, B, 3).
    span
        Seconds at which the walk begins and ends.
    blends
        Seconds over which it goes over at its start and its end, 0 for not at all.
    body_blends
        Seconds over which the legs and what carries them do so, no longer than legs reach; None where
        that is not planned.
    """

    times: FloatArray
    positions: FloatArray
    orientations: FloatArray
    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray
    span: tuple[float, float]
    blends: tuple[float, float]
    body_blends: tuple[float, float] | None = None

    def weigh(self, times: FloatArray) -> FloatArray:
        """Share of the walk at times (N,) in what carries no leg."""
        return self._weigh(times, self.blends)

    def weigh_body(self, times: FloatArray) -> FloatArray:
        """Share of the walk at times (N,) in the legs and what carries them."""
        return self._weigh(times, self.body_blends or self.blends)

    def _weigh(self, times: FloatArray, blends: tuple[float, float]) -> FloatArray:
        weights = np.ones(len(times))
        if blends[0] > 0.0:
            weights *= rot.step_cubic((times - self.span[0]) / blends[0])
        if blends[1] > 0.0:
            weights *= rot.step_cubic((self.span[1] - times) / blends[1])
        return weights

    def read(self, times: FloatArray) -> tuple[FloatArray, ...]:
        """Positions, orientations, rotations, translations and scales at times (N,)."""
        after = np.clip(np.searchsorted(self.times, times), 0, len(self.times) - 1)
        before = np.maximum(after - 1, 0)
        span = np.maximum(self.times[after] - self.times[before], 1e-9)
        share = np.clip((times - self.times[before]) / span, 0.0, 1.0)
        whole, bones = share[:, None], share[:, None, None]
        pairs = [
            (values[before], values[after])
            for values in (
                self.positions,
                self.orientations,
                self.rotations,
                self.translations,
                self.scales,
            )
        ]
        return (
            pairs[0][0] + (pairs[0][1] - pairs[0][0]) * whole,
            rot.nlerp(*pairs[1], share),
            rot.nlerp(*pairs[2], np.broadcast_to(whole, pairs[2][0].shape[:2])),
            *(a + (b - a) * bones for a, b in pairs[3:]),
        )


def mix_poses(
    tables: MotionTables,
    beside: BesideWalk,
    holds: Sequence[FootHold],
    targets: FootTargets,
    legs: SolvedLegs,
    poses: PoseArray,
) -> tuple[SolvedLegs, PoseArray]:
    """Poses that go over from the animation beside a walk and to it.

    Parameters
    ----------
    tables
        The motions.
    beside
        That animation.
    holds
        Its feet.
    targets
        Feet of the walk at N times, with the held ones in them.
    legs, poses
        The walk at those times.
    """
    times = poses.times
    weights = beside.weigh(times)
    is_held = np.any([hold.find_shares(times) > 0.0 for hold in holds], axis=0)
    rows = np.flatnonzero((weights < 1.0) | is_held)
    if not len(rows):
        return legs, poses
    rotations, translations, scales = (
        np.array(part) for part in (poses.rotations, poses.translations, poses.scales)
    )
    own = _Bodies(
        poses.positions[rows],
        poses.orientations[rows],
        rotations[rows],
        translations[rows],
        scales[rows],
    )
    under = _Bodies(*beside.read(times[rows]))
    mixed = _mix_bodies(tables, under, own, weights[rows], beside.weigh_body(times[rows]))
    feet = {bone for hold in holds for bone in hold.bones}
    others = np.array([b for b in range(len(tables.rig.skeleton)) if b not in feet], dtype=np.intp)
    rotations[np.ix_(rows, others)] = mixed.rotations[:, others]
    translations[rows], scales[rows] = mixed.translations, mixed.scales
    positions, orientations = poses.positions.copy(), poses.orientations.copy()
    positions[rows], orientations[rows] = mixed.positions, mixed.orientations
    for hold in holds:
        rotations[:, hold.bones] = hold.bend(times, rotations[:, hold.bones])
    result = replace(
        poses,
        positions=positions,
        orientations=orientations,
        rotations=rotations,
        translations=translations,
        scales=scales,
        offset=None if poses.offset is None else poses.offset.scale(weights),
    )
    return _bend_legs(tables, targets, legs, result, rows)


class _Bodies(NamedTuple):
    """Whole characters at n times: place and rotation in the world, and local poses of all bones."""

    positions: FloatArray
    orientations: FloatArray
    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray

    def place(self, skeleton: Skeleton) -> tuple[FloatArray, FloatArray]:
        """World rotations (n, B, 4) and heads (n, B, 3) of all bones, metres."""
        turned, heads = compute_global_poses(
            skeleton, self.rotations, self.translations, self.scales
        )
        turns = self.orientations[:, None]
        return rot.multiply(turns, turned), self.positions[:, None] + rot.rotate(turns, heads)


def _mix_bodies(
    tables: MotionTables, under: _Bodies, own: _Bodies, limbs: FloatArray, weights: FloatArray
) -> _Bodies:
    """Bodies with shares of their own against those under them: of limbs, and of what carries legs (n,).

    Limbs are mixed against what they hang from. The body itself goes straight from place to place: mixed
    against a root that turns far away it would go round about.
    """
    skeleton = tables.rig.skeleton
    shares = np.repeat(limbs[:, None], len(skeleton), axis=1)
    shares[:, tables.bones.indices] = weights[:, None]
    mixed = _Bodies(
        under.positions + (own.positions - under.positions) * weights[:, None],
        rot.slerp(under.orientations, own.orientations, weights),
        rot.slerp(under.rotations, own.rotations, shares),
        under.translations + (own.translations - under.translations) * shares[..., None],
        under.scales + (own.scales - under.scales) * shares[..., None],
    )
    straight = {tables.rig.body, *np.flatnonzero(skeleton.parents < 0)}
    (turned_under, heads_under), (turned_own, heads_own) = (
        bodies.place(skeleton) for bodies in (under, own)
    )
    for bone in sorted(straight):
        turned = rot.slerp(turned_under[:, bone], turned_own[:, bone], weights)
        head = heads_under[:, bone] + (heads_own - heads_under)[:, bone] * weights[:, None]
        parent = int(skeleton.parents[bone])
        above, origin = mixed.orientations, mixed.positions
        if parent >= 0:
            all_turned, all_heads = mixed.place(skeleton)
            above, origin = all_turned[:, parent], all_heads[:, parent]
        mixed.rotations[:, bone] = rot.multiply(rot.conjugate(above), turned)
        mixed.translations[:, bone] = rot.rotate(rot.conjugate(above), head - origin)
    return mixed


def _bend_legs(
    tables: MotionTables,
    targets: FootTargets,
    legs: SolvedLegs,
    poses: PoseArray,
    rows: np.ndarray,
) -> tuple[SolvedLegs, PoseArray]:
    """Legs of mixed poses bent to their feet in some rows (n,)."""
    skeleton, indices = tables.small_rig.skeleton, tables.bones.indices
    turns, places = poses.orientations[rows], poses.positions[rows]
    local, offsets = poses.rotations[rows], poses.translations[rows]
    turned, heads = compute_global_poses(
        skeleton, local[:, indices], offsets[:, indices], poses.scales[rows][:, indices]
    )
    feet = FootTargets(**{f.name: getattr(targets, f.name)[rows] for f in fields(targets)})
    # Knees are mixed already: they turn with their feet no further.
    feet = replace(feet, swivels=np.zeros_like(feet.swivels))
    bent = solve_legs(
        tables,
        LegPoses(turned, heads, local[:, indices]),
        feet,
        rot.multiply(turns[:, None], turned),
        places[:, None] + rot.rotate(turns[:, None], heads),
    )
    write_legs(tables, bent, (places, turns), local, offsets)
    solved = [getattr(legs, f.name).copy() for f in fields(legs)]
    for whole, f in zip(solved, fields(legs), strict=True):
        whole[rows] = getattr(bent, f.name)
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    rotations[rows], translations[rows] = local, offsets
    return SolvedLegs(*solved), replace(poses, rotations=rotations, translations=translations)


def read_foot_poses(
    tables: MotionTables, beside: BesideWalk, ground: Ground
) -> tuple[FootPose, ...]:
    """Feet of the animation beside a walk where the walk begins and ends in it.

    Parameters
    ----------
    tables
        The motions.
    beside
        That animation.
    ground
        What feet may stand on.
    """
    found = []
    for is_last in (False, True):
        if beside.blends[is_last] <= 0.0:
            continue
        time = beside.span[is_last]
        rotations, positions, local = (
            part[0] for part in place_bones(tables, beside, np.array([time]))
        )
        ankles = [leg.ankle for leg in tables.small_rig.legs]
        standing, normals = _find_standing(tables, rotations, positions, ground, time)
        found.append(
            FootPose(
                time=time,
                is_last=is_last,
                fade=beside.blends[is_last],
                ankles=positions[ankles],
                rotations=rotations[ankles],
                locals=local,
                standing=standing,
                normals=normals,
            )
        )
    return tuple(found)


def _find_standing(
    tables: MotionTables,
    rotations: FloatArray,
    positions: FloatArray,
    ground: Ground,
    time: float,
) -> tuple[np.ndarray, FloatArray]:
    """Whether feet of posed bones (K, 4), (K, 3) are on the ground, (L,), and its normals, (L, 3)."""
    lows = []
    for hull in tables.small_rig.hulls:
        points = hull_points_from_poses(hull, rotations[None], positions[None])[0]
        lows.append(points[np.argmin(points[:, 2])])
    low, length = np.array(lows), tables.rig.leg_length
    above = low + HAND_OVER.reach * length * rot.UP
    hits = ground.cast_down(above, np.full(len(low), time))
    floors = np.where(hits.hit, hits.points[:, 2], low[:, 2].min())
    return low[:, 2] - floors < HAND_OVER.standing * length, hits.normals


def place_bones(
    tables: MotionTables, beside: BesideWalk, times: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """World poses of the bones that carry the legs and local ones of all bones of that animation.

    Parameters
    ----------
    tables, beside
        The motions, and the animation.
    times
        Seconds, shape (N,).

    Returns
    -------
    rotations, positions, locals
        Shapes (N, K, 4), (N, K, 3) in metres, and (N, B, 4).
    """
    places, turns, local, offsets, scales = beside.read(times)
    indices = tables.bones.indices
    turned, heads = compute_global_poses(
        tables.small_rig.skeleton, local[:, indices], offsets[:, indices], scales[:, indices]
    )
    rotations = rot.multiply(turns[:, None], turned)
    return rotations, places[:, None] + rot.rotate(turns[:, None], heads), local
