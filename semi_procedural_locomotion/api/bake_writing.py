# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Computed walks are written, looked at as Blender shows them, and measured: all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ..blender.bake import writing as bake_action
from ..blender.bake.edits import name_edit, name_property
from ..blender.bake.rollback import Write, commit_writes
from ..blender.bake.writing import BakedAction
from ..blender.footsteps.objects import KeptFootsteps, mark_lost, settle_doubles
from ..blender.showing.skins import list_shown_feet
from ..blender.values.preferences import wants_verification
from ..blender.values.scene_state import KeptRange, extend_scene, get_frame_rate
from ..core.motions.records import MotionSet
from ..core.plan import solve_poses
from ..core.report.hand_overs import join_blend_feet, measure_blend_feet
from ..core.report.off_plan import choose_frames
from ..core.report.shown_measures import ShownReport
from ..core.report.walk_notes import note_shown
from ..notes import Note, NoteKind, make_note
from ..requests.travels import StraightAhead
from .baking import VERIFYING, WRITING, BakeRequest, BakeResult, PreparedBake, prepare_bake
from .characters import Character, Progress
from .footstep_contacts import write_contacts
from .kept_walks import recall_span_numbers
from .notes import put_causes_first
from .progress import run_steps
from .shown_walks import find_skin_off, measure_evaluated, note_skin
from .verifying import SAME, Verification, keep_expectation, note_verification, verify_baked
from .walk_notes import note_shown_span

# Frames of a bake in which meshes of feet are looked at, about.
SKIN_FRAMES = 32
# What the meshes of characters were when they were seen as their soles have them.
_seen_skins: dict[int, tuple[str, ...]] = {}

# Writes of what is known once a walk was looked at, which they are given.
Keeping = Callable[[Callable[[], BakeResult]], Sequence[Write]]


def write_bake(
    prepared: PreparedBake, progress: Progress | None = None, keep: Keeping | None = None
) -> BakeResult:
    """Write the keys of a computed walk in one go, and look at it as Blender shows it.

    Parameters
    ----------
    prepared
        The walk.
    progress
        Called with the share done and a text.
    keep
        Gives what else is to be written of the result.

    Raises
    ------
    BakeError
        The armature cannot take them. After this and any other exception the file is as it was.
    """
    tell, (first, last) = progress or (lambda _share, _text: None), prepared.frames
    tell(WRITING, "writing keys")
    follow = _Follow(prepared, tell, keep)
    bake_action.commit_bake(
        prepared.character.armature,
        prepared.walk.poses,
        prepared.character.rig.skeleton,
        np.arange(first, last + 1, dtype=np.float64),
        replace(prepared.request.options, start=_find_start(prepared)),
        prepared.markers,
        follow.write,
    )
    return follow.get_result()


class _Follow:
    """What follows the keys of a walk: all else that a bake writes, and what it looks at.

    Parameters
    ----------
    prepared
        The walk.
    tell
        Called with the share done and a text.
    keep
        Gives what else is to be written of the result.
    """

    def __init__(self, prepared: PreparedBake, tell: Progress, keep: Keeping | None) -> None:
        self._prepared, self._tell, self._keep = prepared, tell, keep
        self._result: BakeResult | None = None

    def write(self, action: BakedAction) -> None:
        """Write all of it, or nothing."""
        armature, scene = self._prepared.character.armature, bpy.context.scene
        writes = [
            Write("scene", self._extend, KeptRange(scene).put_back),
            Write("footsteps", self._tell_steps, KeptFootsteps(armature).put_back),
            # On the action, whose properties go back with the keys.
            Write("expectation", self._expect),
            Write("look", lambda: self._look(action)),
        ]
        if self._keep is not None:
            writes += self._keep(self.get_result)
        commit_writes(writes)

    def get_result(self) -> BakeResult:
        """What was written, once it was looked at."""
        if self._result is None:
            raise ValueError("nothing was written yet")
        return self._result

    def _extend(self) -> None:
        """A scene that is as long as the walk, where that is asked for."""
        request = self._prepared.request
        if request.options.extend_scene and request.plan.frames is None:
            extend_scene(bpy.context.scene, self._prepared.frames[1])

    def _tell_steps(self) -> None:
        """What the plan has made of the footsteps."""
        armature, plan = self._prepared.character.armature, self._prepared.plan
        mark_lost(armature, [step.name for step in plan.claims.lost])
        settle_doubles(armature)
        write_contacts(armature, plan)

    def _expect(self) -> None:
        """What the bake means to show."""
        prepared = self._prepared
        first, last = prepared.frames
        options = prepared.request.options
        keep_expectation(
            prepared.character.armature,
            prepared.plan,
            prepared.walk,
            np.arange(first, last + 1),
            self._find_planned().worst_frame,
            bpy.context.scene,
            prepared.controls,
            blends=(options.blend_in, options.blend_out),
        )

    def _find_planned(self) -> ShownReport:
        """The numbers of the plan."""
        prepared, options = self._prepared, self._prepared.request.options
        blends = (options.blend_in, options.blend_out)
        return prepared.report or recall_span_numbers(
            prepared.plan, prepared.frames, blends, bpy.context.scene
        )

    def _look(self, action: BakedAction) -> None:
        """The walk as Blender shows it."""
        prepared, verification = self._prepared, None
        if prepared.request.verify and wants_verification():
            self._tell(VERIFYING, "looking at the walk as it is shown")
            verification = verify_baked(prepared.character.armature, bpy.context.scene)
        report, notes = _tell_written(prepared, self._find_planned(), action, verification)
        self._result = BakeResult(
            action=action.action,
            frames=prepared.frames,
            plan=prepared.plan,
            report=report,
            notes=put_causes_first([*notes, *note_shown_span(action.shown_span)]),
            verification=verification,
            edits=action.edits,
        )


def _tell_written(
    prepared: PreparedBake,
    planned: ShownReport,
    action: BakedAction,
    seen: Verification | None,
) -> tuple[ShownReport, list[Note]]:
    """The numbers and notes of a written walk: where it is not the planned one, as Blender shows it."""
    report, notes = planned, list(prepared.notes)
    is_off = seen is not None and seen.share is not None and seen.share > SAME
    # The IK of a rig may bend knees otherwise than planned, and the skin of feet that hangs on shins.
    is_off |= seen is not None and _hangs_on_shins(prepared)
    skin = [] if seen is None else _check_skin(prepared)
    # Fewer keys than frames miss the plan between them, where nobody looked.
    is_edited = bool(action.edits or action.left or prepared.request.options.key_tolerance)
    if is_off or skin or is_edited:
        report = _measure_shown(prepared)
        cause = None if seen is None else seen.cause
        # What a correction layer does is meant: it is measured, and no fault of the walk.
        if cause is None or cause.kind != "correction":
            known = set(note_shown(planned, ()))
            notes = [note for note in notes if note not in known]
            notes += note_shown(report, notes)
    if seen is None:
        notes.append(make_note(NoteKind.NOT_VERIFIED))
    else:
        # What moves a walk off its plan is why its feet slide, and comes before that.
        notes = [*note_verification(seen), *skin, *notes]
    if action.edits:
        first = name_edit(action.edits[0])
        notes.append(make_note(NoteKind.EDITS_KEPT, edits=len(action.edits), first=first))
    if action.left:
        first = name_property(action.left[0][0])
        notes.append(make_note(NoteKind.CURVES_LEFT, curves=len(action.left), first=first))
    return report, notes


def _check_skin(prepared: PreparedBake) -> list[Note]:
    """That the meshes of feet are seen otherwise than their soles have them, at some of the frames.

    Where nothing of these meshes has changed since they were seen as their soles have them, nobody looks
    again.
    """
    present, armature = prepared.present, prepared.character.armature
    if present is None:
        return []
    mark = (present.mark, *list_shown_feet(armature, prepared.character.rig))
    if _seen_skins.get(armature.session_uid) == mark:
        return []
    options, (first, last) = prepared.request.options, prepared.frames
    inside = np.arange(options.blend_in, last + 1 - first - options.blend_out)
    if not len(inside):
        return []
    scene, contacts = bpy.context.scene, prepared.walk.states.in_contact[inside]
    rows = choose_frames(contacts, 0)
    frames = first + inside[rows[np.unique(np.linspace(0, len(rows) - 1, SKIN_FRAMES).astype(int))]]
    walk = solve_poses(prepared.plan, frames / get_frame_rate(scene))
    seen = measure_evaluated(armature, prepared.plan, walk, frames, scene)
    notes = note_skin(present, seen, find_skin_off(prepared.plan, seen), is_new=True)
    if not notes:
        _seen_skins[armature.session_uid] = mark
    return notes


def _hangs_on_shins(prepared: PreparedBake) -> bool:
    """Whether skin of feet hangs on shins that a rig's own IK bends."""
    return prepared.controls is not None and bool(prepared.plan.tables.rig.hung_legs)


def _measure_shown(prepared: PreparedBake) -> ShownReport:
    """The numbers of a written walk as Blender shows it between its blends, and of its feet in them."""
    armature, scene = prepared.character.armature, bpy.context.scene
    options = prepared.request.options
    first, last = prepared.frames
    inside = np.arange(first + options.blend_in, last + 1 - options.blend_out)
    frames = inside if len(inside) else np.arange(first, last + 1)
    walk = solve_poses(prepared.plan, frames / get_frame_rate(scene))
    report = measure_evaluated(armature, prepared.plan, walk, frames, scene).report
    everywhere = np.arange(first, last + 1)
    feet = measure_blend_feet(prepared.plan, prepared.walk, everywhere)
    return join_blend_feet(report, feet, everywhere)


def _find_start(prepared: PreparedBake) -> int | None:
    """Frame at which the walk begins, from which a recording may hold a part; None for a range."""
    plan = prepared.request.plan
    if plan.frames is not None:
        return None
    if isinstance(plan.travel, StraightAhead) and plan.start is not None:
        return plan.start
    return prepared.frames[0]


def bake_character(
    character: Character,
    motions: MotionSet,
    request: BakeRequest,
    scene: bpy.types.Scene,
    progress: Progress | None = None,
) -> BakeResult:
    """Plan, solve, write and measure the walk of one character.

    Nothing in the file changes before everything is computed; the keys are written in one go.

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
    progress
        Called with the share done and a text.

    Raises
    ------
    LocomotionError
        Where something cannot be used; nothing has changed then.
    """
    prepared = run_steps(prepare_bake(character, motions, request, scene), progress)
    return write_bake(prepared, progress)
