# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps as objects: made, read, marked and removed.

A footstep is a mesh object that renders do not show. Its origin is the middle of the sole, its x axis
runs from heel to toe, its z axis is the sole's normal. Moving, turning, snapping, duplicating,
deleting and parenting are Blender's own.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...core.drawing.shapes import outline_soles
from ...core.footsteps.layout import LaidStep, insert_steps
from ...core.footsteps.planned import PlannedStep, PlannedWay
from ...core.footsteps.timing import StepTiming
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.prints.records import KeptStep
from ...core.rig.structure import Rig
from ...errors import TravelError
from ...notes import Note, NoteKind, make_note
from ..limits import FOOTSTEP, VALUE
from ..setup.footstep_properties import find_duplicates, find_step_owner, is_duplicate, is_timed
from ..setup.values import read_values, write_values
from ..values.materials import find_matt_material
from ..values.matrices import compose_matrices, is_animated, sample_world_matrices
from ..values.scene_state import get_frame_rate
from ..values.schema import read_kept


def is_in_place(item: bpy.types.Object) -> bool:
    """Whether a footstep lies where the plan, a run or the user first put it."""
    data = item.locomotion_footstep
    if item.parent != data.planned_parent:
        return False
    planned = np.array(data.planned_basis).reshape(4, 4)
    return bool(np.abs(np.array(item.matrix_basis) - planned).max() <= FOOTSTEP.edited)


def is_edited(item: bpy.types.Object) -> bool:
    """Whether a footstep was moved or parented by hand, is left out, or is the user's own."""
    data = item.locomotion_footstep
    return not data.is_planned or data.is_left_out or not is_in_place(item)


def is_set_by_hand(item: bpy.types.Object) -> bool:
    """Whether work is lost where a footstep is removed: the plan or *Generate* does not bring it back."""
    data = item.locomotion_footstep
    is_made = (data.is_planned or data.is_generated) and not is_duplicate(item)
    is_changed = data.is_left_out or data.is_jump or is_timed(item)
    return not is_made or is_changed or not is_in_place(item)


# With or without a number, and as Blender names a duplicate.
_MADE = r".+ Step( \d+)? {leg}(\.\d+)?"


def _make_step_name(armature: bpy.types.Object, number: int, leg: str) -> str:
    """Name of the step with a number, of a leg's name."""
    return f"{armature.name} Step {number:03d} {leg}"


def _name_footsteps(armature: bpy.types.Object, steps: list[bpy.types.Object]) -> None:
    """Name footsteps after their numbers; those with names that a user gave keep them."""
    wrong: list[tuple[bpy.types.Object, str]] = []
    for item in steps:
        data = item.locomotion_footstep
        name = _make_step_name(armature, data.number, data.leg)
        made = re.fullmatch(_MADE.format(leg=re.escape(data.leg)), item.name)
        if made and item.name != name:
            wrong.append((item, name))
    # Names that others have yet are free once all of these have none.
    for item, _ in wrong:
        item.name = f"{armature.name} Step"
    for item, name in wrong:
        item.name = name
        item.locomotion_footstep.made_as = item.name


def set_step_time(item: bpy.types.Object, time: float | None) -> None:
    """Keep when the foot stands on a footstep, seconds."""
    data = item.locomotion_footstep
    data.has_time = time is not None
    data.time = 0.0 if time is None else time


def set_step_contact(item: bpy.types.Object, start: float, end: float) -> None:
    """Keep when the last plan brings a foot down on a footstep and lifts it, seconds; NaN for never.

    Only what changes is written, so that nothing is evaluated again without need.
    """
    data = item.locomotion_footstep
    known = bool(np.isfinite(start))
    duration = float(end - start) if known and np.isfinite(end) else 0.0
    begin = float(start) if known else 0.0
    if data.has_start != known:
        data.has_start = known
    if abs(data.planned_start - begin) > FOOTSTEP.same_time:
        data.planned_start = begin
    if abs(data.planned_duration - duration) > FOOTSTEP.same_time:
        data.planned_duration = duration


def read_step_timing(item: bpy.types.Object) -> StepTiming:
    """Read when a footstep bears as far as that was set by hand."""
    data = item.locomotion_footstep
    return StepTiming(
        start=float(data.own_start) if data.has_own_start else None,
        duration=float(data.own_duration) if data.has_own_duration else None,
    )


def reset_step_timing(item: bpy.types.Object) -> None:
    """Let a footstep bear again when the walk has it."""
    item.locomotion_footstep.has_own_start = False
    item.locomotion_footstep.has_own_duration = False


# Linear colours of left, right and middle steps, and of those that no leg uses.
SIDE_COLOURS = {"L": (0.03, 0.22, 0.75), "R": (0.85, 0.25, 0.02), "": (0.35, 0.35, 0.35)}
LOST_COLOUR = (0.9, 0.01, 0.02)
_SIDE_NAMES = {"L": "Left Footsteps", "R": "Right Footsteps", "": "Middle Footsteps"}
_LOST_NAME = "Unused Footsteps"


@dataclass(frozen=True)
class StepPlacement:
    """A footstep to be shown.

    Attributes
    ----------
    leg
        Index of the leg.
    matrix
        Of the object in the world, or in the axes of its carrier, shape (4, 4).
    identifier
        Of the planned step, empty for a step of the user's.
    time
        Seconds at which the foot stands on it, None where that is not known.
    carrier
        Moving object that carries it, or None.
    is_generated
        Whether it is one of a generated run.
    """

    leg: int
    matrix: FloatArray
    identifier: str = ""
    time: float | None = None
    carrier: bpy.types.Object | None = None
    is_generated: bool = False


def list_footsteps(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Footstep objects of a character in their order.

    Duplicates, which have the number of another, come where they lengthen the way least.
    """
    collection = armature.locomotion.footsteps
    if collection is None:
        return []
    own = [item for item in collection.all_objects if find_step_owner(item) == armature]
    doubles = find_duplicates(own)
    firsts = [item for item in own if item not in doubles]
    firsts.sort(key=lambda i: (i.locomotion_footstep.number, i.name))
    if not doubles:
        return firsts
    items = [*firsts, *doubles]
    places = np.array([_read_place(item) for item in items])
    legs = [item.locomotion_footstep.leg for item in items]
    return [items[index] for index in insert_steps(places[:, :2], legs, len(firsts))]


def _read_place(item: bpy.types.Object) -> FloatArray:
    """World place (3,) of a footstep now, metres, before it is evaluated too."""
    where = item.matrix_basis if item.parent is None else item.matrix_world
    return np.array(where.translation, dtype=np.float64)


def settle_doubles(armature: bpy.types.Object) -> None:
    """Give duplicated footsteps numbers of their own, and those that were moved own names in the plan.

    A duplicate of a planned step that lies where it lies is left as it is.
    """
    seen: set[str] = set()
    steps = list_footsteps(armature)
    for item in find_duplicates(steps):
        item.locomotion_footstep.has_own_start = False
        item.locomotion_footstep.is_generated = False
    for item in sorted(steps, key=is_duplicate):
        data = item.locomotion_footstep
        if data.identifier in seen and is_edited(item):
            data.identifier, data.is_planned = "", False
        if data.identifier:
            seen.add(data.identifier)
        if data.made_as != item.name:
            data.made_as = item.name
    for number, item in enumerate(steps, 1):
        if item.locomotion_footstep.number != number:
            item.locomotion_footstep.number = number


def step_matrix(position: FloatArray, frame: FloatArray, length: float) -> FloatArray:
    """World matrix (4, 4) of the object for a print.

    Parameters
    ----------
    position
        Heel end, world, metres, shape (3,).
    frame
        As `StoodSoles.frames` of `core.prints.records`, shape (4,).
    length
        Of the sole, metres.
    """
    middle = position + rot.rotate(frame, np.array([0.5 * length, 0.0, 0.0]))
    return compose_matrices(middle, frame, np.ones(3))


def read_kept_steps(
    armature: bpy.types.Object,
    rig: Rig,
    scene: bpy.types.Scene,
    items: Iterable[bpy.types.Object] | None = None,
    times: Sequence[float] | None = None,
) -> list[KeptStep]:
    """Footsteps that a plan has to keep, as they stand in the scene.

    Raises TravelError: one is scaled to nothing, so that nothing tells where its toe points.

    Parameters
    ----------
    items
        Which of its footsteps; None for the edited ones and the user's own.
    times
        When each of these stands, seconds; None for the times that they keep themselves.

    Returns
    -------
    list of KeptStep
        Named after their objects. Steps of legs that the rig has no more are left out.
    """
    legs = {leg.name: index for index, leg in enumerate(rig.legs)}
    chosen = [i for i in list_footsteps(armature) if is_edited(i)] if items is None else items
    steps = []
    for number, item in enumerate(chosen):
        data = item.locomotion_footstep
        if data.leg not in legs:
            continue
        leg = legs[data.leg]
        time = float(data.time) if data.has_time else None
        if times is not None:
            time = times[number]
        world = _read_step_matrix(item, scene, time)
        if not np.all(np.abs(world) <= VALUE.farthest):
            raise _refuse_place(item)
        if not np.linalg.norm(np.cross(world[:3, 0], world[:3, 1])) > VALUE.no_scale:
            raise _refuse_scale(item)
        frame = _read_frame(world)
        heel = np.array([0.5 * rig.foot_lengths[leg], 0.0, 0.0])
        steps.append(
            KeptStep(
                name=item.name,
                leg=leg,
                position=world[:3, 3] - rot.rotate(frame, heel),
                frame=frame,
                time=time,
                left_out=data.is_left_out,
                jump=data.is_jump,
            )
        )
    return steps


def note_orphans(armature: bpy.types.Object, rig: Rig) -> list[Note]:
    """A note of every footstep of a leg that the character has not."""
    legs = {leg.name for leg in rig.legs}
    return [
        make_note(
            NoteKind.FOOTSTEP_WITHOUT_LEG,
            item.locomotion_footstep.leg,
            place=item.matrix_world.translation,
            footstep=item.name,
            armature=armature.name,
        )
        for item in list_footsteps(armature)
        if item.locomotion_footstep.leg not in legs
    ]


def _read_step_matrix(
    item: bpy.types.Object, scene: bpy.types.Scene, time: float | None
) -> FloatArray:
    """World matrix (4, 4) of a footstep at a time in seconds, None for now."""
    own = np.array(item.matrix_basis, dtype=np.float64)
    if is_animated(item):
        frame = float(scene.frame_current) if time is None else time * get_frame_rate(scene)
        return sample_world_matrices([item], np.array([frame]), scene)[0, 0]
    if item.parent is None:
        return own
    parent = np.array(item.parent.matrix_world @ item.matrix_parent_inverse, dtype=np.float64)
    return parent @ own


def _refuse_place(item: bpy.types.Object) -> TravelError:
    """Why a footstep whose place is no number cannot be used."""
    return TravelError(
        f"footstep {item.name!r} has no place, since its transform holds what is no number or too far "
        "off",
        "set its location and rotation anew, or remove it with Clear Footsteps",
        "set its location and rotation anew in the file, or delete it there",
    )


def _refuse_scale(item: bpy.types.Object) -> TravelError:
    """Why a footstep that is scaled to nothing cannot be used."""
    return TravelError(
        f"footstep {item.name!r} is scaled to nothing, or what it is parented to is",
        "set its scale to 1 (Alt+S) and that of its parents, or remove it with Clear Footsteps",
        "set its scale and that of its parents to 1 in the file, or delete it there",
    )


def _find_above(item: bpy.types.Object, scene: bpy.types.Scene) -> FloatArray:
    """Find what brings the own matrix of a footstep into the world at its own time, shape (4, 4).

    Raises TravelError: something there is scaled to nothing, so that the footstep can be moved nowhere.
    """
    data, own = item.locomotion_footstep, np.array(item.matrix_basis, dtype=np.float64)
    world = _read_step_matrix(item, scene, float(data.time) if data.has_time else None)
    if not abs(np.linalg.det(own)) > 0.0 or not abs(np.linalg.det(world)) > 0.0:
        raise _refuse_scale(item)
    return world @ np.linalg.inv(own)


def check_movable(items: Iterable[bpy.types.Object], scene: bpy.types.Scene) -> None:
    """Check that footsteps can be moved to any place, see `move_footstep`.

    Raises TravelError: one cannot.
    """
    for item in items:
        _find_above(item, scene)


def _read_frame(world: FloatArray) -> FloatArray:
    """Rotation (4,) of a matrix with any scale or shear; the direction of the toe is kept."""
    x_axis = rot.normalize(world[:3, 0])
    z_axis = rot.normalize(np.cross(x_axis, rot.normalize(world[:3, 1])))
    y_axis = np.cross(z_axis, x_axis)
    return rot.quaternions_from_matrices(np.stack([x_axis, y_axis, z_axis], axis=1))


def create_footsteps(
    armature: bpy.types.Object,
    rig: Rig,
    placements: Sequence[StepPlacement],
    scene: bpy.types.Scene,
) -> list[bpy.types.Object]:
    """Make footstep objects after those that are there; `number_footsteps` orders them in time."""
    collection = _ensure_collection(armature, scene)
    steps = list_footsteps(armature)
    number = max((item.locomotion_footstep.number for item in steps), default=0)
    meshes: dict[int, bpy.types.Mesh] = {}
    created = []
    for placement in placements:
        number += 1
        index = placement.leg
        leg = rig.legs[index]
        if index not in meshes:
            meshes[index] = _ensure_sole_mesh(armature, rig, index, steps)
        name = _make_step_name(armature, number, leg.name)
        item = bpy.data.objects.new(name, meshes[index])
        collection.objects.link(item)
        item.hide_render = True
        item.lock_scale = (True, True, True)
        item.color = (*SIDE_COLOURS.get(leg.side, SIDE_COLOURS[""]), 1.0)
        data = item.locomotion_footstep
        data.character, data.leg, data.number, data.made_as = armature, leg.name, number, item.name
        place_footstep(item, placement)
        created.append(item)
    return created


def place_footstep(item: bpy.types.Object, placement: StepPlacement) -> None:
    """Put a footstep where a plan or the user wants it, and remember what was planned."""
    data = item.locomotion_footstep
    if item.parent != placement.carrier:
        item.parent = placement.carrier
    if placement.carrier is not None:
        item.matrix_parent_inverse.identity()
    item.matrix_basis = Matrix(placement.matrix.tolist())
    data.identifier = placement.identifier
    data.is_planned, data.planned_parent = bool(placement.identifier), placement.carrier
    data.is_generated = placement.is_generated
    data.planned_basis = np.array(item.matrix_basis).ravel()
    set_step_time(item, placement.time)


def move_footstep(item: bpy.types.Object, world: FloatArray, scene: bpy.types.Scene) -> None:
    """Move a footstep to a world matrix (4, 4) at its own time, as a user does.

    Raises TravelError: it is scaled to nothing.
    """
    own = np.array(item.matrix_basis, dtype=np.float64)
    moved = np.linalg.inv(_find_above(item, scene)) @ world
    if np.abs(moved - own).max() > FOOTSTEP.edited:
        item.matrix_basis = Matrix(moved.tolist())


def settle_footstep(item: bpy.types.Object, world: FloatArray, scene: bpy.types.Scene) -> None:
    """Move a footstep to a world matrix (4, 4); one that lies where it was put goes on to do so."""
    was_in_place = is_in_place(item)
    move_footstep(item, world, scene)
    if was_in_place:
        item.locomotion_footstep.planned_basis = np.array(item.matrix_basis).ravel()


def change_step_leg(item: bpy.types.Object, armature: bpy.types.Object, rig: Rig, leg: int) -> None:
    """Let another leg take a footstep, which is the user's own from then on."""
    data = item.locomotion_footstep
    if data.leg == rig.legs[leg].name:
        return
    item.data = _ensure_sole_mesh(armature, rig, leg, list_footsteps(armature))
    side = SIDE_COLOURS.get(rig.legs[leg].side, SIDE_COLOURS[""])
    item.color = (*(LOST_COLOUR if data.is_lost else side), 1.0)
    data.leg, data.identifier, data.is_planned = rig.legs[leg].name, "", False


def number_footsteps(armature: bpy.types.Object) -> None:
    """Number and name the footsteps of a character in the order of their times; those without last."""
    steps = list_footsteps(armature)

    def order(item: bpy.types.Object) -> tuple[bool, float, int]:
        data = item.locomotion_footstep
        return (not data.has_time, float(data.time), int(data.number))

    ordered = sorted(steps, key=order)
    for number, item in enumerate(ordered, 1):
        if item.locomotion_footstep.number != number:
            item.locomotion_footstep.number = number
    _name_footsteps(armature, ordered)


def mark_lost(armature: bpy.types.Object, lost: Iterable[str]) -> None:
    """Show the footsteps of these names in red, all others in the colour of their side.

    Only what changes is written, so that nothing is evaluated again without need.
    """
    names = set(lost)
    sides = {leg.name: leg.side for leg in armature.locomotion.legs}
    for item in list_footsteps(armature):
        data = item.locomotion_footstep
        is_lost = item.name in names
        if data.is_lost == is_lost:
            continue
        data.is_lost = is_lost
        side = SIDE_COLOURS.get(sides.get(data.leg, ""), SIDE_COLOURS[""])
        item.color = (*(LOST_COLOUR if is_lost else side), 1.0)
        for slot in item.material_slots:
            slot.link = "OBJECT" if is_lost else "DATA"
            if is_lost:
                slot.material = find_matt_material(_LOST_NAME, LOST_COLOUR)


def remove_footsteps(items: Iterable[bpy.types.Object]) -> None:
    """Delete footstep objects, and their soles where nothing else shows them."""
    meshes = set()
    for item in list(items):
        meshes.add(item.data)
        bpy.data.objects.remove(item)
    for mesh in meshes:
        if mesh is not None and not mesh.users:
            bpy.data.meshes.remove(mesh)


def _ensure_collection(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Collection:
    """The collection of a character's footsteps, made and linked to the scene where missing."""
    data = armature.locomotion
    if data.footsteps is None:
        data.footsteps = bpy.data.collections.new(f"{armature.name} Footsteps")
    collection: bpy.types.Collection = data.footsteps
    if collection not in set(scene.collection.children_recursive):
        scene.collection.children.link(collection)
    return collection


def _ensure_sole_mesh(
    armature: bpy.types.Object, rig: Rig, index: int, steps: Sequence[bpy.types.Object]
) -> bpy.types.Mesh:
    """The sole that all footsteps of a leg share."""
    leg = rig.legs[index]
    shared = [i.data for i in steps if i.locomotion_footstep.leg == leg.name]
    vertices, faces = _shape_sole(float(rig.foot_lengths[index]), leg.sole_width, leg.side)
    for mesh in shared:
        if len(mesh.vertices) == len(vertices):
            current = np.empty(3 * len(vertices))
            mesh.vertices.foreach_get("co", current)
            if np.abs(current - vertices.ravel()).max() < FOOTSTEP.edited:
                return mesh
    mesh = bpy.data.meshes.new(f"{armature.name} {leg.name} Sole")
    mesh.from_pydata(vertices.tolist(), [], faces)
    side = leg.side if leg.side in SIDE_COLOURS else ""
    mesh.materials.append(find_matt_material(_SIDE_NAMES[side], SIDE_COLOURS[side]))
    return mesh


def _shape_sole(length: float, width: float, side: str) -> tuple[FloatArray, list[list[int]]]:
    """Vertices and faces of a thin sole about the origin, toe towards +X."""
    heel = np.array([[-0.5 * length, 0.0, 0.0]])
    (outline,) = outline_soles(heel, rot.IDENTITY[None], length, width, side)
    count = len(outline)
    top = outline + np.array([0.0, 0.0, FOOTSTEP.thickness * length])
    ring = [[i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)]
    bottom, cap = list(range(count))[::-1], list(range(count, 2 * count))
    return np.concatenate([outline, top]), [bottom, cap, *ring]


class KeptFootsteps:
    """Record of what a bake may change on the footsteps of a character: their properties and colours."""

    def __init__(self, armature: bpy.types.Object) -> None:
        self._materials = {item.session_uid for item in bpy.data.materials}
        self._steps = [
            (
                step,
                read_values(step.locomotion_footstep),
                tuple(step.color),
                [(slot.link, slot.material) for slot in step.material_slots],
            )
            for step in list_footsteps(armature)
        ]

    def put_back(self) -> None:
        """Make the footsteps what they were, and remove materials that are new."""
        for step, values, colour, slots in self._steps:
            write_values(step.locomotion_footstep, values)
            if tuple(step.color) != colour:
                step.color = colour
            for slot, (link, material) in zip(step.material_slots, slots, strict=True):
                if slot.link != link:
                    slot.material = None
                    slot.link = link
                if slot.material != material:
                    slot.material = material
        new = [item for item in bpy.data.materials if item.session_uid not in self._materials]
        for material in new:
            bpy.data.materials.remove(material)


# Time, place, heading and phase.
_COLUMNS = 6


def write_planned_way(armature: bpy.types.Object, way: PlannedWay | None) -> None:
    """Keep a way on a character; None for none."""
    data = armature.locomotion
    if way is None:
        data.footsteps_way = ""
        return
    table = np.column_stack([way.times, way.positions, way.yaws, way.phases])
    packed = base64.b64encode(zlib.compress(table.astype("<f8").tobytes())).decode()
    data.footsteps_way = json.dumps(
        {"shown": way.shown, "factor": way.factor, "samples": len(table), "table": packed}
    )


def read_planned_way(armature: bpy.types.Object) -> PlannedWay | None:
    """The way that is kept on a character, None for none."""
    text = armature.locomotion.footsteps_way
    way: PlannedWay | None = read_kept(armature.name, "way", text, _unpack) if text else None
    return way


def _unpack(kept: dict[str, Any]) -> PlannedWay:
    """A way as `write_planned_way` has packed it."""
    packed, size = base64.b64decode(kept["table"]), 8 * _COLUMNS * kept["samples"]
    # Text that is packed well may be any number of times as long.
    unpacked = zlib.decompressobj().decompress(packed, size + 1)
    table = np.frombuffer(unpacked, "<f8").reshape(kept["samples"], _COLUMNS).astype(np.float64)
    if not np.isfinite(table).all() or not len(table):
        raise ValueError("no numbers")
    return PlannedWay(
        times=table[:, 0],
        positions=table[:, 1:4],
        yaws=table[:, 4],
        phases=table[:, 5],
        shown=kept["shown"],
        factor=kept["factor"],
    )


def write_planned_step(item: bpy.types.Object, step: LaidStep, time: float) -> None:
    """Keep on a footstep where and when a plan has it."""
    data = item.locomotion_footstep
    data.has_way, data.way_time = True, time
    data.way_place = (*step.middle, step.heading)


def read_planned_step(item: bpy.types.Object, leg: int) -> PlannedStep | None:
    """Read where and when a plan had a footstep of a leg, None for one of the user's own."""
    data = item.locomotion_footstep
    if not data.has_way:
        return None
    place: FloatArray = np.array(data.way_place, dtype=np.float64)
    return PlannedStep(LaidStep(leg, place[:3], float(place[3])), float(data.way_time))
