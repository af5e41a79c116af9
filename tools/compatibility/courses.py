# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grounds to walk on, scaled to the leg (numpy only).

Their axes: x along the way, y to its left, z up; the character stands at the origin. Metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

# In lengths of the leg: from where on it is no longer level, how far it goes before, beyond and aside.
_START, _BEFORE, _BEYOND, _ASIDE = 1.2, 30.0, 60.0, 30.0
_SLOPE, _RAMP = 0.22, 2.4
_RISE, _TREAD, _TREADS = 0.18, 0.65, 5
_LEVEL = 1.2
_BUMP, _WAVE, _CELL = 0.09, 2.6, 0.1
_BUMPS_BEFORE, _BUMPS_BEYOND, _BUMPS_ASIDE = 4.0, 14.0, 3.5


@dataclass(frozen=True)
class Course:
    """One ground.

    Attributes
    ----------
    name
        What it is called in tables.
    profile
        Way and height of the corners of its section, metres, shape (P, 2); the way grows or stays.
        None where it has waves.
    length
        Of the leg, metres.
    """

    name: str
    profile: np.ndarray | None
    length: float

    def find_heights(self, ways: np.ndarray, sides: np.ndarray) -> np.ndarray:
        """Height of the ground at places of the same shape, metres; at a riser that of its top."""
        if self.profile is None:
            return _make_waves(ways, sides, self.length)
        corners = self.profile
        after = np.clip(np.searchsorted(corners[:, 0], ways, side="right"), 1, len(corners) - 1)
        first, last = corners[after - 1], corners[after]
        span = np.maximum(last[..., 0] - first[..., 0], 1e-12)
        share = np.clip((ways - first[..., 0]) / span, 0.0, 1.0)
        return first[..., 1] + share * (last[..., 1] - first[..., 1])

    def measure_clearances(self, points: np.ndarray) -> np.ndarray:
        """Height of points (N, 3) over the ground; inside it minus the shortest way out, (N,)."""
        above = points[:, 2] - self.find_heights(points[:, 0], points[:, 1])
        if self.profile is None:
            slope = 2.0 * np.pi * _BUMP / _WAVE
            return np.where(above < 0.0, above / np.hypot(1.0, slope), above)
        inside = np.flatnonzero(above < 0.0)
        if len(inside):
            above[inside] = -_measure_distances(points[inside][:, [0, 2]], self.profile)
        return above

    def make_mesh(self) -> tuple[np.ndarray, np.ndarray]:
        """Corners (V, 3) and four-sided faces (Q, 4) of its surface."""
        if self.profile is None:
            ways = np.arange(-_BUMPS_BEFORE, _BUMPS_BEYOND + _CELL, _CELL) * self.length
            sides = np.arange(-_BUMPS_ASIDE, _BUMPS_ASIDE + _CELL, _CELL) * self.length
            x, y = np.meshgrid(ways, sides, indexing="ij")
            z = self.find_heights(x, y)
        else:
            sides = np.array([-_ASIDE, _ASIDE]) * self.length
            x, y = np.meshgrid(self.profile[:, 0], sides, indexing="ij")
            z = np.repeat(self.profile[:, 1:], 2, axis=1)
        index = np.arange(x.size).reshape(x.shape)
        faces = np.stack([index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]], axis=-1)
        return np.stack([x, y, z], axis=-1).reshape(-1, 3), faces.reshape(-1, 4)


def make_course(name: str, length: float) -> Course:
    """The ground of that name for a leg's length in metres.

    Raises KeyError: there is no such ground.
    """
    corners = {"flat": [], "stairs": _list_stairs(), "bumps": None}[name]
    if corners is None:
        return Course(name, None, length)
    height = corners[-1][1] if corners else 0.0
    ends = [(-_BEFORE, 0.0), *corners, (_BEYOND, height)]
    return Course(name, np.array(ends) * length, length)


COURSES = ("flat", "stairs", "bumps")
"""Names of all grounds; stairs begin with a ramp."""


def _list_stairs() -> list[tuple[float, float]]:
    """Corners of a ramp and a flight of stairs, in lengths of the leg."""
    way, height = _START + _RAMP, _SLOPE * _RAMP
    corners = [(_START, 0.0), (way, height)]
    way += _LEVEL
    for _ in range(_TREADS):
        corners += [(way, height), (way, height + _RISE)]
        way, height = way + _TREAD, height + _RISE
    return corners


def _make_waves(ways: np.ndarray, sides: np.ndarray, length: float) -> np.ndarray:
    """Heights of bumps that begin behind the start."""
    turn = 2.0 * np.pi / (_WAVE * length)
    begin = np.clip(ways / (0.5 * _WAVE * length), 0.0, 1.0)
    eased = begin * begin * (3.0 - 2.0 * begin)
    return 0.5 * _BUMP * length * eased * (np.sin(turn * ways) + np.cos(1.37 * turn * sides) - 1.0)


def _measure_distances(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Distance of points (N, 2) from a line of corners (P, 2)."""
    nearest = np.full(len(points), np.inf)
    for first, last in pairwise(corners):
        along = last - first
        share = (points - first) @ along / max(float(along @ along), 1e-18)
        foot = first + np.clip(share, 0.0, 1.0)[:, None] * along
        nearest = np.minimum(nearest, np.linalg.norm(points - foot, axis=1))
    return nearest
