# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of a character sampled and analysed, each only once as long as nothing of it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy

from ..blender.bake.rollback import Write
from ..blender.reading.clip_inputs import fingerprint_clip, fingerprint_keys
from ..blender.reading.leg_motions import list_carrying_bones, moves_legs
from ..blender.reading.sampling import find_actions, sample_action
from ..blender.setup.analyses import KeptMotions, read_motion, store_motion
from ..blender.setup.cycle_properties import find_made_frames
from ..blender.values.bake_record import is_bake
from ..blender.values.scene_state import read_key_rate
from ..core.maths.fingerprints import KeptResults, fingerprint
from ..core.motions.analysis import AnalysisOptions, analyze_clip, rest_motion_from_clip
from ..core.motions.changes import reverse_motion, set_speed
from ..core.motions.clips import Clip
from ..core.motions.keeping import bytes_from_motion, motion_from_bytes
from ..core.rig.structure import Rig
from ..errors import AnalysisError
from .characters import Character, MotionChoice, MotionFinding, Progress, refuse_finding
from .limits import KEPT
from .refusals import refuse_motions

# Of every action as it was used for a rig, and why it was no use.
_analyses = KeptResults[MotionFinding | AnalysisError](KEPT.analyses)


def analyze_actions(
    character: Character,
    choices: Sequence[MotionChoice] | None = None,
    options: AnalysisOptions | None = None,
    progress: Progress | None = None,
) -> tuple[MotionFinding, ...]:
    """Analyse actions of a character.

    Parameters
    ----------
    character
        The character.
    choices
        The actions with their use; None for every action that keys the armature. A chosen action
        that cannot be analysed is an error; of all actions it is told as ``"other"``.
    options
        Overrides for all of them.
    progress
        Called with the share done and a text.

    Raises
    ------
    AnalysisError
        Chosen actions are no locomotion.
    """
    armature = character.armature
    asked = (
        list(choices)
        if choices is not None
        else [MotionChoice(action) for action in find_actions(armature)]
    )
    findings: list[MotionFinding] = []
    errors: list[AnalysisError] = []
    for number, choice in enumerate(asked):
        if progress is not None:
            progress(number / max(len(asked), 1), f"analysing {choice.action.name}")
        try:
            if is_bake(choice.action):
                raise AnalysisError(
                    f"{choice.action.name!r} is a baked walk and no motion",
                    "untick it in the motions list",
                    "name another action in `motions`",
                )
            _check_moving(character, choice, options)
            findings.append(_find_analysis(character, choice, options))
        except AnalysisError as error:
            errors.append(error)
            findings.append(refuse_finding(choice.action.name, error))
    if choices is not None:
        refuse_motions(errors)
    return tuple(findings)


def _check_moving(
    character: Character, choice: MotionChoice, options: AnalysisOptions | None
) -> None:
    """Check that an action moves a leg or the hips, where nobody has said what it is.

    Raises
    ------
    AnalysisError
        It moves neither.
    """
    is_said = choice.rest or choice.insists or (options is not None and options.kind is not None)
    bones = list_carrying_bones(character.rig)
    if not (is_said or moves_legs(character.armature, choice.action, bones)):
        raise AnalysisError(
            f"{choice.action.name!r} moves neither a leg nor the hips",
            "leave it unticked: what the character plays of it goes on beside the walk",
            "leave it out: what the character plays of it goes on beside the walk",
        )


def _find_analysis(
    character: Character, choice: MotionChoice, options: AnalysisOptions | None
) -> MotionFinding:
    """The analysis of one action, made again only where anything differs that it depends on.

    Raises
    ------
    AnalysisError
        It is not what it shall be.
    """
    armature, rig = character.armature, character.rig
    decided = _decide(armature, choice, options)
    keys = fingerprint_keys(armature, choice.action)
    clip = fingerprint_clip(armature, choice.action, keys)
    use = (choice.group, choice.reversed, choice.rest, choice.speed)
    key = None if clip is None else fingerprint(clip, rig, use, decided)

    def analyze() -> MotionFinding | AnalysisError:
        stored = None if key is None else read_motion(armature, choice.action, rig, key)
        motion = None if stored is None else motion_from_bytes(stored)
        if motion is not None:
            return MotionFinding(
                choice.action.name, motion.kind, motion, group=choice.group, key=key, keys=keys
            )
        try:
            sampled = sample_action(armature, choice.action, rig.skeleton)
            return replace(_analyze(sampled, rig, choice, decided), key=key, keys=keys)
        except AnalysisError as error:
            return error

    found = _analyses.get(key, analyze)
    if isinstance(found, AnalysisError):
        raise AnalysisError(found.case, found.cure, found.job_cure) from found
    return found


def write_motions(character: Character, findings: Sequence[MotionFinding]) -> Write:
    """Keep the motions of a walk with their actions, for when the file is opened again."""
    armature, rig = character.armature, character.rig
    actions = {e.action.name: e.action for e in armature.locomotion.motions if e.action is not None}
    told = [(actions[f.action], f.motion, f.key) for f in findings if f.action in actions]

    def keep() -> None:
        for action, motion, key in told:
            if motion is None or key is None or read_motion(armature, action, rig, key) is not None:
                continue
            store_motion(armature, action, rig, key, bytes_from_motion(motion))

    kept = KeptMotions(armature, [action for action, *_ in told], rig)
    return Write("motions", keep, kept.put_back)


def forget_analyses() -> None:
    """Analyse everything anew from now on."""
    _analyses.forget()


def _decide(
    armature: bpy.types.Object, choice: MotionChoice, options: AnalysisOptions | None
) -> AnalysisOptions:
    """Options with the chosen key times, and the period of a made cycle, which is known."""
    options = options or AnalysisOptions()
    if choice.insists:
        options = replace(options, kind="cycle", force=True)
    if choice.key_times:
        options = replace(options, key_times=choice.key_times)
    action = choice.action
    frames = find_made_frames(action, armature)
    if frames is None or options.period is not None:
        return options
    rate = read_key_rate(action)
    return replace(options, period=frames / rate, closed=True)


def _analyze(clip: Clip, rig: Rig, choice: MotionChoice, options: AnalysisOptions) -> MotionFinding:
    """Analyse one sampled action as it is to be used."""
    name = choice.action.name
    if choice.rest:
        motion = rest_motion_from_clip(clip, rig)
        return MotionFinding(name, "rest", motion, group=choice.group)
    motion = analyze_clip(clip, rig, options)
    if choice.speed and motion.is_cycle:
        motion = set_speed(motion, choice.speed, rig.forward)
    if choice.reversed and motion.is_cycle:
        motion = reverse_motion(motion)
    return MotionFinding(name, motion.kind, motion, group=choice.group)
