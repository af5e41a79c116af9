# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which meshes of a scene are ground, and how each stands in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...notes import Note
from ..setup.characters import (
    collect_characters,
    find_custom_shapes,
    find_set_up_characters,
)
from ..setup.footstep_properties import is_footstep
from ..values.matrices import find_mover
from ..values.mesh_trees import MeshTree, get_mesh_tree
from ..values.meshes import count_nowhere
from .deforming import DeformingMesh, find_deforming
from .driving import may_deform
from .faults import GroundFaults, is_seen_from_above, presses_flat
from .leaving import Leaving, read_box

# Meshes that are shown so are helpers, not scenery.
_HELPER_DISPLAYS = frozenset({"BOUNDS", "WIRE"})
# One for all that have no other: there may be very many surfaces.
_IN_PLACE = np.eye(4)
_IN_PLACE.setflags(write=False)


@dataclass(frozen=True)
class Surface:
    """One mesh as it stands in the scene.

    Attributes
    ----------
    name
        Of the object, or of the object that makes the instance.
    source
        Name of the object whose mesh it is.
    carrier
        The object whose motion moves the mesh, or None where it stands still.
    mesh
        Its tree, or None where its shape changes.
    placement
        From the mesh to the mover where there is one, else to the world, shape (4, 4).
    deforming
        Its shapes over time, or None where the shape stays.
    mover
        The carrier, or what is above it and moves it; None where the mesh stands still.
    seat
        From the carrier to the mover, shape (4, 4).
    """

    name: str
    source: str
    carrier: bpy.types.Object | None
    mesh: MeshTree | None
    placement: FloatArray
    deforming: DeformingMesh | None = None
    mover: bpy.types.Object | None = None
    seat: FloatArray = field(default_factory=lambda: _IN_PLACE)


@dataclass(frozen=True)
class _Seat:
    """How an object hangs on what moves it.

    Attributes
    ----------
    mover
        The object itself or the nearest above it that moves by itself.
    from_world, from_carrier
        To the mover, as all stand now, shape (4, 4).
    """

    mover: bpy.types.Object
    from_world: FloatArray
    from_carrier: FloatArray


@dataclass(frozen=True)
class _Shown:
    """A mesh that the scene shows and that may be ground."""

    item: bpy.types.Object
    source: bpy.types.Object
    owner: bpy.types.Object
    is_instance: bool
    matrix: FloatArray

    @property
    def mesh(self) -> bpy.types.Mesh:
        """The evaluated mesh."""
        return self.item.data

    @property
    def has_own_shape(self) -> bool:
        """Whether the mesh is that of its source; geometry nodes may make it out of another."""
        return self.source.type == "MESH" and not (self.is_instance and self.source == self.owner)


def find_surfaces(
    context: bpy.types.Context,
    objects: Iterable[bpy.types.Object | bpy.types.Collection] | None,
    exclude: Iterable[bpy.types.Object | bpy.types.Collection],
    leaving: Leaving,
    span: tuple[float, float] | None = None,
) -> tuple[list[Surface], tuple[Note, ...]]:
    """The surfaces of the current scene, and what is told of others; see `casting.build_ground`."""
    depsgraph = context.evaluated_depsgraph_get()
    chosen = None if objects is None else list(objects)
    excluded = _gather_excluded(context.scene, exclude, chosen or ())
    wanted = None if chosen is None else expand(chosen)
    verdicts: dict[tuple[bpy.types.Object, bpy.types.Object], bool] = {}

    def is_ground(source: bpy.types.Object, owner: bpy.types.Object) -> bool:
        pair = (source, owner)
        if pair not in verdicts:
            verdicts[pair] = (
                not {source, owner} & excluded
                and not is_footstep(source)
                and _is_wanted(source, owner, wanted)
                and not (leaving.unrendered and (owner.hide_render or source.hide_render))
            )
        return verdicts[pair]

    surfaces = []
    faults = GroundFaults(chosen=chosen is not None)
    seats: dict[bpy.types.Object, _Seat | None] = {}
    shapes: dict[bpy.types.Object, DeformingMesh | None] = {}
    trees: dict[tuple[int, ...], MeshTree | None] = {}
    for shown in _list_shown(depsgraph):
        source, owner = shown.source, shown.owner
        if leaving.instances and shown.is_instance:
            continue
        if not is_ground(source, owner) or not len(shown.mesh.polygons):
            continue
        if faults.misses_place(owner.name, shown.matrix):
            continue
        if owner not in seats:
            seats[owner] = _find_seat(owner, depsgraph)
        seat = seats[owner]
        own = shown.has_own_shape
        if leaving.asks_for_boxes:
            moves = seat is not None or (own and may_deform(source, context.scene, span))
            if leaving.leaves(read_box(shown.item, shown.matrix), moves=moves):
                continue
        deforming = None
        if own:
            if source not in shapes:
                shapes[source] = find_deforming(source, context.scene, span)
            deforming = shapes[source]
        placed = (None, _place_on(seat, shown)) if deforming else _take(shown, seat, trees, faults)
        if placed is not None:
            mesh, placement = placed
            surfaces.append(_make_surface(shown, seat, mesh, placement, deforming))
    return surfaces, faults.notes


def _list_shown(depsgraph: bpy.types.Depsgraph) -> Iterator[_Shown]:
    """All meshes that are shown, instances too."""
    instances = depsgraph.object_instances
    matrices = np.empty(16 * len(instances), dtype=np.float32)
    instances.foreach_get("matrix_world", matrices)
    worlds = matrices.reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
    for instance, matrix in zip(instances, worlds, strict=True):
        shown = instance.object
        if shown.type != "MESH" or not instance.show_self:
            continue
        source = shown.original
        made = instance.is_instance
        owner = instance.parent.original if made else source
        yield _Shown(shown, source, owner, made, matrix)


def _is_wanted(
    source: bpy.types.Object, owner: bpy.types.Object, wanted: set[bpy.types.Object] | None
) -> bool:
    """Whether a mesh is among what was chosen, or no helper where nothing was."""
    if wanted is None:
        return source.display_type not in _HELPER_DISPLAYS
    return source in wanted or owner in wanted


def _find_seat(owner: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> _Seat | None:
    """How an object that may move hangs on what moves it; None where it stands."""
    mover = find_mover(owner)
    if mover is None:
        return None
    world, own = (
        np.array(item.evaluated_get(depsgraph).matrix_world, dtype=np.float64)
        for item in (mover, owner)
    )
    back = np.linalg.pinv(world)
    return _Seat(mover, back, _IN_PLACE if mover == owner else back @ own)


def _make_surface(
    shown: _Shown,
    seat: _Seat | None,
    mesh: MeshTree | None,
    placement: FloatArray,
    deforming: DeformingMesh | None,
) -> Surface:
    """The surface of a mesh; parameters are those of `Surface`."""
    owner, source = shown.owner, shown.source
    if seat is None:
        return Surface(owner.name, source.name, None, mesh, placement, deforming)
    return Surface(
        name=owner.name,
        source=source.name,
        carrier=owner,
        mesh=mesh,
        placement=placement,
        deforming=deforming,
        mover=seat.mover,
        seat=seat.from_carrier,
    )


def _take(
    shown: _Shown,
    seat: _Seat | None,
    trees: dict[tuple[int, ...], MeshTree | None],
    faults: GroundFaults,
) -> tuple[MeshTree, FloatArray] | None:
    """The tree of a mesh that keeps its shape, and from there to the world or to what moves it.

    None where no foot can stand on it; what is wrong with it is told.
    """
    placement = _place_on(seat, shown)
    if seat is None and presses_flat(shown.matrix):
        # No ray of the world can be taken into its space: the mesh is brought to the world instead.
        placement = _IN_PLACE
        seen = is_seen_from_above(shown.matrix)
        mesh = get_mesh_tree(shown.mesh, shown.matrix) if seen else None
        if mesh is None:
            faults.tell_flat(shown.owner.name)
    else:
        mesh = _find_tree(shown, trees)
        if mesh is None:
            faults.tell_lost(shown.owner.name, count_nowhere(shown.mesh))
    if mesh is None:
        return None
    faults.tell_lost(shown.owner.name, mesh.lost)
    return mesh, placement


def _place_on(seat: _Seat | None, shown: _Shown) -> FloatArray:
    """From a mesh to what moves it, or to the world where nothing does, (4, 4)."""
    if seat is None:
        return shown.matrix
    # What moves may be scaled to nothing now, and grow later.
    if shown.owner == seat.mover and not shown.is_instance:
        return _IN_PLACE
    return seat.from_world @ shown.matrix


def _find_tree(shown: _Shown, trees: dict[tuple[int, ...], MeshTree | None]) -> MeshTree | None:
    """The tree of a mesh; the same mesh is read only once, however many objects show it."""
    source, mesh = shown.source, shown.mesh
    # Objects without anything of their own share the mesh, though each may be shown a copy of it.
    shared = shown.has_own_shape and not len(source.modifiers) and source.data.shape_keys is None
    found = source.data if shared else mesh
    key = (found.as_pointer(), len(mesh.vertices), len(mesh.polygons))
    if key not in trees:
        trees[key] = get_mesh_tree(mesh)
    return trees[key]


def _gather_excluded(
    scene: bpy.types.Scene,
    exclude: Iterable[bpy.types.Object | bpy.types.Collection],
    chosen: Iterable[bpy.types.Object | bpy.types.Collection],
) -> set[bpy.types.Object]:
    """Set-up characters, what is excluded, and shapes of bones unless they are chosen themselves."""
    excluded = find_custom_shapes(scene) - set(chosen)
    left_out = {*expand(exclude), *find_set_up_characters(scene)}
    armatures = {item for item in left_out if item.type == "ARMATURE"}
    return excluded | left_out | collect_characters(armatures)


def expand(
    chosen: Iterable[bpy.types.Object | bpy.types.Collection],
) -> set[bpy.types.Object]:
    """Objects, and those of collections."""
    found: set[bpy.types.Object] = set()
    for item in chosen:
        found |= set(item.all_objects) if isinstance(item, bpy.types.Collection) else {item}
    return found
