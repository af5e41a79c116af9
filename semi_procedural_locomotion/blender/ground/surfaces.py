# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which meshes of a scene are ground, what is wrong with others, which lies under the pointer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

import bpy
import numpy as np
from bpy_extras import view3d_utils
from mathutils import Vector

from ...core.maths.rotations import FloatArray
from ...notes import Note, NoteKind, make_note
from ..limits import PICKING, VALUE
from ..setup.characters import (
    collect_character,
    collect_characters,
    find_custom_shapes,
    find_set_up_characters,
)
from ..setup.footstep_properties import is_footstep
from ..setup.ground_properties import list_left_out
from ..values.matrices import find_mover
from ..values.mesh_trees import MeshTree, get_mesh_tree
from ..values.meshes import count_nowhere
from ..values.rendering import find_differing_modifier, open_rendered
from ..values.scene_state import set_frame, temporary_scene
from ..values.visibility import Showing, find_showings, read_eyes
from .deforming import DeformingMesh, find_deforming, may_deform
from .rays import is_flat


class _GroundFaults:
    """Record of what cannot be walked on, though it is shown, each thing told once.

    Parameters
    ----------
    chosen
        Whether the objects were chosen one by one: of others, what is scaled to nothing is hidden by
        that, and no fault.
    """

    def __init__(self, *, chosen: bool) -> None:
        self._chosen = chosen
        self._notes: dict[tuple[NoteKind, str], Note] = {}

    @property
    def notes(self) -> tuple[Note, ...]:
        """All that was found."""
        return tuple(self._notes.values())

    def misses_place(self, name: str, matrix: FloatArray) -> bool:
        """Whether an object stands nowhere, by its matrix (4, 4); it is told then."""
        with np.errstate(invalid="ignore"):
            placed = bool((np.abs(matrix) <= VALUE.farthest).all())
        if not placed:
            self._keep(make_note(NoteKind.GROUND_NOWHERE, case="nowhere", ground=name))
        return not placed

    def tell_flat(self, name: str) -> None:
        """Tell that an object is scaled to nothing."""
        if self._chosen:
            self._keep(make_note(NoteKind.GROUND_NOWHERE, case="flat", ground=name))

    def tell_lost(self, name: str, vertices: int) -> None:
        """Tell of vertices without a place, if there are any."""
        if vertices:
            self._keep(make_note(NoteKind.GROUND_BROKEN, ground=name, vertices=vertices))

    def _keep(self, note: Note) -> None:
        """Keep the first note of its kind about a thing."""
        self._notes.setdefault((note.kind, str(note.values["ground"])), note)


def _presses_flat(matrix: FloatArray) -> bool:
    """Whether a matrix (4, 4) leaves no volume of a mesh; seen from above it may still be there."""
    return bool(is_flat(matrix[None])[0])


def _is_seen_from_above(matrix: FloatArray) -> bool:
    """Whether a mesh that a matrix (4, 4) presses flat may still show an area from above."""
    return bool(np.linalg.matrix_rank(matrix[:2, :3]) == 2)


@dataclass(frozen=True)
class Leaving:
    """Record of what is no ground by its kind, size or place.

    Attributes
    ----------
    unrendered
        Whether what is hidden in renders is left out.
    instances
        Whether all that is shown by instances is.
    smaller
        Metres; what extends less to every side, seen from above, is left out. 0 leaves out nothing.
    way
        Places along the way, world, metres, shape (w, 2), near to each other; None for no way.
    beyond
        Metres; what stands still farther from the way is left out.
    """

    unrendered: bool = False
    instances: bool = False
    smaller: float = 0.0
    way: FloatArray | None = None
    beyond: float = np.inf

    @property
    def asks_for_boxes(self) -> bool:
        """Whether sizes and places count at all."""
        return self.smaller > 0.0 or self.way is not None

    def leaves(self, box: FloatArray, *, moves: bool) -> bool:
        """Whether a mesh is left out whose corners (8, 3) are these, world, metres.

        Where something is that moves or changes its shape is known for now alone: it is never too far.
        """
        low, high = box[:, :2].min(axis=0), box[:, :2].max(axis=0)
        if (high - low).max() < self.smaller:
            return True
        if self.way is None or moves:
            return False
        apart = np.maximum(np.maximum(low - self.way, self.way - high), 0.0)
        return bool(np.hypot(apart[:, 0], apart[:, 1]).min() > self.beyond)


def read_box(item: bpy.types.Object, matrix: FloatArray) -> FloatArray:
    """Corners (8, 3) of the bounding box of an evaluated object that is shown by a matrix (4, 4)."""
    corners = np.array([tuple(corner) for corner in item.bound_box])
    world: FloatArray = corners @ matrix[:3, :3].T + matrix[:3, 3]
    return world


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
    showing
        When it is shown; None for always.
    """

    name: str
    source: str
    carrier: bpy.types.Object | None
    mesh: MeshTree | None
    placement: FloatArray
    deforming: DeformingMesh | None = None
    mover: bpy.types.Object | None = None
    seat: FloatArray = field(default_factory=lambda: _IN_PLACE)
    showing: Showing | None = None

    def find_shown(self, frames: FloatArray) -> np.ndarray:
        """Whether it is shown at frames (n,), shape (n,) of bool."""
        if self.showing is None:
            return np.ones(len(frames), dtype=bool)
        return self.showing.is_viewed(frames)


@dataclass(frozen=True)
class _Seat:
    """Record of how an object hangs on what moves it.

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
    graph: bpy.types.Depsgraph
    showing: Showing | None = None

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
    *,
    as_rendered: bool = False,
) -> tuple[list[Surface], tuple[Note, ...]]:
    """The surfaces of the current scene, and what is told of others; see `casting.build_ground`."""
    eyes = _Eyes(context, span, in_render=leaving.unrendered, as_rendered=as_rendered)
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
            )
        return verdicts[pair]

    surfaces = []
    faults = _GroundFaults(chosen=chosen is not None)
    seats: dict[bpy.types.Object, _Seat | None] = {}
    shapes: dict[bpy.types.Object, DeformingMesh | None] = {}
    trees: dict[tuple[int, ...], MeshTree | None] = {}
    listed = _list_rendered(context, eyes) if as_rendered else _list_shown(context, eyes)
    for shown in listed:
        source, owner = shown.source, shown.owner
        if leaving.instances and shown.is_instance:
            continue
        if not is_ground(source, owner) or not len(shown.mesh.polygons):
            continue
        if faults.misses_place(owner.name, shown.matrix):
            continue
        if owner not in seats:
            seats[owner] = _find_seat(owner, shown.graph)
        seat = seats[owner]
        own = shown.has_own_shape
        if leaving.asks_for_boxes:
            moves = seat is not None or (own and may_deform(source, context.scene, span))
            if leaving.leaves(read_box(shown.item, shown.matrix), moves=moves):
                continue
        deforming = None
        if own:
            if source not in shapes:
                shapes[source] = find_deforming(
                    source, context.scene, span, as_rendered=as_rendered
                )
            deforming = shapes[source]
        placed = (None, _place_on(seat, shown)) if deforming else _take(shown, seat, trees, faults)
        if placed is not None:
            mesh, placement = placed
            surfaces.append(_make_surface(shown, seat, mesh, placement, deforming))
    return surfaces, faults.notes


@dataclass(frozen=True)
class RenderDifference:
    """Record of how renders show an object otherwise than the view.

    Attributes
    ----------
    kind
        ``"hides"``, ``"shows"`` or ``"shapes"``: what the view shows, what it does not, in another shape.
    modifier
        Name of the modifier that makes another shape.
    """

    kind: str
    modifier: str = ""


class _Eyes:
    """Record of when meshes are shown, each found once.

    Parameters
    ----------
    span
        First and last frame of what is walked; None for those of the scene.
    in_render
        Whether only what renders show as well counts.
    as_rendered
        Whether what renders show counts, in the view or not.
    """

    def __init__(
        self,
        context: bpy.types.Context,
        span: tuple[float, float] | None,
        *,
        in_render: bool,
        as_rendered: bool,
    ) -> None:
        self._context, self._span = context, span
        self._in_render, self._as_rendered = in_render, as_rendered
        self._owners = find_showings(context.view_layer.objects, context, span)
        self._sources: dict[bpy.types.Object, Showing] = {}

    def find(self, source: bpy.types.Object, owner: bpy.types.Object) -> Showing | None:
        """When an object shows a mesh, its own or that of an instance; None outside of the view layer."""
        showing = self._owners.get(owner)
        if showing is None or source == owner or owner.instance_type != "COLLECTION":
            return self._judge(showing)
        if source not in self._sources:
            eyes = read_eyes([source], self._context.scene, self._span)
            self._sources[source] = eyes[source]
        own = self._sources[source]
        both = Showing(showing.first, showing.viewed & own.viewed, showing.rendered & own.rendered)
        return self._judge(both)

    def _judge(self, showing: Showing | None) -> Showing | None:
        """The same, in the view alone where that counts in renders, too."""
        if showing is not None and self._as_rendered:
            return replace(showing, viewed=showing.rendered)
        if showing is None or not self._in_render:
            return showing
        return replace(showing, viewed=showing.viewed & showing.rendered)

    def list_differing(self) -> dict[bpy.types.Object, RenderDifference]:
        """Objects that renders show otherwise than the view."""
        found = {}
        for item, showing in self._owners.items():
            hidden = bool((showing.viewed & ~showing.rendered).any())
            modifier = find_differing_modifier(item, self._context.scene)
            if hidden or (showing.rendered & ~showing.viewed).any():
                found[item] = RenderDifference("hides" if hidden else "shows")
            elif showing.viewed.any() and item.type == "MESH" and modifier is not None:
                found[item] = RenderDifference("shapes", modifier)
        return found

    def list_later(self) -> Iterator[tuple[bpy.types.Object, int]]:
        """Objects that show nothing now, or not all of it, each with a frame at which it does."""
        for owner, showing in self._owners.items():
            held = owner.instance_collection if owner.instance_type == "COLLECTION" else None
            sources = [owner] if held is None else list(held.all_objects)
            for source in sources:
                shown = showing if source == owner else self.find(source, owner)
                hidden_now = owner.hide_viewport or source.hide_viewport
                if hidden_now and shown is not None and shown.viewed.any():
                    yield owner, shown.first + int(np.argmax(shown.viewed))


def _list_shown(context: bpy.types.Context, eyes: _Eyes) -> Iterator[_Shown]:
    """All meshes that are shown at some time, instances too."""
    seen = set()
    for shown in _list_instances(context.evaluated_depsgraph_get()):
        seen.add((shown.source, shown.owner))
        showing = eyes.find(shown.source, shown.owner)
        if showing is not None and showing.viewed.all():
            yield shown
        elif showing is not None and showing.viewed.any():
            yield replace(shown, showing=showing)
    for owner, frame in eyes.list_later():
        with temporary_scene(context.scene) as stage:
            stage.collection.objects.link(owner)
            set_frame(stage, float(frame))
            for shown in _list_instances(stage.view_layers[0].depsgraph):
                pair = (shown.source, shown.owner)
                if shown.owner == owner and pair not in seen:
                    yield replace(shown, showing=eyes.find(*pair))


def _list_rendered(context: bpy.types.Context, eyes: _Eyes) -> Iterator[_Shown]:
    """All meshes that renders show at some time, instances too."""
    differing = eyes.list_differing()
    for shown in _list_shown(context, eyes):
        if shown.owner not in differing:
            yield shown
    for owner in differing:
        whole = eyes.find(owner, owner)
        if whole is None or not whole.viewed.any():
            continue
        with open_rendered(owner, context.scene) as (stage, _):
            for shown in _list_instances(stage.view_layers[0].depsgraph):
                source = shown.source if shown.is_instance else owner
                showing = eyes.find(source, owner) if shown.is_instance else whole
                if showing is None or showing.viewed.all():
                    yield replace(shown, source=source, owner=owner)
                elif showing.viewed.any():
                    yield replace(shown, source=source, owner=owner, showing=showing)


def find_render_differences(
    context: bpy.types.Context, span: tuple[float, float] | None = None
) -> dict[str, RenderDifference]:
    """Find what renders of the current scene show otherwise than its view, by the names of objects.

    Parameters
    ----------
    span
        First and last frame that count; None for those of the scene.
    """
    found = _Eyes(context, span, in_render=False, as_rendered=False).list_differing()
    return {item.name: difference for item, difference in found.items()}


def _list_instances(depsgraph: bpy.types.Depsgraph) -> Iterator[_Shown]:
    """All meshes that a depsgraph shows, instances too."""
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
        yield _Shown(shown, source, owner, made, matrix, depsgraph)


def _is_wanted(
    source: bpy.types.Object, owner: bpy.types.Object, wanted: set[bpy.types.Object] | None
) -> bool:
    """Whether a mesh is among what was chosen, or no helper where nothing was."""
    if wanted is None:
        return source.display_type not in _HELPER_DISPLAYS
    return source in wanted or owner in wanted


def _find_seat(owner: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> _Seat | None:
    """Find how an object that may move hangs on what moves it; None where it stands."""
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
        return Surface(
            owner.name, source.name, None, mesh, placement, deforming, showing=shown.showing
        )
    return Surface(
        name=owner.name,
        source=source.name,
        carrier=owner,
        mesh=mesh,
        placement=placement,
        deforming=deforming,
        mover=seat.mover,
        seat=seat.from_carrier,
        showing=shown.showing,
    )


def _take(
    shown: _Shown,
    seat: _Seat | None,
    trees: dict[tuple[int, ...], MeshTree | None],
    faults: _GroundFaults,
) -> tuple[MeshTree, FloatArray] | None:
    """The tree of a mesh that keeps its shape, and from there to the world or to what moves it.

    None where no foot can stand on it; what is wrong with it is told.
    """
    placement = _place_on(seat, shown)
    if seat is None and _presses_flat(shown.matrix):
        # No ray of the world can be taken into its space: the mesh is brought to the world instead.
        placement = _IN_PLACE
        seen = _is_seen_from_above(shown.matrix)
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


def list_ignored(armature: bpy.types.Object) -> set[bpy.types.Object]:
    """Objects that are looked through for a character: its own, and those that it leaves out."""
    return collect_character(armature) | expand(list_left_out(armature.locomotion.ground))


def pick_point(
    context: bpy.types.Context,
    region: bpy.types.Region,
    pointer: tuple[float, float],
    ignored: Collection[bpy.types.Object],
    height: float,
) -> FloatArray | None:
    """The point of a visible mesh under the pointer, else of a level plane.

    Parameters
    ----------
    context
        Its scene and 3D View are looked at, at the current frame.
    region
        The region of that view with the scene in it.
    pointer
        Pixels from the region's lower left corner.
    ignored
        Objects that are looked through.
    height
        World z of the plane, metres.

    Returns
    -------
    array (3,) or None
        World, metres; None where the pointer is above the plane's horizon.
    """
    view = context.space_data.region_3d
    origin = view3d_utils.region_2d_to_origin_3d(region, view, pointer)
    direction = view3d_utils.region_2d_to_vector_3d(region, view, pointer)
    depsgraph = context.evaluated_depsgraph_get()
    start = origin
    for _ in range(PICKING.most_objects):
        hit, place, _, _, item, _ = context.scene.ray_cast(depsgraph, start, direction)
        if not hit:
            break
        if item.original not in ignored:
            return np.array(place, dtype=np.float64)
        start = place + direction * (PICKING.past * max(1.0, (place - origin).length))
    return _meet_plane(origin, direction, height)


def _meet_plane(origin: Vector, direction: Vector, height: float) -> FloatArray | None:
    """Find where a ray meets a level plane, None where it does not."""
    if abs(direction.z) < PICKING.level:
        return None
    distance = (height - origin.z) / direction.z
    if distance <= 0.0:
        return None
    return np.array(origin + direction * distance, dtype=np.float64)
