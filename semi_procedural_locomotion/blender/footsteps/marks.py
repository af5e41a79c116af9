# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footprints drawn on the ground as thin meshes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
import numpy as np

from ...core.drawing.shapes import list_used_prints, outline_soles
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray, invert_matrices
from ...core.walk import WalkPlan
from ..ground.casting import SceneGround
from ..limits import FOOTSTEP
from ..values.materials import find_matt_material

# Linear colours of left, right and middle feet.
_COLOURS: Mapping[str, tuple[float, float, float]] = {
    "L": (0.02, 0.18, 0.55),
    "R": (0.75, 0.16, 0.01),
    "": (0.25, 0.25, 0.25),
}
_NAMES = {"L": "Left Prints", "R": "Right Prints", "": "Middle Prints"}


def create_print_marks(
    plan: WalkPlan, span: tuple[float, float], name: str, collection: bpy.types.Collection
) -> list[bpy.types.Object]:
    """Marks of all prints that a walk uses.

    Parameters
    ----------
    span
        Seconds between which prints are drawn.
    collection
        Where they are linked.

    Returns
    -------
    list of objects
        One for still ground, and one for each thing that moves, which carries it.
    """
    groups: dict[str, list[tuple[FloatArray, str]]] = {}
    carriers: dict[str, bpy.types.Object] = {}
    for leg, row in zip(plan.tables.small_rig.legs, plan.prints.rows, strict=True):
        index = plan.tables.small_rig.legs.index(leg)
        length = float(plan.tables.rig.foot_lengths[index])
        for step in list_used_prints(row, *span):
            (outline,) = outline_soles(
                row.positions[step : step + 1],
                row.frames[step : step + 1],
                length,
                leg.sole_width,
                leg.side,
            )
            outline = outline + FOOTSTEP.mark_lift * rot.rotate(row.frames[step], rot.UP)
            carrier = find_carrier(plan, int(row.surfaces[step]))
            key = "" if carrier is None else carrier.name
            if carrier is not None:
                carriers[key] = carrier
                outline = _bring_along(plan, int(row.surfaces[step]), row.times[step], outline)
            groups.setdefault(key, []).append((outline, leg.side))
    return [
        _create_object(f"{name} Prints", outlines, collection, carriers.get(key))
        for key, outlines in groups.items()
    ]


def find_carrier(plan: WalkPlan, surface: int) -> bpy.types.Object | None:
    """The moving object that carries a surface of the scene, or None."""
    if not isinstance(plan.ground, SceneGround) or surface < 0:
        return None
    return plan.ground.surfaces[surface].carrier


def _bring_along(plan: WalkPlan, surface: int, time: float, outline: FloatArray) -> FloatArray:
    """An outline (P, 3) in the axes of what carries it."""
    (frame,) = plan.ground.surface_frames(surface, np.array([time]))
    back = invert_matrices(frame)
    return outline @ back[:3, :3].T + back[:3, 3]


def _create_object(
    name: str,
    outlines: Sequence[tuple[FloatArray, str]],
    collection: bpy.types.Collection,
    carrier: bpy.types.Object | None,
) -> bpy.types.Object:
    """One mesh object of outlines with a colour for each side."""
    mesh = bpy.data.meshes.new(name)
    corners = len(outlines[0][0])
    vertices = np.concatenate([outline for outline, _ in outlines])
    faces = np.arange(len(vertices)).reshape(-1, corners)
    mesh.from_pydata(vertices.tolist(), [], faces.tolist())
    sides = list(_COLOURS)
    for side in sides:
        mesh.materials.append(find_matt_material(_NAMES[side], _COLOURS[side]))
    chosen = [sides.index(side if side in _COLOURS else "") for _, side in outlines]
    mesh.polygons.foreach_set("material_index", np.array(chosen, dtype=np.int32))
    item = bpy.data.objects.new(name, mesh)
    collection.objects.link(item)
    item.parent = carrier
    item.hide_select = True
    return item
