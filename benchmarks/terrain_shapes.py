# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Test grounds as triangle meshes, sized for a character (numpy only).

Every maker takes the leg's length, the stride (metres travelled in a cycle) and a heading. A walker
that starts at the origin and travels along +Y, turned by the heading counter-clockwise seen from
above, stands on level ground at height 0 first and then meets the obstacle in the middle of a step.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.demo.course_shapes import TerrainMesh, join_meshes

# Strides of level ground before the origin, from there to the obstacle, and behind the obstacle.
_BEFORE = 8.0
_APPROACH = 1.6
_BEHIND = 14.0
# Half width of a course, strides.
_HALF_WIDTH = 6.0


def make_flat(leg_length: float, stride: float, heading: float = 0.0) -> TerrainMesh:
    """Level ground."""
    _check_sizes(leg_length, stride)
    return _turn(_extrude([(-_BEFORE * stride, 0.0), (_BEHIND * stride, 0.0)], stride), heading)


def make_ramp(
    leg_length: float,
    stride: float,
    heading: float = 0.0,
    slope: float = np.radians(20.0),
    strides: float = 2.0,
) -> TerrainMesh:
    """Up a slope, over a level top, down again.

    Parameters
    ----------
    leg_length, stride
        Metres.
    heading
        Radians.
    slope
        Radians.
    strides
        Level length of each slope and of the top, in strides.
    """
    _check_sizes(leg_length, stride)
    start, length = _APPROACH * stride, strides * stride
    top = length * np.tan(slope)
    places = [start, start + length, start + 2 * length, start + 3 * length]
    profile = list(zip(places, [0.0, top, top, 0.0], strict=True))
    return _turn(_make_course(profile, stride), heading)


def make_stairs(
    leg_length: float,
    stride: float,
    heading: float = 0.0,
    rise: float = 0.19,
    run: float = 0.34,
    steps: int = 8,
    landing: float = 1.5,
) -> TerrainMesh:
    """Stairs up, a landing, stairs down.

    Parameters
    ----------
    leg_length, stride
        Metres.
    heading
        Radians.
    rise, run
        Height and depth of a tread as shares of the leg; 0.17 and 0.30 m for a leg of 0.889 m.
    steps
        Number of risers each way.
    landing
        Length of the landing, strides.
    """
    _check_sizes(leg_length, stride)
    up, along = rise * leg_length, run * leg_length
    profile: list[tuple[float, float]] = []
    place, height = _APPROACH * stride, 0.0
    for direction in (1.0, -1.0):
        for step in range(steps):
            profile += [(place, height), (place, height + direction * up)]
            height += direction * up
            last = step == steps - 1
            place += landing * stride if last and direction > 0 else along
    return _turn(_make_course(profile, stride), heading)


def make_side_slope(
    leg_length: float, stride: float, heading: float = 0.0, slope: float = np.radians(15.0)
) -> TerrainMesh:
    """A plane that rises to the right of the travel by ``slope`` radians."""
    vertices, triangles = make_flat(leg_length, stride)
    vertices[:, 2] = vertices[:, 0] * np.tan(slope)
    return _turn(TerrainMesh(vertices, triangles), heading)


def make_bumps(
    leg_length: float,
    stride: float,
    heading: float = 0.0,
    height: float = 0.11,
    wave_length: float = 1.4,
    seed: int = 1,
) -> TerrainMesh:
    """Smooth random ground: a sum of sines in random directions, 0 at the origin.

    Parameters
    ----------
    leg_length, stride
        Metres.
    heading
        Radians.
    height
        Root mean square height as a share of the leg.
    wave_length
        Middle wave length as a share of the leg; waves range from 0.7 to 2 times that.
    seed
        Of the random numbers.
    """
    _check_sizes(leg_length, stride)
    random = np.random.default_rng(seed)
    count = 24
    angles, phases = random.uniform(0.0, 2.0 * np.pi, size=(2, count))
    lengths = wave_length * leg_length * random.uniform(0.7, 2.0, size=count)
    wave = 2.0 * np.pi / lengths * np.array([np.cos(angles), np.sin(angles)])
    # A dozen columns to the shortest wave keep the facets flat.
    spacing = 0.7 * wave_length * leg_length / 12.0
    y = np.arange(-0.5 * _BEFORE * stride, _BEHIND * stride + spacing, spacing)
    x = np.arange(-0.5 * _HALF_WIDTH * stride, 0.5 * _HALF_WIDTH * stride + spacing, spacing)
    across = x[:, None, None] * wave[0] + y[None, :, None] * wave[1] + phases
    heights = height * leg_length * np.sqrt(2.0 / count) * np.sum(np.sin(across), axis=-1)
    heights -= height * leg_length * np.sqrt(2.0 / count) * np.sum(np.sin(phases))
    return _turn(make_height_grid(heights, spacing, (float(x[0]), float(y[0]))), heading)


def make_blocks(
    leg_length: float,
    stride: float,
    heading: float = 0.0,
    step: float = 0.17,
    tilt: float = 0.2,
    length: float = 0.67,
    seed: int = 3,
) -> TerrainMesh:
    """A row of blocks across the way, each a random step up or down and tilted at random.

    Parameters
    ----------
    leg_length, stride
        Metres.
    heading
        Radians.
    step
        Largest step as a share of the leg.
    tilt
        Largest slope of a block.
    length
        Length of a block as a share of the leg.
    seed
        Of the random numbers.
    """
    _check_sizes(leg_length, stride)
    random = np.random.default_rng(seed)
    profile: list[tuple[float, float]] = [(_APPROACH * stride, 0.0)]
    along = length * leg_length
    for _ in range(int(np.ceil(8.0 * stride / along))):
        place, height = profile[-1]
        height += random.uniform(-step, step) * leg_length
        slope = random.uniform(-tilt, tilt)
        profile += [(place, height), (place + along, height + slope * along)]
    return _turn(_make_course(profile, stride), heading)


def make_gap(
    leg_length: float,
    stride: float,
    heading: float = 0.0,
    width: float = 0.5,
    depth: float = 3.4,
) -> TerrainMesh:
    """A ditch across the way, ``width`` and ``depth`` as shares of the leg."""
    _check_sizes(leg_length, stride)
    start, far = _APPROACH * stride, _APPROACH * stride + width * leg_length
    floor = -depth * leg_length
    return _turn(
        _make_course([(start, 0.0), (start, floor), (far, floor), (far, 0.0)], stride), heading
    )


def make_platform(
    leg_length: float,
    stride: float,
    heading: float = 0.0,
    height: float = 0.39,
    strides: float = 2.0,
) -> TerrainMesh:
    """A platform of one high step, ``height`` as a share of the leg, ``strides`` long."""
    _check_sizes(leg_length, stride)
    start, top = _APPROACH * stride, height * leg_length
    end = start + strides * stride
    return _turn(
        _make_course([(start, 0.0), (start, top), (end, top), (end, 0.0)], stride), heading
    )


def make_stepping_stones(
    leg_length: float,
    stride: float,
    heading: float = 0.0,
    places: FloatArray | None = None,
    size: tuple[float, float] | None = None,
    scatter: float = 0.08,
    depth: float = 1.5,
    seed: int = 2,
) -> TerrainMesh:
    """Flat stones, one for each step left and right in turn, above a deep floor.

    Parameters
    ----------
    leg_length, stride
        Metres; stones of one side are 0.9 of a stride apart.
    heading
        Radians.
    places
        Middles of the stones across and along the way instead, metres, shape (n, 2).
    size
        Of a stone across and along the way, metres; None for half a leg.
    scatter
        Largest random shift of a stone to any side and up or down, as a share of the leg.
    depth
        Depth of the floor as a share of the leg.
    seed
        Of the random numbers.
    """
    _check_sizes(leg_length, stride)
    random = np.random.default_rng(seed)
    start, apart = _APPROACH * stride, 0.45 * stride
    if places is None:
        steps = np.arange(8)
        sides = np.where(steps % 2 == 0, -0.14, 0.14) * leg_length
        places = np.stack([sides, start + apart * (steps + 1)], axis=1)
    half = 0.5 * np.array(size or (0.44 * leg_length, 0.5 * leg_length))
    start = min(start, float(places[:, 1].min() - half[1]))
    end = float(places[:, 1].max()) + apart
    floor = -depth * leg_length
    parts = [_make_course([(start, 0.0), (start, floor), (end, floor), (end, 0.0)], stride)]
    for place in places:
        shift = random.uniform(-scatter, scatter, size=3) * leg_length
        parts.append(_make_slab(np.array([*place, 0.0]) + shift, half))
    return _turn(join_meshes(parts), heading)


def make_bridge(
    leg_length: float,
    stride: float,
    heading: float = 0.0,
    strides: float = 4.0,
    depth: float = 3.0,
    roof: float = 2.8,
) -> TerrainMesh:
    """A bridge over a valley, with a roof above it.

    Parameters
    ----------
    leg_length, stride
        Metres.
    heading
        Radians.
    strides
        Length of the bridge, strides.
    depth, roof
        Valley below and roof above the bridge as shares of the leg.
    """
    _check_sizes(leg_length, stride)
    start, end = _APPROACH * stride, (_APPROACH + strides) * stride
    middle = np.array([0.0, 0.5 * (start + end)])
    floor, flat = -depth * leg_length, 0.1 * stride
    places = [start, middle[1] - flat, middle[1] + flat, end]
    valley = _make_course(list(zip(places, [0.0, floor, floor, 0.0], strict=True)), stride)
    half = np.array([0.8 * leg_length, 0.5 * (end - start)])
    deck = _make_slab(np.array([*middle, 0.0]), half)
    cover = _make_slab(np.array([*middle, roof * leg_length]), half * [1.5, 1.2])
    return _turn(join_meshes([valley, deck, cover]), heading)


def make_height_grid(
    heights: FloatArray, spacing: float, origin: tuple[float, float] = (0.0, 0.0)
) -> TerrainMesh:
    """A mesh of heights given on a square grid.

    Parameters
    ----------
    heights
        Metres, shape (n_x, n_y), two rows and columns or more.
    spacing
        Metres between grid points.
    origin
        World x and y of the first grid point, metres.

    Returns
    -------
    TerrainMesh
    """
    columns, rows = heights.shape
    if columns < 2 or rows < 2:
        raise ValueError(f"heights must have shape (2 or more, 2 or more), got {heights.shape}")
    x = origin[0] + spacing * np.arange(columns)
    y = origin[1] + spacing * np.arange(rows)
    grid_x, grid_y = np.meshgrid(x, y, indexing="ij")
    vertices = np.stack([grid_x, grid_y, heights], axis=-1).reshape(-1, 3)
    corner = (np.arange(columns - 1)[:, None] * rows + np.arange(rows - 1)).ravel()
    first = np.stack([corner, corner + rows, corner + rows + 1], axis=1)
    second = np.stack([corner, corner + rows + 1, corner + 1], axis=1)
    return TerrainMesh(vertices, np.concatenate([first, second]))


def _make_course(profile: list[tuple[float, float]], stride: float) -> TerrainMesh:
    """An obstacle's profile (places along the way, heights) between level grounds."""
    before = (-_BEFORE * stride, profile[0][1])
    behind = (profile[-1][0] + _BEHIND * stride, profile[-1][1])
    return _extrude([before, *profile, behind], stride)


def _extrude(profile: Sequence[tuple[float, float]], stride: float) -> TerrainMesh:
    """A profile in the y-z plane drawn out to both sides."""
    y, z = np.array(profile, dtype=np.float64).T
    half = _HALF_WIDTH * stride
    left = np.stack([np.full_like(y, -half), y, z], axis=1)
    vertices = np.concatenate([left, left * [-1.0, 1.0, 1.0]])
    a = np.arange(len(y) - 1)
    b = a + len(y)
    triangles = np.concatenate([np.stack([a, b, b + 1], 1), np.stack([a, b + 1, a + 1], 1)])
    return TerrainMesh(vertices, triangles)


def _make_slab(centre: FloatArray, half: FloatArray) -> TerrainMesh:
    """A level rectangle about ``centre`` (3,) with half sides ``half`` (2,)."""
    signs = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    vertices = centre + np.concatenate([signs * half, np.zeros((4, 1))], axis=1)
    return TerrainMesh(vertices, np.array([[0, 1, 2], [0, 2, 3]]))


def _turn(mesh: TerrainMesh, heading: float) -> TerrainMesh:
    """The mesh turned about up through the origin."""
    turned = rot.rotate(rot.quaternions_from_yaws(heading), mesh.vertices)
    return TerrainMesh(np.ascontiguousarray(turned), mesh.triangles)


def _check_sizes(leg_length: float, stride: float) -> None:
    """Refuse a character without size."""
    if not (leg_length > 0 and stride > 0):
        raise ValueError(f"leg_length and stride must be positive, got {leg_length}, {stride}")
