# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The motions of a set side by side, as arrays that are fast to read (numpy only).

Letters in shapes: M motions, L legs, B bones of the rig, K bones of the small rig that carry the legs,
J bones of one leg, R rows of all motions one after the other. Tables of rows keep their components
first. Character space has its origin at the character's own, metres, up along +Z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from ..rig.structure import Rig
from .records import MotionSet
from .rims import FootRims

LIFT, OFF, STRIKE, LAND = range(4)
"""Columns of key times."""


@dataclass(frozen=True)
class CycleTable:
    """What each motion does as a whole.

    Attributes
    ----------
    is_cycle
        Whether the motion walks, shape (M,) of bool; the others are rest motions.
    periods
        Duration of a cycle, seconds, shape (M,); 0 for a rest motion.
    strides
        Way in a cycle at native speed, metres, shape (M,); 0 for a rest motion.
    velocities
        Native velocity in character space, metres a second, shape (M, 2).
    ground_heights
        Height of the ground under the motion, character space, metres, shape (M,).
    skin_shares
        How far skin of feet goes with shins as the motion bends them, 0 or 1, shape (M,).
    hip_centres
        Mean place of all hip joints over the motion, character space, metres, shape (M, 3).
    slowest
        Index of the slowest walk that goes straight ahead; of all walks where none does, 0 where none
        walks. It sets the scale of time and speed, which a side step or a turn does not.
    """

    is_cycle: np.ndarray
    periods: FloatArray
    strides: FloatArray
    velocities: FloatArray
    ground_heights: FloatArray
    skin_shares: FloatArray
    hip_centres: FloatArray
    slowest: int

    @property
    def slowest_period(self) -> float:
        """Cycle time of the slowest walk, seconds."""
        return float(self.periods[self.slowest])

    @property
    def slowest_speed(self) -> float:
        """Native speed of the slowest walk, metres a second."""
        along, across = self.velocities[self.slowest]
        return float(np.hypot(along, across))


@dataclass(frozen=True)
class LegCycleTable:
    """What each leg does in each motion.

    Attributes
    ----------
    own_stances
        Phase of the motion at which the foot stands, [0, 1), shape (M, L).
    stances
        The same on the common phase, [0, 1), shape (M, L).
    key_times
        Lift, off, strike and land as shares of the cycle after the stance, shape (M, L, 4).
    stance_positions
        Footbase at stance, character space, metres, shape (M, L, 3).
    foot_directions
        Horizontal unit vector from heel to toe at stance, character space, shape (M, L, 3).
    stance_rotations
        Rotation of the ankle bone at stance, character space, quaternions w x y z, shape (M, L, 4).
    sole_heights
        Height of the leg's lowest sole point in contact, character space, metres, shape (M, L).
    least_reaches
        Least distance from hip to ankle, metres, shape (M, L).
    """

    own_stances: FloatArray
    stances: FloatArray
    key_times: FloatArray
    stance_positions: FloatArray
    foot_directions: FloatArray
    stance_rotations: FloatArray
    sole_heights: FloatArray
    least_reaches: FloatArray


@dataclass(frozen=True)
class RowSpans:
    """Where the rows of each motion lie among all rows, and when they are played.

    Attributes
    ----------
    starts
        First row of each motion, shape (M,) of int.
    counts
        Number of its rows, 1 or more, at equal spaces of its phase, shape (M,) of int.
    offsets
        Phase by which its clock is behind the common phase, shape (M,).
    """

    starts: np.ndarray
    counts: np.ndarray
    offsets: FloatArray


@dataclass(frozen=True)
class BodyRows:
    """Poses of all bones in all rows, relative to their parents.

    Attributes
    ----------
    rotations
        Quaternions w x y z, in one hemisphere for each bone, shape (4, B, R).
    translations
        Metres in the parent's axes, shape (3, B, R).
    scales
        Factors, shape (3, B, R).
    moving
        Whether the translation of a bone differs between the rows, shape (B,) of bool.
    scaling
        Whether its scale does, shape (B,) of bool.
    """

    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray
    moving: np.ndarray
    scaling: np.ndarray


@dataclass(frozen=True)
class LegRows:
    """Poses of the bones that carry the legs in all rows, relative to their parents.

    Attributes
    ----------
    rotations
        Quaternions w x y z of the small rig's bones, shape (4, K, R).
    translations
        Translations of the small rig's bones with the scales of their ancestors applied, metres in the
        parent's axes, shape (3, K, R).
    scales
        Factors, shape (3, K, R). Feet below legs that stretch keep their size.
    moving
        Whether the translation of a bone differs between the rows, shape (K,) of bool.
    scaling
        Whether its scale does, shape (K,) of bool.
    leg_rotations
        Quaternions of each leg's own bones, L arrays of shape (4, J, R).
    ankle_offsets
        Ankle in its shin's axes, metres, L arrays of shape (3, 1, R). Only detached legs need it: the
        skeleton carries the ankles of all others.
    lift_curves
        Height of each footbase over its own ground, 0 or more, metres, shape (1, L, R).
    most_bends
        How far the walks bend each inner joint of a leg, radians, L arrays of shape (J - 1,) for legs of
        J bones from hip to shin.
    longest
        Length of each leg to which the walks themselves stretch it, metres, shape (L,). Beyond its own
        length only where its foot hangs from no shin and is held off that.
    """

    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray
    moving: np.ndarray
    scaling: np.ndarray
    leg_rotations: tuple[FloatArray, ...]
    ankle_offsets: tuple[FloatArray, ...]
    lift_curves: FloatArray
    most_bends: tuple[FloatArray, ...]
    longest: FloatArray


@dataclass(frozen=True)
class LegBones:
    """The bones that carry the legs: those of the small rig.

    Attributes
    ----------
    indices
        The same bones in the rig, shape (K,) of int.
    columns
        Each leg's solved bones in the small rig, L arrays of shape (J,) of int.
    detached
        Bones of the small rig from the ankle down of each leg whose foot hangs from no shin; none for
        other legs.
    carried
        Whether the body bone carries a bone of the small rig, itself included, shape (K,) of bool.
        Feet that hang from no shin go with the legs that they belong to.
    """

    indices: np.ndarray
    columns: tuple[np.ndarray, ...]
    detached: tuple[tuple[int, ...], ...]
    carried: np.ndarray


@dataclass(frozen=True)
class MotionTables:
    """A character and its motions, ready to be blended at any phase.

    Attributes
    ----------
    rig
        The character with all its bones.
    small_rig
        The same reduced to the K bones that carry the legs.
    bones
        How the two belong together.
    motion_set
        The motions with their phase offsets and groups.
    cycles
        Numbers of each motion.
    leg_cycles
        Numbers of each leg in each motion.
    spans
        Which rows are whose.
    body_rows
        Poses of all bones.
    leg_rows
        Poses of the bones that carry the legs.
    rims
        Outermost places of each foot and its leg while it stands, see `measure_rims`.
    ripples
        Horizontal shift of the body where feet are planted, character space, metres, shape (2, 1, R).
    """

    rig: Rig
    small_rig: Rig
    bones: LegBones
    motion_set: MotionSet
    cycles: CycleTable
    leg_cycles: LegCycleTable
    spans: RowSpans
    body_rows: BodyRows
    leg_rows: LegRows
    rims: tuple[FootRims, ...]
    ripples: FloatArray
