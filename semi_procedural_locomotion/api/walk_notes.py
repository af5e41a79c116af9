# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind of a walk before it is written, gathered from where the facts are."""

from __future__ import annotations

from collections.abc import Collection

import bpy
import numpy as np

from ..blender.bake.channels import find_locked_bones
from ..blender.bake.influences import note_constraints
from ..blender.bake.options import BakeOptions
from ..blender.footsteps.objects import list_footsteps, note_orphans
from ..blender.ground.casting import SceneGround
from ..blender.ground.deforming import note_broken_shapes, note_heavy_shapes
from ..blender.reading.leg_motions import note_covered
from ..blender.setup.footstep_properties import list_orphaned_steps
from ..blender.setup.weights import find_driven_weights
from ..blender.values.bake_record import find_playing_action
from ..blender.values.scene_state import get_frame_rate, list_other_scenes
from ..blender.values.schema import list_unfit
from ..blender.values.scripted import note_blocked_drivers
from ..core.motions.records import MotionSet
from ..core.report.ground_notes import note_far_ground
from ..core.report.motion_notes import note_scene_end, note_short_walk
from ..core.report.spans import NotedSpan
from ..core.report.walk_notes import note_plan
from ..core.walk import SolvedWalk, WalkPlan
from ..notes import Note, NoteKind, make_note
from ..requests.plans import PlanRequest
from ..requests.travels import AlongCurve, AlongFootsteps, StraightAhead, Way
from .characters import Character
from .limits import WALK
from .motion_entries import note_gone_motions
from .notes import gather_motion_notes, is_remark
from .render_notes import note_renders
from .walk_grounds import (
    find_shortest_sole,
    note_all_left_out,
    note_broken_ground,
    note_figures,
    note_scattered,
)
from .walls import note_furniture, note_walls


def note_walk(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    options: BakeOptions,
    scene: bpy.types.Scene,
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
) -> list[Note]:
    """What to mind of a walk that is to be baked, besides its numbers.

    Parameters
    ----------
    character, motions
        Who walks, and how.
    request, options
        What was asked for, and how it is written.
    scene
        Where it walks.
    plan, walk
        The walk, solved at N frames.
    frames
        Those scene frames, shape (N,).
    """
    first, last, rate = int(frames[0]), int(frames[-1]), get_frame_rate(scene)
    turns = isinstance(request.travel, Way) and request.travel.heading != "kept"
    span = NotedSpan(plan, first / rate, last / rate, rate)
    notes = note_prepared(span, walk, faces_way=turns)
    if not isinstance(request.travel, AlongFootsteps):
        notes += _note_idle_jumps(character.armature, {step.name for step in plan.claims.lost})
    notes += note_walls(character, request, plan, walk, scene)
    notes += note_furniture(request, plan, scene)
    notes += note_all_left_out(character, request, plan)
    notes += note_broken_ground(character, request, plan)
    notes += note_figures(character, request, plan, scene, frames)
    notes += note_renders(character, request, plan, scene, frames)
    notes += note_orphans(character.armature, character.rig)
    if not isinstance(request.travel, AlongFootsteps | AlongCurve):
        notes += note_far_ground(span)
    if isinstance(request.travel, StraightAhead) and request.frames is None:
        notes += note_short_walk(span, scene.frame_end)
    if isinstance(request.travel, Way | AlongFootsteps) and request.frames is None:
        notes += note_scene_end(last, scene.frame_end, extends=options.extend_scene)
    notes += note_gone_motions(character.armature)
    left = list_orphaned_steps(scene.objects)
    if left:
        note = make_note(NoteKind.FOOTSTEPS_LEFT, footsteps=len(left), first=left[0].name)
        notes.append(note)
    played = [find_playing_action(character.armature)[0], *options.source_actions]
    for item in filter(None, (character.armature, *played)):
        for record, reason in list_unfit(item):
            notes.append(
                make_note(NoteKind.RECORD_UNFIT, name=item.name, record=record, reason=reason)
            )
    others = list_other_scenes(character.armature, scene)
    if others:
        notes.append(make_note(NoteKind.SCENES_SHARED, scenes=len(others), first=others[0]))
    for name in find_driven_weights(character.armature):
        notes.append(make_note(NoteKind.WEIGHT_DRIVEN, name=name))
    switched = {path for path, _ in walk.poses.properties}
    notes += note_constraints(character.armature, character.rig, switched)
    notes += note_blocked_drivers(character.armature, _list_carriers(plan))
    notes += _note_locks(character, walk)
    poses, skeleton = walk.poses, character.rig.skeleton
    written = np.flatnonzero(poses.rotated | poses.moved | poses.scaled)
    keyed = {skeleton.names[bone] for bone in written}
    notes += note_covered(character.armature, options.source_actions, keyed, (first, last))
    notes += note_motions(plan, motions)
    if _leaves_root_pitched(character, options, walk):
        notes.append(make_note(NoteKind.ROOT_NOT_UPRIGHT))
    return notes


def _leaves_root_pitched(character: Character, options: BakeOptions, walk: SolvedWalk) -> bool:
    """Whether a root that shall be upright is a control, and bodies on so many legs pitch."""
    on_controls = walk.poses.basis is not None
    many = len(character.rig.legs) > 2
    return options.upright_root and options.output_to == "bone" and on_controls and many


def note_shown_span(span: tuple[float, float] | None) -> list[Note]:
    """A note of frames on which modifiers and extrapolation of curves are kept as keys; None of none."""
    if span is None:
        return []
    return [make_note(NoteKind.CURVES_KEYED, frame=span[0], last=round(span[1]))]


def note_prepared(span: NotedSpan, walk: SolvedWalk, *, faces_way: bool = False) -> list[Note]:
    """What to mind of a planned and solved walk, and of its ground as it was read.

    Parameters
    ----------
    span, walk
        The walk, and its time that counts.
    faces_way
        See `note_pace`.
    """
    notes, ground = note_plan(span, walk, faces_way=faces_way), span.plan.ground
    if isinstance(ground, SceneGround):
        shapes = [(s.name, s.deforming) for s in ground.surfaces if s.deforming is not None]
        notes += note_heavy_shapes(shapes) + note_broken_shapes(shapes) + list(ground.faults)
        notes += note_scattered(ground, find_shortest_sole(span.plan.tables.rig))
    return notes


def _note_idle_jumps(armature: bpy.types.Object, lost: Collection[str]) -> list[Note]:
    """A note of footsteps that are to be jumped to, on a walk that does not lead along footsteps.

    Those that the walk does not use anyway, whose names are ``lost``, are told as such.
    """
    steps = [item for item in list_footsteps(armature) if item.locomotion_footstep.is_jump]
    steps = [s for s in steps if not s.locomotion_footstep.is_left_out and s.name not in lost]
    if not steps:
        return []
    place = steps[0].matrix_world.translation
    return [
        make_note(
            NoteKind.FOOTSTEP_JUMP_IDLE, place=place, footstep=steps[0].name, more=len(steps) - 1
        )
    ]


def _list_carriers(plan: WalkPlan) -> frozenset[str]:
    """Names of the bones of the legs and of all above them."""
    return frozenset(plan.tables.small_rig.skeleton.names)


def _note_locks(character: Character, walk: SolvedWalk) -> list[Note]:
    """That locked channels will be keyed, told once for all of them."""
    locked = find_locked_bones(character.armature, character.rig.skeleton, walk.poses)
    if not locked:
        return []
    return [make_note(NoteKind.LOCKED_KEYED, bones=len(locked), first=locked[0])]


def note_motions(plan: WalkPlan, motions: MotionSet) -> list[Note]:
    """What to mind of the motions that have a share in a walk; what needs no action stays with them."""
    played = plan.times.weights.max(axis=0) > WALK.played
    return gather_motion_notes(
        (motion.name, [note for note in motion.notes if not is_remark(note)])
        for motion, plays in zip(motions.motions, played, strict=True)
        if plays
    )
