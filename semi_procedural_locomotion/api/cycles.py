# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles for characters that have none: made from numbers, written as ordinary actions.

A made cycle goes the way of every other action from there on: it is analysed, ticked and baked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import bpy

from ..blender import versions
from ..blender.setup.cycle_properties import is_edited, is_made, read_style, write_cycle
from ..blender.values.scene_state import get_frame_rate
from ..core.body.response import MADE_RESPONSE
from ..core.gaits.fitting import GaitStyle, find_gait, fit_gait
from ..core.gaits.making import make_gait, make_rest
from ..core.gaits.presets import list_presets
from ..core.gaits.settings import fit_to_frames
from ..core.motions.clips import Clip
from ..core.rig.structure import Rig
from ..core.rig.upper_body import find_body_parts
from ..errors import RigError
from ..notes import Note, NoteKind, make_note
from .characters import Character, MotionFinding, find_character
from .clips import PreparedClip, find_clip_target, keep_controls, prepare_clip, write_prepared
from .limits import MAKING
from .notes import tell_notes
from .progress import Progress, Steps, run_steps, scale_steps
from .set_up_work import (
    FoundSetUp,
    find_analyses,
    is_set_up,
    read_character,
    write_analyses,
    write_set_up,
)

# The gait that stands still, beside those of the presets.
REST = "rest"
# Gaits whose mirror image is another gait.
SIDED = ("sidestep", "turn")
# Gaits that are manners of a walk rather than ways to go: left out where all ways are asked for.
_MANNERS = ("sneak", "ripple", "tripod")


@dataclass(frozen=True)
class CycleChoice:
    """One cycle to make.

    Attributes
    ----------
    gait
        One of `list_gaits`.
    style
        What is different from the ready-made gait.
    group
        Name of its motion group.
    """

    gait: str
    style: GaitStyle = field(default_factory=GaitStyle)
    group: str = "walk"


@dataclass(frozen=True)
class FoundCycles:
    """Computed cycles, not written.

    Attributes
    ----------
    character
        Whose they are.
    choices, clips, notes
        What was asked for, its poses, and what had to be changed.
    """

    character: Character
    choices: tuple[CycleChoice, ...]
    clips: tuple[PreparedClip, ...]
    notes: tuple[tuple[Note, ...], ...]


@dataclass(frozen=True)
class MadeCycles:
    """Written cycles.

    Attributes
    ----------
    actions
        One for each choice.
    findings
        What the analysis says of them.
    notes
        What had to be changed, for each.
    """

    actions: tuple[bpy.types.Action, ...]
    findings: tuple[MotionFinding, ...]
    notes: tuple[tuple[Note, ...], ...]


def list_gaits(leg_count: int) -> tuple[str, ...]:
    """Names of what can be made for a character of so many legs."""
    presets = list_presets(leg_count)
    return (*presets, REST) if presets else ()


def list_all_ways(leg_count: int, style: GaitStyle | None = None) -> tuple[CycleChoice, ...]:
    """A choice for every way to go: forward slow and fast, back, to both sides, turning, standing.

    Parameters
    ----------
    leg_count
        Legs of the character.
    style
        The style of all of them.
    """
    style = style or GaitStyle()
    choices = []
    for gait in list_gaits(leg_count):
        if gait in _MANNERS:
            continue
        choices.append(CycleChoice(gait, style))
        if gait in SIDED:
            choices.append(CycleChoice(gait, replace(style, mirrored=not style.mirrored)))
    return tuple(choices)


def find_cycles(
    armature: bpy.types.Object,
    choices: Sequence[CycleChoice] | None = None,
    character: Character | None = None,
) -> Steps[FoundCycles]:
    """Compute cycles for an armature; nothing in the file changes.

    Parameters
    ----------
    armature
        The armature object; its legs are found where it is not set up.
    choices
        What to make; None for all ways to go.
    character
        The character of the armature, where it is known already.

    Raises
    ------
    RigError
        No legs are found, no such gait is known for so many legs, the legs do not reach the
        ground, the bone of the hips cannot move, or the character would not show the cycle.
    """
    yield 0.0, "finding legs"
    if character is None:
        character = read_character(armature) if is_set_up(armature) else find_character(armature)
    target = find_clip_target(character)
    rig = target.main
    asked = list_all_ways(len(rig.legs)) if choices is None else tuple(choices)
    if not asked:
        raise RigError(
            f"no gaits are known for the {len(rig.legs)} legs of {armature.name!r}: "
            "key a walk by hand"
        )
    clips, notes = [], []
    for number, choice in enumerate(asked):
        start, end = number / len(asked), (number + 1) / len(asked)
        yield start, f"making {choice.gait}"
        clip, changed = _make_clip(rig, choice)
        clips.append((yield from scale_steps(prepare_clip(target, clip), start, end)))
        notes.append(changed)
    return FoundCycles(character, asked, tuple(clips), tuple(notes))


def write_cycles(found: FoundCycles) -> MadeCycles:
    """Write computed cycles as actions, analyse them and tick them in the motions.

    Where these are the first motions, the body's response to the steps is switched on. An action
    that was made as the same gait before, and was not edited by hand since, is written
    again; otherwise a new one is made.
    """
    character = found.character
    armature = character.armature
    if not is_set_up(armature):
        write_set_up(FoundSetUp(character, character.rig))
    keep_controls(character, found.clips)
    if not len(armature.locomotion.motions):
        for name, strength in MADE_RESPONSE.items():
            setattr(armature.locomotion.settings, name, strength)
    actions = []
    for choice, clip, notes in zip(found.choices, found.clips, found.notes, strict=True):
        known = _find_made(armature, choice)
        action = _write_action(character, choice, clip, known)
        action.locomotion_cycle.message = "\n".join(tell_notes(notes))
        actions.append(action)
        if known is None:
            _add_motion(armature, action, choice)
    analyses = run_steps(find_analyses(armature, actions))
    write_analyses(analyses)
    return MadeCycles(tuple(actions), analyses.findings, found.notes)


def make_cycles(
    armature: bpy.types.Object,
    choices: Sequence[CycleChoice] | None = None,
    progress: Progress | None = None,
) -> MadeCycles:
    """Make cycles for an armature; see `find_cycles` and `write_cycles`."""
    return write_cycles(run_steps(find_cycles(armature, choices), progress))


def make_again(armature: bpy.types.Object, action: bpy.types.Action) -> MadeCycles:
    """Write a made cycle again from the numbers that its action keeps now.

    Raises
    ------
    RigError
        The action is no made cycle of this set-up character, or the gait cannot be made so.
    """
    entries = [entry for entry in armature.locomotion.motions if entry.action == action]
    if not is_made(action) or not entries:
        raise RigError(
            f"{action.name!r} is no cycle made for {armature.name!r}",
            "use Make Walk Cycle",
            "give `make` in its place",
        )
    kept = action.locomotion_cycle
    choice = CycleChoice(kept.gait, read_style(kept), entries[0].group)
    character = read_character(armature)
    target = find_clip_target(character)
    clip, notes = _make_clip(target.main, choice)
    _write_action(character, choice, run_steps(prepare_clip(target, clip)), action)
    kept.message = "\n".join(tell_notes(notes))
    analyses = run_steps(find_analyses(armature, [action]))
    write_analyses(analyses)
    return MadeCycles((action,), analyses.findings, (notes,))


def play_cycle(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Let an armature play a made cycle, unless it plays something else.

    Returns
    -------
    bool
        Whether it plays it.
    """
    playing, _ = versions.get_assigned_action(armature)
    if playing is not None and not is_made(playing):
        return False
    slot = versions.find_slot(action, armature)
    if slot is not None:
        versions.assign_action(armature, action, slot)
    return slot is not None


def _make_clip(rig: Rig, choice: CycleChoice) -> tuple[Clip, tuple[Note, ...]]:
    """Poses of a cycle, and what had to be changed."""
    parts = find_body_parts(rig)
    gait = find_gait(rig, "walk" if choice.gait == REST else choice.gait, choice.style)
    settings, share = fit_gait(rig, gait, parts)
    rate = get_frame_rate(bpy.context.scene)
    fitted = fit_to_frames(settings, rate, MAKING.fewest_keys)
    if choice.style.speed > 0.0:
        # Whole frames change the period, and must not change the speed that was asked for.
        fitted = replace(fitted, stride=settings.stride * fitted.period / settings.period)
    settings = fitted
    if choice.gait == REST:
        return make_rest(rig, settings, parts), ()
    notes: tuple[Note, ...] = ()
    if share < MAKING.shortened:
        notes = (make_note(NoteKind.STRIDE_SHORTENED, share=share),)
    return make_gait(rig, settings, parts), notes


def _find_made(armature: bpy.types.Object, choice: CycleChoice) -> bpy.types.Action | None:
    """The unedited action in the motions that was made as this gait before."""
    for entry in armature.locomotion.motions:
        action = entry.action
        if not is_made(action) or action.library is not None:
            continue
        kept = action.locomotion_cycle
        slot = versions.find_slot(action, armature)
        same = kept.gait == choice.gait and kept.mirrored == choice.style.mirrored
        if same and slot is not None and not is_edited(action, slot):
            return action
    return None


def _write_action(
    character: Character,
    choice: CycleChoice,
    prepared: PreparedClip,
    action: bpy.types.Action | None,
) -> bpy.types.Action:
    """Write a clip to an action, a new one where None is given."""
    armature = character.armature
    name = f"{armature.name} {choice.gait.title()}"
    if choice.gait in SIDED:
        name += " Right" if choice.style.mirrored else " Left"
    written = write_prepared(character, prepared, name, action)
    slot = versions.ensure_channelbag(written, armature)[0]
    frames = (
        0.0 if choice.gait == REST else prepared.clip.duration * get_frame_rate(bpy.context.scene)
    )
    write_cycle(written, choice.gait, choice.style, frames, slot)
    return written


def _add_motion(armature: bpy.types.Object, action: bpy.types.Action, choice: CycleChoice) -> None:
    """Tick a new action in the motions."""
    entry = armature.locomotion.motions.add()
    entry.action, entry.group = action, choice.group
    # What it is made as needs no guess.
    entry.kind = "REST" if choice.gait == REST else "CYCLE"
