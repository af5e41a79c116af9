# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blended poses of a set of motions (numpy only).

Rotations are blended as weighted sums of aligned quaternions (plan study 4.1: three times faster than
successive slerps, and independent of their order). The bones of a leg are read at the leg's own time,
so that its key times coincide in all motions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from . import rotations as rot
from .footpoints import compute_footbases, compute_sole_points
from .motion import Motion, MotionSet
from .rig import Leg, Rig, SolePoint
from .rotations import FloatArray
from .skeleton import compute_global_poses

# A translation that varies less than this share of the leg length counts as constant.
_STILL = 1e-5

LIFT, OFF, STRIKE, LAND = range(4)


@dataclass(frozen=True)
class LegPoses:
    """Poses of the bones that carry the legs, in character space.

    Attributes
    ----------
    rotations, positions
        Global poses, shapes (N, K, 4) and (N, K, 3), bones as in `MotionTables.skeleton`.
    locals
        Rotations relative to the parent, shape (N, K, 4).
    """

    rotations: FloatArray
    positions: FloatArray
    locals: FloatArray


class MotionTables:
    """The motions of a set, packed for fast reading.

    Parameters
    ----------
    rig
        The character.
    motions
        Its motions with their phase offsets.
    """

    def __init__(self, rig: Rig, motions: MotionSet) -> None:
        self.rig = rig
        self.set = motions
        bones = [bone for leg in rig.legs for bone in leg.bones]
        soles = [point.bone for leg in rig.legs for point in leg.soles]
        self.skeleton, self.indices = rig.skeleton.select([*bones, *soles, rig.body])
        place = {int(old): new for new, old in enumerate(self.indices)}
        self.legs = tuple(_move_leg(leg, place) for leg in rig.legs)
        self.body = place[rig.body]
        counts = [len(m.rotations) for m in motions.motions]
        self.row_counts = np.array(counts, dtype=np.intp)
        self.row_starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.intp)
        reference = self._choose_reference()
        self.rotations = _stack_rows(
            [rot.align_hemispheres(m.rotations, reference) for m in motions.motions]
        )
        self.translations = _stack_rows([m.translations for m in motions.motions])
        self.scales = _stack_rows([m.scales for m in motions.motions])
        still = _STILL * rig.leg_length
        self.moving = np.ptp(self.translations, axis=2).max(axis=0) > still
        self.scaling = np.ptp(self.scales, axis=2).max(axis=0) > 1e-5
        self.is_cycle = motions.cycles
        self.strides = np.array([m.stride for m in motions.motions])
        self.velocities = np.array([m.velocity for m in motions.motions])
        self.ground_heights = np.array([m.ground_height for m in motions.motions])
        legs = [m.legs for m in motions.motions]
        self.stance_positions = np.array([[c.stance_position for c in cycles] for cycles in legs])
        self.foot_directions = np.array([[c.foot_direction for c in cycles] for cycles in legs])
        self.sole_heights = np.array([[c.ground_height for c in cycles] for cycles in legs])
        self.own_stances = np.array([[c.stance for c in cycles] for cycles in legs])
        self.stances = (self.own_stances + np.asarray(motions.offsets)[:, None]) % 1.0
        self.key_times = np.array(
            [[[c.lift, c.off, c.strike, c.land] for c in cycles] for cycles in legs]
        )
        self.stance_rotations = np.array(
            [self._find_stance_rotations(i) for i in range(len(motions.motions))]
        )
        self.least_reaches = np.array(
            [self._measure_least_reaches(i) for i in range(len(motions.motions))]
        )
        self.lift_curves = _stack_rows([_measure_lift_curves(m) for m in motions.motions])

    @cached_property
    def carried(self) -> np.ndarray:
        """Which bones of `skeleton` the body bone carries, itself included, shape (K,) of bool."""
        carried = np.zeros(len(self.skeleton), dtype=bool)
        carried[self.skeleton.find_descendants(self.body)] = True
        return carried

    @cached_property
    def small_rig(self) -> Rig:
        """The rig reduced to the bones of `skeleton`."""
        return replace(self.rig, skeleton=self.skeleton, legs=self.legs, body=self.body)

    @property
    def slowest(self) -> int:
        """Index of the slowest walk."""
        return self.set.slowest

    @property
    def slowest_period(self) -> float:
        """Cycle time of the slowest walk, seconds."""
        return self.set.motions[self.slowest].period

    @property
    def slowest_speed(self) -> float:
        """Native speed of the slowest walk, metres a second."""
        return self.set.motions[self.slowest].speed

    @cached_property
    def _leg_columns(self) -> tuple[np.ndarray, ...]:
        """Columns of each leg's solved bones in the small skeleton."""
        return tuple(np.array(leg.bones, dtype=np.intp) for leg in self.legs)

    @cached_property
    def _small_rotations(self) -> FloatArray:
        """Rotation rows of the small skeleton's bones, shape (4, K, R)."""
        return np.ascontiguousarray(self.rotations[:, self.indices])

    @cached_property
    def _leg_rotations(self) -> tuple[FloatArray, ...]:
        """Rotation rows of each leg's bones, shape (4, J, R)."""
        return tuple(np.ascontiguousarray(self._small_rotations[:, c]) for c in self._leg_columns)

    def _choose_reference(self) -> FloatArray:
        """Rotations (B, 4) to whose hemisphere all rows are aligned."""
        for motion in self.set.motions:
            if not motion.is_cycle:
                return motion.rotations[0]
        mean = self.set.motions[self.set.slowest].rotations.sum(axis=0)
        return rot.normalize_quaternions(mean)

    def _pose_rows(self, motion: int) -> tuple[FloatArray, FloatArray]:
        """Global rotations and positions of the small skeleton at all rows of a motion."""
        start = self.row_starts[motion]
        rows = slice(start, start + self.row_counts[motion])
        return compute_global_poses(
            self.skeleton,
            self._small_rotations[:, :, rows].transpose(2, 1, 0),
            self._scaled_translations[:, :, rows].transpose(2, 1, 0),
        )

    def _measure_least_reaches(self, motion: int) -> FloatArray:
        """Least distance from hip to ankle of each leg in a motion, metres, (L,)."""
        _, positions = self._pose_rows(motion)
        return np.array(
            [
                rot.lengths(positions[:, leg.ankle] - positions[:, leg.joints[0]]).min()
                for leg in self.legs
            ]
        )

    def _find_stance_rotations(self, motion: int) -> FloatArray:
        """Rotations of the ankle bones at their stance instants, character space, (L, 4)."""
        count = self.row_counts[motion]
        rotations, _ = self._pose_rows(motion)
        found = []
        for index, leg in enumerate(self.legs):
            place = self.own_stances[motion, index] * count
            row = int(place) % count
            ankle = rotations[:, leg.ankle]
            found.append(rot.nlerp(ankle[row], ankle[(row + 1) % count], place - int(place)))
        return np.array(found)

    def blend_constants(self, weights: FloatArray, values: FloatArray) -> FloatArray:
        """Weighted sums of per-motion ``values`` (M, ...) with ``weights`` (N, M)."""
        return np.tensordot(weights, values, axes=1)

    def _read(
        self, table: FloatArray, motion: int, phases: FloatArray, weights: FloatArray
    ) -> FloatArray:
        """Weighted interpolated rows of one motion, shape (C, J, N)."""
        start, count = self.row_starts[motion], self.row_counts[motion]
        if count == 1:
            return table[:, :, start, None] * weights
        place = (phases % 1.0) * count
        index = np.minimum(place.astype(np.intp), count - 1)
        share = place - index
        result = np.take(table, start + index, axis=2)
        result *= weights * (1.0 - share)
        after = np.take(table, start + (index + 1) % count, axis=2)
        after *= weights * share
        result += after
        return result

    def blend_table(self, table: FloatArray, weights: FloatArray, phases: FloatArray) -> FloatArray:
        """Weighted sums of rows at the common phase.

        Parameters
        ----------
        table
            Rows of all motions, shape (C, J, R).
        weights
            Shape (N, M).
        phases
            Common phase, shape (N,).

        Returns
        -------
        array, shape (C, J, N)
        """
        total = np.zeros((table.shape[0], table.shape[1], len(phases)))
        for motion in range(len(self.row_counts)):
            used = np.flatnonzero(weights[:, motion] > 0)
            if len(used) == 0:
                continue
            own = phases[used] - self.set.offsets[motion]
            part = self._read(table, motion, own, weights[used, motion])
            if len(used) == len(phases):
                total += part
            else:
                total[:, :, used] += part
        return total

    def blend_leg_table(
        self, leg: int, weights: FloatArray, leg_times: FloatArray, key_times: FloatArray
    ) -> FloatArray:
        """Rotations of one leg's bones at its own time, shape (4, J, N), not normalised.

        The leg's time runs from the blended key times to each motion's own by a piecewise linear map
        0, off, strike, 1 (plan study 4.1).
        """
        return self._blend_at_leg_times(
            self._leg_rotations[leg], leg, weights, leg_times, key_times
        )

    def read_lift_curve(
        self, leg: int, weights: FloatArray, leg_times: FloatArray, key_times: FloatArray
    ) -> FloatArray:
        """Height of the motions' own footbases over their ground at the leg's time, (N,), metres."""
        table = self.lift_curves[:, leg : leg + 1]
        return self._blend_at_leg_times(table, leg, weights, leg_times, key_times)[0, 0]

    def _blend_at_leg_times(
        self,
        table: FloatArray,
        leg: int,
        weights: FloatArray,
        leg_times: FloatArray,
        key_times: FloatArray,
    ) -> FloatArray:
        """Weighted sums of rows (C, J, R) at one leg's own time, shape (C, J, N)."""
        share = leg_times - np.floor(leg_times)
        total = np.zeros((table.shape[0], table.shape[1], len(leg_times)))
        for motion in range(len(self.row_counts)):
            used = np.flatnonzero(weights[:, motion] > 0)
            if len(used) == 0:
                continue
            own = self.own_stances[motion, leg] + self.warp_leg_times(
                motion, leg, share[used], key_times[used]
            )
            part = self._read(table, motion, own, weights[used, motion])
            if len(used) == len(share):
                total += part
            else:
                total[:, :, used] += part
        return total

    def warp_leg_times(
        self, motion: int, leg: int, share: FloatArray, key_times: FloatArray
    ) -> FloatArray:
        """Time of one motion's leg that belongs to blended leg time ``share`` in [0, 1), shape (N,)."""
        off, strike = key_times[:, OFF], key_times[:, STRIKE]
        own_off, own_strike = self.key_times[motion, leg, OFF], self.key_times[motion, leg, STRIKE]
        early = share / np.maximum(off, 1e-9) * own_off
        span = np.maximum(strike - off, 1e-9)
        swing = own_off + (share - off) / span * (own_strike - own_off)
        late = own_strike + (share - strike) / np.maximum(1.0 - strike, 1e-9) * (1.0 - own_strike)
        return np.where(share < off, early, np.where(share < strike, swing, late))

    def pose_legs(
        self,
        weights: FloatArray,
        phases: FloatArray,
        leg_times: FloatArray,
        key_times: FloatArray,
    ) -> LegPoses:
        """Poses of the bones that carry the legs.

        Parameters
        ----------
        weights
            Motion weights, sum 1, shape (N, M).
        phases
            Common phase, shape (N,).
        leg_times
            Time of each leg in steps, shape (N, L).
        key_times
            Blended lift, off, strike, land of each leg's present step, shape (N, L, 4).
        """
        small = self.blend_table(self._small_rotations, weights, phases)
        for leg, columns in enumerate(self._leg_columns):
            small[:, columns] = self.blend_leg_table(
                leg, weights, leg_times[:, leg], key_times[:, leg]
            )
        local = rot.normalize_quaternions(small.transpose(2, 1, 0))
        translations = self._blend_small_translations(weights, phases)
        rotations, positions = compute_global_poses(self.skeleton, local, translations)
        return LegPoses(rotations, positions, local)

    def _blend_small_translations(self, weights: FloatArray, phases: FloatArray) -> FloatArray:
        """Translations of the small skeleton's bones, shape (N, K, 3)."""
        moving = self.moving[self.indices]
        start = self.row_starts[self.slowest]
        result = np.repeat(self._scaled_translations[:, :, start, None], len(phases), axis=2)
        if np.any(moving):
            table = np.ascontiguousarray(self._scaled_translations[:, moving])
            result[:, moving] = self.blend_table(table, weights, phases)
        return result.transpose(2, 1, 0)

    @cached_property
    def _scaled_translations(self) -> FloatArray:
        """Translations of the small skeleton's bones with the scales of their ancestors applied."""
        result = self.translations[:, self.indices].copy()
        factors = self.scales[:, self.indices].mean(axis=0)
        for bone, parent in enumerate(self.skeleton.parents):
            if parent >= 0:
                result[:, bone] *= factors[parent]
                factors[bone] = factors[bone] * factors[parent]
        return result

    def pose_body(self, weights: FloatArray, phases: FloatArray) -> tuple[FloatArray, ...]:
        """Local poses of all bones at the common phase: rotations, translations, scales.

        Returns
        -------
        rotations, translations, scales
            Shapes (N, B, 4), (N, B, 3), (N, B, 3).
        """
        rotations = rot.normalize_quaternions(
            self.blend_table(self.rotations, weights, phases).transpose(2, 1, 0)
        )
        parts = []
        for table, varying in ((self.translations, self.moving), (self.scales, self.scaling)):
            start = self.row_starts[self.slowest]
            values = np.repeat(table[:, :, start, None], len(phases), axis=2)
            if np.any(varying):
                chosen = np.ascontiguousarray(table[:, varying])
                values[:, varying] = self.blend_table(chosen, weights, phases)
            parts.append(values.transpose(2, 1, 0))
        return rotations, parts[0], parts[1]

    def read_local_positions(self, poses: LegPoses) -> FloatArray:
        """Positions of the small skeleton's bones in their parents' axes, metres, (N, K, 3)."""
        columns = []
        for bone, parent in enumerate(self.skeleton.parents):
            place = poses.positions[:, bone]
            if parent >= 0:
                place = rot.rotate(
                    rot.conjugate(poses.rotations[:, parent]), place - poses.positions[:, parent]
                )
            columns.append(place)
        return np.stack(columns, axis=1)

    def find_rotated_bones(self, tolerance: float) -> np.ndarray:
        """Bones that any motion turns away from rest, and all bones of legs, (B,) of bool."""
        rest = self.rig.skeleton.rest_rotations
        cosine = np.abs(np.einsum("cbr,bc->br", self.rotations, rest)).min(axis=1)
        rotated = cosine < 1.0 - tolerance
        rotated[[bone for leg in self.rig.legs for bone in leg.bones]] = True
        return rotated

    def compute_leg_footbases(
        self, leg: int, poses: LegPoses, weights: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Footbases of a leg in character space.

        Returns
        -------
        footbases
            Metres, shape (N, 3).
        angles
            Direction heel to toe of the foot at stance, radians from +X, shape (N,).
        twists
            Turn of the foot about up against its stance, radians, shape (N,).
        """
        directions = self.blend_constants(weights, self.foot_directions[:, leg])
        angles = np.arctan2(directions[..., 1], directions[..., 0])
        stance = self.blend_constants(
            weights,
            rot.align_hemispheres(
                self.stance_rotations[:, leg], self.stance_rotations[self.slowest, leg]
            ),
        )
        turn = rot.multiply(
            poses.rotations[:, self.legs[leg].ankle],
            rot.conjugate(rot.normalize_quaternions(stance)),
        )
        twists = rot.wrap_angles(2.0 * np.arctan2(turn[..., 3], turn[..., 0]))
        points = compute_sole_points(self.legs[leg], poses.rotations, poses.positions)
        along = angles + twists
        footbases, _ = compute_footbases(
            points,
            rot.pack(np.cos(along), np.sin(along), np.zeros_like(along)),
            float(self.rig.foot_lengths[leg]),
            float(self.rig.ball_shares[leg]),
        )
        return footbases, angles, twists


def _stack_rows(tables: list[FloatArray]) -> FloatArray:
    """Join (S, B, C) tables to (C, B, R)."""
    return np.ascontiguousarray(np.concatenate(tables, axis=0).transpose(2, 1, 0))


def _measure_lift_curves(motion: Motion) -> FloatArray:
    """Heights of the footbases over their own ground, metres, shape (S, L, 1)."""
    heights = [np.maximum(c.footbases[:, 2] - c.ground_height, 0.0) for c in motion.legs]
    return np.stack(heights, axis=1)[..., None]


def _move_leg(leg: Leg, place: dict[int, int]) -> Leg:
    """The leg with its bone indices replaced."""

    def move(point: SolePoint) -> SolePoint:
        return replace(point, bone=place[point.bone])

    return replace(
        leg,
        joints=tuple(place[j] for j in leg.joints),
        toe=None if leg.toe is None else place[leg.toe],
        heel=move(leg.heel),
        ball=move(leg.ball),
        toe_tip=move(leg.toe_tip),
    )
