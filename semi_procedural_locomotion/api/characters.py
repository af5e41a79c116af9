# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find a character's legs and analyse its actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import bpy

from ..blender.reading.evidence import choose_actions, collect_evidence, note_keyed_object
from ..blender.reading.importing import note_connected, note_import
from ..blender.reading.relatives import note_foreign, note_relatives
from ..blender.reading.sampling import find_actions
from ..blender.values.constraints import find_copied_armature
from ..core.contacts.edits import ContactEdit
from ..core.motions.plainness import find_plain_walk
from ..core.motions.records import Motion, MotionGroup, MotionSet
from ..core.motions.stance import make_stance
from ..core.motions.synchronising import synchronize_motions
from ..core.rig.centring import centre_rig
from ..core.rig.legs import LegChoice, RigFindings, build_rig, find_rig, fit_evidence
from ..core.rig.limits import HANGING
from ..core.rig.standing import note_standing
from ..core.rig.structure import Rig
from ..errors import AnalysisError
from ..notes import Note, NoteKind, make_note
from ..requests.settings.kinds import check_values
from ..requests.settings.motions import MOTION
from .limits import LEG
from .notes import find_units, sort_notes
from .refusals import ask_first, refuse_rig

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class MotionChoice:
    """One action to use.

    Attributes
    ----------
    action
        The action.
    group
        Motions of one group are blended by speed and direction.
    reversed
        Whether it is used backwards in time.
    rest
        Whether it is the pose of standing.
    speed
        Its native speed, metres a second, instead of the measured one; None for that.
    key_times
        When feet stand, by the names of legs, in shares of the action's cycle as it is played
        forwards; those of others as found.
    insists
        Whether it is a cycle in spite of all objections.

    Raises
    ------
    SettingError
        The speed is no number or out of its range.
    """

    action: bpy.types.Action
    group: str = "walk"
    reversed: bool = False
    rest: bool = False
    speed: float | None = None
    key_times: Mapping[str, ContactEdit] = field(default_factory=dict)
    insists: bool = False

    def __post_init__(self) -> None:
        check_values(MOTION, {"speed": self.speed})


@dataclass(frozen=True)
class MotionFinding:
    """What the analysis says of one action.

    Attributes
    ----------
    action
        Name of the action.
    kind
        ``"cycle"``, ``"rest"`` or ``"other"``.
    motion
        The analysed motion; None for ``"other"``.
    reason
        Why it is no locomotion, in words; empty else.
    cure, job_cure
        What to do about that at the panels and in jobs.
    group
        Name of its group.
    key
        Fingerprint of what it was made from; None where that has none.
    keys
        Fingerprint of its curves; None where that is not known.
    choice
        Why it is ticked or not, where nobody has chosen.
    """

    action: str
    kind: str
    motion: Motion | None = None
    reason: str = ""
    group: str = "walk"
    cure: str = ""
    job_cure: str = ""
    key: str | None = None
    keys: str | None = None
    choice: tuple[Note, ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to mind about it, the gravest first."""
        if self.motion is not None:
            return sort_notes((*self.choice, *self.motion.notes))
        return (
            make_note(
                NoteKind.NO_LOCOMOTION,
                reason=self.reason,
                cure=self.cure,
                job_cure=self.job_cure,
            ),
        )


def refuse_finding(action: str, error: AnalysisError) -> MotionFinding:
    """A finding about an action that could not be analysed."""
    return MotionFinding(
        action, "other", reason=error.case, cure=error.cure, job_cure=error.job_cure
    )


@dataclass(frozen=True)
class Character:
    """An armature that is ready to walk.

    Attributes
    ----------
    armature
        The armature object.
    rig
        Its legs.
    confidence, doubts
        How sure the legs are, 0 to 1, and why not surer.
    yaw_offset
        Turn of the motions against the rest pose, radians.
    """

    armature: bpy.types.Object
    rig: Rig
    confidence: float
    doubts: tuple[Note, ...] = ()
    yaw_offset: float = 0.0


def find_character(
    armature: bpy.types.Object,
    actions: Sequence[bpy.types.Action] | None = None,
    legs: Sequence[LegChoice] | None = None,
    forward: tuple[float, float] | None = None,
    body: str | None = None,
    least_confidence: float = LEG.least_confidence,
    ignored: Sequence[bpy.types.Action] = (),
    span: tuple[float, float] | None = None,
) -> Character:
    """Find the legs of an armature, or build them from named bones.

    Parameters
    ----------
    armature
        The armature object; nothing of it is changed.
    actions
        Actions whose movement may tell where the legs are, beside the best named ones of the armature.
    legs
        Legs by bone names, instead of finding them.
    forward
        World x, y that the character faces at rest, instead of finding it.
    body
        Name of the bone that carries the hips, instead of finding it.
    least_confidence
        Refuse what was found with less.
    ignored
        Actions whose movement tells nothing of it.
    span
        First and last frame at which its meshes are to be seen; None for those of the scene.

    Raises
    ------
    RigError
        No legs, or too doubtful ones; the message gives the reasons.
    """
    own = find_actions(armature)
    chosen = choose_actions(armature, actions or (), ignored, own)
    evidence = collect_evidence(armature, chosen, span, own)
    relatives = (
        *note_relatives(armature, bpy.context.scene),
        *note_foreign(armature),
        *note_import(armature),
        *note_keyed_object(armature, own),
    )
    if legs is not None:
        rig = build_rig(evidence, legs, forward, body)
        evidence = fit_evidence(evidence, rig.skeleton)
        standing = _leave_units(note_standing(evidence, rig.legs))
        relatives = (*relatives, *_note_body(armature, rig), *standing)
        rig = replace(rig, doubts=relatives)
        return Character(armature, centre_rig(rig), 1.0, relatives)
    findings: RigFindings = find_rig(evidence)
    found = () if findings.rig is None else findings.rig.legs
    fitted = evidence if findings.rig is None else fit_evidence(evidence, findings.rig.skeleton)
    standing = _leave_units(note_standing(fitted, found, findings))
    relatives = (*relatives, *standing)
    if findings.rig is None or findings.confidence < least_confidence:
        raise refuse_rig(armature.name, findings, relatives)
    rig = findings.rig
    is_chosen = forward is not None or body is not None
    if is_chosen:
        same = [_choice_from_leg(rig, index) for index in range(len(rig.legs))]
        rig = build_rig(evidence, same, forward, body)
    relatives = (*relatives, *_note_body(armature, rig))
    if any(note.kind is NoteKind.BODY_LIES for note in standing):
        findings = replace(findings, confidence=min(findings.confidence, LEG.lying))
    doubts = ask_first((*relatives, *findings.doubts), findings.confidence)
    if is_chosen:
        rig = replace(rig, doubts=relatives)
        return Character(armature, centre_rig(rig), findings.confidence, doubts)
    rig = replace(rig, confidence=findings.confidence, doubts=doubts)
    return Character(armature, centre_rig(rig), findings.confidence, doubts, findings.yaw_offset)


def _leave_units(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Notes without those of bodies of an odd size that is a usual one in the units of the scene."""
    scale = find_units().scale
    sizes = {NoteKind.BODY_HUGE, NoteKind.BODY_TINY}
    return tuple(
        note
        for note in notes
        if note.kind not in sizes
        or not HANGING.smallest <= float(str(note.values["height"])) * scale <= HANGING.tallest
    )


def _note_body(armature: bpy.types.Object, rig: Rig) -> tuple[Note, ...]:
    """A note where the bone that carries the hips cannot move."""
    return note_connected(armature, rig.skeleton.names[rig.body])


def _choice_from_leg(rig: Rig, index: int) -> LegChoice:
    """A found leg as if it had been named."""
    leg, names = rig.legs[index], rig.skeleton.names
    return LegChoice(
        bones=rig.name_joints(leg),
        toe=None if leg.toe is None else names[leg.toe],
        name=leg.name,
    )


def make_motion_set(character: Character, findings: Sequence[MotionFinding]) -> MotionSet:
    """Motions with their phases aligned, ready for planning.

    Without a rest motion, the stance of the plain walk stands (see `make_stance`).

    Parameters
    ----------
    character
        The character.
    findings
        The motions to use.

    Raises
    ------
    AnalysisError
        None of them walks, or its bones copy those of another armature.
    """
    used = [f for f in findings if f.motion is not None]
    motions = [f.motion for f in used if f.motion is not None]
    groups = [f.group for f in used]
    copied = find_copied_armature(character.armature)
    if copied is not None:
        raise AnalysisError(
            f"{character.armature.name!r} cannot walk by itself: "
            f"its bones copy those of {copied.name!r}, set that up"
        )
    if not any(m.is_cycle for m in motions):
        raise AnalysisError(
            f"{character.armature.name!r} has no walk among its motions",
            "tick an action that walks",
            "name an action that walks in `motions`",
        )
    if all(m.is_cycle for m in motions):
        plain = find_plain_walk(motions, character.rig)
        motions.insert(0, make_stance(character.rig, motions[plain]))
        groups.insert(0, groups[plain])
    offsets, _, _ = synchronize_motions(motions)
    names = list(dict.fromkeys(groups))
    return MotionSet(
        motions=tuple(motions),
        offsets=offsets,
        groups=tuple(
            MotionGroup(name, tuple(i for i, g in enumerate(groups) if g == name)) for name in names
        ),
    )
