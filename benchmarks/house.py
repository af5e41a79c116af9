# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A house of three storeys in the scene, and a person at the start of the way through it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import bpy
import numpy as np

from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    REST_GAIT,
    create_character,
    write_gaits,
)
from semi_procedural_locomotion.demo.course_shapes import TerrainMesh, join_meshes, make_box
from semi_procedural_locomotion.demo.stage import create_line, create_terrain

STOREY = 2.9
"""Metres from floor to floor."""

# Metres. The house is seen from above with its corner at the origin.
_WIDTH, _DEPTH, _THICK = 12.0, 10.0, 0.2
_RISERS, _RUN = 16, 0.28
_STAIRS = ((0.3, 1.5), (1.5, 1.5 + (_RISERS - 1) * _RUN))
_RAMP_START, _RAMP_END, _RAMP_HIGH = 1.5, 8.0, 9.4
_RAMP_LANES = ((10.4, 11.7), (9.0, 10.3))
_BALCONY = ((3.0, 7.0), (_DEPTH, 12.0))
_DOOR = (3.5, 6.5)
_SPIRAL, _INNER, _OUTER, _TREAD = (6.0, 5.0), 0.2, 1.5, 0.06
_WALKED = 1.0
# The spiral winds down through three quarters; the fourth is a landing on every floor.
_WINDING = 1.5 * np.pi
_RAIL, _RAIL_THICK, _WALL_HEIGHT = 0.95, 0.06, 2.5
# Bends of the way, and the distance of its points.
_BEND, _SPACING = 0.7, 0.1

Span = tuple[float, float]


def make_house() -> dict[str, TerrainMesh]:
    """The parts of the house by name; each is solid, lengths in metres."""
    return {
        "Floor": _make_box((-1.0, _WIDTH + 1.0), (-1.0, _DEPTH + 1.0), (-_THICK, 0.0)),
        "First Floor": _make_floor(STOREY, [_STAIRS, _spiral_hole()]),
        "Second Floor": _make_floor(2.0 * STOREY, [_ramp_hole(), _spiral_hole()]),
        "Roof": _make_floor(3.0 * STOREY, []),
        "Balcony": _make_box(*_BALCONY, (2.0 * STOREY - _THICK, 2.0 * STOREY)),
        "Stairs": _make_stairs(),
        "Ramp": _make_ramp(),
        "Spiral": _make_spiral(),
        "Walls": _make_walls(),
        "Rails": _make_rails(),
    }


def make_way() -> FloatArray:
    """The middle of the way up and down, shape (P, 3), metres, about every 0.1 m a point."""
    stair_x = 0.5 * sum(_STAIRS[0])
    up, back = (0.5 * sum(lane) for lane in _RAMP_LANES)
    turn = 0.5 * (_RAMP_END + _RAMP_HIGH)
    middle_x, middle_y = _SPIRAL
    first, second = STOREY, 2.0 * STOREY
    corners = [
        (4.0, 0.6, 0.0),
        (stair_x, 0.6, 0.0),
        (stair_x, _STAIRS[1][0] - 0.5 * _RUN, 0.0),
        (stair_x, _STAIRS[1][1], first),
        (stair_x, 8.2, first),
        (8.2, 8.2, first),
        (8.2, 0.8, first),
        (up, 0.8, first),
        (up, _RAMP_START, first),
        (up, _RAMP_END, 1.5 * STOREY),
        (up, turn, 1.5 * STOREY),
        (back, turn, 1.5 * STOREY),
        (back, _RAMP_END, 1.5 * STOREY),
        (back, _RAMP_START, second),
        (back, 0.8, second),
        (2.0, 0.8, second),
        (2.0, 8.6, second),
        (4.0, 8.6, second),
        (4.0, 11.2, second),
        (6.0, 11.2, second),
        (6.0, 8.6, second),
        (8.2, 8.6, second),
        (8.2, 2.4, second),
        (middle_x + _WALKED, 2.4, second),
        (middle_x + _WALKED, middle_y - 0.7, second),
    ]
    rounded = _round_corners(np.array(corners))
    return _fill_in(np.concatenate([rounded, _wind_down(second), _leave_spiral()]))


def _wind_down(top: float) -> FloatArray:
    """Around the spiral from the landing of the top floor to the ground."""
    middle = np.array(_SPIRAL)
    turns = np.arange(0.0, 2.0 * _WINDING + 0.5 * np.pi, _SPACING / _WALKED)
    below = turns - np.where(turns > _WINDING, np.minimum(turns - _WINDING, 0.5 * np.pi), 0.0)
    places = middle + _WALKED * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return np.column_stack([places, top - STOREY * below / _WINDING])


def _leave_spiral() -> FloatArray:
    """Straight on at the foot of the spiral."""
    x, y = _SPIRAL
    return np.array([[x, y - _WALKED, 0.0], [x + 2.6, y - _WALKED, 0.0]])


def _round_corners(corners: FloatArray) -> FloatArray:
    """Points of a way of straight lines, with bends at its corners seen from above."""
    points = [corners[:1]]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        into, out = corner - before, after - corner
        size = min(_BEND, 0.5 * np.hypot(*into[:2]), 0.5 * np.hypot(*out[:2]))
        start = corner - into * size / np.hypot(*into[:2])
        end = corner + out * size / np.hypot(*out[:2])
        share = np.linspace(0.0, 1.0, 9)[:, None]
        bend = (1 - share) ** 2 * start + 2 * share * (1 - share) * corner + share**2 * end
        straight = abs(into[0] * out[1] - into[1] * out[0]) < 1e-9
        points.append(corner[None] if straight else bend)
    return np.concatenate([*points, corners[-1:]])


def _fill_in(points: FloatArray) -> FloatArray:
    """The same line with points all along."""
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    places = np.union1d(way, np.arange(0.0, way[-1], _SPACING))
    return np.column_stack([np.interp(places, way, axis) for axis in points.T])


def _spiral_hole() -> tuple[Span, Span]:
    """The opening of a floor around the spiral; its landing closes a quarter of it."""
    x, y = _SPIRAL
    return (x - _OUTER, x + _OUTER), (y - _OUTER, y + _OUTER)


def _ramp_hole() -> tuple[Span, Span]:
    """The opening of the second floor over the ramp."""
    return (_RAMP_LANES[1][0], _RAMP_LANES[0][1]), (_RAMP_START, _RAMP_HIGH)


def _make_floor(top: float, holes: Sequence[tuple[Span, Span]]) -> TerrainMesh:
    """A slab over the whole house with openings."""
    xs = sorted({0.0, _WIDTH, *(edge for hole in holes for edge in hole[0])})
    ys = sorted({0.0, _DEPTH, *(edge for hole in holes for edge in hole[1])})
    tiles = [
        _make_box((x, next_x), (y, next_y), (top - _THICK, top))
        for x, next_x in itertools.pairwise(xs)
        for y, next_y in itertools.pairwise(ys)
        if not any(hole[0][0] <= x < hole[0][1] and hole[1][0] <= y < hole[1][1] for hole in holes)
    ]
    return join_meshes(tiles)


def _make_stairs() -> TerrainMesh:
    """Straight stairs, each step a box as thick as two risers."""
    rise = STOREY / _RISERS
    start = _STAIRS[1][0]
    return join_meshes(
        [
            _make_box(
                _STAIRS[0],
                (start + step * _RUN, start + (step + 1) * _RUN),
                (max((step - 1) * rise, 0.0), (step + 1) * rise),
            )
            for step in range(_RISERS - 1)
        ]
    )


def _make_ramp() -> TerrainMesh:
    """Two slopes side by side with a landing between them."""
    low, middle, high = STOREY, 1.5 * STOREY, 2.0 * STOREY
    first, second = _RAMP_LANES
    landing = _make_box((second[0], first[1]), (_RAMP_END, _RAMP_HIGH), (middle - _THICK, middle))
    return join_meshes(
        [
            _make_slope(first, (_RAMP_START, _RAMP_END), (low, middle)),
            _make_slope(second, (_RAMP_START, _RAMP_END), (high, middle)),
            landing,
        ]
    )


def _make_spiral() -> TerrainMesh:
    """A column, treads around it, and a landing on each upper floor."""
    x, y = _SPIRAL
    rise, wedge = STOREY / _RISERS, _WINDING / (_RISERS - 1)
    parts = [
        _make_box((x - 0.1, x + 0.1), (y - 0.1, y + 0.1), (0.0, 2.0 * STOREY + _RAIL)),
    ]
    for floor in (1, 2):
        top = floor * STOREY
        parts.append(_make_box((x, x + _OUTER), (y - _OUTER, y), (top - _THICK, top)))
        parts += [
            _make_wedge(step * wedge, wedge, top - (step + 1) * rise) for step in range(_RISERS - 1)
        ]
    return join_meshes(parts)


def _make_wedge(start: float, size: float, top: float) -> TerrainMesh:
    """One tread of the spiral."""
    angles = start + size * np.linspace(0.0, 1.0, 4)
    rim = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    flat = np.array(_SPIRAL) + np.concatenate([_INNER * rim, _OUTER * rim[::-1]])
    count = len(flat)
    vertices = np.concatenate(
        [np.column_stack([flat, np.full(count, height)]) for height in (top, top - _TREAD)]
    )
    fan = []
    for place in range(3):
        inner, outer = place, 2 * 4 - 1 - place
        fan += [(inner, outer, outer - 1), (inner, outer - 1, inner + 1)]
    faces = np.array(fan)
    sides = []
    for corner in range(count):
        following = (corner + 1) % count
        sides += [
            (corner, following, following + count),
            (corner, following + count, corner + count),
        ]
    triangles = np.concatenate([faces, faces[:, ::-1] + count, np.array(sides)])
    return TerrainMesh(vertices, triangles)


def _make_walls() -> TerrainMesh:
    """Walls at the back and one side of each storey, with a door to the balcony."""
    walls = []
    for storey in range(3):
        heights = (storey * STOREY, storey * STOREY + _WALL_HEIGHT)
        doors = [_DOOR] if storey == 2 else []
        edges = [0.0, *(edge for door in doors for edge in door), _WIDTH]
        walls += [
            _make_box((start, end), (_DEPTH - 0.1, _DEPTH), heights)
            for start, end in zip(edges[::2], edges[1::2], strict=True)
        ]
        walls.append(_make_box((-0.1, 0.0), (0.0, _DEPTH), heights))
    return join_meshes(walls)


def _make_rails() -> TerrainMesh:
    """Rails around the balcony."""
    (left, right), (inner, outer) = _BALCONY
    heights = (2.0 * STOREY, 2.0 * STOREY + _RAIL)
    return join_meshes(
        [
            _make_box((left, left + _RAIL_THICK), (inner, outer), heights),
            _make_box((right - _RAIL_THICK, right), (inner, outer), heights),
            _make_box((left, right), (outer - _RAIL_THICK, outer), heights),
        ]
    )


def _make_box(x: Span, y: Span, z: Span) -> TerrainMesh:
    """A box between places."""
    middle = np.array([0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1])])
    return make_box(middle, (x[1] - x[0], y[1] - y[0]), z[0], z[1])


def _make_slope(x: Span, y: Span, tops: Span) -> TerrainMesh:
    """A slab that rises along y."""
    slab = _make_box(x, y, (-_THICK, 0.0))
    rise = np.interp(slab.vertices[:, 1], y, tops)
    return TerrainMesh(
        slab.vertices + np.stack([0.0 * rise, 0.0 * rise, rise], axis=1), slab.triangles
    )


WAY_NAME = "Way"
"""Name of the curve to walk along."""


def create_house(
    collection: bpy.types.Collection, character: str = "biped", *, backwards: bool = False
) -> bpy.types.Object:
    """Build the house, its way as a curve, and a character with a walk.

    Parameters
    ----------
    collection
        Where all of it is linked.
    character
        Key of `CHARACTER_SHAPES`.
    backwards
        Whether the way starts at the foot of the spiral.

    Returns
    -------
    object
        The armature; it stands at the start and is not set up.
    """
    for name, mesh in make_house().items():
        create_terrain(mesh, name, collection)
    way = make_way()[::-1] if backwards else make_way()
    create_line(WAY_NAME, way, collection)
    shape = CHARACTER_SHAPES[character]()
    armature = create_character(shape, collection)
    write_gaits(armature, shape, ["walk", REST_GAIT])
    armature.location = way[0]
    # The project's own characters face -Y.
    ahead = way[1] - way[0]
    armature.rotation_euler.z = float(np.arctan2(ahead[1], ahead[0]) + 0.5 * np.pi)
    return armature
