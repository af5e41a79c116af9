# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character passes through on its way, and ways that keep clear of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import bpy
import numpy as np

from ..blender.ground.casting import SceneGround, build_ground
from ..blender.ground.surfaces import Leaving
from ..blender.ground.walls import SceneWalls
from ..blender.reading.skins import read_outline
from ..blender.setup.characters import find_figures
from ..blender.values.armature import find_known_bone
from ..blender.values.scene_state import get_frame_rate
from ..core.body.outline import BodyOutline
from ..core.ground.interface import Ground
from ..core.maths.fingerprints import KeptResults, try_fingerprint
from ..core.maths.rotations import FloatArray
from ..core.plan import solve_poses
from ..core.report.body_depths import BodyCut, measure_body_cuts, note_body_cuts
from ..core.report.walk_passages import (
    WalkPassage,
    find_steepest,
    find_treads,
    measure_passage,
)
from ..core.report.wall_notes import note_climbed, note_crossed_walls, note_moved_ends
from ..core.travel.carried import CarriedTravel
from ..core.travel.limits import CLEARING, FURNITURE, PASSAGE
from ..core.travel.walls import (
    Crossing,
    Furniture,
    Walls,
    find_furniture,
    find_shifts,
    lay_aisles,
    shift_travel,
    split_runs,
    trace_way,
)
from ..core.travel.way import Travel
from ..core.walk import SolvedWalk, WalkPlan
from ..notes import Note
from ..requests.plans import PlanRequest
from ..requests.travels import AlongFootsteps, LineTravel, Way
from .characters import Character
from .limits import KEPT

# What a body takes up along its walk, what of the scene that crosses, and what of it is in the ground.
_passages = KeptResults[WalkPassage](KEPT.walks)
_crossings = KeptResults[list[Crossing]](KEPT.walks)
_cuts = KeptResults[list[BodyCut]](KEPT.walks)


def note_walls(
    character: Character,
    request: PlanRequest,
    plan: WalkPlan,
    walk: SolvedWalk,
    scene: bpy.types.Scene,
) -> list[Note]:
    """Notes of things in the scene that a walk passes through, and of what of the body is in the ground.

    Parameters
    ----------
    character, request
        Who walks, and what was asked for.
    plan, walk
        The walk, solved at the scene's frames.
    scene
        Where it walks.
    """
    if not isinstance(request.travel, LineTravel):
        case = "on_fixed_way"
    else:
        case = "without_room" if request.travel.keep_clear else "open"
    if _stands_on_top(request, plan):
        return []
    outline = _read_outline(character)
    key = None
    if plan.fingerprint is not None:
        key = try_fingerprint(plan.fingerprint, walk.poses, outline)
    body = _passages.get(key, lambda: measure_passage(plan, walk, outline))
    walls = _find_walls(character, request, plan, body, scene)
    met = None if key is None else try_fingerprint(key, walls)
    crossings = _crossings.get(met, lambda: walls.find_crossings(body.passage))
    rate = get_frame_rate(scene)
    notes = note_crossed_walls(body.passage, crossings, case, rate)
    cuts = _cuts.get(key, lambda: measure_body_cuts(plan, walk, outline))
    frames = np.round(walk.poses.times * rate).astype(np.intp)
    return notes + [
        replace(note, values={**note.values, "bone": find_known_bone(character.armature, name)})
        for note in note_body_cuts(plan, cuts, frames)
        for name in [str(note.values["bone"])]
    ]


def note_furniture(request: PlanRequest, plan: WalkPlan, scene: bpy.types.Scene) -> list[Note]:
    """A note of each thing that a walk climbs and leaves at once.

    Parameters
    ----------
    request, plan
        What was asked for, and the walk.
    scene
        Where it walks.
    """
    if isinstance(request.travel, AlongFootsteps) or not isinstance(plan.ground, SceneGround):
        return []
    named: dict[str, Furniture] = {}
    for thing in _find_furniture(plan, find_treads(plan)):
        named.setdefault(plan.ground.surfaces[thing.surface].name, thing)
    return note_climbed(list(named.items()), get_frame_rate(scene))


def bar_furniture(
    request: PlanRequest, plan: WalkPlan, plan_again: Callable[[Travel, Ground], WalkPlan]
) -> WalkPlan:
    """The plan of a walk that does not climb what is higher than a step in all, as backs of chairs.

    Parameters
    ----------
    request, plan
        What was asked for, and the walk.
    plan_again
        Plans the walk along a way and on a ground.
    """
    if isinstance(request.travel, AlongFootsteps):
        return plan
    for _ in range(FURNITURE.rounds):
        barred = [t.surface for t in _find_furniture(plan, find_treads(plan)) if t.too_high]
        if not barred or not isinstance(plan.ground, SceneGround):
            break
        plan = plan_again(plan.travel, plan.ground.leave_out(barred))
    return plan


def _find_furniture(plan: WalkPlan, offsets: FloatArray) -> list[Furniture]:
    """Things that a walk climbs along lines beside its way, metres to the left, shape (O,)."""
    ground = plan.ground
    if not isinstance(ground, SceneGround) or len(ground) < 2 or not plan.rides.in_world:
        return []
    length, times = plan.tables.rig.leg_length, plan.grid.times
    places = plan.travel.evaluate(times)[0][:, :2]
    way = trace_way(times, places, plan.levels, length)
    if way is None:
        return []
    return find_furniture(way, ground, offsets, length, plan.settings.step_limit * length)


def keep_clear(
    character: Character,
    request: PlanRequest,
    plan: WalkPlan,
    travel: Travel,
    scene: bpy.types.Scene,
    plan_again: Callable[[Travel, Ground], WalkPlan],
) -> WalkPlan:
    """The plan of a walk whose way gives way to walls and furniture, by up to a body's width.

    Furniture that is too wide for that is climbed as it would be otherwise.

    Parameters
    ----------
    character, request
        Who walks, and what was asked for.
    plan, travel
        The walk along the way that was asked for, and this way.
    scene
        Where it walks.
    plan_again
        Plans the walk along a way and on a ground.
    """
    if not isinstance(request.travel, LineTravel) or not request.travel.keep_clear:
        return plan
    asked = (character, request, plan, travel, scene, plan_again)
    around, climbed = _shift_plan(*asked, avoids=True)
    if climbed and _find_furniture(around, find_treads(around)):
        around, _ = _shift_plan(*asked, avoids=False)
    return around


def _shift_plan(
    character: Character,
    request: PlanRequest,
    plan: WalkPlan,
    travel: Travel,
    scene: bpy.types.Scene,
    plan_again: Callable[[Travel, Ground], WalkPlan],
    *,
    avoids: bool,
) -> tuple[WalkPlan, bool]:
    """See `keep_clear`; whether it avoids furniture, and whether it met any."""
    # All of the way is looked at, so that a section of it gives way as the whole does.
    rate = get_frame_rate(scene)
    ends = (int(plan.travel.start * rate), int(np.ceil(plan.travel.end * rate)))
    times = np.arange(ends[0], ends[1] + 1) / rate
    length = plan.tables.rig.leg_length
    turns = not (isinstance(request.travel, Way) and request.travel.heading == "kept")
    # Over ground that moves below it, the way in the world tells nothing of where the body faces.
    turns = turns and (plan.rides.in_world or isinstance(travel, CarriedTravel))
    shifts = np.zeros(0)
    outline = _read_outline(character)
    walls: Walls | None = None
    ground, met = plan.ground, set[int]()
    for _ in range(CLEARING.rounds):
        bare = plan
        body = measure_passage(plan, solve_poses(plan, times), outline)
        if avoids and isinstance(ground, SceneGround):
            lines = np.linspace(-1.0, 1.0, FURNITURE.lines) * body.room.width
            met |= {thing.surface for thing in _find_furniture(plan, lines)}
            if met:
                # What is in the way is seen as if nothing of it was walked on.
                bare = plan_again(plan.travel, ground.leave_out(met))
                body, walls = measure_passage(bare, solve_poses(bare, times), outline), None
        walls = walls or _find_walls(character, request, bare, body, scene)
        crossings = walls.find_crossings(body.passage)
        if not crossings:
            break
        # The passage has a station more at each end.
        cells = np.concatenate([body.passage.sheets.cells[c.pieces, 0] for c in crossings])
        stations = np.clip(cells - 1, 0, len(body.room.times) - 1)
        if not len(shifts):
            shifts = np.zeros(len(body.room.times))
            clock, sides = body.room.times, body.room.sides
        limits = (find_steepest(plan), plan.settings.step_limit * length)
        moved = np.zeros(len(body.room.times))
        for aisle in lay_aisles(body.room, split_runs(stations), bare.ground, length, limits):
            found = walls.find_crossings(aisle.passage)
            moved[aisle.rows] = find_shifts(aisle, found, length)
        if np.abs(moved).max() < CLEARING.least * length:
            break
        shifts = shifts + np.interp(clock, body.room.times, moved)
        most = 2.0 * CLEARING.widths * body.room.width
        shifts = np.clip(shifts, -most, most)
        way = shift_travel(travel, clock, sides, shifts, turns=turns)
        ends_told = note_moved_ends((travel, way), body.passage, crossings, rate, length)
        plan = plan_again(replace(way, notes=(*travel.notes, *ends_told)), ground)
    return plan, bool(met)


def _find_walls(
    character: Character,
    request: PlanRequest,
    plan: WalkPlan,
    body: WalkPassage,
    scene: bpy.types.Scene,
) -> Walls:
    """All visible meshes about a walk that are no part of any character."""
    rate, choice = get_frame_rate(scene), request.ground_choice
    ground = plan.ground if isinstance(plan.ground, SceneGround) else None
    if ground is not None and not _asks_scene(request):
        names = None if ground.whole is ground else {item.name for item in ground.surfaces}
        return SceneWalls(ground.whole, names, rate)
    # The way may be shifted by a width, and the body is as wide beside it. What is too small to stand
    # on may well be in the way.
    leaving = Leaving(
        unrendered=choice.rendered_only,
        instances=choice.leave_out_instances,
        way=body.room.centres,
        beyond=2.0 * (CLEARING.widths + 1.0) * body.room.width,
    )
    others = (*find_figures(bpy.context.scene), *choice.left_out)
    meshes = build_ground(bpy.context, None, (character.armature, *others), leaving)
    walked = set() if ground is None else {surface.name for surface in ground.surfaces}
    return SceneWalls(meshes, walked, rate)


def _stands_on_top(request: PlanRequest, plan: WalkPlan) -> bool:
    """Whether nothing about a walk is higher than the ground under it: there is no wall to look for."""
    ground = plan.ground
    if _asks_scene(request) or not isinstance(ground, SceneGround):
        return False
    margin = PASSAGE.margin * plan.tables.rig.leg_length
    highest = ground.whole.height_limits()[1]
    return not ground.whole.moving_surfaces() and highest <= float(plan.levels.min()) + margin


def _asks_scene(request: PlanRequest) -> bool:
    """Whether there is more about a walk than what it may walk on."""
    return request.ground is not None or request.ground_choice.leave_out_small


def _read_outline(character: Character) -> BodyOutline:
    """The outside of a character's body."""
    return read_outline(character.armature, character.rig.skeleton)
