# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travel along the footsteps of a character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ..blender.footsteps.objects import (
    list_footsteps,
    read_kept_steps,
    read_planned_step,
    read_planned_way,
    read_step_timing,
    step_matrix,
)
from ..blender.setup.footstep_properties import find_duplicates
from ..blender.travel.reading import read_standing
from ..blender.values.matrices import is_animated
from ..blender.values.scene_state import get_frame_rate
from ..core.body.airborne.gravity import find_gravity
from ..core.footsteps.layout import LaidStep, StepGait, measure_gait
from ..core.footsteps.planned import PlannedWay, goes_as_planned, travel_as_planned
from ..core.footsteps.source import note_far_jumps
from ..core.footsteps.timing import StepTiming, TimingMiss
from ..core.footsteps.travel import (
    StepTravel,
    StepWalkChoices,
    note_long_steps,
    travel_from_steps,
)
from ..core.maths import rotations as rot
from ..core.maths.constants import STANDARD_GRAVITY
from ..core.motions.packing import pack_motions
from ..core.motions.records import MotionSet
from ..core.prints.records import KeptStep
from ..core.rig.structure import Rig
from ..core.times.durations import CyclePace, measure_pace
from ..core.travel.carried import Carrier, find_turns, move_points
from ..core.travel.way import Travel
from ..errors import TravelError
from ..notes import Note, NoteKind, make_note
from ..requests.plans import PlanSettings
from .carried_travels import are_steps_carried, carry_travel_by, find_steps_carrier
from .characters import Character
from .limits import WALK


def lay_kept_steps(steps: Sequence[KeptStep], rig: Rig) -> list[LaidStep]:
    """Footsteps as seen from above."""
    laid = []
    for step in steps:
        middle = step_matrix(step.position, step.frame, float(rig.foot_lengths[step.leg]))[:3, 3]
        toe = rot.rotate(step.frame, np.array([1.0, 0.0, 0.0]))
        laid.append(LaidStep(step.leg, middle, float(np.arctan2(toe[1], toe[0])), step.jump))
    return laid


def make_footstep_travel(
    character: Character,
    motions: MotionSet,
    walk: int,
    speed: float | None,
    settings: PlanSettings,
    scene: bpy.types.Scene,
    first_frame: int,
    shifts: Mapping[str, tuple[float, float]] | None = None,
) -> tuple[Travel, list[KeptStep]]:
    """The travel along all footsteps of a character, in their order.

    Parameters
    ----------
    character, motions
        Who walks, and how.
    walk
        Index of the motion that goes ahead.
    speed
        Metres a second of the walk's own strides; None for the walk's own speed.
    settings
        Limits.
    scene
        Gives the clock.
    first_frame
        Frame at which the character begins to move, from where it stands then.
    shifts
        By names of footsteps, seconds by which their starts and durations are to be asked for later
        than they were set; None for none.

    Returns
    -------
    travel
        The way.
    steps
        The footsteps with the times at which they bear.

    Raises
    ------
    TravelError
        There are no footsteps, or the walk along them would take too long.
    """
    armature, rig = character.armature, character.rig
    items = list_footsteps(armature)
    kept = read_kept_steps(armature, rig, scene, items)
    if all(step.left_out for step in kept):
        raise TravelError(
            f"{armature.name!r} has no footsteps to travel along: place or generate some, or choose "
            "another travel"
        )
    names = {step.name for step in kept}
    used = [item for item in items if item.name in names]
    timings = read_step_timings(armature)
    place, _ = read_standing(armature, first_frame, scene, rig.skeleton)
    rest = next((motion for motion in motions.motions if motion.kind == "rest"), None)
    gait = measure_gait(rig, motions.motions[walk], rest)
    pace = measure_pace(motions, walk, settings.slowdown_exponent, speed)
    rate = get_frame_rate(scene)
    _check_length(len(used) / len(rig.legs), pace, rate)
    start, carrier = first_frame / rate, None
    carried = are_steps_carried(armature, used)
    any_jump = any(step.jump and not step.left_out for step in kept)
    # The plan that they come from had no jumps.
    way = None if carried or any_jump else read_planned_way(armature)
    if carried:
        kept = read_kept_steps(armature, rig, scene, used, [start] * len(used))
    # Steps that ride on something are elsewhere at the times that the first round finds.
    for _ in range(2 if carried or any(is_animated(item) for item in used) else 1):
        if carried:
            end = max(start, *(step.time or start for step in kept))
            carrier = find_steps_carrier(armature, used, motions, scene, start, end)
        laid = lay_kept_steps([_take_to_carrier(step, carrier) for step in kept], rig)
        choices = StepWalkChoices(
            start=(place, gait.facing),
            start_time=start,
            phase_offset=float(motions.offsets[walk]),
            max_turn=settings.max_turn_per_cycle,
            timings=[
                _shift_timing(
                    timings.get(item.name, StepTiming()),
                    *(shifts or {}).get(item.name, (0.0, 0.0)),
                )
                for item in used
            ],
            skipped=[step.left_out for step in kept],
            gravity=find_gravity(pack_motions(rig, motions)) if any_jump else STANDARD_GRAVITY,
        )
        result = _walk_along(way, used, gait, laid, pace, choices)
        kept = read_kept_steps(armature, rig, scene, used, result.instants.tolist())
    taken = [number for number, step in enumerate(kept) if not step.left_out]
    notes = note_long_steps(gait, [laid[n] for n in taken], [kept[n].name for n in taken], pace)
    notes += note_far_jumps(
        result.travel, [kept[n] for n in taken], choices.gravity, rig.leg_length
    )
    notes += _note_misses(result.misses, kept, shifts or {}, rate)
    return carry_travel_by(replace(result.travel, notes=tuple(notes)), carrier), kept


def _check_length(cycles: float, pace: CyclePace, rate: float) -> None:
    """Refuse footsteps that would take longer than any walk, before anything of that length is made.

    Raises
    ------
    TravelError
        So many cycles at this pace do.
    """
    frames = cycles * pace.factor * float(np.min(pace.periods)) * rate
    if frames > WALK.most_frames:
        raise TravelError(
            f"along the footsteps the walk would be about {frames:.0f} frames long: walk them faster, "
            f"{WALK.most_frames} frames are the most"
        )


def _walk_along(
    way: PlannedWay | None,
    items: Sequence[bpy.types.Object],
    gait: StepGait,
    steps: Sequence[LaidStep],
    pace: CyclePace,
    choices: StepWalkChoices,
) -> StepTravel:
    """The travel along some footsteps: that of the plan where all of them come from one."""
    planned = [read_planned_step(item, step.leg) for item, step in zip(items, steps, strict=True)]
    known = [own for own in planned if own is not None]
    if way is None or not goes_as_planned(steps, planned):
        return travel_from_steps(gait, steps, pace, choices)
    return travel_as_planned(gait, steps, known, way, pace, choices)


def _take_to_carrier(step: KeptStep, carrier: Carrier | None) -> KeptStep:
    """A footstep in the space of what carries the walk."""
    if carrier is None or step.time is None:
        return step
    motion = carrier.find_motions(np.array([step.time]))
    position = move_points(np.linalg.pinv(motion), step.position[None])[0]
    frame = rot.multiply(rot.conjugate(find_turns(motion)[0]), step.frame)
    return replace(step, position=position, frame=frame)


def _shift_timing(timing: StepTiming, start: float, duration: float) -> StepTiming:
    """What was set by hand, by seconds later and longer."""
    return StepTiming(
        start=None if timing.start is None else timing.start + start,
        duration=None if timing.duration is None else timing.duration + duration,
    )


def read_step_timings(armature: bpy.types.Object) -> dict[str, StepTiming]:
    """What was set by hand of the times of a character's footsteps, by their names.

    A duplicate lasts as the footstep that it was made from, but starts at a time of its own.
    """
    steps = list_footsteps(armature)
    found = {item.name: read_step_timing(item) for item in steps}
    for item in find_duplicates(steps):
        found[item.name] = replace(found[item.name], start=None)
    return {name: timing for name, timing in found.items() if timing.is_set}


def _note_misses(
    misses: Sequence[TimingMiss],
    steps: Sequence[KeptStep],
    shifts: Mapping[str, tuple[float, float]],
    rate: float,
) -> list[Note]:
    """A note of every time set by hand that the walk cannot meet."""
    notes = []
    for miss in misses:
        step = steps[miss.step]
        start, duration = shifts.get(step.name, (0.0, 0.0))
        wanted = miss.wanted - (start if miss.is_start else duration)
        notes.append(
            make_note(
                NoteKind.FOOTSTEP_MISTIMED,
                frame=miss.reached * rate,
                place=step.position,
                footstep=step.name,
                starts=int(miss.is_start),
                wanted=wanted * rate,
                reached=miss.reached * rate,
            )
        )
    return notes
