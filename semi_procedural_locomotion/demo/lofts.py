# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of characters as data, and skins lofted through rings: limbs, shoes, paws (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray

_MIRRORED = ("L", "R")

Weights = Mapping[str, float]
Point = tuple[float, float, float]


@dataclass(frozen=True)
class BoneShape:
    """A bone at rest.

    Attributes
    ----------
    name, parent
        Its name and that of its parent, or None.
    head, tail
        Metres.
    deforms
        Whether it moves vertices.
    """

    name: str
    parent: str | None
    head: Point
    tail: Point
    deforms: bool = True


@dataclass(frozen=True)
class LegShape:
    """Names and sole of a leg: bones hip .. ankle, toe bone or None, sole points on the ground."""

    name: str
    side: str
    joints: tuple[str, ...]
    toe: str | None
    heel: Point
    ball: Point
    toe_tip: Point
    sole_width: float


@dataclass(frozen=True)
class ArmShape:
    """Names of an arm's bones; shoulder and hand may be None."""

    side: str
    shoulder: str | None
    upper: str
    fore: str
    hand: str | None


@dataclass(frozen=True)
class SkinSurface:
    """A closed skinned surface.

    Attributes
    ----------
    vertices
        Metres, shape (V, 3).
    faces
        Vertex indices of each face, counter-clockwise seen from outside.
    smooth
        Whether each face is shaded smoothly, shape (F,) of bool.
    weights
        Bone weights of each vertex, sum 1, length V.
    """

    vertices: FloatArray
    faces: tuple[tuple[int, ...], ...]
    smooth: np.ndarray
    weights: tuple[Weights, ...]
    material: str


@dataclass(frozen=True)
class CharacterShape:
    """All of a character as data.

    Attributes
    ----------
    bones
        Parents first.
    colours
        Materials by name: linear red, green, blue.
    legs
        Pairs, left before right, front pairs first.
    body
        The bone that carries the hips.
    spine, neck, head, arms, tail
        Other bones by name, see `core.gait_parts.BodyParts`.
    """

    name: str
    bones: tuple[BoneShape, ...]
    surfaces: tuple[SkinSurface, ...]
    colours: Mapping[str, tuple[float, float, float]]
    legs: tuple[LegShape, ...]
    body: str
    spine: tuple[str, ...] = ()
    neck: tuple[str, ...] = ()
    head: str | None = None
    arms: tuple[ArmShape, ...] = ()
    tail: tuple[str, ...] = field(default=())


def go_along(start: Point, direction: Point, length: float) -> Point:
    """The point ``length`` further along a direction that need not be of length 1."""
    size = sum(c * c for c in direction) ** 0.5
    x, y, z = (s + length * d / size for s, d in zip(start, direction, strict=True))
    return (x, y, z)


def _mirror_name(name: str) -> str:
    """The name on the other side: ``foot.L`` becomes ``foot.R``, others stay."""
    left, right = _MIRRORED
    return f"{name[:-1]}{right}" if name.endswith(f".{left}") else name


def _mirror_point(point: Point) -> Point:
    """The point on the other side."""
    return (-point[0], point[1], point[2])


def mirror_surface(surface: SkinSurface) -> SkinSurface:
    """The surface on the other side."""
    return SkinSurface(
        vertices=surface.vertices * np.array([-1.0, 1.0, 1.0]),
        faces=tuple(face[::-1] for face in surface.faces),
        smooth=surface.smooth,
        weights=tuple({_mirror_name(b): w for b, w in ws.items()} for ws in surface.weights),
        material=surface.material,
    )


def mirror_bones(bones: Sequence[BoneShape]) -> tuple[BoneShape, ...]:
    """The bones with those of the other side after them."""
    others = [
        BoneShape(
            _mirror_name(b.name),
            None if b.parent is None else _mirror_name(b.parent),
            _mirror_point(b.head),
            _mirror_point(b.tail),
            b.deforms,
        )
        for b in bones
        if _mirror_name(b.name) != b.name
    ]
    return (*bones, *others)


def mirror_leg(leg: LegShape, name: str) -> LegShape:
    """The leg on the other side."""
    return LegShape(
        name=name,
        side=_MIRRORED[1],
        joints=tuple(_mirror_name(j) for j in leg.joints),
        toe=None if leg.toe is None else _mirror_name(leg.toe),
        heel=_mirror_point(leg.heel),
        ball=_mirror_point(leg.ball),
        toe_tip=_mirror_point(leg.toe_tip),
        sole_width=leg.sole_width,
    )


def mirror_arm(arm: ArmShape) -> ArmShape:
    """The arm on the other side."""
    return ArmShape(
        side=_MIRRORED[1],
        shoulder=None if arm.shoulder is None else _mirror_name(arm.shoulder),
        upper=_mirror_name(arm.upper),
        fore=_mirror_name(arm.fore),
        hand=None if arm.hand is None else _mirror_name(arm.hand),
    )


# Points around a ring, and rings that round off the end of a tube.
_AROUND = 16
_CAP_RINGS = 4
# Points over the upper side of a shoe's section, and between the edges of its flat sole.
_UPPER_POINTS = 11
_SOLE_POINTS = 5
# Sections of a paw: place from heel to tip, and width and height as shares of the largest.
_PAW_SECTIONS = (
    (0.0, 0.45, 0.45),
    (0.06, 0.7, 0.75),
    (0.2, 0.92, 1.0),
    (0.45, 1.0, 1.0),
    (0.7, 0.98, 0.85),
    (0.88, 0.8, 0.65),
    (0.97, 0.5, 0.4),
    (1.0, 0.3, 0.25),
)
_PAW_MATERIAL = "Dark"


@dataclass(frozen=True)
class Ring:
    """A ring of a tube: its middle, its half sizes to the side and to the front, its weights."""

    middle: Point
    aside: float
    ahead: float
    weights: Weights


@dataclass(frozen=True)
class Station:
    """A cross section of a shoe at some place along the foot.

    Attributes
    ----------
    half_width, height
        Metres.
    """

    y: float
    x: float
    half_width: float
    height: float
    weights: Weights


def make_tube(
    rings: Sequence[Ring],
    material: str,
    squareness: float = 2.0,
    around: int = _AROUND,
    reference: Point = (1.0, 0.0, 0.0),
    bulge: float = 1.0,
    upright: bool = False,
) -> SkinSurface:
    """A tube through rings, closed by rounded ends.

    Parameters
    ----------
    rings
        Two or more, from one end to the other.
    squareness
        Exponent of the superellipse that is the section: 2 for an ellipse, more for squarer ones.
    reference
        Direction that is the side of a ring, not along the tube.
    bulge
        How far the ends bulge, share of the smaller half size of the last ring.
    upright
        Whether all rings lie level, instead of across the path of their middles.
    """
    middles = np.array([ring.middle for ring in rings])
    path = np.tile(rot.UP, (len(rings), 1)) if upright else np.gradient(middles, axis=0)
    along = rot.normalize(path)
    rings_of_points: list[FloatArray] = []
    weights: list[Weights] = []

    def add(index: int, advance: float, size: float) -> None:
        """One ring of points, moved along the tube and shrunk."""
        ring = rings[index]
        side = rot.normalize(reference - rot.dot(np.array(reference), along[index]) * along[index])
        front = rot.cross(along[index], side)
        angle = 2.0 * np.pi * np.arange(around) / around
        power = 2.0 / squareness
        cosine, sine = np.cos(angle), np.sin(angle)
        x = ring.aside * size * np.sign(cosine) * np.abs(cosine) ** power
        y = ring.ahead * size * np.sign(sine) * np.abs(sine) ** power
        middle = middles[index] + advance * along[index]
        rings_of_points.append(middle + x[:, None] * side + y[:, None] * front)
        weights.append(ring.weights)

    last = len(rings) - 1
    bulges = [bulge * min(rings[i].aside, rings[i].ahead) for i in (0, last)]
    angles = 0.5 * np.pi * np.arange(1, _CAP_RINGS) / _CAP_RINGS
    for angle in angles[::-1]:
        add(0, -bulges[0] * float(np.sin(angle)), float(np.cos(angle)))
    for index in range(len(rings)):
        add(index, 0.0, 1.0)
    for angle in angles:
        add(last, bulges[1] * float(np.sin(angle)), float(np.cos(angle)))
    poles = (middles[0] - bulges[0] * along[0], middles[-1] + bulges[1] * along[-1])
    return _join_rings(rings_of_points, weights, material, poles)


def make_shoe(stations: Sequence[Station], material: str) -> SkinSurface:
    """A shoe with a flat sole on the ground.

    Parameters
    ----------
    stations
        Sections from the heel to the toe.

    Returns
    -------
    SkinSurface
        Its lowest vertices lie at exactly z = 0; the faces between them are shaded flat.
    """
    angle = np.pi * np.arange(_UPPER_POINTS) / (_UPPER_POINTS - 1)
    sole = np.linspace(-1.0, 1.0, _SOLE_POINTS + 2)[1:-1]
    # A section runs from its left edge over the top to the right edge and back along the sole; the
    # upper side stands steeper than an ellipse, like a shoe's.
    x = np.concatenate([np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** 0.8, sole])
    z = np.concatenate([np.abs(np.sin(angle)) ** 0.8, np.zeros(_SOLE_POINTS)])
    z[[0, _UPPER_POINTS - 1]] = 0.0
    rings = [
        np.stack([s.x + s.half_width * x, np.full_like(x, s.y), s.height * z], axis=-1)
        for s in stations
    ]
    ends = tuple(
        np.array([s.x, s.y + bulge, 0.45 * s.height])
        for s, bulge in ((stations[0], 0.006), (stations[-1], -0.006))
    )
    surface = _join_rings(rings, [s.weights for s in stations], material, (ends[0], ends[1]))
    low = surface.vertices[:, 2] <= 0.0
    smooth = np.array([not all(low[list(face)]) for face in surface.faces])
    return replace(surface, smooth=smooth)


def make_paw(
    ankle: Point, heel: float, tip: float, half_width: float, height: float, bone: str
) -> SkinSurface:
    """A rounded paw with a flat sole.

    Parameters
    ----------
    ankle
        Head of the bone that carries it; the paw lies below.
    half_width, height
        Metres, of its largest section.
    """
    stations = [
        Station(
            heel + share * (tip - heel), ankle[0], half_width * wide, height * high, {bone: 1.0}
        )
        for share, wide, high in _PAW_SECTIONS
    ]
    return make_shoe(stations, _PAW_MATERIAL)


def _join_rings(
    rings: Sequence[FloatArray],
    weights: Sequence[Weights],
    material: str,
    poles: tuple[FloatArray, FloatArray],
) -> SkinSurface:
    """A closed surface through rings of equally many points."""
    around = len(rings[0])
    faces: list[tuple[int, ...]] = []
    for level in range(len(rings) - 1):
        for i in range(around):
            j = (i + 1) % around
            low, high = level * around, (level + 1) * around
            faces.append((low + i, low + j, high + j, high + i))
    first, second = len(rings) * around, len(rings) * around + 1
    top = (len(rings) - 1) * around
    for i in range(around):
        j = (i + 1) % around
        faces.append((first, j, i))
        faces.append((second, top + i, top + j))
    vertices = np.concatenate([*rings, np.stack(poles)])
    per_vertex = [w for w in weights for _ in range(around)] + [weights[0], weights[-1]]
    if _measure_volume(vertices, faces) < 0:
        faces = [face[::-1] for face in faces]
    return SkinSurface(
        vertices, tuple(faces), np.ones(len(faces), dtype=bool), tuple(per_vertex), material
    )


def _measure_volume(vertices: FloatArray, faces: Sequence[tuple[int, ...]]) -> float:
    """Signed volume inside a closed surface, positive where its faces look outwards."""
    triangles = np.array(
        [(face[0], *edge) for face in faces for edge in pairwise(face[1:])], dtype=np.intp
    )
    corners = (vertices - vertices.mean(axis=0))[triangles]
    return float(np.linalg.det(corners).sum()) / 6.0
