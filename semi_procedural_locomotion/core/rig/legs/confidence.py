# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure the legs are, and why not (docs/method/legs.md, Confidence)."""

from __future__ import annotations

import numpy as np

from ....notes import Note, NoteKind, make_note
from .body import Body
from .chains import NO_PARTNER
from .direction import Facing
from .limits import DOUBTS
from .names import weigh_leg_names
from .readings import ClipReading


def judge_legs(
    body: Body, reading: ClipReading, readings: list[ClipReading], facing: Facing
) -> tuple[float, tuple[Note, ...]]:
    """Confidence in the legs of the chosen reading, and what is doubtful.

    Parameters
    ----------
    body
        The prepared evidence.
    reading, readings
        The chosen clip, with legs, and all that were read.
    facing
        Where the character faces.

    Returns
    -------
    confidence
        0 to 1.
    doubts
        Why it is not 1, or what else to mind.
    """
    chains = reading.chains
    doubts = _doubt_clips(reading, readings)
    length = float(np.mean([chain.length for chain in chains]))
    if any(chain.foot == "tip" for chain in chains):
        doubts.append((DOUBTS.no_foot, make_note(NoteKind.LEG_WITHOUT_FOOT)))
    if any(len(chain.joints) < 3 and chain.foot != "tip" for chain in chains):
        doubts.append((DOUBTS.single_segment, make_note(NoteKind.LEG_OF_ONE_SEGMENT)))
    if length < DOUBTS.short * reading.height:
        doubts.append((DOUBTS.short_legs, make_note(NoteKind.LEGS_SHORT)))
    if reading.hip_ratio < DOUBTS.low:
        doubts.append((DOUBTS.low_hips, make_note(NoteKind.HIPS_LOW)))
    if reading.ground > DOUBTS.hover * length:
        hover = make_note(NoteKind.FEET_HOVER, lengths=reading.ground / length)
        doubts.append((DOUBTS.hovering, hover))
    if max(chain.cost for chain in chains) > 0:
        doubts.append((DOUBTS.nameless_pairs, make_note(NoteKind.PAIRED_WITHOUT_NAMES)))
    single = [chain for chain in chains if chain.other == NO_PARTNER]
    if single:
        names = tuple(body.names[chain.joints[0]] for chain in single)
        alone = make_note(NoteKind.LEG_SINGLE, bones=names)
        doubts.append((DOUBTS.lone_leg if len(chains) == 1 else DOUBTS.middle_leg, alone))
    if reading.unpaired:
        names = tuple(body.names[tip] for tip in reading.unpaired)
        touching = make_note(NoteKind.OTHERS_TOUCH_GROUND, bones=names)
        doubts.append((DOUBTS.other_contacts, touching))
    confidence = float(np.prod([factor for factor, _ in doubts]))
    notes = [note for _, note in doubts]
    named = weigh_leg_names([body.names[bone] for chain in chains for bone in chain.joints])
    if named < 1.0:
        notes.append(make_note(NoteKind.NAMES_OF_ARMS))
    if facing.mirrored_names:
        notes.append(make_note(NoteKind.SIDES_SWAPPED))
    if facing.yaw_offset:
        turn = float(np.degrees(facing.yaw_offset))
        notes.append(make_note(NoteKind.CLIP_FACES_ELSEWHERE, degrees=turn))
    if facing.certainty < DOUBTS.unsure_forward:
        notes.append(make_note(NoteKind.FORWARD_UNSURE))
    return min(1.0, confidence * named), tuple(notes)


def _doubt_clips(reading: ClipReading, readings: list[ClipReading]) -> list[tuple[float, Note]]:
    """Doubts that come from how the legs move, or that they do not."""
    doubts: list[tuple[float, Note]] = []
    stepping = reading.stepping
    if reading.clip.is_rest:
        doubts.append((DOUBTS.rest_only, make_note(NoteKind.REST_POSE_ALONE)))
    elif not stepping.walks:
        doubts.append((DOUBTS.no_steps, make_note(NoteKind.NO_STEPPING_CLIP)))
    else:
        in_phase = (
            stepping.alternation is not None and stepping.alternation > DOUBTS.phase_correlation
        )
        if len(reading.chains) == 2 and in_phase:
            doubts.append((DOUBTS.in_phase, make_note(NoteKind.FEET_IN_PHASE)))
        if stepping.spread > DOUBTS.speed_spread:
            doubts.append((DOUBTS.disagreeing_speeds, make_note(NoteKind.FEET_DISAGREE)))
    counts = [len(other.chains) for other in readings if other.chains]
    if (
        counts
        and np.mean([count == len(reading.chains) for count in counts]) < DOUBTS.least_agreement
    ):
        doubts.append((DOUBTS.disagreeing_clips, make_note(NoteKind.CLIPS_DISAGREE)))
    return doubts
