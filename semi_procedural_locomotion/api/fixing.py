# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions that travel already, cleaned: feet planted on the ground of the scene."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np

from ..blender import versions
from ..blender.bake import writing as bake_action
from ..blender.bake.actions import bake_lifted
from ..blender.bake.influences import list_leg_bones
from ..blender.bake.options import BakeOptions
from ..blender.bake.rollback import Write, commit_writes
from ..blender.bake.writing import BakedAction
from ..blender.setup.fix_records import FixRecord, is_cleaned, write_fix
from ..blender.setup.values import KeptValues
from ..blender.values.armature import read_channel_layout
from ..blender.values.bake_record import find_base_action
from ..blender.values.curves import group_transform_curves
from ..core.body.cleaning.motions import CleanedMotion, CleaningChoices, clean_motion
from ..core.ground.interface import Ground
from ..core.keys.channels import basis_from_poses
from ..core.pose import PoseArray
from ..core.report.shown_measures import ShownReport
from ..notes import Note
from ..requests.plans import PlanRequest
from .characters import Character
from .controlled import choose_options, put_on_controls
from .controls import choose_controls
from .fixed_poses import list_stance_markers, make_fixed_poses
from .fixed_sources import (
    FixRequest,
    check_legs,
    check_moving,
    check_source,
    check_stances,
    choose_frames,
    list_planted,
    name_action,
    read_stances,
)
from .notes import tell_notes
from .present_feet import read_present_character
from .progress import Progress, Steps, run_steps, scale_steps
from .seen_motions import SeenMotion, measure_seen, see_motion, travel_from_hips
from .setups import make_request
from .verifying import check_showing
from .walk_grounds import find_ground
from .walk_notes import note_shown_span

__all__ = [
    "FixRequest",
    "FixResult",
    "PreparedFix",
    "fix_feet",
    "prepare_fix",
    "write_fixed",
]


@dataclass(frozen=True)
class PreparedFix:
    """A cleaned motion that is not written.

    Attributes
    ----------
    character, options
        Whose, and how it is written.
    source
        As it is shown.
    cleaned
        With its feet planted.
    poses
        The same with the channels to write.
    ground
        What it stands on.
    before
        Numbers of the source.
    planted
        Names of the legs whose feet are planted.
    notes
        What to mind about the soles, whose meshes may have changed since Set Up.
    """

    character: Character
    options: BakeOptions
    source: SeenMotion
    cleaned: CleanedMotion
    poses: PoseArray
    ground: Ground
    before: ShownReport
    planted: tuple[str, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class FixResult:
    """A cleaned action.

    Attributes
    ----------
    action
        The new action, which the character plays.
    frames
        First and last frame.
    stances
        How many stances were found of each leg whose feet are planted, by its name.
    before, after
        Numbers of what Blender shows.
    shown_off
        Worst distance of an ankle from where it was meant, share of the leg.
    kept
        How many curves were left alone, since they were changed by hand after an earlier cleaning.
    notes
        What to mind.
    """

    action: bpy.types.Action
    frames: tuple[int, int]
    stances: dict[str, int]
    before: ShownReport
    after: ShownReport
    shown_off: float
    kept: int
    notes: list[Note] = field(default_factory=list)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes in words, with the cure."""
        return tuple(tell_notes(self.notes))

    def as_dict(self, name: str) -> dict[str, Any]:
        """The entry of one character in report.json."""
        return {
            "name": name,
            "frames": self.frames[1] - self.frames[0] + 1,
            "stances": dict(self.stances),
            "shown_off_plan": self.shown_off,
            "kept_curves": self.kept,
            "before": self.before.list_numbers(),
            **self.after.list_numbers(),
            "warnings": tell_notes(self.notes),
        }


def fix_feet(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    request: FixRequest | None = None,
    progress: Progress | None = None,
) -> FixResult:
    """Plant the feet of an action that travels already, in a new action.

    Remove Bake gives the former action back, and doing it again takes the place of what was done
    before, except for curves that were changed by hand since, where the character keeps these.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Where it is; its ground is that of the character's settings.
    request
        What is asked for.
    progress
        Called with the share done and a text.

    Raises
    ------
    LocomotionError
        Something cannot be used; nothing has changed then.
    """
    return write_fixed(run_steps(prepare_fix(armature, scene, request), progress), scene, progress)


def prepare_fix(
    armature: bpy.types.Object, scene: bpy.types.Scene, request: FixRequest | None = None
) -> Steps[PreparedFix]:
    """Compute a cleaned motion; nothing in the file changes. See `fix_feet`."""
    request = request or FixRequest()
    check_showing(armature)
    present = read_present_character(armature, scene)
    character = present.character
    action, slot = find_base_action(armature)
    check_source(armature, request)
    bake_action.check_target(armature, _make_options(character))
    check_legs(character, request)
    frames = choose_frames(armature, request, scene)
    yield 0.0, "looking at the action"
    with bake_lifted(armature) if is_cleaned(armature) else nullcontext():
        source = see_motion(character, frames, scene)
    check_moving(character, source)
    yield 0.35, "finding the ground"
    plan = make_request(armature).plan
    ground = _find_ground(character, plan, source)
    yield 0.45, "measuring"
    before = measure_seen(character.rig, source, source, ground)
    yield 0.6, "planting feet"
    choices = CleaningChoices(
        plant=request.plant,
        hold=request.hold,
        smooth_hips=request.smooth_hips,
        legs=None if request.legs is None else frozenset(request.legs),
        max_rise=float(np.tan(plan.settings.max_slope)),
        tolerance=plan.settings.sole_tolerance,
    )
    stances = None
    if request.use_markers:
        stances = read_stances(character, source, ground, choices)
    cleaned = clean_motion(character.rig, source.world, ground, choices, stances)
    check_stances(character, request, source, cleaned.stances)
    poses = make_fixed_poses(character, source, cleaned)
    options = _make_options(character)
    controls = choose_controls(character, options.output)
    if controls is None:
        layout = read_channel_layout(armature, character.rig.skeleton)
        # On the object as it is animated: nothing has to make up for the travel.
        basis = basis_from_poses(layout, poses.rotations, poses.translations, poses.scales)
        poses = replace(poses, basis=basis)
    else:
        options = choose_options(options, controls)
        keyed = _list_keyed(action, slot)
        solving = put_on_controls(character, controls, poses, frames, keyed, options)
        poses = (yield from scale_steps(solving, 0.65, 0.85)).poses
    yield 0.85, "writing keys"
    options = replace(options, action_name=name_action(armature))
    planted = list_planted(character, request)
    return PreparedFix(
        character, options, source, cleaned, poses, ground, before, planted, present.notes
    )


def write_fixed(
    prepared: PreparedFix, scene: bpy.types.Scene, progress: Progress | None = None
) -> FixResult:
    """Write a cleaned motion, and look at it as Blender shows it.

    Raises
    ------
    BakeError
        The armature cannot take the keys; nothing has changed then.
    """
    character, source = prepared.character, prepared.source
    armature, rig = character.armature, character.rig
    frames = source.frames
    done: list[FixResult] = []

    def follow(written: BakedAction) -> None:
        """Look at what was written, and keep its numbers; the report goes back where that fails."""
        if progress is not None:
            progress(0.9, "looking at the action as it is shown")
        done.append(_look(prepared, written, scene))
        report = KeptValues(armature.locomotion, ("report",))
        commit_writes([Write("numbers", lambda: _keep_numbers(prepared, done[0]), report.put_back)])

    bake_action.commit_bake(
        armature,
        prepared.poses,
        rig.skeleton,
        frames.astype(np.float64),
        prepared.options,
        list_stance_markers(rig, source, prepared.cleaned),
        follow,
    )
    return done[0]


def _look(prepared: PreparedFix, written: BakedAction, scene: bpy.types.Scene) -> FixResult:
    """A cleaned action as Blender shows it."""
    character, source = prepared.character, prepared.source
    rig, frames = character.rig, source.frames
    seen = see_motion(character, frames, scene)
    after = measure_seen(rig, seen, source, prepared.ground)
    ankles = [leg.ankle for leg in rig.legs]
    apart = seen.world.positions[:, ankles] - prepared.cleaned.positions[:, ankles]
    return FixResult(
        action=written.action,
        frames=(int(frames[0]), int(frames[-1])),
        stances={
            leg.name: len(own)
            for leg, own in zip(rig.legs, prepared.cleaned.stances, strict=True)
            if leg.name in prepared.planted
        },
        before=prepared.before,
        after=after,
        shown_off=float(np.linalg.norm(apart, axis=-1).max()) / rig.leg_length,
        kept=len(written.edits),
        notes=[*prepared.notes, *note_shown_span(written.shown_span)],
    )


def _keep_numbers(prepared: PreparedFix, result: FixResult) -> None:
    """Keep the numbers of a cleaning on its action, and show them."""
    armature, rig = prepared.character.armature, prepared.character.rig
    length, after = {"leg_length": rig.leg_length}, result.after
    write_fix(
        armature,
        result.action,
        FixRecord(
            before=_plain({**length, **result.before.list_numbers()}),
            after=_plain({**length, "shown_off_plan": result.shown_off, **after.list_numbers()}),
            worst_frame=after.worst_frame or int(prepared.source.frames[0]),
        ),
    )


def _find_ground(character: Character, plan: PlanRequest, source: SeenMotion) -> Ground:
    """The ground of a character's settings under the way of its motion."""
    return find_ground(character, plan, travel_from_hips(character, source))


def _make_options(character: Character) -> BakeOptions:
    """How a cleaned motion is written."""
    rig, settings = character.rig, character.armature.locomotion.settings
    return BakeOptions(
        output=settings.output.lower(),
        output_to="none",
        blend_in=settings.blend_in,
        blend_out=settings.blend_out,
        keep_edits=settings.keep_edits,
        key_tolerance=settings.key_tolerance,
        use_strip=settings.use_strip,
        leg_bones=list_leg_bones(rig),
        body=rig.skeleton.names[rig.body],
        cleans=True,
    )


def _list_keyed(action: bpy.types.Action | None, slot: str) -> set[str]:
    """Names of the bones that an action keys."""
    curves = () if action is None else versions.get_curves(action, slot)
    return {bone for bone, _ in group_transform_curves(curves) if bone}


def _plain(values: dict[str, Any]) -> dict[str, float]:
    """The numbers among values."""
    return {key: float(value) for key, value in values.items() if isinstance(value, int | float)}
