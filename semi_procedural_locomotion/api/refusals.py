# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals in words: first the cause, then the cure, and what else is to mind apart from them."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.rig.legs import RigFindings
from ..core.rig.legs.limits.results import DOUBTS
from ..errors import AnalysisError, RigError
from ..notes import Note, NoteKind, make_note
from .notes import find_severity, sort_notes, tell_case, tell_cure, tell_notes
from .wording import Reader, Severity

_NAME_LEGS = {
    Reader.PANEL: "name the bones of its legs, or use Add Leg from Selected Bones",
    Reader.JOB: "name the bones of its `legs`",
}


def refuse_motions(errors: Sequence[AnalysisError]) -> None:
    """Raise what was found wrong with motions as one error; nothing where there is none.

    Raises
    ------
    AnalysisError
        The only error itself, or one that names them all.
    """
    if len(errors) == 1:
        raise errors[0]
    if errors:
        told = f"{len(errors)} motions cannot be used: {'; '.join(error.case for error in errors)}"
        cures = list(dict.fromkeys(error.cure for error in errors if error.cure))
        job_cures = list(dict.fromkeys(error.job_cure for error in errors if error.job_cure))
        raise AnalysisError(told, "; ".join(cures), "; ".join(job_cures))


def refuse_rig(name: str, findings: RigFindings, relatives: Sequence[Note]) -> RigError:
    """The error of an armature without legs, or with doubtful ones.

    Parameters
    ----------
    name
        Of the armature.
    findings
        What was found in it.
    relatives
        What is known of it beside its legs. The gravest of it is the cause where it shows a fault.
    """
    known = sort_notes(relatives)
    cause = next((n for n in known if find_severity(n) is Severity.WALK), None)
    others = [note for note in known if note is not cause]
    hints, job_hints = (tuple(tell_notes(others, reader)) for reader in Reader)
    if findings.rig is None:
        case = f"{name!r}: {findings.refusal}"
        cures = (
            (_NAME_LEGS[Reader.PANEL], _NAME_LEGS[Reader.JOB]) if findings.nameable else ("", "")
        )
        if cause is not None:
            case = f"{name!r}: no walking legs found: {tell_case(cause)}"
            cures = (tell_cure(cause), tell_cure(cause, Reader.JOB))
        return RigError(case, *cures, hints, job_hints)
    doubts = sort_notes(n for n in findings.doubts if n.kind is not NoteKind.LEGS_UNSURE)
    why = [tell_case(doubt) for doubt in doubts]
    reason = tell_case(cause) if cause is not None else next(iter(why), "")
    more = why if cause is not None else why[1:]
    found = ", ".join(" > ".join(findings.rig.name_joints(leg)) for leg in findings.rig.legs)
    first = f"found: {found}; {findings.candidates}"
    cure, job_cure = (
        _NAME_LEGS[reader] if cause is None else tell_cure(cause, reader) for reader in Reader
    )
    return RigError(
        f"{name!r}: legs found only with confidence {findings.confidence:.2f}"
        f"{f' ({reason})' if reason else ''}",
        cure,
        job_cure,
        (first, *hints, *more),
        (first, *job_hints, *more),
    )


def ask_first(doubts: Sequence[Note], confidence: float) -> tuple[Note, ...]:
    """Doubts of legs with the question whether they are the right ones in front, where it is asked."""
    others = [doubt for doubt in doubts if doubt.kind is not NoteKind.LEGS_UNSURE]
    asked = [make_note(NoteKind.LEGS_UNSURE, confidence=confidence)]
    return (*(asked if confidence < DOUBTS.sure else []), *others)
