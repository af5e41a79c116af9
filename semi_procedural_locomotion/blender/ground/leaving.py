# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left out of the meshes that a scene shows, as a whole and by its size and place."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray


@dataclass(frozen=True)
class Leaving:
    """What is no ground by its kind, size or place.

    Attributes
    ----------
    unrendered
        Whether what is hidden in renders is left out.
    instances
        Whether all that is shown by instances is.
    smaller
        Metres; what extends less to every side, seen from above, is left out. 0 leaves out nothing.
    way
        Places along the way, world, metres, shape (w, 2), near to each other; None for no way.
    beyond
        Metres; what stands still farther from the way is left out.
    """

    unrendered: bool = False
    instances: bool = False
    smaller: float = 0.0
    way: FloatArray | None = None
    beyond: float = np.inf

    @property
    def asks_for_boxes(self) -> bool:
        """Whether sizes and places count at all."""
        return self.smaller > 0.0 or self.way is not None

    def leaves(self, box: FloatArray, *, moves: bool) -> bool:
        """Whether a mesh is left out whose corners (8, 3) are these, world, metres.

        Where something is that moves or changes its shape is known for now alone: it is never too far.
        """
        low, high = box[:, :2].min(axis=0), box[:, :2].max(axis=0)
        if (high - low).max() < self.smaller:
            return True
        if self.way is None or moves:
            return False
        apart = np.maximum(np.maximum(low - self.way, self.way - high), 0.0)
        return bool(np.hypot(apart[:, 0], apart[:, 1]).min() > self.beyond)


def read_box(item: bpy.types.Object, matrix: FloatArray) -> FloatArray:
    """Corners (8, 3) of the bounding box of an evaluated object that is shown by a matrix (4, 4)."""
    corners = np.array([tuple(corner) for corner in item.bound_box])
    world: FloatArray = corners @ matrix[:3, :3].T + matrix[:3, 3]
    return world
