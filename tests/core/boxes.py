# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solid boxes that stand in the way."""

import numpy as np

from semi_procedural_locomotion.core.travel.walls import Crossing


class BoxWalls:
    """Boxes by name: lowest and highest corner, and maybe their speed (3,)."""

    def __init__(self, walked=(), **boxes):
        self.boxes = {n: tuple(np.array(part, float) for part in box) for n, box in boxes.items()}
        self.walked = walked

    def find_crossings(self, passage):
        """Pieces that have any of 7 x 7 places inside of a box at their station's time."""
        sheets = passage.sheets
        corners = passage.points.reshape(-1, 3)[sheets.corners]
        shares = np.linspace(0.0, 1.0, 7)
        u, v = (axis.reshape(-1, 1) for axis in np.meshgrid(shares, shares))
        weights = np.concatenate([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)
        times = passage.times[sheets.cells[:, 0]]
        found = []
        for name, (low, high, *speed) in self.boxes.items():
            moved = corners - times[:, None, None] * speed[0] if speed else corners
            near = (moved.max(axis=1) >= low).all(axis=1) & (moved.min(axis=1) <= high).all(axis=1)
            inside = np.zeros(len(moved), dtype=bool)
            places = np.einsum("wc,qci->qwi", weights, moved[near])
            inside[near] = ((places >= low) & (places <= high)).all(axis=2).any(axis=1)
            if name in self.walked:
                inside &= sheets.cells[:, 1] >= passage.step_level
            if inside.any():
                found.append(Crossing(name, np.flatnonzero(inside)))
        return found
