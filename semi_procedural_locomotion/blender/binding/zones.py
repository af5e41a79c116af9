# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zones of bones, and the weights of one bone, as a colour attribute of a mesh."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.drawing.shapes import colours_from_weights, colours_of_bones
from ...core.maths.rotations import FloatArray
from .reading import list_weighted_bones, read_weights

ZONES_NAME = "Bone Zones"


def write_zones(item: bpy.types.Object, armature: bpy.types.Object, bone: str | None) -> bool:
    """Colour a mesh object by the bones that its vertices follow, or by the weights of one.

    Parameters
    ----------
    item
        A mesh object.
    armature
        Whose bones its groups are named after.
    bone
        The bone; None for all.

    Returns
    -------
    bool
        Whether it has weights of the armature.
    """
    names = list_weighted_bones(item, armature)
    if not names:
        return False
    count = len(item.data.vertices)
    if bone is None:
        entries, weights = read_weights(item, names)
        shades: FloatArray = colours_of_bones(len(names))[entries[:, 1]] * weights[:, None]
        sums = np.bincount(entries[:, 0], weights, count)
        mixed = [np.bincount(entries[:, 0], shades[:, axis], count) for axis in range(3)]
        colours = np.stack(mixed, axis=1) / np.maximum(sums, 1e-9)[:, None]
    else:
        entries, weights = read_weights(item, [bone])
        values = np.zeros(count)
        values[entries[:, 0]] = weights
        colours = colours_from_weights(values)
    attributes = item.data.color_attributes
    attribute = attributes.get(ZONES_NAME)
    if attribute is None:
        attribute = attributes.new(name=ZONES_NAME, type="BYTE_COLOR", domain="POINT")
    flat = np.ones((count, 4), dtype=np.float32)
    flat[:, :3] = colours
    attribute.data.foreach_set("color", flat.ravel())
    attributes.active_color = attribute
    item.data.update()
    return True


def remove_zones(item: bpy.types.Object) -> bool:
    """Take the colours away; whether there were any."""
    attribute = item.data.color_attributes.get(ZONES_NAME)
    if attribute is None:
        return False
    item.data.color_attributes.remove(attribute)
    return True
