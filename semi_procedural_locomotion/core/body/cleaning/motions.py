# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A motion that travels already is cleaned: its feet are planted, with the least change (numpy only).

See docs/method/body.md, Cleaning a motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...contacts.stances import FootStances, FootTrack, find_stances
from ...ground.interface import Ground
from ...maths import rotations as rot
from ...maths.rotations import FloatArray, invert_matrices
from ...maths.smoothing import smooth_gaussian
from ...rig.hulls import SOLE, hull_points_from_poses
from ...rig.ik_chain import measure_bends, solve_leg
from ...rig.structure import Rig
from ..hips import smooth_hip_offsets, stand_over
from ..limits import HIPS
from .bridging import bridge_stances, raise_swings
from .holding import Footing, FootOffsets, FootShape, hold_foot
from .limits import CLEANING


@dataclass(frozen=True)
class CleaningChoices:
    """How a motion is cleaned.

    Attributes
    ----------
    plant
        How much of the corrections of feet is made, 0 to 1.
    hold
        Speed up to which a low foot stands, share of that of fast feet.
    smooth_hips
        Seconds; deviation of the smoothing of the hips' way, 0 for none.
    legs
        Names of the legs whose feet are planted; None for all.
    max_rise
        Steepest slope that soles are turned onto, rise over run.
    tolerance
        Share of L by which ground that bears a sole may be below its plane.
    """

    plant: float = 1.0
    hold: float = 0.25
    smooth_hips: float = 0.0
    legs: frozenset[str] | None = None
    max_rise: float = 1.0
    tolerance: float = 0.03


@dataclass(frozen=True)
class WorldMotion:
    """World poses of all B bones of a rig at N frames.

    Attributes
    ----------
    times
        Seconds of the scene's clock, evenly spaced, shape (N,).
    rotations, positions
        Of the bones, metres, shapes (N, B, 4) and (N, B, 3).
    sizes
        Along the bones' axes against those at rest, shape (N, B, 3).
    interval
        Seconds of the motion's own clock between frames: a capture of 120 frames a second may play in a
        scene of 24.
    """

    times: FloatArray
    rotations: FloatArray
    positions: FloatArray
    sizes: FloatArray
    interval: float


@dataclass(frozen=True)
class CleanedMotion:
    """A motion with its feet planted.

    Attributes
    ----------
    rotations, positions
        World poses of all bones, metres, shapes (N, B, 4) and (N, B, 3).
    hip_offsets
        Way of the hips, metres, shape (N, 3).
    stances
        When each foot stands.
    held
        Corrections of each foot.
    missed
        Distance between ankle and target, metres, shape (N, L).
    """

    rotations: FloatArray
    positions: FloatArray
    hip_offsets: FloatArray
    stances: tuple[FootStances, ...]
    held: tuple[FootOffsets, ...]
    missed: FloatArray


def clean_motion(
    rig: Rig,
    motion: WorldMotion,
    ground: Ground,
    choices: CleaningChoices,
    stances: Sequence[FootStances] | None = None,
) -> CleanedMotion:
    """Plant the feet of a motion.

    Parameters
    ----------
    rig
        The character; its skeleton's bones are those of the motion.
    motion
        What it does, three frames at least.
    ground
        What it stands on.
    choices
        How it is cleaned.
    stances
        When each foot stands; None to find it.
    """
    footing = _make_footing(rig, motion, ground, choices)
    feet = tuple(_shape_foot(rig, motion, leg) for leg in range(len(rig.legs)))
    unders = tuple(_find_under(foot, footing) for foot in feet)
    if stances is None:
        stances = find_motion_stances(rig, motion, ground, choices)
    held = []
    for index, leg in enumerate(rig.legs):
        asked = choices.legs is None or leg.name in choices.legs
        held.append(
            _correct_foot(
                feet[index],
                stances[index],
                unders[index],
                footing,
                motion.interval,
                choices.plant if asked else 0.0,
            )
        )
    offsets = _move_hips(rig, motion, held, stances, choices.smooth_hips)
    rotations, positions, missed = _solve(rig, motion, held, offsets)
    return CleanedMotion(rotations, positions, offsets, tuple(stances), tuple(held), missed)


def find_motion_stances(
    rig: Rig, motion: WorldMotion, ground: Ground, choices: CleaningChoices
) -> tuple[FootStances, ...]:
    """When each foot of a motion stands; see `clean_motion`."""
    footing = _make_footing(rig, motion, ground, choices)
    feet = [_shape_foot(rig, motion, leg) for leg in range(len(rig.legs))]
    tracks = [_track(foot, _find_under(foot, footing), footing) for foot in feet]
    return find_stances(tracks, motion.interval, rig.leg_length, choices.hold)


def _make_footing(
    rig: Rig, motion: WorldMotion, ground: Ground, choices: CleaningChoices
) -> Footing:
    """What the feet of a motion stand on."""
    tolerance = choices.tolerance * rig.leg_length
    return Footing(ground, motion.times, rig.leg_length, choices.max_rise, tolerance)


def _shape_foot(rig: Rig, motion: WorldMotion, leg: int) -> FootShape:
    """A foot of the motion."""
    hull, ankle = rig.hulls[leg], rig.legs[leg].ankle
    points = hull_points_from_poses(hull, motion.rotations, motion.positions, motion.sizes)
    sole = hull.parts == SOLE
    if not sole.any():
        sole = np.ones(len(hull), dtype=bool)
    along = hull.places[:, 0]
    front = along > 0.5 * (along[sole].min() + along[sole].max())
    if front[sole].all() or not front[sole].any():
        front = np.arange(len(hull)) < len(hull) // 2
    return FootShape(motion.positions[:, ankle], motion.rotations[:, ankle], points, sole, front)


def _find_under(foot: FootShape, footing: Footing) -> np.ndarray:
    """Surface under a foot from each frame to the next, -1 for none, shape (N - 1,)."""
    count = len(foot.ankles)
    if not footing.ground.moving_surfaces():
        return np.full(count - 1, -1, dtype=np.intp)
    start = foot.points[:, foot.sole].mean(axis=1)
    start[:, 2] += CLEANING.look_up * footing.leg_length
    return footing.ground.cast_down(start, footing.times).surfaces[:-1]


def _track(foot: FootShape, under: np.ndarray, footing: Footing) -> FootTrack:
    """What tells when a foot stands."""
    points = foot.points[:, foot.sole]
    carried = points[:-1].copy()
    for surface in np.intersect1d(under, list(footing.ground.moving_surfaces())):
        frames = footing.ground.surface_frames(int(surface), footing.times)
        rows = np.flatnonzero(under == surface)
        carry = frames[rows + 1] @ invert_matrices(frames[rows])
        moved = np.einsum("nij,npj->npi", carry[:, :3, :3], carried[rows])
        carried[rows] = moved + carry[:, None, :3, 3]
    lows = foot.points[..., 2].min(axis=1)
    spots = np.take_along_axis(foot.points, foot.points[..., 2].argmin(axis=1)[:, None, None], 1)
    starts = spots[:, 0].copy()
    starts[:, 2] += CLEANING.near_up * footing.leg_length
    hits = footing.ground.cast_down(starts, footing.times)
    gaps = np.where(hits.hit, lows - hits.points[:, 2], np.nan)
    return FootTrack(points, points[1:] - carried, lows, gaps)


def _correct_foot(
    foot: FootShape,
    stances: FootStances,
    under: np.ndarray,
    footing: Footing,
    interval: float,
    plant: float,
) -> FootOffsets:
    """Corrections of a foot at all frames, by so much of them as is asked for."""
    held = hold_foot(foot, stances, under, footing)
    if plant < 1.0:
        held = FootOffsets(plant * held.offsets, rot.power(held.turns, np.array(plant)))
    held = bridge_stances(held, stances, interval)
    if plant <= 0.0:
        return held
    raised = raise_swings(foot, held, stances, footing, interval)
    return replace(held, offsets=held.offsets + plant * (raised.offsets - held.offsets))


def _move_hips(
    rig: Rig,
    motion: WorldMotion,
    held: Sequence[FootOffsets],
    stances: Sequence[FootStances],
    smoothing: float,
) -> FloatArray:
    """Way of the hips (N, 3), metres: smoothed, up and down as the standing legs ask for."""
    moves = np.zeros((len(motion.times), 3))
    if smoothing > 0:
        body = motion.positions[:, rig.body]
        moves = _smooth_way(body, motion.interval, smoothing) - body
    hips = np.stack([motion.positions[:, leg.joints[0]] for leg in rig.legs], axis=1)
    ankles = np.stack([motion.positions[:, leg.ankle] for leg in rig.legs], axis=1)
    targets = ankles + np.stack([foot.offsets for foot in held], axis=1)
    lengths = np.stack([_measure_length(motion, leg.joints) for leg in rig.legs], axis=1)
    own = rot.lengths(ankles - hips)
    moved = hips + moves[:, None]
    # After these changes a leg is as long as it was, or as long as it may be.
    asked = stand_over(moved, targets, own)
    bearable = stand_over(moved, targets, np.maximum(own, HIPS.stretch * lengths))
    stands = np.stack([own.mark() for own in stances], axis=1)
    weights = np.where(stands, 1.0, CLEANING.swinging)
    raw = np.average(asked, axis=1, weights=weights)
    ceiling = np.maximum(bearable.min(axis=1), -HIPS.most_drop * rig.leg_length)
    # Finer than frames, so that the smoothing has enough of them.
    fine = max(int(np.ceil(motion.interval * CLEANING.rate)), 1)
    rows = np.arange(len(raw))
    grid = np.linspace(0.0, rows[-1], fine * int(rows[-1]) + 1)
    raw, ceiling = (np.interp(grid, rows, values) for values in (raw, ceiling))
    smooth = smooth_hip_offsets(raw, ceiling, motion.interval / fine)
    moves[:, 2] += smooth[::fine]
    return moves


def _measure_length(motion: WorldMotion, joints: Sequence[int]) -> FloatArray:
    """Length of a leg in each frame, metres, shape (N,)."""
    places = motion.positions[:, list(joints)]
    return np.asarray(rot.lengths(np.diff(places, axis=1)).sum(axis=1))


def _smooth_way(way: FloatArray, interval: float, sigma: float) -> FloatArray:
    """A way (N, 3) smoothed; it goes on beyond its ends as it comes, turned about them."""
    count = min(len(way) - 1, int(np.ceil(CLEANING.beyond * sigma / interval)))
    if count < 1:
        return way
    head = 2.0 * way[0] - way[count:0:-1]
    tail = 2.0 * way[-1] - way[-2 : -2 - count : -1]
    longer = np.concatenate([head, way, tail])
    return smooth_gaussian(longer, interval, sigma)[count : count + len(way)]


def _solve(
    rig: Rig, motion: WorldMotion, held: Sequence[FootOffsets], offsets: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """World poses of all bones with moved hips and solved legs, and what legs miss (N, L)."""
    skeleton = rig.skeleton
    carried = np.zeros(len(skeleton), dtype=bool)
    carried[skeleton.find_descendants(rig.body)] = True
    positions = motion.positions + offsets[:, None] * carried[:, None]
    rotations = motion.rotations
    solved_rotations: dict[int, FloatArray] = {}
    solved_positions: dict[int, FloatArray] = {}
    missed = []
    for leg, foot in zip(rig.legs, held, strict=True):
        joints = list(leg.joints)
        solution = solve_leg(
            positions[:, joints],
            rotations[:, joints[:-1]],
            motion.positions[:, leg.ankle] + foot.offsets,
            rot.rotate(rotations[:, joints[0]], leg.hinge),
            most_bends=measure_bends(motion.positions[:, joints]).max(axis=0),
        )
        for place, joint in enumerate(joints[:-1]):
            solved_rotations[joint] = solution.rotations[:, place]
        for place, joint in enumerate(joints):
            solved_positions[joint] = solution.positions[:, place]
        solved_rotations[leg.ankle] = rot.multiply(foot.turns, rotations[:, leg.ankle])
        if not skeleton.is_own[leg.ankle]:
            solved_rotations[leg.ankle] = solution.rotations[:, -1]
        missed.append(solution.unreached)
    # Bones below a leg's follow it as they are against their parents.
    new_rotations: list[FloatArray] = []
    new_positions: list[FloatArray] = []
    moved = {bone for leg in rig.legs for bone in skeleton.find_descendants(leg.joints[0])}
    moved |= {b for leg in rig.legs for b in skeleton.find_descendants(leg.ankle)}
    for bone, parent in enumerate(skeleton.parents.tolist()):
        q, p = rotations[:, bone], positions[:, bone]
        if bone in moved and parent in moved:
            turn = rot.multiply(new_rotations[parent], rot.conjugate(rotations[:, parent]))
            q = rot.multiply(turn, q)
            p = new_positions[parent] + rot.rotate(turn, p - positions[:, parent])
        new_rotations.append(solved_rotations.get(bone, q))
        new_positions.append(solved_positions.get(bone, p))
    return (
        np.stack(new_rotations, axis=1),
        np.stack(new_positions, axis=1),
        np.stack(missed, axis=1),
    )
