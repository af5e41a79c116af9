# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which motions of a character to use where the user has not chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import bpy
import numpy as np

from ..blender.reading.leg_motions import list_carrying_bones, list_played, moves_legs
from ..blender.reading.sampling import find_actions
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.limits import CHOICE
from ..core.motions.plainness import DOUBTFUL, Plainness, Sign, find_plain_walk, weigh_walks
from ..core.motions.records import FLIGHT, POSED, POSTURE, STIR, TURNS, Motion
from ..core.rig.legs.names import is_busy_name
from ..core.rig.structure import Rig
from ..notes import Note, NoteKind, make_note
from .characters import Character, MotionFinding

_REST_NAME = re.compile(r"idle|stand|rest|wait|breath", re.IGNORECASE)
_POSE_NAME = re.compile(r"t[-_ ]?pose|a[-_ ]?pose|bind", re.IGNORECASE)
_REASONS = {
    Sign.LEVEL: "stands on the ground of the others",
    Sign.FLIGHT: "always has a foot on the ground",
    Sign.TURNS: "has left and right take turns",
    Sign.CONTACT: "stands for longer",
    Sign.SLIP: "slips less",
    Sign.POSTURE: "holds itself more upright",
    Sign.PACE: "goes at a more usual speed",
    Sign.DOUBTS: "is less doubtful",
    Sign.NAME: "is a plainer walk by its name",
}


def tick_motions(findings: Sequence[MotionFinding], rig: Rig) -> list[bool]:
    """Which motions to use when the user has not chosen, see `choose_motions`."""
    return [is_ticked for is_ticked, _ in choose_motions(findings, rig)]


def choose_motions(
    findings: Sequence[MotionFinding], rig: Rig
) -> list[tuple[bool, tuple[Note, ...]]]:
    """Which motions to use when the user has not chosen, and why (docs/method/motions.md, Choice).

    The plainest walk is taken first; others after it where they go at another velocity and not far lower,
    and stand on the ground of most. Of rest motions the one is taken that holds itself most like those
    walks, and then the calmest.

    Parameters
    ----------
    findings
        All actions of a character.
    rig
        Its legs.

    Returns
    -------
    list of (bool, tuple of Note)
        Whether each finding is to be used, and why or why not where that is worth a word.
    """
    found = [(i, f.motion) for i, f in enumerate(findings) if f.motion is not None]
    weighed = dict(zip([i for i, _ in found], weigh_walks([m for _, m in found], rig), strict=True))
    cycles = {i: m for i, m in found if m.is_cycle}
    order = sorted(
        cycles, key=lambda i: (-weighed[i].total, len(findings[i].action), findings[i].action)
    )
    chosen: list[int] = []
    choices: list[tuple[bool, tuple[Note, ...]]] = [(False, ())] * len(findings)
    for is_poor in (False, True):
        for index in order:
            motion = cycles[index]
            if is_poor is not any(n.kind in DOUBTFUL for n in motion.notes):
                continue
            note = _find_objection(index, chosen, cycles, weighed, findings, is_poor)
            if note is None:
                chosen.append(index)
            choices[index] = (note is None, () if note is None else (note,))
    if len(cycles) > 1 and chosen:
        plain = chosen[find_plain_walk([cycles[i] for i in chosen], rig)]
        ahead = [
            i for i in chosen if i != plain and cycles[i].velocity @ cycles[plain].velocity > 0.0
        ]
        rival_name = reason = ""
        if ahead:
            rival = max(ahead, key=lambda i: weighed[i].total)
            reason = _tell_difference(weighed, rival, plain)
            rival_name = findings[rival].action
        told = make_note(NoteKind.PLAIN_WALK, other=rival_name, reason=reason)
        choices[plain] = (True, (told,))
    walks = [cycles[i] for i in chosen]
    rests = [i for i, f in enumerate(findings) if f.kind == "rest" and _stands(f, walks)]
    if rests:
        choices[min(rests, key=lambda i: _rank_rest(findings[i], walks))] = (True, ())
    return choices


def _find_objection(
    index: int,
    chosen: Sequence[int],
    cycles: Mapping[int, Motion],
    weighed: Mapping[int, Plainness],
    findings: Sequence[MotionFinding],
    is_poor: bool,
) -> Note | None:
    """Why a cycle is not used beside those that are; None where it is."""
    motion, own = cycles[index], weighed[index]
    if not own.is_walk:
        return _note_unused("hangs", height=own.hang)
    others = [cycles[i] for i in chosen]
    # A walk is worth its doubts where only runs are sure, and so is the only motion.
    if is_poor and others and (_walks(others) or not _walks([motion])):
        return _note_unused("doubtful")
    for other in chosen:
        name = findings[other].action
        if not _differ(motion, cycles[other]):
            return _note_unused("like", name, _tell_difference(weighed, index, other))
        if _stoops(motion, cycles[other]):
            return _note_unused("stoops", name)
    return None


def _note_unused(case: str, other: str = "", reason: str = "", height: float = 0.0) -> Note:
    """A note of a walk that is not used, by what speaks against it."""
    return make_note(NoteKind.WALK_UNUSED, case=case, other=other, reason=reason, height=height)


def _tell_difference(weighed: Mapping[int, Plainness], worse: int, better: int) -> str:
    """What speaks most for one walk in place of another, in words."""
    return _REASONS[weighed[worse].find_reason(weighed[better])]


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
    busy = is_busy_name(name) or bool(_POSE_NAME.search(name))
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
        and not (_POSE_NAME.search(a.name) or is_busy_name(a.name))
        # What moves no leg and plays already goes on beside the walk.
        and (a not in played or moves_legs(armature, a, bones))
    ]
    return min(actions, key=lambda a: (len(a.name), a.name), default=None)
