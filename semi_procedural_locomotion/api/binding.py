# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bind to Skeleton: meshes that follow an armature, from nothing but their shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import bpy
import numpy as np

from ..blender.binding.reading import (
    list_weighted_bones,
    read_bind_bones,
    read_shape,
    read_weights,
)
from ..blender.binding.writing import tie_to_armature, write_weights
from ..blender.binding.zones import ZONES_NAME, remove_zones, write_zones
from ..core.rig.binding.bones import BindBones
from ..core.rig.binding.weights import BindOptions, BoundWeights, bind_vertices
from ..errors import RigError
from .progress import Progress, Steps, run_steps

ASK, REPLACE, ADD = "ASK", "REPLACE", "ADD"


@dataclass(frozen=True)
class BindRequest:
    """How meshes are bound.

    Attributes
    ----------
    options
        How vertices follow bones.
    existing
        What happens to weights that there are: ``"ASK"`` refuses, ``"REPLACE"`` makes them anew,
        ``"ADD"`` leaves weighted vertices alone.
    keeps_volume
        Whether joints keep their volume when they turn.
    """

    options: BindOptions = field(default_factory=BindOptions)
    existing: str = ASK
    keeps_volume: bool = False


@dataclass(frozen=True)
class FoundBinding:
    """Computed weights, not written.

    Attributes
    ----------
    armature, request, bones
        The armature object, what was asked for, and its deforming bones.
    items, weights, kept
        Mesh objects, their weights, and which vertices (V,) keep theirs; None for none.
    """

    armature: bpy.types.Object
    request: BindRequest
    bones: BindBones
    items: tuple[bpy.types.Object, ...]
    weights: tuple[BoundWeights, ...]
    kept: tuple[np.ndarray | None, ...]

    @property
    def vertex_count(self) -> int:
        """How many vertices are bound."""
        kept = (np.zeros(1) if k is None else k for k in self.kept)
        return sum(len(w.nearest) - int(k.sum()) for w, k in zip(self.weights, kept, strict=True))


def find_meshes(
    armature: bpy.types.Object, chosen: Sequence[bpy.types.Object]
) -> list[bpy.types.Object]:
    """The chosen mesh objects; without any those that an armature carries or deforms."""
    meshes = [item for item in chosen if item.type == "MESH"]
    if meshes:
        return meshes
    return [
        item
        for item in bpy.context.scene.objects
        if item.type == "MESH" and (item.parent == armature or item.find_armature() == armature)
    ]


def list_bound(
    armature: bpy.types.Object, items: Sequence[bpy.types.Object]
) -> list[bpy.types.Object]:
    """Those of some mesh objects that have weights of an armature's bones."""
    return [item for item in items if list_weighted_bones(item, armature)]


def find_binding(
    armature: bpy.types.Object,
    items: Sequence[bpy.types.Object],
    request: BindRequest | None = None,
) -> Steps[FoundBinding]:
    """Compute what the vertices of meshes follow; nothing in the file changes.

    Parameters
    ----------
    armature
        The armature object, whose rest pose counts.
    items
        Mesh objects, as they are without modifiers.
    request
        None for `BindRequest` as it is.

    Raises
    ------
    RigError
        There is no mesh, no vertex or no bone, or weights that nobody decided about.
    """
    asked = request or BindRequest()
    if not items:
        raise RigError(
            f"no mesh is selected beside {armature.name!r}: select the meshes, then the armature"
        )
    bones = read_bind_bones(armature)
    bound = list_bound(armature, items)
    if asked.existing == ASK and bound:
        count = len(list_weighted_bones(bound[0], armature))
        raise RigError(
            f"{bound[0].name!r} has weights of {count} bones already: set Existing Weights to Replace "
            "or to Keep"
        )
    found, kept = [], []
    for number, item in enumerate(items):
        yield number / len(items), f"binding {item.name}"
        points, edges = read_shape(item)
        if not len(points):
            raise RigError(f"{item.name!r} has no vertices: select another mesh")
        found.append(bind_vertices(points, edges, bones, asked.options))
        kept.append(_find_weighted(item, armature) if asked.existing == ADD else None)
    return FoundBinding(armature, asked, bones, tuple(items), tuple(found), tuple(kept))


def write_binding(found: FoundBinding) -> None:
    """Write computed weights, and let the armature deform the meshes."""
    for item, weights, kept in zip(found.items, found.weights, found.kept, strict=True):
        write_weights(item, found.bones.names, weights, kept)
        tie_to_armature(item, found.armature, keeps_volume=found.request.keeps_volume)
        if ZONES_NAME in item.data.color_attributes:
            write_zones(item, found.armature, None)


def bind_meshes(
    armature: bpy.types.Object,
    items: Sequence[bpy.types.Object],
    request: BindRequest | None = None,
    progress: Progress | None = None,
) -> FoundBinding:
    """Bind meshes to an armature; see `find_binding` and `write_binding`."""
    found = run_steps(find_binding(armature, items, request), progress)
    write_binding(found)
    return found


def show_zones(
    armature: bpy.types.Object, items: Sequence[bpy.types.Object], bone: str | None = None
) -> None:
    """Colour meshes by the bones that they follow, or by the weights of one bone.

    Raises
    ------
    RigError
        None of them has weights, or there is no such bone.
    """
    if bone is not None and bone not in armature.data.bones:
        raise RigError(f"{armature.name!r} has no bone {bone!r}: make another bone active")
    shown = [write_zones(item, armature, bone) for item in items]
    if not any(shown):
        raise RigError(f"no mesh has weights of {armature.name!r}: use Bind to Skeleton first")


def hide_zones(items: Sequence[bpy.types.Object]) -> int:
    """Take the colours of zones away; from how many meshes."""
    return sum(remove_zones(item) for item in items)


def _find_weighted(item: bpy.types.Object, armature: bpy.types.Object) -> np.ndarray:
    """Which vertices (V,) of a mesh object have weights of an armature's bones."""
    entries, _ = read_weights(item, list_weighted_bones(item, armature))
    found = np.zeros(len(item.data.vertices), dtype=bool)
    found[entries[:, 0]] = True
    return found
