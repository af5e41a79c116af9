# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of one colour."""

from __future__ import annotations

from typing import Any

import bpy

from .. import versions

_ROUGHNESS = 0.9


def find_matt_material(
    name: str, colour: tuple[float, float, float], roughness: float = _ROUGHNESS
) -> bpy.types.Material:
    """The material of a name, whatever it looks like by now; a matt one is made where none is."""
    found: bpy.types.Material | None = bpy.data.materials.get(name)
    return found if found is not None else make_matt_material(name, colour, roughness)


def make_matt_material(
    name: str, colour: tuple[float, float, float], roughness: float = _ROUGHNESS
) -> bpy.types.Material:
    """A new matt material of a linear colour, the same in the viewport."""
    material = bpy.data.materials.new(name)
    material.diffuse_color = (*colour, 1.0)
    material.roughness = roughness
    nodes = versions.ensure_node_tree(material).nodes
    shader = next(n for n in nodes if n.type == "BSDF_PRINCIPLED")
    inputs: Any = shader.inputs
    inputs["Base Color"].default_value = (*colour, 1.0)
    inputs["Roughness"].default_value = roughness
    return material
