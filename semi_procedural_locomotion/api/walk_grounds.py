# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character walks on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NoReturn

import bpy
import numpy as np

from ..blender.ground.casting import SceneGround, build_ground
from ..blender.ground.surfaces import Leaving, expand, read_box
from ..blender.setup.characters import collect_character, find_custom_shapes, find_figures
from ..blender.travel.carriers import is_carried
from ..blender.travel.reading import sample_own_matrices
from ..blender.values.scene_state import get_frame_rate
from ..core.ground.interface import Ground
from ..core.ground.terrain import FlatGround, MovingGround
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.report.sole_places import list_sole_places
from ..core.rig.structure import Rig
from ..core.travel.carried import CarriedTravel
from ..core.travel.way import Travel
from ..core.walk import WalkPlan
from ..errors import GroundError
from ..notes import Note, NoteKind, make_note
from ..requests.plans import GroundChoice, PlanRequest
from ..requests.travels import AlongCurve, AlongFootsteps
from .characters import Character
from .limits import WALK
from .notes import tell_case, tell_cure
from .wording import Reader


def find_ground(character: Character, request: PlanRequest, travel: Travel) -> Ground:
    """Meshes of the scene to walk on, or the plane at the character's height.

    Where no meshes are chosen, other figures are none, and those that lie nowhere under the way count
    for nothing: a lamp in a corner is no floor.

    Raises
    ------
    GroundError
        None of the chosen objects is a visible mesh.
    """
    if not request.use_plane:
        others = find_figures(bpy.context.scene) if request.ground is None else []
        rate = get_frame_rate(bpy.context.scene)
        ground = build_ground(
            bpy.context,
            request.ground,
            (character.armature, *others, *request.ground_choice.left_out),
            find_leaving(character, request.ground_choice, travel),
            (travel.start * rate, travel.end * rate),
        )
        if len(ground) and _lies_on_way(ground, character, travel):
            return ground
        if request.ground is not None:
            # Along footsteps feet stand on these, wherever the ground is.
            if len(ground) and isinstance(request.travel, AlongFootsteps):
                return ground
            _refuse(character, request.ground, ground, travel)
    height = travel.positions[0, 2]
    along = isinstance(request.travel, AlongCurve | AlongFootsteps)
    if along:
        # These lie on a ground, or over it: where there is none, the character tells its height.
        start = np.array([float(bpy.context.scene.frame_start)])
        height = sample_own_matrices(character.armature, start, bpy.context.scene)[0, 2, 3]
    plane = FlatGround(float(height))
    if isinstance(travel, CarriedTravel) and not along and is_carried(character.armature):
        return _carry_plane(plane, travel)
    return plane


def _refuse(
    character: Character,
    chosen: Iterable[bpy.types.Object | bpy.types.Collection],
    ground: SceneGround,
    travel: Travel,
) -> NoReturn:
    """Say why what was chosen is no ground under the way.

    Raises
    ------
    GroundError
        Always.
    """
    names = ", ".join(repr(item.name) for item in chosen)
    if not names:
        raise GroundError(
            "no ground is chosen",
            "choose meshes, or All Meshes",
            "name it in `ground`, or leave `ground` out",
        )
    if not len(ground):
        if ground.faults:
            fault = ground.faults[0]
            raise GroundError(
                f"the chosen ground cannot be walked on: {tell_case(fault)}",
                tell_cure(fault),
                tell_cure(fault, Reader.JOB),
            )
        raise GroundError(f"the chosen ground ({names}) {_find_lack(character, chosen)}")
    places, _ = travel.evaluate(_sample_times(travel, WALK.ground_samples))
    distance = min(ground.find_distance(places, time) for time in (travel.start, travel.end))
    if distance > WALK.ground_reach * character.rig.leg_length:
        case = f"lies nowhere under the way, the nearest of it {distance:.3g} m beside it"
    else:
        case = "has no face under the way or within a leg's length of it, and walls are no ground"
    raise GroundError(
        f"the chosen ground ({names}) {case}",
        "move it or the character, choose the ground that is meant, or Plane",
        "move it or the character, or name the `ground` that is meant",
    )


def _find_lack(
    character: Character, chosen: Iterable[bpy.types.Object | bpy.types.Collection]
) -> str:
    """Why what was chosen is no ground, and what to do."""
    items = expand(chosen)
    if items and items <= collect_character(character.armature):
        return "hangs on the character itself, which cannot stand on it: choose another mesh"
    if items and items <= find_custom_shapes(bpy.context.scene):
        return (
            "holds only custom shapes of bones, which are ground where they are listed as objects: "
            "list them, or choose another mesh"
        )
    return "has no visible mesh that is not left out: choose or show a mesh"


def _carry_plane(plane: FlatGround, travel: CarriedTravel) -> Ground:
    """A plane that goes with what carries a character, level at the place where it starts."""
    carrier, start = travel.carrier, travel.local.positions[:1]

    def move(times: FloatArray) -> tuple[FloatArray, FloatArray]:
        places = np.repeat(start, len(times), axis=0)
        moved, yaws = carrier.carry(places, np.zeros(len(times)), times)
        return moved - rot.rotate(rot.quaternions_from_yaws(yaws), places), yaws

    heights = move(carrier.times)[0][:, 2]
    return MovingGround(plane, move, travel=(float(heights.min()), float(heights.max())))


def find_left_out(names: Iterable[str]) -> list[bpy.types.Object | bpy.types.Collection]:
    """Objects and collections of the file that are to be left out, by name.

    Raises
    ------
    GroundError
        There is none of that name.
    """
    found = []
    for name in names:
        item = bpy.data.objects.get(name) or bpy.data.collections.get(name)
        if item is None:
            raise GroundError(
                f"there is no object or collection {name!r} to leave out: name another"
            )
        found.append(item)
    return found


def note_scattered(ground: SceneGround, sole: float) -> list[Note]:
    """That things too small to stand on lie under the feet, and that very many things are looked at.

    Parameters
    ----------
    ground
        What a walk was planned on.
    sole
        Length of the shortest sole, metres.
    """
    notes = []
    small = ground.list_small(sole)
    if small:
        names = Counter(surface.source for surface in small)
        first = names.most_common(1)[0][0]
        notes.append(make_note(NoteKind.GROUND_SMALL, things=len(small), first=first))
    if len(ground) > WALK.many_things:
        owners = Counter(surface.source for surface in ground.surfaces)
        (first, count), *_ = owners.most_common(1)
        notes.append(
            make_note(NoteKind.GROUND_SCATTERED, things=len(ground), first=first, most=count)
        )
    return notes


def note_all_left_out(character: Character, request: PlanRequest, plan: WalkPlan) -> list[Note]:
    """That a walk goes over a plane since all ground under its way was left out.

    Parameters
    ----------
    character, request
        Who walks, and what was asked for.
    plan
        The walk.
    """
    if request.use_plane or request.ground is not None or isinstance(plan.ground, SceneGround):
        return []
    if request.ground_choice == GroundChoice():
        return []
    others = find_figures(bpy.context.scene)
    ground = build_ground(bpy.context, None, (character.armature, *others))
    under = _cast_about_way(ground, character, plan.travel)
    if not len(under):
        return []
    names = Counter(ground.surfaces[index].name for index in under.tolist())
    return [
        make_note(
            NoteKind.GROUND_ALL_LEFT_OUT,
            things=len(np.unique(under)),
            first=names.most_common(1)[0][0],
            height=plan.ground.height_limits()[0],
        )
    ]


def note_broken_ground(character: Character, request: PlanRequest, plan: WalkPlan) -> list[Note]:
    """What is wrong with meshes that were looked at as ground where a plane stands in for them.

    Parameters
    ----------
    character, request
        Who walks, and what was asked for.
    plan
        The walk.
    """
    if request.use_plane or isinstance(plan.ground, SceneGround):
        return []
    left_out = request.ground_choice.left_out
    others = (character.armature, *find_figures(bpy.context.scene), *left_out)
    return list(build_ground(bpy.context, request.ground, others).faults)


def note_figures(
    character: Character,
    request: PlanRequest,
    plan: WalkPlan,
    scene: bpy.types.Scene,
    frames: np.ndarray,
) -> list[Note]:
    """What is at the feet of a walk and no ground since it belongs to another figure, one note of each.

    Parameters
    ----------
    character, request
        Who walks, and what was asked for.
    plan
        The walk.
    scene
        Where it goes.
    frames
        Its scene frames, shape (N,).
    """
    if request.use_plane or request.ground is not None:
        return []
    rate, length = get_frame_rate(scene), character.rig.leg_length
    places = list_sole_places(plan, frames[0] / rate, frames[-1] / rate)
    own, found = collect_character(character.armature), dict[str, Note]()
    for figure in find_figures(scene):
        meshes = [
            item
            for item in collect_character(figure) - own
            if item.type == "MESH" and _is_near(item, places.points, length)
        ]
        if len(figure.locomotion.legs) or not meshes:
            continue
        ground = build_ground(
            bpy.context, meshes, (character.armature,), None, (frames[0], frames[-1])
        )
        layers = ground.cast_all(places.points, places.times)
        apart = np.abs(layers.heights - places.points[layers.rays, 2])
        for row in np.flatnonzero(apart <= length).tolist():
            ray, name = int(layers.rays[row]), ground.name_surface(int(layers.surfaces[row]))
            if name not in found:
                frame, place = places.times[ray] * rate, places.points[ray]
                values = {"mesh": name, "armature": figure.name}
                found[name] = make_note(NoteKind.FIGURE_NO_GROUND, None, frame, place, **values)
    return list(found.values())


def _is_near(item: bpy.types.Object, points: FloatArray, reach: float) -> bool:
    """Whether the box of an object, as it stands now, is within reach of any place (n, 3)."""
    box = read_box(item, np.array(item.matrix_world))
    apart = np.maximum(np.maximum(box.min(axis=0) - points, points - box.max(axis=0)), 0.0)
    return bool((apart.max(axis=1) <= reach).any())


def find_leaving(character: Character, choice: GroundChoice, travel: Travel) -> Leaving:
    """What is left out by kind, size and place; nothing is too far where there is no way."""
    leg = character.rig.leg_length
    way = None
    if choice.only_nearby and len(travel.times) > 1:
        count = max(WALK.ground_samples, math.ceil(travel.end - travel.start) * WALK.way_rate)
        positions, _ = travel.evaluate(np.linspace(travel.start, travel.end, count))
        way = positions[:, :2]
    return Leaving(
        unrendered=choice.rendered_only,
        instances=choice.leave_out_instances,
        smaller=find_shortest_sole(character.rig) if choice.leave_out_small else 0.0,
        way=way,
        beyond=(choice.only_nearby + WALK.ground_reach) * leg,
    )


def find_shortest_sole(rig: Rig) -> float:
    """Length of the shortest sole of a character, metres; 0 without soles."""
    return float(min(rig.foot_lengths, default=0.0))


def _lies_on_way(ground: Ground, character: Character, travel: Travel) -> bool:
    """Whether anything lies under the way of a character, or beside it within its reach.

    A travel that goes nowhere, as for footsteps that are placed, tells of no way.
    """
    return len(travel.times) < 2 or len(_cast_about_way(ground, character, travel)) > 0


def _cast_about_way(ground: Ground, character: Character, travel: Travel) -> np.ndarray:
    """Surface of each hit under the way of a character and beside it within its reach, shape (h,)."""
    reach = WALK.ground_reach * character.rig.leg_length
    times = _sample_times(travel, WALK.ground_samples)
    positions, _ = travel.evaluate(times)
    cross = reach * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    found = _cast_around(ground, positions, cross, np.full(len(times), travel.start))
    if len(found):
        return found
    # What is small may lie between the places, and what moves may come later.
    length = float(np.linalg.norm(np.diff(positions[:, :2], axis=0), axis=1).sum())
    sides = WALK.ground_sides
    wanted = length / reach * sides if reach > 0.0 else 0.0
    times = _sample_times(travel, int(min(max(wanted, len(times)), WALK.most_ground_samples)))
    positions, _ = travel.evaluate(times)
    row = reach * np.linspace(-1.0, 1.0, 2 * sides + 1)
    cross = np.concatenate([[[x, 0.0], [0.0, x]] for x in row])
    return _cast_around(ground, positions, cross, times)


def _cast_around(
    ground: Ground, positions: FloatArray, around: FloatArray, times: FloatArray
) -> np.ndarray:
    """Surface of each hit at places (n, 3) and offsets (k, 2) from them at times (n,), shape (h,)."""
    points = np.zeros((len(positions), len(around), 3))
    points[..., :2] = positions[:, None, :2] + around
    return ground.cast_all(points.reshape(-1, 3), np.repeat(times, len(around))).surfaces


def _sample_times(travel: Travel, count: int) -> FloatArray:
    """So many times evenly over a travel, seconds."""
    return np.linspace(travel.start, travel.end, count)
