# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of the scene that carry a travel, and characters set upright on them."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.travel.carried import Carrier, carrier_from_samples
from ..limits import PATH, SCENE_GROUND
from ..values.constraints import CARRYING, list_targets
from ..values.matrices import find_mover, is_animated, sample_world_matrices
from ..values.scene_state import get_frame_rate


def sample_carrier(
    item: bpy.types.Object, scene: bpy.types.Scene, since: float, start: float, end: float
) -> Carrier | None:
    """An object as a carrier, known twice a frame as moving ground is; None where it stands still.

    Parameters
    ----------
    item
        The object; not changed.
    scene
        Gives the clock; neither stepped nor changed.
    since
        Seconds at which the carrier's space is the world.
    start, end
        Seconds from which and until which it carries. Before and after it counts as resting, so
        they leave room for the steps at the ends of a walk.
    """
    if not is_animated(item):
        return None
    rate = get_frame_rate(scene) * SCENE_GROUND.samples_per_frame
    first = int(np.floor(min(start, since) * rate))
    last = int(np.ceil(max(end, since) * rate))
    steps = np.arange(first, last + 1, dtype=np.float64)
    frames = steps / SCENE_GROUND.samples_per_frame
    matrices = sample_world_matrices([item], frames, scene)[0]
    if not np.any(np.ptp(matrices, axis=0)):
        return None
    return replace(carrier_from_samples(steps / rate, matrices, since), name=item.name)


def is_carried(item: bpy.types.Object) -> bool:
    """Whether a parent, or a constraint that carries as a parent does, may move an object."""
    if any(c.type in CARRYING and not c.mute for c in item.constraints):
        return True
    parent = item.parent
    return parent is not None and (item.parent_type != "OBJECT" or is_animated(parent))


def sample_parent_carrier(
    armature: bpy.types.Object, scene: bpy.types.Scene, since: float, start: float, end: float
) -> Carrier | None:
    """Find what carries a character: its parents, and constraints that carry as a parent does.

    Its own keys do not count. See `sample_carrier` for the parameters; None where nothing does or it
    stands still.
    """
    if not is_carried(armature):
        return None
    double = armature.copy()
    try:
        double.animation_data_clear()
        for constraint in [c for c in double.constraints if c.type not in CARRYING or c.mute]:
            double.constraints.remove(constraint)
        carrier = sample_carrier(double, scene, since, start, end)
    finally:
        bpy.data.objects.remove(double)
    return None if carrier is None else replace(carrier, name=_name_carrier(armature))


def _name_carrier(item: bpy.types.Object) -> str:
    """Name of what carries an object that is carried."""
    for constraint in item.constraints:
        if constraint.type in CARRYING and not constraint.mute:
            return next((str(end.name) for end in list_targets(constraint)), item.name)
    mover = None if item.parent is None else find_mover(item.parent) or item.parent
    return str(item.name if mover is None else mover.name)


def set_upright(armature: bpy.types.Object, matrices: FloatArray) -> FloatArray:
    """World matrices of a carried character with the tilt of what carries it taken off.

    Parameters
    ----------
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
