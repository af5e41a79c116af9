# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grounds of the demo as solid blocks that start at the origin and run along -Y (numpy only)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..core.maths.rotations import FloatArray, step_cubic


class TerrainMesh(NamedTuple):
    """A triangle mesh.

    Attributes
    ----------
    vertices
        Metres, shape (V, 3).
    triangles
        Vertex indices, shape (T, 3).
    """

    vertices: FloatArray
    triangles: np.ndarray


def join_meshes(parts: Sequence[TerrainMesh]) -> TerrainMesh:
    """One mesh of several."""
    starts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    return TerrainMesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([p.triangles + s for p, s in zip(parts, starts, strict=True)]),
    )


# Metres between grid points of ground that is not made of planes.
_SPACING = 0.07
# Waves of bumpy ground, metres, and their number.
_LONGEST, _SHORTEST, _WAVES = 2.4, 0.9, 16


def make_profile_block(
    profile: Sequence[tuple[float, float]], width: float, base: float
) -> TerrainMesh:
    """A block with the same profile all across.

    Parameters
    ----------
    profile
        Way from the start and height, metres; two points on one place make a riser.
    width
        Metres, to both sides of x = 0.
    base
        Height of the underside, metres.
    """
    way, top = np.array(profile, dtype=np.float64).T
    count = len(way)
    outline = np.concatenate(
        [np.stack([way, top], axis=1), np.stack([way, np.full(count, base)], axis=1)]
    )
    left = np.stack([np.full(2 * count, 0.5 * width), -outline[:, 0], outline[:, 1]], axis=1)
    vertices = np.concatenate([left, left * [-1.0, 1.0, 1.0]])
    other = 2 * count
    triangles: list[tuple[int, int, int]] = []
    for a in range(count - 1):
        b, low_a, low_b = a + 1, a + count, a + count + 1
        triangles += _quad(a, a + other, b + other, b)
        triangles += _quad(low_a, low_b, low_b + other, low_a + other)
        if way[b] > way[a]:
            triangles += _quad(a, b, low_b, low_a)
            triangles += _quad(b + other, a + other, low_a + other, low_b + other)
    for end in (0, count - 1):
        triangles += _quad(end, end + count, end + count + other, end + other)
    return TerrainMesh(vertices, np.array(triangles, dtype=np.intp))


def make_height_block(
    heights: Callable[[FloatArray, FloatArray], FloatArray],
    length: float,
    width: float,
    base: float,
    x_middle: float = 0.0,
) -> TerrainMesh:
    """A block whose top is any height.

    Parameters
    ----------
    heights
        From x (across, +X) and way from the start, metres, arrays of one shape, to heights.
    length, width
        Metres; the block begins a little before the origin with the caller's choice of ``heights``.
    base
        Height of the underside, metres.
    """
    across = max(round(width / _SPACING), 2) + 1
    along = max(round(length / _SPACING), 2) + 1
    x, way = np.meshgrid(
        x_middle + np.linspace(-0.5, 0.5, across) * width,
        np.linspace(0.0, length, along),
        indexing="ij",
    )
    top = np.stack([x, -way, heights(x, way)], axis=-1)
    low = top.copy()
    low[..., 2] = base
    vertices = np.concatenate([top.reshape(-1, 3), low.reshape(-1, 3)])
    index = np.arange(across * along).reshape(across, along)
    corners = (index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1])
    a, b, c, d = (corner.ravel() for corner in corners)
    parts = [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    rim = np.concatenate([index[0], index[1:, -1], index[-1, -2::-1], index[-2:0:-1, 0]])
    following = np.roll(rim, -1)
    under = across * along
    parts += [np.stack([a, c, b], axis=1) + under, np.stack([a, d, c], axis=1) + under]
    parts += [
        np.stack([rim, following, following + under], axis=1),
        np.stack([rim, following + under, rim + under], axis=1),
    ]
    return TerrainMesh(vertices, np.concatenate(parts))


def make_stair_profile(
    lead: float, rise: float, run: float, steps: int, landing: float, tail: float
) -> list[tuple[float, float]]:
    """Level, stairs up, a landing, stairs down, level; metres."""
    profile = [(0.0, 0.0)]
    way, height = lead, 0.0
    for direction in (1.0, -1.0):
        for step in range(steps):
            profile += [(way, height), (way, height + direction * rise)]
            height += direction * rise
            last = step == steps - 1
            way += (landing if direction > 0 else tail) if last else run
    return [*profile, (way, height)]


def make_ramp_profile(
    lead: float, length: float, slope: float, top: float, tail: float
) -> list[tuple[float, float]]:
    """Level, up a slope of ``slope`` radians and ``length`` metres seen from above, and down again."""
    height = length * float(np.tan(slope))
    places = [0.0, lead, lead + length, lead + length + top, lead + 2 * length + top]
    heights = [0.0, 0.0, height, height, 0.0]
    return [*zip(places, heights, strict=True), (places[-1] + tail, 0.0)]


def make_bump_heights(
    height: float, lead: float, length: float, seed: int = 1
) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """Smooth random bumps that fade in after ``lead`` metres and out before the end.

    Parameters
    ----------
    height
        Root mean square, metres.
    lead
        Level ground at both ends, metres.
    length
        Of the whole way, metres.
    seed
        Of the random numbers.
    """
    random = np.random.default_rng(seed)
    angles, phases = random.uniform(0.0, 2.0 * np.pi, size=(2, _WAVES))
    waves = 2.0 * np.pi / random.uniform(_SHORTEST, _LONGEST, size=_WAVES)

    def heights(x: FloatArray, way: FloatArray) -> FloatArray:
        """Heights at places."""
        along = np.multiply.outer(x, np.cos(angles)) + np.multiply.outer(way, np.sin(angles))
        bumps = np.sqrt(2.0 / _WAVES) * np.sum(np.sin(along * waves + phases), axis=-1)
        return height * bumps * _fade(way, lead, length)

    return heights


def make_tilt_heights(
    slope: float, lead: float, length: float
) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """A side slope of ``slope`` radians, rising towards +X, between level ends."""

    def heights(x: FloatArray, way: FloatArray) -> FloatArray:
        """Heights at places."""
        return x * np.tan(slope) * _fade(way, lead, length)

    return heights


def make_blocks(
    length: float, width: float, base: float, cell: float, height: float, lead: float, seed: int
) -> TerrainMesh:
    """A floor of square blocks, each a random height up to ``height`` metres.

    Parameters
    ----------
    length, width, base
        As for `make_height_block`.
    cell
        Side of a block, metres; length and width are rounded to whole blocks.
    height
        Highest block, metres.
    lead
        Level ground at both ends, metres.
    seed
        Of the random numbers.
    """
    random = np.random.default_rng(seed)
    columns, rows = max(round(width / cell), 1), max(round(length / cell), 1)
    blocks = []
    for row in range(rows):
        level = not lead <= (row + 0.5) * cell <= length - lead
        for column in range(columns):
            top = random.uniform(0.0, height)
            middle = np.array([(column + 0.5 - 0.5 * columns) * cell, -(row + 0.5) * cell])
            blocks.append(make_box(middle, (cell, cell), base, 0.0 if level else top))
    return join_meshes(blocks)


def make_box(
    middle: FloatArray, sides: tuple[float, float], base: float, top: float
) -> TerrainMesh:
    """A box about x, y ``middle`` (2,) with two sides in metres, from ``base`` up to ``top``."""
    half = 0.5 * np.array(sides)
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * half + middle
    vertices = np.concatenate([np.column_stack([corners, np.full(4, z)]) for z in (base, top)])
    sides_of = [_quad(a, (a + 1) % 4, (a + 1) % 4 + 4, a + 4) for a in range(4)]
    triangles = [*_quad(3, 2, 1, 0), *_quad(4, 5, 6, 7), *(t for side in sides_of for t in side)]
    return TerrainMesh(vertices, np.array(triangles, dtype=np.intp))


def _quad(a: int, b: int, c: int, d: int) -> list[tuple[int, int, int]]:
    """Two triangles of four corners."""
    return [(a, b, c), (a, c, d)]


def _fade(way: FloatArray, lead: float, length: float) -> FloatArray:
    """0 up to half of the lead at both ends, 1 in the middle."""
    half = 0.5 * lead
    return step_cubic((way - half) / lead) * step_cubic((length - half - way) / lead)
