# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers of animation curves, read as values and written from them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import bpy

# Type, properties by name and envelope points of a modifier.
KeptModifier = tuple[str, dict[str, Any], list[tuple[float, ...]]]

_ENVELOPE_POINT = ("frame", "min", "max")


def read_modifiers(curve: bpy.types.FCurve) -> tuple[KeptModifier, ...]:
    """All modifiers of a curve, in their order."""
    return tuple(_read_modifier(modifier) for modifier in curve.modifiers)


def _read_modifier(modifier: bpy.types.FModifier) -> KeptModifier:
    """Type, properties by name and envelope points of a modifier."""
    values = {}
    for prop in modifier.bl_rna.properties:
        if not prop.is_readonly and prop.type not in {"POINTER", "COLLECTION"}:
            value = getattr(modifier, prop.identifier)
            values[prop.identifier] = tuple(value) if getattr(prop, "is_array", False) else value
    points = modifier.control_points if modifier.type == "ENVELOPE" else ()
    return (
        modifier.type,
        values,
        [tuple(getattr(p, name) for name in _ENVELOPE_POINT) for p in points],
    )


def write_modifiers(curve: bpy.types.FCurve, kept: Sequence[KeptModifier]) -> None:
    """Give a curve modifiers in place of its own."""
    while len(curve.modifiers):
        curve.modifiers.remove(curve.modifiers[0])
    for kind, values, points in kept:
        modifier = curve.modifiers.new(kind)
        for name, value in values.items():
            # Blender makes a modifier active whatever it is told.
            if name != "active":
                # A file may name any property and any value.
                with suppress(AttributeError, TypeError, ValueError, OverflowError):
                    setattr(modifier, name, value)
        for frame, *_ in points:
            modifier.control_points.add(frame)
        if points and len(modifier.control_points) == len(points):
            # Writing a single point makes Blender 4.2 take it for a modifier, and crash at times.
            for name, column in zip(_ENVELOPE_POINT, zip(*points, strict=True), strict=True):
                modifier.control_points.foreach_set(name, column)
    for modifier, (_, values, _) in zip(curve.modifiers, kept, strict=True):
        if values["active"]:
            curve.modifiers.active = modifier
