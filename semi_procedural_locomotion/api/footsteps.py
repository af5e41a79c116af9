# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps of a character: shown from its plan, put back on the ground, removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.footsteps.marks import find_carrier
from ..blender.footsteps.objects import (
    StepPlacement,
    check_movable,
    create_footsteps,
    is_edited,
    list_footsteps,
    mark_lost,
    number_footsteps,
    place_footstep,
    read_kept_steps,
    remove_footsteps,
    set_step_time,
    settle_doubles,
    settle_footstep,
    step_matrix,
    write_planned_step,
    write_planned_way,
)
from ..blender.travel.reading import read_standing
from ..blender.values.scene_state import get_frame_rate
from ..core.drawing.shapes import list_used_prints
from ..core.footsteps.placing import stand_sole
from ..core.footsteps.planned import PlannedWay
from ..core.ground.interface import Ground
from ..core.motions.plainness import find_plain_walk
from ..core.motions.records import MotionSet
from ..core.travel.speeds import SpeedCurve
from ..core.travel.way import Travel
from ..core.walk import WalkPlan
from ..requests.travels import AlongFootsteps, Paced, TravelSource
from .characters import Character, make_motion_set
from .footstep_contacts import write_contacts
from .footstep_travels import lay_kept_steps
from .limits import PROGRESS
from .planning import plan_walk
from .progress import Steps, run_steps, scale_steps
from .set_up_work import find_ticked_motions, read_character
from .setups import make_request
from .travels import find_speed
from .walk_grounds import find_ground


@dataclass(frozen=True)
class FoundFootsteps:
    """A plan whose footsteps are to be shown.

    Attributes
    ----------
    character
        Whose.
    plan
        The walk.
    span
        Seconds between which its steps are shown.
    keep_edits
        Whether footsteps that were moved or placed by hand stay.
    travels
        Whether the walk goes along the footsteps: then all stay.
    factor
        By which cycles are longer than the motions have them where a speed was asked for.
    """

    character: Character
    plan: WalkPlan
    span: tuple[float, float]
    keep_edits: bool
    travels: bool
    factor: float


def find_footsteps(
    armature: bpy.types.Object, scene: bpy.types.Scene, keep_edits: bool = True
) -> Steps[FoundFootsteps]:
    """Plan the walk of a set-up character as its properties ask; nothing in the file changes.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Where it walks.
    keep_edits
        Whether footsteps that were moved or placed by hand stay.

    Raises
    ------
    LocomotionError
        Something cannot be used.
    """
    character = read_character(armature)
    findings = yield from scale_steps(find_ticked_motions(character), 0.0, PROGRESS.reading)
    motions = make_motion_set(character, findings)
    yield PROGRESS.reading, "planning the walk"
    request = replace(make_request(armature).plan, keep_footsteps=keep_edits)
    plan, (first, last) = plan_walk(character, motions, request, scene)
    rate = get_frame_rate(scene)
    span, travels = (first / rate, last / rate), isinstance(request.travel, AlongFootsteps)
    factor = _find_factor(character, motions, request.travel, scene, span[0])
    return FoundFootsteps(character, plan, span, keep_edits, travels, factor)


def _find_factor(
    character: Character,
    motions: MotionSet,
    travel: TravelSource,
    scene: bpy.types.Scene,
    start: float,
) -> float:
    """By which cycles are longer than the motions have them, for the speed asked for at a start."""
    speed = find_speed(character, travel, scene) if isinstance(travel, Paced) else None
    if isinstance(speed, SpeedCurve):
        speed = float(speed.find_speeds(np.array([start]))[0])
    walk = motions.motions[find_plain_walk(motions.motions, character.rig)]
    # Where it stands at the start no speed is asked for yet.
    return walk.speed / speed if speed else 1.0


def write_footsteps(found: FoundFootsteps, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Show the footsteps of a plan as objects.

    Steps that follow the plan are moved to where it has them now, made or removed. Steps that were
    moved or placed by hand stay; those that the plan does not use are marked. Where the walk goes
    along the footsteps, all stay and none is added.

    Returns
    -------
    list of objects
        All footsteps of the character in their order.
    """
    character, plan = found.character, found.plan
    armature, rig = character.armature, character.rig
    if not found.keep_edits and not found.travels:
        remove_footsteps(list_footsteps(armature))
    wanted, claimed = _list_placements(plan, found.span)
    settle_doubles(armature)
    for item in list_footsteps(armature):
        data = item.locomotion_footstep
        if item.name in claimed:
            data.identifier, time = claimed[item.name]
            set_step_time(item, time)
        if found.travels or is_edited(item):
            continue
        placement = wanted.pop(data.identifier, None)
        if placement is None:
            remove_footsteps([item])
        else:
            place_footstep(item, placement)
    if not found.travels:
        create_footsteps(armature, rig, list(wanted.values()), scene)
        _keep_way(found, scene)
    mark_lost(armature, [step.name for step in plan.claims.lost])
    write_contacts(armature, plan)
    number_footsteps(armature)
    return list_footsteps(armature)


def _keep_way(found: FoundFootsteps, scene: bpy.types.Scene) -> None:
    """Keep the way and the clock of a plan with its footsteps, for a walk along them."""
    armature, plan = found.character.armature, found.plan
    items, lost = list_footsteps(armature), {step.name for step in plan.claims.lost}
    kept = {
        step.name: step for step in read_kept_steps(armature, found.character.rig, scene, items)
    }
    for item in items:
        step = None if item.name in lost else kept.get(item.name)
        if step is None or step.time is None:
            item.locomotion_footstep.has_way = False
        else:
            (laid,) = lay_kept_steps([step], found.character.rig)
            write_planned_step(item, laid, step.time)
    times = plan.times.grid.times
    positions, yaws = plan.travel.evaluate(times)
    way = PlannedWay(times, positions, yaws, plan.times.phases, found.span, found.factor)
    is_plain = plan.travel.turns is None
    write_planned_way(armature, way if is_plain else None)


def _list_placements(
    plan: WalkPlan, span: tuple[float, float]
) -> tuple[dict[str, StepPlacement], dict[str, tuple[str, float]]]:
    """Planned steps by their names, and of kept steps the planned name and time by theirs."""
    wanted: dict[str, StepPlacement] = {}
    claimed: dict[str, tuple[str, float]] = {}
    for leg, row in enumerate(plan.prints.rows):
        used = {int(index) for index in list_used_prints(row, *span)}
        for index in range(len(row.times)):
            step = plan.claims.find_step(leg, index)
            identifier, time = f"{leg}:{row.first + index}", float(row.times[index])
            if step is not None:
                # A step that is left out has no time of its own in the plan.
                kept = step.time if step.left_out and step.time is not None else time
                claimed[step.name] = (identifier, kept)
            elif index in used:
                length = float(plan.tables.rig.foot_lengths[leg])
                matrix = step_matrix(row.positions[index], row.frames[index], length)
                carrier = find_carrier(plan, int(row.surfaces[index]))
                if carrier is not None:
                    (frame,) = plan.ground.surface_frames(
                        int(row.surfaces[index]), np.array([time])
                    )
                    matrix = np.linalg.inv(frame) @ matrix
                wanted[identifier] = StepPlacement(leg, matrix, identifier, time, carrier)
    return wanted, claimed


def show_footsteps(
    armature: bpy.types.Object, scene: bpy.types.Scene, keep_edits: bool = True
) -> list[bpy.types.Object]:
    """Plan the walk of a set-up character and show its footsteps; see `write_footsteps`.

    Raises
    ------
    LocomotionError
        Something cannot be used; nothing has changed then.
    """
    return write_footsteps(run_steps(find_footsteps(armature, scene, keep_edits)), scene)


def clear_footsteps(armature: bpy.types.Object, edited_too: bool = True) -> int:
    """Remove the footsteps of a character, or only those that follow the plan; how many."""
    items = [i for i in list_footsteps(armature) if edited_too or not is_edited(i)]
    remove_footsteps(items)
    return len(items)


def clear_orphaned_steps(items: Sequence[bpy.types.Object], edited_too: bool = True) -> int:
    """Remove footsteps of deleted characters, or only those that followed the plan; how many."""
    items = [i for i in items if edited_too or not is_edited(i)]
    remove_footsteps(items)
    return len(items)


def replace_on_ground(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    items: Sequence[bpy.types.Object] | None = None,
    ground: Ground | None = None,
) -> int:
    """Put footsteps on the ground below or above them, turned to its slope.

    Where they are seen from above and where their toes point does not change.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Where it walks.
    items
        Some of its footsteps; None for all.
    ground
        What they stand on; None for what its properties say.

    Returns
    -------
    int
        How many found no ground and were left as they are.

    Raises
    ------
    LocomotionError
        The ground cannot be used.
    """
    character = read_character(armature)
    rig = character.rig
    settings = make_request(armature).plan.settings
    ground = ground or find_step_ground(character, scene)
    left = 0
    items = list_footsteps(armature) if items is None else items
    check_movable(items, scene)
    for item in items:
        for step in read_kept_steps(armature, rig, scene, [item]):
            (laid,) = lay_kept_steps([step], rig)
            time = step.time
            if time is None:
                time = scene.frame_current / get_frame_rate(scene)
            placed = stand_sole(ground, rig, step.leg, laid.middle, laid.heading, time, settings)
            if placed is None:
                left += 1
            else:
                length = float(rig.foot_lengths[step.leg])
                settle_footstep(item, step_matrix(*placed, length), scene)
    return left


def find_step_ground(character: Character, scene: bpy.types.Scene) -> Ground:
    """What a set-up character walks on as its properties ask, without any travel."""
    now = float(scene.frame_current)
    place, _ = read_standing(character.armature, now, scene, character.rig.skeleton)
    still = Travel(np.zeros(1), place[None], np.zeros(1))
    return find_ground(character, make_request(character.armature).plan, still)
