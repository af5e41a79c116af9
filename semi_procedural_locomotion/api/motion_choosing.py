# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which motions of a character to use where the user has not chosen."""

from __future__ import annotations

import re
from collections.abc import Sequence

import bpy
import numpy as np

from ..blender.reading.leg_motions import list_carrying_bones, list_played, moves_legs
from ..blender.reading.sampling import find_actions
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.limits import CHOICE
from ..core.motions.records import FLIGHT, POSED, POSTURE, STIR, TURNS, Motion
from ..notes import NoteKind
from .characters import Character, MotionFinding
from .wording import WORDS
from .wording.forms import Severity

_REST_NAME = re.compile(r"idle|stand|rest|wait|breath", re.IGNORECASE)
_POSE_NAME = re.compile(r"t[-_ ]?pose|a[-_ ]?pose|bind", re.IGNORECASE)
# Clips whose legs walk while the rest of the body does something else.
_BUSY_NAME = re.compile(
    r"attack|shoot|aim|hold|bow|gun|sword|block|hit|carry|jump|dodge|spell|cast|throw|use|"
    r"crouch|sneak|crawl|climb|swim|death|die|dance|melee|ranged|"
    r"(?<![a-z])(?:fall|land|fly|lie|lying|sit)",
    re.IGNORECASE,
)
# Motions with such notes are not used without the user's word, unless nothing else walks.
_POOR = (NoteKind.SPEED_UNCERTAIN, NoteKind.CONTACT_SHORT, NoteKind.MAYBE_JUMP)


def tick_motions(findings: Sequence[MotionFinding]) -> list[bool]:
    """Which motions to use when the user has not chosen (docs/method/motions.md, Choice).

    Of walks with nearly the same velocity the upright one with the fewest doubts is taken, and none
    that is far lower than those; of rest motions the one that holds itself most like those walks, and
    then the calmest. Names only break ties.

    Parameters
    ----------
    findings
        All actions of a character.

    Returns
    -------
    list of bool
        One for each finding.
    """
    ticked = [False] * len(findings)
    order = sorted(
        (i for i, f in enumerate(findings) if f.kind == "cycle" and f.motion is not None),
        key=lambda i: _rank_cycle(findings[i]),
    )
    chosen: list[Motion] = []
    for is_poor in (False, True):
        for index in order:
            motion = findings[index].motion
            if motion is None or is_poor is not any(n.kind in _POOR for n in motion.notes):
                continue
            # A walk is worth its doubts where only runs are sure, and so is the only motion.
            if is_poor and chosen and (_walks(chosen) or not _walks([motion])):
                continue
            if all(_differ(motion, other) and not _stoops(motion, other) for other in chosen):
                chosen.append(motion)
                ticked[index] = True
    rests = [i for i, f in enumerate(findings) if f.kind == "rest" and _stands(f, chosen)]
    if rests:
        ticked[min(rests, key=lambda i: _rank_rest(findings[i], chosen))] = True
    return ticked


def _walks(motions: Sequence[Motion]) -> bool:
    """Whether one of some motions walks: feet take turns, and one is always on the ground."""
    return any(
        motion.quality.get(TURNS) == "yes" and float(motion.quality.get(FLIGHT, 1.0)) < CHOICE.walks
        for motion in motions
    )


def _differ(motion: Motion, other: Motion) -> bool:
    """Whether the velocities of two motions are two choices."""
    limit = max(motion.speed, other.speed, 1e-9)
    return bool(np.hypot(*(motion.velocity - other.velocity)) > CHOICE.alike * limit)


def _stoops(motion: Motion, other: Motion) -> bool:
    """Whether a motion is so much lower than another that no walk is between them, as a crawl is."""
    lower, higher = (float(m.quality.get(POSTURE, 1.0)) for m in (motion, other))
    return lower < CHOICE.stooped * higher


def _rank_cycle(finding: MotionFinding) -> tuple[bool, int, int, bool, int, str]:
    """Sort key of a walk: upright ones with few doubts first, then plain names."""
    notes = () if finding.motion is None else finding.motion.notes
    quality = {} if finding.motion is None else finding.motion.quality
    doubts = {note.kind for note in notes if WORDS[note.kind].severity is not Severity.HINT}
    stooped = float(quality.get(POSTURE, 1.0)) < CHOICE.upright
    hints = {note.kind for note in notes} - doubts
    name = finding.action
    return (stooped, len(doubts), len(hints), bool(_BUSY_NAME.search(name)), len(name), name)


def _stands(finding: MotionFinding, walks: Sequence[Motion]) -> bool:
    """Whether a rest motion can be one to stand in: no bind pose, and not too unlike the walks."""
    rest = finding.motion
    if rest is None:
        return False
    if _REST_NAME.search(finding.action) and not _POSE_NAME.search(finding.action):
        return True
    is_bind = float(rest.quality.get(POSED, np.inf)) < CHOICE.posed
    is_still = float(rest.quality.get(STIR, 0.0)) < CHOICE.still
    unlike = min((_measure_unlike(rest, walk) for walk in walks), default=0.0)
    return not (is_bind and is_still) and unlike < CHOICE.most_unlike


def _rank_rest(
    finding: MotionFinding, walks: Sequence[Motion]
) -> tuple[int, int, bool, bool, int, str]:
    """Sort key of a rest motion: like the walks and calm ones first, then names of idles."""
    rest, name = finding.motion, finding.action
    unlike = stir = 0.0
    if rest is not None:
        stir = float(rest.quality.get(STIR, 0.0))
        unlike = min((_measure_unlike(rest, walk) for walk in walks), default=0.0)
    busy = bool(_BUSY_NAME.search(name) or _POSE_NAME.search(name))
    return (
        round(unlike / CHOICE.unlike),
        round(stir / CHOICE.stir),
        busy,
        not _REST_NAME.search(name),
        len(name),
        name,
    )


def _measure_unlike(rest: Motion, walk: Motion) -> float:
    """Root mean square angle between the bones of a rest motion and a walk's mean pose, radians."""
    rows = rot.align_hemispheres(walk.rotations, walk.rotations[0])
    mean: FloatArray = rot.normalize_quaternions(np.mean(rows, axis=0))
    return float(np.sqrt(np.mean(np.square(rot.angles_between(mean, rest.rotations[0])))))


def find_rest_action(character: Character) -> bpy.types.Action | None:
    """The action that looks most like plain standing by its name, or None."""
    armature, bones = character.armature, list_carrying_bones(character.rig)
    played = list_played(armature)
    actions = [
        a
        for a in find_actions(armature)
        if _REST_NAME.search(a.name)
        and not (_POSE_NAME.search(a.name) or _BUSY_NAME.search(a.name))
        # What moves no leg and plays already goes on beside the walk.
        and (a not in played or moves_legs(armature, a, bones))
    ]
    return min(actions, key=lambda a: (len(a.name), a.name), default=None)
