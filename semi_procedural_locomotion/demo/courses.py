# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The walks of the demo as data: who goes where over what. All of them go along -Y."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.maths.rotations import FloatArray, step_cubic
from .characters import REST_GAIT


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


# Underside of the blocks and width of a lane, metres.
BASE = -0.3
_WIDTH = 1.5
# The person's way from end to end, level ground before and behind it, and the block that holds all.
_WAY, _BEFORE = 9.9, 0.75
_BLOCK = _WAY + 2.0 * _BEFORE
_SMALL_WAY, _SMALL_BEFORE = 5.4, 0.8
_SMALL_BLOCK = _SMALL_WAY + 2.0 * _SMALL_BEFORE
_TINY_WAY, _TINY_BEFORE = 2.65, 0.65
_TINY_BLOCK = _TINY_WAY + 2.0 * _TINY_BEFORE
_LONG_TINY_WAY = 5.44
_LONG_TINY_BLOCK = _LONG_TINY_WAY + 2.0 * _TINY_BEFORE
# Pixels of a metre in the contact sheet, for the person, the dog and the beetle.
_PERSON_SCALE, _DOG_SCALE, _BEETLE_SCALE = 78.0, 127.0, 132.0
_WALK = ("walk", REST_GAIT)

Point = tuple[float, float]


@dataclass(frozen=True)
class Slab:
    """One piece of ground.

    Attributes
    ----------
    mesh
        Its shape.
    place
        x, way and z of its origin, metres; the way counts along -Y.
    ride
        Seconds and the metres along the way and up by which it has moved then; empty for still
        ground.
    """

    mesh: TerrainMesh
    place: tuple[float, float, float]
    ride: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True)
class _View:
    """Record of how a walk is shown in the contact sheet.

    Attributes
    ----------
    size
        Pixels across and up.
    scale
        Pixels of a metre.
    middle
        Way and z in the middle of the picture, metres.
    pose_gap
        Metres between the poses that are shown.
    elevation
        How steeply it looks down, radians.
    """

    size: tuple[int, int]
    scale: float
    middle: tuple[float, float]
    pose_gap: float
    elevation: float = float(np.radians(21.0))


@dataclass(frozen=True)
class Course:
    """One walk.

    Attributes
    ----------
    name
        Of the row in the table, and on the sign.
    character
        Key of `CHARACTER_SHAPES`.
    gaits
        Of the motions; without a rest the walk's own stance stands.
    path
        x and way of the corners, metres.
    width
        Of the lane, metres.
    speed
        Metres a second; None for the walk's own.
    """

    name: str
    character: str
    gaits: tuple[str, ...]
    slabs: tuple[Slab, ...]
    path: tuple[Point, ...]
    view: _View
    width: float = _WIDTH
    speed: float | None = None

    @property
    def front(self) -> tuple[float, float]:
        """Way and x of the lower corner of the block that faces the viewer, metres."""
        return self.slabs[0].place[1], -0.5 * self.width


def make_courses() -> tuple[tuple[Course, ...], ...]:
    """All walks of the demo, in the rows of the contact sheet."""
    return (
        (
            _make_person("Flat", _level(_BLOCK), 290, 0.9),
            _make_person("Ramp 15", _ramp(), 290, 1.0),
        ),
        (
            _make_person("Stairs", _stairs(), 310, 1.12),
            _make_person("Bumps", _bumps(), 310, 0.86),
        ),
        (_make_person("Side Slope", _side_slope(), 270, 0.74), _make_lift(270)),
        (_make_run(270), _make_beetle("Beetle Blocks", _beetle_blocks(), 270, 1.2)),
        (_make_arc(330), _make_dog("Dog Ramp", _dog_ramp(), 330, 0.62)),
        (
            _make_dog("Dog Side Slope", _dog_slope(), 270, 0.42),
            _make_beetle("Beetle Bumps", _beetle_bumps(), 270, 1.4, _LONG_TINY_WAY, "tripod"),
        ),
    )


def _make_person(name: str, slab: Slab, height: int, middle: float) -> Course:
    """The person straight on over one piece of ground; pixels up and z in the middle."""
    size = (round(_BLOCK * _PERSON_SCALE), height)
    view = _View(size, _PERSON_SCALE, (0.5 * _WAY, middle), 1.16)
    return Course(name, "biped", _WALK, (slab,), _straight(_WAY), view)


def _make_dog(name: str, slab: Slab, height: int, middle: float) -> Course:
    """The dog straight on over one piece of ground."""
    size = (round(_SMALL_BLOCK * _DOG_SCALE), height)
    view = _View(size, _DOG_SCALE, (0.5 * _SMALL_WAY, middle), 1.3)
    return Course(name, "quadruped", _WALK, (slab,), _straight(_SMALL_WAY), view, 1.1)


def _make_beetle(
    name: str,
    slab: Slab,
    height: int,
    pose_gap: float,
    way: float = _TINY_WAY,
    gait: str = "walk",
) -> Course:
    """The beetle straight on over one piece of ground; a shape at rest stands as it walks."""
    size = (round((way + 2.0 * _TINY_BEFORE) * _BEETLE_SCALE), height)
    elevation = float(np.radians(28.0))
    view = _View(size, _BEETLE_SCALE, (0.5 * way, 0.1), pose_gap, elevation)
    return Course(name, "hexapod", (gait,), (slab,), _straight(way), view, 1.4)


def _make_run(height: int) -> Course:
    """From standing to a run and back."""
    way, gaits = 14.6, ("walk", "run", REST_GAIT)
    size = (round((way + 2.0 * _BEFORE) * _PERSON_SCALE), height)
    view = _View(size, _PERSON_SCALE, (0.5 * way, 0.76), 1.5)
    slab = _level(way + 2.0 * _BEFORE)
    return Course("Run", "biped", gaits, (slab,), _straight(way), view, speed=3.0)


def _make_arc(height: int) -> Course:
    """Around two bends on level ground."""
    width, way = 4.2, _WAY - 1.0
    bends = np.linspace(0.0, 1.0, 25)
    path = tuple((float(1.25 * np.sin(2.0 * np.pi * s)), float(way * s)) for s in bends)
    size = (round(_BLOCK * _PERSON_SCALE), height)
    view = _View(size, _PERSON_SCALE, (0.5 * _WAY, 0.55), 1.16, float(np.radians(30.0)))
    return Course("Arc", "biped", _WALK, (_level(_BLOCK, width),), path, view, width)


def _make_lift(height: int) -> Course:
    """Onto a platform that moves on and up, and off it."""
    start, length, forward, up = 3.1, 3.7, 0.5, 0.45
    mesh = make_profile_block([(0.0, 0.0), (length, 0.0)], _WIDTH, 0.5 * BASE)
    end = start + length + forward
    tail = make_profile_block([(0.0, up), (_WAY + _BEFORE - end, up)], _WIDTH, BASE)
    slabs = (
        _level(start + _BEFORE),
        Slab(mesh, (0.0, start, 0.0), ((0.0, 0.0, 0.0), (3.6, 0.0, 0.0), (5.7, forward, up))),
        Slab(tail, (0.0, end, 0.0)),
    )
    size = (round(_BLOCK * _PERSON_SCALE), height)
    view = _View(size, _PERSON_SCALE, (0.5 * _WAY, 0.92), 1.16)
    return Course("Lift", "biped", _WALK, slabs, _straight(_WAY), view)


def _straight(length: float) -> tuple[Point, ...]:
    """Straight on."""
    return ((0.0, 0.0), (0.0, length))


def _level(length: float, width: float = _WIDTH) -> Slab:
    """Level ground."""
    mesh = make_profile_block([(0.0, 0.0), (length, 0.0)], width, BASE)
    return Slab(mesh, (0.0, -_BEFORE, 0.0))


def _ramp() -> Slab:
    """Up and down 15 degrees."""
    slope, length, top = float(np.radians(15.0)), 2.5, 1.6
    lead = 0.5 * (_BLOCK - top) - length
    profile = make_ramp_profile(lead, length, slope, top, lead)
    return Slab(make_profile_block(profile, _WIDTH, BASE), (0.0, -_BEFORE, 0.0))


def _stairs() -> Slab:
    """Six treads up and down, of the sizes of a house."""
    rise, run, steps, landing = 0.16, 0.29, 6, 1.7
    lead = 0.5 * (_BLOCK - landing) - (steps - 1) * run
    profile = make_stair_profile(lead, rise, run, steps, landing, lead)
    return Slab(make_profile_block(profile, _WIDTH, BASE), (0.0, -_BEFORE, 0.0))


def _bumps() -> Slab:
    """Smooth bumps."""
    heights = make_bump_heights(0.09, 1.6, _BLOCK, seed=4)
    return Slab(make_height_block(heights, _BLOCK, _WIDTH, 1.5 * BASE), (0.0, -_BEFORE, 0.0))


def _side_slope() -> Slab:
    """Ground that leans to the side."""
    heights = make_tilt_heights(float(np.radians(12.0)), 2.0, _BLOCK)
    return Slab(make_height_block(heights, _BLOCK, _WIDTH, BASE), (0.0, -_BEFORE, 0.0))


def _dog_ramp() -> Slab:
    """Up and down 12 degrees."""
    slope, length, top = float(np.radians(12.0)), 1.7, 1.1
    lead = 0.5 * (_SMALL_BLOCK - top) - length
    profile = make_ramp_profile(lead, length, slope, top, lead)
    return Slab(make_profile_block(profile, 1.1, BASE), (0.0, -_SMALL_BEFORE, 0.0))


def _dog_slope() -> Slab:
    """Ground that leans to the side."""
    heights = make_tilt_heights(float(np.radians(12.0)), 1.5, _SMALL_BLOCK)
    mesh = make_height_block(heights, _SMALL_BLOCK, 1.1, BASE)
    return Slab(mesh, (0.0, -_SMALL_BEFORE, 0.0))


def _beetle_blocks() -> Slab:
    """A floor of uneven blocks."""
    mesh = make_blocks(_TINY_BLOCK, 1.4, BASE, 0.28, 0.09, 1.1, seed=2)
    return Slab(mesh, (0.0, -_TINY_BEFORE, 0.0))


def _beetle_bumps() -> Slab:
    """Smooth bumps."""
    heights = make_bump_heights(0.06, 1.0, _LONG_TINY_BLOCK, seed=2)
    mesh = make_height_block(heights, _LONG_TINY_BLOCK, 1.4, BASE)
    return Slab(mesh, (0.0, -_TINY_BEFORE, 0.0))
