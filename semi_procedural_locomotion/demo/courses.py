# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The walks of the demo as data: who goes where over what. All of them go along -Y."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .characters import REST_GAIT
from .course_shapes import (
    TerrainMesh,
    make_blocks,
    make_bump_heights,
    make_height_block,
    make_profile_block,
    make_ramp_profile,
    make_stair_profile,
    make_tilt_heights,
)

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
