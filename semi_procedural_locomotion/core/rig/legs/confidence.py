# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure the legs are, and why not (docs/method/legs.md, Confidence)."""

from __future__ import annotations

import numpy as np

from ....notes import Note, NoteKind, make_note
from ...maths import rotations as rot
from ..structure import Leg
from .body import Body
from .carrying import Load, is_walk, shows_limb, stands_like, weigh_limb
from .chains import NO_PARTNER
from .direction import Facing
from .limits import DOUBTS
from .names import weigh_leg_names
from .readings import ClipReading, rate_walking
from .soles import find_missed

_OWN_DOUBTS = {
    NoteKind.ANKLE_WITHOUT_WEIGHTS: DOUBTS.weightless_ankle,
    NoteKind.FOOT_DETACHED: DOUBTS.detached_foot,
    NoteKind.SOLE_GUESSED: DOUBTS.guessed_sole,
}


def judge_legs(
    body: Body,
    reading: ClipReading,
    readings: list[ClipReading],
    facing: Facing,
    legs: tuple[Leg, ...],
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
    legs
        As they were made of the chosen reading, with their own doubts.

    Returns
    -------
    confidence
        0 to 1.
    doubts
        Why it is not 1, or what else to mind.
    """
    chains = reading.chains
    upright = [r for r in readings if r.chains and stands_like(r, reading)]
    # Who walks upright is not doubted for a crawl or a death.
    seen = upright if any(map(is_walk, [reading, *upright])) else readings
    seen = [r for r in seen if not _has_fallen(r, reading)]
    contrary = [r for r in seen if r.chains and _is_contrary(r, reading)]
    doubts = [*_doubt_motion(reading), *_doubt_clips(body, reading, upright, contrary)]
    length = float(np.mean([chain.length for chain in chains]))
    if any(chain.foot == "tip" for chain in chains):
        doubts.append((DOUBTS.no_foot, make_note(NoteKind.LEG_WITHOUT_FOOT)))
    short = any(len(chain.joints) < 3 and chain.foot != "tip" for chain in chains)
    if short and not is_walk(reading):
        doubts.append((DOUBTS.single_segment, make_note(NoteKind.LEG_OF_ONE_SEGMENT)))
    if length < DOUBTS.short * reading.height:
        doubts.append((DOUBTS.short_legs, make_note(NoteKind.LEGS_SHORT)))
    if reading.hip_ratio < DOUBTS.low and not (is_walk(reading) and _arches(reading)):
        doubts.append((DOUBTS.low_hips, make_note(NoteKind.HIPS_LOW)))
    # A clip in the air says nothing of legs that stand in another.
    ground = min([reading.ground, *(r.ground for r in readings if _shows_all(r, reading))])
    if ground > DOUBTS.hover * length:
        hover = make_note(NoteKind.FEET_HOVER, lengths=ground / length)
        doubts.append((DOUBTS.hovering, hover))
    if max(chain.cost for chain in chains) > 0:
        doubts.append((DOUBTS.nameless_pairs, make_note(NoteKind.PAIRED_WITHOUT_NAMES)))
    single = [chain for chain in chains if chain.other == NO_PARTNER]
    if single:
        names = tuple(body.names[chain.joints[0]] for chain in single)
        alone = make_note(NoteKind.LEG_SINGLE, bones=names)
        doubts.append((DOUBTS.lone_leg if len(chains) == 1 else DOUBTS.middle_leg, alone))
    others = (*reading.hanging, *reading.unpaired)
    if others:
        names = tuple(body.names[tip] for tip in others)
        touching = make_note(NoteKind.OTHERS_TOUCH_GROUND, bones=names)
        tips = list(reading.unpaired)
        mirrored = bool(reading.hanging) or bool(body.twins[np.ix_(tips, tips)].any())
        unsure = mirrored and not is_walk(reading)
        doubts.append((DOUBTS.hanging if unsure else DOUBTS.other_contacts, touching))
    confidence = float(np.prod([factor for factor, _ in doubts]))
    notes = [note for _, note in doubts]
    named = weigh_leg_names([body.names[bone] for chain in chains for bone in chain.joints])
    if named < 1.0:
        notes.append(make_note(NoteKind.NAMES_OF_ARMS))
    notes += _note_facing(facing)
    missed = find_missed(body, legs, reading.clip)
    if missed is not None:
        notes.append(make_note(NoteKind.SKIN_BELOW_SOLES, share=missed[0], bone=missed[1]))
    if facing.certainty < DOUBTS.unsure_forward:
        confidence *= DOUBTS.guessed_forward
        notes.append(make_note(NoteKind.FORWARD_UNSURE))
    most = DOUBTS.most_contested if contrary else 1.0
    # Good names make up for no doubt of a leg itself.
    confidence = min(most, confidence * named) * _weigh_own_doubts(legs)
    if confidence < DOUBTS.sure:
        notes.insert(0, make_note(NoteKind.LEGS_UNSURE, confidence=confidence))
    return confidence, tuple(notes)


def _note_facing(facing: Facing) -> list[Note]:
    """What to mind about where the character faces."""
    notes = []
    if facing.mirrored_names:
        notes.append(make_note(NoteKind.SIDES_SWAPPED))
    if facing.contrary:
        notes.append(make_note(NoteKind.FORWARD_CONTRADICTED, clips=facing.contrary))
    if facing.yaw_offset and not facing.travels:
        turn = float(np.degrees(facing.yaw_offset))
        notes.append(make_note(NoteKind.CLIP_FACES_ELSEWHERE, degrees=turn))
    return notes


def _weigh_own_doubts(legs: tuple[Leg, ...]) -> float:
    """Factor of the doubts that the legs have of their own; each counts once for all legs."""
    told = {note.kind for leg in legs for note in leg.doubts}
    return float(np.prod([factor for kind, factor in _OWN_DOUBTS.items() if kind in told]))


def _doubt_motion(reading: ClipReading) -> list[tuple[float, Note]]:
    """Doubts that come from how the legs move, or that they do not."""
    stepping = reading.stepping
    if reading.clip.is_rest:
        return [(DOUBTS.rest_only, make_note(NoteKind.REST_POSE_ALONE))]
    if not stepping.walks:
        return [(DOUBTS.no_steps, make_note(NoteKind.NO_STEPPING_CLIP))]
    together = stepping.alternation is not None and stepping.alternation > DOUBTS.phase_correlation
    if len(reading.chains) == 2 and together:
        return [(DOUBTS.in_phase, make_note(NoteKind.FEET_IN_PHASE))]
    if stepping.spread > DOUBTS.speed_spread:
        return [(DOUBTS.disagreeing_speeds, make_note(NoteKind.FEET_DISAGREE))]
    return []


def _doubt_clips(
    body: Body, reading: ClipReading, upright: list[ClipReading], contrary: list[ClipReading]
) -> list[tuple[float, Note]]:
    """Doubts from readings of other legs, with the clips that show them, the best walks first."""
    if not contrary:
        return []
    agreeing = sum(not _is_contrary(r, reading) for r in upright)
    if not any(is_walk(r) for r in (reading, *upright)):
        factor = DOUBTS.contested_pose
    elif agreeing < DOUBTS.least_agreement * len(upright):
        factor = DOUBTS.disagreeing_clips
    else:
        factor = 1.0
    ranked = sorted(contrary, key=lambda r: (-rate_walking(r), -r.hip_ratio))
    notes = [_tell_difference(body, r, reading) for r in ranked[: DOUBTS.named_clips]]
    return [(factor, notes[0]), *((1.0, note) for note in notes[1:])]


def _tell_difference(body: Body, other: ClipReading, reading: ClipReading) -> Note:
    """Which clip shows how many legs, and at which bones they are not the legs that were found."""
    more = [chain.joints[-1] for chain in other.chains if not shows_limb(reading, chain)]
    fewer = [chain.joints[-1] for chain in reading.chains if not shows_limb(other, chain)]
    bones = tuple(body.names[bone] for bone in (*more, *fewer))
    count = len(other.chains)
    if other.clip.is_rest:
        return make_note(NoteKind.REST_SHOWS_OTHER_LEGS, count=count, bones=bones)
    return make_note(NoteKind.CLIP_SHOWS_OTHER_LEGS, clip=other.clip.name, count=count, bones=bones)


def _is_contrary(other: ClipReading, reading: ClipReading) -> bool:
    """Whether a reading has a limb that is no leg, or a walk in which one of the legs carries nothing.

    Where nothing walks, whether it lacks one of the legs.
    """
    if not all(shows_limb(reading, chain) for chain in other.chains):
        return True
    missing = [chain for chain in reading.chains if not shows_limb(other, chain)]
    if not missing:
        return False
    if not is_walk(other):  # a leg that is raised in a blow is one all the same
        return not is_walk(reading)
    by_tip = {chain.tip: chain for chain in reading.chains}
    pairs = [(chain, by_tip[chain.other]) for chain in missing if chain.other in by_tip]
    return any(weigh_limb(other, pair) is not Load.CARRIES for pair in pairs)


def _has_fallen(other: ClipReading, reading: ClipReading) -> bool:
    """Whether the trunk of another clip is tilted for long, against that of the deciding one."""
    fork = reading.chains[0].fork
    if fork < 0:
        return False
    ups = [rot.normalize(r.clip.axes[:, fork, 2]) for r in (reading, other)]
    upright = rot.normalize(ups[0].mean(axis=0))
    return float(np.mean(ups[1] @ upright < DOUBTS.fallen)) > DOUBTS.fallen_share


def _arches(reading: ClipReading) -> bool:
    """Whether all legs rise from their hips before they go down, as those of insects and spiders."""
    heads = reading.clip.heads[..., 2]
    return all(
        max(heads[:, joint].mean() for joint in chain.joints) > heads[:, chain.joints[0]].mean()
        for chain in reading.chains
    )


def _shows_all(other: ClipReading, reading: ClipReading) -> bool:
    """Whether a reading has legs, and all of the deciding ones."""
    return bool(other.chains) and all(shows_limb(other, chain) for chain in reading.chains)
