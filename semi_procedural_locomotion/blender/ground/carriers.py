# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the objects that carry surfaces are over time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...errors import GroundError
from ..limits import SCENE_GROUND, VALUE
from ..values.matrices import sample_world_matrices
from ..values.scene_state import get_frame_rate
from .rays import find_slacks


class CarrierPlaces:
    """World matrices of moving objects, sampled once per half frame and kept.

    Parameters
    ----------
    carriers
        The objects.
    scene
        Whose clock the times are of; it is neither stepped nor changed.
    """

    def __init__(self, carriers: Iterable[bpy.types.Object], scene: bpy.types.Scene) -> None:
        self._scene = scene
        self._rate = get_frame_rate(scene)
        known = {carrier.name_full: carrier for carrier in carriers}
        self._carriers = list(known.values())
        self._rows = {name: row for row, name in enumerate(known)}
        self._samples: dict[int, FloatArray] = {}

    def find_matrices(self, carrier: bpy.types.Object, times: FloatArray) -> FloatArray:
        """World matrices (n, 4, 4) of one of the objects at times (n,), seconds."""
        before, share = self._find_steps(times)
        unique, place = np.unique(np.concatenate([before, before + 1]), return_inverse=True)
        row = self._rows[carrier.name_full]
        table = self._get_samples(unique)[:, row]
        share = share[:, None, None]
        return table[place[: len(times)]] * (1 - share) + table[place[len(times) :]] * share

    def find_rays(
        self,
        carriers: Sequence[bpy.types.Object],
        boxes: FloatArray,
        points: FloatArray,
        times: FloatArray,
    ) -> list[np.ndarray]:
        """Find the rays that may pass over what carriers carry.

        Parameters
        ----------
        carriers
            K of the objects.
        boxes
            Lowest and highest corner of what each carries, in its own space, shape (K, 2, 3).
        points
            Where vertical rays start, world, metres, shape (n, 3).
        times
            Of the rays, seconds, shape (n,).

        Returns
        -------
        list of K arrays
            Indices of the rays, all that do among them.
        """
        before, _ = self._find_steps(times)
        rows = [self._rows[carrier.name_full] for carrier in carriers]
        middles, halves = boxes.mean(axis=1), np.ptp(boxes, axis=1) / 2.0
        slack = 2.0 * find_slacks(points)[:, None]
        rays, owners = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
        for step in np.unique(before):
            # Straight between two samples, what is carried stays between its boxes at both.
            axes = self._get_samples(np.array([step, step + 1]))[:, rows, :2]
            middle = np.einsum("skij,kj->ski", axes[..., :3], middles) + axes[..., 3]
            half = np.einsum("skij,kj->ski", np.abs(axes[..., :3]), halves)
            low, high = (middle - half).min(axis=0), (middle + half).max(axis=0)
            at = np.flatnonzero(before == step)
            place, side = points[at, None, :2], slack[at, None]
            over = np.all((place >= low - side) & (place <= high + side), axis=2)
            ray, owner = np.nonzero(over)
            rays.append(at[ray])
            owners.append(owner)
        ray, owner = np.concatenate(rays), np.concatenate(owners)
        order = np.lexsort((ray, owner))
        ends = np.searchsorted(owner[order], np.arange(1, len(carriers)))
        return np.split(ray[order], ends)

    def _find_steps(self, times: FloatArray) -> tuple[np.ndarray, FloatArray]:
        """The sample before each time (n,), and the share of the way to the next."""
        steps = times * (self._rate * SCENE_GROUND.samples_per_frame)
        before = np.floor(np.round(steps, 6)).astype(int)
        return before, np.clip(steps - before, 0.0, 1.0)

    def _get_samples(self, steps: np.ndarray) -> FloatArray:
        """World matrices (s, K, 4, 4) of all K objects at samples (s,)."""
        missing = [int(step) for step in steps if int(step) not in self._samples]
        if missing:
            frames = np.array(missing) / SCENE_GROUND.samples_per_frame
            sampled = sample_world_matrices(self._carriers, frames, self._scene)
            self._check_places(sampled, frames)
            for column, step in enumerate(missing):
                self._samples[step] = sampled[:, column]
        shape = (-1, len(self._carriers), 4, 4)
        return np.array([self._samples[int(step)] for step in steps]).reshape(shape)

    def _check_places(self, matrices: FloatArray, frames: FloatArray) -> None:
        """Raise GroundError where one of the objects has no place by its matrices (K, s, 4, 4)."""
        lost = np.argwhere(~np.all(np.abs(matrices) <= VALUE.farthest, axis=(2, 3)))
        if len(lost):
            item, column = lost[0]
            raise GroundError(
                f"{self._carriers[item].name!r} has no place at frame {frames[column]:g}, where its "
                "transform holds what is no number or too far off",
                "delete the key there, or check its drivers, or leave it out of the ground",
            )
