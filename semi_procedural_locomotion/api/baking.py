# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a walk and measure it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np

from ..blender.bake import removal
from ..blender.bake import writing as bake_action
from ..blender.bake.checking import check_carrier
from ..blender.bake.influences import check_carrying, list_leg_bones
from ..blender.bake.writing import BakeOptions
from ..blender.controls.tasks import WorldBones
from ..blender.reading.importing import find_connected
from ..blender.travel.reading import check_curve
from ..blender.values.bake_record import Marker
from ..blender.values.scene_state import get_frame_rate
from ..core.keys.edits import KeyEdit
from ..core.keys.tables import set_character_upright
from ..core.motions.records import MotionSet
from ..core.report.graphs import EVENTS, read_motion_graph
from ..core.report.shown_measures import ShownReport
from ..core.report.walk_notes import note_shown
from ..core.rig.controls.mapping import ControlMap
from ..core.walk import SolvedWalk, WalkPlan
from ..notes import Note, NoteKind
from ..requests.plans import PlanRequest
from ..requests.travels import AlongCurve, AsBone
from .characters import Character, MotionFinding
from .controlled import choose_options, put_on_controls
from .controls import choose_controls
from .hand_overs import note_jumps
from .kept_walks import recall_numbers, recall_poses
from .notes import count_misses, plain_notes, sort_notes, tell_notes
from .planning import plan_walk
from .present_feet import PresentCharacter
from .progress import Steps, scale_steps
from .verifying import (
    Verification,
)
from .walk_notes import note_walk
from .wording import Reader

# Shares of a bake that are done when it moves controls, writes, and looks at what it wrote.
SOLVING, WRITING, VERIFYING = 0.75, 0.9, 0.93
# Events that are marked, by how the markers call them.
_MARKED = {"strike": "Strike", "off": "Off"}


@dataclass(frozen=True)
class BakeRequest:
    """What to bake and how to write it.

    Attributes
    ----------
    plan
        Travel, ground, frames and settings.
    options
        How the keys are written.
    verify
        Look at the written walk as Blender shows it, where the preferences want that too.
    """

    plan: PlanRequest = field(default_factory=PlanRequest)
    options: BakeOptions = field(default_factory=BakeOptions)
    verify: bool = True


@dataclass(frozen=True)
class BakeResult:
    """A baked walk.

    Attributes
    ----------
    action
        The bake action.
    frames
        First and last frame.
    plan
        The walk's plan.
    report
        Its numbers.
    notes
        What to mind of its motions, plan and numbers, the gravest first.
    verification
        How the walk is shown; None where that was not looked at.
    edits
        What was changed by hand and is on the keys.
    """

    action: bpy.types.Action
    frames: tuple[int, int]
    plan: WalkPlan
    report: ShownReport
    notes: tuple[Note, ...]
    verification: Verification | None
    edits: tuple[KeyEdit, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes in words, with the cure."""
        return tuple(tell_notes(self.notes))

    def as_dict(self, name: str, reader: Reader = Reader.PANEL) -> dict[str, Any]:
        """The entry of one character in report.json, in words for the panels or for jobs."""
        return {
            **self.report.as_dict(name),
            "targets_missed": count_misses(self.notes),
            "shown_off_plan": None if self.verification is None else self.verification.share,
            "warnings": tell_notes(self.notes, reader),
            "notes": plain_notes(self.notes),
        }


@dataclass(frozen=True)
class PreparedBake:
    """A walk that is computed but not written.

    Attributes
    ----------
    character, request
        Whose walk, and what was asked for.
    plan, walk
        The result.
    report
        Its numbers; None where they were not asked for.
    frames
        First and last frame.
    notes
        What to mind, the gravest first; none without numbers.
    markers
        Name and frame of each marker to write.
    controls
        The controls that the walk is on; None for the deforming bones.
    findings
        Analyses of the motions, as far as they are to be kept with their actions.
    present
        The character with its soles as they are now; None where nobody looked.
    """

    character: Character
    request: BakeRequest
    plan: WalkPlan
    walk: SolvedWalk
    report: ShownReport | None
    frames: tuple[int, int]
    notes: tuple[Note, ...]
    markers: tuple[Marker, ...] = ()
    controls: ControlMap | None = None
    findings: tuple[MotionFinding, ...] = ()
    present: PresentCharacter | None = None


def prepare_bake(
    character: Character,
    motions: MotionSet,
    request: BakeRequest,
    scene: bpy.types.Scene,
    *,
    quick: bool = False,
) -> Steps[PreparedBake]:
    """Plan, solve and measure the walk of one character; nothing in the file changes.

    Parameters
    ----------
    character
        The character.
    motions
        Its motions.
    request
        What is asked for.
    scene
        Where it walks.
    quick
        Whether it is only shown, as while something is changed live: controls are brought to their places
        less exactly, and nothing is measured.

    Raises
    ------
    LocomotionError
        Where something cannot be used.
    """
    rig, asked_options = character.rig, request.options
    options = replace(
        request.options,
        leg_bones=list_leg_bones(rig),
        body=rig.skeleton.names[rig.body],
        keep_around=request.plan.frames is not None,
    )
    controls = choose_controls(character, options.output)
    if controls is not None:
        options = choose_options(options, controls)
    asked = replace(request.plan, blends=(options.blend_in, options.blend_out))
    request = replace(request, options=options, plan=asked)
    bake_action.check_target(character.armature, options)
    check_carrier(character.armature, request.plan.frames, options)
    if isinstance(request.plan.travel, AsBone):
        check_carrying(character.armature, list_leg_bones(rig), options.output_to)
    if isinstance(request.plan.travel, AlongCurve):
        curve = scene.objects.get(request.plan.travel.curve or "")
        if curve is not None:
            check_curve(character.armature, curve, options.output_to)
    yield 0.0, "planning the walk"
    plan, (first, last) = plan_walk(character, motions, request.plan, scene)
    request = replace(request, options=replace(options, is_mixed=plan.beside is not None))
    frames = np.arange(first, last + 1)
    rate = get_frame_rate(scene)
    yield 0.4, "solving poses"
    walk = recall_poses(plan, frames / rate)
    report = None
    if not quick:
        yield 0.7, "measuring"
        report = recall_numbers(plan, walk, frames, (options.blend_in, options.blend_out))
    # Poses that a walk goes over from, and to, have their roots where they are.
    placement = None if plan.beside is not None else plan.travel.placement
    walk = replace(walk, poses=walk.poses.place_by_root(rig.skeleton, rig.body, placement))
    if options.output_to == "object":
        unmoved = find_connected(character.armature, rig.skeleton)
        poses = set_character_upright(walk.poses, rig.skeleton, rig.body, unmoved)
        walk = replace(walk, poses=poses)
    knees: list[Note] = []
    if controls is not None:
        names = plan.tables.small_rig.skeleton.names
        solving = put_on_controls(
            character,
            controls,
            walk.poses,
            frames,
            plan.tables.motion_set.keyed,
            options,
            legs=WorldBones(names, walk.rotations, walk.positions),
            quick=quick,
        )
        placed = yield from scale_steps(solving, SOLVING, WRITING)
        if options.output == "automatic":
            flips = placed.residuals.note_flips(rig.legs, frames, NoteKind.KNEE_WOULD_FLIP)
            if flips:
                options = replace(asked_options, output="deforming")
                again = replace(request, options=options)
                plain = yield from prepare_bake(character, motions, again, scene, quick=quick)
                return replace(plain, notes=sort_notes([*flips, *plain.notes]))
        walk = replace(walk, poses=placed.poses)
        knees = placed.residuals.note_flips(rig.legs, frames, NoteKind.KNEE_FLIPS)
        knees += placed.residuals.note_knees(rig.legs, frames)
    notes: list[Note] = []
    if report is not None:
        notes = note_walk(character, motions, request.plan, options, scene, plan, walk, frames)
        notes += note_jumps(
            character, request.plan, options.source_actions, plan, walk, frames, scene
        )
        # What asks too much of a walk comes before what was measured of it.
        notes = [*notes, *note_shown(report, notes), *knees]
    return PreparedBake(
        character=character,
        request=request,
        plan=plan,
        walk=walk,
        report=report,
        frames=(first, last),
        notes=sort_notes(notes),
        markers=_list_markers(plan, frames, rate) if options.use_markers else (),
        controls=controls,
    )


def _list_markers(plan: WalkPlan, frames: np.ndarray, rate: float) -> tuple[Marker, ...]:
    """A marker at the frame nearest to each instant at which a foot strikes or leaves the ground."""
    graph = read_motion_graph(plan, frames / rate)
    return tuple(
        (f"{graph.legs[leg]} {_MARKED[EVENTS[kind]]}", round(time * rate))
        for time, leg, kind in zip(
            graph.event_times, graph.event_legs, graph.event_kinds, strict=True
        )
        if EVENTS[kind] in _MARKED
    )


def remove_bake(armature: bpy.types.Object) -> None:
    """Take a bake away and give the armature its former action back; see `removal`."""
    removal.remove_bake(armature)
