# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a clip and a rig to a `Motion`: cycle, contacts, judgement, preparation (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...errors import AnalysisError
from ...notes import Note
from ..contacts.edits import ContactEdit, compute_leg_times, edit_contacts, times_from_contact
from ..contacts.find import ContactStudy, LegContact
from ..contacts.planting import cut_to_reach, plant_contacts
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.limits import REACH
from ..rig.reach import measure_segments
from ..rig.skeleton import compute_global_poses, compute_rest_poses
from ..rig.structure import Rig
from .clips import Clip
from .cycles import InPlaceCycle, extract_cycle
from .grounding import Grounding, measure_grounding, tell_ungrounded
from .judging import (
    describe_quality,
    find_objections,
    find_plain_objections,
    note_doubts,
    note_drift,
    note_lent,
    outruns_root,
    stands_quietly,
)
from .limits import ANALYSIS
from .periods import measure_size, select_body_joints
from .preparation import Preparation, prepare_cycle
from .properties import resample_properties
from .records import POSED, STIR, LegCycle, Motion
from .stance import stand_legs, stand_points
from .stepping import (
    SteppingSigns,
    lend_contacts,
    list_sole_points,
    measure_stepping,
    study_feet,
)


@dataclass(frozen=True)
class AnalysisOptions:
    """What the user may decide instead of the analysis.

    Attributes
    ----------
    period
        Seconds of one cycle, or None.
    closed
        Whether the last sample repeats the first (True) or is followed by it (False), or None.
    kind
        ``"cycle"`` or ``"rest"`` to insist, or None.
    force
        Use the clip as a cycle in spite of all objections.
    remove_ripple
        Whether the body takes a part of what planted feet slide together.
    key_times
        When feet stand, by the names of their legs; others as found.
    """

    period: float | None = None
    closed: bool | None = None
    kind: str | None = None
    force: bool = False
    remove_ripple: bool = True
    key_times: Mapping[str, ContactEdit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in (None, "cycle", "rest"):
            raise ValueError(f"kind must be 'cycle', 'rest' or None, got {self.kind!r}")
        if self.period is not None and not self.period > 0:
            raise ValueError(f"period must be positive, got {self.period}")


def analyze_clip(clip: Clip, rig: Rig, options: AnalysisOptions | None = None) -> Motion:
    """Analyse a clip.

    Parameters
    ----------
    clip
        Poses of the rig's whole skeleton, root motion included.
    rig
        The character.
    options
        The user's own decisions.

    Returns
    -------
    Motion
        A cycle, or a rest motion where the clip only stands.

    Raises
    ------
    AnalysisError
        If the clip is neither, with the reasons in words; ``options.force`` overrules them.
    """
    options = options or AnalysisOptions()
    _check_clip(clip, rig)
    if options.kind == "rest":
        return rest_motion_from_clip(clip, rig)
    wants_cycle = options.force or options.kind == "cycle"
    cycle = extract_cycle(clip, rig, options.period, options.closed)
    if cycle is None:
        quiet = stands_quietly(rig, clip.rotations, clip.translations, clip.scales)
        if quiet and not wants_cycle:
            return rest_motion_from_clip(clip, rig)
        raise AnalysisError(
            f"{clip.name!r} is no walk cycle: nothing moves", *_tell_insisting("rest")
        )

    surely = find_plain_objections(cycle, list_sole_points(rig, cycle))
    if surely and not options.force:
        return _refuse(clip, rig, surely, wants_cycle, cycle.is_half)
    points, study = study_feet(rig, cycle)
    drift: tuple[Note, ...] = ()
    if cycle.travels and outruns_root(rig, cycle, study):
        settled = extract_cycle(clip, rig, options.period, options.closed, may_travel=False)
        if settled is not None:
            drift = note_drift(cycle, study)
            cycle = settled
            points, study = study_feet(rig, cycle)
    signs = measure_stepping(rig, cycle, points, study)
    study, lent = lend_contacts(rig, study, signs)
    if lent and study.turn_rate:
        # A foot alone cannot tell a turn from a step to its side.
        points, study = study_feet(rig, cycle, allow_turning=False)
        signs = measure_stepping(rig, cycle, points, study)
        study, lent = lend_contacts(rig, study, signs)
    grounding = measure_grounding(rig, cycle, points, study)
    objections = [
        *find_objections(rig, cycle, study, signs),
        *tell_ungrounded(grounding, signs.alternates),
    ]
    if objections and not options.force:
        return _refuse(clip, rig, objections, wants_cycle, cycle.is_half)
    if not any(contact.steps for contact in study.legs) and not options.key_times:
        raise AnalysisError(
            f"{clip.name!r} cannot be used: no foot both stands and leaves the ground; "
            "check the legs and their soles"
        )
    motion = _make_cycle_motion(clip, rig, cycle, points, study, signs, grounding, options)
    return replace(motion, notes=(*drift, *note_lent(rig, lent), *motion.notes))


def _refuse(
    clip: Clip, rig: Rig, objections: Sequence[str], wants_cycle: bool, is_half: bool
) -> Motion:
    """The rest motion that a clip is which is no cycle; raises where it is none either."""
    if not wants_cycle and stands_quietly(rig, clip.rotations, clip.translations, clip.scales):
        return rest_motion_from_clip(clip, rig)
    cures = _ADD_OTHER_STEP if is_half else _tell_insisting("cycle")
    raise AnalysisError(f"{clip.name!r} is no walk cycle: {'; '.join(objections)}", *cures)


# Half a cycle that is walked as if it were a whole one would change legs at each seam.
_ADD_OTHER_STEP = (
    "add the other step (Copy Pose, Paste Pose Flipped), or choose another action",
    "add the other step in Blender (Copy Pose, Paste Pose Flipped), or choose another action",
)


def _tell_insisting(kind: str) -> tuple[str, str]:
    """How to take a clip as a kind in spite of all objections, at the panels and in jobs."""
    other = "choose another action"
    return (
        f"{other}, or set its Kind to {kind.title()}",
        f'{other}, or give it `kind = "{kind}"` in `motions`',
    )


def _check_clip(clip: Clip, rig: Rig) -> None:
    """Raise unless the clip belongs to the rig's skeleton."""
    bones = clip.rotations.shape[1]
    if bones != len(rig.skeleton):
        raise ValueError(f"clip {clip.name!r} must have {len(rig.skeleton)} bones, got {bones}")
    if len(clip.times) == 0:
        raise AnalysisError(f"{clip.name!r} has no samples: its frame range is empty")


def _make_cycle_motion(
    clip: Clip,
    rig: Rig,
    cycle: InPlaceCycle,
    points: FloatArray,
    study: ContactStudy,
    signs: SteppingSigns,
    grounding: Grounding,
    options: AnalysisOptions,
) -> Motion:
    """Prepare a cycle and put everything together."""
    velocity, turn_rate = study.velocity, study.turn_rate
    if cycle.travels:
        velocity, turn_rate = cycle.root_velocity, cycle.root_turn / cycle.period
    found, velocity = _plant(points, rig, cycle, study, velocity, turn_rate)
    names = [leg.name for leg in rig.legs]
    contacts = edit_contacts(found, options.key_times, names, clip.name)
    prepared, bends_skin = _prepare(points, rig, cycle, contacts, velocity, turn_rate, options)
    reached = found if turn_rate else _cut(found, rig, cycle, prepared, velocity)
    if reached != found:
        found, contacts = reached, edit_contacts(reached, options.key_times, names, clip.name)
        prepared, bends_skin = _prepare(points, rig, cycle, contacts, velocity, turn_rate, options)
    legs = tuple(
        _make_leg_cycle(contact, old, prepared, index, cycle.period)
        for index, (contact, old) in enumerate(zip(contacts, found, strict=True))
    )
    speed = float(np.hypot(*velocity))
    low, high = study.speed_range
    stepping = [i for i, contact in enumerate(contacts) if contact.steps]
    return Motion(
        name=clip.name,
        kind="cycle",
        period=cycle.period,
        velocity=velocity,
        turn_rate=turn_rate,
        rotations=cycle.rotations,
        translations=cycle.translations,
        scales=cycle.scales,
        ripple=prepared.ripple,
        legs=legs,
        ground_height=float(np.median(prepared.grounds[stepping])),
        speed_range=(speed, speed) if cycle.travels else (min(low, speed), max(high, speed)),
        quality=describe_quality(clip, rig, cycle, study, signs, prepared),
        notes=note_doubts(clip, rig, cycle, study, signs, grounding, prepared),
        keyed=clip.keyed,
        bends_skin=bends_skin,
        properties=resample_properties(
            clip.properties,
            clip.times,
            cycle.start + cycle.period * np.arange(len(cycle.rotations)) / len(cycle.rotations),
        ),
    )


def _plant(
    points: FloatArray,
    rig: Rig,
    cycle: InPlaceCycle,
    study: ContactStudy,
    velocity: FloatArray,
    turn_rate: float,
) -> tuple[tuple[LegContact, ...], FloatArray]:
    """Contacts as long as feet are seen on the ground, and the velocity that suits them best."""
    if turn_rate:
        return study.legs, velocity
    low, high = study.speed_range
    contacts = plant_contacts(
        points, study.legs, velocity, cycle.period, rig.leg_length, extend=high > low
    )
    if cycle.travels or not high > low:
        return contacts, velocity
    planted = study.planted_velocity
    change = float(np.hypot(*(planted - velocity)))
    return contacts, planted if change > ANALYSIS.uneven * float(np.hypot(*velocity)) else velocity


def _prepare(
    points: FloatArray,
    rig: Rig,
    cycle: InPlaceCycle,
    contacts: Sequence[LegContact],
    velocity: FloatArray,
    turn_rate: float,
    options: AnalysisOptions,
) -> tuple[Preparation, bool]:
    """Feet against one velocity, and whether their skin is where the motion's own legs have it."""
    hips = cycle.positions[:, [leg.joints[0] for leg in rig.legs]].mean(axis=1)
    for bends_skin in (True, False):
        prepared = prepare_cycle(
            stand_points(points, rig, cycle, contacts, float(bends_skin)),
            rig,
            contacts,
            cycle.period,
            velocity,
            turn_rate,
            hips,
            options.remove_ripple,
        )
        if prepared.skates.max() <= ANALYSIS.most_skate:
            break
    return prepared, bends_skin


def _cut(
    contacts: tuple[LegContact, ...],
    rig: Rig,
    cycle: InPlaceCycle,
    prepared: Preparation,
    velocity: FloatArray,
) -> tuple[LegContact, ...]:
    """Contacts no longer than legs reach."""
    joints = [cycle.positions[:, leg.joints] for leg in rig.legs]
    lengths = [
        max(leg.length, float(measure_segments(own).max())) if leg.detached else leg.length
        for leg, own in zip(rig.legs, joints, strict=True)
    ]
    return cut_to_reach(
        contacts,
        np.stack([own[:, 0] for own in joints], axis=1),
        np.stack([own[:, -1] for own in joints], axis=1),
        prepared.footbases,
        REACH.comfortable * np.array(lengths),
        velocity * cycle.period,
        rig.leg_length,
    )


def _make_leg_cycle(
    contact: LegContact, found: LegContact, prepared: Preparation, index: int, period: float
) -> LegCycle:
    """One leg's entry of a cycle; ``found`` is the contact before the user's edits."""
    lift, off, strike, land = compute_leg_times(contact)
    return LegCycle(
        stance=contact.stance,
        lift=lift,
        off=off,
        post_lift=min(max(off, lift + ANALYSIS.least_roll), land),
        pre_land=max(min(strike, land - ANALYSIS.least_roll), lift),
        strike=strike,
        land=land,
        stride=float(np.hypot(*contact.velocity)) * period,
        stance_position=prepared.anchors[index],
        foot_direction=prepared.directions[index],
        footbases=prepared.footbases[index],
        ground_height=float(prepared.grounds[index]),
        contact_points=contact.points,
        skate=float(prepared.skates[index]),
        steps=contact.steps,
        found_times=None if contact is found else times_from_contact(found),
    )


def rest_motion_from_clip(clip: Clip, rig: Rig) -> Motion:
    """A rest motion from a clip's first sample.

    Parameters
    ----------
    clip
        Poses of the rig's whole skeleton.
    rig
        The character.

    Returns
    -------
    Motion
        Of kind ``"rest"`` with one row. A pose away from the rig's own place is brought there.
    """
    _check_clip(clip, rig)
    skeleton = rig.skeleton
    rotations = rot.align_hemispheres(clip.rotations[:1], skeleton.rest_rotations)
    translations, scales = clip.translations[:1].copy(), clip.scales[:1]
    global_rotations, positions = compute_global_poses(skeleton, rotations, translations, scales)
    away = positions[0, rig.body, :2] - compute_rest_poses(skeleton)[1][rig.body, :2]
    if np.hypot(*away) > ANALYSIS.away * rig.leg_length:
        translations[:, skeleton.parents < 0, :2] -= away
        positions[..., :2] -= away
    legs, ground_height = stand_legs(rig, global_rotations, positions)
    return Motion(
        name=clip.name,
        kind="rest",
        period=0.0,
        velocity=np.zeros(2),
        turn_rate=0.0,
        rotations=rotations,
        translations=translations,
        scales=scales,
        ripple=np.zeros((1, 2)),
        legs=legs,
        ground_height=ground_height,
        quality={
            STIR: _measure_stir(clip, rig),
            POSED: float(np.max(rot.angles_between(rotations[0], skeleton.rest_rotations))),
        },
        keyed=clip.keyed,
        properties=resample_properties(clip.properties, clip.times, clip.times[:1]),
    )


def _measure_stir(clip: Clip, rig: Rig) -> float:
    """Farthest way of a joint in a clip, share of the body's size."""
    _, positions = compute_global_poses(
        rig.skeleton, clip.rotations, clip.translations, clip.scales
    )
    body = positions[:, select_body_joints(rig, positions)]
    ways = np.linalg.norm(np.ptp(body, axis=0), axis=-1)
    return float(np.max(ways)) / measure_size(body)
