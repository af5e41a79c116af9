# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a recording to one clean cycle in place (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.skeleton import compute_global_poses, compute_rest_poses
from ..rig.structure import Rig
from .climbing import find_climb, level_climb
from .clip_keys import ease_holds, find_key_interval, make_uniform
from .clips import Clip, resample_clip, resample_rotations
from .in_place import CycleTwist, measure_twist, place_clip, remove_twist
from .limits import ANALYSIS, CYCLE
from .periods import RecordedCycle, find_cycle, fit_rigid_turns, select_body_joints
from .standing_carriers import close_carriers, find_left_bones, open_carriers

_MODE_NOTES = {
    "closed": "whole range, last key repeats the first",
    "open": "whole range and one key interval more",
    "imperfect": "whole range, its ends do not match",
    "multiple": "the range holds several cycles",
    "take": "cut from a longer recording",
    "part": "the part of the range that closes",
    "given": "set by the user",
}


@dataclass(frozen=True)
class InPlaceCycle:
    """One closed cycle without the body's even motion over the ground.

    Attributes
    ----------
    rotations, translations, scales
        Tables relative to the parent as in `Motion`, shapes (S, B, 4), (S, B, 3), (S, B, 3).
    global_rotations, positions
        The same poses in character space, shapes (S, B, 4) and (S, B, 3).
    period
        Seconds.
    start
        Seconds from the clip's first sample to the cycle's.
    keys
        Authored key intervals in the cycle, or None if unknown.
    root_velocity
        Velocity of the character's origin that was removed, metres a second, shape (2,).
    root_turn
        Yaw per cycle that was removed, radians.
    root_shift
        Horizontal distance per cycle that was removed, metres.
    travels
        Whether the clip had root motion.
    mode
        See `RecordedCycle`.
    seam
        Distance of the poses at both ends as a share of the rms distance of all poses.
    seam_before
        The same as a share of the body's size.
    seam_after
        How far the step across the seam differs from its neighbours, share of the size.
    size
        The body's size, metres.
    notes
        How the cycle was found, in words.
    is_half
        Whether the ends do not match because the last pose mirrors the first.
    rise, slope
        How far the clip climbs, metres, and the even slope that was taken away, see `climbing`.
    stood
        Seconds for which the body stands beside the only cycle of the clip.
    unlike, unlike_bone
        Largest turn of a bone between this cycle and the others of the clip, radians, and its name.
    is_eased
        Whether poses that the clip holds from key to key were joined.
    """

    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray
    global_rotations: FloatArray
    positions: FloatArray
    period: float
    start: float
    keys: float | None
    root_velocity: FloatArray
    root_turn: float
    root_shift: float
    travels: bool
    mode: str
    seam: float
    seam_before: float
    seam_after: float
    size: float
    notes: tuple[str, ...]
    is_half: bool = False
    rise: float = 0.0
    slope: float = 0.0
    stood: float = 0.0
    unlike: float = 0.0
    unlike_bone: str = ""
    is_eased: bool = False


def count_rows(keys: float | None) -> int:
    """Rows of the tables for a cycle of ``keys`` key intervals (docs/method/motions.md, Rows).

    A multiple of the keys between 64 and 128, so that every key is a row; 128 where the keys do not
    divide the cycle, 64 where they are unknown.
    """
    if keys is None:
        return CYCLE.least_rows
    whole = round(keys)
    if whole < 1 or abs(keys - whole) > CYCLE.whole or whole > CYCLE.most_rows:
        return CYCLE.most_rows
    return whole * int(np.ceil(CYCLE.least_rows / whole))


def extract_cycle(
    clip: Clip,
    rig: Rig,
    period: float | None = None,
    closed: bool | None = None,
    may_travel: bool = True,
) -> InPlaceCycle | None:
    """Cut one cycle out of a clip, take the even root motion away and close it.

    Parameters
    ----------
    clip
        Poses of the rig's whole skeleton, root motion included.
    rig
        The character; its body bone and forward tell where a travelling character stands.
    period
        The user's own period, seconds, or None.
    closed
        The user's word that the last sample repeats the first, or is followed by it; or None.
    may_travel
        False takes the even motion away as an error of a clip in place.

    Returns
    -------
    InPlaceCycle or None
        None where nothing moves.
    """
    uniform = make_uniform(clip)
    clip = ease_holds(uniform)
    is_eased = clip is not uniform
    climb = find_climb(clip, rig)
    clip = level_climb(clip, rig, climb)
    skeleton = rig.skeleton
    _, positions = compute_global_poses(skeleton, clip.rotations, clip.translations, clip.scales)
    recorded = positions
    left = find_left_bones(rig, positions)
    body = select_body_joints(rig, positions) & ~left
    interval = find_key_interval(clip)
    step = clip.duration / max(len(clip.times) - 1, 1)
    per_key = interval / step if interval else 1.0
    length = period / step if period and step > 0 else None
    choice = find_cycle(positions[:, body], per_key, length, closed)
    if choice.mode == "static":
        return None
    twist = measure_twist(positions[:, body], choice, per_key)
    shares = (np.arange(len(clip.times)) - choice.start) / choice.length
    opened, parents = open_carriers(clip, rig, left)
    moved = remove_twist(opened, parents, twist, shares)
    travels = may_travel and not twist.is_still
    if travels:
        inside = (shares >= 0) & (shares <= 1)
        still = twist.move(positions[inside], -shares[inside])
        yaw, place = _find_placing(rig, left, still, twist)
        moved = place_clip(moved, parents, yaw, place)
        twist = twist.seen_from(yaw, place)
    else:
        inside = (shares >= 0) & (shares <= 1)
        away = _measure_away(rig, left, twist.move(positions[inside], -shares[inside]))
        if np.hypot(*away) > ANALYSIS.away * rig.leg_length:
            moved = place_clip(moved, parents, 0.0, away)
    moved = close_carriers(moved, rig, left)
    keys = choice.length / per_key if interval else None
    rows, notes = _close_cycle(moved, choice, step, count_rows(keys))
    # One hemisphere for each bone, so that the planner can add tables without looking at signs.
    rotations = rot.align_hemispheres(rows.rotations, skeleton.rest_rotations)
    global_rotations, positions = compute_global_poses(
        skeleton, rotations, rows.translations, rows.scales
    )
    period = choice.length * step
    unlike, unlike_bone = _find_unlike(clip, rig, choice, step)
    return InPlaceCycle(
        rotations=rotations,
        translations=rows.translations,
        scales=rows.scales,
        global_rotations=global_rotations,
        positions=positions,
        period=period,
        start=choice.start * step,
        keys=keys,
        root_velocity=twist.velocity / period if travels else np.zeros(2),
        root_turn=twist.turn if travels else 0.0,
        root_shift=float(np.hypot(*twist.velocity)) if travels else 0.0,
        travels=travels,
        mode=choice.mode,
        seam=choice.seam,
        seam_before=choice.seam_size,
        seam_after=_measure_seam(positions[:, body], choice.size),
        size=choice.size,
        notes=(_describe_choice(choice, len(clip.times)), *notes),
        is_half=choice.mode == "imperfect" and _is_mirrored(rig, recorded, choice),
        rise=climb.rise,
        slope=climb.slope,
        stood=_count_held(recorded[:, body], choice) * step,
        unlike=unlike,
        unlike_bone=unlike_bone,
        is_eased=is_eased,
    )


def _count_held(positions: FloatArray, choice: RecordedCycle) -> int:
    """Samples of joints (S, B, 3) beside the only cycle of a clip for which all stay where they are."""
    if choice.mode in ("take", "multiple", "given"):
        return 0
    ways = [
        np.linalg.norm(side - side[at], axis=2).max(axis=1)
        for side, at in ((positions[: choice.first + 1], -1), (positions[choice.last :], 0))
    ]
    return sum(int(np.sum(way < CYCLE.stood * choice.size)) - 1 for way in ways)


def _find_unlike(clip: Clip, rig: Rig, choice: RecordedCycle, step: float) -> tuple[float, str]:
    """Largest turn of a bone of the body between the first cycle of a clip and others, and its name."""
    skeleton = rig.skeleton
    rests = sorted(set(skeleton.find_descendants(rig.body)) - {rig.body})
    if choice.mode != "multiple" or not rests:
        return 0.0, ""
    times = np.arange(int(choice.length) + 1) * step
    starts = np.arange(round((len(clip.times) - 1) / choice.length)) * choice.length * step
    first, *others = (
        resample_rotations(clip, clip.times[0] + start + times, rests) for start in starts
    )
    turns = np.max([rot.angles_between(first, other).max(axis=0) for other in others], axis=0)
    bone = int(np.argmax(turns))
    return float(turns[bone]), skeleton.names[rests[bone]]


def _is_mirrored(rig: Rig, positions: FloatArray, choice: RecordedCycle) -> bool:
    """Whether feet end where their partners began, mirrored as seen from the hips."""
    pairs = [(leg, leg.partner) for leg in rig.legs if leg.partner is not None]
    if not pairs:
        return False
    hips = [leg.joints[0] for leg, _ in pairs]
    ends = positions[[choice.first, choice.last]]
    turns = fit_rigid_turns(compute_rest_poses(rig.skeleton)[1][None, hips], ends[:, hips])
    seen = rot.rotate(
        rot.quaternions_from_yaws(-turns)[:, None],
        ends - np.mean(ends[:, hips], axis=1, keepdims=True),
    )
    own = seen[:, [leg.joints[-1] for leg, _ in pairs]]
    other = seen[0, [rig.legs[partner].joints[-1] for _, partner in pairs]]
    across = np.array([-rig.forward[1], rig.forward[0], 0.0])
    mirrored = other - 2.0 * (other @ across)[:, None] * across
    unlike = float(np.mean(np.linalg.norm(own[1] - mirrored, axis=1)))
    return unlike < CYCLE.mirrored * float(np.mean(np.linalg.norm(own[1] - own[0], axis=1)))


def _describe_choice(choice: RecordedCycle, samples: int) -> str:
    """How the cycle was found, in words."""
    text = _MODE_NOTES[choice.mode]
    if choice.first > 0 or choice.last < samples - 1:
        text += ", held or foreign ends left out"
    return text


def _measure_away(rig: Rig, left: np.ndarray, positions: FloatArray) -> FloatArray:
    """How far a body (S, B, 3) is from where it rests, horizontally, metres, shape (2,)."""
    trunk = _list_trunk(rig, left)
    rest = np.mean(compute_rest_poses(rig.skeleton)[1][trunk, :2], axis=0)
    return np.asarray(np.mean(positions[:, trunk, :2], axis=(0, 1)) - rest)


def _list_trunk(rig: Rig, left: np.ndarray) -> list[int]:
    """Bones that tell where the body is: the one to move, or the hips where that stays behind."""
    return sorted({leg.joints[0] for leg in rig.legs}) if left[rig.body] else [rig.body]


def _find_placing(
    rig: Rig, left: np.ndarray, positions: FloatArray, twist: CycleTwist
) -> tuple[float, FloatArray]:
    """Yaw and place (2,) of a travelling character's own axes in the recording.

    Where it walks straight ahead or back, its travel tells the yaw better than its hips do. Feet tell
    it by quarter turns where hips lie too near to each other: in strafes they point far off.
    """
    rest = compute_rest_poses(rig.skeleton)[1]
    hips = sorted({leg.joints[0] for leg in rig.legs})
    trunk = hips if len(hips) > 1 else np.flatnonzero(~left).tolist()
    turns = fit_rigid_turns(rest[None, trunk], positions[:, trunk])
    yaw = float(np.angle(np.mean(np.exp(1j * turns))))
    forward = float(np.arctan2(rig.forward[1], rig.forward[0]))
    pointing = np.zeros(2)
    for leg in rig.legs:
        if leg.toe is not None:
            feet = positions[:, leg.toe, :2] - positions[:, leg.ankle, :2]
            pointing = pointing + np.mean(feet, axis=0)
    apart = rest[trunk, :2] - np.mean(rest[trunk, :2], axis=0)
    spread = float(np.sqrt(np.mean(np.sum(np.square(apart), axis=1))))
    is_sure = len(hips) > 1 and spread > CYCLE.least_hips * rig.leg_length
    if not is_sure and np.any(pointing):
        beside = float(rot.wrap_angles(np.arctan2(pointing[1], pointing[0]) - yaw - forward))
        if abs(beside) > CYCLE.faces_elsewhere:
            yaw += round(beside / (0.5 * np.pi)) * 0.5 * np.pi
    body = _list_trunk(rig, left)
    middle = np.mean(positions[:, body, :2], axis=(0, 1))
    at_middle = twist.seen_from(0.0, middle).velocity
    if np.hypot(*at_middle) > 0:
        ahead = float(rot.wrap_angles(np.arctan2(at_middle[1], at_middle[0]) - yaw - forward))
        for facing in (0.0, np.pi):
            beside = float(rot.wrap_angles(ahead - facing))
            if abs(beside) < CYCLE.faces_travel:
                yaw += beside
    cosine, sine = np.cos(yaw), np.sin(yaw)
    x, y = np.mean(rest[body, :2], axis=0)
    return yaw, middle - np.array([cosine * x - sine * y, sine * x + cosine * y])


def _close_cycle(
    clip: Clip, choice: RecordedCycle, step: float, count: int
) -> tuple[Clip, tuple[str, ...]]:
    """Rows at equal phases with the seam faded or spread over the cycle."""
    if choice.mode == "open":
        clip = _append_first(clip, choice, step)
    origin = clip.times[0] + choice.start * step
    phases = np.arange(count + 1) / count
    rows = resample_clip(clip, origin + phases * choice.length * step)
    notes: tuple[str, ...] = ()
    if (
        choice.mode == "take"
        and choice.seam_size > CYCLE.faded_seam
        and choice.start - choice.first >= CYCLE.fade * choice.length
    ):
        before = resample_clip(clip, origin + (phases - 1.0) * choice.length * step)
        share = rot.step_cubic((phases - (1.0 - CYCLE.fade)) / CYCLE.fade)[:, None]
        rows = replace(
            rows,
            rotations=rot.nlerp(rows.rotations, before.rotations, share),
            translations=_mix(rows.translations, before.translations, share),
            scales=_mix(rows.scales, before.scales, share),
        )
        notes = ("seam cross-faded with the step before",)
    share = (phases - 0.5)[:, None]
    residual = rot.multiply(rot.conjugate(rows.rotations[0]), rows.rotations[-1])
    back = rot.power(np.broadcast_to(residual, rows.rotations.shape), -share)
    closed = replace(
        rows,
        rotations=rot.normalize_quaternions(rot.multiply(rows.rotations, back)),
        translations=_spread(rows.translations, share),
        scales=_spread(rows.scales, share),
    )
    return _drop_last(closed), notes


def _append_first(clip: Clip, choice: RecordedCycle, step: float) -> Clip:
    """The clip up to its last moving sample, then its first moving pose where the cycle ends."""
    index = np.append(np.arange(choice.last + 1), choice.first)
    times = clip.times[index].copy()
    times[-1] = clip.times[0] + (choice.start + choice.length) * step
    return replace(
        clip,
        times=times,
        rotations=clip.rotations[index],
        translations=clip.translations[index],
        scales=clip.scales[index],
    )


def _mix(a: FloatArray, b: FloatArray, share: FloatArray) -> FloatArray:
    """Linear interpolation between tables (S, B, 3)."""
    return a + (b - a) * share[..., None]


def _spread(values: FloatArray, share: FloatArray) -> FloatArray:
    """Take the difference of last and first row (S, B, 3) away, evenly over the cycle."""
    return values - share[..., None] * (values[-1] - values[0])


def _drop_last(clip: Clip) -> Clip:
    """The clip without its last sample."""
    return replace(
        clip,
        times=clip.times[:-1],
        rotations=clip.rotations[:-1],
        translations=clip.translations[:-1],
        scales=clip.scales[:-1],
    )


def _measure_seam(positions: FloatArray, size: float) -> float:
    """How far the change of step across the seam exceeds the usual one, share of the size."""
    steps = np.roll(positions, -1, axis=0) - positions
    changes = steps - np.roll(steps, 1, axis=0)
    sizes = np.sqrt(np.mean(np.sum(np.square(changes), axis=-1), axis=1)) / size
    return float(max(0.0, max(sizes[0], sizes[-1]) - np.median(sizes)))
