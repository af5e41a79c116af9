# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thresholds of rays against meshes, each with its unit and what it is for (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CastingLimits:
    """Vertical rays against triangles (docs/method/ground.md, Vertical rays)."""

    chunk: int = 4000
    """Rays done at once: more fall out of the processor's cache."""
    most_cells: int = 128
    """Cells that a triangle may touch; one that would touch more goes to a coarser grid."""
    coarser: float = 4.0
    """Size of the next grid's cells, in cells."""
    thin: float = 2.0
    """Size of a cell in short sides of the usual triangle at the most, so that cells fit treads."""
    touch: float = 1e-9
    """Share of the mesh's size within which a ray's start counts as on the surface."""
    same: float = 1e-6
    """Share of the mesh's size within which two hits of one line on faces that look the same way are
    one: the line runs through an edge that they share."""


@dataclass(frozen=True)
class PlaneLimits:
    """Rays against an endless plane (docs/method/ground.md, Vertical rays)."""

    rounding: float = 1e-12
    """Share of the coordinates by which a start on the plane may lie below it by its own rounding."""


@dataclass(frozen=True)
class RoomLimits:
    """Room over surfaces that lie over each other (docs/method/ground.md, Levels)."""

    equal: float = 0.02
    """Share of the reach within which the room over two surfaces is the same."""
    over_reach: float = 2.1
    """Reaches of a step that are free over what a foot steps on: little more than those up and down."""
    doubtful: float = 0.4
    """Share of the reach over the floor above which what a ray meets is looked at: it may hang there."""
    floor: float = 0.01
    """Share of a room's height by which a floor may lie over or under the room's own underside."""
    origin: float = 0.1
    """Share of the reach by which a surface must be nearer to the origin than to the soles, so that the
    origin tells where a character stands."""


CASTING = CastingLimits()
PLANE = PlaneLimits()
ROOM = RoomLimits()
