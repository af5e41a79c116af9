# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The motions of a set, packed for fast reading (numpy only)."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.skeleton import compute_global_poses
from ..rig.structure import Leg, Rig, SolePoint
from .records import Motion, MotionSet, find_slowest_walk

# A translation that varies less than this share of the leg length counts as constant.
_STILL = 1e-5


class PackedMotions:
    """Rows of all motions side by side, and what is constant in each of them.

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
        self.hip_centres = np.array(
            [self._measure_hip_centre(i) for i in range(len(motions.motions))]
        )
        self.least_reaches = np.array(
            [self._measure_least_reaches(i) for i in range(len(motions.motions))]
        )
        self.lift_curves = _stack_rows([_measure_lift_curves(m) for m in motions.motions])

    @cached_property
    def carried(self) -> np.ndarray:
        """Which bones of `skeleton` the body bone carries, itself included, shape (K,) of bool.

        Feet that hang from no shin go with the legs that they belong to.
        """
        carried = np.zeros(len(self.skeleton), dtype=bool)
        carried[self.skeleton.find_descendants(self.body)] = True
        for leg, feet in zip(self.legs, self.detached_bones, strict=True):
            carried[feet] = carried[leg.joints[0]]
        return carried

    @cached_property
    def detached_bones(self) -> tuple[list[int], ...]:
        """Bones of `skeleton` from the ankle down of each leg whose foot hangs from no shin."""
        return tuple(
            self.skeleton.find_descendants(leg.ankle) if leg.detached else [] for leg in self.legs
        )

    @cached_property
    def ankle_offsets(self) -> tuple[FloatArray, ...]:
        """Ankle of each leg in its shin's axes at all rows, metres, shape (3, 1, R).

        Only detached legs need it; the skeleton carries the ankles of all others.
        """
        poses = [self._pose_rows(motion) for motion in range(len(self.row_counts))]
        rotations, positions = (np.concatenate(parts) for parts in zip(*poses, strict=True))
        found = []
        for leg in self.legs:
            shin = leg.joints[-2]
            span = positions[:, leg.ankle] - positions[:, shin]
            found.append(rot.rotate(rot.conjugate(rotations[:, shin]), span).T[:, None])
        return tuple(found)

    @cached_property
    def small_rig(self) -> Rig:
        """The rig reduced to the bones of `skeleton`."""
        return replace(self.rig, skeleton=self.skeleton, legs=self.legs, body=self.body)

    @cached_property
    def slowest(self) -> int:
        """Index of the slowest walk that goes straight ahead; of all walks where none does.

        It sets the scale of time and speed, which a side step or a turn does not.
        """
        return find_slowest_walk(self.set.motions, self.rig.forward)

    @property
    def slowest_period(self) -> float:
        """Cycle time of the slowest walk, seconds."""
        return self.set.motions[self.slowest].period

    @property
    def slowest_speed(self) -> float:
        """Native speed of the slowest walk, metres a second."""
        return self.set.motions[self.slowest].speed

    @cached_property
    def leg_columns(self) -> tuple[np.ndarray, ...]:
        """Columns of each leg's solved bones in the small skeleton."""
        return tuple(np.array(leg.bones, dtype=np.intp) for leg in self.legs)

    @cached_property
    def small_rotations(self) -> FloatArray:
        """Rotation rows of the small skeleton's bones, shape (4, K, R)."""
        return np.ascontiguousarray(self.rotations[:, self.indices])

    @cached_property
    def leg_rotations(self) -> tuple[FloatArray, ...]:
        """Rotation rows of each leg's bones, shape (4, J, R)."""
        return tuple(np.ascontiguousarray(self.small_rotations[:, c]) for c in self.leg_columns)

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
            self.small_rotations[:, :, rows].transpose(2, 1, 0),
            self.scaled_translations[:, :, rows].transpose(2, 1, 0),
        )

    def _measure_hip_centre(self, motion: int) -> FloatArray:
        """Mean place of all hip joints over a motion, character space, metres, (3,)."""
        _, positions = self._pose_rows(motion)
        hips = [leg.joints[0] for leg in self.legs]
        return np.asarray(positions[:, hips].mean(axis=(0, 1)))

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

    @cached_property
    def scaled_translations(self) -> FloatArray:
        """Translations of the small skeleton's bones with the scales of their ancestors applied."""
        result = self.translations[:, self.indices].copy()
        factors = self.scales[:, self.indices].mean(axis=0)
        for bone, parent in enumerate(self.skeleton.parents):
            if parent >= 0:
                result[:, bone] *= factors[parent]
                factors[bone] = factors[bone] * factors[parent]
        return result

    def find_rotated_bones(self, tolerance: float) -> np.ndarray:
        """Bones that any motion turns away from rest, and all bones of legs, (B,) of bool."""
        rest = self.rig.skeleton.rest_rotations
        cosine = np.abs(np.einsum("cbr,bc->br", self.rotations, rest)).min(axis=1)
        rotated = cosine < 1.0 - tolerance
        rotated[[bone for leg in self.rig.legs for bone in leg.bones]] = True
        return rotated


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
