# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is up for a character that stands on something tilted."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ..limits import PATH
from .carriers import is_carried


def set_upright(armature: bpy.types.Object, matrices: FloatArray) -> FloatArray:
    """World matrices of a carried character with the tilt of what carries it taken off.

    Parameters
    ----------
    armature
        The character's object.
    matrices
        Where it stands without its bake, shape (N, 4, 4).

    Returns
    -------
    array, shape (N, 4, 4)
        All turned about the first place so that the axis of the object that is nearest to the
        vertical in the first is vertical there. The same ones where nothing that may tilt carries
        the character: then its tilt is its own (docs/method/rig.md, Character space).
    """
    axes = rot.normalize(matrices[0, :3, :3].T)
    nearest = axes[np.argmax(np.abs(axes[:, 2]))]
    x, y, z = nearest * np.sign(nearest[2])
    if np.hypot(x, y) < PATH.level or not stands_on_something(armature):
        return matrices
    # Half of the way from the axis to up and on again: the shortest turn, about a level axis.
    turn = rot.matrices_from_quaternions(rot.normalize_quaternions(np.array([1.0 + z, y, -x, 0.0])))
    turned = matrices.copy()
    place = matrices[0, :3, 3]
    turned[:, :3, :3] = turn @ matrices[:, :3, :3]
    turned[:, :3, 3] = place + (matrices[:, :3, 3] - place) @ turn.T
    return turned


def stands_on_something(armature: bpy.types.Object) -> bool:
    """Whether what is above a character moves, or holds more than the character.

    Importers hang a character from empties that turn and scale it, and those hold nothing else.
    """
    if is_carried(armature):
        return True
    above = armature.parent
    while above is not None:
        if any(_is_surface(item) for item in (above, *above.children_recursive)):
            return True
        above = above.parent
    return False


def _is_surface(item: bpy.types.Object) -> bool:
    """Whether an object has a shape that is none of a character's."""
    if item.type != "MESH" and item.instance_type != "COLLECTION":
        return False
    if any(m.type == "ARMATURE" and m.object is not None for m in item.modifiers):
        return False
    above = item.parent
    while above is not None and above.type != "ARMATURE":
        above = above.parent
    return above is None
