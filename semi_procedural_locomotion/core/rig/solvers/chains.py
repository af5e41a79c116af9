# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains of joints, and where their ends are (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...maths import rotations as rot
from ...maths.rotations import FloatArray

ANGLES, SLIDES = slice(0, 3), slice(3, 6)
_AXES = np.eye(3)


@dataclass(frozen=True)
class JointRanges:
    """What the coordinates of K joints may be.

    A joint has six: Euler angles about its own x, y and z against its rest pose, turned in this order,
    and shifts along its rest axes. Three free angles are a ball, one is a hinge, one free shift a
    sliding joint (docs/method/solvers.md, Joints).

    Attributes
    ----------
    free
        Whether a coordinate may change at all, shape (K, 6).
    lower, upper
        Radians and metres, shape (K, 6), or (N, K, 6) where each row has its own; infinite without a
        limit.
    """

    free: NDArray[np.bool_]
    lower: FloatArray
    upper: FloatArray

    @property
    def is_limited(self) -> bool:
        """Whether a joint is held by anything."""
        bounds = self.lower[..., ANGLES], self.upper[..., ANGLES]
        return not self.free[:, ANGLES].all() or any(np.isfinite(b).any() for b in bounds)

    def count_angles(self) -> int:
        """Count of angles with which a leg reaches: all of its hip, and one of each joint below it."""
        angles = self.free[:, ANGLES]
        return int(angles[0].sum() + angles[1:].any(axis=1).sum())

    def unlock(self) -> JointRanges:
        """The same bounds, with all angles free."""
        free = self.free.copy()
        free[:, ANGLES] = True
        return JointRanges(free, self.lower, self.upper)

    def clamp(self, coordinates: FloatArray) -> FloatArray:
        """Coordinates (N, K, 6) within the limits."""
        return np.clip(coordinates, self.lower, self.upper)

    def measure_excess(self, coordinates: FloatArray) -> FloatArray:
        """By how much the worst angle is out of its limits, radians, shape (N,)."""
        angles = coordinates[..., ANGLES]
        below = self.lower[..., ANGLES] - angles
        above = angles - self.upper[..., ANGLES]
        return np.asarray(np.maximum(np.maximum(below, above), 0.0).max(axis=(1, 2), initial=0.0))

    def select(self, rows: NDArray[np.intp]) -> JointRanges:
        """Those of some rows only."""
        if self.lower.ndim == 2:
            return self
        return JointRanges(self.free, self.lower[rows], self.upper[rows])

    def widen(self, coordinates: FloatArray) -> JointRanges:
        """Limits of each row that its coordinates (N, K, 6) keep, and no wider than that; locks stay."""
        lower = np.where(self.free, np.minimum(self.lower, coordinates), coordinates)
        upper = np.where(self.free, np.maximum(self.upper, coordinates), coordinates)
        return JointRanges(self.free, lower, upper)


def make_limits(count: int) -> JointRanges:
    """Balls without limits for a number of joints, which do not slide."""
    free = np.zeros((count, 6), dtype=bool)
    free[:, ANGLES] = True
    return JointRanges(free, np.full((count, 6), -np.inf), np.full((count, 6), np.inf))


class Chain(NamedTuple):
    """K bones one after the other, N times.

    Attributes
    ----------
    origins
        Head of the first bone before it slides, metres, shape (N, 3).
    parents
        World axes of what the first bone hangs from, shape (N, 4).
    rests
        Rest axes of each bone in those of the one before, shape (K, 4).
    offsets
        From the head of each bone to that of the next one, or to the chain's end, in its own axes,
        metres, shape (N, K, 3).
    """

    origins: FloatArray
    parents: FloatArray
    rests: FloatArray
    offsets: FloatArray

    @property
    def lengths(self) -> FloatArray:
        """Sums of the bones, metres, shape (N,)."""
        return np.asarray(rot.lengths(self.offsets).sum(axis=1))

    def select(self, rows: NDArray[np.intp]) -> Chain:
        """The chain of some rows only."""
        return Chain(self.origins[rows], self.parents[rows], self.rests, self.offsets[rows])


class ChainPose(NamedTuple):
    """A posed chain.

    Attributes
    ----------
    rotations
        World axes of the bones, shape (N, K, 4).
    positions
        Heads of the bones and the end, metres, shape (N, K + 1, 3).
    bases
        World axes in which each joint's coordinates count: its rest axes, shape (N, K, 4).
    """

    rotations: FloatArray
    positions: FloatArray
    bases: FloatArray


def pose_chain(chain: Chain, coordinates: FloatArray) -> ChainPose:
    """Where a chain is for coordinates (N, K, 6)."""
    turns = _quaternions_from_angles(coordinates[..., ANGLES])
    axes, place = chain.parents, chain.origins
    rotations, bases, positions = [], [], []
    for bone, rest in enumerate(chain.rests):
        base = rot.multiply(axes, rest)
        slide = coordinates[:, bone, SLIDES]
        if np.any(slide):
            place = place + rot.rotate(base, slide)
        axes = rot.multiply(base, turns[:, bone])
        positions.append(place)
        place = place + rot.rotate(axes, chain.offsets[:, bone])
        rotations.append(axes)
        bases.append(base)
    positions.append(place)
    return ChainPose(
        np.stack(rotations, axis=1), np.stack(positions, axis=1), np.stack(bases, axis=1)
    )


def find_axes(pose: ChainPose, coordinates: FloatArray) -> FloatArray:
    """World axes about and along which each coordinate moves, unit vectors, shape (N, K, 6, 3).

    The turn about x comes first, so its axis is carried by the turns about y and z.
    """
    angles = coordinates[..., ANGLES]
    third = rot.quaternions_from_axis_angles(_AXES[2], angles[..., 2])
    second = rot.multiply(third, rot.quaternions_from_axis_angles(_AXES[1], angles[..., 1]))
    slides = [rot.rotate(pose.bases, axis) for axis in _AXES]
    about = [
        rot.rotate(pose.bases, rot.rotate(second, _AXES[0])),
        rot.rotate(pose.bases, rot.rotate(third, _AXES[1])),
        slides[2],
    ]
    return np.stack([*about, *slides], axis=2)


def find_jacobian(pose: ChainPose, coordinates: FloatArray, axes: FloatArray) -> FloatArray:
    """Change of the end by each coordinate, shape (N, 3, 6 K).

    A turn moves it by axis x (end - joint), with the joint's place in the world, a shift along its axis.
    """
    count = len(coordinates)
    arms = pose.positions[:, -1:] - pose.positions[:, :-1]
    turned = rot.cross(axes[:, :, ANGLES], arms[:, :, None])
    columns = np.concatenate([turned, axes[:, :, SLIDES]], axis=2)
    return np.asarray(np.moveaxis(columns.reshape(count, -1, 3), 1, 2))


def read_chain(
    points: FloatArray, rotations: FloatArray, parents: FloatArray, rests: FloatArray
) -> tuple[Chain, FloatArray]:
    """A chain and its coordinates from a pose.

    Parameters
    ----------
    points
        Heads of the bones and the end, world, metres, shape (N, K + 1, 3).
    rotations
        World axes of the bones, shape (N, K, 4).
    parents
        World axes of what the first bone hangs from, shape (N, 4).
    rests
        Rest axes of each bone in those of the one before, shape (K, 4).

    Returns
    -------
    chain
        Its bones are as long as in the pose.
    coordinates
        Shape (N, K, 6), shifts 0.
    """
    offsets = rot.rotate(rot.conjugate(rotations), np.diff(points, axis=1))
    chain = Chain(points[:, 0], parents, rests, offsets)
    return chain, read_coordinates(rotations, parents, rests)


def read_coordinates(rotations: FloatArray, parents: FloatArray, rests: FloatArray) -> FloatArray:
    """Coordinates (N, K, 6) of bones with world axes (N, K, 4), shifts 0."""
    count = rotations.shape[1]
    found = np.zeros((len(rotations), count, 6))
    axes = parents
    for bone in range(count):
        base = rot.multiply(axes, rests[bone])
        turn = rot.multiply(rot.conjugate(base), rotations[:, bone])
        found[:, bone, ANGLES] = _angles_from_quaternions(turn)
        axes = rotations[:, bone]
    return found


def _quaternions_from_angles(angles: FloatArray) -> FloatArray:
    """Unit quaternions of angles about x, y, z (..., 3), turned in this order."""
    half = 0.5 * angles
    (cx, cy, cz), (sx, sy, sz) = (np.moveaxis(f(half), -1, 0) for f in (np.cos, np.sin))
    return rot.pack(
        cx * cy * cz + sx * sy * sz,
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
    )


def _angles_from_quaternions(q: FloatArray) -> FloatArray:
    """Angles about x, y, z of unit quaternions, the middle one within a quarter turn."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack(
        [
            np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
            np.arcsin(np.clip(2.0 * (w * y - x * z), -1.0, 1.0)),
            np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)),
        ],
        axis=-1,
    )
