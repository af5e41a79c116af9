# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a clip is a locomotion cycle, how good it is, and what to do about it (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..contacts.find import ContactStudy, LegContact
from ..contacts.limits import CONTACT
from ..maths.rotations import FloatArray
from ..rig.footpoints import compute_sole_points
from ..rig.skeleton import compute_global_poses, compute_rest_poses
from ..rig.structure import Rig
from .clips import Clip
from .cycles import InPlaceCycle
from .grounding import Grounding, note_hanging
from .limits import DOUBT, IN_PLACE, JUDGING, STANDING, STEPPING
from .periods import measure_size
from .preparation import Preparation
from .records import FLIGHT, POSTURE, TURNS
from .stepping import SteppingSigns, measure_own_way

_FEW = 4  # samples that are looked at first
# Notes that doubt the speed.
SPEED_DOUBTS = (
    NoteKind.SPEED_UNEVEN,
    NoteKind.SPEED_UNCERTAIN,
    NoteKind.ROOT_AND_FEET_DIFFER,
    NoteKind.ROOT_LAGS,
)


def stands_quietly(
    rig: Rig, rotations: FloatArray, translations: FloatArray, scales: FloatArray
) -> bool:
    """Whether a character stands on its feet, near enough to the rest pose, and hardly moves.

    Parameters
    ----------
    rig
        The character.
    rotations, translations, scales
        Its poses relative to the parents, shapes (S, B, 4), (S, B, 3), (S, B, 3).
    """
    skeleton = rig.skeleton
    rest = tuple(values[None] for values in skeleton.rest_poses)
    # What moves too much in a few of its samples does so in all.
    for step in (max(1, len(rotations) // _FEW), 1):
        posed = compute_global_poses(
            skeleton, rotations[::step], translations[::step], scales[::step]
        )
        ranges = np.linalg.norm(np.ptp(posed[1], axis=0), axis=1)
        calm = np.percentile(ranges, STANDING.quiet_percentile)
        quiet = calm < STANDING.quiet * measure_size(rest[1])
        if not quiet or any(ranges[leg.ankle] >= STANDING.planted * leg.length for leg in rig.legs):
            return False
    heights = []
    for turns, positions in (posed, rest):
        soles = [
            compute_sole_points(leg, turns[:1], positions[:1])[..., 2].min() for leg in rig.legs
        ]
        hips = [positions[0, leg.joints[0], 2] for leg in rig.legs]
        level = np.ptp(soles) < STANDING.level * rig.leg_length
        heights.append(float(np.mean(hips) - np.mean(soles)) if level else 0.0)
    return bool(heights[0] >= max(STANDING.height * heights[1], 1e-9))


def outruns_root(rig: Rig, cycle: InPlaceCycle, study: ContactStudy) -> bool:
    """Whether the feet of a clip agree on a speed that its root hardly has.

    Parameters
    ----------
    rig
        The character.
    cycle
        The cycle with its root motion taken away.
    study
        What its feet do then.

    Returns
    -------
    bool
        Such a clip is in place, and what its root moves by is a mistake
        (docs/method/motions.md, In place).
    """
    feet, root = float(np.hypot(*study.centre_velocity)), _measure_root_speed(cycle, study)
    stepping = [leg for leg in study.legs if leg.steps]
    drifts = root < DOUBT.drift * feet
    agree = (
        len(stepping) >= max(min(2, len(rig.legs)), JUDGING.least_stepping * len(rig.legs))
        and study.mass >= (JUDGING.least_mass if drifts else JUDGING.weak_mass)
        and study.still_share <= JUDGING.most_still
        and feet * cycle.period > IN_PLACE.least_shift * cycle.size
    )
    return agree and root < IN_PLACE.least_share * feet


def note_drift(cycle: InPlaceCycle, study: ContactStudy) -> tuple[Note, ...]:
    """A note where a root that was not followed moves by more than a drift."""
    feet, root = float(np.hypot(*study.centre_velocity)), _measure_root_speed(cycle, study)
    if root < DOUBT.drift * feet:
        return ()
    return (make_note(NoteKind.ROOT_LAGS, root=root, feet=feet),)


def _measure_root_speed(cycle: InPlaceCycle, study: ContactStudy) -> float:
    """Speed of the root's motion amid the feet, metres a second."""
    turned = np.array([-study.centre[1], study.centre[0]])
    return float(np.hypot(*(cycle.root_velocity + cycle.root_turn / cycle.period * turned)))


def find_plain_objections(cycle: InPlaceCycle, points: FloatArray) -> list[str]:
    """Why a clip is surely no cycle, in words, before it is asked when its feet stand.

    Parameters
    ----------
    cycle
        The cycle in place.
    points
        Its sole points, metres, shape (S, L, 3, 3).
    """
    objections = []
    lift = float(np.ptp(points[..., 2], axis=0).max())
    if lift < JUDGING.least_shuffle * cycle.size:
        objections.append(f"feet do not lift ({lift / cycle.size:.1%} of the body's size)")
    if cycle.mode == "imperfect" and cycle.seam > JUDGING.most_seam:
        half = ", its last pose mirrors its first" if cycle.is_half else ""
        if cycle.rise and not cycle.slope:
            half += f", it climbs by {cycle.rise:+.2g} m, which no walk on the level does"
        objections.append(f"it does not repeat (ends differ by {cycle.seam:.0%}){half}")
    return objections


def find_objections(
    rig: Rig, cycle: InPlaceCycle, study: ContactStudy, signs: SteppingSigns
) -> list[str]:
    """Why a clip is no cycle by its contacts, in words (docs/method/motions.md, Judgement)."""
    size, legs = cycle.size, study.legs
    objections = []
    lift = max(leg.lift_height for leg in legs)
    velocity = cycle.root_velocity if cycle.travels else study.centre_velocity
    stride = float(np.hypot(*velocity)) * cycle.period
    turn = abs(cycle.root_turn) if cycle.travels else abs(study.turn_rate * cycle.period)
    least = JUDGING.least_shuffle if signs.alternates else JUDGING.least_lift
    if lift < least * size:
        objections.append(f"feet do not lift ({lift / size:.1%} of the body's size)")
    stepping = [
        leg for leg in legs if leg.steps and CONTACT.least_duty <= leg.duty < JUDGING.most_duty
    ]
    if len(stepping) < max(min(2, len(legs)), JUDGING.least_stepping * len(legs)):
        objections.append(f"only {len(stepping)} of {len(legs)} feet step")
    if len(stepping) >= 2:
        middles = np.array([leg.strike + 0.5 * leg.duty for leg in stepping])
        together = float(np.abs(np.mean(np.exp(2j * np.pi * middles))))
        if together > JUDGING.together and stride < JUDGING.together_stride * size:
            objections.append("all feet leave the ground together, a jump on the spot")
    if stride < IN_PLACE.least_shift * size and turn < IN_PLACE.least_turn:
        objections.append(
            f"it does not travel (stride {stride / size:.1%} of the body's size), "
            "it may be stepping in place"
        )
    feet = float(np.hypot(*study.centre_velocity))
    if not cycle.travels or _measure_root_speed(cycle, study) < DOUBT.drift * feet:
        objections += _find_no_common_speed(rig, study, turn, signs)
        if signs.pause > STEPPING.most_pause and not signs.alternates:
            objections.append(f"all feet stand still together for {signs.pause:.0%} of the time")
    if (
        signs.flight > STEPPING.jump_flight
        and signs.rise > STEPPING.jump_rise
        and not signs.alternates
    ):
        objections.append(
            f"it is a jump (no foot on the ground for {signs.flight:.0%} of the time, the hips rise by "
            f"{signs.rise:.0%} of the leg's length)"
        )
    if measure_own_way(rig, cycle) < STEPPING.carried:
        objections.append("the body moves and its legs hardly move against it, as in a blow")
    if signs.tilt > STEPPING.turned_over:
        objections.append("the body turns over")
    return objections


def _find_no_common_speed(
    rig: Rig, study: ContactStudy, turn: float, signs: SteppingSigns
) -> list[str]:
    """Objections to feet that do not move with one ground, as in attacks and gestures."""
    objections = []
    if study.still_share > JUDGING.most_still:
        objections.append(
            f"feet stand still for {study.still_share:.0%} of their time on the ground"
        )
    if study.mass < JUDGING.least_mass:
        objections.append(f"the feet share no common speed ({study.mass:.0%} of the time)")
    if turn > JUDGING.most_turn:
        objections.append("it would turn by more than half a turn in a cycle")
    stepping = [leg for leg in study.legs if leg.steps]
    lengths = [float(np.hypot(*leg.velocity)) for leg in stepping]
    total = (
        float(np.hypot(*np.sum([leg.velocity for leg in stepping], axis=0))) if stepping else 0.0
    )
    if study.turn_rate == 0.0 and total < JUDGING.least_agreement * sum(lengths):
        objections.append("the feet go different ways")
    if not signs.is_alike and any(
        _steps_unlike(first, second, study) for first, second in _list_pairs(rig, study)
    ):
        objections.append("left and right feet do not step alike")
    if signs.hang > STEPPING.most_hang:
        objections.append(
            f"feet come below where they would stand, by {signs.hang:.0%} of their way up and down: "
            "they are in the air"
        )
    return objections


def _steps_unlike(first: LegContact, second: LegContact, study: ContactStudy) -> bool:
    """Whether partners that go unlike ways step for unlike times or at unlike speeds."""
    if study.mass < JUDGING.weak_mass and abs(first.duty - second.duty) > JUDGING.pair_unlike:
        return True
    speeds = [float(np.hypot(*contact.velocity)) for contact in (first, second)]
    return study.turn_rate == 0.0 and max(speeds) > JUDGING.pair_faster * min(speeds)


def _list_pairs(rig: Rig, study: ContactStudy) -> list[tuple[LegContact, LegContact]]:
    """Contacts of partners that both step."""
    pairs = [
        (study.legs[index], study.legs[leg.partner])
        for index, leg in enumerate(rig.legs)
        if leg.partner is not None and index < leg.partner
    ]
    return [pair for pair in pairs if pair[0].steps and pair[1].steps]


def describe_quality(
    clip: Clip,
    rig: Rig,
    cycle: InPlaceCycle,
    study: ContactStudy,
    signs: SteppingSigns,
    prepared: Preparation,
) -> dict[str, float | str]:
    """Named numbers of an analysis; lengths in metres, times in seconds, angles in radians."""
    numbers: dict[str, float | str] = {
        "period_source": "; ".join(cycle.notes),
        "start": cycle.start,
        "period_frames": cycle.period * clip.frame_rate,
        "keys_per_cycle": cycle.keys or 0.0,
        "seam_before": cycle.seam_before,
        "seam_after": cycle.seam_after,
        "root_shift": cycle.root_shift,
        "root_turn": cycle.root_turn,
        "root_speed": float(np.hypot(*cycle.root_velocity)),
        "foot_speed": float(np.hypot(*study.velocity)),
        "branch": "uniform" if study.uniform else "eased",
        "mass": study.mass,
        "noise": study.noise,
        "smoothing": study.smoothing,
        "ripple": prepared.ripple_size,
        "surge": prepared.surge,
        "ground_spread": float(np.ptp(prepared.grounds)),
        "size": cycle.size,
        TURNS: "yes" if signs.alternates else "no",
        FLIGHT: signs.flight,
        POSTURE: _measure_posture(rig, cycle, prepared),
    }
    for leg, contact in zip(rig.legs, study.legs, strict=True):
        numbers[f"{leg.name}: duty"] = contact.duty
        numbers[f"{leg.name}: skate"] = contact.skate
        numbers[f"{leg.name}: speed"] = float(np.hypot(*contact.velocity))
        numbers[f"{leg.name}: lift"] = contact.lift_height
        numbers[f"{leg.name}: points"] = contact.points
    return numbers


def _measure_posture(rig: Rig, cycle: InPlaceCycle, prepared: Preparation) -> float:
    """Mean height of the hips over the feet's ground, share of that of the rest pose."""
    hips = [leg.joints[0] for leg in rig.legs]
    rest = compute_rest_poses(rig.skeleton)[1][hips, 2] - rig.ground_height
    height = float(np.mean(cycle.positions[:, hips, 2])) - float(np.median(prepared.grounds))
    return height / max(float(np.mean(rest)), 1e-9)


def note_lent(rig: Rig, lent: Mapping[int, int]) -> tuple[Note, ...]:
    """Notes about feet that step as their partners do; keys are the feet, values the partners."""
    return tuple(
        make_note(NoteKind.CONTACT_LENT, rig.legs[leg].name, partner=rig.legs[partner].name)
        for leg, partner in lent.items()
    )


def note_doubts(
    clip: Clip,
    rig: Rig,
    cycle: InPlaceCycle,
    study: ContactStudy,
    signs: SteppingSigns,
    grounding: Grounding,
    prepared: Preparation,
) -> tuple[Note, ...]:
    """What to mind about a cycle (docs/method/motions.md, Judgement)."""
    return (
        *_note_rate(clip, rig, cycle, study),
        *_note_speed(cycle, study, prepared),
        *_note_legs(rig, study),
        *_note_cycle(cycle, study, signs),
        *(note_hanging(rig, grounding) or _note_height(rig, prepared)),
        *_note_ground(rig, study, prepared),
    )


def _note_rate(clip: Clip, rig: Rig, cycle: InPlaceCycle, study: ContactStudy) -> list[Note]:
    """Cycles as slow as those that are read at another frame rate than they were recorded at."""
    velocity = cycle.root_velocity if cycle.travels else study.centre_velocity
    stride = float(np.hypot(*velocity)) * cycle.period / rig.leg_length
    if cycle.period <= DOUBT.long_period or stride < DOUBT.long_stride:
        return []
    return [
        make_note(
            NoteKind.CLIP_SLOW, period=cycle.period, stride=stride, frame_rate=clip.frame_rate
        )
    ]


def _note_speed(cycle: InPlaceCycle, study: ContactStudy, prepared: Preparation) -> list[Note]:
    """Planted speed, sources that disagree, ripple."""
    found = []
    speed = float(np.hypot(*study.centre_velocity))
    low, high = study.speed_range
    if not cycle.travels and (not study.uniform or high > (1.0 + DOUBT.uneven_speed) * low):
        is_sure = study.mass >= DOUBT.uncertain_mass
        kind = NoteKind.SPEED_UNEVEN if is_sure else NoteKind.SPEED_UNCERTAIN
        found.append(make_note(kind, low=low, high=high))
    skate = float(np.median([leg.skate for leg in study.legs if leg.steps] or [0.0]))
    if study.uniform and skate > DOUBT.sliding:
        found.append(make_note(NoteKind.FEET_SLIDE, share=skate))
    if cycle.travels:
        expected = _measure_root_speed(cycle, study)
        if abs(speed - expected) > DOUBT.sources_differ * max(expected, 1e-12):
            found.append(make_note(NoteKind.ROOT_AND_FEET_DIFFER, root=expected, feet=speed))
    if prepared.surge - prepared.ripple_speed > DOUBT.big_surge:
        found.append(
            make_note(NoteKind.FEET_SURGE, share=prepared.surge, taken=prepared.ripple_speed)
        )
    return found


def _note_legs(rig: Rig, study: ContactStudy) -> list[Note]:
    """Contacts of single legs and of pairs."""
    found = []
    speeds = []
    for leg, contact in zip(rig.legs, study.legs, strict=True):
        if contact.reason is not None:
            found.append(make_note(contact.reason, leg.name))
            continue
        speeds.append(float(np.hypot(*contact.velocity)))
        if contact.duty < DOUBT.short_duty:
            found.append(make_note(NoteKind.CONTACT_SHORT, leg.name, duty=contact.duty))
        if contact.second_share > DOUBT.second_contact:
            found.append(make_note(NoteKind.CONTACT_TWICE, leg.name))
    spread = float(np.ptp(speeds)) / max(float(np.mean(speeds)), 1e-12) if speeds else 0.0
    if spread > DOUBT.legs_differ and study.turn_rate == 0.0:
        found.append(make_note(NoteKind.LEGS_DISAGREE, share=spread))
    found += [
        make_note(NoteKind.LEGS_UNEVEN, leg.name, partner=rig.legs[leg.partner].name)
        for index, leg in enumerate(rig.legs)
        if leg.partner is not None
        and index < leg.partner
        and study.legs[index].steps
        and study.legs[leg.partner].steps
        and abs(study.legs[index].duty - study.legs[leg.partner].duty) > DOUBT.pair_differs
    ]
    return found


def _note_cycle(cycle: InPlaceCycle, study: ContactStudy, signs: SteppingSigns) -> list[Note]:
    """Loop, keys, jumps."""
    found = []
    if cycle.slope:
        degrees = float(np.degrees(np.arctan(cycle.slope)))
        found.append(make_note(NoteKind.CLIP_CLIMBS, degrees=degrees))
    if cycle.seam_before > DOUBT.bad_seam:
        found.append(make_note(NoteKind.LOOP_OPEN, share=cycle.seam_before))
    elif cycle.seam_before > DOUBT.seam and cycle.mode != "open":
        found.append(make_note(NoteKind.LOOP_SPREAD, share=cycle.seam_before))
    if cycle.unlike > DOUBT.unlike:
        turn = float(np.degrees(cycle.unlike))
        found.append(make_note(NoteKind.CYCLES_UNLIKE, bone=cycle.unlike_bone, turn=turn))
    if cycle.is_eased:
        found.append(make_note(NoteKind.HOLDS_EASED))
    if cycle.keys is not None and cycle.keys < DOUBT.few_keys:
        half = 0.5 * cycle.period / cycle.keys
        found.append(make_note(NoteKind.FEW_KEYS, keys=cycle.keys, seconds=half))
    heights = np.median(cycle.positions[..., 2], axis=1)
    if not signs.alternates and (
        study.lowest_clearance > DOUBT.jump_clearance * cycle.size
        or np.ptp(heights) > DOUBT.jump_height * cycle.size
    ):
        found.append(make_note(NoteKind.MAYBE_JUMP))
    return found


def _note_height(rig: Rig, prepared: Preparation) -> tuple[Note, ...]:
    """That feet stand at another height than in the rest pose, where they do."""
    height = float(np.median(prepared.grounds)) - rig.ground_height
    if abs(height) <= DOUBT.ground_differs * rig.leg_length:
        return ()
    return (make_note(NoteKind.GROUND_OFF_REST, height=height),)


def _note_ground(rig: Rig, study: ContactStudy, prepared: Preparation) -> list[Note]:
    """Levels of the feet."""
    found = []
    spread = float(np.ptp(prepared.grounds))
    if spread > DOUBT.ground_differs * rig.leg_length:
        found.append(make_note(NoteKind.GROUND_LEVELS, spread=spread))
    found += [
        make_note(NoteKind.FOOT_DIPS, leg.name, depth=contact.dip)
        for leg, contact in zip(rig.legs, study.legs, strict=True)
        if contact.dip > DOUBT.dips * max(contact.lift_height, 1e-12)
    ]
    return found
