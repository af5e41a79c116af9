# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact hulls: the few points of a foot that can touch the ground first (numpy only).

Three points tell where a foot bears. What strikes a riser or hangs over an edge is its outline: the
sole with its width, the toe cap, the heel. A hull holds those points as the mesh has them, each on
the bones that move it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import PLAIN_HULLS
from .skeleton import Skeleton
from .skinning import blend_dual_quaternions, turns_from_axes

MOST_POINTS = 48
"""Points of a hull, at most."""

PARTS = ("sole", "toe", "heel", "side")
"""What a point of a hull is, by its number: of the sole's lowest layer, or above it of the toe cap, the
heel or the sides."""

SOLE, TOE, HEEL, SIDE = range(4)
_MOST_BONES = 4
_TINY = 1e-12
_UPRIGHT = 0.1


@dataclass(frozen=True)
class FootHull:
    """Points of a foot that may touch first, P of them, each on up to W bones.

    Attributes
    ----------
    bones
        Bones that each point rides on, shape (P, W), W at most 4; unused places hold any bone.
    weights
        Their shares, sum 1, unused places 0, shape (P, W).
    offsets
        The point in each bone's axes from its head, metres, shape (P, W, 3).
    places
        The points of the flat foot in the frame of its sole: from the heel end towards the toe, to the
        left, and above the sole, metres, shape (P, 3).
    parts
        What each point is, a number of `PARTS`, shape (P,).
    frame
        Axes of the sole of the flat foot (x to the toe, y to the left, z up) in the axes of the ankle's
        bone, shape (4,).
    keeps_volume
        Which points are blended by dual quaternions, those of meshes with *Preserve Volume*, shape
        (P,) of bool; None for none.
    binds
        Rotations of the bones when the points were bound to them, in any one space for each point,
        shape (P, W, 4); None where no point keeps its volume.
    """

    bones: np.ndarray
    weights: FloatArray
    offsets: FloatArray
    places: FloatArray
    parts: np.ndarray
    frame: FloatArray
    keeps_volume: np.ndarray | None = None
    binds: FloatArray | None = None

    def __post_init__(self) -> None:
        points, bones = np.shape(self.bones) if np.ndim(self.bones) == 2 else (0, 0)
        if not 1 <= points <= MOST_POINTS or not 1 <= bones <= _MOST_BONES:
            raise ValueError(
                f"a hull has 1 to {MOST_POINTS} points on 1 to {_MOST_BONES} bones, got bones of shape "
                f"{np.shape(self.bones)}"
            )
        for name, shape in (
            ("weights", (points, bones)),
            ("offsets", (points, bones, 3)),
            ("places", (points, 3)),
            ("parts", (points,)),
            ("frame", (4,)),
        ):
            if np.shape(getattr(self, name)) != shape:
                raise ValueError(
                    f"{name} must have shape {shape}, got {np.shape(getattr(self, name))}"
                )
        if (self.keeps_volume is None) != (self.binds is None):
            raise ValueError("points that keep their volume need the rotations of their bones")
        if self.keeps_volume is not None and np.shape(self.keeps_volume) != (points,):
            raise ValueError(f"keeps_volume must have shape {(points,)}")
        if self.binds is not None and np.shape(self.binds) != (points, bones, 4):
            raise ValueError(f"binds must have shape {(points, bones, 4)}")

    def __len__(self) -> int:
        return len(self.bones)

    @property
    def outline(self) -> FloatArray:
        """Places of the sole's points, from its heel end along and to the left, metres, shape (Q, 2).

        All points of a foot that has none in its lowest layer.
        """
        low = self.parts == SOLE
        return self.places[low if np.any(low) else slice(None), :2]

    @cached_property
    def bearings(self) -> FloatArray:
        """Places of all points on the ground over which the foot has rolled, metres, shape (P, 2).

        Seen from the footbase as `places` is: a rounded heel that rolls onto the flat sole goes the way
        of its outline, which is longer than what it covers of the flat foot.
        """
        bearings = self.places[:, :2].copy()
        middle = self.outline.mean(axis=0)
        order = np.argsort(self.places[:, 2], kind="stable")
        done = [int(point) for point in order if self.parts[point] == SOLE] or [int(order[0])]
        for point in order:
            if point in done:
                continue
            apart = self.places[point] - self.places[done]
            nearest = int(np.argmin(np.linalg.norm(apart, axis=1)))
            way = apart[nearest, :2]
            if np.hypot(*way) <= _UPRIGHT * np.linalg.norm(apart[nearest]):
                way = self.places[point, :2] - middle
            size = max(float(np.hypot(*way)), _TINY)
            far = np.linalg.norm(apart[nearest])
            bearings[point] = bearings[done[nearest]] + far * way / size
            done.append(int(point))
        return bearings

    @cached_property
    def blended(self) -> np.ndarray:
        """Indices of the points on several bones that are blended by dual quaternions."""
        if self.keeps_volume is None:
            return np.zeros(0, dtype=np.intp)
        return np.flatnonzero(self.keeps_volume & ((self.weights > 0).sum(axis=1) > 1))

    @cached_property
    def ridden(self) -> tuple[int, ...]:
        """All bones that move any point, in order."""
        return tuple(int(bone) for bone in np.unique(self.bones[self.weights > 0]))

    @cached_property
    def shares(self) -> FloatArray:
        """What each point has of the axes x, y, z and the head of each ridden bone, (4 R, P)."""
        points, places = np.nonzero(self.weights > 0)
        shares = np.zeros((len(self.ridden) * len(self), 4))
        bones = np.searchsorted(self.ridden, self.bones[points, places])
        spots = np.insert(self.offsets[points, places], 3, 1.0, axis=1)
        spots *= self.weights[points, places, None]
        np.add.at(shares, bones * len(self) + points, spots)
        return shares.reshape(-1, len(self), 4).swapaxes(1, 2).reshape(-1, len(self))

    def select(self, points: np.ndarray) -> FootHull:
        """Some of the points."""
        return FootHull(
            bones=self.bones[points],
            weights=self.weights[points],
            offsets=self.offsets[points],
            places=self.places[points],
            parts=self.parts[points],
            frame=self.frame,
            keeps_volume=None if self.keeps_volume is None else self.keeps_volume[points],
            binds=None if self.binds is None else self.binds[points],
        )

    def ride_on_foot(self, ankle: int, foot: Sequence[int], heel: FloatArray) -> FootHull:
        """The hull as it rides on the bones of the foot alone, flat where the whole foot is.

        Parameters
        ----------
        ankle, foot
            The bone that carries the foot, and all bones of the foot.
        heel
            Heel of the sole in the ankle bone's axes, metres, shape (3,).

        Returns
        -------
        FootHull
            Points that hang on a shin or thigh, too, ride on the ankle's bone as far as they did.
        """
        strays = (self.weights > 0) & ~np.isin(self.bones, np.asarray(foot))
        rows = np.flatnonzero(strays.any(axis=1))
        if len(rows) == 0:
            return self
        bones, weights, offsets = self.bones.copy(), self.weights.copy(), self.offsets.copy()
        bones[rows], weights[rows] = ankle, 0.0
        weights[rows, 0] = 1.0
        offsets[rows, 0] = heel + rot.rotate(self.frame, self.places[rows])
        return replace(self, bones=bones, weights=weights, offsets=offsets)

    def move_bones(self, places: Mapping[int, int]) -> FootHull:
        """The hull with its bones renumbered; every bone that it rides on needs a new number."""
        used = self.weights > 0
        bones = np.zeros_like(self.bones)
        bones[used] = [places[int(bone)] for bone in self.bones[used]]
        return replace(self, bones=bones)


def hull_points_from_axes(hull: FootHull, axes: FloatArray, positions: FloatArray) -> FloatArray:
    """Points of a hull on posed bones, skinned as their meshes are.

    Parameters
    ----------
    hull
        Its bones are indices of the arrays' second axis.
    axes
        Axes of the bones as columns, their length 1 for a bone of its size at rest, shape
        (N, B, 3, 3).
    positions
        Heads of the bones in any one space, metres, shape (N, B, 3).

    Returns
    -------
    array, shape (N, P, 3)
    """
    return _place_points(hull, axes[:, list(hull.ridden)], positions[:, list(hull.ridden)])


def _place_points(hull: FootHull, axes: FloatArray, heads: FloatArray) -> FloatArray:
    """Points (N, P, 3) of a hull on its ridden bones alone, of axes (N, R, 3, 3) and heads (N, R, 3)."""
    columns = np.concatenate([axes, heads[..., None]], axis=-1)
    columns = columns.swapaxes(1, 2).reshape(len(heads), 3, -1)
    points = np.einsum("nik,kp->nip", columns, hull.shares).swapaxes(1, 2)
    if hull.binds is not None and len(hull.blended):
        rows = hull.blended
        # Unused places hold any bone and have no share.
        bones = np.searchsorted(hull.ridden, hull.bones[rows]).clip(0, len(hull.ridden) - 1)
        moved = np.einsum("npwij,pwj->npwi", axes[:, bones], hull.offsets[rows]) + heads[:, bones]
        turns = rot.multiply(turns_from_axes(axes)[:, bones], rot.conjugate(hull.binds[rows]))
        points[:, rows] = blend_dual_quaternions(moved, turns, hull.weights[rows])
    return points


def hull_points_from_poses(
    hull: FootHull,
    rotations: FloatArray,
    positions: FloatArray,
    scales: FloatArray | None = None,
) -> FloatArray:
    """Points of a hull on bones that are turned and placed, shape (N, P, 3).

    Parameters
    ----------
    hull
        Its bones are indices of the arrays' second axis.
    rotations, positions
        Poses in any one space, shapes (N, B, 4) and (N, B, 3), metres.
    scales
        Sizes along the bones' axes against those at rest, shape (N, B, 3); None stands for 1.
    """
    used = list(hull.ridden)
    sizes = None if scales is None else scales[:, used]
    return _place_points(hull, axes_from_poses(rotations[:, used], sizes), positions[:, used])


def hull_points_from_ground(
    hull: FootHull,
    rotations: FloatArray,
    positions: FloatArray,
    frames: FloatArray,
    origins: FloatArray,
) -> FloatArray:
    """The same seen from places (N, 3) in axes (N, 4) or (4,), as the ground under a foot has them."""
    used, back = list(hull.ridden), rot.conjugate(frames)[..., None, :]
    axes = axes_from_poses(rot.multiply(back, rotations[:, used]))
    return _place_points(hull, axes, rot.rotate(back, positions[:, used] - origins[:, None]))


def axes_from_poses(rotations: FloatArray, scales: FloatArray | None = None) -> FloatArray:
    """Axes of bones as columns (..., 3, 3) from rotations (..., 4) and sizes (..., 3)."""
    axes = rot.matrices_from_quaternions(rotations)
    return axes if scales is None else axes * scales[..., None, :]


def carry_hull(hull: FootHull, skeleton: Skeleton, kept: Mapping[int, int]) -> FootHull:
    """A hull on fewer bones: what rides on a bone that is left out rides on the nearest kept above it.

    Parameters
    ----------
    hull
        On bones of ``skeleton``.
    skeleton
        All bones; the points stay where they are in its rest pose.
    kept
        New number of each bone that is left.

    Returns
    -------
    FootHull
        With the new numbers. A bone without any kept one above it loses its share to the others.

    Raises
    ------
    ValueError
        A point rides on such bones alone.
    """
    rotations, heads = skeleton.rest_poses
    bones, offsets, weights = np.zeros_like(hull.bones), hull.offsets.copy(), hull.weights.copy()
    binds = None if hull.binds is None else hull.binds.copy()
    for point, place in zip(*np.nonzero(hull.weights > 0), strict=True):
        bone = int(hull.bones[point, place])
        above = next((b for b in skeleton.find_ancestors(bone) if b in kept), None)
        if above is None:
            weights[point, place] = 0.0
            continue
        bones[point, place] = kept[above]
        if above != bone:
            spot = heads[bone] + rot.rotate(rotations[bone], offsets[point, place])
            offsets[point, place] = rot.rotate(rot.conjugate(rotations[above]), spot - heads[above])
            if binds is not None:
                stiff = rot.multiply(rot.conjugate(rotations[bone]), rotations[above])
                binds[point, place] = rot.multiply(binds[point, place], stiff)
    total = weights.sum(axis=1, keepdims=True)
    if np.any(total <= _TINY):
        raise ValueError("a point of a hull rides on no bone that is kept")
    weights = weights / total
    return replace(hull, bones=bones, offsets=offsets, weights=weights, binds=binds)


def hull_from_sole(
    skeleton: Skeleton,
    ankle: int,
    points: Sequence[tuple[int, FloatArray]],
    width: float,
    forward: FloatArray,
) -> FootHull:
    """The hull of a foot of which only the three points of its sole and its width are known.

    Parameters
    ----------
    skeleton
        All bones.
    ankle
        The bone that carries the foot.
    points
        Bone and offset in its axes of heel, ball and toe tip.
    width
        Of the sole, metres.
    forward
        Horizontal unit vector to which the character faces at rest, shape (2,).
    """
    rotations, heads = skeleton.rest_poses
    line = np.array([heads[b] + rot.rotate(rotations[b], offset) for b, offset in points])
    axes = find_sole_axes(line[2] - line[0], forward)
    length = max(float(rot.lengths(line[2] - line[0])), _TINY)
    ball = float(np.clip((line[1] - line[0]) @ axes[:, 0] / length, 0.0, 1.0))
    sides = np.array([(p, s * w) for p, w in PLAIN_HULLS.outline for s in (-1.0, 1.0)])
    cap = np.array([(p, s * w) for p, w in PLAIN_HULLS.cap for s in (-1.0, 1.0)])
    shares, across = np.concatenate([sides, cap]).T * np.array([[1.0], [width]])
    along = np.where(shares < 0.5, 2.0 * shares * ball, ball + (2.0 * shares - 1.0) * (1.0 - ball))
    above = np.repeat([0.0, PLAIN_HULLS.cap_height * length], [len(sides), len(cap)])
    middle = _interpolate_line(line, shares)
    spots = middle + across[:, None] * axes[:, 1] + above[:, None] * axes[:, 2]
    riders = np.where(
        shares < 0.5, points[0][0], np.where(shares > 0.5, points[2][0], points[1][0])
    )
    offsets = rot.rotate(rot.conjugate(rotations[riders]), spots - heads[riders])
    turned = rot.quaternions_from_matrices(axes)
    return FootHull(
        bones=riders[:, None],
        weights=np.ones((len(riders), 1)),
        offsets=np.asarray(offsets)[:, None],
        places=np.stack([length * along, across, above], axis=1),
        parts=np.repeat([SOLE, TOE], [len(sides), len(cap)]),
        frame=rot.multiply(rot.conjugate(rotations[ankle]), turned),
    )


def list_directions(heights: Sequence[float], about: int) -> FloatArray:
    """Unit vectors straight down, and all around at some heights, shape (D, 3).

    Parameters
    ----------
    heights
        Over the horizon, degrees.
    about
        How many there are at each.
    """
    found = [(0.0, 0.0, -1.0)]
    turns = 2.0 * np.pi * np.arange(about) / about
    for height in np.radians(heights):
        flat, up = np.cos(height), np.sin(height)
        found += [(flat * np.cos(turn), flat * np.sin(turn), up) for turn in turns]
    return np.array(found)


def find_sole_axes(line: FloatArray, forward: FloatArray) -> FloatArray:
    """Axes of a sole as columns (3, 3): x from heel to toe, y to the left, z away from the ground.

    Parameters
    ----------
    line
        From heel to toe tip, metres, shape (3,).
    forward
        Horizontal unit vector to which the character faces, shape (2,); it tells the sides of a foot
        that points up or down.
    """
    along = rot.normalize(line)
    left = rot.cross(rot.UP, along)
    if rot.lengths(left) < PLAIN_HULLS.steep:
        left = np.array([-forward[1], forward[0], 0.0])
        left = left - (left @ along) * along
    left = rot.normalize(left)
    return np.stack([along, left, rot.cross(along, left)], axis=1)


def _interpolate_line(line: FloatArray, shares: FloatArray) -> FloatArray:
    """Points (P, 3) of the line heel, ball, toe tip; 0 is the heel, 0.5 the ball, 1 the tip."""
    share = 2.0 * shares[:, None]
    rear = line[0] + np.minimum(share, 1.0) * (line[1] - line[0])
    return rear + np.maximum(share - 1.0, 0.0) * (line[2] - line[1])
