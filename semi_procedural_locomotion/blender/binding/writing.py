# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights written to vertex groups, and meshes tied to their armature."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.rig.binding.weights import BoundWeights

# Blender sets one weight for many vertices at a time, so weights are whole thousandths.
_UNITS = 1000


def write_weights(
    item: bpy.types.Object, names: tuple[str, ...], weights: BoundWeights, kept: np.ndarray | None
) -> None:
    """Write weights to the vertex groups of a mesh object.

    Parameters
    ----------
    item
        A mesh object that is not being edited.
    names
        Names of the bones.
    weights
        Of all vertices.
    kept
        Whether a vertex keeps what it has, shape (V,); None for no vertex. Otherwise the groups of
        these bones are made anew.
    """
    if kept is None:
        for group in [g for g in item.vertex_groups if g.name in names]:
            item.vertex_groups.remove(group)
    units = _round_weights(weights.values)
    vertices, places = np.nonzero(units)
    if kept is not None:
        free = ~kept[vertices]
        vertices, places = vertices[free], places[free]
    levels = weights.bones[vertices, places].astype(np.int64) * (_UNITS + 1)
    levels += units[vertices, places]
    order = np.argsort(levels, kind="stable")
    vertices, levels = vertices[order], levels[order]
    starts = np.flatnonzero(np.diff(levels, prepend=-1))
    groups = {}
    for start, end in zip(starts, [*starts[1:], len(levels)], strict=True):
        bone, unit = divmod(int(levels[start]), _UNITS + 1)
        if bone not in groups:
            found = item.vertex_groups.get(names[bone])
            groups[bone] = found or item.vertex_groups.new(name=names[bone])
        groups[bone].add(vertices[start:end].tolist(), unit / _UNITS, "REPLACE")


def _round_weights(values: np.ndarray) -> np.ndarray:
    """Weights (V, k) of sum 1 as whole units of the same sum: the heaviest takes what is left."""
    units = np.round(values * _UNITS).astype(np.int64)
    units[:, 0] += _UNITS - units.sum(axis=1)
    return units


def tie_to_armature(
    item: bpy.types.Object, armature: bpy.types.Object, *, keeps_volume: bool
) -> bool:
    """Let a mesh object be deformed by an armature, and be its child where it has no parent.

    Returns
    -------
    bool
        Whether it had a modifier for that already.
    """
    modifiers = [m for m in item.modifiers if m.type == "ARMATURE" and m.object == armature]
    had_one = bool(modifiers)
    if not modifiers:
        free = [m for m in item.modifiers if m.type == "ARMATURE" and m.object is None]
        modifiers = free[:1] or [item.modifiers.new("Armature", "ARMATURE")]
        modifiers[0].object = armature
        if not free:
            _move_before_levels(item, modifiers[0])
    for modifier in modifiers:
        modifier.use_vertex_groups = True
        modifier.use_deform_preserve_volume = keeps_volume
    if item.parent is None:
        item.parent = armature
        item.matrix_parent_inverse = armature.matrix_world.inverted_safe()
    return had_one


def _move_before_levels(item: bpy.types.Object, modifier: bpy.types.Modifier) -> None:
    """Put a modifier before those that refine the mesh, so that few vertices are moved."""
    names = [m.name for m in item.modifiers]
    finer = [n for n in names if item.modifiers[n].type in {"SUBSURF", "MULTIRES"}]
    if finer:
        item.modifiers.move(names.index(modifier.name), names.index(finer[0]))
