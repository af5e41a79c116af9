# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blended poses of a set of motions (numpy only).

Rotations are blended as weighted sums of aligned quaternions (plan study 4.1: three times faster than
successive slerps, and independent of their order). The bones of a leg are read at the leg's own time,
so that its key times coincide in all motions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.footpoints import compute_footbases, compute_sole_points, correct_twists
from ..rig.skeleton import compute_global_poses
from .packing import PackedMotions

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


class MotionTables(PackedMotions):
    """The motions of a set, ready to be blended at any phase; see `PackedMotions`."""

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
        return self._blend_at_leg_times(self.leg_rotations[leg], leg, weights, leg_times, key_times)

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

        Ankles are at the ends of their shins as the motions have them, also where the feet hang from
        another bone: that one is posed at the common phase, the shin at the leg's own time.

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
        small = self.blend_table(self.small_rotations, weights, phases)
        for leg, columns in enumerate(self.leg_columns):
            small[:, columns] = self.blend_leg_table(
                leg, weights, leg_times[:, leg], key_times[:, leg]
            )
        local = rot.normalize_quaternions(small.transpose(2, 1, 0))
        translations = self._blend_small_translations(weights, phases)
        rotations, positions = compute_global_poses(self.skeleton, local, translations)
        for leg, feet in enumerate(self.detached_bones):
            if feet:
                offsets = self._blend_at_leg_times(
                    self.ankle_offsets[leg], leg, weights, leg_times[:, leg], key_times[:, leg]
                )[:, 0].T
                shin, ankle = self.legs[leg].joints[-2:]
                ends = positions[:, shin] + rot.rotate(rotations[:, shin], offsets)
                positions[:, feet] += (ends - positions[:, ankle])[:, None]
        return LegPoses(rotations, positions, local)

    def _blend_small_translations(self, weights: FloatArray, phases: FloatArray) -> FloatArray:
        """Translations of the small skeleton's bones, shape (N, K, 3)."""
        moving = self.moving[self.indices]
        start = self.row_starts[self.slowest]
        result = np.repeat(self.scaled_translations[:, :, start, None], len(phases), axis=2)
        if np.any(moving):
            table = np.ascontiguousarray(self.scaled_translations[:, moving])
            result[:, moving] = self.blend_table(table, weights, phases)
        return result.transpose(2, 1, 0)

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
        twists = correct_twists(points, angles, twists, float(self.rig.foot_lengths[leg]))
        along = angles + twists
        footbases, _ = compute_footbases(
            points,
            rot.pack(np.cos(along), np.sin(along), np.zeros_like(along)),
            float(self.rig.foot_lengths[leg]),
            float(self.rig.ball_shares[leg]),
        )
        return footbases, angles, twists
