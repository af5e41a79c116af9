# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones and skinned surfaces of the project's own characters, as data and arrays (numpy only).

A surface is lofted: rings of points along a path, joined by quads and closed at both ends. Each ring
has its own bone weights, so a limb that bends is one smooth piece. All coordinates are metres in the
character's space: facing -Y, Z up, the ground at 0, the left side at positive X.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

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
    material
        Name of the material.
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
    name
        Name of its objects.
    bones
        Parents first.
    surfaces
        Joined into one mesh.
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


def mirror_name(name: str) -> str:
    """The name on the other side: ``foot.L`` becomes ``foot.R``, others stay."""
    left, right = _MIRRORED
    return f"{name[:-1]}{right}" if name.endswith(f".{left}") else name


def mirror_point(point: Point) -> Point:
    """The point on the other side."""
    return (-point[0], point[1], point[2])


def mirror_surface(surface: SkinSurface) -> SkinSurface:
    """The surface on the other side."""
    return SkinSurface(
        vertices=surface.vertices * np.array([-1.0, 1.0, 1.0]),
        faces=tuple(face[::-1] for face in surface.faces),
        smooth=surface.smooth,
        weights=tuple({mirror_name(b): w for b, w in ws.items()} for ws in surface.weights),
        material=surface.material,
    )


def mirror_bones(bones: Sequence[BoneShape]) -> tuple[BoneShape, ...]:
    """The bones with those of the other side after them."""
    others = [
        BoneShape(
            mirror_name(b.name),
            None if b.parent is None else mirror_name(b.parent),
            mirror_point(b.head),
            mirror_point(b.tail),
            b.deforms,
        )
        for b in bones
        if mirror_name(b.name) != b.name
    ]
    return (*bones, *others)


def mirror_leg(leg: LegShape, name: str) -> LegShape:
    """The leg on the other side."""
    return LegShape(
        name=name,
        side=_MIRRORED[1],
        joints=tuple(mirror_name(j) for j in leg.joints),
        toe=None if leg.toe is None else mirror_name(leg.toe),
        heel=mirror_point(leg.heel),
        ball=mirror_point(leg.ball),
        toe_tip=mirror_point(leg.toe_tip),
        sole_width=leg.sole_width,
    )


def mirror_arm(arm: ArmShape) -> ArmShape:
    """The arm on the other side."""
    return ArmShape(
        side=_MIRRORED[1],
        shoulder=None if arm.shoulder is None else mirror_name(arm.shoulder),
        upper=mirror_name(arm.upper),
        fore=mirror_name(arm.fore),
        hand=None if arm.hand is None else mirror_name(arm.hand),
    )
