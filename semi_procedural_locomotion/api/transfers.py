# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of one character carried over to another as new actions of its own.

A transferred walk goes the way of every other action from there on: it is analysed, ticked and baked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ..blender.reading.sampling import find_actions, sample_action
from ..blender.setup.transfer_properties import (
    find_transferred,
    keep_transfer,
    untick_transferred,
)
from ..blender.values.scene_state import get_frame_rate
from ..core.motions.clips import Clip, resample_clip
from ..core.motions.transfer.closing import close_clip
from ..core.motions.transfer.leading import drop_leading_pose
from ..core.motions.transfer.moving import transfer_clip
from ..core.rig.legs.names import select_walk_names
from ..errors import AnalysisError, RigError
from .characters import Character, MotionChoice, MotionFinding, find_character
from .clips import (
    PreparedClip,
    find_clip_target,
    find_main_rig,
    keep_controls,
    prepare_clip,
    reduce_to_main,
    write_prepared,
)
from .limits import TRANSFERRING
from .motion_entries import DecidedMotion, write_entry
from .progress import Progress, Steps, run_steps, scale_steps
from .set_up_work import (
    FoundSetUp,
    find_analyses,
    is_set_up,
    read_character,
    write_analyses,
    write_set_up,
)


@dataclass(frozen=True)
class FoundTransfers:
    """Computed transfers, not written.

    Attributes
    ----------
    character
        Who gets the actions.
    source
        The armature object whose actions they were.
    actions, clips
        Those actions, and the poses of the character.
    """

    character: Character
    source: bpy.types.Object
    actions: tuple[bpy.types.Action, ...]
    clips: tuple[PreparedClip, ...]


@dataclass(frozen=True)
class MadeTransfers:
    """Written transfers.

    Attributes
    ----------
    actions
        The new actions, one for each that was asked for.
    findings
        What the analysis says of them.
    """

    actions: tuple[bpy.types.Action, ...]
    findings: tuple[MotionFinding, ...]


def list_transferable(source: bpy.types.Object) -> list[bpy.types.Action]:
    """Actions of an armature that are taken over where none are named.

    Those that are ticked in its motions where it is set up, else those whose names speak of walking;
    all where no name does.
    """
    if is_set_up(source):
        motions = source.locomotion.motions
        return [e.action for e in motions if e.enabled and e.action is not None]
    actions = find_actions(source)
    names = select_walk_names(action.name for action in actions)
    return [action for action in actions if action.name in names]


def find_transfers(
    armature: bpy.types.Object,
    source: bpy.types.Object,
    actions: Sequence[bpy.types.Action] | None = None,
) -> Steps[FoundTransfers]:
    """Compute actions of one armature for another; nothing in the file changes.

    Parameters
    ----------
    armature, source
        Who gets the actions and whose they are; their legs are found where they are not set up.
    actions
        Actions of the source; None for `list_transferable`.

    Raises
    ------
    RigError
        No legs are found, their numbers differ, the hips cannot move, or the character would not show
        what is written.
    AnalysisError
        The source has no such action.
    """
    if source == armature:
        raise RigError(f"{armature.name!r} has its own actions already: choose another armature")
    asked = tuple(list_transferable(source) if actions is None else actions)
    if not asked:
        raise AnalysisError(
            f"no action of {source.name!r} is chosen: choose one, or give it a walk first"
        )
    yield 0.0, "finding legs"
    character = _find_target(armature, source)
    owner = read_character(source) if is_set_up(source) else find_character(source, asked)
    from_rig, target = find_main_rig(owner), find_clip_target(character)
    clips = []
    for number, action in enumerate(asked):
        start, end = number / len(asked), (number + 1) / len(asked)
        yield start, f"transferring {action.name}"
        sampled = drop_leading_pose(sample_action(source, action, owner.rig.skeleton))
        clip = reduce_to_main(close_clip(sampled, owner.rig), owner.rig, from_rig)
        try:
            moved = transfer_clip(_thin_out(clip), from_rig, target.main)
        except RigError as error:
            case = f"{source.name!r} to {armature.name!r}: {error.case}"
            raise RigError(case, error.cure, error.job_cure) from error
        clips.append((yield from scale_steps(prepare_clip(target, moved), start, end)))
    return FoundTransfers(character, source, asked, tuple(clips))


def write_transfers(found: FoundTransfers) -> MadeTransfers:
    """Write computed transfers as actions, analyse them and tick them in the motions.

    An action that was transferred from the same one before, and was not edited by hand since, is
    written again; otherwise a new one is made, and the edited one is ticked no more. The action that
    the character plays stays, as do those of the source.
    """
    character, source = found.character, found.source
    armature = character.armature
    made = []
    for action, clip in zip(found.actions, found.clips, strict=True):
        known = find_transferred(armature, source, action)
        written = write_prepared(character, clip, f"{armature.name} {action.name}", known)
        keep_transfer(written, armature, source, action)
        made.append(written)
    if not is_set_up(armature):
        write_set_up(FoundSetUp(character, character.rig))
    keep_controls(character, found.clips)
    listed = [entry.action for entry in armature.locomotion.motions]
    for action in made:
        if action not in listed:
            # One that was edited stays beside it; both would play at once.
            untick_transferred(armature, action)
            write_entry(
                armature.locomotion.motions.add(),
                DecidedMotion(MotionChoice(action), is_ticked=True),
            )
    analyses = run_steps(find_analyses(armature, made))
    write_analyses(analyses)
    findings = dict(zip(analyses.actions, analyses.findings, strict=True))
    return MadeTransfers(tuple(made), tuple(findings[action] for action in made))


def transfer_actions(
    armature: bpy.types.Object,
    source: bpy.types.Object,
    actions: Sequence[bpy.types.Action] | None = None,
    progress: Progress | None = None,
) -> MadeTransfers:
    """Transfer actions of one armature to another; see `find_transfers` and `write_transfers`."""
    return write_transfers(run_steps(find_transfers(armature, source, actions), progress))


def _find_target(armature: bpy.types.Object, source: bpy.types.Object) -> Character:
    """The character that gets the actions; those of a source with the same names tell nothing of it."""
    if is_set_up(armature):
        return read_character(armature)
    others = find_actions(source)
    return find_character(armature, ignored=others)


def _thin_out(clip: Clip) -> Clip:
    """The clip with no more samples than frames, so that captures can be edited."""
    count = max(round(clip.duration * get_frame_rate(bpy.context.scene)), 1)
    if len(clip.times) - 1 <= TRANSFERRING.most_keys * count:
        return clip
    return resample_clip(clip, clip.times[0] + clip.duration * np.arange(count + 1) / count)
