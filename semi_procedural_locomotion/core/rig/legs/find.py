# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the legs of any armature, or complete legs that a user names (docs/method/legs.md, Legs)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from ....errors import RigError
from ....notes import NoteKind
from ..skeleton import BoneEnd, Skeleton, compute_rest_poses
from ..structure import Leg, Rig, SolePoint
from .assembly import assemble_rig
from .attachment import Attachment, attach_feet
from .body import Body, prepare_body
from .candidates import describe_candidates, describe_lack
from .carrying import merge_readings
from .chains import LegChain
from .choices import ChosenLeg, read_chosen_legs, resolve_choices
from .confidence import judge_legs
from .contacts import find_contacts
from .direction import Facing, find_facing
from .ends import add_ends, find_ends, fit_evidence, lead_evidence
from .evidence import BodyEvidence, LegChoice, RigFindings, find_canonical_order, reorder_evidence
from .followers import find_leaders, move_to_leaders, tell_scattered, tell_star
from .limits import ANKLES
from .names import weigh_leg_names
from .readings import ClipReading, choose_reading, gather_stances, read_clip

_FEWEST_BONES = 4  # two legs of a hip and an ankle
_FEWEST_JOINTS = 2
# Which of several readings is taken depends on the legs in each: the one taken is asked for again.
_FOUND: WeakKeyDictionary[BodyEvidence, RigFindings] = WeakKeyDictionary()


def find_rig(evidence: BodyEvidence) -> RigFindings:
    """Find legs, soles, forward and the bone to move.

    Parameters
    ----------
    evidence
        The character; the result does not depend on the order of its bones.

    Returns
    -------
    RigFindings
        With ``rig`` None where no walking legs were found; below 0.5 the caller should refuse.
    """
    found = _FOUND.get(evidence)
    if found is None:
        found = _find_rig(evidence)
        found = _FOUND[evidence] = _find_on_ends(evidence, found)
    return found


def _find_on_ends(evidence: BodyEvidence, found: RigFindings) -> RigFindings:
    """The same legs, and more like them, as they stand on the ends of their last bones, where they do."""
    legs = () if found.rig is None else found.rig.legs
    evidence = evidence if found.rig is None else fit_evidence(evidence, found.rig.skeleton)
    stubs = [shin for leg in legs for shin in _list_shins(evidence, leg)]
    if stubs or not legs:
        taken = [bone for leg in legs for bone in leg.joints]
        stubs += [(tip,) for tip in _list_standing(evidence) if tip not in taken]
    ends = find_ends(evidence, stubs)
    named = [evidence.skeleton.names[bone] for leg in legs for bone in leg.joints]
    named = named or [end.bone for end in ends]
    # Wheels and arms have rims and hands, which are no ends of shins.
    if not ends or weigh_leg_names(named) < 1.0:
        return found
    while ends:
        longer = _find_rig(add_ends(evidence, ends))
        if longer.rig is None or len(longer.rig.legs) < max(len(legs), 1):
            break
        ankles = {longer.rig.skeleton.names[leg.ankle] for leg in longer.rig.legs}
        used = tuple(end for end in ends if end.name in ankles)
        if used == ends:
            return longer
        ends = used
    return found


def _list_standing(evidence: BodyEvidence) -> list[int]:
    """Bones that stand for the limbs on the ground in the best named clip."""
    body = prepare_body(evidence)
    contacts = find_contacts(body, attach_feet(body), next(iter(body.clips), body.rest))
    return [] if contacts is None else list(contacts.tips)


def _list_shins(evidence: BodyEvidence, leg: Leg) -> list[tuple[int, ...]]:
    """Bones of a leg down to what may be its last, its shin; none where a foot with skin follows."""
    told = {doubt.kind for doubt in leg.doubts}
    if NoteKind.ANKLE_WITHOUT_WEIGHTS in told and _reaches_below(evidence, leg):
        return [leg.joints[:-1]]
    ends = NoteKind.FOOT_BONE_MISSING in told or len(leg.joints) == _FEWEST_JOINTS
    return [leg.joints] if leg.toe is None and ends else []


def _reaches_below(evidence: BodyEvidence, leg: Leg) -> bool:
    """Whether the skin of a shin goes on below an ankle without skin, nearer to the ground than to it."""
    ends = find_ends(evidence, [leg.joints[:-1]])
    if not ends or not len(evidence.vertices):
        return False
    place = compute_rest_poses(add_ends(evidence, ends).skeleton)[1][-1, 2]
    ankle = evidence.skeleton.rest_poses[1][leg.ankle, 2]
    ground = float(evidence.vertices[:, 2].min())
    return bool(place - ground < 0.5 * (ankle - ground))


def _find_rig(evidence: BodyEvidence) -> RigFindings:
    """`find_rig` of the bones of some evidence as they are."""
    if len(evidence.skeleton) < _FEWEST_BONES:
        count = len(evidence.skeleton)
        return _find_nothing(f"the armature has only {count} bone{'' if count == 1 else 's'}")
    evidence, order, prepared = _prepare(evidence)
    findings = _search(*prepared)
    if findings.rig is None:
        return findings
    return replace(findings, rig=_restore_order(findings.rig, order, evidence.skeleton))


def _prepare(
    evidence: BodyEvidence,
) -> tuple[BodyEvidence, np.ndarray, tuple[BodyEvidence, Body, Attachment]]:
    """The evidence with bones below those that they go with, its canonical order, and itself in that."""
    order = find_canonical_order(evidence.skeleton)
    ordered = reorder_evidence(evidence, order)
    body = prepare_body(ordered)
    leaders = find_leaders(body) if evidence.skeleton.own_parents is None else ()
    if leaders:
        return _prepare(lead_evidence(evidence, leaders))
    return evidence, order, (ordered, body, attach_feet(body))


def _search(
    ordered: BodyEvidence, body: Body, attachment: Attachment, may_follow: bool = True
) -> RigFindings:
    """Find a rig in evidence of canonical order; loose legs once again on the bones they follow."""
    stances = gather_stances(body)
    readings = [read_clip(body, attachment, clip, stances) for clip in (*body.clips, body.rest)]
    reading = choose_reading(readings)
    if not reading.chains:
        followed = _search_leaders(ordered, body, (), may_follow)
        if followed is not None:
            return followed
        star = tell_star(body)
        return _find_nothing(star or describe_lack(body, attachment), nameable=not star)
    reading = merge_readings(readings, reading)
    scattered = tell_scattered(body, reading.chains)
    if scattered:
        followed = _search_leaders(ordered, body, (), may_follow)
        return followed or _find_nothing(scattered)
    facing = find_facing(body, readings, reading)
    try:
        rig = assemble_rig(ordered.skeleton, body, attachment, reading, facing)
    except RigError as error:
        followed = _search_leaders(ordered, body, reading.chains, may_follow)
        if followed is not None:
            return followed
        return _find_nothing(tell_star(body) or str(error))
    confidence, doubts = judge_legs(body, reading, readings, facing, rig.legs)
    legs = tuple(replace(leg, confidence=confidence) for leg in rig.legs)
    rig = replace(rig, legs=legs, confidence=confidence, doubts=doubts)
    return RigFindings(
        rig=rig,
        confidence=confidence,
        doubts=doubts,
        candidates=describe_candidates(body, attachment),
        clip_used=reading.clip.name or None,
        yaw_offset=0.0 if facing.travels else facing.yaw_offset,
        clip_ground_height=reading.ground,
        forward_evidence=facing.evidence,
    )


def _search_leaders(
    ordered: BodyEvidence, body: Body, chains: tuple[LegChain, ...], may_follow: bool
) -> RigFindings | None:
    """The rig on the bones that loose legs follow, or None."""
    leading = move_to_leaders(ordered, body, chains) if may_follow else None
    if leading is None:
        return None
    prepared = prepare_body(leading)
    found = _search(leading, prepared, attach_feet(prepared), may_follow=False)
    return None if found.rig is None else found


def build_rig(
    evidence: BodyEvidence,
    leg_bones: Sequence[LegChoice],
    forward: Sequence[float] | None = None,
    body: str | None = None,
) -> Rig:
    """Complete legs whose bones are named: soles, lengths, hinges, partners.

    Parameters
    ----------
    evidence
        The character.
    leg_bones
        The legs, one or more.
    forward
        Horizontal direction in character space to which the character faces, (2,), or None to find
        it.
    body
        Name of the bone to move for the hips, or None to find it.

    Returns
    -------
    Rig
        With the legs ordered as by `find_rig`, on the ends of their shins where they have no feet.

    Raises
    ------
    RigError
        For unknown bones, bones out of order, legs that share bones, hips without a common parent.
    """
    evidence, order, (ordered, prepared, attachment) = _prepare(evidence)
    ends = _find_named_ends(ordered, prepared, attachment, leg_bones)
    if ends:
        lower = {end.bone: end.name for end in ends}
        stood = [
            replace(leg, bones=(*leg.bones, *([lower[last]] if last in lower else ())))
            for leg in leg_bones
            for last in leg.bones[-1:]
        ]
        return build_rig(add_ends(evidence, ends), stood, forward, body)
    chosen = resolve_choices(ordered.skeleton, leg_bones)
    body_bone = None
    if body is not None:
        if body not in ordered.skeleton.names:
            raise RigError(f"there is no bone {body!r} to move; choose a bone above the hips")
        body_bone = ordered.skeleton.find_index(body)
        for leg in chosen:
            if body_bone not in ordered.skeleton.find_ancestors(leg.joints[0])[1:]:
                hip = ordered.skeleton.names[leg.joints[0]]
                raise RigError(f"bone {body!r} does not carry the hip {hip!r}; choose one above it")
    readings = _read_named(prepared, attachment, chosen)
    reading = choose_reading(readings)
    facing = find_facing(prepared, readings, reading)
    if forward is not None:
        facing = _turn_facing(facing, forward)
    rig = assemble_rig(ordered.skeleton, prepared, attachment, reading, facing, body_bone)
    names = {leg.joints[0]: leg.name for leg in chosen if leg.name}
    legs = tuple(replace(leg, name=names.get(leg.joints[0], leg.name)) for leg in rig.legs)
    return _restore_order(replace(rig, legs=legs), order, evidence.skeleton)


def _read_named(body: Body, attachment: Attachment, chosen: list[ChosenLeg]) -> list[ClipReading]:
    """What all clips show of named legs."""
    return [read_chosen_legs(body, attachment, c, chosen) for c in (*body.clips, body.rest)]


def _find_named_ends(
    ordered: BodyEvidence, body: Body, attachment: Attachment, choices: Sequence[LegChoice]
) -> tuple[BoneEnd, ...]:
    """Ends of the last bones of named legs that stand on them, these being high above the ground."""
    chosen = resolve_choices(ordered.skeleton, choices)
    ends = find_ends(ordered, [leg.joints for leg in chosen if leg.toe is None])
    if not ends:
        return ()
    reading = choose_reading(_read_named(body, attachment, chosen))
    high = {
        ordered.skeleton.names[chain.joints[-1]]
        for chain in reading.chains
        if reading.clip.heads[:, chain.joints[-1], 2].min() - reading.ground
        > ANKLES.hanging_end * chain.length
    }
    return tuple(end for end in ends if end.bone in high)


def _find_nothing(reason: str, nameable: bool = False) -> RigFindings:
    """Findings without a rig; ``nameable`` where naming its legs helps."""
    told = f"no walking legs found: {reason}"
    return RigFindings(None, 0.0, refusal=told, nameable=nameable)


def _turn_facing(facing: Facing, forward: Sequence[float]) -> Facing:
    """The same facing with a forward that the user gave."""
    direction = np.asarray(forward, dtype=np.float64)
    length = float(np.hypot(*direction)) if direction.shape == (2,) else 0.0
    if not np.isfinite(length) or length < 1e-6:
        raise RigError(
            f"forward must be a horizontal direction of two numbers, got {list(forward)}"
        )
    return facing.with_own_forward(direction / length)


def _restore_order(rig: Rig, order: np.ndarray, skeleton: Skeleton) -> Rig:
    """The rig with bone indices of the skeleton as it was given."""
    new_bones = {new: int(old) for new, old in enumerate(order)}

    def restore(point: SolePoint) -> SolePoint:
        return replace(point, bone=int(order[point.bone]))

    def restore_leg(leg: Leg) -> Leg:
        return replace(
            leg,
            joints=tuple(int(order[bone]) for bone in leg.joints),
            toe=None if leg.toe is None else int(order[leg.toe]),
            heel=restore(leg.heel),
            ball=restore(leg.ball),
            toe_tip=restore(leg.toe_tip),
            hull=None if leg.hull is None else leg.hull.move_bones(new_bones),
        )

    return replace(
        rig,
        skeleton=skeleton,
        legs=tuple(restore_leg(leg) for leg in rig.legs),
        body=int(order[rig.body]),
    )
