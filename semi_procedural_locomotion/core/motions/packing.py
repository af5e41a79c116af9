# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A set of motions becomes tables that are fast to read (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.hulls import carry_hull
from ..rig.ik_chain import measure_bends
from ..rig.reach import measure_segments
from ..rig.skeleton import Skeleton, compute_global_poses
from ..rig.structure import Leg, Rig, SolePoint
from .records import Motion, MotionSet, find_slowest_walk
from .rims import measure_rims
from .tables import (
    BodyRows,
    CycleTable,
    LegBones,
    LegCycleTable,
    LegRows,
    MotionTables,
    RowSpans,
)

# A translation that varies less than this share of the leg length counts as constant, and a scale
# that varies less than this.
_STILL = 1e-5
_UNSCALED = 1e-5


def pack_motions(rig: Rig, motions: MotionSet) -> MotionTables:
    """Rows of all motions side by side, and what is constant in each of them.

    Parameters
    ----------
    rig
        The character.
    motions
        Its motions with their phase offsets.
    """
    small_rig, indices = _select_leg_bones(rig)
    bones = _list_leg_bones(small_rig, indices)
    spans = _lay_out_rows(motions)
    body_rows = _keep_foot_sizes(rig, _stack_body_rows(rig, motions))
    scales = np.ascontiguousarray(body_rows.scales[:, indices])
    rotations, translations = _apply_scales(
        np.ascontiguousarray(body_rows.rotations[:, indices]),
        body_rows.translations[:, indices],
        scales,
        small_rig.skeleton,
    )
    posed = _PosedRows.compute(small_rig.skeleton, spans, rotations, translations)
    kinds = [motion.kind for motion in motions.motions]
    leg_rows = LegRows(
        rotations=rotations,
        translations=translations,
        scales=scales,
        moving=np.ptp(translations, axis=2).max(axis=0) > _STILL * rig.leg_length,
        scaling=body_rows.scaling[indices],
        leg_rotations=tuple(np.ascontiguousarray(rotations[:, c]) for c in bones.columns),
        ankle_offsets=tuple(posed.measure_ankle_offsets(leg) for leg in small_rig.legs),
        lift_curves=_stack_rows([_measure_lift_curves(m) for m in motions.motions]),
        most_bends=posed.measure_most_bends(small_rig.legs, kinds),
        longest=posed.measure_longest(small_rig.legs, kinds),
    )
    return MotionTables(
        rig=rig,
        small_rig=small_rig,
        bones=bones,
        motion_set=motions,
        cycles=_tabulate_cycles(rig, motions, posed.measure_hip_centres(small_rig.legs)),
        leg_cycles=_tabulate_leg_cycles(motions, posed, small_rig.legs),
        spans=spans,
        body_rows=body_rows,
        leg_rows=leg_rows,
        rims=measure_rims(small_rig, motions.motions, posed.rotations, posed.positions),
        ripples=_stack_rows([motion.ripple[:, None] for motion in motions.motions]),
    )


def _select_leg_bones(rig: Rig) -> tuple[Rig, np.ndarray]:
    """The rig reduced to the bones that carry the legs, and their indices in the rig, (K,)."""
    bones = [bone for leg in rig.legs for bone in leg.bones]
    soles = [point.bone for leg in rig.legs for point in leg.soles]
    skeleton, indices = rig.skeleton.select([*bones, *soles, rig.body])
    place = {int(old): new for new, old in enumerate(indices)}
    legs = tuple(_move_leg(leg, rig.skeleton, place) for leg in rig.legs)
    return replace(rig, skeleton=skeleton, legs=legs, body=place[rig.body]), indices


def _move_leg(leg: Leg, skeleton: Skeleton, place: dict[int, int]) -> Leg:
    """The leg with its bone indices replaced; its hull rides on what is left of the bones."""

    def move(point: SolePoint) -> SolePoint:
        return replace(point, bone=place[point.bone])

    return replace(
        leg,
        joints=tuple(place[j] for j in leg.joints),
        toe=None if leg.toe is None else place[leg.toe],
        heel=move(leg.heel),
        ball=move(leg.ball),
        toe_tip=move(leg.toe_tip),
        hull=None if leg.hull is None else carry_hull(leg.hull, skeleton, place),
    )


def _list_leg_bones(small_rig: Rig, indices: np.ndarray) -> LegBones:
    """What belongs to what among the bones of the small rig."""
    skeleton = small_rig.skeleton
    detached = tuple(
        tuple(skeleton.find_descendants(leg.ankle)) if leg.detached else ()
        for leg in small_rig.legs
    )
    carried = np.zeros(len(skeleton), dtype=bool)
    carried[skeleton.find_descendants(small_rig.body)] = True
    for leg, feet in zip(small_rig.legs, detached, strict=True):
        carried[list(feet)] = carried[leg.joints[0]]
    columns = tuple(np.array(leg.bones, dtype=np.intp) for leg in small_rig.legs)
    return LegBones(indices, columns, detached, carried)


def _lay_out_rows(motions: MotionSet) -> RowSpans:
    """Which rows belong to which motion."""
    counts = [len(m.rotations) for m in motions.motions]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.intp)
    return RowSpans(starts, np.array(counts, dtype=np.intp), np.asarray(motions.offsets))


def _stack_body_rows(rig: Rig, motions: MotionSet) -> BodyRows:
    """Poses of all bones, and which of them vary at all; led ones do against their own parents."""
    reference = _choose_reference(motions)
    rotations = [rot.align_hemispheres(m.rotations, reference) for m in motions.motions]
    translations = _stack_rows([m.translations for m in motions.motions])
    scales = _stack_rows([m.scales for m in motions.motions])
    return BodyRows(
        rotations=_stack_rows(rotations),
        translations=translations,
        scales=scales,
        moving=(np.ptp(translations, axis=2).max(axis=0) > _STILL * rig.leg_length)
        | rig.skeleton.is_led,
        scaling=np.ptp(scales, axis=2).max(axis=0) > _UNSCALED,
    )


def _choose_reference(motions: MotionSet) -> FloatArray:
    """Rotations (B, 4) to whose hemisphere all rows are aligned."""
    for motion in motions.motions:
        if not motion.is_cycle:
            return motion.rotations[0]
    mean = motions.motions[motions.slowest].rotations.sum(axis=0)
    return rot.normalize_quaternions(mean)


def _keep_foot_sizes(rig: Rig, rows: BodyRows) -> BodyRows:
    """Rows whose feet do not grow with legs that stretch.

    A leg that an IK constraint stretches hands its size down to its foot, whose sole would slide and
    sink with it. The leg's own length stays as it is in each row.
    """
    scales, scaling = rows.scales.copy(), rows.scaling.copy()
    for leg in rig.legs:
        above = rig.skeleton.find_ancestors(leg.ankle)[1:]
        if leg.detached or not np.any(rows.scaling[above]):
            continue
        scales[:, leg.ankle] = 1.0 / np.prod(scales[:, above].mean(axis=0), axis=0)
        scaling[leg.ankle] = True
    return replace(rows, scales=scales, scaling=scaling)


def _apply_scales(
    rotations: FloatArray, translations: FloatArray, scales: FloatArray, skeleton: Skeleton
) -> tuple[FloatArray, FloatArray]:
    """Rotations (4, K, R) and translations (3, K, R) against parents whose axes are freed of scale.

    Bones that are stretched along one axis alone shear what hangs on them at an angle; then the
    poses are built in full, row by row.
    """
    if np.ptp(scales, axis=0).max(initial=0.0) <= _UNSCALED:
        result, sizes = translations.copy(), scales.mean(axis=0)
        for bone, parent in enumerate(skeleton.parents):
            if parent >= 0:
                result[:, bone] *= sizes[parent]
                sizes[bone] = sizes[bone] * sizes[parent]
        return rotations, result
    rows = (table.transpose(2, 1, 0) for table in (rotations, translations, scales))
    turns, places = compute_global_poses(skeleton, *rows)
    local_turns, local_places = turns.copy(), places.copy()
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            down = rot.conjugate(turns[:, parent])
            local_turns[:, bone] = rot.multiply(down, turns[:, bone])
            local_places[:, bone] = rot.rotate(down, places[:, bone] - places[:, parent])
    same = np.sum(local_turns.transpose(2, 1, 0) * rotations, axis=0)
    freed = local_turns.transpose(2, 1, 0) * np.where(same < 0, -1.0, 1.0)
    return np.ascontiguousarray(freed), np.ascontiguousarray(local_places.transpose(2, 1, 0))


def _tabulate_cycles(rig: Rig, motions: MotionSet, hip_centres: FloatArray) -> CycleTable:
    """Numbers of each motion."""
    walks = bool(np.any(motions.cycles))
    return CycleTable(
        is_cycle=motions.cycles,
        periods=np.array([m.period for m in motions.motions]),
        strides=np.array([m.stride for m in motions.motions]),
        velocities=np.array([m.velocity for m in motions.motions]),
        ground_heights=np.array([m.ground_height for m in motions.motions]),
        skin_shares=np.array([float(m.bends_skin) for m in motions.motions]),
        hip_centres=hip_centres,
        slowest=find_slowest_walk(motions.motions, rig.forward) if walks else 0,
    )


def _tabulate_leg_cycles(
    motions: MotionSet, posed: _PosedRows, legs: Sequence[Leg]
) -> LegCycleTable:
    """Numbers of each leg in each motion."""
    cycles = [m.legs for m in motions.motions]
    own_stances = np.array([[c.stance for c in row] for row in cycles])
    return LegCycleTable(
        own_stances=own_stances,
        stances=(own_stances + np.asarray(motions.offsets)[:, None]) % 1.0,
        key_times=np.array([[[c.lift, c.off, c.strike, c.land] for c in row] for row in cycles]),
        stance_positions=np.array([[c.stance_position for c in row] for row in cycles]),
        foot_directions=np.array([[c.foot_direction for c in row] for row in cycles]),
        stance_rotations=posed.find_stance_rotations(legs, own_stances),
        sole_heights=np.array([[c.ground_height for c in row] for row in cycles]),
        least_reaches=posed.measure_least_reaches(legs),
    )


@dataclass(frozen=True)
class _PosedRows:
    """Poses of the small rig's bones in character space at the rows of each motion.

    Attributes
    ----------
    rotations
        Quaternions, M arrays of shape (S, K, 4).
    positions
        Metres, M arrays of shape (S, K, 3).
    """

    rotations: list[FloatArray]
    positions: list[FloatArray]

    @classmethod
    def compute(
        cls, skeleton: Skeleton, spans: RowSpans, rotations: FloatArray, translations: FloatArray
    ) -> _PosedRows:
        """From rows (4, K, R) and (3, K, R) relative to the parents."""
        found = []
        for start, count in zip(spans.starts, spans.counts, strict=True):
            rows = slice(start, start + count)
            parts = (table[:, :, rows].transpose(2, 1, 0) for table in (rotations, translations))
            found.append(compute_global_poses(skeleton, *parts))
        return cls([pose[0] for pose in found], [pose[1] for pose in found])

    def measure_ankle_offsets(self, leg: Leg) -> FloatArray:
        """Ankle in its shin's axes at all rows, metres, shape (3, 1, R)."""
        shin = leg.joints[-2]
        rotations = np.concatenate([part[:, shin] for part in self.rotations])
        spans = np.concatenate([part[:, leg.ankle] - part[:, shin] for part in self.positions])
        return rot.rotate(rot.conjugate(rotations), spans).T[:, None]

    def measure_hip_centres(self, legs: Sequence[Leg]) -> FloatArray:
        """Mean place of all hip joints over each motion, metres, shape (M, 3)."""
        hips = [leg.joints[0] for leg in legs]
        return np.array([part[:, hips].mean(axis=(0, 1)) for part in self.positions])

    def measure_least_reaches(self, legs: Sequence[Leg]) -> FloatArray:
        """Least distance from hip to ankle of each leg in each motion, metres, shape (M, L)."""
        return np.array(
            [
                [rot.lengths(part[:, leg.ankle] - part[:, leg.joints[0]]).min() for leg in legs]
                for part in self.positions
            ]
        )

    def measure_longest(self, legs: Sequence[Leg], kinds: Sequence[str]) -> FloatArray:
        """Length of each leg, of detached ones the most that they have in cycles, metres, shape (L,)."""
        walks = [part for part, kind in zip(self.positions, kinds, strict=True) if kind == "cycle"]
        lengths = []
        for leg in legs:
            shown = walks if leg.detached else []
            sums = [float(measure_segments(part[:, leg.joints]).max()) for part in shown]
            lengths.append(max([leg.length, *sums]))
        return np.array(lengths)

    def measure_most_bends(
        self, legs: Sequence[Leg], kinds: Sequence[str]
    ) -> tuple[FloatArray, ...]:
        """How far cycles bend each inner joint of a leg, radians, L arrays of shape (J - 1,)."""
        walks = [part for part, kind in zip(self.positions, kinds, strict=True) if kind == "cycle"]
        poses = np.concatenate(walks or self.positions)
        return tuple(measure_bends(poses[:, leg.joints]).max(axis=0) for leg in legs)

    def find_stance_rotations(self, legs: Sequence[Leg], own_stances: FloatArray) -> FloatArray:
        """Rotations of the ankle bones at their stance instants, shape (M, L, 4)."""
        found = []
        for part, stances in zip(self.rotations, own_stances, strict=True):
            count = len(part)
            row = []
            for leg, stance in zip(legs, stances, strict=True):
                place = stance * count
                index, ankle = int(place) % count, part[:, leg.ankle]
                share = place - int(place)
                row.append(rot.nlerp(ankle[index], ankle[(index + 1) % count], share))
            found.append(row)
        return np.array(found)


def _stack_rows(tables: list[FloatArray]) -> FloatArray:
    """Join (S, B, C) tables to (C, B, R)."""
    return np.ascontiguousarray(np.concatenate(tables, axis=0).transpose(2, 1, 0))


def _measure_lift_curves(motion: Motion) -> FloatArray:
    """Heights of the footbases over their own ground, metres, shape (S, L, 1)."""
    heights = [np.maximum(c.footbases[:, 2] - c.ground_height, 0.0) for c in motion.legs]
    return np.stack(heights, axis=1)[..., None]
