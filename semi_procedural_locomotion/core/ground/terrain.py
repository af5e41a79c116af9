# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grounds in plain numpy: a plane, and any ground that moves.

They answer as the grounds of a scene do (`interface.Ground`), so planning and measuring work without
Blender.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .interface import Ground, GroundHits, GroundLayers
from .limits import PLANE

MotionOfGround = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
"""Positions (n, 3) in metres and yaws (n,) in radians at times (n,) in seconds."""


class StillGround:
    """Ground that does not move."""

    def surface_frames(
        self,
        surface: int,  # noqa: ARG002 - the same for all
        times: FloatArray,
    ) -> FloatArray:
        """See `interface.Ground`: always the identity."""
        return _stand_still(times)

    def name_surface(
        self,
        surface: int,  # noqa: ARG002 - the same for all
    ) -> str:
        """See `interface.Ground`."""
        return "ground"

    def moving_surfaces(self) -> frozenset[int]:
        """See `interface.Ground`: none."""
        return frozenset()


class FlatGround(StillGround):
    """An endless horizontal plane.

    Parameters
    ----------
    height
        Metres.
    """

    def __init__(self, height: float = 0.0) -> None:
        self.height = float(height)

    def as_fingerprint(self) -> tuple[str, float]:
        """Find what tells it from other grounds, see `core.maths.fingerprints`."""
        return "plane", self.height

    def cast_down(
        self,
        points: FloatArray,
        times: FloatArray,  # noqa: ARG002 - the ground does not move
    ) -> GroundHits:
        """See `interface.Ground`; points below the plane hit nothing."""
        points = np.asarray(points, dtype=np.float64)
        # Points of the plane itself may lie below it by the rounding of their own arithmetic.
        margin = PLANE.rounding * np.maximum(
            np.abs(points).max(axis=-1, initial=0.0), abs(self.height)
        )
        hit = points[:, 2] >= self.height - margin
        heights = np.where(hit, self.height, points[:, 2])
        return GroundHits(
            rot.pack(points[:, 0], points[:, 1], heights),
            np.tile(rot.UP, (len(points), 1)),
            np.where(hit, 0, -1),
            hit,
        )

    def cast_all(
        self,
        points: FloatArray,
        times: FloatArray,  # noqa: ARG002 - the ground does not move
    ) -> GroundLayers:
        """See `interface.Ground`."""
        count = len(points)
        return GroundLayers(
            np.arange(count),
            np.full(count, self.height),
            np.zeros(count, dtype=np.intp),
            np.ones(count, dtype=bool),
        )

    def height_limits(self) -> tuple[float, float]:
        """See `interface.Ground`."""
        return self.height, self.height


class MovingGround:
    """A ground carried about and turned about up.

    Parameters
    ----------
    ground
        The ground in its own space.
    motion
        Where its space is at given times.
    travel
        Lowest and highest z that the motion takes, metres.
    """

    def __init__(
        self,
        ground: Ground,
        motion: MotionOfGround,
        surfaces: Sequence[int] = (0,),
        travel: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self._ground = ground
        self._motion = motion
        self._surfaces = frozenset(surfaces)
        self._travel = travel

    def cast_down(self, points: FloatArray, times: FloatArray) -> GroundHits:
        """See `interface.Ground`."""
        positions, yaws = self._motion(np.asarray(times, dtype=np.float64))
        turn = rot.quaternions_from_yaws(yaws)
        local = rot.rotate(rot.conjugate(turn), points - positions)
        hits = self._ground.cast_down(local, times)
        return GroundHits(
            positions + rot.rotate(turn, hits.points),
            rot.rotate(turn, hits.normals),
            hits.surfaces,
            hits.hit,
        )

    def cast_all(self, points: FloatArray, times: FloatArray) -> GroundLayers:
        """See `interface.Ground`."""
        positions, yaws = self._motion(np.asarray(times, dtype=np.float64))
        turn = rot.quaternions_from_yaws(yaws)
        layers = self._ground.cast_all(rot.rotate(rot.conjugate(turn), points - positions), times)
        heights = layers.heights + positions[layers.rays, 2]
        return GroundLayers(layers.rays, heights, layers.surfaces, layers.upwards)

    def surface_frames(self, surface: int, times: FloatArray) -> FloatArray:
        """See `interface.Ground`."""
        positions, yaws = self._motion(np.asarray(times, dtype=np.float64))
        frames = _stand_still(times)
        frames[:, :3, :3] = rot.matrices_from_quaternions(rot.quaternions_from_yaws(yaws))
        frames[:, :3, 3] = positions
        return frames @ self._ground.surface_frames(surface, times)

    def height_limits(self) -> tuple[float, float]:
        """See `interface.Ground`."""
        low, high = self._ground.height_limits()
        return low + self._travel[0], high + self._travel[1]

    def name_surface(self, surface: int) -> str:
        """See `interface.Ground`."""
        return self._ground.name_surface(surface)

    def moving_surfaces(self) -> frozenset[int]:
        """See `interface.Ground`."""
        return self._surfaces


def _stand_still(times: FloatArray) -> FloatArray:
    """Identity matrices (n, 4, 4), one for each time."""
    return np.tile(np.eye(4), (len(times), 1, 1))
