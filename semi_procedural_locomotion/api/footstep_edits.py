# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several footsteps of a character changed as a run: bent, scaled, mirrored, copied, pasted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.footsteps.objects import (
    StepPlacement,
    change_step_leg,
    check_movable,
    create_footsteps,
    list_footsteps,
    move_footstep,
    read_kept_steps,
    step_matrix,
)
from ..blender.values.matrices import compose_matrices
from ..core.footsteps.layout import LaidStep, StepRun, mirror_about, move_run
from ..core.ground.interface import Ground
from ..core.maths.rotations import FloatArray
from ..core.prints.records import KeptStep
from ..core.rig.crossing import list_partners
from ..core.rig.structure import Rig
from ..errors import RigError, TravelError
from .footstep_runs import StepMaker, add_steps, find_step_maker, read_laid_steps
from .footsteps import find_step_ground, replace_on_ground
from .progress import Steps
from .set_up_work import read_character


@dataclass(frozen=True)
class FoundEdit:
    """A run of footsteps as it is to be, not changed yet.

    Attributes
    ----------
    armature
        Whose.
    items
        The footsteps.
    run
        Where they come to lie.
    legs
        Indices of the legs that take them then.
    ground
        What they stand on; None where they keep their heights.
    """

    armature: bpy.types.Object
    items: tuple[bpy.types.Object, ...]
    run: StepRun
    legs: tuple[int, ...]
    ground: Ground | None


def find_edit(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    items: Sequence[bpy.types.Object],
    edit: Callable[[StepRun], StepRun],
    *,
    changes_sides: bool = False,
    on_ground: bool = True,
) -> FoundEdit:
    """Find what becomes of some footsteps of a character as a run; nothing in the file changes.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Where it walks.
    items
        Some of its footsteps in their order.
    edit
        What becomes of the run.
    changes_sides
        Whether the legs on the other side take the steps then.
    on_ground
        Whether they are put on the ground.

    Raises
    ------
    LocomotionError
        There are too few steps, or the ground cannot be used.
    """
    character = read_character(armature)
    rig = character.rig
    kept = read_kept_steps(armature, rig, scene, items)
    names = {step.name for step in kept}
    moved = tuple(item for item in items if item.name in names)
    check_movable(moved, scene)
    legs = [step.leg for step in kept]
    if changes_sides:
        partners = _find_partners(rig)
        legs = [partners[leg] for leg in legs]
    return FoundEdit(
        armature=armature,
        items=moved,
        run=edit(_make_run(kept, rig)),
        legs=tuple(legs),
        ground=find_step_ground(character, scene) if on_ground else None,
    )


def write_edit(found: FoundEdit, scene: bpy.types.Scene) -> int:
    """Move footsteps to where they are to be; how many found no ground and keep their heights."""
    rig = read_character(found.armature).rig
    run = found.run
    matrices = compose_matrices(run.middles, run.frames, np.ones_like(run.middles))
    for item, leg, matrix in zip(found.items, found.legs, matrices, strict=True):
        move_footstep(item, matrix, scene)
        change_step_leg(item, found.armature, rig, leg)
    if found.ground is None:
        return 0
    return replace_on_ground(found.armature, scene, found.items, found.ground)


@dataclass(frozen=True)
class CopiedSteps:
    """A run of footsteps that can be pasted.

    Attributes
    ----------
    legs
        Names of the legs, N.
    run
        Where they were.
    durations
        Seconds that each foot stays down where that was set by hand, else None.
    jumps
        Whether each is jumped to.
    """

    legs: tuple[str, ...]
    run: StepRun
    durations: tuple[float | None, ...]
    jumps: tuple[bool, ...]


def copy_steps(
    armature: bpy.types.Object, scene: bpy.types.Scene, items: Sequence[bpy.types.Object]
) -> CopiedSteps:
    """What is needed to paste some footsteps of a character.

    Raises
    ------
    TravelError
        There are none.
    """
    rig = read_character(armature).rig
    kept = read_kept_steps(armature, rig, scene, items)
    if not kept:
        raise TravelError("there are no footsteps to copy: select some")
    data = {item.name: item.locomotion_footstep for item in items}
    own = [data[step.name] for step in kept]
    return CopiedSteps(
        legs=tuple(rig.legs[step.leg].name for step in kept),
        run=_make_run(kept, rig),
        durations=tuple(d.own_duration if d.has_own_duration else None for d in own),
        jumps=tuple(step.jump for step in kept),
    )


@dataclass(frozen=True)
class FoundPaste:
    """Copied footsteps where they are to be pasted.

    Attributes
    ----------
    maker
        What they are made with.
    copied
        The steps, in their new places.
    on_ground
        Whether they stand on the ground.
    """

    maker: StepMaker
    copied: CopiedSteps
    on_ground: bool


def find_paste(
    armature: bpy.types.Object,
    copied: CopiedSteps,
    scene: bpy.types.Scene,
    sides: str = "auto",
    place: tuple[FloatArray, float] | None = None,
    on_ground: bool = True,
) -> Steps[FoundPaste]:
    """Find where copied footsteps go; nothing in the file changes.

    Parameters
    ----------
    armature
        A set-up character, which may be another than that of the copied steps.
    copied
        The steps.
    scene
        Where it walks.
    sides
        ``"same"``; ``"mirrored"`` exchanges left and right; ``"auto"`` does so where the legs step in
        turn only then.
    place
        World place of the body before the first step, metres, shape (3,), and how much the run turns,
        radians; None for a step after the last footstep, going its way.
    on_ground
        Whether they are put on the ground.

    Raises
    ------
    LocomotionError
        It is not set up or has no leg of a copied step's name.
    """
    maker = yield from find_step_maker(armature, scene)
    rig, gait = maker.character.rig, maker.gait
    names = [leg.name for leg in rig.legs]
    for name in copied.legs:
        if name not in names:
            raise RigError(
                f"{armature.name!r} has no leg {name!r} for a copied footstep: name a leg so"
            )
    legs = [names.index(name) for name in copied.legs]
    partners = _find_partners(rig)
    present = read_laid_steps(armature, rig, scene)
    before = present[-1] if present else None
    if sides == "auto":
        due = gait.order[0] if before is None else gait.follow(before.leg)
        mirrored = legs[0] != due and partners[legs[0]] == due
    else:
        mirrored = sides == "mirrored"
    run = copied.run
    body, direction = gait.place_body(legs[0], run.middles[0], float(run.headings[0]))
    if mirrored:
        run = mirror_about(run, body, direction)
        legs = [partners[leg] for leg in legs]
        body, direction = gait.place_body(legs[0], run.middles[0], float(run.headings[0]))
    pivot = np.append(body, run.middles[0, 2])
    if place is not None:
        target, turn = place
    else:
        target, towards = _find_end(maker, before, legs[0])
        turn = towards - direction
    pasted = replace(
        copied,
        legs=tuple(names[leg] for leg in legs),
        run=move_run(run, pivot, turn, target),
    )
    return FoundPaste(maker, pasted, on_ground)


def write_paste(found: FoundPaste, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Make pasted footsteps, after those that there are."""
    armature, rig = found.maker.character.armature, found.maker.character.rig
    names = [leg.name for leg in rig.legs]
    run = found.copied.run
    legs = [names.index(name) for name in found.copied.legs]
    if found.on_ground:
        ground = find_step_ground(found.maker.character, scene)
        laid = [
            LaidStep(leg, middle, float(heading))
            for leg, middle, heading in zip(legs, run.middles, run.headings, strict=True)
        ]
        created = add_steps(found.maker, ground, laid, scene)
    else:
        matrices = compose_matrices(run.middles, run.frames, np.ones_like(run.middles))
        placements = [
            StepPlacement(leg, matrix) for leg, matrix in zip(legs, matrices, strict=True)
        ]
        created = create_footsteps(armature, rig, placements, scene)
    copied = found.copied
    for item, duration, jump in zip(created, copied.durations, copied.jumps, strict=True):
        data = item.locomotion_footstep
        if jump:
            data.is_jump = True
        if duration is not None:
            data.own_duration, data.has_own_duration = duration, True
    return created


def _find_end(maker: StepMaker, before: LaidStep | None, leg: int) -> tuple[FloatArray, float]:
    """Place (3,) and direction of the body at the next step of a leg, after the last footstep."""
    gait = maker.gait
    if before is None:
        place, direction, height = maker.start[:2], maker.direction, float(maker.start[2])
        ahead = gait.advance(gait.order[gait.order.index(leg) - 1], leg)
    else:
        place, direction = gait.place_body(before.leg, before.middle, before.heading)
        height, ahead = float(before.middle[2]), gait.advance(before.leg, leg)
    way = np.array([np.cos(direction), np.sin(direction)])
    return np.append(place + gait.stride * ahead * way, height), direction


def _make_run(steps: Sequence[KeptStep], rig: Rig) -> StepRun:
    """Footsteps as a run."""
    matrices = [
        step_matrix(step.position, step.frame, float(rig.foot_lengths[step.leg])) for step in steps
    ]
    return StepRun(
        middles=np.array([matrix[:3, 3] for matrix in matrices]).reshape(-1, 3),
        frames=np.array([step.frame for step in steps]).reshape(-1, 4),
    )


def _find_partners(rig: Rig) -> list[int]:
    """The leg on the other side of each, itself where there is none."""
    partners = list(range(len(rig.legs)))
    for first, second in list_partners(rig):
        partners[first], partners[second] = second, first
    return partners


def list_run(
    armature: bpy.types.Object, chosen: Sequence[bpy.types.Object]
) -> list[bpy.types.Object]:
    """Those footsteps of a character that are chosen, in their order; all where none is chosen."""
    steps = list_footsteps(armature)
    return [step for step in steps if step in chosen] if chosen else steps
