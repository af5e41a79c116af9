# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several grounds of arrays as one."""

from __future__ import annotations

import numpy as np

from semi_procedural_locomotion.core.ground.interface import GroundHits, sort_layers


class GroundStack:
    """Several grounds at once; the highest surface at or below a point counts.

    Surface ``s`` of ground ``i`` of ``n`` is surface ``s * n + i`` of the stack.
    """

    def __init__(self, grounds):
        self._grounds = tuple(grounds)

    def cast_down(self, points, times):
        all_hits = [ground.cast_down(points, times) for ground in self._grounds]
        heights = np.stack([np.where(h.hit, h.points[:, 2], -np.inf) for h in all_hits])
        best = np.argmax(heights, axis=0)
        rays = np.arange(len(best))
        surfaces = np.stack([h.surfaces for h in all_hits])[best, rays]
        hit = np.isfinite(heights[best, rays])
        return GroundHits(
            np.stack([h.points for h in all_hits])[best, rays],
            np.stack([h.normals for h in all_hits])[best, rays],
            np.where(hit, surfaces * len(self._grounds) + best, -1),
            hit,
        )

    def cast_all(self, points, times):
        count = len(self._grounds)
        parts = [ground.cast_all(points, times) for ground in self._grounds]
        return sort_layers(
            np.concatenate([part.rays for part in parts]),
            np.concatenate([part.heights for part in parts]),
            np.concatenate([part.surfaces * count + i for i, part in enumerate(parts)]),
            np.concatenate([part.upwards for part in parts]),
        )

    def surface_frames(self, surface, times):
        own, index = divmod(surface, len(self._grounds))
        return self._grounds[index].surface_frames(own, times)

    def height_limits(self):
        limits = [ground.height_limits() for ground in self._grounds]
        return min(low for low, _ in limits), max(high for _, high in limits)

    def name_surface(self, surface):
        count = len(self._grounds)
        return self._grounds[surface % count].name_surface(surface // count)

    def moving_surfaces(self):
        count = len(self._grounds)
        return frozenset(
            surface * count + index
            for index, ground in enumerate(self._grounds)
            for surface in ground.moving_surfaces()
        )
